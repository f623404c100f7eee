import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aCompany, anEvent, anInvestor, aPerson, aRound } from '../support/builders.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService([
    aRound({
      name: 'Acme Seed',
      stage: 'seed',
      amount_usd: '1000000.00',
      announced_date: '2020-01-02',
      investors: ['Example Capital'],
      lead_investors: ['Example Capital'],
    }),
    aRound({ name: 'Acme Series A', stage: 'series_a', amount_usd: '5000000.50', announced_date: '2021-01-02' }),
    aRound({ name: 'Acme Debt', stage: 'debt_financing', amount_usd: '9000000.00', announced_date: '2022-01-02' }),
    aCompany({ name: 'Acme', founders: ['Ada Example'] }),
    anInvestor({ name: 'Example Capital' }),
    aPerson({ name: 'Ada Example', roles: [{ organization: 'Acme', title: 'CEO', role_type: 'executive' }] }),
    anEvent({ name: 'ExampleCon', speakers: ['Ada Example', 'Somebody Else'], sponsors: ['Acme'] }),
  ]);
});
afterAll(() => service.close());

const body = async (path: string): Promise<any> => (await service.get(path)).json();

describe('GET /api/v1/{type}', () => {
  test.each(['companies', 'people', 'investors', 'events'])('200 lists %s in the envelope', async (type) => {
    const { success, data } = await body(`/api/v1/${type}`);
    expect(success).toBe(true);
    expect(data).toMatchObject({ totalResults: 1, totalPages: 1, page: 1, limit: 20 });
    expect(data.results[0].type).toBe(type);
  });

  test('400 refuses a limit above 100', async () => {
    const response = await service.get('/api/v1/companies?limit=101');
    expect(response.status).toBe(400);
  });

  test('401 has the envelope and tells a missing header from an unknown key', async () => {
    const missing = await fetch(`${service.url}/api/v1/companies`);
    expect([missing.status, await missing.json()]).toMatchObject([
      401,
      { success: false, error: 'Missing or invalid authorization header' },
    ]);
    const again = await fetch(`${service.url}/api/v1/companies`);
    expect((await again.json()) as any).toMatchObject({
      remedy: expect.stringMatching(/^Send an API key as Authorization: Bearer KEY \(the operator makes one\)\.$/),
    });
    const unknown = await fetch(`${service.url}/api/v1/companies`, {
      headers: { Authorization: `Bearer mk_${'b'.repeat(49)}` },
    });
    expect([unknown.status, await unknown.json()]).toMatchObject([401, { success: false, error: 'Invalid API key' }]);
  });

  test.each([
    ['another scheme', { Authorization: 'Basic bWtfYTpi' }],
    ['a scheme without a key', { Authorization: 'Bearer' }],
    ['a payment instead of a key', { 'PAYMENT-SIGNATURE': 'eyJ4NDAyVmVyc2lvbiI6Mn0=' }],
  ])('401 for %s, which is no key', async (_what, headers) => {
    const response = await fetch(`${service.url}/api/v1/companies`, { headers: headers as Record<string, string> });
    expect([response.status, response.headers.get('www-authenticate'), await response.json()]).toMatchObject([
      401,
      'Bearer realm="api"',
      { success: false, error: 'Missing or invalid authorization header', code: 'unauthenticated' },
    ]);
  });

  test('401 says that a key has expired', async () => {
    const secret = await service.newKey({ expires_at: '2026-11-21T12:00:01.000Z' });
    service.setNow(new Date('2026-11-21T12:00:01.000Z'));
    const response = await fetch(`${service.url}/api/v1/companies`, { headers: { Authorization: `Bearer ${secret}` } });
    expect([response.status, await response.json()]).toMatchObject([
      401,
      { error: 'Invalid API key', code: 'key_expired' },
    ]);
  });
});

describe('GET /api/v1/{type}/{idOrSlug}', () => {
  test('200 gives one record by number and by slug', async () => {
    const byId = await body('/api/v1/companies/1');
    expect(byId.data).toMatchObject({ type: 'companies', id: 1, name: 'Acme' });
    expect((await body('/api/v1/companies/acme')).data).toEqual(byId.data);
  });

  test('200 sums the raised rounds and takes the latest priced one as stage', async () => {
    expect((await body('/api/v1/companies/acme')).data).toMatchObject({
      total_funding_usd: '6000000.50',
      funding_stage: 'series_a',
    });
  });

  test('200 links a role to the company that bears its name', async () => {
    expect((await body('/api/v1/people/ada-example')).data.roles).toEqual([
      {
        organization: 'Acme',
        organization_type: 'companies',
        organization_id: 1,
        organization_slug: 'acme',
        title: 'CEO',
        role_type: 'executive',
        start_date: null,
        end_date: null,
        is_current: null,
        as_of: null,
      },
    ]);
  });

  test('200 keeps a name that is none of ours as text', async () => {
    expect((await body('/api/v1/events/examplecon')).data.speakers[1]).toEqual({
      name: 'Somebody Else',
      type: null,
      id: null,
      slug: null,
    });
  });

  test.each(['acme2', '999', '99999999999999999999', '%00', 'a%2Fb', '1.5'])('404 for %s', async (name) => {
    const response = await service.get(`/api/v1/companies/${name}`);
    expect([response.status, await response.json()]).toMatchObject([404, { success: false, code: 'not_found' }]);
  });

  test('404 names the nearest records, also of another type, and the nearest path', async () => {
    const errorOf = async (path: string) => ((await (await service.get(path)).json()) as any).error;
    expect(await errorOf('/api/v1/companies/acm')).toContain('; the nearest are companies/acme');
    expect(await errorOf('/api/v1/companies/zzzzqqq')).toContain('; search by its name.');
    expect(await errorOf('/api/v1/investors/acme')).toContain('companies/acme');
    expect(await errorOf('/api/v1/compnies/acme')).toContain('The nearest is /api/v1/companies/{idOrSlug}.');
    expect(await errorOf('/health')).toContain('The nearest is /api/health.');
    expect(await errorOf(`/api/v1/compnies/${'a'.repeat(300)}`)).toMatch(/lists the endpoints\.$/);
    expect(await errorOf('/api/v1/xyzzy')).not.toContain('nearest');
  });

  test('404 names nothing to a program that prefers a minimal answer', async () => {
    const headers = { Authorization: `Bearer ${service.key}`, Prefer: 'return=minimal' };
    const response = await fetch(`${service.url}/api/v1/companies/acm`, { headers });
    expect(await response.json()).toMatchObject({
      code: 'not_found',
      error: 'There is no company with this number or slug; search by its name.',
    });
  });

  test('400 for bad percent-encoding', async () => {
    const response = await service.get('/api/v1/companies/%c0%ae');
    expect([response.status, await response.json()]).toMatchObject([400, { code: 'malformed_request' }]);
  });
});

