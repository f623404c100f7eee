import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { KEY_LEVELS } from '../../src/contract/keys.ts';
import { aCompany, anInvestor } from '../support/builders.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
const keys: Record<string, string> = {};
beforeAll(async () => {
  service = await startService();
  for (const level of KEY_LEVELS) keys[level] = await service.newKey({ level, plan: 'enterprise' });
});
afterAll(() => service.close());

interface Sent {
  readonly level?: (typeof KEY_LEVELS)[number];
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** Sends a request and gives its status, headers and body. */
async function send(method: string, path: string, { level = 'delete', body, headers = {} }: Sent = {}) {
  const response = await fetch(`${service.url}/api/v1${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${keys[level]}`,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined
      ? {}
      : { body: body instanceof Uint8Array || typeof body === 'string' ? (body as BodyInit) : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? null : (JSON.parse(text) as any) };
}

let made = 0;
/** A new record of its own for a test. */
async function aRecord(given: Record<string, unknown> = {}, type = 'companies') {
  made += 1;
  const { status, headers, body } = await send('POST', `/${type}`, { body: { name: `Record ${made}`, ...given } });
  expect(status).toBe(201);
  return { ...body.data, path: `/${type}/${body.data.slug}`, etag: headers.get('etag') ?? '' };
}

const totalOf = async (path: string): Promise<number> => (await send('GET', path)).body.data.totalResults;

describe('POST /api/v1/{type}', () => {
  describe('201', () => {
    test.each([
      ['companies', { name: 'Created One', tags: ['DeFi'], location_json: { city: 'Lisbon', country: 'Portugal' } }],
      ['people', { name: 'Created Person', roles: [{ organization: 'Created One', title: 'CEO' }] }],
      ['investors', { name: 'Created Capital', portfolio: ['Created One'] }],
      ['events', { name: 'CreatedCon', speakers: ['Created Person'] }],
      ['rounds', { name: 'Created One Seed', company: 'Created One', stage: 'seed', amount_usd: '1000000.00' }],
    ])('creates a record of %s that its Location leads to', async (type, body) => {
      const created = await send('POST', `/${type}`, { body });
      expect(created.status).toBe(201);
      expect(created.body).toMatchObject({ success: true, message: 'Record created', data: { type, name: body.name } });
      expect(created.headers.get('etag')).toBe('"r1"');
      const location = created.headers.get('location') ?? '';
      const found = await send('GET', location.replace('/api/v1', ''));
      expect([found.status, found.body.data]).toEqual([200, created.body.data]);
    });

    test('takes both vocabularies of the specification', async () => {
      const { body } = await send('POST', '/companies', {
        body: { name: 'Two Shapes', employee_count: 12, founded_date: '2019-05-06' },
      });
      expect(body.data).toMatchObject({ total_employees: 12, founded_date: '2019-05-06', year_founded: 2019 });
    });

    test('makes a slug of the name, with a number when it is taken', async () => {
      const slugs = [];
      for (const _ of [1, 2])
        slugs.push((await send('POST', '/companies', { body: { name: 'Same Name' } })).body.data.slug);
      expect(slugs).toEqual(['same-name', 'same-name-2']);
    });

    test('is found by search at once', async () => {
      await aRecord({ name: 'Quokka Finance' });
      const { body } = await send('GET', '/search?type=companies&query=quokka');
      expect(body.data.results[0].name).toBe('Quokka Finance');
    });

    test('keeps markup as the text that it is, and nothing takes the answer for a page', async () => {
      const name = '<script>alert(1)</script>';
      const { headers, body } = await send('POST', '/companies', { body: { name } });
      expect(body.data).toMatchObject({ name, slug: 'script-alert-1-script' });
      expect([headers.get('content-type'), headers.get('x-content-type-options')]).toEqual([
        'application/json; charset=utf-8',
        'nosniff',
      ]);
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    });

    test('ignores a method override', async () => {
      const { status } = await send('POST', '/companies', {
        level: 'write',
        body: { name: 'Overridden' },
        headers: { 'X-HTTP-Method-Override': 'DELETE' },
      });
      expect(status).toBe(201);
    });

    test('happens once when it is sent again under one Idempotency-Key', async () => {
      const request = { body: { name: 'Wombat Onze' }, headers: { 'Idempotency-Key': 'once-1' } };
      const first = await send('POST', '/companies', request);
      const second = await send('POST', '/companies', request);
      expect([second.status, second.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
      expect(first.headers.get('idempotent-replayed')).toBeNull();
      expect(second.body.data).toEqual(first.body.data);
      expect(await totalOf('/search?type=companies&query=wombat')).toBe(1);
    });

    test('spells tags and chains as other records do, so that totals count them once', async () => {
      await aRecord({ tags: ['Spelt Tag'], chains: ['Speltchain'] });
      // A spelling need not be of the newest position.
      await expect.poll(() => totalOf('/companies?tag=Spelt+Tag')).toBe(1);
      const { tags, chains, path } = await aRecord({ tags: ['spelt tags', 'Own'], chains: ['SPELTCHAIN'] });
      expect([tags, chains]).toEqual([['Spelt Tag', 'Own'], ['Speltchain']]);
      const changed = await send('PATCH', path, { body: { tags: ['SPELT TAG'] } });
      expect(changed.body.data.tags).toEqual(['Spelt Tag']);
    });

    test('spells a tag as companies do before investors, as an import does', async () => {
      const focus = { focus: ['TWICE SPELT'] };
      await service.store.records.putAll([
        aCompany({ name: 'Once Spelt', tags: ['Twice Spelt'] }),
        ...['One', 'Two'].map((name) => anInvestor({ name: `${name} Spelt`, ...focus })),
      ]);
      await expect.poll(() => totalOf('/investors?tag=Twice+Spelt')).toBe(2);
      expect((await aRecord({ tags: ['twice spelt'] })).tags).toEqual(['Twice Spelt']);
    });

    test('happens once when ten come at the same time under one Idempotency-Key', async () => {
      const request = { body: { name: 'Ten At Once' }, headers: { 'Idempotency-Key': 'once-10' } };
      const answers = await Promise.all(Array.from({ length: 10 }, () => send('POST', '/companies', request)));
      expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
    });

    test('keys of two accounts do not meet', async () => {
      const request = { body: { name: 'Two Accounts' }, headers: { 'Idempotency-Key': 'shared' } };
      const first = await send('POST', '/companies', { ...request, level: 'write' });
      const second = await send('POST', '/companies', { ...request, level: 'delete' });
      expect(second.body.data.id).not.toBe(first.body.data.id);
    });

    test('forgets an Idempotency-Key after a day', async () => {
      const request = { body: { name: 'Next Day' }, headers: { 'Idempotency-Key': 'day' } };
      const first = await send('POST', '/companies', request);
      service.setNow(new Date('2026-11-22T12:00:01.000Z'));
      const second = await send('POST', '/companies', request);
      service.setNow(new Date('2026-11-21T12:00:00.000Z'));
      expect(second.body.data.id).not.toBe(first.body.data.id);
    });
  });

  describe('400', () => {
    test.each([
      ['no name', {}, 'body.name'],
      ['fields that the server sets', { name: 'X', id: 1 }, 'body.id'],
      ['a verified mark', { name: 'X', is_verified: true }, 'body.is_verified'],
      ['a deletion date', { name: 'X', deleted_at: '2026-01-01T00:00:00Z' }, 'body.deleted_at'],
      ['an unknown field', { name: 'X', nonsense: 1 }, 'body.nonsense'],
      ['a NUL character', { name: 'a\u0000b' }, 'body.name'],
      ['a NUL character inside a list', { name: 'X', tags: ['a\u0000'] }, 'body.tags'],
      ['an address that is not http', { name: 'X', website: 'javascript:alert(1)' }, 'body.website'],
      ['a file address', { name: 'X', logo: 'file:///etc/passwd' }, 'body.logo'],
      ['two names of a field that differ', { name: 'X', employee_count: 1, total_employees: 2 }, 'body.employee_count'],
      ['a slug of digits', { name: 'X', slug: '123' }, 'body.slug'],
      ['a long name', { name: 'x'.repeat(201) }, 'body.name'],
      ['a long list of references', { name: 'X', founders: Array(2_001).fill('Ada') }, 'body.founders'],
    ])('refuses %s and says where', async (_what, body, location) => {
      const refused = await send('POST', '/companies', { body });
      expect(refused.status).toBe(400);
      expect(refused.body.errors.map((fault: any) => fault.location)).toContain(location);
    });

    test('refuses every fault of a body at once, with the field that a mistyped one may be', async () => {
      const invalid = { nmae: 'X', id: 1, website: 'ftp://x', year_founded: 'abc' };
      const { path } = await aRecord();
      const answers = [
        await send('POST', '/companies', { body: invalid }),
        await send('PUT', path, { body: invalid }),
        await send('PATCH', path, { body: { ...invalid, tagline: null } }),
        await send('POST', '/rounds', { body: { amount_usd: 'x' } }),
      ];
      const found = answers.map(({ body }) => body.errors.map(({ location }: any) => location.replace('body.', '')));
      const known = ['nmae', 'id', 'website', 'year_founded'];
      expect(found[0].toSorted()).toEqual(['name', ...known].toSorted());
      expect(found[1]).toEqual(known);
      expect(found[2]).toEqual(known);
      expect(found[3].toSorted()).toEqual(['amount_usd', 'company', 'name']);
      const { body } = await send('POST', '/companies', { body: { name: 'X', websitee: 'https://x.example' } });
      expect(body.error).toBe('websitee is not a field of a company; did you mean website?');
      const place = await send('POST', '/companies', { body: { name: 'Placed', city: 'Lisbon' } });
      expect(place.body.error).toBe('city is not a field of a company; did you mean location_json?');
    });

    test.each([
      ['companies', 'location_json.ctiy', { location_json: { ctiy: 'Berlin' } }],
      ['companies', 'founders.1.nme', { founders: ['Ada', { name: 'Bob', nme: 'Bob' }] }],
      ['companies', 'sources.0.url', { sources: [{ source: 'x', as_of: null, fields: [], url: 'https://x.example' }] }],
      ['people', 'roles.0.titel', { roles: [{ organization: 'Acme', titel: 'CEO' }] }],
      ['rounds', 'company.nam', { company: { name: 'Acme', nam: 'x' } }],
    ])('refuses of %s the unknown name %s, however it is written', async (type, path, fields) => {
      const given = type === 'rounds' ? { company: 'Acme' } : {};
      const body = { name: 'Nested', ...given, ...fields };
      const record = await aRecord(given, type);
      const answers = [
        await send('POST', `/${type}`, { body }),
        await send('PUT', record.path, { body }),
        await send('PATCH', record.path, { body: fields }),
      ];
      for (const { status, body: refused } of answers) {
        expect([status, refused.errors?.[0]]).toMatchObject([400, { location: `body.${path}` }]);
      }
    });

    test('refuses __proto__ and leaves the prototype alone', async () => {
      const { status } = await send('POST', '/companies', { body: '{"name":"X","__proto__":{"polluted":true}}' });
      expect(status).toBe(400);
      expect(({} as any).polluted).toBeUndefined();
    });

    test.each(['[]', '"text"', '1', 'null', ''])('refuses the body %s, which is no object', async (body) => {
      const headers = { 'Content-Type': 'application/json' };
      expect((await send('POST', '/companies', { body, headers })).status).toBe(400);
    });

    test.each(['{"a":', '{', 'nonsense', '\u0000'])('refuses malformed JSON: %s', async (body) => {
      const refused = await send('POST', '/companies', { body, headers: { 'Content-Type': 'application/json' } });
      expect([refused.status, refused.body]).toMatchObject([400, { success: false, code: 'malformed_request' }]);
      expect(JSON.stringify(refused.body)).not.toMatch(/at .*\.(ts|js):/);
    });

    test('refuses JSON that is nested more than 64 levels deep, also with an Idempotency-Key', async () => {
      const nested = (levels: number) => `{"name":"X","overview":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
      const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': 'deep' };
      for (const [levels, code] of [
        [64, 'invalid_parameter'],
        [65, 'malformed_request'],
        [100_000, 'malformed_request'],
      ] as const) {
        const refused = await send('POST', '/companies', { level: 'write', body: nested(levels), headers });
        expect([levels, refused.status, refused.body.code]).toEqual([levels, 400, code]);
      }
    });

    test('refuses ten thousand nested lists', async () => {
      const deep = `{"name":"X","tags":${'['.repeat(10_000)}${']'.repeat(10_000)}}`;
      expect((await send('POST', '/companies', { body: deep })).status).toBe(400);
    });

    test('refuses a round without its company', async () => {
      const refused = await send('POST', '/rounds', { body: { name: 'Nobody Seed' } });
      expect([refused.status, refused.body.code]).toEqual([400, 'missing_parameter']);
    });

    test.each(['with space', 'x'.repeat(256)])('refuses the Idempotency-Key %s', async (key) => {
      const refused = await send('POST', '/companies', { body: { name: 'X' }, headers: { 'Idempotency-Key': key } });
      expect([refused.status, refused.body.errors[0].location]).toEqual([400, 'header.Idempotency-Key']);
    });
  });

  describe('403', () => {
    test.each(['valid', 'invalid'])('refuses a read key before it reads a body that is %s', async (kind) => {
      const before = await totalOf('/companies');
      const body = kind === 'valid' ? { name: 'Forbidden' } : '{"a":';
      const refused = await send('POST', '/companies', { level: 'read', body });
      expect([refused.status, refused.body]).toMatchObject([
        403,
        {
          success: false,
          error: 'Insufficient permissions for write operations',
          code: 'forbidden',
          required_level: 'write',
        },
      ]);
      expect(await totalOf('/companies')).toBe(before);
    });
  });

  describe('409', () => {
    test('refuses a slug that another record has, and says which', async () => {
      const { id } = await aRecord({ name: 'Holder', slug: 'held' });
      const refused = await send('POST', '/companies', { body: { name: 'Other', slug: 'held' } });
      expect([refused.status, refused.body.code]).toEqual([409, 'slug_conflict']);
      expect(refused.body.error).toContain(String(id));
    });

    test('gives a slug to one of twenty that ask at once', async () => {
      const body = { name: 'Race', slug: 'race' };
      const answers = await Promise.all(Array.from({ length: 20 }, () => send('POST', '/companies', { body })));
      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
    });
  });

  describe('413', () => {
    test('refuses 257 KB', async () => {
      const body = { name: 'X', overview: 'x'.repeat(257 * 1024) };
      const refused = await send('POST', '/companies', { body });
      expect([refused.status, refused.body]).toMatchObject([413, { success: false, code: 'payload_too_large' }]);
    });

    test('refuses a small body that unpacks to a large one', async () => {
      const body = new Uint8Array(gzipSync(Buffer.alloc(50 * 1024 * 1024, 0x20)));
      const refused = await send('POST', '/companies', {
        body,
        headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
      });
      expect(refused.status).toBe(413);
    });
  });

  describe('415', () => {
    test.each([
      [{ 'Content-Type': 'text/plain' }],
      [{ 'Content-Type': 'application/xml' }],
      [{ 'Content-Type': 'application/x-www-form-urlencoded' }],
      [{ 'Content-Type': 'application/json; charset=x' }],
      [{ 'Content-Type': 'application/json', 'Content-Encoding': 'foo' }],
    ])('refuses %o as JSON', async (headers) => {
      const refused = await send('POST', '/companies', { body: '{"name":"X"}', headers });
      expect([refused.status, refused.body]).toMatchObject([415, { success: false, code: 'unsupported_media_type' }]);
    });

    test('refuses a body without a type', async () => {
      const refused = await send('POST', '/companies', {
        body: new Uint8Array([123, 125]),
        headers: { 'Content-Type': '' },
      });
      expect(refused.status).toBe(415);
    });
  });

  describe('422', () => {
    test('refuses an Idempotency-Key that came with another body', async () => {
      const headers = { 'Idempotency-Key': 'differs' };
      await send('POST', '/companies', { body: { name: 'First Body' }, headers });
      const refused = await send('POST', '/companies', { body: { name: 'Zwetschge' }, headers });
      expect([refused.status, refused.body.code]).toEqual([422, 'idempotency_mismatch']);
      expect(await totalOf('/search?type=companies&query=zwetschge')).toBe(0);
    });
  });
});

describe('PUT /api/v1/{type}/{idOrSlug}', () => {
  test('keeps a country by its English name, so that groups and filters agree', async () => {
    const record = await aRecord({ name: 'Placed' });
    const body = { name: 'Placed', location_json: { city: 'Berlin', country: 'Deutschland' } };
    const { body: answer } = await send('PUT', record.path, { body });
    expect(answer.data.location_json).toEqual({ city: 'Berlin', country: 'Germany' });
  });

  test('200 replaces all that can be written, and keeps the slug', async () => {
    const record = await aRecord({ name: 'Before', tags: ['A'], tagline: 'Old' });
    const { status, headers, body } = await send('PUT', record.path, { body: { name: 'After', overview: 'New' } });
    expect([status, headers.get('etag')]).toEqual([200, '"r2"']);
    expect(body.data).toMatchObject({
      id: record.id,
      slug: record.slug,
      name: 'After',
      tags: [],
      tagline: null,
      overview: 'New',
    });
  });

  test('200 changes nothing when it says what is there', async () => {
    const record = await aRecord({ name: 'Steady', tags: ['A'] });
    const { headers } = await send('PUT', record.path, { body: { name: 'Steady', tags: ['A'] } });
    expect(headers.get('etag')).toBe('"r1"');
  });

  test('400 refuses a value that is computed from the rounds', async () => {
    const company = await aRecord({ name: 'Funded' });
    await aRecord({ company: 'Funded', stage: 'seed', amount_usd: '5.00' }, 'rounds');
    const refused = await send('PUT', company.path, { body: { name: 'Funded', total_funding_usd: '9.00' } });
    expect([refused.status, refused.body.errors[0].location]).toEqual([400, 'body.total_funding_usd']);
    const kept = await send('PUT', company.path, { body: { name: 'Funded', total_funding_usd: '5.00' } });
    expect([kept.status, kept.body.data.total_funding_usd]).toEqual([200, '5.00']);
  });

  test('403 for a read key', async () => {
    expect((await send('PUT', '/companies/x', { level: 'read', body: {} })).status).toBe(403);
  });

  test('404 and nothing is made when there is no such record', async () => {
    expect((await send('PUT', '/companies/nowhere', { body: { name: 'X' } })).status).toBe(404);
  });

  test('412 for the second of two writers that read the same version', async () => {
    const record = await aRecord();
    const headers = { 'If-Match': record.etag };
    const first = await send('PUT', record.path, { body: { name: 'First' }, headers });
    const second = await send('PUT', record.path, { body: { name: 'Second' }, headers });
    expect([first.status, second.status]).toEqual([200, 412]);
    expect([second.body.code, second.headers.get('etag')]).toEqual(['precondition_failed', '"r2"']);
    expect((await send('GET', record.path)).body.data.name).toBe('First');
  });

  test.each([
    ['W/"r1"', 412],
    ['nonsense', 412],
    ['"r9", "r1"', 200],
    ['*', 200],
  ])('If-Match %s gives %i', async (tag, status) => {
    const record = await aRecord();
    expect((await send('PUT', record.path, { body: { name: 'X' }, headers: { 'If-Match': tag } })).status).toBe(status);
  });
});

describe('PATCH /api/v1/{type}/{idOrSlug}', () => {
  test('200 changes what is given, and clears what is null', async () => {
    const record = await aRecord({
      tags: ['A'],
      tagline: 'Line',
      location_json: { city: 'Lisbon', country: 'Portugal' },
    });
    const body = { tags: null, overview: 'New', location_json: { city: 'Porto' } };
    const { data } = (
      await send('PATCH', record.path, { body, headers: { 'Content-Type': 'application/merge-patch+json' } })
    ).body;
    expect(data).toMatchObject({
      name: record.name,
      tags: [],
      tagline: 'Line',
      overview: 'New',
      location_json: { city: 'Porto', country: 'Portugal' },
    });
  });

  test('200 renames; the old slug leads to the record, and says where it is now', async () => {
    const record = await aRecord({ name: 'Old Name', slug: 'old-name' });
    const person = await aRecord({ roles: [{ organization: 'Old Name' }] }, 'people');
    await send('PATCH', record.path, { body: { slug: 'new-name' } });
    const found = await send('GET', '/companies/old-name');
    expect([found.status, found.headers.get('content-location')]).toEqual([200, '/api/v1/companies/new-name']);
    expect((await send('GET', person.path)).body.data.roles[0].organization_slug).toBe('new-name');
    const taken = await aRecord({ name: 'Newcomer', slug: 'old-name' });
    expect((await send('GET', '/companies/old-name')).body.data.id).toBe(taken.id);
  });

  test('400 refuses a name that is null', async () => {
    const record = await aRecord();
    expect((await send('PATCH', record.path, { body: { name: null } })).status).toBe(400);
  });

  test('409 refuses the slug of another record', async () => {
    const [one, other] = [await aRecord(), await aRecord()];
    expect((await send('PATCH', one.path, { body: { slug: other.slug } })).status).toBe(409);
  });
});

describe('GET /api/v1/{type}/{idOrSlug}', () => {
  test('304 for the version that the client has, without a body', async () => {
    const record = await aRecord();
    const same = await send('GET', record.path, { headers: { 'If-None-Match': record.etag } });
    expect([same.status, same.body, same.headers.get('etag')]).toEqual([304, null, record.etag]);
    await send('PATCH', record.path, { body: { tagline: 'Changed' } });
    expect((await send('GET', record.path, { headers: { 'If-None-Match': record.etag } })).status).toBe(200);
  });

  test('200 shows a deleted record to a key that may delete; 403 to others', async () => {
    const record = await aRecord();
    await send('DELETE', record.path);
    const shown = await send('GET', `${record.path}?include_deleted=true`);
    expect([shown.status, shown.body.data.deleted_at]).toEqual([200, '2026-11-21T12:00:00.000Z']);
    const refused = await send('GET', `${record.path}?include_deleted=true`, { level: 'write' });
    expect(refused.status).toBe(403);
    // Only such a key learns of it without asking.
    const [told, untold] = await Promise.all([send('GET', record.path), send('GET', record.path, { level: 'write' })]);
    expect(told.body.error).toMatch(/; it is deleted: include_deleted=true reads it, and \/restore restores it\.$/);
    expect([untold.status, untold.body.error]).toEqual([404, expect.not.stringContaining('deleted')]);
  });
});

describe('DELETE /api/v1/{type}/{idOrSlug}', () => {
  test('200 says until when it can be restored, and the record is gone from everywhere', async () => {
    const company = await aRecord({ name: 'Vanishing Labs', tags: ['Vanishing'] });
    const person = await aRecord({ name: 'Vera Vanishing', roles: [{ organization: 'Vanishing Labs' }] }, 'people');
    await aRecord({ name: 'Vanishing Seed', company: 'Vanishing Labs', investors: ['Vanishing Capital'] }, 'rounds');
    const investor = await aRecord({ name: 'Vanishing Capital' }, 'investors');
    const before = await totalOf('/companies');
    const { status, body } = await send('DELETE', company.path);
    expect([status, body.data]).toMatchObject([
      200,
      { id: company.id, deleted_at: '2026-11-21T12:00:00.000Z', purge_at: '2026-12-21T12:00:00.000Z' },
    ]);
    expect((await send('GET', company.path)).status).toBe(404);
    expect((await send('DELETE', company.path)).status).toBe(404);
    expect(await totalOf('/companies')).toBe(before - 1);
    expect(await totalOf('/search?type=companies&query=vanishing+labs')).toBe(0);
    expect((await send('GET', '/companies?tag=Vanishing')).status).toBe(400);
    expect(await totalOf(`${person.path}/companies`)).toBe(0);
    expect(await totalOf(`${investor.path}/portfolio`)).toBe(0);
    expect((await send('GET', person.path)).body.data.roles[0]).toMatchObject({
      organization: 'Vanishing Labs',
      organization_id: null,
      organization_slug: null,
    });
  });

  test('200 takes a deleted round out of the sum and out of the lists', async () => {
    const company = await aRecord({ name: 'Sum Of Rounds' });
    const round = await aRecord({ company: 'Sum Of Rounds', amount_usd: '7.00', investors: ['Sum Capital'] }, 'rounds');
    await aRecord({ name: 'Sum Capital' }, 'investors');
    expect((await send('GET', company.path)).body.data.total_funding_usd).toBe('7.00');
    expect(await totalOf(`${company.path}/investors`)).toBe(1);
    await send('DELETE', round.path);
    expect((await send('GET', company.path)).body.data.total_funding_usd).toBeNull();
    expect(await totalOf(`${company.path}/rounds`)).toBe(0);
    expect(await totalOf(`${company.path}/investors`)).toBe(0);
  });

  test('403 for a write key', async () => {
    const record = await aRecord();
    const refused = await send('DELETE', record.path, { level: 'write' });
    expect([refused.status, refused.body]).toMatchObject([
      403,
      { error: 'Insufficient permissions for write operations', code: 'forbidden', required_level: 'delete' },
    ]);
    expect((await send('GET', record.path)).status).toBe(200);
  });

  test('412 when the record has changed', async () => {
    const record = await aRecord();
    await send('PATCH', record.path, { body: { tagline: 'x' } });
    expect((await send('DELETE', record.path, { headers: { 'If-Match': record.etag } })).status).toBe(412);
  });
});

describe('POST /api/v1/{type}/{idOrSlug}/restore', () => {
  test('200 brings a record back with its links both ways', async () => {
    const company = await aRecord({ name: 'Phoenix Labs', founders: ['Phoebe Phoenix'] });
    const person = await aRecord({ name: 'Phoebe Phoenix', roles: [{ organization: 'Phoenix Labs' }] }, 'people');
    await aRecord({ name: 'Phoenix Seed', company: 'Phoenix Labs', amount_usd: '3.00' }, 'rounds');
    const before = (await send('GET', company.path)).body.data;
    await send('DELETE', company.path);
    const restored = await send('POST', `${company.path}/restore`);
    expect([restored.status, restored.body.data]).toEqual([200, before]);
    expect((await send('GET', person.path)).body.data.roles[0].organization_id).toBe(company.id);
    expect(await totalOf(`${company.path}/people`)).toBe(1);
    expect((await send('GET', '/search?type=companies&query=phoenix')).body.data.results[0].id).toBe(company.id);
  });

  test('200 again under one Idempotency-Key', async () => {
    const record = await aRecord();
    await send('DELETE', record.path);
    const headers = { 'Idempotency-Key': 'restore-1' };
    await send('POST', `${record.path}/restore`, { headers });
    const again = await send('POST', `${record.path}/restore`, { headers });
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
  });

  test('404 after thirty days, and for what never was', async () => {
    const record = await aRecord();
    await send('DELETE', record.path);
    service.setNow(new Date('2026-12-21T12:00:00.001Z'));
    const late = await send('POST', `${record.path}/restore`);
    service.setNow(new Date('2026-11-21T12:00:00.000Z'));
    expect(late.status).toBe(404);
    expect((await send('POST', '/companies/never/restore')).status).toBe(404);
  });

  test('409 for a record that is not deleted, and for a slug that was taken meanwhile', async () => {
    const record = await aRecord({ slug: 'wanted' });
    const present = await send('POST', `${record.path}/restore`);
    expect([present.status, present.body.code]).toEqual([409, 'not_deleted']);
    await send('DELETE', record.path);
    await aRecord({ slug: 'wanted' });
    const taken = await send('POST', `/companies/${record.id}/restore`);
    expect([taken.status, taken.body.code]).toEqual([409, 'slug_conflict']);
  });
});

describe('GET /api/v1/{type}, walked with a cursor', () => {
  test.each(['companies', 'rounds'])('200 gives every record of %s once', async (type) => {
    const { results, totalResults, nextCursor } = (await send('GET', `/${type}?limit=3`)).body.data;
    const ids = results.map((record: any) => record.id);
    for (let cursor = nextCursor; cursor !== null; ) {
      const { data } = (await send('GET', `/${type}?limit=3&cursor=${cursor}`)).body;
      ids.push(...data.results.map((record: any) => record.id));
      cursor = data.nextCursor;
    }
    expect(ids).toHaveLength(totalResults);
    expect(new Set(ids).size).toBe(totalResults);
  });

  test('400 refuses the cursor of a list of another type, order or filter, but not with another limit or fields', async () => {
    const { nextCursor } = (await send('GET', '/companies?limit=2&sort=name')).body.data;
    const statuses = await Promise.all(
      [
        'companies?limit=1&fields=name&sort=name',
        'companies',
        'companies?sort=-name',
        'companies?sort=name&tag=DeFi',
        'people?sort=name',
      ].map(
        async (path) => (await send('GET', `/${path}${path.includes('?') ? '&' : '?'}cursor=${nextCursor}`)).status,
      ),
    );
    expect(statuses).toEqual([200, 400, 400, 400, 400]);
  });

  test.each(['cursor=nonsense', 'cursor=YWZ0ZXI6MQ&page=2'])('400 refuses %s', async (query) => {
    const refused = await send('GET', `/companies?${query}`);
    expect([refused.status, refused.body.errors[0].location]).toEqual([400, 'query.cursor']);
  });
});

test.each([
  [
    '/companies',
    { name: 'Zed', total_funding_usd: 5 },
    'total_funding_usd must be US dollars with two digits after the point',
  ],
  ['/companies', { name: 'Zed', tags: 'DeFi' }, 'tags must be a list'],
  ['/companies', { name: 'Zed', location_json: 'Berlin' }, 'location_json must be an object'],
])('400 says of what form a value of %s has to be: %j', async (path, body, message) => {
  const { status, body: refused } = await send('POST', path, { body });
  expect([status, refused.error]).toEqual([400, expect.stringContaining(message)]);
});

describe('the audit log', () => {
  test('has each change with who made it, before and after, and cannot be changed', async () => {
    const record = await aRecord({ tagline: 'One' });
    await send('PATCH', record.path, { body: { tagline: 'Two' }, headers: { 'X-Request-Id': 'audit-test-1' } });
    await send('DELETE', record.path);
    const entries = await service.store.audit.list({ type: 'companies', id: record.id, limit: 10 });
    expect(entries.map(({ action }) => action)).toEqual(['delete', 'merge', 'create']);
    const [deleted, merged, created] = entries as any[];
    expect([created.before, created.after.tagline]).toEqual([null, 'One']);
    expect([merged.before.tagline, merged.after.tagline, merged.request_id]).toEqual(['One', 'Two', 'audit-test-1']);
    expect([deleted.before.tagline, deleted.after]).toEqual(['Two', null]);
    expect(deleted).toMatchObject({ account: expect.stringContaining('account-'), address: '127.0.0.1' });
    expect(deleted.key_id).toEqual(expect.any(Number));
  });

  test('has nothing of a change that was refused', async () => {
    const before = await service.store.audit.list({ limit: 1 });
    await send('POST', '/companies', { body: { name: '' } });
    expect(await service.store.audit.list({ limit: 1 })).toEqual(before);
  });
});
