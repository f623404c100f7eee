import { rmSync } from 'node:fs';
import type { SearchIndex } from '../../../src/store/search/search-index.ts';
import { openDatabase } from '../../../src/store/sqlite/database.ts';
import type { Sqlite } from '../../../src/store/sqlite/driver.ts';
import { createSearchIndex } from '../../../src/store/sqlite/search/sqlite-search-index.ts';

export interface Bench {
  readonly database: Sqlite;
  readonly index: SearchIndex;
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
    index: createSearchIndex(database),
    close: () => {
      database.close();
      remove();
    },
  };
}
