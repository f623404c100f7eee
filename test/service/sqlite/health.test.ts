import { copyFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSqlite } from '../../../src/store/sqlite/driver.ts';
import { aCompany } from '../../support/builders.ts';
import { temporaryFolder } from '../../support/program.ts';
import { startService, type TestService } from '../../support/service.ts';

const folder = temporaryFolder();
const file = join(folder.path, 'health.db');
let service: TestService;
let writeKey: string;
beforeAll(async () => {
  service = await startService([aCompany()], { database: `sqlite:${file}` });
  const key = { account: 'acme', name: 'k', level: 'read', expires_at: null } as const;
  await service.store.accounts.create('acme', 'api_access');
  await service.store.usage.take(await service.store.keys.create(key), null);
  writeKey = await service.newKey({ level: 'write' });
});
afterAll(async () => {
  await service.close();
  folder.remove();
});

async function check() {
  const response = await fetch(`${service.url}/api/health`);
  return { status: response.status, body: await response.json() };
}

test.each([
  ['the file', file],
  ['the file of counts', `${file}-counts`],
])('503 of health when %s was removed or replaced, and 200 again when it is back', async (_what, path) => {
  const aside = `${path}-aside`;
  renameSync(path, aside);
  expect(await check()).toMatchObject({ status: 503, body: { services: { database: 'error', api: 'operational' } } });
  copyFileSync(aside, path);
  expect((await check()).status).toBe(503);
  renameSync(aside, path);
  expect((await check()).status).toBe(200);
});

test('503 of a write while the file is not where it was, and reads go on', async () => {
  const write = async (name: string) => {
    const headers = { Authorization: `Bearer ${writeKey}`, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ name });
    const { status } = await fetch(`${service.url}/api/v1/companies`, { method: 'POST', headers, body });
    return status;
  };
  const aside = `${file}-aside`;
  renameSync(file, aside);
  expect([await write('Lost'), (await service.get('/api/v1/companies')).status]).toEqual([503, 200]);
  renameSync(aside, file);
  expect(await write('Kept')).toBe(201);
  const found = await service.get('/api/v1/search?type=companies&query=lost');
  expect(await found.json()).toMatchObject({ data: { totalResults: 0 } });
});

test('a newer version that has changed the schema ends writes and readiness, and reads go on', async () => {
  const database = openSqlite(file);
  const version = database.pragma('user_version', { simple: true }) as number;
  const later = JSON.stringify({ name: 'Later' });
  const headers = { Authorization: `Bearer ${writeKey}`, 'Content-Type': 'application/json' };
  const write = () => service.get('/api/v1/companies', { method: 'POST', body: later, headers });
  database.pragma(`user_version = ${version + 1}`);
  expect(await check()).toMatchObject({ status: 503, body: { services: { database: 'error' } } });
  const refused = await write();
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
  expect((await service.get('/api/v1/search?type=companies&query=later')).status).toBe(200);
  database.pragma(`user_version = ${version}`);
  expect([(await check()).status, (await write()).status]).toEqual([200, 201]);
  database.close();
});

test('a service whose database has become newer closes in good order', async () => {
  const other = join(folder.path, 'newer.db');
  const ending = await startService([aCompany()], { database: `sqlite:${other}` });
  expect((await ending.get('/api/v1/search?type=companies')).status).toBe(200);
  const database = openSqlite(other);
  const version = database.pragma('user_version', { simple: true }) as number;
  database.pragma(`user_version = ${version + 1}`);
  database.close();
  await ending.close();
});
