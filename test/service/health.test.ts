import { afterEach, describe, expect, test } from 'vitest';
import { health } from '../../src/contract/health.ts';
import { aCompany } from '../support/builders.ts';
import { engine } from '../support/databases.ts';
import { isSecondEngine } from '../support/length.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
afterEach(() => service.close());

const check = async (path = '/api/health') => {
  const response = await fetch(service.url + path);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

describe('GET /api/health', () => {
  test('200 without a key: exactly the four fields of the quick check', async () => {
    service = await startService();
    const { status, body } = await check();
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['status', 'timestamp', 'responseTime', 'services']);
    expect(body).toMatchObject({ status: 'operational', services: { database: 'operational', api: 'operational' } });
    expect(Number.isInteger(body['responseTime'])).toBe(true);
  });

  test.skipIf(isSecondEngine)('answers thousands of equal parameters as fast as different ones', async () => {
    service = await startService();
    const timeOf = async (names: readonly string[]) => {
      const begun = performance.now();
      expect((await check(`/api/health?${names.join('&')}`)).status).toBe(200);
      return performance.now() - begun;
    };
    const different = Array.from({ length: 1_300 }, (_, at) => `a${at}`);
    await timeOf(different);
    const equal = await timeOf(Array.from({ length: 3_900 }, () => 'a'));
    expect(equal / (await timeOf(different))).toBeLessThan(8);
  });

  test.each(isSecondEngine ? ['true'] : ['true', 'TRUE', '1', 'yes', 'on'])(
    '200 detailed=%s adds the routes',
    async (value) => {
      service = await startService();
      const { status, body } = await check(`/api/health?detailed=${value}`);
      expect(status).toBe(200);
      expect(health.parse(body)).toMatchObject({
        operational: true,
        diagnostics: { apiRoutes: { status: 'operational', operational: true } },
        endpoints: ['Companies API', 'People API', 'Investors API', 'Search API'].map((name) => ({
          name,
          status: 'operational',
        })),
      });
    },
  );

  test
    .skipIf(isSecondEngine)
    .each([
      'detailed=false',
      'detailed=0',
      'detailed=',
      'detailed=junk',
      'detailed=true&detailed=false',
      'detailed=true&detailed=true',
      'detailed[]=true',
      'other=1',
    ])('200 %s is the quick check', async (query) => {
    service = await startService();
    const { status, body } = await check(`/api/health?${query}`);
    expect([status, 'endpoints' in body]).toEqual([200, false]);
  });

  test('200 with a degraded route: the body says it, the status follows the core', async () => {
    const { url, execute } = await overDatabase();
    expect(brokenRoutes((await check('/api/health?detailed=true')).body)).toEqual([]);
    await execute('ALTER TABLE people RENAME TO people_away');
    service.setNow(new Date('2026-11-21T12:00:06.000Z'));
    const { status, body } = await check('/api/health?detailed=true');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'operational',
      operational: true,
      diagnostics: { apiRoutes: { status: 'error', operational: false } },
    });
    expect(brokenRoutes(body)).toEqual(['People API', 'Search API']);
    expect(JSON.stringify(body)).not.toMatch(
      /people_away|no such table|relation|SQLITE|sqlite|postgres|node_modules|\.ts|\.js/,
    );
    expect(JSON.stringify(body)).not.toContain(url);
    await execute('ALTER TABLE people_away RENAME TO people');
    service.setNow(new Date('2026-11-21T12:00:12.000Z'));
    expect(brokenRoutes((await check('/api/health?detailed=true')).body)).toEqual([]);
  });

  test.each(['/api/health', '/api/health?detailed=true', '/readyz'])(
    '503 on %s when the database is away, and 200 again when it is back',
    async (path) => {
      const { execute } = await overDatabase();
      await execute('ALTER TABLE settings RENAME TO settings_away');
      expect(await check(path)).toMatchObject({ status: 503, body: { status: 'error' } });
      const head = await fetch(service.url + path, { method: 'HEAD' });
      expect([head.status, await head.text(), head.headers.get('cache-control')]).toEqual([503, '', 'no-store']);
      await execute('ALTER TABLE settings_away RENAME TO settings');
      service.setNow(new Date('2026-11-21T12:00:06.000Z'));
      expect((await check(path)).status).toBe(200);
    },
  );

  test.skipIf(isSecondEngine)('takes the first search of a process for slow, not for broken', async () => {
    service = await startService([aCompany()]);
    const { get } = service.store.records;
    let calls = 0;
    service.store.records.get = async (...given) => {
      calls += 1;
      if (calls === 1) await new Promise((resolve) => setTimeout(resolve, 2_500));
      return get(...given);
    };
    const { status, body } = await check('/api/health?detailed=true');
    expect([status, brokenRoutes(body)]).toEqual([200, []]);
    const times = (body['endpoints'] as { responseTime: number }[]).map(({ responseTime }) => responseTime);
    expect(Math.max(...times)).toBeGreaterThanOrEqual(2_490);
  });

  test.skipIf(isSecondEngine)('shares one detailed run among all who ask at once', async () => {
    service = await startService();
    let runs = 0;
    const { search } = service.store.records;
    await search({ types: ['companies'], text: '', window: { offset: 0, limit: 1 } });
    service.store.records.search = (request) => {
      runs += 1;
      return search(request);
    };
    const answers = await Promise.all(Array.from({ length: 500 }, () => check('/api/health?detailed=true')));
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    expect(runs).toBe(4);
  });
});

const brokenRoutes = (body: Record<string, unknown>): string[] =>
  (body['endpoints'] as { name: string; status: string }[])
    .filter((route) => route.status === 'error')
    .map((route) => route.name);

/** Starts the service over a file, and gives a way to change it from outside, as another program could. */
async function overDatabase() {
  const database = await engine.newDatabase();
  service = await startService([aCompany()], { database: database.url });
  return database;
}
