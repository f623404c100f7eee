import type { Cells } from './cells.ts';

/** Totals per group; amounts only if requested. */
export interface Totals {
  /** Group keys. */
  readonly keys: ArrayLike<number>;
  readonly size: number;
  readonly count: Uint32Array;
  /** Records with a known amount. */
  readonly known: Uint32Array;
  /** Sum of amounts as `carry` times `CARRY` plus rest, which is exact. */
  readonly sum: Float64Array;
  readonly carry: Uint32Array;
  /** NaN without known amounts. */
  readonly min: Float64Array;
  readonly max: Float64Array;
}

/** Above any amount, so that two amounts and a rest are exact as doubles: 45 trillion dollars in cents. */
export const CARRY = 2 ** 52;

function emptyTotals(size: number, isMeasured: boolean): Omit<Totals, 'keys'> {
  const measured = isMeasured ? size : 0;
  return {
    size,
    count: new Uint32Array(size),
    known: new Uint32Array(measured),
    sum: new Float64Array(measured),
    carry: new Uint32Array(measured),
    min: new Float64Array(measured).fill(Number.NaN),
    max: new Float64Array(measured).fill(Number.NaN),
  };
}

/** Counts and sums by group; without amounts, counts only. */
export function totalsOf(cells: Cells, amounts: Float64Array | undefined): Totals {
  const { cell, size, keys } = cells;
  const totals = emptyTotals(size, amounts !== undefined);
  const { count } = totals;
  for (let entry = 0; entry < cell.length; entry += 1) count[cell[entry]] += 1;
  if (amounts !== undefined) addAmounts(totals, cells, amounts);
  return keys === undefined ? byGroup(cells, totals, amounts !== undefined) : { ...totals, keys };
}

function addAmounts(totals: Omit<Totals, 'keys'>, { cell, record }: Cells, amounts: Float64Array): void {
  const { known, sum, carry, min, max } = totals;
  for (let entry = 0; entry < cell.length; entry += 1) {
    const amount = amounts[record[entry]];
    if (Number.isNaN(amount)) continue;
    const of = cell[entry];
    const next = sum[of] + amount;
    if (next >= CARRY) carry[of] += 1;
    sum[of] = next >= CARRY ? next - CARRY : next;
    if (known[of] === 0 || amount < min[of]) min[of] = amount;
    if (known[of] === 0 || amount > max[of]) max[of] = amount;
    known[of] += 1;
  }
}

/** Adds cells to groups: a record of a shared list counts in each of its groups. */
function byGroup(cells: Cells, ofCells: Omit<Totals, 'keys'>, isMeasured: boolean): Totals {
  const places = new Map<number, number>();
  const parts: number[] = [];
  for (let cell = 0; cell < cells.size; cell += 1) {
    if (ofCells.count[cell] === 0) continue;
    for (const key of cells.groupsOf(cell)) {
      const place = places.get(key) ?? places.size;
      places.set(key, place);
      parts.push(cell, place);
    }
  }
  const totals = { ...emptyTotals(places.size, isMeasured), keys: [...places.keys()] };
  for (let part = 0; part < parts.length; part += 2) addCell(totals, parts[part + 1], ofCells, parts[part]);
  return totals;
}

function addCell(totals: Totals, group: number, from: Omit<Totals, 'keys'>, cell: number): void {
  totals.count[group] += from.count[cell];
  // No amounts if only counted.
  if (!(from.known[cell] > 0)) return;
  totals.known[group] += from.known[cell];
  totals.sum[group] += from.sum[cell];
  totals.carry[group] += from.carry[cell];
  if (totals.sum[group] >= CARRY) {
    totals.sum[group] -= CARRY;
    totals.carry[group] += 1;
  }
  if (!(from.min[cell] >= totals.min[group])) totals.min[group] = from.min[cell];
  if (!(from.max[cell] <= totals.max[group])) totals.max[group] = from.max[cell];
}

export const exactSum = ({ sum, carry }: Totals, group: number): bigint =>
  BigInt(carry[group]) * BigInt(CARRY) + BigInt(sum[group]);
