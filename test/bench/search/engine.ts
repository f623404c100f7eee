import { rmSync } from 'node:fs';
import { RECORD_TYPES, type RecordType } from '../../../src/contract/entities/index.ts';
import type { SearchIndex } from '../../../src/store/search/search-index.ts';
import { openDatabase } from '../../../src/store/sqlite/database.ts';
import type { Sqlite } from '../../../src/store/sqlite/driver.ts';
import { createSqliteSearchIndex } from '../../../src/store/sqlite/search/sqlite-search-index.ts';

export interface Bench {
  readonly database: Sqlite;
  readonly index: SearchIndex<RecordType>;
  close(): void;
}

/** A new database of the product's own schema, and its search index; it is deleted at the end. */
export async function openBench(path: string): Promise<Bench> {
  const remove = (): void => {
    for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
  };
  remove();
  const { database } = await openDatabase(path);
  return {
    database,
    index: createSqliteSearchIndex(database, RECORD_TYPES),
    close: () => {
      database.close();
      remove();
    },
  };
}