describe('GET /api/v1/{type}/{idOrSlug}/{relation}', () => {
  test.each([
    ['companies/acme/people', ['Ada Example']],
    ['companies/acme/investors', ['Example Capital']],
    ['companies/acme/rounds', ['Acme Debt', 'Acme Series A', 'Acme Seed']],
    ['companies/acme/events', ['ExampleCon']],
    ['investors/example-capital/portfolio', ['Acme']],
    ['investors/example-capital/people', []],
    ['people/ada-example/companies', ['Acme']],
    ['people/ada-example/events', ['ExampleCon']],
    ['events/examplecon/speakers', ['Ada Example']],
    ['events/examplecon/organizers', []],
    ['events/examplecon/sponsors', ['Acme']],
  ])('200 %s', async (path, expected) => {
    const { data } = await body(`/api/v1/${path}`);
    expect(data.results.map((record: any) => record.name)).toEqual(expected);
    expect(data.totalResults).toBe(expected.length);
  });

  test('404 for a relation that the type does not have', async () => {
    expect((await service.get('/api/v1/events/examplecon/portfolio')).status).toBe(404);
  });
});

describe('every other path', () => {
  test.each(['/', '/nope', '/api', '/api/nope', '/api/health/x'])('404 %s as JSON', async (path) => {
    const response = await fetch(service.url + path);
    expect([response.status, await response.json()]).toMatchObject([404, { success: false, code: 'not_found' }]);
  });

  test('401 before 404 under /api/v1, so that a stranger learns no paths', async () => {
    expect((await fetch(`${service.url}/api/v1/nope`)).status).toBe(401);
    expect((await service.get('/api/v1/nope')).status).toBe(404);
  });

  test('405 names the methods', async () => {
    const response = await service.get('/api/v1/search', { method: 'PATCH' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    expect(await response.json()).toMatchObject({ success: false, code: 'method_not_allowed' });
  });

  test('HEAD has the headers and no body', async () => {
    const response = await service.get('/api/v1/companies', { method: 'HEAD' });
    expect([response.status, await response.text()]).toEqual([200, '']);
    expect(Number(response.headers.get('content-length'))).toBeGreaterThan(100);
  });

  test('says nothing of what it is built with', async () => {
    const response = await fetch(`${service.url}/nope`);
    expect(response.headers.get('x-powered-by')).toBeNull();
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('keeps a plain request id of the client and replaces any other', async () => {
    const ids = await Promise.all(
      ['my-request-1', 'short', 'with space and more'].map(async (id) =>
        (await fetch(`${service.url}/api/health`, { headers: { 'X-Request-Id': id } })).headers.get('x-request-id'),
      ),
    );
    expect(ids[0]).toBe('my-request-1');
    expect(ids.slice(1).every((id) => /^req_[0-9a-f]{32}$/.test(id ?? ''))).toBe(true);
  });

  test('begins a request id of its own with the time', async () => {
    const before = Date.now();
    const response = await fetch(`${service.url}/api/health`);
    const [, time] = /^req_([0-9a-f]{12})7/.exec(response.headers.get('x-request-id') ?? '') ?? [];
    const at = Number.parseInt(time ?? '', 16);
    expect([before <= at, at <= Date.now()]).toEqual([true, true]);
  });

  test('414 for an address that is too long, as JSON', async () => {
    const response = await fetch(`${service.url}/api/v1/search?query=${'a'.repeat(20_000)}`);
    expect([response.status, await response.json()]).toMatchObject([414, { success: false, code: 'uri_too_long' }]);
  });

  test('never writes a key to the log', async () => {
    await fetch(`${service.url}/api/v1/search?type=companies&api_key=${service.key}`, {
      headers: { Authorization: `Bearer ${service.key}` },
    });
    expect(service.log.length).toBeGreaterThan(0);
    expect(service.log.join('')).not.toContain('mk_');
  });
});
