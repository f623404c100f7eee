import type { Database } from 'better-sqlite3';
import { type KeyLookup, type KeyRow, SAME_KEY_MAX, STARTING_MAX } from '../../search/identities.ts';
import { KEY } from '../../search/layers.ts';
import { searchTables } from './schema.ts';

export function createKeyLookup(database: Database, type: string): KeyLookup {
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
  return {
    same: (key) => same.all(key),
    starting: (after, before) => JSON.parse(starting.get(after, before) ?? '[]') as number[],
  };
}
