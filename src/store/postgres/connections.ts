import { type ClientConfig, type CustomTypesConfig, Pool, type PoolClient, types } from 'pg';

/** Connections a process holds to one database: beyond some for each core of the server, more only wait there. */
const CONNECTIONS_MAX = 10;
const CONNECT_TIMEOUT_MS = 10_000;
/** After the server has refused one more connection, how long the process makes do with those that it has. */
const REFUSED_PAUSE_MS = 1_000;
/** A statement takes milliseconds; one that takes this long is ended by the server. */
const STATEMENT_TIMEOUT_MS = 15_000;
/** A server that says nothing for this long is away, whatever the network says. */
const ANSWER_TIMEOUT_MS = 20_000;
/** How long a writer waits for another one's write before it gives up. */
const LOCK_TIMEOUT_MS = 5_000;

const INT8 = types.builtins.INT8;
const JSON_TEXT = types.builtins.JSON;

/** Whole numbers as numbers: none of ours has more than 53 bits. JSON stays text, to be answered as it is. */
const readAs: CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => {
    if (oid === INT8) return Number;
    return oid === JSON_TEXT ? String : types.getTypeParser(oid, format ?? 'text');
  },
};

/**
 * A plan is made once a connection and not for each value: the same statements come again and again, and making a plan
 * costs more than most of them. Nothing takes so long that it is worth compiling or sharing out, and what is looked at in
 * order stays in order. Each statement has an index to go by.
 */
const SETTINGS = `SET statement_timeout = ${STATEMENT_TIMEOUT_MS}; SET lock_timeout = ${LOCK_TIMEOUT_MS};
  SET plan_cache_mode = force_generic_plan; SET jit = off; SET max_parallel_workers_per_gather = 0;
  SET enable_seqscan = off`;

export type { Pool, PoolClient };

/** How every connection of ours is made. */
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

/** Connections to one database, made when they are needed and made again when they break. */
export function openPool(url: string, max = CONNECTIONS_MAX): Pool {
  // One is kept when nothing is asked: without any, a process cannot wait for its own when the server has no more to give.
  const pool = new Pool({ ...connectionConfig(url), pipeline: true, max, min: 1 });
  // Whoever uses a connection that breaks is told by the statement; of an idle one nobody needs to know.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    client.on('error', () => {});
    // It goes out before whatever the connection is wanted for; where it fails, so does that.
    client.query(SETTINGS).catch(() => {});
  });
  return pool;
}

/** Whether the server has refused one more connection: of all, of the role, or of the database. */
export const isRefusedForNumber = (error: unknown): boolean => (error as { code?: unknown }).code === '53300';

/**
 * Takes a connection of a pool. When the server has no more to give, the pool is as large as what it holds for a while, so
 * that requests wait for one of these; without any, the refusal stands.
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
