import { DEPTH_MAX } from '../../contract/endpoints.ts';
import type { SearchedType } from '../../contract/entities/index.ts';
import { ServiceError } from '../../contract/errors.ts';
import { type Filters, foreignFilters, pickFilters, typesOfFilter } from '../../contract/filters.ts';
import type { Found, RecordJson, Window } from '../../store/store.ts';

/** The part of a result that a page is; throws when it lies deeper than pages go. */
export function windowOf(page: number, limit: number): Window {
  if (page * limit > DEPTH_MAX) {
    const message = `page times limit must be at most ${DEPTH_MAX}; narrow the query instead of going deeper`;
    throw new ServiceError('invalid_parameter', message, { errors: [{ location: 'query.page', message }] });
  }
  return { offset: (page - 1) * limit, limit };
}

/** The filters of a query; one that no searched type knows is refused, because it could only empty the answer. */
export function filtersFor(types: readonly SearchedType[], query: Readonly<Record<string, unknown>>): Filters {
  const given = pickFilters(query);
  const [foreign] = foreignFilters(types, given);
  if (foreign === undefined) return given;
  const message = `${foreign} does not apply to ${types.join(', ')}; it is for ${typesOfFilter(foreign).join(', ')}`;
  throw new ServiceError('invalid_parameter', message, { errors: [{ location: `query.${foreign}`, message }] });
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
