import { afterEach, describe, expect, test } from 'vitest';
import { createMetrics } from '../../src/service/metrics.ts';
import { aCompany } from '../support/builders.ts';
import { exchangeRaw } from '../support/raw.ts';
import { startService, type TestService } from '../support/service.ts';

const SIGNATURE = 'eyJ4NDAyVmVyc2lvbiI6MiwicGF5bG9hZCI6InNpZ25lZCJ9';

let service: TestService;
afterEach(() => service.close());

const lines = (): Record<string, unknown>[] => service.log.map((line) => JSON.parse(line) as Record<string, unknown>);

describe('the log', () => {
  test('has one line a request: id, method, route, status, time, key and account', async () => {
    service = await startService([aCompany()]);
    await service.get('/api/v1/companies/acme?fields=name', { headers: { 'X-Request-Id': 'my-request-1' } });
    await fetch(`${service.url}/api/v1/companies`);
    await fetch(`${service.url}/elsewhere?x=1`);
    expect(lines()).toEqual([
      {
        level: 30,
        time: expect.any(String),
        requestId: 'my-request-1',
        method: 'GET',
        route: '/api/v1/companies/{idOrSlug}',
        status: 200,
        ms: expect.any(Number),
        key: 1,
        account: 'account-1',
        msg: 'request',
      },
      expect.objectContaining({ route: '/api/v1/companies', status: 401, code: 'unauthenticated' }),
      expect.objectContaining({ path: '/elsewhere', status: 404, code: 'not_found' }),
    ]);
    expect(lines()[1]).not.toHaveProperty('key');
  });

  test('says when a client went away before it was answered', async () => {
    service = await startService([aCompany()]);
    const { ping } = service.store;
    let asked = (): void => {};
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    let answer = (): void => {};
    service.store.ping = () =>
      new Promise((resolve) => {
        answer = resolve;
        asked();
      });
    const leaving = new AbortController();
    const request = fetch(`${service.url}/api/health`, { signal: leaving.signal });
    await isAsked;
    leaving.abort();
    await expect(request).rejects.toThrow();
    while (service.log.length === 0) await new Promise((resolve) => setImmediate(resolve));
    answer();
    service.store.ping = ping;
    expect(lines()).toEqual([expect.objectContaining({ route: '/api/health', isCutOff: true })]);
  });

  test('holds no key and no signature, wherever a client puts them; neither do the metrics, nor errors', async () => {
    service = await startService([aCompany()], { metrics: createMetrics(), metricsAllow: ['127.0.0.1'] });
    const { key } = service;
    const revoked = await service.newKey();
    await service.store.keys.revoke(2);
    const unknown = `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`;
    const paid = { 'PAYMENT-SIGNATURE': SIGNATURE, 'X-Payment': SIGNATURE };
    const body = JSON.stringify({ name: key, api_key: key });
    const json = { 'Content-Type': 'application/json' };
    const answers: string[] = [];
    const ask = async (path: string, init: RequestInit = {}) => {
      const response = await fetch(service.url + path, init);
      answers.push(JSON.stringify([...response.headers]), await response.text());
    };
    for (const secret of [key, revoked, unknown]) {
      const headers = { ...paid, Authorization: `Bearer ${secret}` };
      await ask('/api/v1/companies', { headers });
      await ask(`/api/v1/search?type=all&api_key=${secret}`, { headers });
      await ask(`/api/v1/search?type=${secret}`, { headers });
      await ask(`/api/v1/search?type=all&limit=${secret}&fields=${SIGNATURE}`, {
        headers: { ...headers, Authorization: `Basic ${secret}` },
      });
      await ask(`/api/v1/companies/${secret}`, { headers });
      await ask(`/api/v1/${secret}`, { headers });
      await ask(`/${secret}/${secret}?key=${secret}`, { headers });
      await ask(`/api/v1/companies/%c0%ae${secret}`, { headers });
      await ask(`/api/v1/search?type=all&query=%E0%A4%A${secret}`, { headers });
      await ask('/api/v1/companies', { method: 'POST', headers: { ...headers, ...json }, body });
      await ask('/api/v1/companies', { method: 'POST', headers: { ...headers, ...json }, body: body.slice(1) });
      await ask('/api/health', { method: 'POST', headers: { ...headers, ...json }, body });
      await ask('/api/health', { headers: { ...headers, 'X-Request-Id': secret, 'X-Forwarded-For': secret } });
      await ask('/api/health', {
        headers: { ...headers, Origin: `https://${secret}`, Referer: secret, 'User-Agent': secret },
      });
      answers.push(
        await exchangeRaw(service.url, `GET /${secret} HTTP/1.1\r\nHost: x\r\nAuthorization ${secret}\r\n\r\n`),
      );
    }
    const { search } = service.store.records;
    service.store.records.search = () => Promise.reject(new Error('broken'));
    await ask(`/api/v1/search?type=all&query=${key}`, { headers: { ...paid, Authorization: `Bearer ${key}` } });
    service.store.records.search = search;
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    expect(service.log.length).toBeGreaterThan(45);
    for (const text of [service.log.join(''), metrics, answers.join('')]) {
      expect(text).not.toContain('mk_');
      expect(text).not.toContain(SIGNATURE);
    }
  });
});
