import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStore } from '../../../src/store/open.ts';
import { openSqlite } from '../../../src/store/sqlite/driver.ts';
import { initial } from '../../../src/store/sqlite/migrations/0001-initial.ts';
import { aCompany } from '../../support/builders.ts';
import { temporaryFolder } from '../../support/program.ts';

const FOREIGN = 'another program';
const aKey = { account: 'acme', name: 'test', level: 'read', expires_at: null } as const;

let folder: ReturnType<typeof temporaryFolder>;
let file: string;
beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder.path, 'test.db');
});
afterEach(() => folder.remove());

/** Makes the file as another program would. */
function make(sql: string): void {
  const database = openSqlite(file);
  database.exec(sql);
  database.close();
}

test.each([
  ['with tables of its own', 'CREATE TABLE invoices (id)'],
  ['with a table of the name of one of ours', 'CREATE TABLE companies (id); PRAGMA user_version = 3'],
  ['with its mark alone', 'PRAGMA application_id = 7'],
  ['with its mark and a log', 'PRAGMA journal_mode = WAL; PRAGMA application_id = 7; CREATE TABLE invoices (id)'],
])('a database of another program, %s, is refused and not touched', async (_what, sql) => {
  make(sql);
  const before = readFileSync(file);
  await expect(openStore(`sqlite:${file}`)).rejects.toThrow(FOREIGN);
  expect(readFileSync(file).equals(before)).toBe(true);
  expect(readdirSync(folder.path)).toEqual(['test.db']);
});

test('a database of ours is marked, and one from before the mark is marked when it is brought up to date', async () => {
  make(`${initial}; PRAGMA user_version = 1`);
  await (await openStore(`sqlite:${file}`)).close();
  await (await openStore(`sqlite:${file}`)).close();
  await (await openStore(`sqlite:${join(folder.path, 'new.db')}`)).close();
  for (const name of ['test.db', 'new.db']) {
    const database = openSqlite(join(folder.path, name));
    expect(database.pragma('application_id', { simple: true })).toBe(0x77336269);
    database.close();
  }
});

test.each([
  ['that is there', true],
  ['that is made by opening it', false],
])('a symbolic link leads to a database %s, whose log and counts are shared', async (_what, isThere) => {
  const link = join(folder.path, 'link.db');
  symlinkSync('test.db', link);
  if (isThere) await (await openStore(`sqlite:${file}`)).close();
  const store = await openStore(`sqlite:${link}`);
  await store.records.putAll([aCompany({ slug: 'acme' })]);
  await store.accounts.create('acme', 'api_access');
  const key = await store.keys.create(aKey);
  await store.usage.take(key, null);
  const other = await openStore(`sqlite:${file}`);
  expect(await other.records.get('companies', 'acme')).toBeDefined();
  expect(await other.usage.read(key)).toMatchObject({ today: 1 });
  await other.close();
  await store.close();
  expect(readdirSync(folder.path).sort()).toEqual(['link.db', 'test.db', 'test.db-counts']);
});
