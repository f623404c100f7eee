import { execFileSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import { atOnce } from '../support/at-once.ts';
import { aCompany } from '../support/builders.ts';
import { newBarePostgres, newPostgres } from '../support/databases.ts';
import { isLong } from '../support/length.ts';
import { childrenOf, type Running, startProgram } from '../support/program.ts';
import { startService } from '../support/service.ts';

const INSTANCES = 4;
/** Requests of one key, of which half as many more are sent. */
const DAILY = isLong ? 1_000 : 200;

describe(`${INSTANCES} instances on one PostgreSQL`, () => {
  let store: Store;
  let instances: Running[];
  beforeAll(async () => {
    const { url } = await newPostgres();
    store = await openStore(url);
    await store.records.putAll([aCompany()]);
    await store.accounts.create('acme', 'api_access');
    const words = ['serve', '--database', url, '--data', 'none', '--port', '0'];
    instances = await Promise.all(
      Array.from({ length: INSTANCES }, () => startProgram(words, { WEB3_BI_BURST_PER_SECOND: '0' })),
    );
  });
  afterAll(async () => {
    await Promise.all(instances.map((instance) => instance.stop()));
    await store.close();
  });
  const newKey = async (level: 'read' | 'write' = 'read', account = 'acme') =>
    store.keys.create({ account, name: 'test', level, expires_at: null });
  const ask = async (instance: number, path: string, secret: string, init: RequestInit = {}) => {
    const url = instances[instance % INSTANCES]?.url;
    const response = await fetch(`${url}${path}`, {
      ...init,
      headers: { Authorization: `Bearer ${secret}`, ...init.headers },
    });
    const body = (await response.json()) as { data: { id: number; totalResults: number } };
    return { status: response.status, headers: response.headers, body };
  };

  test('more requests at once with one key than are left: exactly those are admitted', async () => {
    await store.accounts.create('limited', 'enterprise', { daily: DAILY, monthly: null });
    const { secret } = await newKey('read', 'limited');
    const answers = await atOnce(1.5 * DAILY, (index) => ask(index, '/api/v1/companies/acme', secret));
    const left = answers
      .filter(({ status }) => status === 200)
      .map(({ headers }) => headers.get('x-ratelimit-daily-remaining'));
    expect(left).toHaveLength(DAILY);
    expect(new Set(left).size).toBe(DAILY);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(0.5 * DAILY);
  });

  test('a key that is revoked is refused on all of them at once', async () => {
    const { id, secret } = await newKey();
    const statuses = () =>
      Promise.all([0, 1, 2, 3].map(async (one) => (await ask(one, '/api/v1/companies/acme', secret)).status));
    expect(await statuses()).toEqual([200, 200, 200, 200]);
    await store.keys.revoke(id);
    expect(await statuses()).toEqual([401, 401, 401, 401]);
  });

  test('20 requests for one slug make one record; what one wrote the others find', async () => {
    const { secret } = await newKey('write');
    const body = JSON.stringify({ name: 'Contended', slug: 'contended' });
    const headers = { 'Content-Type': 'application/json' };
    const made = await atOnce(20, (index) =>
      ask(index, '/api/v1/companies', secret, { method: 'POST', body, headers }),
    );
    expect(made.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
    for (const one of [0, 1, 2, 3])
      expect((await ask(one, '/api/v1/search?type=companies&query=contended', secret)).body.data.totalResults).toBe(1);
  });

  test('a request that is sent to all of them under one Idempotency-Key is one change', async () => {
    const { secret } = await newKey('write');
    const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': 'once' };
    const body = JSON.stringify({ name: 'Once' });
    const made = await atOnce(8, (index) => ask(index, '/api/v1/companies', secret, { method: 'POST', body, headers }));
    expect(new Set(made.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(made.map((answer) => answer.body.data.id)).size).toBe(1);
  });
});

test('the password of a database in the command line is not shown to other users, of workers neither', async () => {
  const { url } = await newPostgres();
  const database = Object.assign(new URL(url), { password: 'secret-word' }).href;
  const words = ['serve', '--database', database, '--data', 'none', '--port', '0', '--workers', '2'];
  const running = await startProgram(words);
  const processes = [running.pid, ...childrenOf(running.pid)];
  const lines = processes.map((pid) =>
    execFileSync('ps', ['-ww', '-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }),
  );
  expect(lines).toHaveLength(3);
  for (const line of lines) expect(line).toMatch(/ serve --database postgres:\/\/\w+:\.\.\.@/);
  expect(lines.join()).not.toContain('secret-word');
  await running.stop();
});

describe('an empty PostgreSQL database', () => {
  const stores: Store[] = [];
  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close();
  });

  test('that ten instances open at once gets its schema and its records once', async () => {
    const url = await newBarePostgres();
    stores.push(...(await Promise.all(Array.from({ length: 10 }, () => openStore(url)))));
    const filled = await Promise.all(stores.map((store) => store.records.fillOnce(() => [aCompany()])));
    expect(filled.filter((didFill) => didFill)).toHaveLength(1);
    const keys = await Promise.all(stores.map((store, index) => store.accounts.create(`account-${index}`, 'none')));
    expect(new Set(keys.map(({ id }) => id)).size).toBe(10);
  });

  test('is waited for by ten first starts while another one fills it, for longer than statements take', async () => {
    const url = Object.assign(new URL(await newBarePostgres()), { search: `?query_timeout=${ANSWER_MS}` }).href;
    const first = await openStore(url);
    stores.push(first);
    // What an instance holds while it fills the database.
    const filling = new Client({ connectionString: url });
    await filling.connect();
    await filling.query('BEGIN');
    await filling.query(RECORDS_LOCK);
    const starts = Array.from({ length: 10 }, async () => {
      const store = await openStore(url);
      stores.push(store);
      return store.records.fillOnce(() => [aCompany()]);
    });
    const added = first.records.addShipped(() => [aCompany()]);
    const dropped = first.records.dropShipped();
    for (const each of [...starts, added, dropped]) each.catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 1.5 * ANSWER_MS));
    await filling.end();
    expect((await Promise.all(starts)).filter((didFill) => didFill)).toHaveLength(1);
    await Promise.all([added, dropped]);
  });
});

/** How long the answer to a statement may take in these tests. */
const ANSWER_MS = 2_000;
const SCHEMA_LOCK = 'SELECT pg_advisory_xact_lock(1999856233, 1)';
const WAITING = `SELECT 1 FROM pg_locks JOIN pg_database ON pg_database.oid = database
  WHERE locktype = 'advisory' AND NOT granted AND datname = current_database()`;
const RECORDS_LOCK = 'SELECT pg_advisory_xact_lock(1999856233, 2)';

test('counting and reading a count read one key and its quota, however many there are', async () => {
  const { url, execute } = await newPostgres();
  const store = await openStore(url);
  await store.accounts.create('acme', 'api_access');
  const key = await store.keys.create({ account: 'acme', name: 'test', level: 'read', expires_at: null });
  await execute("INSERT INTO quotas (day) SELECT '' FROM generate_series(1, 5000)");
  await execute(`INSERT INTO keys (account_id, quota_id, name, level, hash, display, created_at, revoked_at)
    SELECT accounts.id, quotas.id, 'other', 'read', int8send(quotas.id), '', '', '2026' FROM quotas, accounts`);
  await execute('ANALYZE');
  await execute('SELECT pg_stat_reset()');
  for (let count = 1; count <= 20; count += 1)
    expect(await store.usage.take(key, null)).toMatchObject({ today: count });
  for (let count = 1; count <= 20; count += 1) expect(await store.usage.read(key)).toMatchObject({ today: 20 });
  // A server process reports what it has read with its first statement after a second.
  await pause(1_100);
  await store.usage.take(key, null);
  const reading = new Client({ connectionString: url });
  await reading.connect();
  const { rows } = await reading.query(`SELECT sum(idx_tup_fetch) AS read FROM pg_stat_user_tables
    WHERE relname IN ('keys', 'quotas')`);
  const read = Number(rows[0].read);
  expect(read).toBeGreaterThanOrEqual(40);
  expect(read).toBeLessThan(1_000);
  await reading.end();
  await store.close();
});

describe('an instance that runs while a newer version changes the schema', () => {
  test('counts no request meanwhile, and those that came when it is done', async () => {
    const { url } = await newPostgres();
    const store = await openStore(url);
    await store.accounts.create('acme', 'api_access');
    const key = await store.keys.create({ account: 'acme', name: 'test', level: 'read', expires_at: null });
    const changing = new Client({ connectionString: url });
    await changing.connect();
    await changing.query('BEGIN');
    await changing.query(SCHEMA_LOCK);
    const taking = store.usage.take(key, null);
    while ((await changing.query(WAITING)).rowCount === 0);
    expect(await store.usage.read(key)).toMatchObject({ today: 0 });
    await changing.query('COMMIT');
    expect(await taking).toMatchObject({ isAdmitted: true, today: 1 });
    await changing.end();
    await store.close();
  });

  test('is not ready from then on, and refuses writes', async () => {
    const database = await newPostgres();
    const service = await startService([aCompany()], { database: database.url });
    const secret = await service.newKey({ level: 'write' });
    const statusOf = async (path: string, init: RequestInit = {}) => (await fetch(service.url + path, init)).status;
    expect([await statusOf('/readyz'), await statusOf('/api/health')]).toEqual([200, 200]);
    await database.execute('UPDATE schema_version SET version = version + 1');
    expect([await statusOf('/readyz'), await statusOf('/api/health'), await statusOf('/livez')]).toEqual([
      503, 503, 200,
    ]);
    const written = await fetch(`${service.url}/api/v1/companies`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'Later' }),
    });
    expect([written.status, written.headers.get('retry-after')]).toEqual([503, '5']);
    await expect(service.store.records.putAll([aCompany({ name: 'Later' })])).rejects.toMatchObject({
      code: 'unavailable',
    });
    await database.execute('UPDATE schema_version SET version = version - 1');
    expect(await statusOf('/readyz')).toBe(200);
    await service.store.records.putAll([aCompany({ name: 'Later' })]);
    await service.close();
  });
});
