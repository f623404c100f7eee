import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newSecret } from '../../../src/store/access/secrets.ts';
import { openStore } from '../../../src/store/open.ts';
import type { KeyRecord } from '../../../src/store/port/access.ts';
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

  test('that is locked for too long admits nobody', async () => {
    const other = new Database(join(folder, 'test.db'));
    other.exec('BEGIN IMMEDIATE');
    await expect(store.usage.take(key, null)).rejects.toMatchObject({ code: 'unavailable' });
    other.exec('ROLLBACK');
    other.close();
    expect(await store.usage.take(key, null)).toMatchObject({ isAdmitted: true, today: 1 });
  });

  test('keeps its log short under counts alone', async () => {
    for (let round = 0; round < 2_500; round += 1) await store.usage.take(key, null);
    const other = new Database(join(folder, 'test.db'));
    const [{ log }] = other.pragma('wal_checkpoint(PASSIVE)') as [{ log: number }];
    other.close();
    expect(log).toBeLessThan(2_000);
  });
});

test('a database of the first version keeps its keys, each with a count of its own', async () => {
  const file = join(folder, 'old.db');
  const secret = newSecret();
  const database = new Database(file);
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
