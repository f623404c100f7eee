import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Limits, UNLIMITED } from '../../src/contract/plans.ts';
import { usage } from '../../src/contract/usage.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import { atOnce } from '../support/at-once.ts';
import { aCompany } from '../support/builders.ts';
import { engine, type TestDatabase } from '../support/databases.ts';
import { isLong, isSecondEngine } from '../support/length.ts';
import { startService, type TestService } from '../support/service.ts';

let database: TestDatabase;
let service: TestService;
beforeEach(async () => {
  database = await engine.newDatabase();
  service = await startService([aCompany()], { database: database.url });
});
afterEach(() => service.close());

const LIST = '/api/v1/companies';
const SEARCH = '/api/v1/search?type=companies';

async function keyWith(limits: Limits): Promise<string> {
  await service.store.accounts.create('limited', 'enterprise', limits);
  const key = { account: 'limited', name: 'test', level: 'read', expires_at: null } as const;
  return (await service.store.keys.create(key)).secret;
}

const ask = async (path = LIST, key = service.key, method = 'GET', more: Record<string, string> = {}) => {
  const response = await fetch(service.url + path, { method, headers: { Authorization: `Bearer ${key}`, ...more } });
  const text = await response.text();
  const etag = response.headers.get('etag');
  return { status: response.status, headers: quotaOf(response), etag, body: text === '' ? null : JSON.parse(text) };
};

function quotaOf({ headers }: Response): Record<string, string> {
  const names = /^(x-ratelimit-|ratelimit|retry-after)/;
  return Object.fromEntries([...headers].filter(([name]) => names.test(name)));
}

const remaining = async (key = service.key) => (await ask('/api/v1/usage', key)).body.data.day.remaining;

describe.skipIf(isSecondEngine)('an answer to a key', () => {
  test('says what is left, in the headers of the specification and of the draft', async () => {
    const { headers } = await ask();
    expect(headers).toEqual({
      'x-ratelimit-daily-limit': '1000',
      'x-ratelimit-daily-remaining': '999',
      'x-ratelimit-monthly-limit': '30000',
      'x-ratelimit-monthly-remaining': '29999',
      'x-ratelimit-reset': '2026-11-22T00:00:00.000Z',
      'ratelimit-policy': '"day";q=1000;w=86400, "month";q=30000;w=2592000',
      ratelimit: '"day";r=999;t=43200, "month";r=29999;t=820800',
    });
  });

  test('says it on errors too, each of which counts once', async () => {
    const answers = [
      await ask(`${LIST}?limit=0`),
      await ask(`${LIST}/nobody`),
      await ask('/api/v1/nope'),
      await ask(LIST, service.key, 'PATCH'),
      await ask(`${SEARCH}&limit=51`),
    ];
    expect(answers.map(({ status, headers }) => [status, headers['x-ratelimit-daily-remaining']])).toEqual([
      [400, '999'],
      [404, '998'],
      [404, '997'],
      [405, '996'],
      [400, '995'],
    ]);
  });

  test('of a HEAD request says and counts the same', async () => {
    const { status, headers } = await ask(LIST, service.key, 'HEAD');
    expect([status, headers['x-ratelimit-daily-remaining']]).toEqual([200, '999']);
  });

  test('has no header for a limit that the plan does not have', async () => {
    const key = await keyWith(UNLIMITED);
    expect((await ask(LIST, key)).headers).toEqual({});
    await service.store.accounts.setPlan('limited', 'enterprise', { daily: null, monthly: 5 });
    expect((await ask(LIST, key)).headers).toEqual({
      'x-ratelimit-monthly-limit': '5',
      'x-ratelimit-monthly-remaining': '3',
      'x-ratelimit-reset': '2026-12-01T00:00:00.000Z',
      'ratelimit-policy': '"month";q=5;w=2592000',
      ratelimit: '"month";r=3;t=820800',
    });
  });

  test('never says that the day has more left than the month', async () => {
    const key = await keyWith({ daily: 10, monthly: 3 });
    expect((await ask(LIST, key)).headers).toMatchObject({
      'x-ratelimit-daily-remaining': '2',
      'x-ratelimit-monthly-remaining': '2',
    });
  });
});

