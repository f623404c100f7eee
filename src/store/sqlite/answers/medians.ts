import { type Entries, type EntryBuffers, roomForNumbers } from './entries.ts';
import { knownOf, type Totals } from './totals.ts';
import { roomFor } from './value-lists.ts';

/** The two middle amounts of a group; equal if the count is odd. */
export type Middle = readonly [number, number];

/** Up to this many amounts are sorted; of more, those between two amounts of a sorted sample. */
const SORTED_MAX = 512;
const SAMPLE = 128;
/** Distance of the two from the wanted rank, in the sample: four standard deviations of its median. */
const MARGIN = 22;

/** Middle amounts of some groups, by index in the totals. Linear in the number of records. */
export function middlesOf(
  entries: Entries,
  amounts: Float64Array,
  { buffers, totals, groups }: Wanted,
): Map<number, Middle> {
  const gathered = gather(entries, amounts, { buffers, totals, groups });
  return new Map(
    groups.flatMap((group, slot): [number, Middle][] => {
      const values = gathered[slot];
      return values.length === 0 ? [] : [[group, middleOf(values)]];
    }),
  );
}

interface Wanted {
  readonly buffers: EntryBuffers;
  readonly totals: Totals;
  readonly groups: readonly number[];
}

/** Known amounts of each group. */
function gather(
  { length, group, record }: Entries,
  amounts: Float64Array,
  { buffers, totals, groups }: Wanted,
): Float64Array[] {
  const slots = roomForNumbers(buffers, totals.size);
  groups.forEach((each, slot) => {
    slots[each] = slot + 1;
  });
  const ends = new Uint32Array(groups.length + 1);
  groups.forEach((each, slot) => {
    ends[slot + 1] = ends[slot] + knownOf(totals, each);
  });
  buffers.amounts = roomFor(buffers.amounts, ends[groups.length]);
  const values = buffers.amounts;
  const starts = ends.slice();
  for (let entry = 0; entry < length; entry += 1) {
    const slot = slots[group[entry]] - 1;
    if (slot < 0) continue;
    const amount = amounts[record[entry]];
    if (!Number.isNaN(amount)) values[ends[slot]++] = amount;
  }
  return groups.map((_, slot) => values.subarray(starts[slot], starts[slot + 1]));
}

function middleOf(values: Float64Array): Middle {
  return selected(values, (values.length - 1) >> 1, values.length >> 1);
}

/** The amounts of two ranks, which are equal or adjacent. Selection by a sample, as of Floyd and Rivest; reorders. */
function selected(values: Float64Array, lower: number, upper: number): Middle {
  if (values.length > SORTED_MAX) {
    const [least, most] = boundsOf(values, lower);
    const [below, count] = bringForward(values, least, most);
    const areBetween = lower >= below && upper < below + count;
    if (areBetween && least === most) return [least, most];
    if (areBetween && count < values.length) return selected(values.subarray(0, count), lower - below, upper - below);
  }
  values.sort();
  return [values[lower], values[upper]];
}

/** Moves the amounts between two to the start. Returns how many are below them, and how many are moved. */
function bringForward(values: Float64Array, least: number, most: number): [number, number] {
  let [below, count] = [0, 0];
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index];
    // Without branches, because no processor predicts them.
    values[index] = values[count];
    values[count] = value;
    below += Number(value < least);
    count += Number(value >= least) & Number(value <= most);
  }
  return [below, count];
}

/** Two amounts, between which a rank probably is. */
function boundsOf(values: Float64Array, rank: number): [number, number] {
  const part = values.length / SAMPLE;
  const sample = new Float64Array(SAMPLE);
  for (let index = 0; index < SAMPLE; index += 1) sample[index] = values[Math.floor(index * part)];
  sample.sort();
  const index = Math.floor(rank / part);
  return [sample[Math.max(0, index - MARGIN)], sample[Math.min(SAMPLE - 1, index + MARGIN)]];
}
