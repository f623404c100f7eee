import type { Entries } from './entries.ts';

/** Totals per group; amounts only if requested. */
export interface Totals {
  /** By dimension, the value number of each group. */
  readonly numbers: Entries['numbers'];
  readonly size: number;
  readonly count: Uint32Array;
  /**
   * `CELL` numbers per group, which share a cache line: `KNOWN` is the number of records with a known amount, without
   * which the others mean nothing, and `SUM` plus `carries` times `CARRY` their exact sum.
   */
  readonly cells: Float64Array;
  /** Of groups that have any. */
  readonly carries: ReadonlyMap<number, number>;
}

const CELL = 4;
const KNOWN = 0;
const SUM = 1;
const MIN = 2;
const MAX = 3;

/** Above any amount, so that two amounts and a rest are exact as doubles: 45 trillion dollars in cents. */
const CARRY = 2 ** 52;

/** Counts and sums by group; without amounts, counts only. */
export function totalsOf(entries: Entries, amounts: Float64Array | undefined): Totals {
  const { length, group, numbers } = entries;
  const size = numbers[0].length;
  const measured = amounts === undefined ? 0 : size;
  const count = new Uint32Array(size);
  for (let entry = 0; entry < length; entry += 1) count[group[entry]] += 1;
  const cells = new Float64Array(measured * CELL);
  return { numbers, size, count, cells, carries: amounts === undefined ? NONE : addAmounts(cells, entries, amounts) };
}

const NONE: Totals['carries'] = new Map();

/** Returns the carries. */
function addAmounts(cells: Float64Array, { length, group, record }: Entries, amounts: Float64Array): Totals['carries'] {
  const carries = new Map<number, number>();
  for (let entry = 0; entry < length; entry += 1) {
    const amount = amounts[record[entry]];
    if (Number.isNaN(amount)) continue;
    const cell = group[entry] * CELL;
    const known = cells[cell + KNOWN];
    const next = cells[cell + SUM] + amount;
    if (next >= CARRY) carries.set(group[entry], (carries.get(group[entry]) ?? 0) + 1);
    cells[cell + SUM] = next >= CARRY ? next - CARRY : next;
    if (known === 0 || amount < cells[cell + MIN]) cells[cell + MIN] = amount;
    if (known === 0 || amount > cells[cell + MAX]) cells[cell + MAX] = amount;
    cells[cell + KNOWN] = known + 1;
  }
  return carries;
}

/** Size in memory. */
export const bytesOf = ({ numbers, count, cells }: Totals): number =>
  [...numbers, count, cells].reduce((sum, { byteLength }) => sum + byteLength, 1);

/** Records of a group with a known amount. */
export const knownOf = ({ cells }: Totals, group: number): number => cells[group * CELL + KNOWN];

/** The smallest amount of a group; NaN if none is known. */
export const minOf = ({ cells }: Totals, group: number): number => cellOf(cells, group, MIN);

/** The largest amount of a group; NaN if none is known. */
export const maxOf = ({ cells }: Totals, group: number): number => cellOf(cells, group, MAX);

/** The sum of a group's amounts as a double, exact up to 2^53; NaN if none is known. */
export const sumOf = ({ cells, carries }: Totals, group: number): number =>
  (carries.get(group) ?? 0) * CARRY + cellOf(cells, group, SUM);

/** The sum of a group's known amounts. */
export const exactSum = ({ cells, carries }: Totals, group: number): bigint =>
  BigInt(carries.get(group) ?? 0) * BigInt(CARRY) + BigInt(cells[group * CELL + SUM]);

const cellOf = (cells: Float64Array, group: number, index: number): number =>
  cells[group * CELL + KNOWN] === 0 ? Number.NaN : cells[group * CELL + index];
