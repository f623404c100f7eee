import * as z from 'zod';
import { capitalize } from './capitalize.ts';
import { isoDate, isoDateTime, labels, nameText, recordId, slugText, source } from './fields.ts';
import { UNSOURCED_FIELDS, unsourcedAmong } from './unsourced.ts';

/** Fields that search indexes, in descending order of the weight of a match. */
export interface SearchedFields<Field extends string = string> {
  readonly names: readonly Field[];
  readonly tickers: readonly Field[];
  /** Lists of objects with an `address`, by which records are found as by a ticker. */
  readonly addresses?: readonly Field[];
  readonly domain: Field | null;
  /** Addresses of accounts on X and GitHub, by which records are found as by a domain. */
  readonly accounts?: readonly Field[];
  readonly keywords: readonly Field[];
  readonly headline: readonly Field[];
  readonly overview: readonly Field[];
  readonly related: readonly Field[];
  /** Whether names are composed, as of company, stage and year; nobody types them as one word. */
  readonly hasComposedNames?: true;
}

/** A representation of a stored record: its schema, and the source field of every renamed field. */
export interface View {
  readonly schema: z.ZodObject;
  readonly renamed: Readonly<Record<string, string>>;
}

/** One record type, defined once: columns, validation, REST, OpenAPI, tool schemas and tables derive from it. */
export interface Entity<Type extends string = string, Shape extends z.ZodRawShape = z.ZodRawShape> {
  readonly type: Type;
  readonly noun: string;
  readonly record: z.ZodObject<Shape>;
  readonly searched: SearchedFields;
  /** Fields of the concise format, after type, id, name and slug. */
  readonly concise: readonly string[];
  /** Fields that the service computes from the rounds on record. */
  readonly fromRounds: readonly string[];
  /** The view sold over x402, or null when the type is not sold. */
  readonly paid: View | null;
}

type Field<Shape> = Extract<keyof Shape, string>;

interface EntityDefinition<Type extends string, Shape extends z.ZodRawShape> {
  type: Type;
  noun: string;
  fields: Shape;
  searched: SearchedFields<Field<Shape> | 'name' | 'aliases'>;
  concise: readonly Field<Shape>[];
  fromRounds?: readonly Field<Shape>[];
  /** Fields of the paid view, in order, after id, name and slug; clients depend on their names and order. */
  paid?: readonly (Field<Shape> | typeof UNSOURCED_FIELDS)[];
  /** Names in the paid view that differ from those of the fields. */
  paidNames?: Readonly<Record<string, Field<Shape>>>;
}

/**
 * Defines a record type from its own fields; the fields common to all types are added.
 *
 * @example
 * import { defineEntity } from './entity.ts';
 * import { labels, shortText } from './fields.ts';
 *
 * export const fund = defineEntity({
 *   type: 'funds',
 *   noun: 'fund',
 *   fields: {
 *     strategy: shortText.nullable().meta({ description: 'How the fund invests.' }),
 *     tags: labels.meta({ description: 'Sectors of the fund.' }),
 *   },
 *   searched: {
 *     names: ['name', 'aliases'],
 *     tickers: [],
 *     domain: null,
 *     keywords: ['tags'],
 *     headline: ['strategy'],
 *     overview: [],
 *     related: [],
 *   },
 *   concise: ['strategy', 'tags'],
 * });
 */
export function defineEntity<const Type extends string, Shape extends z.ZodRawShape>(
  definition: EntityDefinition<Type, Shape>,
): Entity<Type, CommonStart<Type> & Shape & typeof commonEnd> {
  const { type, noun, fields, searched, concise, fromRounds = [], paid, paidNames = {} } = definition;
  const record = z.object({ ...commonStart(type, noun), ...fields, ...commonEnd }).meta({ id: nounName(noun) });
  // zod infers an intersection for the object of three spread shapes, which TypeScript cannot resolve through generics.
  const view = paid === undefined ? null : { schema: paidSchema(fields, paid, paidNames), renamed: paidNames };
  return { type, noun, record: record as never, searched, concise, fromRounds, paid: view };
}

function paidSchema(
  fields: z.ZodRawShape,
  paid: readonly string[],
  renamed: Readonly<Record<string, string>>,
): z.ZodObject {
  const names = new Map(Object.entries(renamed).map(([name, field]) => [field, name]));
  const all: z.ZodRawShape = { ...fields, ...commonEnd };
  const shown = Object.fromEntries(paid.map((field) => [names.get(field) ?? field, all[field] as z.ZodType]));
  return z.object({ id: recordId, name: nameText, slug: slugText, ...shown, is_verified: z.boolean() });
}

export const withArticle = (noun: string): string => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;

/** A noun in the names of schemas and operations: `FundingRound` for `funding round`. */
export const nounName = (noun: string): string => noun.split(' ').map(capitalize).join('');

type CommonStart<Type extends string> = ReturnType<typeof commonStart<Type>>;

function commonStart<Type extends string>(type: Type, noun: string) {
  return {
    type: z.literal(type).meta({ description: `Always "${type}".`, readOnly: true }),
    id: recordId.meta({ description: 'Record number, given by the store.', readOnly: true }),
    name: nameText.meta({ description: `Name of the ${noun}.` }),
    slug: slugText.meta({ description: 'Name in an address; unique within the type.' }),
    aliases: labels.meta({ description: 'Other names that people use.' }),
  };
}

const commonEnd = {
  is_verified: z.boolean().meta({ description: 'True when the operator has checked the record.', readOnly: true }),
  as_of: isoDate.nullable().meta({ description: 'Date of the newest source of the record.' }),
  unlisted_since: isoDate.nullable().meta({ description: 'Day of its last listing, where no source has it any more.' }),
  unsourced_fields: labels.meta({
    description:
      'Fields that only the editors of the data set state, and texts that say one of these: there is no page to check them by.',
    readOnly: true,
  }),
  sources: z.array(source).max(1_000).meta({ description: 'Where each fact was read.' }),
  created_at: isoDateTime.meta({ description: 'When the record was added.', readOnly: true }),
  updated_at: isoDateTime.meta({ description: 'When the record last changed.', readOnly: true }),
};

/** Maps a stored record to a view: renames fields, and sets null where the value is unknown. */
export function showThrough(view: View, record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const names = Object.keys(view.schema.shape);
  const shown = Object.fromEntries(names.map((name) => [name, record[view.renamed[name] ?? name] ?? null]));
  const facts = names.filter((name) => name !== UNSOURCED_FIELDS);
  return facts.length === names.length ? shown : { ...shown, [UNSOURCED_FIELDS]: unsourcedAmong(record, facts) };
}
