import type { Database } from 'better-sqlite3';
import { decodeSegment, encodeSegments, ORDINAL_END, type Segment } from './segments.ts';
import { placeIn } from './sets.ts';

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
  const keys = database
    .prepare<[number, number], number>(`SELECT key FROM ${table} WHERE key >= ? AND key < ?`)
    .pluck();
  const stored = database
    .prepare<[number], [number, Uint8Array]>(`SELECT count, data FROM ${table} WHERE key = ?`)
    .raw();
  const write = database.prepare<[number, number, Uint8Array]>(
    `INSERT OR REPLACE INTO ${table} (key, count, data) VALUES (?, ?, ?)`,
  );
  const erase = database.prepare<[number]>(`DELETE FROM ${table} WHERE key = ?`);

  const put = (list: number, { first, count, data }: Segment) => write.run(keyOf(list, first), count, data);
  const fill = (list: number, added: Uint32Array) => {
    for (const segment of encodeSegments(added)) put(list, segment);
  };

  const rewrite = (list: number, key: number, { added, removed }: Change) => {
    const [count, data] = stored.get(key) ?? [0, NOTHING_STORED];
    const old = new Uint32Array(count);
    decodeSegment(firstOfKey(key), data, old, 0);
    const merged = merge(old, added, removed);
    if (merged.length === 0 || keyOf(list, merged[0]) !== key) erase.run(key);
    const segments = encodeSegments(merged);
    if (segments.length > 1 && isGrownInside(old, added[0])) {
      fill(list, merged.subarray(0, merged.length >>> 1));
      fill(list, merged.subarray(merged.length >>> 1));
    } else for (const segment of segments) put(list, segment);
  };

  return {
    directory: (from, end) =>
      directory.all(keyOf(from, 0), keyOf(end, 0)).map(([key, count, data]) => ({ key, count, data })),
    read: (key) => read.get(key) ?? new Uint8Array(),
    fill,
    change(list, added, removed) {
      const segments = keys.all(keyOf(list, 0), keyOf(list + 1, 0));
      if (segments.length === 0) fill(list, added);
      // Each segment with the ordinals that lie before the next one; the first also with those before itself.
      let change: Change = { added, removed };
      for (const [place, key] of segments.entries()) {
        if (change.added.length === 0 && change.removed.length === 0) break;
        const next = segments[place + 1];
        const border = next === undefined ? ORDINAL_END : firstOfKey(next);
        const [here, rest] = cut(change, border);
        if (here.added.length > 0 || here.removed.length > 0) rewrite(list, key, here);
        change = rest;
      }
    },
  };
}

/** Ordinals to add and to remove, both ascending. */
interface Change {
  added: Uint32Array;
  removed: Uint32Array;
}

const NOTHING_STORED = new Uint8Array();

/** What lies before a border, and the rest. */
function cut({ added, removed }: Change, border: number): [Change, Change] {
  const addedEnd = placeIn(added, border);
  const removedEnd = placeIn(removed, border);
  return [
    { added: added.subarray(0, addedEnd), removed: removed.subarray(0, removedEnd) },
    { added: added.subarray(addedEnd), removed: removed.subarray(removedEnd) },
  ];
}

/** A full segment that grows inside is halved, so that it has room again; one that grows at its end is left full. */
function isGrownInside(old: Uint32Array, added: number | undefined): boolean {
  return added !== undefined && old.length > 0 && added < old[old.length - 1];
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
