import { assembleStore } from '../assemble.ts';
import type { Engine } from '../engine.ts';
import type { Store } from '../store.ts';
import { backUp } from './backup.ts';
import { openDatabase, type Sqlite } from './database.ts';
import { sqliteDialect } from './dialect.ts';
import { isSqliteFault } from './faults.ts';
import { createGroupCommit, type GroupCommit } from './group-commit.ts';
import { createPing } from './ping.ts';
import { createRunner } from './runner.ts';
import { createUsage } from './usage.ts';
import { createWords } from './words.ts';

/** Opens the database of a file, with what stores are built on. */
export function openSqliteEngine(path: string, now: () => Date): Engine & { database: Sqlite; commit: GroupCommit } {
  const database = openDatabase(path);
  const commit = createGroupCommit(database, now);
  const runner = createRunner(database, commit);
  const close = async (): Promise<void> => void database.close();
  return { dialect: sqliteDialect, words: createWords(database), reader: runner, runner, close, database, commit };
}

/** Opens a store in an SQLite file, or in memory for the path `:memory:`. */
export function openSqliteStore(path: string, now: () => Date): Promise<Store> {
  const engine = openSqliteEngine(path, now);
  const { database, commit } = engine;
  const { usage, writeOwed } = createUsage(database, commit, now);
  const close = async (): Promise<void> => {
    // When there is still no space, the file must be closed all the same.
    await writeOwed().catch(() => undefined);
    await engine.close();
  };
  const own = { usage, ping: createPing(database), backUp: (file: string) => backUp(database, file) };
  return assembleStore({ engine: { ...engine, close }, isFault: isSqliteFault, ...own }, now);
}
