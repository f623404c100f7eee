import type { Database } from 'better-sqlite3';
import { decodeSegment, encodeSegments, ORDINAL_END } from './segments.ts';

/** One segment as the directory of a list tells it; small ones bring their data. */
export interface Entry {
  key: number;
  count: number;
  data: Uint8Array | null;
}

/** Sorted lists of ordinals in one table. A list is a number of its own. */
export interface Lists {
  /** The segments of lists `from` up to and without `end`, in order. */
  directory(from: number, end: number): Entry[];
  read(key: number): Uint8Array;
  /** Adds and removes ordinals, both ascending and without repeats. */
  change(list: number, added: Uint32Array, removed: Uint32Array): void;
  /** As `change` with nothing removed, for a list known to be empty. */
  fill(list: number, added: Uint32Array): void;
}

const INLINE_BYTES_MAX = 1_500;

export const listOfKey = (key: number): number => Math.floor(key / ORDINAL_END);
export const firstOfKey = (key: number): number => key % ORDINAL_END;
const keyOf = (list: number, ordinal: number): number => list * ORDINAL_END + ordinal;

export function createLists(database: Database, table: string): Lists {
  const directory = database
    .prepare<[number, number], [number, number, Uint8Array | null]>(
      `SELECT key, count, CASE WHEN length(data) <= ${INLINE_BYTES_MAX} THEN data END AS data FROM ${table} WHERE key >= ? AND key < ?`,
    )
    .raw();
  const read = database.prepare<[number], Uint8Array>(`SELECT data FROM ${table} WHERE key = ?`).pluck();
  const before = database.prepare<[number, number], Stored>(
    `SELECT key, count, data FROM ${table} WHERE key <= ? AND key >= ? ORDER BY key DESC LIMIT 1`,
  );
  const after = database.prepare<[number, number], Stored>(
    `SELECT key, count, data FROM ${table} WHERE key > ? AND key < ? ORDER BY key LIMIT 1`,
  );
  const firstTwo = database.prepare<[number, number], Stored>(
    `SELECT key, count, data FROM ${table} WHERE key >= ? AND key < ? LIMIT 2`,
  );
  const write = database.prepare<[number, number, Uint8Array]>(
    `INSERT OR REPLACE INTO ${table} (key, count, data) VALUES (?, ?, ?)`,
  );
  const erase = database.prepare<[number]>(`DELETE FROM ${table} WHERE key = ?`);

  const fill = (list: number, added: Uint32Array) => {
    for (const segment of encodeSegments(added)) write.run(keyOf(list, segment.first), segment.count, segment.data);
  };

  const rewrite = (list: number, segment: Stored | undefined, added: Uint32Array, removed: Uint32Array) => {
    const old = segment ? decode(segment) : NOTHING;
    const merged = merge(old, added, removed);
    if (segment && (merged.length === 0 || keyOf(list, merged[0]) !== segment.key)) erase.run(segment.key);
    const half = isGrownInside(old, added[0]) && encodeSegments(merged).length > 1 ? merged.length >>> 1 : 0;
    fill(list, merged.subarray(0, half));
    fill(list, merged.subarray(half));
  };

  /** One segment after the other, each with the ordinals that lie before the next one. */
  const changeLong = (list: number, added: Uint32Array, removed: Uint32Array) => {
    const start = keyOf(list, 0);
    const end = keyOf(list + 1, 0);
    let addedIndex = 0;
    let removedIndex = 0;
    while (addedIndex < added.length || removedIndex < removed.length) {
      const next = keyOf(list, Math.min(added[addedIndex] ?? ORDINAL_END, removed[removedIndex] ?? ORDINAL_END));
      const segment = before.get(next, start) ?? after.get(next, end);
      const border = segment ? (after.get(Math.max(segment.key, next), end)?.key ?? end) : end;
      const addedEnd = runEnd(added, addedIndex, border - start);
      const removedEnd = runEnd(removed, removedIndex, border - start);
      rewrite(list, segment, added.subarray(addedIndex, addedEnd), removed.subarray(removedIndex, removedEnd));
      addedIndex = addedEnd;
      removedIndex = removedEnd;
    }
  };

  return {
    directory: (from, end) =>
      directory.all(keyOf(from, 0), keyOf(end, 0)).map(([key, count, data]) => ({ key, count, data })),
    read: (key) => read.get(key) ?? new Uint8Array(),
    fill,
    change(list, added, removed) {
      // Most lists are one segment: two statements, where the general way takes four.
      const few = firstTwo.all(keyOf(list, 0), keyOf(list + 1, 0));
      if (few.length < 2) rewrite(list, few[0], added, removed);
      else changeLong(list, added, removed);
    },
  };
}

const NOTHING = new Uint32Array();

interface Stored {
  key: number;
  count: number;
  data: Uint8Array;
}

function decode(segment: Stored): Uint32Array {
  const ordinals = new Uint32Array(segment.count);
  decodeSegment(firstOfKey(segment.key), segment.data, ordinals, 0);
  return ordinals;
}

/** A full segment that grows inside is halved, so that it has room again; one that grows at its end is left full. */
function isGrownInside(old: Uint32Array, added: number | undefined): boolean {
  return added !== undefined && old.length > 0 && added < old[old.length - 1];
}

function runEnd(ordinals: Uint32Array, start: number, border: number): number {
  let end = start;
  while (end < ordinals.length && ordinals[end] < border) end++;
  return end;
}

function merge(old: Uint32Array, added: Uint32Array, removed: Uint32Array): Uint32Array {
  const merged = new Uint32Array(old.length + added.length);
  let length = 0;
  let addedIndex = 0;
  let removedIndex = 0;
  for (let index = 0; index < old.length || addedIndex < added.length; ) {
    const isOld = addedIndex >= added.length || (index < old.length && old[index] <= added[addedIndex]);
    const ordinal = isOld ? old[index++] : added[addedIndex++];
    if (length > 0 && merged[length - 1] === ordinal) continue;
    while (removedIndex < removed.length && removed[removedIndex] < ordinal) removedIndex++;
    if (removed[removedIndex] !== ordinal) merged[length++] = ordinal;
  }
  return merged.subarray(0, length);
}
