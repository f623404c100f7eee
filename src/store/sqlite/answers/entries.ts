import type { Columns } from './columns.ts';
import type { Dimension } from './dimensions.ts';
import { roomFor } from './value-lists.ts';

/** Records sorted into groups: an entry per record and group. Valid until the next call with the same buffers. */
export interface Entries {
  /** Number of entries. */
  readonly length: number;
  /** Group of each entry. */
  readonly group: Uint32Array;
  /** Record of each entry. */
  readonly record: Uint32Array;
  /** By dimension, the value number of each group. */
  readonly numbers: readonly Uint32Array[];
  /** Records with a value in every dimension. */
  readonly complete: number;
  /** Records in several groups. */
  readonly overlapping: number;
}

/** Arrays reused by successive calls, because allocating them costs as much as filling them. */
export interface EntryBuffers {
  group: Uint32Array;
  record: Uint32Array;
  /** By group, the value numbers of one or two dimensions. */
  first: Uint32Array;
  second: Uint32Array;
  /** By number of a value, its group or index among the values seen, plus one. */
  seen: Uint32Array;
  /** By pair of values seen, its group plus one. */
  pairs: Uint32Array;
  /** Records by their values of the first of two dimensions. */
  sorted: Uint32Array;
  /** Amounts by group. */
  amounts: Float64Array;
  /** The entries that the buffers hold. */
  latest: Entries | undefined;
}

export const createEntryBuffers = (): EntryBuffers => ({
  group: new Uint32Array(1),
  record: new Uint32Array(1),
  first: new Uint32Array(1),
  second: new Uint32Array(1),
  seen: new Uint32Array(1),
  pairs: new Uint32Array(1),
  sorted: new Uint32Array(1),
  amounts: new Float64Array(1),
  latest: undefined,
});

/** Bounds the table of pairs, so that it stays in the processor's cache. */
const PAIRS_MAX = 2 ** 18;

export function sortIntoGroups(
  [first, second]: readonly Dimension[],
  records: Uint32Array,
  buffers: EntryBuffers,
): Entries {
  if (second === undefined) buffers.latest = byOne(first, records, buffers);
  else if (first.size <= second.size) buffers.latest = byTwo(first, second, { records, buffers });
  else {
    const entries = byTwo(second, first, { records, buffers });
    buffers.latest = { ...entries, numbers: entries.numbers.toReversed() };
  }
  return buffers.latest;
}

function byOne(
  { column, through, pool, numberOf, size }: Dimension,
  records: Uint32Array,
  buffers: EntryBuffers,
): Entries {
  let { group, record, first: numbers } = roomForEntries(buffers, records.length * 2);
  const groupOf = roomForNumbers(buffers, size);
  let [length, groups, complete, overlapping] = [0, 0, 0, 0];
  for (let index = 0; index < records.length; index += 1) {
    const code = records[index];
    const list = column[through === undefined ? code : through[code]];
    const count = pool[list];
    if (length + count >= group.length)
      ({ group, record, first: numbers } = roomForEntries(buffers, length + count + 1));
    if (count > 0) complete += 1;
    if (count > 1) overlapping += 1;
    let entry = list;
    const end = list + count;
    do {
      entry += 1;
      const number = count === 0 ? 0 : numberOf === undefined ? pool[entry] : numberOf[pool[entry]];
      let known = groupOf[number];
      if (known === 0) {
        numbers[groups] = number;
        known = ++groups;
        groupOf[number] = known;
      }
      group[length] = known - 1;
      record[length++] = code;
    } while (entry < end);
  }
  return { length, group, record, numbers: [numbers.slice(0, groups)], complete, overlapping };
}

interface Buffered {
  readonly records: Uint32Array;
  readonly buffers: EntryBuffers;
}

/** Best if the first dimension is the smaller one. */
const byTwo = (first: Dimension, second: Dimension, buffered: Buffered): Entries =>
  byPairs(first, second, buffered) ?? bySorting(first, second, buffered);

/** Finds the group of a pair in a table, with a row per value of the second dimension; undefined if it gets too large. */
function byPairs(
  { column, through, pool, numberOf, size: width }: Dimension,
  { column: columns, through: via, pool: lists, numberOf: otherOf, size }: Dimension,
  { records, buffers }: Buffered,
): Entries | undefined {
  let { group, record, first: ones, second: others, pairs } = roomForEntries(buffers, records.length * 2);
  const rowOf = roomForNumbers(buffers, size);
  let [length, groups, rows, complete, overlapping] = [0, 0, 0, 0, 0];
  for (let index = 0; index < records.length; index += 1) {
    const code = records[index];
    const list = column[through === undefined ? code : through[code]];
    const otherList = columns[via === undefined ? code : via[code]];
    const end = list + pool[list];
    const otherEnd = otherList + lists[otherList];
    const most = (end - list + 1) * (otherEnd - otherList + 1);
    if (length + most > group.length)
      ({ group, record, first: ones, second: others } = roomForEntries(buffers, length + most));
    if (end > list && otherEnd > otherList) complete += 1;
    if (end > list + 1 || otherEnd > otherList + 1) overlapping += 1;
    let otherEntry = otherList;
    do {
      const value = otherEnd === otherList ? 0 : lists[++otherEntry];
      const other = otherEnd === otherList || otherOf === undefined ? value : otherOf[value];
      if (rowOf[other] === 0) {
        if ((rows + 1) * width > PAIRS_MAX) return undefined;
        pairs = roomForRow(buffers, rows * width, width);
        rowOf[other] = ++rows;
      }
      const row = (rowOf[other] - 1) * width;
      let entry = list;
      do {
        const one = end === list ? 0 : pool[++entry];
        const pair = row + (end === list || numberOf === undefined ? one : numberOf[one]);
        if (pairs[pair] === 0) {
          ones[groups] = pair - row;
          others[groups] = other;
          pairs[pair] = ++groups;
        }
        group[length] = pairs[pair] - 1;
        record[length++] = code;
      } while (entry < end);
    } while (otherEntry < otherEnd);
  }
  const numbers = [ones.slice(0, groups), others.slice(0, groups)];
  return { length, group, record, numbers, complete, overlapping };
}

