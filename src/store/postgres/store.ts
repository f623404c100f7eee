import { Client, type ClientBase } from 'pg';
import { ServiceError } from '../../contract/errors.ts';
import { assembleStore } from '../assemble-store.ts';
import type { Engine } from '../engine.ts';
import { createLocalIndex, type LocalIndex } from '../index-replication/local-index.ts';
import type { StoreOptions } from '../open.ts';
import type { Document } from '../records/document.ts';
import { rebuildDerived } from '../records/rebuild-derived.ts';
import type { RecordIndexing } from '../records/record-index.ts';
import { watchReplicationLag } from '../replication-lag.ts';
import { allLists, insertRows, type Runner, run, type SqlProgram, value } from '../sql.ts';
import { analyticsInThread } from '../sqlite/analytics/analytics-thread.ts';
import { isSqliteFault } from '../sqlite/driver.ts';
import type { ConnectionCounts, Store, StoreStatus } from '../store.ts';
import { changeSourceOf } from './change-source.ts';
import { postgresDialect } from './dialect.ts';
import { createKeyCache } from './key-cache.ts';
import { connectionConfig, isRefusedForNumber, lockSql, openPool, type Pool } from './pool.ts';
import { createRunner, isLockTimeout } from './runner.ts';
import { migrate, newerSchema, SCHEMA_VERSION } from './schema.ts';
import { createUsage } from './usage.ts';

/** Default maximum lag of the replica; beyond, it is not read. */
const REPLICA_LAG_MAX_SECONDS = 30;

interface PostgresEngine extends Engine {
  readonly index: LocalIndex;
  status(): StoreStatus;
}

export async function openPostgresEngine(url: string, options: StoreOptions = {}): Promise<PostgresEngine> {
  const { readUrl, connections } = options;
  const pool = openPool(url, connections);
  const readPool = readUrl === undefined ? pool : openPool(readUrl, connections);
  const pools = [...new Set([pool, readPool])];
  const runner = createRunner(pool);
  const index = createLocalIndex(changeSourceOf(url, runner), options.index);
  const analytics =
    options.analyticsWorker === undefined
      ? undefined
      : analyticsInThread(options.analyticsWorker, index, options.isServing ?? false);
  let lag: ReplicaLag | undefined;
  const close = async (): Promise<void> => {
    lag?.close();
    await analytics?.close();
    await index.close();
    await Promise.all(pools.filter(({ ending }) => !ending).map((each) => each.end()));
  };
  try {
    await refuseTransactionPooler(pool, url);
    if (readUrl !== undefined) await refuseTransactionPooler(readPool, readUrl);
    await migrate(pool);
    const onFields = (put: readonly Document[]): SqlProgram<void> =>
      changeLog.update({ put, recomputed: [], removed: [], named: [], relinked: [] }, 'now');
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
    awaitFollowers: () => awaitFollowers(runner),
    readModel: index,
    analytics,
  };
  return { ...parts, index, status, close };
}

/** Reads from the replica while its lag is acceptable. */
function boundedReader({ query, snapshot }: Runner, { check }: ReplicaLag): Engine['reader'] {
  const checked =
    (runProgram: Runner['query']): Runner['query'] =>
    async (program) => {
      check();
      return runProgram(program);
    };
  return { query: checked(query), snapshot: checked(snapshot) };
}

function countsOf({ totalCount, idleCount }: Pool, waiting: number): ConnectionCounts {
  return { open: totalCount, inUse: totalCount - idleCount, waiting };
}

export async function openPostgresStore(url: string, now: () => Date, options: StoreOptions = {}): Promise<Store> {
  const engine = await openPostgresEngine(url, options);
  const { runner, reader, index, status } = engine;
  const keyCache = createKeyCache(runner, now);
  const own = {
    recallKey: keyCache.byHash,
    usage: createUsage(runner, keyCache, now),
    ping: async () => {
      for (const each of new Set([runner, reader])) await each.query(checkSchema());
      index.check();
    },
    index: { follow: index.follow, report: index.report, copy: index.copy, readSnapshot: index.readSnapshot },
    status,
    backUp: async () => {
      throw new ServiceError('invalid_parameter', BACK_UP_WITH);
    },
  };
  return assembleStore({ engine, isFault, ...own }, now);
}

/** Faults of the database or of the local index file. */
const isFault = (error: unknown): boolean => isPostgresFault(error) || isSqliteFault(error);

/** Throws if the schema is missing or newer than this program. */
function* checkSchema(): SqlProgram<void> {
  const sql = 'SELECT version, (SELECT count(*) FROM (SELECT 1 FROM settings LIMIT 1) AS any_row) FROM schema_version';
  const [row] = yield* allLists<[number]>(sql);
  if (row !== undefined && row[0] > SCHEMA_VERSION) throw newerSchema();
}