describe('429', () => {
  test.each([LIST, SEARCH])('%s says that the day is used up, and when to come back', async (path) => {
    const key = await keyWith({ daily: 1, monthly: 10 });
    service.setNow(new Date('2026-11-21T23:00:00.500Z'));
    await ask(path, key);
    const { status, headers, body } = await ask(path, key);
    expect(status).toBe(429);
    expect(body).toEqual({
      success: false,
      error: 'Rate limit exceeded',
      code: 'daily_limit_exceeded',
      meta: { requestId: expect.stringMatching(/^req_/), timestamp: '2026-11-21T23:00:00.500Z', version: 'v1' },
    });
    expect(headers).toMatchObject({
      'retry-after': '3600',
      'x-ratelimit-daily-limit': '1',
      'x-ratelimit-daily-remaining': '0',
      'x-ratelimit-monthly-remaining': '9',
      'x-ratelimit-reset': '2026-11-22T00:00:00.000Z',
      ratelimit: '"day";r=0;t=3600, "month";r=9;t=781200',
    });
  });

  test('comes before the level of the key and the path are asked about', async () => {
    const key = await keyWith({ daily: 1, monthly: null });
    expect((await ask('/api/v1/nope', key)).status).toBe(404);
    expect((await ask('/api/v1/nope', key)).status).toBe(429);
  });

  test('comes before the errors of a search', async () => {
    const key = await keyWith({ daily: 1, monthly: null });
    expect((await ask(`${SEARCH}&limit=0`, key)).status).toBe(400);
    expect((await ask(`${SEARCH}&limit=0`, key)).status).toBe(429);
    expect((await ask(`${SEARCH}&tag=nowhere`, key)).status).toBe(429);
    expect((await ask(SEARCH, key, 'GET', { 'X-At-Least': 'soon' })).status).toBe(429);
  });

  test('ends at midnight', async () => {
    const key = await keyWith({ daily: 1, monthly: 10 });
    service.setNow(new Date('2026-11-21T23:59:59.900Z'));
    await ask(LIST, key);
    expect((await ask(LIST, key)).headers['retry-after']).toBe('1');
    service.setNow(new Date('2026-11-22T00:00:00.000Z'));
    const { status, headers } = await ask(LIST, key);
    expect([status, headers['x-ratelimit-daily-remaining'], headers['x-ratelimit-monthly-remaining']]).toEqual([
      200,
      '0',
      '8',
    ]);
  });

  test('says that the month is used up on a fresh day', async () => {
    await database.execute(
      "UPDATE quotas SET day = '2026-11-20', day_used = 900, month = '2026-11', month_used = 30000",
    );
    const { status, headers, body } = await ask();
    expect([status, body.code]).toEqual([429, 'monthly_limit_exceeded']);
    expect(headers).toMatchObject({
      'retry-after': '820800',
      'x-ratelimit-daily-remaining': '0',
      'x-ratelimit-monthly-remaining': '0',
      'x-ratelimit-reset': '2026-12-01T00:00:00.000Z',
    });
  });

  test('refuses exactly what is over the limit of many requests at once', async () => {
    const daily = isLong ? 1_000 : 200;
    const key = await keyWith({ daily, monthly: null });
    const answers = await atOnce(1.5 * daily, () => ask(`${LIST}/acme`, key));
    const admitted = answers.filter(({ status }) => status === 200);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(0.5 * daily);
    expect(new Set(admitted.map(({ headers }) => headers['x-ratelimit-daily-remaining'])).size).toBe(daily);
  });
});

describe('not counted', () => {
  test('are /usage, OPTIONS, 401, and 429', async () => {
    const key = await keyWith({ daily: 2, monthly: null });
    await ask('/api/v1/usage', key);
    expect((await ask(LIST, key, 'OPTIONS')).status).toBe(204);
    await ask(LIST, `${key}x`);
    expect(await remaining(key)).toBe(2);
    for (let times = 0; times < 4; times += 1) await ask(LIST, key);
    expect((await ask('/api/v1/usage', key)).body.data.month.used).toBe(2);
  });

  test('is 304, and the answer says so', async () => {
    const first = await ask(`${LIST}/acme`);
    const { etag } = first;
    expect([etag, first.headers['x-ratelimit-daily-remaining']]).toEqual(['"r1"', '999']);
    const again = await ask(`${LIST}/acme`, service.key, 'GET', { 'If-None-Match': etag ?? '' });
    expect([again.status, again.body, again.headers['x-ratelimit-daily-remaining']]).toEqual([304, null, '999']);
    expect(await remaining()).toBe(999);
  });

  // On PostgreSQL nothing that a search reads is in the database.
  test.runIf(engine.name === 'SQLite')('is what the service itself failed at, and the answer says so', async () => {
    await ask(SEARCH);
    await database.execute('ALTER TABLE companies_search_keys RENAME TO broken');
    const { status, headers, body } = await ask(`${SEARCH}&query=acme`);
    expect([status, body]).toEqual([500, { error: 'External search service error' }]);
    expect(headers['x-ratelimit-daily-remaining']).toBe('999');
    expect(await remaining()).toBe(999);
  });
});

