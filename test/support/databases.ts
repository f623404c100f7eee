import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Pool } from 'pg';
import { inject, TestRunner } from 'vitest';
import { openSqlite } from '../../src/store/sqlite/driver.ts';
import { isPostgres } from './empty-database.ts';
import { execute } from './postgres-cluster.ts';

/** A database of one test, empty except for its schema. */
export interface TestDatabase {
  readonly url: string;
  /** Runs SQL over another connection. */
  execute(sql: string): Promise<void>;
  tables(): Promise<string[]>;
  /** Blocks the counting of requests until released. */
  lockCounts(): Promise<() => Promise<void>>;
}

/** A file database, with the view of another process. */
export interface SqliteDatabase extends TestDatabase {
  /** Blocks all writers until released. */
  lockRecords(): Promise<() => Promise<void>>;
  /** Counts as another process reads them. */
  readCounts(): Promise<readonly { quota: number; day_used: number }[]>;
}

interface Engine {
  readonly name: 'SQLite' | 'PostgreSQL';
  newDatabase(): Promise<TestDatabase>;
}

export async function newSqlite(): Promise<SqliteDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'web3-bi-test-'));
  removals.push(async () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'test.db');
  const run = async (sql: string): Promise<void> => {
    const database = openSqlite(file);
    database.exec(sql);
    database.close();
  };
  return {
    url: `sqlite:${file}`,
    execute: run,
    tables: async () => {
      const database = openSqlite(file);
      const names = database.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
      database.close();
      return names;
    },
    lockCounts: async () => lockFile(`${file}-counts`),
    lockRecords: async () => lockFile(file),
    readCounts: async () => {
      const database = openSqlite(`${file}-counts`);
      const rows = database.prepare('SELECT quota, day_used FROM counts ORDER BY quota').all();
      database.close();
      return rows as { quota: number; day_used: number }[];
    },
  };
}

function lockFile(file: string): () => Promise<void> {
  const other = openSqlite(file);
  other.exec('BEGIN IMMEDIATE');
  return async () => {
    other.exec('ROLLBACK');
    other.close();
  };
}

let made = 0;
/** A database of this worker, with a connection that empties it: opening one costs more than that. */
interface Pooled {
  readonly url: string;
  readonly connection: Pool;
}
/** Databases for reuse, also by later files: emptying one takes a tenth of the time of creating one. */
const free: Pooled[] = [];
/** Databases that are in use: of the current test, and of all tests of the current file. */
const ofTest: Pooled[] = [];
const ofFile: Pooled[] = [];

/** Empties every table and restarts its sequence, as after a first start. What deleted rows leave of a large one takes time later. */
const EMPTY = `SET session_replication_role = replica;
  DO $$ DECLARE name text; BEGIN
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'schema_version' LOOP
      IF pg_relation_size(format('%I', name)::regclass) > 1e6 THEN EXECUTE format('TRUNCATE %I CASCADE', name);
      ELSE EXECUTE format('DELETE FROM %I', name); END IF;
    END LOOP;
    FOR name IN SELECT sequencename FROM pg_sequences WHERE schemaname = 'public' AND last_value IS NOT NULL LOOP
      EXECUTE format('ALTER SEQUENCE %I RESTART', name);
    END LOOP;
  END $$`;

export async function newPostgres(): Promise<TestDatabase> {
  const pooled = free.pop() ?? (await createPooled());
  const { url } = pooled;
  // A database created before all tests of a file is shared by them.
  (TestRunner.getCurrentTest() === undefined ? ofFile : ofTest).push(pooled);
  await pooled.connection.query(EMPTY);
  return {
    url,
    execute: (sql) => execute(url, sql),
    tables: async () => {
      const client = new Client({ connectionString: url });
      await client.connect();
      const sql = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'";
      const { rows } = await client.query<{ tablename: string }>(sql);
      await client.end();
      return rows.map(({ tablename }) => tablename);
    },
    lockCounts: async () => {
      const other = new Client({ connectionString: url });
      await other.connect();
      await other.query('BEGIN; LOCK TABLE quotas IN ACCESS EXCLUSIVE MODE');
      return () => other.end();
    },
  };
}

/** URL of an empty database without a schema. */
export async function newBarePostgres(): Promise<string> {
  return createDatabase('template0');
}

async function createPooled(): Promise<Pooled> {
  const url = await createDatabase(new URL(inject('postgres').templateUrl).pathname.slice(1));
  const connection = new Pool({ connectionString: url, max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true });
  // The server ends it with the run.
  connection.on('error', () => {});
  return { url, connection };
}

/** Creates a database, which ends with the server of the run. */
async function createDatabase(template: string): Promise<string> {
  const { adminUrl } = inject('postgres');
  made += 1;
  const name = `test_${process.pid}_${Date.now()}_${made}`;
  await execute(adminUrl, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
  return Object.assign(new URL(adminUrl), { pathname: `/${name}` }).href;
}

const removals: (() => Promise<void>)[] = [];

/** The engine of this run. */
export const engine: Engine = isPostgres
  ? { name: 'PostgreSQL', newDatabase: newPostgres }
  : { name: 'SQLite', newDatabase: newSqlite };

/** Releases the databases of a finished test for reuse. */
export const releaseDatabases = (): void => void free.push(...ofTest.splice(0));

/** Removes the SQLite files that the tests of a file created, and releases its other databases for reuse. */
export async function removeDatabases(): Promise<void> {
  free.push(...ofFile.splice(0));
  for (const remove of removals.splice(0)) await remove();
}