const BACK_UP_WITH =
  'A PostgreSQL database is backed up with its own tools, while it is in use: pg_dump --format=custom --file=FILE URL.';

/**
 * SQLSTATEs of an unavailable, stopping, exhausted or locked server; the first two characters are the class. A missing
 * or duplicate prepared statement indicates a transaction pooler.
 */
const STATES = /^(08|53|57|58|XX00[12]|25006|26000|40001|40P01|42P05|55P03|3D000|28)/;
const CONNECTION = /^(ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_|ENOENT|EACCES|EADDR)/;
/** Client errors without a code. */
const SAID =
  /^(Connection terminated|timeout e|Query read timeout|Client (has encountered|was closed)|The server does not)/;

function isPostgresFault(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code === 'string') return STATES.test(code) || CONNECTION.test(code);
  return typeof message === 'string' && SAID.test(message);
}

const LATEST = 'SELECT coalesce(max(seq), 0) FROM record_changes';
/** Stored per quota, which rotated keys share. */
const KEEP = `INSERT INTO quota_positions (quota_id, seq) SELECT quota_id, (${LATEST}) FROM keys WHERE id = ?
  ON CONFLICT (quota_id) DO UPDATE SET seq = excluded.seq RETURNING seq`;

/** The change log: changed records in commit order, for followers. */
const changeLog: RecordIndexing = {
  // Followers derive reference counts from the links themselves.
  update: ({ put, recomputed, removed, relinked }, when) =>
    insertRows(
      'record_changes',
      ['type', 'id', 'is_deferred'],
      [...put, ...recomputed, ...removed, ...relinked].map(({ type, id }) => [type, id, when === 'deferred' ? 1 : 0]),
    ),
  position: ({ keyId }) => (keyId === null ? value<number>(LATEST) : value<number>(KEEP, keyId)),
};

/** Without a transaction, so the lock is released at once. */
async function awaitFollowers({ query }: Runner): Promise<void> {
  try {
    await query(run(lockSql('following')));
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
  }
}

const WRITTEN = `SELECT (pg_current_wal_lsn() - '0/0')::float8`;
const REPLAYED = `SELECT (pg_last_wal_replay_lsn() - '0/0')::float8`;

type ReplicaLag = ReturnType<typeof watchReplicaLag>;

/**
 * Compares WAL positions every second: the lag is the age of the oldest position that the replica has not replayed. The
 * timestamp of its last transaction would show a lag without writes, and compare two clocks.
 */
function watchReplicaLag(primary: Runner, replica: Runner, maxSeconds: number) {
  const { seconds, close } = watchReplicationLag(
    async () => (await primary.query(value<number>(WRITTEN))) as number,
    () => replica.query(value<number | null>(REPLAYED)),
  );
  return {
    /** Undefined before the first comparison, or if the replica's position is unknown. */
    seconds,
    /** Throws `unavailable` if the lag exceeds the limit. */
    check: (): void => {
      if ((seconds() ?? 0) <= maxSeconds) return;
      throw new ServiceError('unavailable', 'The read replica lags too far behind; retry later.');
    },
    close,
  };
}

/** A busy pooler may return equal connections by chance, but not this often. */
const ROUNDS = 3;

/**
 * Throws behind a transaction pooler (PgBouncer with pool_mode = transaction), where prepared statements and settings would break
 * because they belong to a connection. Detected by whether two concurrently open connections keep two distinct server processes.
 */
async function refuseTransactionPooler(pool: Pool, url: string): Promise<void> {
  const first = await pool.connect();
  const second = new Client(connectionConfig(url));
  second.on('error', () => {});
  try {
    await second.connect();
    if (await areTwoProcesses(first, second)) return;
  } catch (error) {
    // The server allows only one connection, so there is nothing to compare.
    if (isRefusedForNumber(error)) return;
    throw error;
  } finally {
    first.release();
    await second.end().catch(() => {});
  }
  throw new ServiceError(
    'unavailable',
    'The database URL leads to a pooler in transaction mode, which cannot be used',
    {
      remedy: 'name the server itself, or set the pooler to session mode (PgBouncer: pool_mode = session)',
    },
  );
}

async function areTwoProcesses(first: ClientBase, second: ClientBase): Promise<boolean> {
  const ofFirst = new Set<number>();
  const ofSecond = new Set<number>();
  for (let round = 0; round < ROUNDS; round += 1) {
    // An odd number, because a pooler may alternate between two connections.
    ofFirst.add(await serverProcessOf(first));
    ofFirst.add(await serverProcessOf(first));
    ofSecond.add(await serverProcessOf(second));
  }
  return ofFirst.size === 1 && ofSecond.size === 1 && [...ofFirst].every((pid) => !ofSecond.has(pid));
}

async function serverProcessOf(client: ClientBase): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid ?? 0;
}
