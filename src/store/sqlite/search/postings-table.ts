import type { Database } from 'better-sqlite3';
import { createAppender } from '../appender.ts';
import { type Block, DOC_ID_END, decodeBlock, encodeBlocks, idOfKey, keyOf } from './postings-codec.ts';
import { lowerBound } from './sets.ts';

/** Directory entry of a block: its key (`keyOf` of the list and the first id), number of ids, and its data if small. */
export interface BlockEntry {
  key: number;
  count: number;
  data: Uint8Array | null;
}

export interface BlockReader {
  /** The blocks of lists from `from` up to, excluding, `end`, in order. */
  directory(from: number, end: number): BlockEntry[];
  /** The directories of as many lists from each of some on; they do not overlap. */
  directories(from: readonly number[], lists: number): BlockEntry[][];
  /** The data of a block by its key; empty if there is none. */
  read(key: number): Uint8Array;
}

export interface PostingsTable extends BlockReader {
  /** Applies a change; idempotent. */
  change(list: number, change: PostingsChange): void;
  /** Whether any list from `from` up to, excluding, `end` is non-empty. */
  hasAny(from: number, end: number): boolean;
}

const INLINE_BYTES_MAX = 1_500;
/** Above `INLINE_BYTES_MAX`, so that a count and a size fit into one number. */
const SIZE_UNIT = 2_048;

export function createPostingsTable(database: Database, table: string): PostingsTable {
  const directory = database
    .prepare<[number, number], [number, number, Uint8Array | null]>(
      `SELECT key, count, CASE WHEN length(data) <= ${INLINE_BYTES_MAX} THEN data END AS data FROM ${table} WHERE key >= ? AND key < ?`,
    )
    .raw();
  // As one row, because a row with a blob costs more to fetch than to find.
  const directories = database
    .prepare<[string, number], DirectoriesRow>(
      `SELECT json_group_array(${table}.key),
        json_group_array(count * ${SIZE_UNIT} + iif(length(data) <= ${INLINE_BYTES_MAX}, length(data), 0)),
        CAST(group_concat(iif(length(data) <= ${INLINE_BYTES_MAX}, data, ''), '') AS BLOB)
      FROM json_each(?) AS range CROSS JOIN ${table}
      ON ${table}.key >= range.value AND ${table}.key < range.value + CAST(? AS INTEGER)`,
    )
    .raw();
  const read = database.prepare<[number], Uint8Array>(`SELECT data FROM ${table} WHERE key = ?`).pluck();
  const any = database
    .prepare<[number, number], number>(`SELECT 1 FROM ${table} WHERE key >= ? AND key < ? LIMIT 1`)
    .pluck();
  const write = database.prepare<[number, number, Uint8Array]>(
    `INSERT OR REPLACE INTO ${table} (key, count, data) VALUES (?, ?, ?)`,
  );
  const erase = database.prepare<[number]>(`DELETE FROM ${table} WHERE key = ?`);
  const put = (list: number, { first, count, data }: Block) => write.run(keyOf(list, first), count, data);

  const lists: PostingsTable = {
    directory: (from, end) =>
      directory.all(keyOf(from, 0), keyOf(end, 0)).map(([key, count, data]) => ({ key, count, data })),
    directories(from, count) {
      const starts = from.map((list) => keyOf(list, 0));
      const row = directories.get(`[${starts.join()}]`, keyOf(count, 0));
      return row === undefined ? [] : entriesByRange(starts, keyOf(count, 0), row);
    },
    read: (key) => read.get(key) ?? new Uint8Array(),
    hasAny: (from, end) => any.get(keyOf(from, 0), keyOf(end, 0)) !== undefined,
    change(list, change) {
      for (const { entry, blocks } of changedBlocks(lists, lists.directory(list, list + 1), change)) {
        if (blocks === undefined) continue;
        if (entry && !blocks.some(({ first }) => keyOf(list, first) === entry.key)) erase.run(entry.key);
        for (const block of blocks) put(list, block);
      }
    },
  };
  return lists;
}

/** All keys, their counts with the sizes of their data, and the data. */
type DirectoriesRow = [keys: string, sizes: string, data: Uint8Array | null];

/** The entries of one row, which follow each other by range. */
function entriesByRange(
  starts: readonly number[],
  length: number,
  [keys, sizes, data]: DirectoriesRow,
): BlockEntry[][] {
  const found: BlockEntry[][] = starts.map(() => []);
  const sizeAt = JSON.parse(sizes) as number[];
  const { buffer, byteOffset } = data ?? new Uint8Array();
  let offset = byteOffset;
  let range = 0;
  for (const [index, key] of (JSON.parse(keys) as number[]).entries()) {
    while (key < starts[range] || key >= starts[range] + length) range++;
    const size = sizeAt[index] % SIZE_UNIT;
    const own = size === 0 ? null : new Uint8Array(buffer, offset, size);
    offset += size;
    found[range].push({ key, count: Math.floor(sizeAt[index] / SIZE_UNIT), data: own });
  }
  return found;
}

