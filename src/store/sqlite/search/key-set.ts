import type { Database } from 'better-sqlite3';
import { createAppender } from '../appender.ts';
import type { KeySorter } from './key-sorter.ts';
import { idOfKey, keyOf } from './postings-codec.ts';

/** Two rows in a page. */
const ROW_KEYS = 240;
const ROW_KEYS_MAX = 2 * ROW_KEYS;
const BYTES = Float64Array.BYTES_PER_ELEMENT;
/** Of the row that holds keys below all others. */
const FIRST_ROW = 0;

interface Row {
  readonly key: number;
  readonly keys: Uint8Array;
  /** The number of the row behind it. */
  readonly next: number | null;
}

/** A set of keys (`keyOf`) in one table, many in each sorted row; a row for each would take six times as long. */
export function createKeySet(database: Database, table: string) {
  const between = database
    .prepare<[number, number], Uint8Array>(
      `SELECT keys FROM ${table} WHERE key >= (SELECT max(key) FROM ${table} WHERE key <= ?) AND key < ? ORDER BY key`,
    )
    .pluck();
  const find = database.prepare<[number], Row>(
    `SELECT key, keys, (SELECT min(behind.key) FROM ${table} AS behind WHERE behind.key > found.key) AS next
      FROM ${table} AS found WHERE key <= ? ORDER BY key DESC LIMIT 1`,
  );
  const write = database.prepare<[number, Uint8Array]>(`INSERT OR REPLACE INTO ${table} (key, keys) VALUES (?, ?)`);
  const keysOf = (from: number, to: number): number[] => {
    const [first, end] = [keyOf(from, 0), keyOf(to, 0)];
    const found: number[] = [];
    for (const data of between.all(first, end)) {
      const keys = keysOfRow(data);
      for (let index = firstKeyFrom(keys, first); keys[index] < end; index++) found.push(keys[index]);
    }
    return found;
  };
  return {
    idsOf: (list: number): number[] => keysOf(list, list + 1).map(idOfKey),
    /** The keys of lists from `from` up to, excluding, `end`, in order. */
    keysOf,
    /** Adds or removes keys by their value. Idempotent. */
    change(changes: ReadonlyMap<number, boolean>): void {
      const changed = Float64Array.from(changes.keys()).sort();
      for (let start = 0; start < changed.length; ) {
        const row = find.get(changed[start]);
        const end = firstKeyFrom(changed, row?.next ?? Infinity);
        const keys = merge(keysOfRow(row?.keys ?? new Uint8Array()), changed.subarray(start, end), changes);
        const length = keys.length > ROW_KEYS_MAX ? ROW_KEYS : ROW_KEYS_MAX;
        for (let index = 0; index === 0 || index < keys.length; index += length)
          write.run(index === 0 ? (row?.key ?? FIRST_ROW) : keys[index], bytesOf(keys.subarray(index, index + length)));
        start = end;
      }
    },
  };
}

/** Writes the keys of a sorter into an empty table; yields after each row. */
export function* fillKeySet(database: Database, table: string, sorter: Pick<KeySorter, 'keys'>): Generator<void> {
  const rows = createAppender(database, table, ['key', 'keys']);
  let isFirst = true;
  for (const keys of sorter.keys(ROW_KEYS)) {
    rows.add([isFirst ? FIRST_ROW : keys[0], bytesOf(keys)]);
    isFirst = false;
    yield;
  }
  rows.flush();
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Float64Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** A view, or a copy where the bytes are not aligned. */
function keysOfRow(data: Uint8Array): Float64Array {
  const { buffer, byteOffset, byteLength } = data;
  return byteOffset % BYTES === 0
    ? new Float64Array(buffer, byteOffset, byteLength / BYTES)
    : new Float64Array(data.slice().buffer);
}

/** The index of the first key that is not below `key`. */
export function firstKeyFrom(keys: Float64Array, key: number): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (keys[middle] < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

function merge(old: Float64Array, changed: Float64Array, changes: ReadonlyMap<number, boolean>): Float64Array {
  const merged = new Float64Array(old.length + changed.length);
  let length = 0;
  let index = 0;
  for (const key of changed) {
    while (old[index] < key) merged[length++] = old[index++];
    if (old[index] === key) index++;
    if (changes.get(key)) merged[length++] = key;
  }
  while (index < old.length) merged[length++] = old[index++];
  return merged.subarray(0, length);
}
