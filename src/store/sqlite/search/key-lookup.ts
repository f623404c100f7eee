import type { Database } from 'better-sqlite3';
import { createMemory, remembered } from '../../memory.ts';
import { type KeyLookup, type KeyRow, SAME_KEY_MAX, STARTING_MAX } from '../../search/identities.ts';
import { KEY } from '../../search/layers.ts';
import { searchTables } from './search-tables.ts';

/** Keys remembered from one search to the next. */
const REMEMBERED_MAX = 2_048;

/** A look-up that remembers what it found until the index changes. */
interface RememberingLookup extends KeyLookup {
  clear(): void;
}

export function createKeyLookup(database: Database, type: string): RememberingLookup {
  const { keys } = searchTables(type);
  const same = database.prepare<[string], KeyRow>(
    `SELECT ordinal, kind FROM ${keys} WHERE key = ? LIMIT ${SAME_KEY_MAX}`,
  );
  const starting = database
    // As one row: many small ones cost more to hand over than to find.
    .prepare<[string, string], string>(
      `SELECT json_group_array(ordinal) FROM (
        SELECT ordinal FROM ${keys} WHERE key > ? AND key < ? AND kind <= ${KEY.alias} LIMIT ${STARTING_MAX + 1}
      )`,
    )
    .pluck();
  const knownSame = createMemory<string, readonly KeyRow[]>(REMEMBERED_MAX);
  const knownStarting = createMemory<string, readonly number[]>(REMEMBERED_MAX);
  return {
    same: (key) => remembered(knownSame, key, (asked) => same.all(asked)),
    starting: (after, before) =>
      remembered(
        knownStarting,
        `${after}\0${before}`,
        () => JSON.parse(starting.get(after, before) ?? '[]') as number[],
      ),
    clear() {
      knownSame.clear();
      knownStarting.clear();
    },
  };
}
