import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { checkFilters } from '../../contract/check-filters.ts';
import type { RecordType } from '../../contract/entities/index.ts';
import { invalidAt } from '../../contract/errors.ts';
import { type Filters, pickFilters } from '../../contract/filters.ts';
import { DEPTH_MAX } from '../../contract/queries.ts';
import type { SearchData } from '../../contract/record-responses.ts';
import { REASON_FIELDS } from '../../contract/relations.ts';
import { UNSOURCED_FIELDS, unsourcedAmong } from '../../contract/unsourced.ts';
import { cached } from '../../store/cached.ts';
import type { Page, RecordJson, SearchPage, Window } from '../../store/port/records.ts';
import type { Call } from '../call.ts';

type ReadConsistency = Pick<Call, 'atLeast'>;

/** The window of a page. Throws if it is deeper than `DEPTH_MAX`. */
export function windowOf(page: number, limit: number, { atLeast }: ReadConsistency): Window {
  if (page * limit > DEPTH_MAX) {
    throw invalidAt(
      'query.page',
      `page times limit must be at most ${DEPTH_MAX}; narrow the query, sort it otherwise, or use the cursor of a list over REST`,
    );
  }
  return { offset: (page - 1) * limit, limit, atLeast };
}

interface PagePosition {
  readonly page: number;
  readonly cursor?: string | undefined;
  /** Identifies type, filters and order; a cursor of another list is refused. */
  readonly list: string;
}

/** The identity of a list. */
export const listIdentity = (...parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 8);

/** The window of a list, at any depth with a cursor. */
export function listWindow({ page, cursor, list }: PagePosition, limit: number, reading: ReadConsistency): Window {
  if (cursor === undefined) return windowOf(page, limit, reading);
  const [, offset, of] = CURSOR.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (of !== list || page !== 1) {
    const message =
      page === 1
        ? 'cursor must be the nextCursor of the page before, of the same type, filters and sort'
        : 'cursor and page: give one of them';
    throw invalidAt('query.cursor', message);
  }
  return { offset: Number(offset), limit, atLeast: reading.atLeast };
}

/** Offset-based, because lists are ordered by rank, which has no value to continue from. */
const CURSOR = /^after:(\d{1,9}):([\w-]+)$/;
const cursorOf = (offset: number, list: string): string => Buffer.from(`after:${offset}:${list}`).toString('base64url');

/** A page of a list as JSON text, with the next cursor. */
export function listJson(
  found: SearchPage,
  { window, fields, list }: { window: Window; fields: string[] | undefined; list: string },
): string {
  const { offset, limit } = window;
  const end = offset + found.results.length;
  const page = Math.floor(offset / limit) + 1;
  const nextCursor = found.results.length > 0 && end < found.total ? cursorOf(end, list) : null;
  const { unknown, covered } = found;
  return withMore(pageJson(found, { page, limit, fields }), { unknown, covered, nextCursor });
}

/** The parsed filters of a query. Throws `invalid_parameter` for filters that can match nothing. */
export function filtersFor(types: readonly RecordType[], query: Readonly<Record<string, unknown>>): Filters {
  const requested = pickFilters(query);
  checkFilters(types, requested);
  return requested;
}

interface PageOptions {
  readonly page: number;
  readonly limit: number;
  readonly fields: readonly string[] | undefined;
}

/** A page as JSON text; stored records are joined without parsing. */
export function pageJson({ results, total }: Page, { page, limit, fields }: PageOptions): string {
  const totalPages = Math.ceil(total / limit);
  const shown = results.map((json) => selectFields(json, fields)).join(',');
  return `{"results":[${shown}],"totalResults":${total},"totalPages":${totalPages},"page":${page},"limit":${limit}}`;
}

/** A page of a search, with excluded records and the parsed sentence. */
export function searchJson(
  found: SearchPage,
  options: PageOptions,
  answers: Pick<SearchData, 'answer' | 'sentence'>,
): string {
  return withMore(pageJson(marked(found), options), { totals: found.totals, ...searchNotes(found), ...answers });
}

/** What a search states about its results, under the names of the contract. */
export function searchNotes({ onRecord, withoutDates, withoutFilters, unknownGrants, ...found }: SearchPage) {
  const { unknown, coverage, covered, grants, understood } = found;
  const notes = { on_record: onRecord, without_dates: withoutDates, without_filters: withoutFilters };
  return { unknown, unknown_grants: unknownGrants, coverage, covered, grants, ...notes, understood };
}

export const withMore = (json: string, more: object): string => `${json.slice(0, -1)},${JSON.stringify(more).slice(1)}`;

const marked = ({ results, total, isTyped }: SearchPage): Page => ({
  total,
  results: isTyped ? results : results.map((json) => withMore(json, { approximate: true })),
});

const ALWAYS = ['type', 'id', 'name', 'slug', 'approximate', ...Object.values(REASON_FIELDS).flat()];

/** Reduced records by their JSON text, for the latest lists of fields. */
const reduced = new LRUCache<string, LRUCache<RecordJson, RecordJson>>({ max: 4 });
const REDUCED_MAX = 500;

/** A record reduced to the requested fields and its identity, with those of the fields that are unsourced. */
export function selectFields(json: RecordJson, fields: readonly string[] | undefined): RecordJson {
  if (fields === undefined) return json;
  const known = cached(reduced, fields.join(), () => new LRUCache<RecordJson, RecordJson>({ max: REDUCED_MAX }));
  return cached(known, json, () => reduce(json, fields));
}

function reduce(json: RecordJson, fields: readonly string[]): RecordJson {
  const record = JSON.parse(json) as Record<string, unknown>;
  const names = [...new Set([...ALWAYS, ...fields])].filter((field) => Object.hasOwn(record, field));
  const unsourced = unsourcedAmong(record, fields);
  return JSON.stringify({
    ...Object.fromEntries(names.map((field) => [field, record[field]])),
    ...(unsourced.length > 0 && { [UNSOURCED_FIELDS]: unsourced }),
  });
}
