import type { Entries } from './entries.ts';
import type { Totals } from './totals.ts';

/** The two middle amounts of a group; equal if the count is odd. */
export type Middle = readonly [number, number];

/** Up to this many amounts are sorted; more are first narrowed down to those near the middle. */
const SORTED_MAX = 512;
const BINS = 4_096;

/** Middle amounts of some groups, by index in the totals. Linear in the number of records. */
export function middlesOf(entries: Entries, amounts: Float64Array, { totals, groups }: Wanted): Map<number, Middle> {
  const gathered = gather(entries, amounts, { totals, groups });
  return new Map(
    groups.flatMap((group, slot): [number, Middle][] => {
      const values = gathered[slot];
      return values.length === 0 ? [] : [[group, middleOf(values)]];
    }),
  );
}

interface Wanted {
  readonly totals: Totals;
  readonly groups: readonly number[];
}

/** Known amounts of each group. */
function gather({ length, group, record }: Entries, amounts: Float64Array, { totals, groups }: Wanted): Float64Array[] {
  const slots = new Int32Array(totals.size).fill(-1);
  groups.forEach((each, slot) => {
    slots[each] = slot;
  });
  const values = groups.map((each) => new Float64Array(totals.known[each]));
  const used = new Uint32Array(groups.length);
  for (let entry = 0; entry < length; entry += 1) {
    const slot = slots[group[entry]];
    if (slot < 0) continue;
    const amount = amounts[record[entry]];
    if (!Number.isNaN(amount)) values[slot][used[slot]++] = amount;
  }
  return values;
}

/** Histogram by the leading bits, then selection near the middle. */
function middleOf(values: Float64Array): Middle {
  let some = values;
  let lower = (values.length - 1) >> 1;
  let upper = values.length >> 1;
  while (some.length > SORTED_MAX) {
    const bits = new Uint32Array(some.buffer, some.byteOffset, some.length * 2);
    const { bins, start, shift } = binsOf(bits);
    const [below, bin] = binOf(bins, lower);
    const [, other] = binOf(bins, upper);
    const valuesIn = (wanted: number): Float64Array =>
      some.filter((_, place) => (bits[place * 2 + HIGH] - start) >>> shift === wanted);
    if (bin !== other) return [valuesIn(bin).reduce(larger), valuesIn(other).reduce(smaller)];
    const chosen = valuesIn(bin);
    // The leading bits do not separate these further.
    if (chosen.length === some.length) break;
    some = chosen;
    lower -= below;
    upper -= below;
  }
  const sorted = some.slice().sort();
  return [sorted[lower], sorted[upper]];
}

const larger = (one: number, other: number): number => Math.max(one, other);
const smaller = (one: number, other: number): number => Math.min(one, other);

/** Index of a double's high word: non-negative doubles sort by it. */
const HIGH = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1 ? 1 : 0;

function binsOf(bits: Uint32Array): { bins: Uint32Array; start: number; shift: number } {
  let start = bits[HIGH];
  let end = start;
  for (let place = HIGH; place < bits.length; place += 2) {
    if (bits[place] < start) start = bits[place];
    if (bits[place] > end) end = bits[place];
  }
  let shift = 0;
  while ((end - start) >>> shift >= BINS) shift += 1;
  const bins = new Uint32Array(BINS);
  for (let place = HIGH; place < bits.length; place += 2) bins[(bits[place] - start) >>> shift] += 1;
  return { bins, start, shift };
}

/** The bin that contains a rank, and the count before it. */
function binOf(bins: Uint32Array, place: number): [number, number] {
  let below = 0;
  let bin = 0;
  while (below + bins[bin] <= place) below += bins[bin++];
  return [below, bin];
}