// On SQLite the count is owed meanwhile.
describe.runIf(engine.name === 'PostgreSQL')('503', () => {
  test('answers when a request cannot be counted, and admits nobody', async () => {
    const release = await database.lockCounts();
    const { status, body } = await ask(SEARCH);
    await release();
    expect([status, body]).toMatchObject([503, { success: false, code: 'unavailable' }]);
    // Not over HTTP: the wait was longer than an idle connection is kept.
    expect((await service.store.keys.list()).map(({ requests_today }) => requests_today)).toEqual([0]);
  });
});

describe('a key that another process changes', () => {
  const clock = () => new Date('2026-11-21T12:00:00.000Z');
  type Change = (other: Store, id: number) => Promise<unknown>;
  const limit = (daily: number) => (other: Store) =>
    other.accounts.setPlan('limited', 'enterprise', { daily, monthly: null });
  const changes: [string, Change, number, string | undefined][] = [
    ['is revoked', (other, id) => other.keys.revoke(id), 401, 'key_revoked'],
    ['is replaced at once', (other, id) => other.keys.rotate(id, { overlap: '0' }), 401, 'key_revoked'],
    ['loses its plan', (other) => other.accounts.setPlan('limited', 'none'), 403, 'plan_required'],
    ['has nothing left', limit(3), 429, 'daily_limit_exceeded'],
    ['has more left', limit(9), 200, undefined],
  ];

  test.each(changes)('and that %s is known so at its next request', async (_what, change, status, code) => {
    const secret = await keyWith({ daily: 4, monthly: null });
    for (let times = 0; times < 3; times += 1) expect((await ask(`${LIST}/acme`, secret)).status).toBe(200);
    const other = await openStore(database.url, clock);
    await change(other, 2);
    const answer = await ask(`${LIST}/acme`, secret);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    const after = (await other.keys.list('limited')).find(({ id }) => id === 2);
    expect(after?.requests_today).toBe(status === 200 ? 4 : 3);
    if (status === 200) expect(answer.headers['x-ratelimit-daily-remaining']).toBe('5');
    await other.close();
  });

  test('and that is revoked is told so also when it asks too fast', async () => {
    await service.close();
    database = await engine.newDatabase();
    service = await startService([], { database: database.url, burstPerSecond: 1 });
    const secret = await keyWith({ daily: 9, monthly: null });
    await ask(LIST, secret);
    await ask(LIST, secret);
    const other = await openStore(database.url, clock);
    await other.keys.revoke(2);
    await other.close();
    const { status, headers, body } = await ask(LIST, secret);
    expect([status, body.code, headers]).toEqual([401, 'key_revoked', {}]);
  });
});

describe.skipIf(isSecondEngine)('GET /api/v1/usage', () => {
  test('200 says what is left, also when nothing is', async () => {
    const key = await keyWith({ daily: 1, monthly: 30 });
    await ask(LIST, key);
    await ask(LIST, key);
    const { status, headers, body } = await ask('/api/v1/usage', key);
    expect(status).toBe(200);
    expect(usage.parse(body.data)).toEqual({
      plan: 'enterprise',
      key: { id: 2, name: 'test', level: 'read', display: expect.stringMatching(/^mk_\w{4}…\w{4}$/), expires_at: null },
      day: { limit: 1, used: 1, remaining: 0, resets_at: '2026-11-22T00:00:00.000Z' },
      month: { limit: 30, used: 1, remaining: 29, resets_at: '2026-12-01T00:00:00.000Z' },
    });
    expect(headers).toMatchObject({ 'x-ratelimit-daily-remaining': '0', 'x-ratelimit-monthly-remaining': '29' });
  });

  test('200 has null for what has no limit', async () => {
    const { data } = (await ask('/api/v1/usage', await keyWith(UNLIMITED))).body;
    expect([data.day.limit, data.day.remaining, data.month.limit, data.month.remaining]).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });

  test('401 without a key', async () => {
    expect((await fetch(`${service.url}/api/v1/usage`)).status).toBe(401);
  });
});
