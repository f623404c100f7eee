import { createHmac } from 'node:crypto';
import { copyFileSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newSecret } from '../../../src/store/access/keys.ts';
import { openStore } from '../../../src/store/open.ts';
import type { KeyRecord } from '../../../src/store/port/access.ts';
import { openSqlite } from '../../../src/store/sqlite/driver.ts';
import { initial } from '../../../src/store/sqlite/migrations/0001-initial.ts';
import type { Store } from '../../../src/store/store.ts';

const NOON = '2026-11-21T12:00:00.000Z';
const clock = () => new Date(NOON);
const aKey = { account: 'acme', name: 'test', level: 'read', expires_at: null } as const;

let folder: string;
let store: Store;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'web3-bi-sqlite-'));
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

describe('a file', () => {
  let key: KeyRecord;
  beforeEach(async () => {
    store = await openStore(`sqlite:${join(folder, 'test.db')}`, clock);
    await store.accounts.create('acme', 'enterprise', { daily: 10_000, monthly: null });
    key = await store.keys.create(aKey);
  });

  test('of records that another process writes for long holds no count up', async () => {
    const release = lock('test.db');
    expect(await store.usage.take(key, '192.0.2.7')).toMatchObject({ isAdmitted: true, today: 1 });
    release();
  });

  test('and the files beside it can be read by their owner only', async () => {
    await store.usage.take(key, null);
    const modes = readdirSync(folder).map((name) => [name, statSync(join(folder, name)).mode & 0o777] as const);
    const files = ['test.db', 'test.db-counts'].flatMap((name) => ['', '-shm', '-wal'].map((end) => name + end));
    expect(Object.fromEntries(modes)).toEqual(Object.fromEntries(files.map((name) => [name, 0o600])));
  });

  test('keeps its log short under counts alone', async () => {
    for (let round = 0; round < 2_500; round += 1) await store.usage.take(key, null);
    const other = openSqlite(join(folder, 'test.db-counts'));
    const [{ log }] = other.pragma('wal_checkpoint(PASSIVE)') as [{ log: number }];
    other.close();
    expect(log).toBeLessThan(2_000);
  });

  test('that is copied alone has the counts and uses as of when it was closed', async () => {
    await store.usage.take(key, '192.0.2.7');
    await store.close();
    copyFileSync(join(folder, 'test.db'), join(folder, 'copy.db'));
    store = await openStore(`sqlite:${join(folder, 'copy.db')}`, clock);
    expect(await store.keys.list()).toMatchObject([
      { last_used_at: NOON, last_used_ip: '192.0.2.7', requests_today: 1 },
    ]);
    expect(await store.usage.take(key, null)).toMatchObject({ today: 2 });
  });

  test('that is backed up while it is in use takes its counts along', async () => {
    await store.usage.take(key, null);
    await store.backUp(join(folder, 'copy.db'));
    const copy = await openStore(`sqlite:${join(folder, 'copy.db')}`, clock);
    expect(await copy.usage.read(key)).toMatchObject({ today: 1, thisMonth: 1 });
    await copy.close();
  });

  test('that takes the place of another one does not go on with its counts', async () => {
    await store.usage.take(key, null);
    await store.close();
    for (const end of ['', '-wal', '-shm']) rmSync(join(folder, `test.db${end}`), { force: true });
    store = await openStore(`sqlite:${join(folder, 'test.db')}`, clock);
    await store.accounts.create('acme', 'enterprise', { daily: 10_000, monthly: null });
    key = await store.keys.create(aKey);
    expect(await store.usage.take(key, null)).toMatchObject({ today: 1 });
  });

  test('of counts that is lost is begun anew from what the database has', async () => {
    await store.usage.take(key, null);
    await store.close();
    rmSync(join(folder, 'test.db-counts'));
    store = await openStore(`sqlite:${join(folder, 'test.db')}`, clock);
    expect(await store.usage.read(key)).toMatchObject({ today: 1 });
    expect(await store.usage.take(key, null)).toMatchObject({ today: 2 });
  });
});

/** Takes the write lock of a file in another connection. */
function lock(name: string): () => void {
  const other = openSqlite(join(folder, name));
  other.exec('BEGIN IMMEDIATE');
  return () => {
    other.exec('ROLLBACK');
    other.close();
  };
}

test('a database of the first version keeps its keys, each with a count of its own', async () => {
  const file = join(folder, 'old.db');
  const secret = newSecret();
  const database = openSqlite(file);
  database.exec(initial);
  database.pragma('user_version = 1');
  const hash = createHmac('sha256', 'pepper').update(secret).digest();
  database.prepare("INSERT INTO settings VALUES ('key_pepper', 'pepper')").run();
  database.prepare("INSERT INTO accounts VALUES (4, 'acme', 'api_access', ?)").run(NOON);
  const insert = database.prepare("INSERT INTO keys VALUES (?, 4, ?, 'write', ?, 'mk_x', ?, NULL, NULL)");
  insert.run(3, 'first', Buffer.from('x'), NOON);
  insert.run(7, 'second', hash, NOON);
  database.close();
  store = await openStore(`sqlite:${file}`, clock);
  const key = (await store.keys.find(secret)) as KeyRecord;
  expect(key).toMatchObject({ id: 7, name: 'second', level: 'write', allowed_cidrs: [], created_by: null });
  await store.usage.take(key, null);
  expect((await store.keys.list()).map(({ requests_today }) => requests_today)).toEqual([0, 1]);
  expect((await store.keys.create(aKey)).id).toBe(8);
});