/** Writes posting lists in order into an empty table; yields after each. */
export function* fillPostingsTable(
  database: Database,
  table: string,
  lists: Iterable<readonly [list: number, docIds: Uint32Array]>,
): Generator<void> {
  const rows = createAppender(database, table, ['key', 'count', 'data']);
  for (const [list, docIds] of lists) {
    for (const { first, count, data } of encodeBlocks(docIds)) rows.add([keyOf(list, first), count, data]);
    yield;
  }
  rows.flush();
}

/** Document ids to add and remove, ascending, distinct and disjoint. Applying a change is idempotent. */
export interface PostingsChange {
  readonly added: Uint32Array;
  readonly removed: Uint32Array;
}

/** Replacement of a block; undefined if it is unchanged. */
interface ChangedBlock {
  /** Undefined for a list that was empty. */
  readonly entry: BlockEntry | undefined;
  readonly blocks: readonly Block[] | undefined;
}

/** The blocks of a list after a change, in order. */
export function* changedBlocks(
  reader: Pick<BlockReader, 'read'>,
  entries: readonly BlockEntry[],
  change: PostingsChange,
): Generator<ChangedBlock> {
  if (entries.length === 0) yield { entry: undefined, blocks: encodeBlocks(change.added) };
  // Each block gets the ids before the next block; the first also those before itself.
  let left = change;
  for (const [place, entry] of entries.entries()) {
    const next = entries[place + 1];
    const [here, rest] = cut(left, next === undefined ? DOC_ID_END : idOfKey(next.key));
    const isTouched = here.added.length > 0 || here.removed.length > 0;
    yield { entry, blocks: isTouched ? rewritten(entry, entry.data ?? reader.read(entry.key), here) : undefined };
    left = rest;
  }
}

function rewritten({ key, count }: BlockEntry, data: Uint8Array, { added, removed }: PostingsChange): Block[] {
  const old = new Uint32Array(count);
  decodeBlock(idOfKey(key), data, old, 0);
  const merged = merge(old, added, removed);
  const blocks = encodeBlocks(merged);
  if (blocks.length < 2 || !isGrownInside(old, added[0])) return blocks;
  const half = merged.length >>> 1;
  return [...encodeBlocks(merged.subarray(0, half)), ...encodeBlocks(merged.subarray(half))];
}

function cut({ added, removed }: PostingsChange, border: number): [PostingsChange, PostingsChange] {
  const addedEnd = lowerBound(added, border);
  const removedEnd = lowerBound(removed, border);
  return [
    { added: added.subarray(0, addedEnd), removed: removed.subarray(0, removedEnd) },
    { added: added.subarray(addedEnd), removed: removed.subarray(removedEnd) },
  ];
}

/** A full block that grows in the middle is split in half; one that grows at its end stays full. */
const isGrownInside = (old: Uint32Array, added: number | undefined): boolean =>
  added !== undefined && old.length > 0 && added < old[old.length - 1];

function merge(old: Uint32Array, added: Uint32Array, removed: Uint32Array): Uint32Array {
  const merged = new Uint32Array(old.length + added.length);
  let length = 0;
  let addedIndex = 0;
  let removedIndex = 0;
  for (let index = 0; index < old.length || addedIndex < added.length; ) {
    const isOld = addedIndex >= added.length || (index < old.length && old[index] <= added[addedIndex]);
    const docId = isOld ? old[index++] : added[addedIndex++];
    if (length > 0 && merged[length - 1] === docId) continue;
    while (removedIndex < removed.length && removed[removedIndex] < docId) removedIndex++;
    if (removed[removedIndex] !== docId) merged[length++] = docId;
  }
  return merged.subarray(0, length);
}

export const searchTables = (type: string) => ({
  documents: `${type}_search_documents`,
  keys: `${type}_search_keys`,
  lists: `${type}_search_lists`,
});

/** One dictionary for all types, so that a typo is resolved once per search. */
export const TERMS_TABLE = 'search_terms';
export const DELETIONS_TABLE = 'search_deletions';
export const GRAMS_TABLE = 'search_grams';
export const INFIXES_TABLE = 'search_infixes';
export const SIZES_TABLE = 'search_sizes';
/** Sorted runs not yet merged, and merge progress. */
export const RUNS_TABLE = 'search_runs';
export const MERGES_TABLE = 'search_merges';
/** Row of the sizes with the index epoch. */
export const EPOCH_TYPE = '';
