import { identityOf } from '../access/keys.ts';
import { assembleStore } from '../assemble-store.ts';
import type { Engine } from '../engine.ts';
import type { StoreOptions } from '../open.ts';
import { compactAll } from '../records/index-build.ts';
import { rebuildDerived } from '../records/rebuild-derived.ts';
import { createSearchModel, type ReadModel } from '../records/record-index.ts';
import type { Store } from '../store.ts';
import { analyticsInThread } from './analytics/analytics-thread.ts';
import { backUp } from './backup.ts';
import { createCheckpoints, ownCheckpoints, RECORDS_PAGES_MAX } from './checkpoints.ts';
import { countsPath } from './counts-file.ts';
import { createMovedFileCheck, createSchemaCheck, openDatabase } from './database.ts';
import { sqliteDialect } from './dialect.ts';
import { isSqliteFault, type Sqlite } from './driver.ts';
import { createGroupCommit, createLogSync } from './group-commit.ts';
import { createRunner } from './runner.ts';
import { createUsage, type SqliteUsage } from './usage.ts';

type SqliteOptions = Pick<StoreOptions, 'checkpointWorker' | 'analyticsWorker' | 'isServing'>;

export async function openSqliteEngine(
  path: string,
  now: () => Date,
  { checkpointWorker, analyticsWorker, isServing = false }: SqliteOptions = {},
): Promise<Engine & { readonly database: Sqlite; readonly counts: SqliteUsage }> {
  const connection = await openDatabase(path);
  const { database, lock } = connection;
  const checkpoints =
    checkpointWorker === undefined || database.memory
      ? ownCheckpoints
      : createCheckpoints(checkpointWorker, [database.name, countsPath(database)]);
  checkpoints.watch(database, RECORDS_PAGES_MAX);
  const log = createLogSync(database);
  const group = createGroupCommit(lock, { sync: log.sync, now });
  const runner = createRunner(connection, { commit: group.commit, sync: log.sync });
  const counts = createUsage(connection, { identity: () => runner.query(identityOf()), now, checkpoints });
  // An in-memory database is visible to one connection only.
  const thread =
    analyticsWorker === undefined || database.memory
      ? undefined
      : analyticsInThread(
          analyticsWorker,
          { task: async () => ({ file: database.name }), reach: async () => 0 },
          isServing,
        );
  const close = async (): Promise<void> => {
    await thread?.close();
    await counts.close();
    await group.drained();
    await log.close();
    await checkpoints.close();
    database.close();
  };
  const model = createSearchModel(database);
  const kinds = ['fields', 'facets', 'words', 'facts'] as const;
  await rebuildDerived({ dialect: sqliteDialect, runner, kinds, model });
  const readModel: ReadModel = { read: (program) => runner.snapshot(program(model)) };
  const compact = (): Promise<void> => compactAll(runner, model);
  const parts = {
    dialect: sqliteDialect,
    reader: runner,
    runner,
    indexing: model.index,
    compact,
    awaitFollowers: async () => {},
    readModel,
    analytics: thread,
  };
  return { ...parts, close, database, counts };
}

export async function openSqliteStore(path: string, now: () => Date, options?: SqliteOptions): Promise<Store> {
  const engine = await openSqliteEngine(path, now, options);
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

function createPing(database: Sqlite): () => void {
  const probe = database.prepare('SELECT 1 FROM settings LIMIT 1');
  const checkSchema = createSchemaCheck(database);
  const checkMoved = createMovedFileCheck(database);
  return () => {
    probe.get();
    checkSchema();
    checkMoved();
  };
}
