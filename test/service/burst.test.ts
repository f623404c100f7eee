import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
// The library takes the time from Date alone, so the clock of the process is its argument.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(async () => {
  vi.useRealTimers();
  await service.close();
});
const pass = (ms: number) => vi.setSystemTime(Date.now() + ms);

const PATH = '/api/v1/companies';
const UNKNOWN = `mk_${'a'.repeat(49)}`;
const ask = (key: string, path = PATH) => fetch(service.url + path, { headers: { Authorization: `Bearer ${key}` } });
const many = (count: number, key: string) => Promise.all(Array.from({ length: count }, () => ask(key)));
const count = (answers: readonly Response[], status: number) =>
  answers.filter((answer) => answer.status === status).length;

describe('a key that asks too fast', () => {
  test('429 after twice the limit of a second, without using up the quota; other keys go on', async () => {
    service = await startService([], { burstPerSecond: 2 });
    const answers = await many(10, service.key);
    expect([count(answers, 200), count(answers, 429)]).toEqual([4, 6]);
    const refused = answers.find(({ status }) => status === 429) as Response;
    expect(await refused.json()).toMatchObject({
      success: false,
      error: 'Rate limit exceeded',
      code: 'burst_limit_exceeded',
    });
    expect(refused.headers.get('retry-after')).toBe('2');
    expect(refused.headers.get('ratelimit-policy')).toContain('"month";q=30000;w=2592000, "burst";q=4;w=2');
    expect(refused.headers.get('ratelimit')).toMatch(/, "burst";r=0;t=2$/);
    expect((await ask(service.key)).headers.get('x-ratelimit-daily-remaining')).toBe('996');
    expect((await ask(await service.newKey())).headers.get('x-ratelimit-daily-remaining')).toBe('999');
    pass(1_999);
    expect((await ask(service.key)).headers.get('retry-after')).toBe('1');
    pass(1);
    expect((await ask(service.key)).status).toBe(200);
  });

  test('429 on the search endpoint too, in the envelope', async () => {
    service = await startService([], { burstPerSecond: 1 });
    await many(2, service.key);
    const response = await ask(service.key, '/api/v1/search?type=all');
    expect([response.status, await response.json()]).toMatchObject([429, { success: false }]);
  });

  test('200 always when the limit is turned off', async () => {
    service = await startService([], { burstPerSecond: 0 });
    expect(count(await many(150, service.key), 200)).toBe(150);
  });
});

describe('an address that tries keys', () => {
  test('429 after a hundred; a good key from there goes on working', async () => {
    service = await startService([], { burstPerSecond: 20 });
    const answers = await many(200, UNKNOWN);
    expect([count(answers, 401), count(answers, 429)]).toEqual([100, 100]);
    const refused = answers.find(({ status }) => status === 429) as Response;
    expect(await refused.json()).toMatchObject({ error: 'Rate limit exceeded', code: 'burst_limit_exceeded' });
    expect(refused.headers.get('retry-after')).toBe('10');
    expect((await ask(service.key)).status).toBe(200);
    const [without, onSearch] = [await fetch(service.url + PATH), await ask(UNKNOWN, '/api/v1/search?type=all')];
    expect([without.status, onSearch.status]).toEqual([429, 429]);
    pass(10_000);
    expect((await ask(UNKNOWN)).status).toBe(401);
  });

  test('401 goes on for others behind the same trusted proxy', async () => {
    service = await startService([], { burstPerSecond: 20, trustedProxies: ['127.0.0.1'] });
    const from = (address: string) =>
      fetch(service.url + PATH, { headers: { Authorization: `Bearer ${UNKNOWN}`, 'X-Forwarded-For': address } });
    await Promise.all(Array.from({ length: 101 }, () => from('192.0.2.7')));
    expect((await from('192.0.2.7')).status).toBe(429);
    expect((await from('192.0.2.8')).status).toBe(401);
  });
});
