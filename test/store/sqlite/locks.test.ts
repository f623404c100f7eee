import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openStore } from '../../../src/store/open.ts';
import type { KeyRecord } from '../../../src/store/port/access.ts';
import { OPERATOR } from '../../../src/store/port/audit.ts';
import type { Store } from '../../../src/store/store.ts';
import { aCompany } from '../../support/builders.ts';
import { newSqlite, type SqliteDatabase } from '../../support/databases.ts';
import { freshLease } from '../../support/lease-requests.ts';

const MINUTE_MS = 60_000;
const START = Date.parse('2026-11-21T12:00:00.000Z');

let database: SqliteDatabase;
let store: Store;
let key: KeyRecord;
let now: Date;
beforeEach(async () => {
  now = new Date(START);
  database = await newSqlite();
  store = await openStore(database.url, () => now);
  await store.accounts.create('acme', 'enterprise', { daily: 10, monthly: null });
  key = await store.keys.create({ account: 'acme', name: 'test', level: 'read', expires_at: null });
});
afterEach(() => store.close());

describe('counts that another process holds', () => {
  test('are owed, within the limits', async () => {
    await store.usage.take(key, null);
    const release = await database.lockCounts();
    for (let today = 2; today <= 10; today += 1) {
      expect(await store.usage.take(key, null)).toMatchObject({ isAdmitted: true, today });
    }
    expect(await store.usage.take(key, null)).toMatchObject({ isAdmitted: false, today: 10 });
    expect(await store.usage.giveBack(key, now)).toMatchObject({ today: 9 });
    expect(await store.usage.read(key)).toMatchObject({ today: 9 });
    await release();
    await expect.poll(() => database.readCounts()).toMatchObject([{ day_used: 9 }]);
    expect(await store.usage.take(key, null)).toMatchObject({ isAdmitted: true, today: 10 });
  });

  test('are written when it lets go soon, also behind others that waited long for the disk', async () => {
    await store.usage.take(key, null);
    const before = store.usage.take(key, null);
    // It is committed, and waits for the disk.
    await new Promise((resolve) => setImmediate(resolve));
    const behind = store.usage.take(key, null);
    const release = await database.lockCounts();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
    setTimeout(release, 50);
    await Promise.all([before, behind]);
    expect(await database.readCounts()).toMatchObject([{ day_used: 3 }]);
  });

  test('are written when the store is closed, if they can be', async () => {
    const release = await database.lockCounts();
    await store.usage.take(key, null);
    await release();
    await store.close();
    expect(await database.readCounts()).toMatchObject([{ day_used: 1 }]);
    store = await openStore(database.url, () => now);
    expect(await store.usage.read(key)).toMatchObject({ today: 1 });
  });
});

describe('a session, while another process holds the write lock', () => {
  const client = { agent: 'browser', address: null };
  let token: string;
  beforeEach(async () => {
    const open = { account: 'acme', email: null, role: 'owner', level: 'read', lifeMs: MINUTE_MS } as const;
    const invitation = await store.invitations.create({ ...open, author: OPERATOR });
    const author = { requestId: null, address: null };
    const joining = { email: 'a@example.com', hash: 'hash', author };
    const { id } = await store.invitations.accept(invitation.token, joining);
    ({ token } = await store.sessions.begin(id, client));
  });

  test.each([
    ['whose use is due to be noted', 2],
    ['whose secret is due to be replaced', 20],
  ])('%s goes on as it is', async (_what, minutes) => {
    now = new Date(START + minutes * MINUTE_MS);
    const release = await database.lockRecords();
    const used = await store.sessions.use(token, client);
    expect(used).toMatchObject({ state: 'open' });
    expect(used).not.toHaveProperty('token');
    await release();
    expect('token' in (await store.sessions.use(token, client))).toBe(minutes === 20);
  });

  test('that is stolen ends as soon as that can be written', async () => {
    const release = await database.lockRecords();
    const stolen = store.sessions.use(token, { ...client, agent: 'another browser' });
    expect(await store.sessions.use(token, client)).toMatchObject({ state: 'open' });
    await release();
    expect(await stolen).toMatchObject({ state: 'stolen' });
    expect(await store.sessions.use(token, client)).toMatchObject({ state: 'ended' });
  });
});

test('payments that wait for their settlement leave the queue of writes to others, while another process holds the lock', async () => {
  const lease = await freshLease(store.payments);
  await store.payments.settling(lease, { data: '{}', meta: '{}' });
  const release = await database.lockRecords();
  const renewed = Array.from({ length: 1_100 }, () => store.payments.renew(lease, MINUTE_MS));
  const settled = store.payments.settled(lease, `0x${'ab'.repeat(32)}`);
  await release();
  expect(await settled).toBe(true);
  await Promise.all(renewed);
});

test('a new database that another process holds is opened when that lets go', async () => {
  const fresh = await newSqlite();
  const release = await fresh.lockRecords();
  const opening = openStore(fresh.url, () => now);
  // Other work continues meanwhile, including waits for the disk.
  await store.records.putAll([aCompany()]);
  await release();
  const opened = await opening;
  expect(await opened.records.putAll([aCompany()])).toHaveLength(1);
  await opened.close();
});
