import * as z from 'zod';
import { entities, RECORD_TYPES } from './entities/index.ts';
import type { Entity } from './entity.ts';
import { count, isoDate, nameText, slugText } from './fields.ts';
import { FILTER_NAMES, type FilterName, filterShape } from './filters.ts';
import type { ComputedList, RelatedList } from './relations.ts';
import { sortParameter } from './sorts.ts';

export const QUERY_LENGTH_MAX = 200;
const SEARCH_LIMIT_DEFAULT = 10;
const SEARCH_LIMIT_MAX = 50;
const LIST_LIMIT_DEFAULT = 20;
const LIST_LIMIT_MAX = 100;
const CURSOR_LENGTH_MAX = 100;
/** Maximum of page times limit. Longer lists are read with a cursor. */
export const DEPTH_MAX = 10_000;

/** Whether the next page exists and is within `DEPTH_MAX`. */
export function hasNextPage({ page, totalPages, limit }: { page: number; totalPages: number; limit: number }): boolean {
  return page < totalPages && (page + 1) * limit <= DEPTH_MAX;
}

export const SEARCH_TYPES = [...RECORD_TYPES, 'all'] as const;

export const page = z.int().min(1).max(DEPTH_MAX).default(1).meta({ description: 'Page, from 1.' });
const fieldNames = z
  .array(z.string().min(1).max(50))
  .max(100)
  .optional()
  .meta({
    description: 'Only these fields of each record, separated by commas; type, id, name and slug are always there.',
    param: { style: 'form', explode: false },
  });

/** Maximum rows of a CSV response; rows are shorter than JSON records. */
export const CSV_ROWS_MAX = 200;

const format = z
  .enum(['json', 'csv'])
  .optional()
  .meta({
    description: `Response format; by default that of the Accept header, else JSON. As CSV, limit is ${CSV_ROWS_MAX} by default and at most.`,
  });

export const limitUpTo = (max: number, usual: number) =>
  z
    .int()
    .min(1)
    .max(max)
    .default(usual)
    .meta({ description: `Records a page, at most ${max}.` });

export const searchText = z
  .string()
  .trim()
  .max(QUERY_LENGTH_MAX)
  .default('')
  .meta({ description: 'Name, ticker, web domain or keywords. Empty lists the type.' });

export const searchLimit = limitUpTo(SEARCH_LIMIT_MAX, SEARCH_LIMIT_DEFAULT);

/** Limit of a search in JSON or CSV; the service refuses a larger JSON page. */
export const searchOrCsvLimit = z
  .int()
  .min(1)
  .max(CSV_ROWS_MAX)
  .optional()
  .meta({
    description: `Records a page: ${SEARCH_LIMIT_DEFAULT}, at most ${SEARCH_LIMIT_MAX}; csv ${CSV_ROWS_MAX}.`,
  });

/** Query of a search (specification 4.1). */
export const searchQuery = z.object({
  type: z.enum(SEARCH_TYPES).meta({ description: 'Kind of record, or all of them.' }),
  query: searchText,
  page,
  limit: searchLimit,
  format,
  sort: sortParameter,
  fields: fieldNames,
  ...filterShape,
});

const pageQuery = { page, limit: limitUpTo(LIST_LIMIT_MAX, LIST_LIMIT_DEFAULT), fields: fieldNames };

/** Query of a related list. */
export const relatedQuery = z.object(pageQuery);

const cursor = z.string().min(1).max(CURSOR_LENGTH_MAX).optional().meta({
  description: 'The nextCursor of the page before, instead of a page; with the same other parameters.',
});

/** A search or list query for a CSV response. */
export const csvQueryOf = <Query extends z.ZodObject>(query: Query) =>
  query.extend({ limit: limitUpTo(CSV_ROWS_MAX, CSV_ROWS_MAX) });

export const listQuery = z.object({
  ...pageQuery,
  format,
  cursor,
  sort: sortParameter,
  ...filterShape,
});

/** Query of a single record. */
export const recordQuery = z.object({
  fields: fieldNames,
  include_deleted: z.boolean().default(false).meta({
    description: 'Also a deleted record, with deleted_at and purge_at; needs a key of the level delete.',
  }),
});

type RecordsOf<Entities> = Entities extends readonly [infer First extends Entity, ...infer Rest]
  ? [First['record'], ...RecordsOf<Rest>]
  : [];

const named = { type: true, id: true, name: true, slug: true } as const;

/** Schemas of records reduced to the fields selected by `fields`, which always include those that identify the record. */
const parts = entities.map(({ record }) =>
  (record as z.ZodObject)
    .partial()
    .required(named)
    .meta({ id: `${record.meta()?.['id']}Part`, description: 'What is left of a record when `fields` is given.' }),
);

/** Response schema of a record by type: complete, or reduced by `fields`. */
export const readOf = new Map(
  entities.map(({ type, record }, index) => [type, z.union([record as z.ZodObject, parts[index] as z.ZodObject])]),
);

