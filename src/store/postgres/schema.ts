import { ServiceError } from '../../contract/errors.ts';
import { migrations } from './migrations/index.ts';
import { lockSql, type Pool, type PoolClient } from './pool.ts';

/** How long a start waits for another's migration. */
const WAIT_MS = 60_000;
/** Longer, so that the server reports the time-out. */
const WAIT_ANSWER_MS = WAIT_MS + 5_000;
/** A migration step may rewrite every record. */
const STEP_MAX_MS = 3_600_000;

export const SCHEMA_VERSION = migrations.length;

/** Migrates the schema. Of concurrent processes, one does; the others wait for it. */
export async function migrate(pool: Pool): Promise<void> {
  const client = await pool.connect();
  try {
    if ((await versionOf(client)) === SCHEMA_VERSION) return;
    await client.query(`BEGIN; SET LOCAL lock_timeout = ${WAIT_MS}; SET LOCAL statement_timeout = 0`);
    await client.query({ text: lockSql('schema'), query_timeout: WAIT_ANSWER_MS } as { text: string });
    await takeSteps(client);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  } finally {
    client.release();
  }
}

/** Fails with a division by zero if the schema is newer than this program; nothing else in the statement can cause that error. */
export const NEWER_SCHEMA_SQL = `SELECT 1 / (version <= ${SCHEMA_VERSION})::int FROM schema_version`;
const DIVISION_BY_ZERO = '22012';

export const isNewerSchema = (error: unknown): boolean => (error as { code?: unknown }).code === DIVISION_BY_ZERO;

export const newerSchema = (cause?: unknown): ServiceError =>
  new ServiceError('unavailable', 'The database was written by a newer version of web3-bi', {
    cause,
    remedy: 'update the program',
  });

async function takeSteps(client: PoolClient): Promise<void> {
  const version = await versionOf(client);
  if (version > SCHEMA_VERSION) throw newerSchema();
  if (version === SCHEMA_VERSION) return;
  for (const step of migrations.slice(version))
    await client.query({ text: step, query_timeout: STEP_MAX_MS } as { text: string });
  await client.query(`CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL);
    DELETE FROM schema_version; INSERT INTO schema_version VALUES (${SCHEMA_VERSION})`);
}

async function versionOf(client: PoolClient): Promise<number> {
  // Reads the catalogue directly, because name look-up uses a cache from before the lock.
  const known = await client.query(
    "SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'schema_version'",
  );
  if (known.rows.length === 0) return 0;
  const { rows } = await client.query<{ version: number }>('SELECT version FROM schema_version');
  return rows[0]?.version ?? 0;
}
