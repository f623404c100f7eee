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
  /** Key of each group. */
  readonly keys: readonly number[];
  /** Records with a value in every dimension. */
  readonly complete: number;
  /** Records in several groups. */
  readonly overlapping: number;
}

/** Arrays reused by successive calls, because allocating them costs as much as filling them. */
export interface EntryBuffers {
  group: Uint32Array;
  record: Uint32Array;
}

export const createEntryBuffers = (): EntryBuffers => ({ group: new Uint32Array(1), record: new Uint32Array(1) });

/** The value numbers of a group key. */
export function numbersOfKey([, second]: readonly Dimension[], key: number): number[] {
  return second === undefined ? [key] : [Math.floor(key / second.size), key % second.size];
}

export function sortIntoGroups(
  [first, second]: readonly Dimension[],
  records: Uint32Array,
  buffers: EntryBuffers,
): Entries {
  return second === undefined
    ? byOne(first as Dimension, records, buffers)
    : byTwo(first as Dimension, second, { records, buffers });
}

function byOne(
  { column, through, pool, numberOf, size }: Dimension,
  records: Uint32Array,
  buffers: EntryBuffers,
): Entries {
  let { group, record } = roomForEntries(buffers, records.length * 2);
  const keys: number[] = [];
  const numbers = new Uint32Array(size);
  let [length, complete, overlapping] = [0, 0, 0];
  for (let place = 0; place < records.length; place += 1) {
    const code = records[place];
    const list = column[through === undefined ? code : through[code]];
    const count = pool[list];
    if (length + count >= group.length) ({ group, record } = roomForEntries(buffers, length + count + 1));
    if (count > 0) complete += 1;
    if (count > 1) overlapping += 1;
    let entry = list;
    const end = list + count;
    do {
      entry += 1;
      const key = count === 0 ? 0 : numberOf === undefined ? pool[entry] : numberOf[pool[entry]];
      if (numbers[key] === 0) numbers[key] = keys.push(key);
      group[length] = numbers[key] - 1;
      record[length++] = code;
    } while (entry < end);
  }
  return { length, group, record, keys, complete, overlapping };
}

interface Buffered {
  readonly records: Uint32Array;
  readonly buffers: EntryBuffers;
}

function byTwo(first: Dimension, second: Dimension, { records, buffers }: Buffered): Entries {
  const { column, through, pool } = first;
  const { column: column2, through: through2, pool: pool2, size } = second;
  let { group, record } = roomForEntries(buffers, records.length * 2);
  const numbers = createNumbers(size, records.length);
  let [length, complete, overlapping] = [0, 0, 0];
  for (let place = 0; place < records.length; place += 1) {
    const code = records[place];
    const list = column[through === undefined ? code : through[code]];
    const list2 = column2[through2 === undefined ? code : through2[code]];
    const count = pool[list];
    const count2 = pool2[list2];
    if (count > 0 && count2 > 0) complete += 1;
    if (count > 1 || count2 > 1) overlapping += 1;
    // An empty list counts as one entry, whose number is 0.
    for (let each = count === 0 ? 0 : 1; each <= count; each += 1) {
      const one = each === 0 ? 0 : numberAt(first, list + each);
      if (length + count2 >= group.length) ({ group, record } = roomForEntries(buffers, length + count2 + 1));
      for (let each2 = count2 === 0 ? 0 : 1; each2 <= count2; each2 += 1) {
        group[length] = numberOf(numbers, one, each2 === 0 ? 0 : numberAt(second, list2 + each2));
        record[length++] = code;
      }
    }
  }
  return { length, group, record, keys: numbers.keys, complete, overlapping };
}

const numberAt = ({ pool, numberOf }: Dimension, place: number): number =>
  numberOf === undefined ? pool[place] : numberOf[pool[place]];

/** Consecutive numbers of pairs, in order of appearance: an open-addressing hash table. */
interface Numbers {
  /** Keys by number: the first of the pair times `size`, plus the second. */
  readonly keys: number[];
  readonly size: number;
  /** Numbers plus one. */
  table: Uint32Array;
  bits: number;
}

const [MIX, MIX2] = [0x9e3779b1, 0x85ebca6b];

/** A table for about as many pairs as records. */
function createNumbers(size: number, records: number): Numbers {
  const bits = Math.ceil(Math.log2(records + 1)) + 1;
  return { keys: [], size, table: new Uint32Array(2 ** bits), bits };
}

function numberOf(numbers: Numbers, one: number, other: number): number {
  const { keys, table, bits, size } = numbers;
  const key = one * size + other;
  const mask = table.length - 1;
  let slot = (Math.imul(one, MIX) + Math.imul(other, MIX2)) >>> (32 - bits);
  for (; table[slot] > 0; slot = (slot + 1) & mask) if (keys[table[slot] - 1] === key) return table[slot] - 1;
  table[slot] = keys.push(key);
  if (keys.length * 2 > table.length) grow(numbers);
  return keys.length - 1;
}

function grow(numbers: Numbers): void {
  const { keys, size } = numbers;
  numbers.bits += 1;
  const table = new Uint32Array(2 ** numbers.bits);
  const mask = table.length - 1;
  keys.forEach((key, number) => {
    let slot = (Math.imul(Math.floor(key / size), MIX) + Math.imul(key % size, MIX2)) >>> (32 - numbers.bits);
    while (table[slot] > 0) slot = (slot + 1) & mask;
    table[slot] = number + 1;
  });
  numbers.table = table;
}

function roomForEntries(buffers: EntryBuffers, length: number): EntryBuffers {
  buffers.group = roomFor(buffers.group, length);
  buffers.record = roomFor(buffers.record, length);
  return buffers;
}

/** Codes of the existing records of a type. */
export function liveCodes({ isLive }: Columns, { codes, length, live }: Columns['records'][number]): Uint32Array {
  if (live === length) return codes.subarray(0, length);
  const found = new Uint32Array(live);
  let count = 0;
  for (let place = 0; place < length; place += 1) {
    const code = codes[place];
    if (isLive[code] === 1) found[count++] = code;
  }
  return found;
}
