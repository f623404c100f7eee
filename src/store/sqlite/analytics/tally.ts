import { MARKS } from '../../analytics/facts.ts';
import { ensureCapacities, ensureCapacity } from '../ensure-capacity.ts';
import type { Columns } from './columns.ts';
import type { Dimension } from './dimensions.ts';

/** The smallest amount, the two middle ones, which are equal if the number is odd, and the largest. */
export const STATISTICS = 4;

/** Above any amount, so that two amounts and a rest are exact as doubles: 45 trillion dollars in cents. */
export const CARRY = 2 ** 52;

interface Grouped {
  /** Names of the groups, in the order of the dimensions. */
  readonly names: readonly string[];
  readonly dimensions: readonly Dimension[];
  readonly isMeasured: boolean;
  readonly hasGrants: boolean;
}

/**
 * Counts and sums of records by the values of one or two dimensions. Records can be added and removed, so that a tally follows
 * changes. A group keeps its number even when it is empty.
 */
export type Tally = ReturnType<typeof createTally>;

export const createTally = (grouped: Grouped) => ({
  ...grouped,
  /** Numbers the groups of two dimensions; the groups of one are its values. */
  pairs: pairsFor(grouped.dimensions),
  /** Records by group. */
  count: new Uint32Array(1),
  /** Those that are grants. */
  grants: new Uint32Array(1),
  /** Records with a known amount by group. */
  known: new Uint32Array(1),
  /** Together with `carries` times `CARRY`, the exact sums of the known amounts. */
  sum: new Float64Array(1),
  /** Of groups that have any. */
  carries: new Map<number, number>(),
  /** Records with a value in every dimension, and records in several groups. */
  complete: 0,
  overlapping: 0,
  /** `STATISTICS` numbers per group, and whether they are current: see `rankAmounts`. */
  ranked: new Float64Array(0),
  isRanked: new Uint8Array(0),
});

export const groupCount = ({ pairs, dimensions }: Tally): number => pairs?.length ?? dimensions[0].lists().size;

export const numberAt = ({ pairs }: Tally, dimension: number, group: number): number => {
  if (pairs === undefined) return group;
  return dimension === 0 ? pairs.first[group] : pairs.second[group];
};

/** Size in memory: 16 bytes per group, for pairs about 20 more, and 33 for order statistics. */
export function tallyBytes(tally: Tally): number {
  const { pairs, isRanked } = tally;
  const byGroup = 16 + (pairs === undefined ? 0 : 8) + (isRanked.length > 0 ? 33 : 0);
  return 1 + groupCount(tally) * byGroup + (pairs?.slots.byteLength ?? 0);
}

/** Records per block, whose entries mostly fit in the processor's cache. */
export const BLOCK = 2_048;

/** The memberships of some records: an entry per record and group. */
export type Entries = ReturnType<typeof createEntries>;

export const createEntries = () => ({
  length: 0,
  group: new Uint32Array(BLOCK),
  record: new Uint32Array(BLOCK),
  complete: 0,
  overlapping: 0,
});

/** Records with their lists by dimension and their amounts: current ones, or of other versions of the records. */
export type Tallied = ReturnType<typeof talliedOf>;

/** Records as the columns have them. */
export const talliedOf = ({ amount, marks }: Columns, { dimensions }: Tally, records: Uint32Array) => ({
  records,
  lists: dimensions.map((dimension) => dimension.lists()),
  amount,
  marks,
});

interface Part extends Pick<Tallied, 'records' | 'lists'> {
  readonly start: number;
  /** By dimension, non-zero for the values of the groups to enumerate; all if absent. */
  readonly wanted?: readonly Uint8Array[];
}

/** The entries of a block of records, valid until the next call. */
export function entriesOf({ pairs }: Tally, entries: Entries, part: Part): Entries {
  if (pairs === undefined) enumerateOne(entries, part);
  else enumerateTwo(entries, pairs, part);
  return entries;
}

