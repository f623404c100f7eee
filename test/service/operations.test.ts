import { afterEach, describe, expect, test } from 'vitest';
import { createMetrics } from '../../src/service/metrics.ts';
import { aCompany } from '../support/builders.ts';
import { startService, type TestService } from '../support/service.ts';

const LOOPBACK = ['127.0.0.0/8', '::1/128'];

let service: TestService;
afterEach(() => service.close());

describe('GET /livez and /readyz', () => {
  test('200 while the service works', async () => {
    service = await startService();
    for (const path of ['/livez', '/readyz']) {
      const response = await fetch(service.url + path);
      expect([response.status, await response.json()]).toEqual([200, { status: 'operational' }]);
      expect(response.headers.get('cache-control')).toBe('no-store');
    }
  });

  test('503 of readiness and health, and 200 of liveness, from the moment it is stopping', async () => {
    let isStopping = false;
    service = await startService([], { isStopping: () => isStopping });
    isStopping = true;
    const health = await fetch(`${service.url}/api/health`);
    expect([health.status, await health.json()]).toMatchObject([
      503,
      { status: 'error', services: { database: 'operational', api: 'error' } },
    ]);
    const ready = await fetch(`${service.url}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([503, { status: 'error' }]);
    expect((await fetch(`${service.url}/livez`)).status).toBe(200);
    expect((await service.get('/api/v1/companies')).status).toBe(200);
  });
});

describe('GET /metrics', () => {
  const metricsOf = async (headers: Record<string, string> = {}) => fetch(`${service.url}/metrics`, { headers });

  test('200 with requests by route, never by path, and with what Node says of the process', async () => {
    service = await startService([aCompany()], { metrics: createMetrics(), metricsAllow: LOOPBACK });
    await service.get('/api/v1/companies/acme');
    await service.get('/api/v1/companies/1?fields=name');
    await service.get('/api/v1/companies/nobody');
    await service.get('/api/v1/no/such/place');
    await fetch(`${service.url}/elsewhere`);
    const response = await metricsOf();
    const text = await response.text();
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      expect.stringContaining('text/plain'),
    ]);
    const detail = 'method="GET",route="/api/v1/companies/{idOrSlug}"';
    expect(text).toContain(`web3_bi_http_requests_total{${detail},status="200"} 2`);
    expect(text).toContain(`web3_bi_http_requests_total{${detail},status="404"} 1`);
    expect(text).toContain('web3_bi_http_requests_total{method="GET",route="none",status="404"} 2');
    expect(text).toContain(`web3_bi_http_request_duration_seconds_count{${detail},status="200"} 2`);
    expect(text).toContain('web3_bi_http_errors_total{code="not_found"} 3');
    expect(text).toContain('process_resident_memory_bytes');
    expect(text).not.toMatch(/acme|nobody|elsewhere|fields/);
  });

  test('404 to an address that is not allowed', async () => {
    service = await startService([], { metrics: createMetrics(), metricsAllow: ['10.0.0.0/8', '::1'] });
    const response = await metricsOf();
    expect([response.status, await response.json()]).toMatchObject([404, { code: 'not_found' }]);
  });

  test.each([{ 'X-Forwarded-For': '127.0.0.1' }, { 'X-Forwarded-For': '8.8.8.8' }, { Forwarded: 'for=127.0.0.1' }])(
    '404 to %j, which came through a proxy that nobody trusts',
    async (headers) => {
      service = await startService([], { metrics: createMetrics(), metricsAllow: LOOPBACK });
      expect((await metricsOf(headers as Record<string, string>)).status).toBe(404);
      expect((await metricsOf()).status).toBe(200);
    },
  );

  test('404 where nothing is counted', async () => {
    service = await startService([], { metricsAllow: LOOPBACK });
    expect((await metricsOf()).status).toBe(404);
  });
});
