import type { Entries } from './entries.ts';
import { knownOf, type Totals } from './totals.ts';

/** The two middle amounts of a group; equal if the count is odd. */
export type Middle = readonly [number, number];

/** Up to this many amounts are sorted; of more, those between two amounts of a sorted sample. */
const SORTED_MAX = 512;
/** Distance of the two from the wanted rank, in the sample: four standard deviations of its median. */
const MARGIN = 45;

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
  const ends = new Uint32Array(groups.length + 1);
  groups.forEach((each, slot) => {
    ends[slot + 1] = ends[slot] + knownOf(totals, each);
  });
  const values = new Float64Array(ends[groups.length]);
  const starts = ends.slice();
  for (let entry = 0; entry < length; entry += 1) {
    const slot = slots[group[entry]];
    if (slot < 0) continue;
    const amount = amounts[record[entry]];
    if (!Number.isNaN(amount)) values[ends[slot]++] = amount;
  }
  return groups.map((_, slot) => values.subarray(starts[slot], starts[slot + 1]));
}

function middleOf(values: Float64Array): Middle {
  return selected(values, (values.length - 1) >> 1, values.length >> 1);
}

/** The amounts of two ranks, which are equal or adjacent. Selection by a sample, as of Floyd and Rivest. */
function selected(values: Float64Array, lower: number, upper: number): Middle {
  if (values.length > SORTED_MAX) {
    const [least, most] = boundsOf(values, lower);
    const between = new Float64Array(values.length);
    let [below, count] = [0, 0];
    for (let place = 0; place < values.length; place += 1) {
      const value = values[place];
      if (value < least) below += 1;
      else if (value <= most) between[count++] = value;
    }
    const areBetween = lower >= below && upper < below + count;
    if (areBetween && least === most) return [least, most];
    if (areBetween && count < values.length) return selected(between.subarray(0, count), lower - below, upper - below);
  }
  const sorted = values.slice().sort();
  return [sorted[lower], sorted[upper]];
}

/** Two amounts, between which a rank probably is. */
function boundsOf(values: Float64Array, rank: number): [number, number] {
  const part = values.length / SORTED_MAX;
  const sample = Float64Array.from({ length: SORTED_MAX }, (_, place) => values[Math.floor(place * part)]).sort();
  const place = Math.floor(rank / part);
  return [sample[Math.max(0, place - MARGIN)], sample[Math.min(SORTED_MAX - 1, place + MARGIN)]];
}
