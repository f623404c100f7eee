import type { SearchedType } from '../../contract/entities/index.ts';
import { ServiceError } from '../../contract/errors.ts';
import {
  type Filters,
  foreignFilters,
  parseSort,
  pickFilters,
  type Sort,
  sortsOf,
  typesOfFilter,
} from '../../contract/filters.ts';
import { DEPTH_MAX } from '../../contract/queries.ts';
import type { Found, RecordJson, Window } from '../../store/port/records.ts';

/** The part of a result that a page is; throws when it lies deeper than pages go. */
export function windowOf(page: number, limit: number): Window {
  if (page * limit > DEPTH_MAX) {
    const message = `page times limit must be at most ${DEPTH_MAX}; narrow the query, or use the cursor of a list`;
    throw new ServiceError('invalid_parameter', message, { errors: [{ location: 'query.page', message }] });
  }
  return { offset: (page - 1) * limit, limit };
}

/** Where a list goes on: a page, or the cursor of the page before. */
interface Place {
  readonly page: number;
  readonly cursor?: string | undefined;
}

/** The part of a list that is asked for, at any depth with a cursor. */
export function listWindow({ page, cursor }: Place, limit: number): Window {
  if (cursor === undefined) return windowOf(page, limit);
  const offset = CURSOR.exec(Buffer.from(cursor, 'base64url').toString())?.[1];
  if (offset === undefined || page !== 1) {
    const message =
      page === 1 ? 'cursor must be the nextCursor of the page before' : 'cursor and page: give one of them';
    throw new ServiceError('invalid_parameter', message, { errors: [{ location: 'query.cursor', message }] });
  }
  return { offset: Number(offset), limit };
}

const CURSOR = /^after:(\d{1,9})$/;
const cursorOf = (offset: number): string => Buffer.from(`after:${offset}`).toString('base64url');

/** A page of a list as JSON text, with the cursor of the next one. */
export function listJson(found: Found, { window, fields }: { window: Window; fields: string[] | undefined }): string {
  const { offset, limit } = window;
  const end = offset + found.results.length;
  const page = Math.floor(offset / limit) + 1;
  const json = pageJson(found, { page, limit, fields, isTotalled: false });
  const nextCursor = found.results.length > 0 && end < found.total ? cursorOf(end) : null;
  return `${json.slice(0, -1)},"nextCursor":${JSON.stringify(nextCursor)}}`;
}

/** The filters of a query; one that no searched type knows is refused, because it could only empty the answer. */
export function filtersFor(types: readonly SearchedType[], query: Readonly<Record<string, unknown>>): Filters {
  const given = pickFilters(query);
  const [foreign] = foreignFilters(types, given);
  if (foreign === undefined) return given;
  const message = `${foreign} does not apply to ${types.join(', ')}; it is for ${typesOfFilter(foreign).join(', ')}`;
  throw new ServiceError('invalid_parameter', message, { errors: [{ location: `query.${foreign}`, message }] });
}

/** The order that a query asks for; a field that no searched type has is refused, because it would order nothing. */
export function sortFor(types: readonly SearchedType[], given: string | undefined): Sort | undefined {
  const sort = parseSort(given);
  const known = sortsOf(types);
  if (sort === undefined || known.includes(sort.field)) return sort;
  const message = `sort: ${types.join(', ')} cannot be sorted by ${sort.field}; they can by ${known.join(', ')}`;
  throw new ServiceError('invalid_parameter', message, { errors: [{ location: 'query.sort', message }] });
}

interface PageOptions {
  readonly page: number;
  readonly limit: number;
  readonly fields: readonly string[] | undefined;
  /** Whether the totals by type are told. */
  readonly isTotalled: boolean;
}

/** A page as JSON text (specification 2.3), its records joined as they are kept. */
export function pageJson(found: Found, { page, limit, fields, isTotalled }: PageOptions): string {
  const results = found.results.map((json) => selectFields(json, fields)).join(',');
  const totals = isTotalled ? `,"totals":${JSON.stringify(found.totals)}` : '';
  const totalPages = Math.ceil(found.total / limit);
  return `{"results":[${results}],"totalResults":${found.total},"totalPages":${totalPages},"page":${page},"limit":${limit}${totals}}`;
}

const ALWAYS = ['type', 'id', 'name', 'slug'];

/** A record with only the fields that are asked for, and those that name it. */
export function selectFields(json: RecordJson, fields: readonly string[] | undefined): RecordJson {
  if (fields === undefined) return json;
  const record = JSON.parse(json) as Record<string, unknown>;
  const kept = [...new Set([...ALWAYS, ...fields])].filter((field) => Object.hasOwn(record, field));
  return JSON.stringify(Object.fromEntries(kept.map((field) => [field, record[field]])));
}
