import type { Cells } from './cells.ts';
import type { Totals } from './totals.ts';

/** The two amounts in the middle of a group; the same one twice where their number is odd. */
export type Middle = readonly [number, number];

/** Amounts of this many records are put in order at once; of more, first those near the middle are looked for. */
const SORTED_MAX = 4_096;
const BINS = 1_024;

/**
 * The middle amounts of some groups, by the group's place in the totals. Amounts are gathered by group and then chosen from,
 * so that the time grows with the records and not with their order.
 */
export function middlesOf(
  cells: Cells,
  amounts: Float64Array,
  { totals, groups }: { readonly totals: Totals; readonly groups: readonly number[] },
): Map<number, Middle> {
  const gathered = gather(cells, amounts, totals, groups);
  return new Map(
    groups.flatMap((group, slot): [number, Middle][] => {
      const values = gathered[slot];
      return values.length === 0 ? [] : [[group, middleOf(values)]];
    }),
  );
}

/** The known amounts of each group. */
function gather(cells: Cells, amounts: Float64Array, totals: Totals, groups: readonly number[]): Float64Array[] {
  const slotOfKey = new Map(groups.map((group, slot) => [totals.keys[group], slot]));
  const values = groups.map((group) => new Float64Array(totals.known[group]));
  const used = new Uint32Array(groups.length);
  const slotsOfCell: (readonly number[] | undefined)[] = new Array(cells.size);
  const { cell, record } = cells;
  for (let entry = 0; entry < cell.length; entry += 1) {
    const amount = amounts[record[entry]];
    if (Number.isNaN(amount)) continue;
    const of = cell[entry];
    slotsOfCell[of] ??= cells.groupsOf(of).flatMap((key) => slotOfKey.get(key) ?? []);
    for (const slot of slotsOfCell[of] as readonly number[]) values[slot][used[slot]++] = amount;
  }
  return values;
}

function middleOf(values: Float64Array): Middle {
  const upper = values.length >> 1;
  const lower = (values.length - 1) >> 1;
  return [amountAt(values, lower), amountAt(values, upper)];
}

/** The amount that stands at a place when all are in order. */
function amountAt(values: Float64Array, place: number): number {
  let some = values;
  let left = place;
  while (some.length > SORTED_MAX) {
    const [bins, binOf] = binsOf(some);
    let bin = 0;
    while (left >= bins[bin]) left -= bins[bin++];
    const chosen = some.filter((amount) => binOf(amount) === bin);
    // All alike: no bin tells them apart any more.
    if (chosen.length === some.length) return chosen[0];
    some = chosen;
  }
  return some.slice().sort()[left];
}

function binsOf(values: Float64Array): [Uint32Array, (amount: number) => number] {
  let min = values[0];
  let max = values[0];
  for (const amount of values) {
    if (amount < min) min = amount;
    if (amount > max) max = amount;
  }
  // Amounts are many small ones and few large ones: equal steps of their logarithm.
  const start = Math.log1p(min);
  const factor = max > min ? (BINS - 1) / (Math.log1p(max) - start) : 0;
  const binOf = (amount: number): number => Math.floor((Math.log1p(amount) - start) * factor);
  const bins = new Uint32Array(BINS);
  for (const amount of values) bins[binOf(amount)] += 1;
  return [bins, binOf];
}