function enumerateOne(entries: Entries, { records, lists: [one], start, wanted }: Part): void {
  const stop = Math.min(start + BLOCK, records.length);
  const { column, through, pool, numberOf } = one;
  const isWanted = wanted?.[0];
  let { group, record } = entries;
  let [length, complete, overlapping] = [0, 0, 0];
  for (let index = start; index < stop; index += 1) {
    const code = records[index];
    const list = column[through === undefined ? code : through[code]];
    const count = pool[list];
    if (length + count >= group.length) ({ group, record } = roomForEntries(entries, length + count + 1));
    if (count > 0) complete += 1;
    if (count > 1) overlapping += 1;
    let entry = list;
    const end = list + count;
    do {
      entry += 1;
      const number = count === 0 ? 0 : numberOf === undefined ? pool[entry] : numberOf[pool[entry]];
      if (isWanted !== undefined && isWanted[number] === 0) continue;
      group[length] = number;
      record[length++] = code;
    } while (entry < end);
  }
  Object.assign(entries, { length, complete, overlapping });
}

function enumerateTwo(entries: Entries, pairs: Pairs, { records, lists: [one, other], start, wanted }: Part): void {
  const stop = Math.min(start + BLOCK, records.length);
  const { column, through, pool, numberOf } = one;
  const { column: columns, through: via, pool: lists, numberOf: otherOf } = other;
  const [firsts, seconds] = wanted ?? [];
  let { group, record } = entries;
  let [length, complete, overlapping] = [0, 0, 0];
  for (let index = start; index < stop; index += 1) {
    const code = records[index];
    const list = column[through === undefined ? code : through[code]];
    const otherList = columns[via === undefined ? code : via[code]];
    const end = list + pool[list];
    const otherEnd = otherList + lists[otherList];
    const most = (end - list + 1) * (otherEnd - otherList + 1);
    if (length + most > group.length) ({ group, record } = roomForEntries(entries, length + most));
    if (end > list && otherEnd > otherList) complete += 1;
    if (end > list + 1 || otherEnd > otherList + 1) overlapping += 1;
    let otherEntry = otherList;
    do {
      otherEntry += 1;
      const second =
        otherEnd === otherList ? 0 : otherOf === undefined ? lists[otherEntry] : otherOf[lists[otherEntry]];
      if (seconds !== undefined && seconds[second] === 0) continue;
      let entry = list;
      do {
        entry += 1;
        const first = end === list ? 0 : numberOf === undefined ? pool[entry] : numberOf[pool[entry]];
        if (firsts !== undefined && firsts[first] === 0) continue;
        group[length] = pairs.groupOf(first, second);
        record[length++] = code;
      } while (entry < end);
    } while (otherEntry < otherEnd);
  }
  Object.assign(entries, { length, complete, overlapping });
}

function roomForEntries(entries: Entries, length: number): Entries {
  ensureCapacities(entries, ['group', 'record'], length);
  return entries;
}

/** Adds records, or removes them with the sign -1. */
export function tallyRecords(tally: Tally, entries: Entries, tallied: Tallied, sign: 1 | -1 = 1): void {
  const { records, lists, amount, marks } = tallied;
  for (let start = 0; start < records.length; start += BLOCK) {
    const block = entriesOf(tally, entries, { records, lists, start });
    tally.complete += sign * block.complete;
    tally.overlapping += sign * block.overlapping;
    roomForGroups(tally);
    const { count, grants } = tally;
    const { length, group, record } = block;
    for (let entry = 0; entry < length; entry += 1) count[group[entry]] += sign;
    if (tally.hasGrants)
      for (let entry = 0; entry < length; entry += 1)
        grants[group[entry]] += sign * (marks[record[entry]] & MARKS.grant);
    if (tally.isMeasured) addAmounts(tally, block, { amount, sign });
  }
}

/** Grows the arrays to the number of groups, which other records may have added. */
export function roomForGroups(tally: Tally): void {
  const size = groupCount(tally);
  if (size <= tally.count.length) return;
  tally.count = ensureCapacity(tally.count, size);
  const { length } = tally.count;
  if (tally.hasGrants) tally.grants = ensureCapacity(tally.grants, length);
  if (tally.isMeasured) {
    tally.known = ensureCapacity(tally.known, length);
    tally.sum = ensureCapacity(tally.sum, length);
  }
  if (tally.isRanked.length > 0) fitRanked(tally);
}

