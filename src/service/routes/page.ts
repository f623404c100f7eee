import type { RecordType } from '../../contract/entities/index.ts';
import { ServiceError } from '../../contract/errors.ts';
import { checkFilters, type Filters, pickFilters } from '../../contract/filters.ts';
import { DEPTH_MAX } from '../../contract/queries.ts';
import { REASON_FIELDS } from '../../contract/relations.ts';
import type { Page, RecordJson, SearchPage, Window } from '../../store/port/records.ts';
import type { Call } from '../call.ts';

/** What a page must include. */
type Reading = Pick<Call, 'atLeast'>;

/** The part of a result that a page is; throws when it lies deeper than pages go. */
export function windowOf(page: number, limit: number, { atLeast }: Reading): Window {
  if (page * limit > DEPTH_MAX) {
    const message = `page times limit must be at most ${DEPTH_MAX}; narrow the query, or use the cursor of a list`;
    throw new ServiceError('invalid_parameter', message, { errors: [{ location: 'query.page', message }] });
  }
  return { offset: (page - 1) * limit, limit, atLeast };
}

/** Where a list goes on: a page, or the cursor of the page before. */
interface Place {
  readonly page: number;
  readonly cursor?: string | undefined;
}

/** The part of a list that is asked for, at any depth with a cursor. */
export function listWindow({ page, cursor }: Place, limit: number, reading: Reading): Window {
  if (cursor === undefined) return windowOf(page, limit, reading);
  const offset = CURSOR.exec(Buffer.from(cursor, 'base64url').toString())?.[1];
  if (offset === undefined || page !== 1) {
    const message =
      page === 1 ? 'cursor must be the nextCursor of the page before' : 'cursor and page: give one of them';
    throw new ServiceError('invalid_parameter', message, { errors: [{ location: 'query.cursor', message }] });
  }
  return { offset: Number(offset), limit, atLeast: reading.atLeast };
}

/** A position and not a value, because importance, by which lists are ordered, has no value to continue from. */
const CURSOR = /^after:(\d{1,9})$/;
const cursorOf = (offset: number): string => Buffer.from(`after:${offset}`).toString('base64url');

/** A page of a list as JSON text, with the cursor of the next one. */
export function listJson(
  found: SearchPage,
  { window, fields }: { window: Window; fields: string[] | undefined },
): string {
  const { offset, limit } = window;
  const end = offset + found.results.length;
  const page = Math.floor(offset / limit) + 1;
  const nextCursor = found.results.length > 0 && end < found.total ? cursorOf(end) : null;
  const { unknown, covered } = found;
  return withMore(pageJson(found, { page, limit, fields }), { unknown, covered, nextCursor });
}

/** The filters of a query. Throws `invalid_parameter` for those that could only empty the answer. */
export function filtersFor(types: readonly RecordType[], query: Readonly<Record<string, unknown>>): Filters {
  const given = pickFilters(query);
  checkFilters(types, given);
  return given;
}

interface PageOptions {
  readonly page: number;
  readonly limit: number;
  readonly fields: readonly string[] | undefined;
}

/** A page as JSON text (specification 2.3), its records joined as they are kept. */
export function pageJson({ results, total }: Page, { page, limit, fields }: PageOptions): string {
  const totalPages = Math.ceil(total / limit);
  const shown = results.map((json) => selectFields(json, fields)).join(',');
  return `{"results":[${shown}],"totalResults":${total},"totalPages":${totalPages},"page":${page},"limit":${limit}}`;
}

/** A page of a search, with what it leaves out and how a sentence was read. */
export function searchJson(found: SearchPage, options: PageOptions): string {
  const { totals, unknown, covered, grants, understood } = found;
  return withMore(pageJson(marked(found), options), { totals, unknown, covered, grants, understood });
}

/** JSON text of an object with more in it. */
export const withMore = (json: string, more: object): string => `${json.slice(0, -1)},${JSON.stringify(more).slice(1)}`;

/** Records that are only like what was asked for say so. */
function marked({ results, total, isTyped }: SearchPage): Page {
  return { total, results: isTyped ? results : results.map((json) => withMore(json, { approximate: true })) };
}

const ALWAYS = ['type', 'id', 'name', 'slug', 'approximate', ...Object.values(REASON_FIELDS).flat()];

/** A record with only the fields that are asked for, and those that name it. */
export function selectFields(json: RecordJson, fields: readonly string[] | undefined): RecordJson {
  if (fields === undefined) return json;
  const record = JSON.parse(json) as Record<string, unknown>;
  const kept = [...new Set([...ALWAYS, ...fields])].filter((field) => Object.hasOwn(record, field));
  return JSON.stringify(Object.fromEntries(kept.map((field) => [field, record[field]])));
}
