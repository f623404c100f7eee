import * as z from 'zod';
import { entities, SEARCHED_TYPES } from './entities/index.ts';
import type { Entity } from './entity.ts';
import { count } from './fields.ts';
import { filterShape, sortParameter } from './filters.ts';

export const QUERY_LENGTH_MAX = 200;
const SEARCH_LIMIT_DEFAULT = 10;
const SEARCH_LIMIT_MAX = 50;
const LIST_LIMIT_DEFAULT = 20;
const LIST_LIMIT_MAX = 100;
const CURSOR_LENGTH_MAX = 100;
/** How deep pages go: page times limit. Deeper lists are walked with a cursor. */
export const DEPTH_MAX = 10_000;

/** Whether the page after this one can be asked for. */
export function hasNextPage({ page, totalPages, limit }: { page: number; totalPages: number; limit: number }): boolean {
  return page < totalPages && (page + 1) * limit <= DEPTH_MAX;
}

export const SEARCH_TYPES = [...SEARCHED_TYPES, 'all'] as const;

export const page = z.int().min(1).max(DEPTH_MAX).default(1).meta({ description: 'Page, from 1.' });
const fieldNames = z
  .array(z.string().min(1).max(50))
  .max(100)
  .optional()
  .meta({
    description: 'Only these fields of each record, separated by commas; type, id, name and slug are always there.',
    param: { style: 'form', explode: false },
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
  .meta({ description: 'Text to find: a name, ticker, web domain or words. Empty lists the type.' });

/** What a search takes (specification 4.1). */
export const searchQuery = z.object({
  type: z.enum(SEARCH_TYPES).meta({ description: 'Kind of record, or all of them.' }),
  query: searchText,
  page,
  limit: limitUpTo(SEARCH_LIMIT_MAX, SEARCH_LIMIT_DEFAULT),
  sort: sortParameter,
  fields: fieldNames,
  ...filterShape,
});

const pageQuery = { page, limit: limitUpTo(LIST_LIMIT_MAX, LIST_LIMIT_DEFAULT), fields: fieldNames };

/** What a related list takes. */
export const relatedQuery = z.object(pageQuery);

const cursor = z.string().min(1).max(CURSOR_LENGTH_MAX).optional().meta({
  description: 'The nextCursor of the page before, instead of a page; with the same other parameters.',
});

/** What a list takes. */
export const listQuery = z.object({ ...pageQuery, cursor, sort: sortParameter, ...filterShape });

/** What a list of records takes that are not searched. */
export const plainListQuery = z.object({ ...pageQuery, cursor });

/** What reading one record takes. */
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

/** Each record with only the fields that `fields` asks for, and those that name it. */
const parts = entities.map(({ record }) =>
  (record as z.ZodObject)
    .partial()
    .required(named)
    .meta({ id: `${record.meta()?.['id']}Part`, description: 'What is left of a record when `fields` is given.' }),
);

/** A record as it is read: whole, or the part of it that is asked for. */
export const readOf = new Map(
  entities.map(({ type, record }, index) => [type, z.union([record as z.ZodObject, parts[index] as z.ZodObject])]),
);

/** A record of any type. A plain union would strip the fields in which its members differ. */
const anyWhole = z.discriminatedUnion(
  'type',
  entities.map((entity) => entity.record) as unknown as RecordsOf<typeof entities>,
);
const anyPart = z.discriminatedUnion('type', parts as unknown as RecordsOf<typeof entities>);
// To callers a record has every field: who asks for a part knows which.
const anyRecord = z.union([anyWhole, anyPart]) as unknown as typeof anyWhole;

/** A page of records (specification 2.3). */
const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({
    results: z.array(item).meta({ description: 'Records of this page, the best first.' }),
    totalResults: count.meta({ description: 'Records that match.' }),
    totalPages: count.meta({ description: 'Pages of this size.' }),
    page: count.meta({ description: 'This page.' }),
    limit: count.meta({ description: 'Records a page.' }),
  });

const totals = z
  .object(Object.fromEntries(SEARCHED_TYPES.map((type) => [type, count.optional()])))
  .meta({ description: 'Records that match, by type.' });

/** A page of a list, which can be walked to its end. */
export const listOf = <Item extends z.ZodType>(item: Item) =>
  pageOf(item).extend({
    nextCursor: z.string().nullable().meta({ description: 'Cursor of the page after this one; null after the last.' }),
  });

export const searchData = pageOf(anyRecord).extend({ totals });
export const listData = listOf(anyRecord);
export const relatedData = pageOf(anyRecord);
