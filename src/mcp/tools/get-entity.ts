import * as z from 'zod';
import { NAMED_TYPES, parseRecordPath, RECORD_TYPES } from '../../contract/entities/index.ts';
import { invalidAt, type ServiceError } from '../../contract/errors.ts';
import { checkFields, insteadOf, unknownFields } from '../../contract/field-names.ts';
import { page } from '../../contract/queries.ts';
import { listsOf } from '../../contract/relations.ts';
import { defineTool, READ_ONLY } from '../define-tool.ts';
import {
  checkInclude,
  entity,
  ITEMS_MAX,
  lookUp,
  RELATED_NAMES,
  type RecordRequest,
  type ReturnedRecord,
} from '../lookup.ts';
import { DATA_NOTICE, inLine } from '../sanitize.ts';
import { detailArgument, fieldsArgument, newestAsOf, notice, recordLine } from '../shown-record.ts';

const text = z.string().trim().min(1).max(200).optional();

const lookupShape = {
  type: z.enum(RECORD_TYPES).optional().meta({ description: 'May be left out.' }),
  id: z
    .union([z.int(), z.string().trim().min(1).max(200)], 'a text or a whole number; for several records use items')
    .optional()
    .meta({ description: 'Record number, slug, name or web domain.' }),
  slug: text,
  name: text,
  domain: text,
};

/** Related lists per type, for the description. */
const LISTS = NAMED_TYPES.map(
  (type) =>
    `${type}: ${listsOf(type)
      .map(({ name }) => name)
      .join(', ')}`,
).join('; ');

const input = z.strictObject({
  ...lookupShape,
  items: z
    .array(z.strictObject(lookupShape))
    .min(1)
    .max(ITEMS_MAX)
    .optional()
    .meta({ description: `Up to ${ITEMS_MAX} at once, each {type, id}.` }),
  include: z
    .array(z.enum(RELATED_NAMES))
    .max(RELATED_NAMES.length)
    .default([])
    .meta({ description: `Related lists to add: ${LISTS}.` }),
  page: page.meta({ description: 'Page of the related lists.' }),
  detail: detailArgument.meta({ description: 'As in search.' }),
  fields: fieldsArgument.meta({ description: 'As in search.' }),
});

const output = z.object({
  notice,
  entities: z.array(entity),
  asOf: z.string().nullable(),
  notes: z.array(z.string()).optional(),
});

/** Accepted, but not published: an id may be any of them. */
const UNPUBLISHED = { slug: true, name: true, domain: true } as const;

export const getEntityTool = defineTool({
  name: 'get_entity',
  title: 'Get records',
  description:
    'Look up one or several known records by id (number, slug, name or web domain), with related lists on request; a list that no source covers is null. Returns exact, ambiguous (pick from candidates) or none (near misses); it never guesses.',
  input,
  published: input.omit(UNPUBLISHED),
  output,
  hints: READ_ONLY,
  access: ['key', 'embedded', 'none'],
  run: async ({ items, include, page: number, detail, fields, ...single }, { client, signal }) => {
    if (items !== undefined && Object.values(single).some((value) => value !== undefined))
      throw fault('invalid_parameter', 'give items, or the id of one record, not both');
    const all = (items ?? [single]).map(complete);
    checkInclude(
      all.map(({ type }) => type),
      include,
    );
    const own = all.flatMap(({ type }) => type ?? RECORD_TYPES);
    // Fields reach the lists as well.
    const lists = own.flatMap(listsOf).filter(({ name }) => include.includes(name));
    const types = [...new Set([...own, ...lists.flatMap((list) => list.types)])];
    const unknown = unknownFields(types, fields);
    // An unknown name is ignored in a call for several records, so that it does not fail the call.
    if (unknown.length === fields?.length) checkFields(types, fields, 'arguments');
    const known = fields?.filter((field) => !unknown.includes(field));
    const entities = await lookUp(client, all, { include, page: number, detail, fields: known, signal });
    const notes = unknown.map(
      (name) => `No field ${inLine(name).slice(0, NAME_SHOWN_MAX)}: ${insteadOf(name, types)}.`,
    );
    return {
      notice: DATA_NOTICE,
      entities,
      asOf: newestAsOf(entities.flatMap(({ record }) => record ?? [])),
      ...(notes.length > 0 && { notes }),
    };
  },
  text: ({ notice, entities, asOf, notes = [] }) =>
    [[...(asOf === null ? [] : [`As of ${asOf}.`]), ...notes, notice].join(' '), ...entities.flatMap(linesOf)].join(
      '\n',
    ),
});

const NAME_SHOWN_MAX = 50;

const HEADINGS = {
  exact: 'exact:',
  ambiguous: 'ambiguous: several records bear this name; call again with the type and id of one of them:',
  none: 'none: no such record; near misses follow:',
};

function linesOf({ status, record, candidates }: ReturnedRecord): string[] {
  const isCut = record?.['truncated'] !== undefined;
  return [
    status === 'none' && candidates.length === 0
      ? 'none: no such record, and none of a similar name.'
      : HEADINGS[status],
    ...(record === null ? [] : [recordLine(record)]),
    ...(isCut ? ['Fields named in truncated are shortened; request fewer records at once, or these with fields.'] : []),
    ...candidates.map((candidate) => `candidate ${recordLine(candidate)}`),
  ];
}

function complete({ type, id, slug, name, domain }: z.output<z.ZodObject<typeof lookupShape>>): RecordRequest {
  const [lookup, ...others] = Object.entries({ id, slug, name, domain }).filter(([, value]) => value !== undefined);
  if (lookup === undefined)
    throw fault('missing_parameter', 'give id (number, slug, type/slug, name or web domain), or items of them');
  if (others.length > 0) throw fault('invalid_parameter', 'give only one of id, slug, name, domain');
  const value = String(lookup[1]);
  // As answers name records: companies/uniswap.
  const path = lookup[0] === 'id' ? parseRecordPath(value) : undefined;
  if (path !== undefined && (type ?? path.type) === path.type) return { type: path.type, by: 'id', value: path.slug };
  if (type === undefined && /^\d+$/.test(value) && lookup[0] === 'id')
    throw fault('missing_parameter', `give type (${RECORD_TYPES.join(', ')}): a number is of one type`);
  return { type, by: lookup[0] as RecordRequest['by'], value };
}

const fault = (code: 'missing_parameter' | 'invalid_parameter', message: string): ServiceError =>
  invalidAt('arguments', message, code);
