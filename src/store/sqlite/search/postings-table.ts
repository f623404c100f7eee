import type { Database } from 'better-sqlite3';
import { createAppender } from '../appender.ts';
import { changedBlocks, type PostingsChange } from './postings-change.ts';
import { type Block, encodeBlocks, keyOf } from './postings-codec.ts';

/** Directory entry of a block: its key (`keyOf` of the list and the first id), number of ids, and its data if small. */
export interface BlockEntry {
  key: number;
  count: number;
  data: Uint8Array | null;
}

/** Reads the blocks of posting lists, which are identified by numbers. */
export interface BlockReader {
  /** The blocks of lists from `from` up to, excluding, `end`, in order. */
  directory(from: number, end: number): BlockEntry[];
  /** The directories of as many lists from each of some on. */
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

export function createPostingsTable(database: Database, table: string): PostingsTable {
  const directory = database
    .prepare<[number, number], [number, number, Uint8Array | null]>(
      `SELECT key, count, CASE WHEN length(data) <= ${INLINE_BYTES_MAX} THEN data END AS data FROM ${table} WHERE key >= ? AND key < ?`,
    )
    .raw();
  // As one row, because a row with a blob costs more to fetch than to find.
  const directories = database
    .prepare<
      [string, number],
      [ranges: string, keys: string, counts: string, lengths: string, data: Uint8Array | null]
    >(
      `SELECT json_group_array(range), json_group_array(key), json_group_array(count), json_group_array(length(data)),
        CAST(group_concat(data, '') AS BLOB)
      FROM (
        SELECT range.key AS range, ${table}.key, count, CASE WHEN length(data) <= ${INLINE_BYTES_MAX} THEN data ELSE '' END AS data
        FROM json_each(?) AS range CROSS JOIN ${table}
        ON ${table}.key >= range.value AND ${table}.key < range.value + CAST(? AS INTEGER)
      )`,
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
      const row = directories.get(JSON.stringify(from.map((list) => keyOf(list, 0))), keyOf(count, 0));
      return row === undefined ? [] : entriesByRange(from.length, row);
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

/** The entries of one row of all, by their range. */
function entriesByRange(
  length: number,
  [ranges, keys, counts, lengths, data]: readonly [string, string, string, string, Uint8Array | null],
): BlockEntry[][] {
  const found: BlockEntry[][] = Array.from({ length }, () => []);
  const [rangeOf, keyAt, countAt, lengthAt] = [ranges, keys, counts, lengths].map(
    (json) => JSON.parse(json) as number[],
  );
  const { buffer, byteOffset } = data ?? new Uint8Array();
  let offset = byteOffset;
  for (let index = 0; index < keyAt.length; index++) {
    const size = lengthAt[index];
    const own = size === 0 ? null : new Uint8Array(buffer, offset, size);
    offset += size;
    found[rangeOf[index]].push({ key: keyAt[index], count: countAt[index], data: own });
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
