import { assembleStore } from '../assemble.ts';
import type { Engine } from '../engine.ts';
import { identityOf } from '../identity.ts';
import type { Store } from '../store.ts';
import { backUp } from './backup.ts';
import { openDatabase } from './database.ts';
import { sqliteDialect } from './dialect.ts';
import type { Sqlite } from './driver.ts';
import { isSqliteFault } from './faults.ts';
import { createGroupCommit } from './group-commit.ts';
import { createLogSync } from './log-sync.ts';
import { createPing } from './ping.ts';
import { createRunner } from './runner.ts';
import { createUsage, type SqliteUsage } from './usage.ts';
import { createWords } from './words.ts';

/** Opens the database of a file, with what stores are built on. */
export function openSqliteEngine(path: string, now: () => Date): SqliteEngine {
  const database = openDatabase(path);
  const log = createLogSync(database);
  const group = createGroupCommit(database, { sync: log.sync, now });
  const runner = createRunner(database, { commit: group.commit, sync: log.sync });
  const counts = createUsage(database, { identity: () => runner.ask(identityOf()), now });
  const close = async (): Promise<void> => {
    await counts.close();
    await group.drained();
    await log.close();
    database.close();
  };
  return { dialect: sqliteDialect, words: createWords(database), reader: runner, runner, close, database, counts };
}

interface SqliteEngine extends Engine {
  readonly database: Sqlite;
  readonly counts: SqliteUsage;
}

/** Opens a store in an SQLite file, or in memory for the path `:memory:`. */
export function openSqliteStore(path: string, now: () => Date): Promise<Store> {
  const engine = openSqliteEngine(path, now);
  const { database, counts } = engine;
  const pingDatabase = createPing(database);
  const own = {
    usage: counts.usage,
    ping: async () => {
      pingDatabase();
      counts.ping();
    },
    status: () => ({}),
    backUp: async (file: string) => {
      await counts.fold();
      return backUp(database, file);
    },
  };
  return assembleStore({ engine, isFault: isSqliteFault, ...own }, now);
}
