import { afterEach, describe, expect, test } from 'vitest';
import { health } from '../../src/contract/health.ts';
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

  test.each(['true', 'TRUE', '1', 'yes', 'on'])('200 detailed=%s adds the routes', async (value) => {
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
  });

  test.each(['detailed=false', 'detailed=0', 'detailed=', 'detailed=junk', 'detailed=true&detailed=false', 'other=1'])(
    '200 %s is the quick check',
    async (query) => {
      service = await startService();
      const { status, body } = await check(`/api/health?${query}`);
      expect([status, 'endpoints' in body]).toEqual([200, false]);
    },
  );

  test('200 with a degraded route: the body says it, the status follows the core', async () => {
    service = await startService();
    const { search } = service.store.records;
    service.store.records.search = (request) =>
      request.types.length === 1 && request.types[0] === 'people'
        ? Promise.reject(new Error('broken'))
        : search(request);
    const { status, body } = await check('/api/health?detailed=true');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'operational',
      operational: true,
      diagnostics: { apiRoutes: { status: 'error', operational: false } },
    });
    expect(
      (body['endpoints'] as { name: string; status: string }[])
        .filter((route) => route.status === 'error')
        .map((route) => route.name),
    ).toEqual(['People API']);
  });

  test('503 when the database is away, and 200 again when it is back', async () => {
    service = await startService();
    const { ping } = service.store;
    service.store.ping = () => Promise.reject(new Error('gone'));
    expect(await check()).toMatchObject({ status: 503, body: { status: 'error', services: { database: 'error' } } });
    service.store.ping = ping;
    expect((await check()).status).toBe(200);
  });

  test('shares one detailed run among all who ask at once', async () => {
    service = await startService();
    let runs = 0;
    const { search } = service.store.records;
    service.store.records.search = (request) => {
      runs += 1;
      return search(request);
    };
    const answers = await Promise.all(Array.from({ length: 20 }, () => check('/api/health?detailed=true')));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(runs).toBe(4);
  });
});
