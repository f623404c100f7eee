import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { Client } from 'pg';
import { afterAll, inject } from 'vitest';
import { execute } from './postgres.ts';

/** A database of a test's own, empty but for its schema. */
export interface TestDatabase {
  readonly url: string;
  /** Runs SQL from another process's side. */
  execute(sql: string): Promise<void>;
  /** Makes every search fail. */
  breakSearch(): Promise<void>;
  /** Keeps everybody from counting requests until it is released. */
  lockCounts(): Promise<() => Promise<void>>;
}

interface Engine {
  readonly name: 'SQLite' | 'PostgreSQL';
  newDatabase(): Promise<TestDatabase>;
}

/** Each file of these tests runs once for each engine; `vitest.config.ts` says which. */
export const isPostgres = process.env['TEST_ENGINE'] === 'postgres';

async function newSqlite(): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'web3-bi-test-'));
  removals.push(async () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'test.db');
  const run = async (sql: string): Promise<void> => {
    const database = new Database(file);
    database.exec(sql);
    database.close();
  };
  return {
    url: `sqlite:${file}`,
    execute: run,
    breakSearch: () =>
      run(
        'ALTER TABLE companies_search_documents RENAME TO a; ALTER TABLE companies_search_keys RENAME TO b; ALTER TABLE companies_search_lists RENAME TO c',
      ),
    lockCounts: async () => {
      const other = new Database(file);
      other.exec('BEGIN IMMEDIATE');
      return async () => {
        other.exec('ROLLBACK');
        other.close();
      };
    },
  };
}

let made = 0;

async function newPostgres(): Promise<TestDatabase> {
  const { adminUrl, templateUrl } = inject('postgres');
  made += 1;
  const name = `test_${process.pid}_${Date.now()}_${made}`;
  const template = new URL(templateUrl).pathname.slice(1);
  await execute(adminUrl, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  removals.push(() => execute(adminUrl, `DROP DATABASE ${name} WITH (FORCE)`));
  const url = Object.assign(new URL(adminUrl), { pathname: `/${name}` }).href;
  return {
    url,
    execute: (sql) => execute(url, sql),
    breakSearch: () =>
      execute(url, 'ALTER TABLE companies_search RENAME TO a; ALTER TABLE companies_search_keys RENAME TO b'),
    lockCounts: async () => {
      const other = new Client({ connectionString: url });
      await other.connect();
      await other.query('BEGIN; LOCK TABLE quotas IN ACCESS EXCLUSIVE MODE');
      return () => other.end();
    },
  };
}

const removals: (() => Promise<void>)[] = [];

/** The engine that this run is about. */
export const engine: Engine = isPostgres
  ? { name: 'PostgreSQL', newDatabase: newPostgres }
  : { name: 'SQLite', newDatabase: newSqlite };

afterAll(async () => {
  for (const remove of removals.splice(0)) await remove();
});
