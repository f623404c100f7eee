import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStore } from '../../../src/store/open.ts';
import type { SearchRequest } from '../../../src/store/port/records.ts';
import { openSqlite } from '../../../src/store/sqlite/driver.ts';
import { migrations } from '../../../src/store/sqlite/migrations/index.ts';
import { aCompany } from '../../support/builders.ts';

test('the index of an earlier version is made anew from its records', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'web3-bi-'));
  const [made, old] = [join(folder, 'made.db'), join(folder, 'old.db')];
  const rows = [aCompany({ name: 'Beta Alpha Gamma' }), aCompany({ name: 'Beta Alpha' })];
  const full = await openStore(`sqlite:${made}`);
  await full.records.putAll(rows);
  await full.close();
  const database = openSqlite(old);
  for (const step of migrations.slice(0, 3)) database.exec(step);
  database.prepare('ATTACH ? AS made').run(made);
  database.exec('INSERT INTO main.companies SELECT * FROM made.companies');
  // What an index of that version held is not gone by.
  database.exec("INSERT INTO search_terms (term) VALUES ('walpha'), ('wdelta')");
  for (const table of ['search_deletions', 'search_grams', 'companies_search_keys', 'companies_search_lists'])
    database.exec(`CREATE TABLE ${table} (code INTEGER NOT NULL)`);
  database.pragma('user_version = 3');
  database.close();

  const store = await openStore(`sqlite:${old}`);
  const request: SearchRequest = { types: ['companies'], text: 'alpha beta', window: { offset: 0, limit: 10 } };
  const { results } = await store.records.search(request);
  await store.close();
  rmSync(folder, { recursive: true, force: true });
  expect(results.map((json) => (JSON.parse(json) as { name: string }).name)).toEqual([
    'Beta Alpha',
    'Beta Alpha Gamma',
  ]);
});
