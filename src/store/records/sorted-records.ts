import type { RecordType } from '../../contract/entities/index.ts';
import { isSortedBy, type Sort } from '../../contract/sorts.ts';
import type { RecordRef } from '../port/analytics.ts';
import type { Condition, SearchIndex } from '../search/search-index.ts';
import { all, type SqlProgram } from '../sql.ts';
import { LISTED } from '../sqlite/dialect.ts';
import { columnOf, conditionOf, type ResolvedFilters } from './conditions.ts';
import { countRecords } from './vocabulary.ts';

interface HitWithSortKey extends RecordRef {
  readonly key: string | number | null;
}

export interface SortRequest {
  readonly fullText: Pick<SearchIndex, 'passing'>;
  readonly types: readonly RecordType[];
  readonly filters: ResolvedFilters;
  readonly sort: Sort;
  /** Records to sort, by type, which pass the filters; undefined for all that do. */
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
export function* countPassing(
  fullText: Pick<SearchIndex, 'passing'>,
  type: RecordType,
  filters: ResolvedFilters,
): SqlProgram<number> {
  const condition = conditionOf(type, filters);
  return condition === undefined ? yield* countRecords(type) : fullText.passing(type, condition).total;
}

function* sortedOf(type: RecordType, request: SortRequest): SqlProgram<HitWithSortKey[]> {
  const { fullText, filters, among, first } = request;
  const ids = among?.get(type);
  if (ids !== undefined) return yield* sortFew(type, request, ids);
  const condition = conditionOf(type, filters);
  if (condition === undefined) return yield* walkInOrder(type, request);
  const passing = fullText.passing(type, condition);
  // Sorting reads all n that pass of N records; walking the N in order until a page is full reads about first × N / n.
  const isNarrow = passing.total ** 2 <= first * (yield* countRecords(type));
  return isNarrow ? yield* sortFew(type, request, passing.ids()) : yield* walkInOrder(type, request, condition);
}

const keyOf = (type: RecordType, { field }: Sort): string => (isSortedBy(type, field) ? columnOf(type, field) : 'NULL');

function sortFew(type: RecordType, { sort, first }: SortRequest, ids: readonly number[]): SqlProgram<HitWithSortKey[]> {
  return all<HitWithSortKey>(
    `SELECT '${type}' AS type, id, ${keyOf(type, sort)} AS key FROM ${type} WHERE deleted_at IS NULL AND id IN (${LISTED})
     ORDER BY +key ${sort.isDescending ? 'DESC' : 'ASC'} NULLS LAST, id LIMIT CAST(? AS INTEGER)`,
    `[${ids.join()}]`,
    first,
  );
}

/** The first records of the index of the field, which stands by id within equal keys, that pass a test. */
function* walkInOrder(
  type: RecordType,
  { sort, first }: SortRequest,
  test?: Pick<Condition, 'sql' | 'parameters'>,
): SqlProgram<HitWithSortKey[]> {
  const key = keyOf(type, sort);
  const index = isSortedBy(type, sort.field) ? `INDEXED BY ${type}_${sort.field}` : 'NOT INDEXED';
  const where = ['deleted_at IS NULL', ...(test === undefined ? [] : [`(${test.sql})`])].join(' AND ');
  const walk = `SELECT '${type}' AS type, id, ${key} AS key FROM ${type} ${index} WHERE ${where}`;
  const parameters = test?.parameters ?? [];
  const limit = 'LIMIT CAST(? AS INTEGER)';
  if (!sort.isDescending) return yield* all(`${walk} ORDER BY key NULLS LAST, id ${limit}`, ...parameters, first);
  // Backwards, records of one key come by descending id: if the page ends within those of one key, these are read again.
  const backwards = `SELECT * FROM (${walk} ORDER BY key DESC ${limit}) ORDER BY key DESC, id`;
  const found = yield* all<HitWithSortKey>(backwards, ...parameters, first + 1);
  const last = found[first]?.key;
  if (last === undefined || last !== found[first - 1]?.key) return found.slice(0, first);
  const before = found.filter((hit) => hit.key !== last);
  const equal = `${walk} AND ${key} IS ? ORDER BY id ${limit}`;
  return [...before, ...(yield* all<HitWithSortKey>(equal, ...parameters, last, first - before.length))];
}

function compareKeys(left: HitWithSortKey['key'], right: HitWithSortKey['key'], isDescending: boolean): number {
  if (left === null || right === null) return Number(left === null) - Number(right === null);
  const order = left < right ? -1 : Number(left > right);
  return isDescending ? -order : order;
}
