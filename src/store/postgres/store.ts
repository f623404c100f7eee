import { ServiceError } from '../../contract/errors.ts';
import { assembleStore } from '../assemble.ts';
import type { Engine } from '../engine.ts';
import { createLocalIndex, type LocalIndex } from '../follow/local-index.ts';
import type { StoreOptions } from '../open.ts';
import { rebuildDerived } from '../records/derived.ts';
import type { Document } from '../records/document.ts';
import { allLists, type SqlProgram } from '../sql/program.ts';
import type { Runner } from '../sql/runner.ts';
import { answerInThread } from '../sqlite/answers/answer-thread.ts';
import { isSqliteFault } from '../sqlite/database-errors.ts';
import type { ConnectionCounts, Store, StoreStatus } from '../store.ts';
import { changeLog } from './change-log.ts';
import { openPool, type Pool } from './connections.ts';
import { isPostgresFault } from './database-errors.ts';
import { postgresDialect } from './dialect.ts';
import { HURRY_SQL, listenForChanges } from './notifications.ts';
import { refuseTransactionPooler } from './pooler.ts';
import { createRecalledKeys } from './recalled-keys.ts';
import { type ReplicaLag, watchReplicaLag } from './replica-lag.ts';
import { createRunner } from './runner.ts';
import { migrate, newerSchema, SCHEMA_VERSION } from './schema.ts';
import { createUsage } from './usage.ts';

/** Beyond, records are not read from a replica, unless the options say otherwise. */
const REPLICA_LAG_MAX_SECONDS = 30;

interface PostgresEngine extends Engine {
  readonly index: LocalIndex;
  status(): StoreStatus;
}

/** Opens a PostgreSQL database, with what stores are built on, and brings its schema up to date. */
export async function openPostgresEngine(url: string, options: StoreOptions = {}): Promise<PostgresEngine> {
  const { readUrl, connections } = options;
  const pool = openPool(url, connections);
  const readPool = readUrl === undefined ? pool : openPool(readUrl, connections);
  const pools = [...new Set([pool, readPool])];
  const runner = createRunner(pool);
  const listen = (heard: (isUrgent: boolean) => void) => listenForChanges(url, heard);
  const index = createLocalIndex({ dialect: postgresDialect, runner, listen, url, hurrySql: HURRY_SQL }, options.index);
  const answers =
    options.answersWorker === undefined
      ? undefined
      : answerInThread(options.answersWorker, index, options.isServing ?? false);
  let lag: ReplicaLag | undefined;
  const close = async (): Promise<void> => {
    lag?.close();
    await answers?.close();
    await index.close();
    await Promise.all(pools.filter(({ ending }) => !ending).map((each) => each.end()));
  };
  try {
    await refuseTransactionPooler(pool, url);
    if (readUrl !== undefined) await refuseTransactionPooler(readPool, readUrl);
    await migrate(pool);
    const onFields = (put: readonly Document[]): SqlProgram<void> =>
      changeLog.update({ put, retold: [], removed: [], named: [], relinked: [] }, 'now');
    await rebuildDerived({ dialect: postgresDialect, runner, kinds: ['fields'], onFields });
  } catch (error) {
    await close();
    throw error;
  }
  const readRunner = readPool === pool ? runner : createRunner(readPool);
  if (readRunner !== runner)
    lag = watchReplicaLag(runner, readRunner, options.replicaLagMaxSeconds ?? REPLICA_LAG_MAX_SECONDS);
  const status = (): StoreStatus => ({
    connections: {
      primary: countsOf(pool, runner.waiting()),
      ...(readRunner !== runner && { replica: countsOf(readPool, readRunner.waiting()) }),
    },
    replicaLagSeconds: lag?.seconds(),
    index: index.status(),
  });
  const reader = lag === undefined ? readRunner : boundedReader(readRunner, lag);
  const parts = {
    dialect: postgresDialect,
    reader,
    runner,
    indexing: changeLog,
    compact: async () => {},
    searching: index,
    answers,
  };
  return { ...parts, index, status, close };
}

/** Reads while the replica is not too far behind. */
function boundedReader({ query, snapshot }: Runner, { check }: ReplicaLag): Engine['reader'] {
  const checked =
    (take: Runner['query']): Runner['query'] =>
    async (steps) => {
      check();
      return take(steps);
    };
  return { query: checked(query), snapshot: checked(snapshot) };
}

function countsOf({ totalCount, idleCount }: Pool, waiting: number): ConnectionCounts {
  return { open: totalCount, inUse: totalCount - idleCount, waiting };
}

/** Opens a store in a PostgreSQL database. */
export async function openPostgresStore(url: string, now: () => Date, options: StoreOptions = {}): Promise<Store> {
  const engine = await openPostgresEngine(url, options);
  const { runner, reader, index, status } = engine;
  const recalled = createRecalledKeys(runner, now);
  const own = {
    recallKey: recalled.byHash,
    usage: createUsage(runner, recalled, now),
    ping: async () => {
      for (const each of new Set([runner, reader])) await each.query(checkSchema());
      index.check();
    },
    index: { keep: index.keep, report: index.report, copy: index.copy, lend: index.lend },
    status,
    backUp: async () => {
      throw new ServiceError('invalid_parameter', BACK_UP_WITH);
    },
  };
  return assembleStore({ engine, isFault, ...own }, now);
}

/** Of the database, or of the index file on this machine. */
const isFault = (error: unknown): boolean => isPostgresFault(error) || isSqliteFault(error);

/** Throws when there are no tables of ours, or when those that there are belong to a newer version. */
function* checkSchema(): SqlProgram<void> {
  const sql = 'SELECT version, (SELECT count(*) FROM (SELECT 1 FROM settings LIMIT 1) AS any_row) FROM schema_version';
  const [row] = yield* allLists<[number]>(sql);
  if (row !== undefined && row[0] > SCHEMA_VERSION) throw newerSchema();
}

const BACK_UP_WITH =
  'A PostgreSQL database is backed up with its own tools, while it is in use: pg_dump --format=custom --file=FILE URL.';