/** Sorts by the smaller dimension, so that a table of the size of the other one finds the groups. */
function bySorting(first: Dimension, second: Dimension, { records, buffers }: Buffered): Entries {
  const entries = byOne(first, records, buffers);
  const [values] = entries.numbers;
  const ends = sortByGroup(entries, values.length, buffers);
  const { sorted } = buffers;
  const { column, through, pool, numberOf } = second;
  let { group, record, first: ones, second: others } = buffers;
  const groupOf = roomForNumbers(buffers, second.size);
  let [length, groups, index] = [0, 0, 0];
  for (let value = 0; value < values.length; value += 1) {
    const groupsBefore = groups;
    for (; index < ends[value]; index += 1) {
      const code = sorted[index];
      const list = column[through === undefined ? code : through[code]];
      const count = pool[list];
      if (length + count >= group.length)
        ({ group, record, first: ones, second: others } = roomForEntries(buffers, length + count + 1));
      let entry = list;
      const end = list + count;
      do {
        entry += 1;
        const number = count === 0 ? 0 : numberOf === undefined ? pool[entry] : numberOf[pool[entry]];
        if (groupOf[number] <= groupsBefore) {
          ones[groups] = values[value];
          others[groups] = number;
          groupOf[number] = ++groups;
        }
        group[length] = groupOf[number] - 1;
        record[length++] = code;
      } while (entry < end);
    }
  }
  const numbers = [ones.slice(0, groups), others.slice(0, groups)];
  return { length, group, record, numbers, ...countValues(first, second, records) };
}

/** A counting sort of the records of entries, into `buffers.sorted`. Returns where each group ends. */
function sortByGroup({ length, group, record }: Entries, groups: number, buffers: EntryBuffers): Uint32Array {
  const ends = new Uint32Array(groups + 1);
  for (let entry = 0; entry < length; entry += 1) ends[group[entry] + 1] += 1;
  for (let each = 1; each < groups; each += 1) ends[each] += ends[each - 1];
  buffers.sorted = roomFor(buffers.sorted, length);
  const { sorted } = buffers;
  for (let entry = 0; entry < length; entry += 1) sorted[ends[group[entry]]++] = record[entry];
  return ends;
}

function countValues(
  first: Dimension,
  second: Dimension,
  records: Uint32Array,
): Pick<Entries, 'complete' | 'overlapping'> {
  let [complete, overlapping] = [0, 0];
  for (let index = 0; index < records.length; index += 1) {
    const code = records[index];
    const one = first.pool[first.column[first.through === undefined ? code : first.through[code]]];
    const other = second.pool[second.column[second.through === undefined ? code : second.through[code]]];
    if (one > 0 && other > 0) complete += 1;
    if (one > 1 || other > 1) overlapping += 1;
  }
  return { complete, overlapping };
}

/** `buffers.seen`, cleared for some numbers or groups. */
export function roomForNumbers(buffers: EntryBuffers, size: number): Uint32Array {
  buffers.seen = roomFor(buffers.seen, size);
  return buffers.seen.fill(0, 0, size);
}

function roomForRow(buffers: EntryBuffers, start: number, width: number): Uint32Array {
  buffers.pairs = roomFor(buffers.pairs, start + width);
  return buffers.pairs.fill(0, start, start + width);
}

function roomForEntries(buffers: EntryBuffers, length: number): EntryBuffers {
  buffers.group = roomFor(buffers.group, length);
  buffers.record = roomFor(buffers.record, length);
  buffers.first = roomFor(buffers.first, length);
  buffers.second = roomFor(buffers.second, length);
  return buffers;
}

/** Codes of the existing records of a type. */
export function liveCodes({ isLive }: Columns, { codes, length, live }: Columns['records'][number]): Uint32Array {
  if (live === length) return codes.subarray(0, length);
  const found = new Uint32Array(live);
  let count = 0;
  for (let index = 0; index < length; index += 1) {
    const code = codes[index];
    if (isLive[code] === 1) found[count++] = code;
  }
  return found;
}
