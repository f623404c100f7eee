import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endpoints } from '../../src/contract/endpoints.ts';
import { aCompany } from '../support/builders.ts';
import { startService, type TestService } from '../support/service.ts';

const EVIL = 'https://evil.example';
const APP = 'https://app.example.com';

let service: TestService;
beforeAll(async () => {
  service = await startService([aCompany()]);
});
afterAll(() => service.close());

const preflight = (url: string, origin: string, method = 'GET') =>
  fetch(url, { method: 'OPTIONS', headers: { Origin: origin, 'Access-Control-Request-Method': method } });
const corsHeaders = (response: Response): string[] =>
  [...response.headers.keys()].filter((name) => name.startsWith('access-control-'));

describe('security headers', () => {
  test.each(['/api/health', '/api/v1/companies', '/api/v1/search', '/nope', '/livez'])(
    'of %s allow nothing',
    async (path) => {
      const { headers } = await fetch(service.url + path);
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-security-policy': "default-src 'none';base-uri 'none';form-action 'none';frame-ancestors 'none'",
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'cross-origin-resource-policy': 'same-origin',
      });
      expect([headers.get('x-powered-by'), headers.get('server'), headers.get('strict-transport-security')]).toEqual([
        null,
        null,
        null,
      ]);
    },
  );

  test('ask for HTTPS when the public address has it', async () => {
    const secure = await startService([], { publicUrl: 'https://bi.example.com' });
    const { headers } = await fetch(`${secure.url}/api/health`);
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
    await secure.close();
  });
});

describe('pages of other hosts', () => {
  const open = endpoints.filter(({ access }) => access === 'nothing').map(({ path }) => path);

  test('may read what needs no key, without credentials', async () => {
    expect(open).toEqual(expect.arrayContaining(['/api/health', '/api/v1/openapi.json']));
    for (const path of open) {
      const { headers } = await fetch(service.url + path, { headers: { Origin: EVIL } });
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('access-control-allow-credentials')).toBeNull();
      expect(headers.get('access-control-expose-headers')?.split(',')).toEqual([
        'PAYMENT-REQUIRED',
        'PAYMENT-RESPONSE',
        'X-Request-Id',
        'Retry-After',
      ]);
    }
  });

  test('204 to their preflight, which may bring a payment', async () => {
    for (const path of open) {
      const response = await preflight(service.url + path, EVIL);
      expect(response.status).toBe(204);
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect(response.headers.get('access-control-allow-headers')).toContain('PAYMENT-SIGNATURE');
      expect(response.headers.get('access-control-allow-methods')).toContain('GET');
    }
  });

  test('may read an error of what needs no key', async () => {
    const response = await fetch(`${service.url}/api/health`, { method: 'DELETE', headers: { Origin: EVIL } });
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([405, '*']);
  });

  test('may not read the keyed API, nor learn of it by a preflight', async () => {
    const answers = [
      await service.get('/api/v1/companies', { headers: { Origin: EVIL } }),
      await fetch(`${service.url}/api/v1/companies`, { headers: { Origin: EVIL } }),
      await preflight(`${service.url}/api/v1/companies`, EVIL),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 401]);
    expect(answers.flatMap(corsHeaders)).toEqual([]);
  });

  test('may read the keyed API when the operator names them, and no other page may', async () => {
    const other = await startService([aCompany()], { corsOrigins: [APP] });
    const path = `${other.url}/api/v1/companies`;
    const asked = await preflight(path, APP, 'POST');
    expect(asked.status).toBe(204);
    expect(asked.headers.get('access-control-allow-origin')).toBe(APP);
    expect(asked.headers.get('access-control-allow-headers')).toContain('Authorization');
    const read = await other.get('/api/v1/companies', { headers: { Origin: APP } });
    expect([read.status, read.headers.get('access-control-allow-origin')]).toEqual([200, APP]);
    expect(read.headers.get('vary')).toContain('Origin');
    const refused = await fetch(path, { headers: { Origin: APP } });
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([401, APP]);
    const stranger = await other.get('/api/v1/companies', { headers: { Origin: EVIL } });
    expect([corsHeaders(stranger), stranger.headers.get('vary')]).toEqual([[], expect.stringContaining('Origin')]);
    expect(corsHeaders(await preflight(path, EVIL))).toEqual([]);
    // What is open to all stays so, with the preflight of a payment.
    const open = await preflight(`${other.url}/api/health`, APP);
    expect(open.headers.get('access-control-allow-headers')).toContain('PAYMENT-SIGNATURE');
    await other.close();
  });
});

describe('Accept', () => {
  test.each(['application/json', '*/*', 'application/*', 'text/html, */*;q=0.1', ''])('200 for %j', async (accept) => {
    expect((await service.get('/api/v1/companies', { headers: { Accept: accept } })).status).toBe(200);
  });

  test.each([
    '/api/v1/companies',
    '/api/v1/search?type=all',
    '/api/v1/companies/acme',
    '/api/health',
    '/api/v1/openapi.json',
  ])('406 on %s for a client that takes no JSON', async (path) => {
    for (const accept of ['text/html', 'application/xml', 'application/json;q=0, text/plain']) {
      const response = await service.get(path, { headers: { Accept: accept } });
      expect([response.status, await response.json()]).toMatchObject([
        406,
        { success: false, code: 'not_acceptable', meta: { version: 'v1' } },
      ]);
    }
  });

  test('401 before 406', async () => {
    const response = await fetch(`${service.url}/api/v1/companies`, { headers: { Accept: 'text/html' } });
    expect(response.status).toBe(401);
  });
});

describe('HEAD and OPTIONS', () => {
  // Each of them is counted, so the numbers that are left differ.
  const VARYING = /^(date|x-request-id|connection|keep-alive|ratelimit|x-ratelimit-.*-remaining)$/;
  const plain = ({ headers }: Response) => Object.fromEntries([...headers].filter(([name]) => !VARYING.test(name)));

  test.each([
    '/api/v1/companies',
    '/api/v1/companies/acme',
    '/api/v1/search?type=all',
    '/api/v1/openapi.json',
    '/livez',
  ])('HEAD %s has the headers of GET and no body', async (path) => {
    const [get, head] = [await service.get(path), await service.get(path, { method: 'HEAD' })];
    expect([head.status, plain(head), await head.text()]).toEqual([get.status, plain(get), '']);
  });

  test('HEAD /api/health answers as GET does', async () => {
    const head = await fetch(`${service.url}/api/health?detailed=true`, { method: 'HEAD' });
    expect([head.status, await head.text(), head.headers.get('cache-control')]).toEqual([200, '', 'no-store']);
  });

  test('HEAD of an error has its status and no body', async () => {
    for (const [path, status] of [
      ['/api/v1/companies/nobody', 404],
      ['/api/v1/search?type=x', 400],
      ['/nope', 404],
    ] as const) {
      const head = await service.get(path, { method: 'HEAD' });
      expect([head.status, await head.text()]).toEqual([status, '']);
    }
  });

  test('204 to OPTIONS with the methods of the path', async () => {
    for (const path of ['/api/v1/companies', '/api/health', '/livez']) {
      const response = await service.get(path, { method: 'OPTIONS' });
      expect([response.status, response.headers.get('allow'), await response.text()]).toEqual([
        204,
        expect.stringMatching(/GET.*HEAD.*OPTIONS/),
        '',
      ]);
    }
  });

  test('405 with Allow for a method that is not among them', async () => {
    for (const path of ['/api/health', '/livez', '/readyz']) {
      const response = await service.get(path, { method: 'DELETE' });
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    }
  });
});
