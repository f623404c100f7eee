import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ofAnyCharacters } from '../support/any-characters.ts';
import { aCompany, anEvent, anInvestor, aPerson } from '../support/builders.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService([
    aCompany({
      name: 'OpenSea',
      website: 'https://opensea.io',
      tags: ['NFT', 'Marketplace'],
      tagline: 'Marketplace for digital items',
    }),
    aCompany({ name: 'Blur', tags: ['NFT'], overview: 'A market beside OpenSea.' }),
    aCompany({ name: 'Café Chain', location_json: { city: 'Lisbon', country: 'Portugal' } }),
    aPerson({ name: 'Devin Example', roles: [{ organization: 'OpenSea', title: 'Co-founder' }] }),
    anInvestor({ name: 'Sea Capital' }),
    anEvent({ name: 'NFT Week', start_date: '2025-03-01' }),
  ]);
});
afterAll(() => service.close());

const search = async (parameters: string) => {
  const response = await service.get(`/api/v1/search?${parameters}`);
  return { status: response.status, response, body: (await response.json()) as any };
};
const names = (body: any): string[] => body.data.results.map((record: any) => record.name);

describe('GET /api/v1/search', () => {
  describe('200', () => {
    test('answers in the envelope, with the request id in the header and the body', async () => {
      const { response, body } = await search('type=companies&query=opensea');
      expect(body).toMatchObject({
        success: true,
        message: 'Search completed',
        meta: { timestamp: '2026-11-21T12:00:00.000Z', version: 'v1' },
      });
      expect(response.headers.get('x-request-id')).toBe(body.meta.requestId);
      expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    });

    test('ignores parameters of others', async () => {
      const { body } = await search('type=companies&query=opensea&utm_source=mail&_=1&t=2&token=x&lang=en&foo=bar');
      expect(body.data.totals).toEqual({ companies: 2 });
    });

    test('reads a sentence that no record has as it is, and says how', async () => {
      const { body } = await search(`type=all&query=${encodeURIComponent('Which companies are based in Portugal?')}`);
      expect(names(body)).toEqual(['Café Chain']);
      expect(body.data.understood).toEqual({
        type: 'companies',
        filters: { country: 'Portugal' },
        text: '',
        ignored: ['Which', 'are'],
      });
      expect(body.data.results[0].approximate).toBeUndefined();
    });

    test('states of a sentence only what the parameters beside it leave in effect', async () => {
      const { body } = await search('type=all&query=companies%20with%20the%20tag%20NFT&tag=Marketplace');
      expect(names(body)).toEqual(['OpenSea']);
      expect(body.data.understood).toMatchObject({ type: 'companies', filters: {} });
      expect(body.data.understood.ignored).toContain('NFT');
      const { body: same } = await search('type=all&query=companies%20with%20the%20tag%20NFT&tag=NFT');
      expect(same.data.understood.filters).toEqual({ tag: 'NFT' });
      const { body: sorted } = await search('type=all&query=top%20companies%20by%20funding&sort=name');
      expect(names(sorted)).toEqual(['Blur', 'Café Chain', 'OpenSea']);
      expect(sorted.data.understood).not.toHaveProperty('sort');
    });

    test('marks what only resembles the query, and says nothing of a query that was taken as it is', async () => {
      const { body: typed } = await search('type=companies&query=opensea');
      expect(typed.data).not.toHaveProperty('understood');
      expect(typed.data.results.map((record: any) => record.approximate)).toEqual([undefined, undefined]);
      const { body: near } = await search('type=companies&query=opnesea');
      expect(near.data.results[0]).toMatchObject({ name: 'OpenSea', approximate: true });
      const { body: any } = await search('type=companies&query=please%20compare%20opensea%20and%20wibblefish');
      expect(any.data.results[0]).toMatchObject({ name: 'OpenSea', approximate: true });
      expect(any.data.understood).toMatchObject({ text: 'opensea wibblefish' });
    });

    test('gives the fields of the specification, and null for what is not known', async () => {
      const { body } = await search('type=companies&query=opensea&limit=1');
      expect(body.data).toMatchObject({ totalResults: 2, totalPages: 2, page: 1, limit: 1, totals: { companies: 2 } });
      expect(body.data.results[0]).toMatchObject({
        type: 'companies',
        id: 1,
        name: 'OpenSea',
        slug: 'opensea',
        logo: null,
        overview: null,
        total_employees: null,
        year_founded: null,
        website: 'https://opensea.io',
        tags: ['NFT', 'Marketplace'],
        location_json: null,
      });
    });

    test.each(['OpenSea', 'open sea', 'OPEN-SEA', 'opensea.io', 'opense'])(
      'finds OpenSea first by %s',
      async (query) => {
        const { body } = await search(`type=companies&query=${encodeURIComponent(query)}`);
        expect(names(body)[0]).toBe('OpenSea');
      },
    );

    test('finds a name with an accent by its plain letters', async () => {
      expect(names((await search('type=companies&query=cafe')).body)).toEqual(['Café Chain']);
    });

    test('takes q for query', async () => {
      expect(names((await search('type=companies&q=blur')).body)).toEqual(['Blur']);
    });

    test('searches every type at once, and says which each record is', async () => {
      const { body } = await search('type=all&query=nft');
      expect(body.data.results.every((record: any) => typeof record.type === 'string')).toBe(true);
      expect(body.data.totals).toMatchObject({ companies: 2, investors: 0, events: 1 });
      expect(body.data.totalResults).toBe(
        Object.values(body.data.totals).reduce((sum: number, total: any) => sum + total, 0),
      );
    });

    test('lists the type for a blank query, every record once over all pages', async () => {
      const pages = await Promise.all([1, 2, 3].map((page) => search(`type=companies&query=%20&limit=1&page=${page}`)));
      expect(pages.flatMap(({ body }) => names(body)).sort()).toEqual(['Blur', 'Café Chain', 'OpenSea']);
    });

    test('answers past the last page with no results and the true totals', async () => {
      const { status, body } = await search('type=companies&query=opensea&page=99');
      expect(status).toBe(200);
      expect(body.data).toMatchObject({ results: [], totalResults: 2, totalPages: 1 });
    });

    test('gives only the fields that are asked for', async () => {
      const { body } = await search('type=companies&query=opensea&limit=1&fields=website,id');
      expect(body.data.results).toEqual([
        { type: 'companies', id: 1, name: 'OpenSea', slug: 'opensea', website: 'https://opensea.io' },
      ]);
    });

    test.each([
      '"',
      'AND',
      '*',
      'a:b',
      '(',
      "' OR 1=1--",
      '%',
      '_',
      '💥',
      'NEAR(a b)',
      '20.04',
      'multi-agent',
      'a'.repeat(200),
    ])('takes %s as text', async (query) => {
      const { status } = await search(`type=all&query=${encodeURIComponent(query)}`);
      expect(status).toBe(200);
    });

    test.each(['%', '_', '*', '?', "' OR 1=1--"])('%s stands for itself, not for everything', async (text) => {
      const { status, body } = await search(`type=companies&query=${encodeURIComponent(text)}`);
      expect([status, body.data.totalResults]).toEqual([200, 0]);
    });

    test('takes any text, or names what is wrong with it', async () => {
      await fc.assert(
        fc.asyncProperty(ofAnyCharacters(80), async (query) => {
          const { status, body } = await search(`type=all&query=${encodeURIComponent(query)}`);
          expect(status === 200 || (status === 400 && query.includes('\0') && body.code === 'malformed_request')).toBe(
            true,
          );
        }),
        { numRuns: 200 },
      );
    });

    test('takes the content type of a body where there is none', async () => {
      const response = await service.get('/api/v1/search?type=companies', {
        headers: { 'Content-Type': 'application/json' },
      });
      expect(response.status).toBe(200);
    });
  });

  describe('400', () => {
    test.each([
      ['query=x', 'missing_parameter', 'type is required: one of companies, people, investors, events, rounds, all'],
      ['type=foo', 'invalid_parameter', 'type must be one of companies, people, investors, events, rounds, all'],
      ['type=COMPANIES', 'invalid_parameter', 'type must be one of companies, people, investors, events, rounds, all'],
      [
        'type=companies&type=all',
        'invalid_parameter',
        'type must be one of companies, people, investors, events, rounds, all, given once',
      ],
      ['type=all&limit=0', 'invalid_parameter', 'limit must be at least 1'],
      ['type=all&limit=51', 'invalid_parameter', 'limit must be at most 50'],
      ['type=all&limit=1.5', 'invalid_parameter', 'limit must be a whole number'],
      ['type=all&limit=1e1', 'invalid_parameter', 'limit must be a whole number'],
      ['type=all&limit=abc', 'invalid_parameter', 'limit must be a whole number'],
      ['type=all&limit=-1', 'invalid_parameter', 'limit must be at least 1'],
      ['type=all&limit=1000000000', 'invalid_parameter', 'limit must be at most 50'],
      ['type=all&limit=', 'invalid_parameter', 'limit must be a whole number'],
      ['type=all&page=-1', 'invalid_parameter', 'page must be at least 1'],
      [
        'type=all&page=9999&limit=50',
        'invalid_parameter',
        'page times limit must be at most 10000; narrow the query, sort it otherwise, or use the cursor of a list over REST',
      ],
      [`type=all&query=${'a'.repeat(201)}`, 'invalid_parameter', 'query must be at most 200 characters'],
      ['type=companies&sector=gaming', 'invalid_parameter', 'sector: not known here; did you mean tag?'],
      [
        'type=companies&speaker=vitalik',
        'invalid_parameter',
        expect.stringMatching(/^speaker: not known here; known are type, query, .*, tag, /),
      ],
      [
        'type=events&organizers=x',
        'invalid_parameter',
        expect.stringMatching(/^organizers: not known here; known are type, /),
      ],
      ['type=companies&cursor=x', 'invalid_parameter', expect.stringMatching(/^cursor: not known here; /)],
      ['type=companies&chian=Base', 'invalid_parameter', 'chian: not known here; did you mean chain?'],
      [
        'type=rounds&lead_investor=Paradigm',
        'invalid_parameter',
        'lead_investor: not known here; did you mean investor with led=true?',
      ],
      ['type=all&query=a&q=b', 'invalid_parameter', 'q and query contradict each other; give one of them'],
      ['type=all&query=a%00b', 'malformed_request', 'query has a NUL character in it; leave it out.'],
      ['type=all&query=%E0%A4%A', 'malformed_request', 'query has percent-encoding that is not UTF-8.'],
    ])('refuses %s', async (parameters, code, error) => {
      const { status, body } = await search(parameters);
      expect(status).toBe(400);
      expect(body).toMatchObject({ success: false, error, code, meta: { version: 'v1' } });
    });

    test('names the place of each fault', async () => {
      const { body } = await search('type=foo&limit=51');
      expect(body.errors.map((fault: any) => fault.location)).toEqual(['query.type', 'query.limit']);
    });
  });

  describe('401', () => {
    const bare = { error: 'Invalid or missing API key' };

    test.each([
      ['no header', {}],
      ['another scheme', { Authorization: 'Basic abc' }],
      ['an unknown key', { Authorization: `Bearer mk_${'a'.repeat(49)}` }],
      ['a key in the address', {}, '&api_key=mk_x'],
    ])('refuses %s with exactly the text of the specification', async (_name, headers, more = '') => {
      const response = await fetch(`${service.url}/api/v1/search?type=companies${more}`, { headers });
      expect(response.status).toBe(401);
      expect(await response.json()).toEqual(bare);
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer realm="api"/);
    });

    test('takes the scheme in any case', async () => {
      const response = await service.get('/api/v1/search?type=companies', {
        headers: { Authorization: `bearer ${service.key}` },
      });
      expect(response.status).toBe(200);
    });

    test('refuses a revoked key at once', async () => {
      const secret = await service.newKey();
      const [last] = (await service.store.keys.list()).slice(-1);
      const ask = () =>
        fetch(`${service.url}/api/v1/search?type=companies`, { headers: { Authorization: `Bearer ${secret}` } });
      expect((await ask()).status).toBe(200);
      await service.store.keys.revoke(last?.id ?? 0);
      expect((await ask()).status).toBe(401);
    });
  });

  describe('403', () => {
    test('refuses the key of an account without a plan', async () => {
      const secret = await service.newKey({ plan: 'none' });
      const response = await fetch(`${service.url}/api/v1/search?type=companies`, {
        headers: { Authorization: `Bearer ${secret}` },
      });
      expect(response.status).toBe(403);
      expect(await response.json()).toMatchObject({ success: false, code: 'plan_required' });
    });
  });

  describe('500', () => {
    test('answers a failed backend with exactly the text of the specification', async () => {
      const broken = await startService();
      const { key } = broken;
      broken.store.records.search = async () => {
        throw new Error('no such table: secret_table');
      };
      const response = await fetch(`${broken.url}/api/v1/search?type=companies`, {
        headers: { Authorization: `Bearer ${key}` },
      });
      expect(response.status).toBe(500);
      expect(await response.json()).toEqual({ error: 'External search service error' });
      expect(response.headers.get('retry-after')).toBe('5');
      expect(broken.log.join('')).toContain('secret_table');
      await broken.close();
    });
  });
});
