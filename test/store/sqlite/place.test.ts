import { readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStore } from '../../../src/store/open.ts';
import { aCompany } from '../../support/builders.ts';
import { temporaryFolder } from '../../support/program.ts';

const aKey = { account: 'acme', name: 'test', level: 'read', expires_at: null } as const;

let folder: ReturnType<typeof temporaryFolder>;
let file: string;
beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder.path, 'test.db');
});
afterEach(() => folder.remove());

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
