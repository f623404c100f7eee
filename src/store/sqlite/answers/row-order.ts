import type { Aggregate } from '../../../contract/aggregate.ts';
import { type Columns, NAME } from './columns.ts';
import type { Dimension } from './dimensions.ts';
import type { Totals } from './totals.ts';

interface Ordering {
  readonly totals: Totals;
  readonly dimensions: readonly Dimension[];
  readonly request: Aggregate;
  /** Sort keys of the groups by measure; NaN if unknown. Undefined if they are ordered by value. */
  readonly keys: ArrayLike<number> | undefined;
}

/**
 * The first groups in the requested order. Unknown keys come last, groups without a value after all others; ties are
 * ordered by value, records first, by type and id.
 */
export function firstOf(columns: Columns, { totals, dimensions, request, keys }: Ordering): number[] {
  const { column, isDescending } = request.order;
  const { numbers } = totals;
  const compareValues = (one: number, other: number, dimension: number): number =>
    compareNumbers(columns, dimensions[dimension], numbers[dimension][one], numbers[dimension][other]);
  const [ones, others = ones] = numbers;
  const isLacking = (group: number): number => Number(ones[group] === 0 || others[group] === 0);
  const byValue = (one: number, other: number): number => {
    for (let dimension = 0; dimension < dimensions.length; dimension += 1) {
      const order = compareValues(one, other, dimension);
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
  // A smaller key than that of a group with a value is later, which spares the comparison of most groups.
  const isLater = (group: number, last: number): boolean =>
    (keys !== undefined && keys[group] < keys[last] && isLacking(last) === 0) || compare(group, last) > 0;
  const first = smallest(totals.size, { compare, isLater }, request.top);
  if (request.order.isSeries !== true) return first;
  return first.sort(
    (one, other) =>
      isLacking(one) - isLacking(other) ||
      compareValues(one, other, 0) ||
      (keys && compareKeys(keys[one], keys[other])) ||
      byValue(one, other),
  );
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
  /** The sign of `compare`, for most groups at less cost. */
  isLater(one: number, other: number): boolean;
}

/** The smallest numbers below `size`, sorted; a bounded selection. */
function smallest(size: number, { compare, isLater }: Comparison, count: number): number[] {
  let kept: number[] = [];
  let isFull = false;
  for (let each = 0; each < size; each += 1) {
    if (isFull && isLater(each, kept[count - 1])) continue;
    kept.push(each);
    if (kept.length < count * 2) continue;
    kept = kept.sort(compare).slice(0, count);
    isFull = true;
  }
  return kept.sort(compare).slice(0, count);
}
