import * as z from 'zod';
import { entityOf, type RecordType } from '../../contract/entities/index.ts';
import { inputOf, neededOf, type RecordInput } from '../../contract/input.ts';
import { foldName } from '../../contract/names.ts';
import { isOfEditorsAlone } from '../../contract/unsourced.ts';
import { unsourcedFieldsOf } from '../../contract/unsourced-texts.ts';
import { INVESTORS_LISTED_MAX } from '../../contract/vocabulary.ts';
import { cached } from '../cached.ts';

/** A stored record with every field of its schema; unknown ones are null or empty. */
export type Document = Record<string, unknown> & { type: string; id: number; name: string; slug: string };

const blanks = new Map<RecordType, Record<string, unknown>>();

const blankOf = (type: RecordType): Record<string, unknown> =>
  cached(blanks, type, () =>
    Object.fromEntries(
      Object.entries(entityOf(type).record.shape).map(([name, schema]) => [name, blankValue(schema as z.ZodType)]),
    ),
  );

/** Input that clears every field except the name and required ones. */
export function blankInput(type: RecordType): Readonly<Record<string, unknown>> {
  const needed = new Set(['name', 'slug', ...neededOf(type)]);
  const names = Object.keys(inputOf(type).shape).filter((name) => !needed.has(name));
  return Object.fromEntries(names.map((name) => [name, blankOf(type)[name]]));
}

function blankValue(schema: z.ZodType): unknown {
  if (schema instanceof z.ZodArray) return [];
  return schema instanceof z.ZodBoolean ? false : null;
}

/** Composes a document from input and an earlier version, without which the identity is complete. References are not yet resolved. */
export function composeDocument(
  type: RecordType,
  identity: Partial<Record<'id' | 'slug' | 'created_at' | 'updated_at', unknown>>,
  input: RecordInput,
  earlier: Document | undefined,
): Document {
  const document = {
    ...blankOf(type),
    ...earlier,
    ...input,
    ...withDays(input, earlier),
    // Who writes a record lists it.
    ...(Object.keys(input).length > 0 && { unlisted_since: input['unlisted_since'] ?? null }),
    ...identity,
    type,
  } as Document;
  return withOwnComputed(document);
}

/** A document with the fields that are computed from its own alone. */
export function withOwnComputed(document: Document): Document {
  document['unsourced_fields'] = unsourcedFieldsOf(document);
  if (document.type !== 'rounds') return document;
  return Object.assign(document, listingOf(document as unknown as Listing), {
    unsourced: isOfEditorsAlone(document) || null,
  });
}

/** Dates of input are days unless it says otherwise. */
function withDays(input: RecordInput, earlier: Document | undefined): { month_only?: readonly string[] } {
  const months = (earlier?.['month_only'] ?? []) as readonly string[];
  if (months.length === 0 || input['month_only'] !== undefined) return {};
  return { month_only: months.filter((field) => input[field] === undefined) };
}

interface Listing {
  readonly investors: readonly unknown[];
  readonly lead_investors: readonly unknown[];
}

/** Fields of a round computed from its own: whether its list of investors may be cut. */
function listingOf({ investors, lead_investors: leads }: Listing) {
  const mayBeCut = investors.length >= INVESTORS_LISTED_MAX && investors.length - leads.length <= INVESTORS_LISTED_MAX;
  return { investors_may_be_cut: mayBeCut || null };
}

export function identityKeys(document: Document): string[] {
  const names = [document.name, document.slug, ...((document['aliases'] ?? []) as string[])];
  return [...new Set(names.map(foldName).filter((key) => key !== ''))];
}

/** The last of some ISO 8601 dates; null if none is known. */
export const newestDate = (dates: readonly (string | null)[]): string | null =>
  dates.reduce((newest, date) => ((date ?? '') > (newest ?? '') ? date : newest), null);

/** Whether a field has a value that is not an empty list. */
export const isStated = (value: unknown): boolean => value != null && !(Array.isArray(value) && value.length === 0);
