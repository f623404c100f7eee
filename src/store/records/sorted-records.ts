import type { RecordType } from '../../contract/entities/index.ts';
import { isSortedBy, type Sort } from '../../contract/sorts.ts';
import type { RecordRef } from '../port/analytics.ts';
import { all, number, type SqlProgram, value } from '../sql.ts';
import { LISTED } from '../sqlite/dialect.ts';
import { columnOf, conditionOf, type ResolvedFilters } from './conditions.ts';

interface HitWithSortKey extends RecordRef {
  readonly key: string | number | null;
}

interface SortRequest {
  readonly types: readonly RecordType[];
  readonly filters: ResolvedFilters;
  readonly sort: Sort;
  /** Records to sort, by type; undefined for all that pass the filters. */
  readonly among: ReadonlyMap<RecordType, readonly number[]> | undefined;
  readonly first: number;
}

/** The first records by a field, unknown values last, then by type and id. */
export function* sortedHits(request: SortRequest): SqlProgram<RecordRef[]> {
  const { types, sort } = request;
  const found: HitWithSortKey[] = [];
  for (const type of types) found.push(...(yield* sortedOf(type, request)));
  // Each type is sorted; a stable sort merges them and keeps the order of types for equal keys.
  return types.length === 1 ? found : found.sort((left, right) => compareKeys(left.key, right.key, sort.isDescending));
}

/** Number of records of a type that pass the filters, whether indexed or not. */
export function* countPassing(type: RecordType, filters: ResolvedFilters): SqlProgram<number> {
  const condition = conditionOf(type, filters);
  // Every record has this flag, so its counts sum up to all records.
  if (condition === undefined)
    return (
      (yield* value<number>("SELECT sum(records) FROM label_values WHERE type = ? AND field = 'is_verified'", type)) ??
      0
    );
  const sql = `SELECT count(*) FROM ${type} WHERE deleted_at IS NULL AND ${condition.sql}`;
  return yield* number(sql, ...condition.parameters);
}

function sortedOf(type: RecordType, request: SortRequest): SqlProgram<HitWithSortKey[]> {
  const { filters, sort, among, first } = request;
  const condition = conditionOf(type, filters);
  const ids = among?.get(type);
  const where = [
    `${type}.deleted_at IS NULL`,
    ...(condition === undefined ? [] : [condition.sql]),
    ...(ids === undefined ? [] : [`${type}.id IN (${LISTED})`]),
  ];
  const key = isSortedBy(type, sort.field) ? columnOf(type, sort.field) : 'NULL';
  const order = sort.isDescending ? 'DESC' : 'ASC';
  return all<HitWithSortKey>(
    `SELECT '${type}' AS type, id, ${key} AS key FROM ${type} WHERE ${where.join(' AND ')}
     ORDER BY key ${order} NULLS LAST, id LIMIT CAST(? AS INTEGER)`,
    ...(condition?.parameters ?? []),
    ...(ids === undefined ? [] : [`[${ids.join()}]`]),
    first,
  );
}

function compareKeys(left: HitWithSortKey['key'], right: HitWithSortKey['key'], isDescending: boolean): number {
  if (left === null || right === null) return Number(left === null) - Number(right === null);
  const order = left < right ? -1 : Number(left > right);
  return isDescending ? -order : order;
}
