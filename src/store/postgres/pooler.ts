import { Client, type ClientBase } from 'pg';
import { ServiceError } from '../../contract/errors.ts';
import { connectionConfig, isRefusedForNumber, type Pool } from './connections.ts';

/** A busy pooler may return equal connections by chance, but not this often. */
const ROUNDS = 3;

/**
 * Throws behind a transaction pooler (PgBouncer with pool_mode = transaction), where prepared statements and settings would break
 * because they belong to a connection. Detected by whether two concurrently open connections keep two distinct server processes.
 */
export async function refuseTransactionPooler(pool: Pool, url: string): Promise<void> {
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
