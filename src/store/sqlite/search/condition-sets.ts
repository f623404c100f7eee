import type { Database, Statement } from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import { cached } from '../../cached.ts';
import { type Condition, LongSearch, type RecordCondition } from '../../search/search-index.ts';
import { addTo, bitmapUpTo } from '../bitmaps.ts';
import { searchTables } from './postings-table.ts';
import type { RowBudget } from './row-budget.ts';
import { countBits } from './sets.ts';

/** Bytes of cached bitmaps of a type: 64 filters of a million records. */
const CACHED_BYTES_MAX = 8_000_000;
const STATEMENTS_MAX = 32;
const SIZES_MAX = 1_024;

/**
 * Which records of a type satisfy conditions, as bitmaps by record id. Each filter is read once until the index changes;
 * conditions combine the same few filters anew.
 */
export function createConditionSets(database: Database, type: string, budget: RowBudget) {
  const { documents } = searchTables(type);
  const statements = new LRUCache<string, Statement<unknown[], string>>({ max: STATEMENTS_MAX });
  const bitmaps = new LRUCache<string, Uint32Array>({
    maxSize: CACHED_BYTES_MAX,
    sizeCalculation: ({ byteLength }) => byteLength,
  });
  /** Number of rows of each condition when it was last read; they stay when the index changes, as an estimate. */
  const sizes = new LRUCache<string, number>({ max: SIZES_MAX });
  const newestId = database.prepare<[], number>(`SELECT coalesce(max(id), 0) FROM ${type}`).pluck();
  const deleted: Condition = { sql: `SELECT id FROM ${type} WHERE deleted_at IS NOT NULL`, parameters: [] };
  // A build takes records from those pending before they are in the live index.
  const unindexed: Condition = {
    sql: `SELECT id FROM (
      SELECT id FROM search_pending WHERE type = ? AND reason <> 'named'
      UNION ALL SELECT ${type}.id FROM search_definitions AS build CROSS JOIN ${type} WHERE build.name = 'build'
    ) WHERE id NOT IN (SELECT id FROM ${documents})`,
    parameters: [type],
  };
  let last: number | undefined;

  function read({ sql, parameters }: Condition, key: string): Uint32Array {
    if ((sizes.get(key) ?? 0) > budget.left()) throw new LongSearch();
    last ??= newestId.get() ?? 0;
    const bits = bitmapUpTo(last);
    // As one row, because many small rows cost more to fetch than to find.
    const statement = cached(statements, sql, () =>
      database
        .prepare<unknown[], string>(
          `SELECT json_group_array(id) FROM (SELECT id FROM (${sql}) LIMIT CAST(? AS INTEGER))`,
        )
        .pluck(),
    );
    const ids = JSON.parse(statement.get(...parameters, budget.left() + 1) ?? '[]') as number[];
    sizes.set(key, ids.length);
    budget.take(ids.length);
    for (const id of ids) addTo(bits, id);
    return bits;
  }
  const bitmapOf = (condition: Condition): Uint32Array =>
    cached(bitmaps, [condition.sql, ...condition.parameters].join('\0'), (key) => read(condition, key));

  function find({ sets }: Pick<RecordCondition, 'sets'>, ...without: readonly Condition[]): Uint32Array {
    const [first, ...others] = sets.map(bitmapOf);
    const found = Uint32Array.from(first ?? []);
    for (const bits of others) for (let word = 0; word < found.length; word++) found[word] &= bits[word] ?? 0;
    for (const bits of without.map(bitmapOf))
      for (let word = 0; word < found.length; word++) found[word] &= ~(bits[word] ?? 0);
    return found;
  }

  return {
    /** The records that satisfy a condition. */
    all: (condition: RecordCondition): Uint32Array => find(condition, deleted),
    /** Number of records that are not in the index yet. */
    countUnindexed: (): number => countBits(find({ sets: [unindexed] }, deleted)),
    /** Those of them that are in the index. */
    indexed: (condition: RecordCondition): Uint32Array => find(condition, deleted, unindexed),
    clear(): void {
      bitmaps.clear();
      last = undefined;
    },
  };
}