/** Makes room for the order statistics of all groups. */
export function fitRanked(tally: Tally): void {
  tally.isRanked = ensureCapacity(tally.isRanked, tally.count.length);
  tally.ranked = ensureCapacity(tally.ranked, tally.count.length * STATISTICS);
}

function addAmounts(
  { known, sum, carries, isRanked }: Tally,
  { length, group, record }: Entries,
  { amount, sign }: { readonly amount: Float64Array; readonly sign: 1 | -1 },
): void {
  const hasRanked = isRanked.length > 0;
  for (let entry = 0; entry < length; entry += 1) {
    const value = amount[record[entry]];
    if (Number.isNaN(value)) continue;
    const each = group[entry];
    known[each] += sign;
    if (hasRanked) isRanked[each] = 0;
    const next = sum[each] + sign * value;
    sum[each] = next;
    if (next >= CARRY || next < 0) {
      const carry = next < 0 ? -1 : 1;
      carries.set(each, (carries.get(each) ?? 0) + carry);
      sum[each] = next - carry * CARRY;
    }
  }
}

/** The sum of a group's known amounts as a double, exact up to 2^53. */
export const sumOf = ({ sum, carries }: Tally, group: number): number =>
  (carries.size === 0 ? 0 : (carries.get(group) ?? 0)) * CARRY + sum[group];

export const exactSum = ({ sum, carries }: Tally, group: number): bigint =>
  BigInt(carries.get(group) ?? 0) * BigInt(CARRY) + BigInt(sum[group]);

/** Numbers of the pairs of values seen, found in a hash table with open addressing, at most half full. */
type Pairs = NonNullable<ReturnType<typeof pairsFor>>;

/** Up to this many possible pairs have a slot each. */
const DIRECT_MAX = 2 ** 18;
/** Of slots in the beginning. */
const SLOTS_BITS = 12;
/** 2^32 divided by the golden ratio: spreads the hashes of adjacent values (Knuth). */
const GOLDEN = 0x9e3779b1;

/** Undefined unless there are two dimensions. */
function pairsFor([one, other]: readonly Dimension[]) {
  if (other === undefined) return undefined;
  const width = other.lists().size;
  const possible = one.lists().size * width;
  const isDirect = possible <= DIRECT_MAX;
  let bits = isDirect ? Math.ceil(Math.log2(possible + 1)) : SLOTS_BITS;
  /** By hash, the number of a pair plus one; 0 if free. */
  let slots = new Uint32Array(2 ** bits);
  /** By pair, its values. */
  let [first, second] = [new Uint32Array(1), new Uint32Array(1)];
  let length = 0;
  /** The slot of a pair, or the free one where it belongs. */
  const slotOf = (a: number, b: number): number => {
    const mask = slots.length - 1;
    const index = Math.imul(a, width) + b;
    let slot = isDirect ? index & mask : Math.imul(index, GOLDEN) >>> (32 - bits);
    for (;;) {
      const pair = slots[slot] - 1;
      if (pair < 0 || (first[pair] === a && second[pair] === b)) return slot;
      slot = (slot + 1) & mask;
    }
  };
  const add = (a: number, b: number): number => {
    if (length * 2 >= slots.length) {
      bits += 1;
      slots = new Uint32Array(2 ** bits);
      for (let pair = 0; pair < length; pair += 1) slots[slotOf(first[pair], second[pair])] = pair + 1;
    }
    first = ensureCapacity(first, length + 1);
    second = ensureCapacity(second, length + 1);
    first[length] = a;
    second[length] = b;
    length += 1;
    slots[slotOf(a, b)] = length;
    return length - 1;
  };
  return {
    get length() {
      return length;
    },
    get first() {
      return first;
    },
    get second() {
      return second;
    },
    get slots() {
      return slots;
    },
    /** The number of a pair, which is added if it is new. */
    groupOf: (a: number, b: number): number => {
      const pair = slots[slotOf(a, b)] - 1;
      return pair < 0 ? add(a, b) : pair;
    },
  };
}
