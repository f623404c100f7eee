import type { Aggregate } from '../../../contract/aggregate.ts';
import { type Columns, NAME } from './columns.ts';
import type { Dimension } from './dimensions.ts';
import { groupCount, numberAt, type Tally } from './tally.ts';

interface Ordering {
  readonly tally: Tally;
  /** The dimension of the tally of each requested group. */
  readonly positions: readonly number[];
  readonly request: Aggregate;
  /** Sort keys of the groups by measure; NaN if unknown. Undefined if they are ordered by value. */
  readonly keys: ArrayLike<number> | undefined;
}

interface FirstGroups {
  readonly shown: readonly number[];
  readonly groups: number;
}

/**
 * The first groups in the requested order. Unknown keys come last, groups without a value after all others; ties are
 * ordered by value, records first, by type and id.
 */
export function firstOf(columns: Columns, { tally, positions, request, keys }: Ordering): FirstGroups {
  const { column, isDescending } = request.order;
  const compareValues = (one: number, other: number, group: number): number => {
    const position = positions[group];
    const [left, right] = [numberAt(tally, position, one), numberAt(tally, position, other)];
    return compareNumbers(columns, tally.dimensions[position], left, right);
  };
  const isLacking = (group: number): number =>
    Number(numberAt(tally, 0, group) === 0 || (positions.length > 1 && numberAt(tally, 1, group) === 0));
  const byValue = (one: number, other: number): number => {
    for (let group = 0; group < positions.length; group += 1) {
      const order = compareValues(one, other, group);
      if (order !== 0) return order;
    }
    return 0;
  };
  const compare = (one: number, other: number): number => {
    const lacking = isLacking(one) - isLacking(other);
    if (lacking !== 0) return lacking;
    if (keys !== undefined) return compareKeys(keys[one], keys[other]) || byValue(one, other);
    const order = compareValues(one, other, column);
    return (isDescending ? -order : order) || byValue(one, other);
  };
  const first = smallest(tally, { compare, isLacking, keys }, request.top);
  if (request.order.isSeries !== true) return first;
  const shown = [...first.shown].sort(
    (one, other) =>
      isLacking(one) - isLacking(other) ||
      compareValues(one, other, 0) ||
      (keys && compareKeys(keys[one], keys[other])) ||
      byValue(one, other),
  );
  return { ...first, shown };
}

/** Descending; NaN last. */
function compareKeys(one: number, other: number): number {
  if (one === other) return 0;
  if (Number.isNaN(one) || Number.isNaN(other)) return Number(Number.isNaN(one)) - Number(Number.isNaN(other));
  return one > other ? -1 : 1;
}

function compareNumbers(columns: Columns, dimension: Dimension, one: number, other: number): number {
  if (one === other) return 0;
  if (one === 0 || other === 0) return Number(one === 0) - Number(other === 0);
  const [left, right] = [sortValue(columns, dimension, one), sortValue(columns, dimension, other)];
  if (typeof left === typeof right) return left < right ? -1 : Number(left > right);
  return typeof left === 'number' ? -1 : 1;
}

/** Sort key of a record by type and id, before names. */
function sortValue({ type, id, names }: Columns, { valueAt }: Dimension, number: number): string | number {
  const value = valueAt(number);
  if (typeof value !== 'object') return value;
  const index = type[value.code];
  return index === NAME ? names[id[value.code]] : index * 2 ** 40 + id[value.code];
}

interface Comparison {
  compare(one: number, other: number): number;
  /** 1 for groups that come after all others, whatever their key. */
  isLacking(group: number): number;
  readonly keys: Ordering['keys'];
}

/** The smallest groups that are not empty, sorted; a bounded selection. */
function smallest(tally: Tally, { compare, isLacking, keys }: Comparison, top: number): FirstGroups {
  const { count } = tally;
  const size = groupCount(tally);
  let kept: number[] = [];
  let last: number | undefined;
  // Groups with a smaller key are later, which spares most comparisons.
  let least = Number.NEGATIVE_INFINITY;
  let groups = 0;
  for (let each = 0; each < size; each += 1) {
    if (count[each] === 0) continue;
    groups += 1;
    if (keys !== undefined && keys[each] < least) continue;
    if (last !== undefined && compare(each, last) > 0) continue;
    kept.push(each);
    if (kept.length < top * 2) continue;
    kept = kept.sort(compare).slice(0, top);
    last = kept[top - 1];
    if (keys !== undefined && isLacking(last) === 0) least = keys[last];
  }
  return { shown: kept.sort(compare).slice(0, top), groups };
}
