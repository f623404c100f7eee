import * as z from 'zod';
import { RECORD_TYPES } from './entities/index.ts';
import { filterShape } from './filters.ts';
import { sortParameter } from './sorts.ts';

export const QUERY_LENGTH_MAX = 200;
export const SEARCH_LIMIT_DEFAULT = 10;
export const SEARCH_LIMIT_MAX = 50;
const LIST_LIMIT_DEFAULT = 20;
export const LIST_LIMIT_MAX = 100;
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
    description:
      'Only these fields of each record, separated by commas; type, id, name and slug are always there, and those of them that are unsourced in unsourced_fields.',
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
  .meta({ description: 'Name, ticker, domain, words or sentence. Empty lists the type.' });

export const searchLimit = limitUpTo(SEARCH_LIMIT_MAX, SEARCH_LIMIT_DEFAULT);

/** Limit of a search in JSON or CSV; the service refuses a larger JSON page. */
export const searchOrCsvLimit = z
  .int()
  .min(1)
  .max(CSV_ROWS_MAX, `at most ${SEARCH_LIMIT_MAX}, or ${CSV_ROWS_MAX} as csv`)
  .optional()
  .meta({
    description: `Records a page: ${SEARCH_LIMIT_DEFAULT}, at most ${SEARCH_LIMIT_MAX}; in CSV up to ${CSV_ROWS_MAX}.`,
  });

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

export const relatedQuery = z.object(pageQuery);

const cursor = z
  .string()
  .min(1)
  .max(CURSOR_LENGTH_MAX)
  .optional()
  .meta({ description: 'The nextCursor of the page before, instead of a page; with the same filters and sort.' });

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

export const recordQuery = z.object({
  fields: fieldNames,
  include_deleted: z
    .boolean()
    .default(false)
    .meta({ description: 'Also a deleted record, with deleted_at and purge_at; needs a key of the level delete.' }),
});
