import { Client } from 'pg';
import { expect, test } from 'vitest';
import { RECORD_TYPES } from '../../src/contract/entities/index.ts';
import { openStore } from '../../src/store/open.ts';
import { migrations } from '../../src/store/postgres/migrations/index.ts';
import type { Store } from '../../src/store/store.ts';
import { aCompany, aRound } from '../support/builders.ts';
import { newBarePostgres, newPostgres } from '../support/databases.ts';
import { execute } from '../support/postgres-cluster.ts';

const LAST_WITH_SEARCH = 7;
/** A part of what those versions searched. */
const SEARCHED = `CREATE TABLE labels (id BIGINT); CREATE TABLE search_terms (id BIGINT);
  CREATE TABLE companies_search (id BIGINT); CREATE INDEX companies_name ON companies (id);`;
const KEPT = ['settings', 'record_numbers', 'companies', 'rounds', 'record_keys', 'links'];

const answersOf = async ({ records }: Store): Promise<unknown> => [
  await records.search({ types: RECORD_TYPES, text: 'acme', window: { offset: 0, limit: 5 } }),
  await records.search({
    types: ['companies'],
    text: '',
    filters: { tag: { mode: 'any', values: ['defi'] } },
    window: { offset: 0, limit: 5 },
  }),
  await records.search({ types: ['rounds'], text: '', window: { offset: 0, limit: 5 } }),
];

test('a database that was searched itself is answered from an index, and keeps nothing of its search', async () => {
  const source = await newPostgres();
  const store = await openStore(source.url);
  await store.records.putAll([aCompany({ tags: ['DeFi'] }), aCompany({ name: 'Beta' }), aRound()]);
  const answers = await answersOf(store);
  await store.close();

  const url = await newBarePostgres();
  for (const step of migrations.slice(0, LAST_WITH_SEARCH)) await execute(url, step);
  await execute(url, SEARCHED);
  await execute(url, `CREATE TABLE schema_version AS SELECT ${LAST_WITH_SEARCH} AS version`);
  for (const table of KEPT) await copyTable(source.url, url, table);

  const upgraded = await openStore(url);
  expect(await answersOf(upgraded)).toEqual(answers);
  await upgraded.close();
  expect(await tablesOf(url)).toEqual(await tablesOf(source.url));
});

async function copyTable(from: string, to: string, table: string): Promise<void> {
  const rows = await rowsOf(from, `SELECT row_to_json(${table})::text AS row FROM ${table}`);
  const target = new Client({ connectionString: to });
  await target.connect();
  for (const { row } of rows)
    await target.query(`INSERT INTO ${table} SELECT * FROM json_populate_record(NULL::${table}, $1::json)`, [row]);
  await target.end();
}

async function rowsOf(url: string, sql: string): Promise<Record<string, string>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<Record<string, string>>(sql);
  await client.end();
  return rows;
}

const tablesOf = (url: string) =>
  rowsOf(url, "SELECT tablename, indexname FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1, 2");

test('a new database needs no extension', async () => {
  const { url } = await newPostgres();
  expect(await rowsOf(url, "SELECT extname FROM pg_extension WHERE extname <> 'plpgsql'")).toEqual([]);
});
