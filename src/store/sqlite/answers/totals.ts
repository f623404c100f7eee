import type { Entries } from './entries.ts';

/** Totals per group; amounts only if requested. */
export interface Totals {
  /** By dimension, the value number of each group. */
  readonly numbers: Entries['numbers'];
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

/** Counts and sums by group; without amounts, counts only. */
export function totalsOf(entries: Entries, amounts: Float64Array | undefined): Totals {
  const { length, group, numbers } = entries;
  const size = numbers[0].length;
  const measured = amounts === undefined ? 0 : size;
  const totals: Totals = {
    numbers,
    size,
    count: new Uint32Array(size),
    known: new Uint32Array(measured),
    sum: new Float64Array(measured),
    carry: new Uint32Array(measured),
    min: new Float64Array(measured).fill(Number.NaN),
    max: new Float64Array(measured).fill(Number.NaN),
  };
  const { count } = totals;
  for (let entry = 0; entry < length; entry += 1) count[group[entry]] += 1;
  if (amounts !== undefined) addAmounts(totals, entries, amounts);
  return totals;
}

function addAmounts(totals: Totals, { length, group, record }: Entries, amounts: Float64Array): void {
  const { known, sum, carry, min, max } = totals;
  for (let entry = 0; entry < length; entry += 1) {
    const amount = amounts[record[entry]];
    if (Number.isNaN(amount)) continue;
    const of = group[entry];
    const next = sum[of] + amount;
    if (next >= CARRY) carry[of] += 1;
    sum[of] = next >= CARRY ? next - CARRY : next;
    if (known[of] === 0 || amount < min[of]) min[of] = amount;
    if (known[of] === 0 || amount > max[of]) max[of] = amount;
    known[of] += 1;
  }
}

export const exactSum = ({ sum, carry }: Totals, group: number): bigint =>
  BigInt(carry[group]) * BigInt(CARRY) + BigInt(sum[group]);