/** Response schema of a record of any type. A plain union would strip fields that its members do not share. */
const anyWhole = z.discriminatedUnion(
  'type',
  entities.map((entity) => entity.record) as unknown as RecordsOf<typeof entities>,
);
const anyPart = z.discriminatedUnion('type', parts as unknown as RecordsOf<typeof entities>);
// Typed as complete: a caller that selects fields knows which ones are present.
const anyRecord = z.union([anyWhole, anyPart]) as unknown as typeof anyWhole;

const approximate = z
  .literal(true)
  .optional()
  .meta({ description: 'Set when the record does not have what was asked for as it was typed, and is only like it.' });

/** A record of any type as a search result. */
const foundOf = (records: readonly z.ZodObject[]) =>
  records.map((record) => record.extend({ approximate }).meta({ id: `${record.meta()?.['id']}Found` }));
const anyFound = z.union([
  z.discriminatedUnion('type', foundOf(entities.map(({ record }) => record as z.ZodObject)) as never),
  z.discriminatedUnion('type', foundOf(parts) as never),
]) as unknown as z.ZodType<z.output<typeof anyWhole> & { readonly approximate?: true }>;

/** A page of results (specification 2.3). */
const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({
    results: z.array(item).meta({ description: 'Records of this page, the best first.' }),
    totalResults: count.meta({ description: 'Records that match.' }),
    totalPages: count.meta({ description: 'Pages of this size.' }),
    page: count.meta({ description: 'This page.' }),
    limit: count.meta({ description: 'Records a page.' }),
  });

const totals = z
  .object(Object.fromEntries(RECORD_TYPES.map((type) => [type, count.optional()])))
  .meta({ description: 'Records that match, by type.' });

/** Properties that state how complete a response is. */
const honesty = {
  unknown: z
    .partialRecord(z.enum(FILTER_NAMES as [FilterName, ...FilterName[]]), count)
    .meta({ description: 'By filter: records left out because the field is unknown.' }),
  covered: isoDate.nullable().meta({
    description:
      'Newest day that the searched records are of: the last round announced, the last event begun, or else the newest source.',
  }),
};

/** A page of a list, with a cursor for the next one. */
export const listSchema = <Item extends z.ZodType>(item: Item) =>
  pageOf(item).extend({
    ...honesty,
    nextCursor: z.string().nullable().meta({ description: 'Cursor of the page after this one; null after the last.' }),
  });

/** How a sentence was parsed. */
const understood = z
  .object({
    type: z.enum(RECORD_TYPES).optional().meta({ description: 'Type that it names, where several are searched.' }),
    filters: z
      .partialRecord(
        z.enum(FILTER_NAMES as [FilterName, ...FilterName[]]),
        z.union([z.string(), z.number(), z.boolean()]),
      )
      .meta({ description: 'Filters that were read in it, as they are given in a request.' }),
    sort: z.string().optional().meta({ description: 'Requested order, such as -amount_usd.' }),
    text: z.string().meta({ description: 'Words that were searched.' }),
    ignored: z.array(z.string()).meta({ description: 'Words that have no part in the answer.' }),
  })
  .optional()
  .meta({ description: 'How a sentence was read; without it the query was taken as it is.' });

const grants = count
  .optional()
  .meta({ description: 'Of rounds that are not all grants, those that are: programs pay many small ones.' });

export const searchData = pageOf(anyFound).extend({ totals, ...honesty, grants, understood });
export type SearchData = z.output<typeof searchData>;
export const listData = listSchema(anyRecord);
const known = z.boolean().meta({
  description:
    'False when the list is empty because no source states its content: it is unknown, not known to be empty.',
});

export const relatedData = pageOf(anyRecord).extend({ known });

const reference = z.object({ type: z.string(), slug: slugText, name: nameText });
const REASONS = {
  similar: {
    reasons: z
      .object({ tags: z.array(z.string()), chains: z.array(z.string()), investors: z.array(reference) })
      .meta({ description: 'What both have, the rarest first.' }),
  },
  coInvestors: {
    count: count.meta({ description: 'Known funding rounds that both took part in.' }),
    latest_round: reference
      .extend({ announced_date: isoDate.nullable() })
      .meta({ description: 'The latest of those rounds.' }),
  },
} as const satisfies Record<ComputedList, z.ZodRawShape>;

/** Response of a computed list, with the reason for each record. */
const computedData = ({ name, types, computed }: RelatedList & { readonly computed: ComputedList }) => {
  const reasoned = (record: z.ZodObject): z.ZodObject =>
    record.extend(REASONS[computed]).meta({ id: `${record.meta()?.['id']}In${name}` });
  const of = entities.flatMap(({ type, record }, index) =>
    types.includes(type) ? [reasoned(record as z.ZodObject), reasoned(parts[index] as z.ZodObject)] : [],
  );
  return pageOf(z.union(of)).extend({ known });
};

/** Response schema of a related list. */
export const answerOfList = (list: RelatedList): z.ZodType =>
  list.computed === undefined ? relatedData : computedData({ ...list, computed: list.computed });
