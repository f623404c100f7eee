import type { Columns } from './columns.ts';
import { BLOCK, entriesOf, fitRanked, groupCount, numberAt, STATISTICS, type Tally } from './tally.ts';

const MIN = 0;
const LOWER = 1;
const UPPER = 2;
const MAX = 3;

/** Up to this many amounts are sorted; of more, those between two amounts of a sorted sample. */
const SORTED_MAX = 512;
const SAMPLE = 128;
/** Distance of the two from the wanted rank, in the sample: four standard deviations of its median. */
const MARGIN = 22;

/** The smallest known amount of a group. */
export const minOf = ({ ranked }: Tally, group: number): number => ranked[group * STATISTICS + MIN];
export const maxOf = ({ ranked }: Tally, group: number): number => ranked[group * STATISTICS + MAX];
/** The two middle ones. */
export const middleOf = ({ ranked }: Tally, group: number): readonly [number, number] => [
  ranked[group * STATISTICS + LOWER],
  ranked[group * STATISTICS + UPPER],
];

/** The two middle ones of the known amounts of records, of which there is one at least. */
export function middleOfRecords({ amount }: Pick<Columns, 'amount'>, records: Uint32Array): readonly [number, number] {
  const amounts = Float64Array.from(records, (code) => amount[code]).filter((value) => !Number.isNaN(value));
  return selected(amounts, (amounts.length - 1) >> 1, amounts.length >> 1);
}

interface Ranking {
  readonly columns: Columns;
  records(): Uint32Array;
  /** By default all. */
  readonly groups?: readonly number[] | undefined;
}

/**
 * Computes the smallest, middle and largest amounts of groups that have any, unless they are current. Linear in the
 * number of records.
 */
export function rankAmounts(tally: Tally, { columns, records, groups }: Ranking): void {
  fitRanked(tally);
  const { known, ranked, isRanked } = tally;
  const due: number[] = [];
  const size = groups?.length ?? groupCount(tally);
  for (let index = 0; index < size; index += 1) {
    const group = groups === undefined ? index : groups[index];
    if (known[group] > 0 && isRanked[group] === 0) due.push(group);
  }
  if (due.length === 0) return;
  const { values, ends } = gather(tally, due, { columns, records });
  let start = 0;
  for (const [slot, group] of due.entries()) {
    const amounts = values.subarray(start, ends[slot]);
    start = ends[slot];
    let [min, max] = [amounts[0], amounts[0]];
    for (let index = 1; index < amounts.length; index += 1) {
      if (amounts[index] < min) min = amounts[index];
      if (amounts[index] > max) max = amounts[index];
    }
    const [lower, upper] = selected(amounts, (amounts.length - 1) >> 1, amounts.length >> 1);
    ranked.set([min, lower, upper, max], group * STATISTICS);
    isRanked[group] = 1;
  }
}

/** Known amounts by group, and the end of each group's amounts. */
function gather(tally: Tally, groups: readonly number[], { columns, records: read }: Ranking) {
  const { amount } = columns;
  const records = read();
  const slots = new Uint32Array(groupCount(tally));
  const ends = new Uint32Array(groups.length);
  const wanted = tally.dimensions.map(({ lists }) => new Uint8Array(lists().size));
  let length = 0;
  for (const [slot, group] of groups.entries()) {
    slots[group] = slot + 1;
    ends[slot] = length;
    length += tally.known[group];
    wanted.forEach((isWanted, dimension) => {
      isWanted[numberAt(tally, dimension, group)] = 1;
    });
  }
  const values = new Float64Array(length);
  const lists = tally.dimensions.map((dimension) => dimension.lists());
  for (let start = 0; start < records.length; start += BLOCK) {
    const block = entriesOf(tally, columns.entries, { records, lists, start, wanted });
    const { group, record } = block;
    for (let entry = 0; entry < block.length; entry += 1) {
      const slot = slots[group[entry]] - 1;
      if (slot < 0) continue;
      const value = amount[record[entry]];
      if (!Number.isNaN(value)) values[ends[slot]++] = value;
    }
  }
  return { values, ends };
}

/** The amounts of two ranks, which are equal or adjacent. Selection by a sample, as of Floyd and Rivest; reorders. */
function selected(values: Float64Array, lower: number, upper: number): readonly [number, number] {
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
