import { createHash } from 'node:crypto';
import { type ClientConfig, type CustomTypesConfig, Pool, type PoolClient, types } from 'pg';
import type { Written } from '../sql.ts';

/** Default connections per process; beyond a few per core of the server, more only queue there. */
const CONNECTIONS_MAX = 10;
const CONNECT_TIMEOUT_MS = 10_000;
/** How long to stay within the existing connections after the server refused another. */
const REFUSED_PAUSE_MS = 1_000;
/** Server-side statement time-out. */
const STATEMENT_TIMEOUT_MS = 15_000;
/** Client-side time-out of a server that does not respond. */
const ANSWER_TIMEOUT_MS = 20_000;
/** Lock time-out of writes. */
const LOCK_TIMEOUT_MS = 5_000;

const INT8 = types.builtins.INT8;
const JSON_TEXT = types.builtins.JSON;

/** Integers as numbers, because none exceeds 53 bits. JSON as text, returned unchanged. */
const readAs: CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => {
    if (oid === INT8) return Number;
    return oid === JSON_TEXT ? String : types.getTypeParser(oid, format ?? 'text');
  },
};

/**
 * Generic plans: statements repeat, and planning costs more than executing most of them. No JIT or parallel plans,
 * because statements are short; no sequential scans, because every statement has an index.
 */
const SETTINGS = `SET statement_timeout = ${STATEMENT_TIMEOUT_MS}; SET lock_timeout = ${LOCK_TIMEOUT_MS};
  SET plan_cache_mode = force_generic_plan; SET jit = off; SET max_parallel_workers_per_gather = 0;
  SET enable_seqscan = off`;

export type { Pool, PoolClient };

export function connectionConfig(url: string): ClientConfig {
  return {
    connectionString: url,
    application_name: 'web3-bi',
    types: readAs,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
  };
}

/** A pool of connections, opened on demand and replaced when they break. */
export function openPool(url: string, max = CONNECTIONS_MAX): Pool {
  // Keeps one idle: without any, a process could not wait for its own when the server refuses more.
  const pool = new Pool({ ...connectionConfig(url), pipeline: true, max, min: 1 });
  // Statements report broken connections; idle ones are dropped silently.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    client.on('error', () => {});
    // Sent before the first statement; if it fails, so does that.
    client.query(SETTINGS).catch(() => {});
  });
  return pool;
}

/** Whether the server refused a connection because of a limit: its own, the role's or the database's. */
export const isRefusedForNumber = (error: unknown): boolean => (error as { code?: unknown }).code === '53300';

/**
 * Takes a connection from the pool. If the server refuses more, temporarily limits the pool to its connections, so that
 * requests wait for one; without any, throws the refusal.
 */
export async function connectionOf(pool: Pool, max: number): Promise<PoolClient> {
  const deadline = performance.now() + CONNECT_TIMEOUT_MS;
  for (;;) {
    try {
      return await pool.connect();
    } catch (error) {
      if (!isRefusedForNumber(error) || pool.totalCount === 0 || performance.now() > deadline) throw error;
      pool.options.max = pool.totalCount;
      setTimeout(() => {
        pool.options.max = max;
      }, REFUSED_PAUSE_MS).unref();
    }
  }
}

/** Namespace of our advisory locks. */
const SPACE = 0x77336269;
const PAYERS = SPACE + 1;
const LOCKS = { schema: 1, records: 2, keys: 3, members: 4, requests: 5, following: 6 } as const;

/** `following` is held in shared mode by followers with many changes to apply. */
type SharedLock = 'schema' | 'following';
type Lock = Exclude<Written, 'rows'> | SharedLock;

/** Acquires a lock exclusively until the end of the transaction. */
export function lockSql(lock: Lock): string {
  if (typeof lock === 'string') return `SELECT pg_advisory_xact_lock(${SPACE}, ${LOCKS[lock]})`;
  // A hash collision of payers only serializes them.
  const number = createHash('sha256').update(lock.payer).digest().readInt32BE();
  return `SELECT pg_advisory_xact_lock(${PAYERS}, ${number})`;
}

/** Acquires a lock in shared mode until the end of the transaction. */
export const sharedLockSql = (lock: SharedLock): string =>
  `SELECT pg_advisory_xact_lock_shared(${SPACE}, ${LOCKS[lock]})`;

/** Tries the shared lock without waiting, as an SQL expression. */
export const tryLockSql = (lock: SharedLock): string => `pg_try_advisory_xact_lock_shared(${SPACE}, ${LOCKS[lock]})`;
