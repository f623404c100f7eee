import type { Columns } from './columns.ts';
import { type Dimension, type SharedLists, VALUES_MAX } from './dimensions.ts';

/** Records sorted into cells: each entry is a record in a cell, and a cell counts towards one or several groups. */
export interface Cells {
  /** Cell of each entry. */
  readonly cell: Uint32Array;
  /** Record of each entry; sorted by record if each has one entry. */
  readonly record: Uint32Array;
  readonly size: number;
  /** Group key of each cell, if cells and groups correspond one to one. */
  readonly keys?: readonly number[];
  /** Group keys of a cell. */
  groupsOf(cell: number): readonly number[];
  /** Whether records of a cell have a value in every dimension. */
  isComplete(cell: number): boolean;
}

/** Combinations of shared lists are used only if far fewer than records, because each costs more than a record. */
const SHARED_CELLS_MIN = 1_024;
const RECORDS_A_CELL = 8;

/** A group of one or two dimensions as one number. */
const groupKey = ([, second]: readonly Dimension[]) =>
  second === undefined ? (one: number) => one : (one: number, other: number) => one * second.size + other;

/** The value numbers of a group key. */
export function numbersOfKey([, second]: readonly Dimension[], key: number): number[] {
  return second === undefined ? [key] : [Math.floor(key / second.size), key % second.size];
}

export function sortIntoCells(dimensions: readonly Dimension[], records: Uint32Array): Cells {
  const shared = dimensions.flatMap((dimension) => dimension.shared ?? []);
  const size = shared.reduce((product, { size }) => product * size, 1);
  const isFewLists = size <= Math.max(SHARED_CELLS_MIN, records.length / RECORDS_A_CELL);
  return shared.length === dimensions.length && isFewLists
    ? byLists(dimensions, shared, { records, size })
    : byValues(dimensions, records);
}

/** One entry per record: its cell is the combination of its lists. */
function byLists(
  dimensions: readonly Dimension[],
  [first, second]: readonly SharedLists[],
  { records, size }: { readonly records: Uint32Array; readonly size: number },
): Cells {
  const cell = new Uint32Array(records.length);
  if (first !== undefined) addLists(cell, records, first, second?.size ?? 1);
  if (second !== undefined) addLists(cell, records, second, 1);
  const secondSize = second?.size ?? 1;
  const key = groupKey(dimensions);
  const listsOf = (of: number): [number, number] => [Math.floor(of / secondSize), of % secondSize];
  return {
    cell,
    record: records,
    size,
    groupsOf: (of) => {
      const [one, other] = listsOf(of);
      const others = second === undefined ? NOTHING : orNothing(second.numbersOf(other));
      return orNothing(first?.numbersOf(one) ?? []).flatMap((number) => others.map((each) => key(number, each)));
    },
    isComplete: (of) => {
      const [one, other] = listsOf(of);
      // List 0 is empty.
      return one > 0 && (second === undefined || other > 0);
    },
  };
}

function addLists(cell: Uint32Array, records: Uint32Array, { column, through }: SharedLists, factor: number): void {
  const { length } = records;
  if (through === undefined) {
    for (let entry = 0; entry < length; entry += 1) cell[entry] += column[records[entry]] * factor;
  } else {
    for (let entry = 0; entry < length; entry += 1) cell[entry] += column[through[records[entry]]] * factor;
  }
}

const NOTHING: readonly number[] = [0];
const orNothing = (numbers: readonly number[]): readonly number[] => (numbers.length === 0 ? NOTHING : numbers);

/** Maximum number of group keys for an array; a map is used beyond. */
const KEYS_IN_ARRAY_MAX = 2 ** 22;

/** One entry per record and group: its cell is the group. */
function byValues(dimensions: readonly Dimension[], records: Uint32Array): Cells {
  const [first, second] = dimensions as readonly [Dimension, Dimension | undefined];
  const ones = new Uint32Array(VALUES_MAX);
  const others = new Uint32Array(VALUES_MAX);
  const keys: number[] = [];
  const cellOf = numbering(first.size * (second?.size ?? 1), keys);
  let cell = new Uint32Array(records.length * 2);
  let record = new Uint32Array(records.length * 2);
  let length = 0;
  for (const code of records) {
    const oneCount = readOrNothing(first, code, ones);
    const otherCount = second === undefined ? 1 : readOrNothing(second, code, others);
    if (length + oneCount * otherCount > cell.length) {
      cell = longer(cell, length + oneCount * otherCount);
      record = longer(record, cell.length);
    }
    for (let one = 0; one < oneCount; one += 1) {
      for (let other = 0; other < otherCount; other += 1) {
        cell[length] = cellOf(second === undefined ? ones[one] : ones[one] * second.size + others[other]);
        record[length++] = code;
      }
    }
  }
  return {
    cell: cell.subarray(0, length),
    record: record.subarray(0, length),
    size: keys.length,
    keys,
    groupsOf: (of) => [keys[of]],
    isComplete: (of) => numbersOfKey(dimensions, keys[of]).every((number) => number > 0),
  };
}

function readOrNothing(dimension: Dimension, code: number, into: Uint32Array): number {
  const count = dimension.read(code, into);
  if (count > 0) return count;
  into[0] = 0;
  return 1;
}

function longer(array: Uint32Array, length: number): Uint32Array<ArrayBuffer> {
  const copy = new Uint32Array(Math.max(length, array.length * 2));
  copy.set(array);
  return copy;
}

/** Assigns consecutive numbers to keys in order of appearance, and appends them to `keys`. */
function numbering(size: number, keys: number[]): (key: number) => number {
  if (size <= KEYS_IN_ARRAY_MAX) {
    const numbers = new Uint32Array(size);
    return (key) => {
      if (numbers[key] === 0) numbers[key] = keys.push(key);
      return numbers[key] - 1;
    };
  }
  const numbers = new Map<number, number>();
  return (key) => {
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, keys.length);
    return keys.push(key) - 1;
  };
}

/** Codes of the existing records of a type, ascending. */
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
