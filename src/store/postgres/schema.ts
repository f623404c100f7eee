import { ServiceError } from '../../contract/errors.ts';
import type { Pool, PoolClient } from './connections.ts';
import { lockSql } from './locks.ts';
import { migrations } from './migrations/index.ts';

/** How long one start waits while another brings the schema up to date. */
const WAIT_MS = 60_000;
/** A step may go through every record. */
const STEP_MAX_MS = 3_600_000;

/** Brings the schema up to date. Of many that start at once one does it, and the others find it done. */
export async function migrate(pool: Pool): Promise<void> {
  const client = await pool.connect();
  try {
    if ((await versionOf(client)) === migrations.length) return;
    await client.query(`BEGIN; SET LOCAL lock_timeout = ${WAIT_MS}; SET LOCAL statement_timeout = 0`);
    await client.query({ text: lockSql('schema'), query_timeout: WAIT_MS } as { text: string });
    await takeSteps(client);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  } finally {
    client.release();
  }
}

async function takeSteps(client: PoolClient): Promise<void> {
  const version = await versionOf(client);
  if (version > migrations.length) {
    throw new ServiceError('unavailable', 'The database was written by a newer version of web3-bi', {
      remedy: 'update the program',
    });
  }
  if (version === migrations.length) return;
  for (const step of migrations.slice(version))
    await client.query({ text: step, query_timeout: STEP_MAX_MS } as { text: string });
  await client.query(`CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL);
    DELETE FROM schema_version; INSERT INTO schema_version VALUES (${migrations.length})`);
}

async function versionOf(client: PoolClient): Promise<number> {
  // From the catalogue itself: names are looked up in what a connection remembers, which may be from before the lock.
  const known = await client.query(
    "SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'schema_version'",
  );
  if (known.rows.length === 0) return 0;
  const { rows } = await client.query<{ version: number }>('SELECT version FROM schema_version');
  return rows[0]?.version ?? 0;
}
