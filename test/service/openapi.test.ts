import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endpoints as all } from '../../src/contract/endpoints.ts';
import { entities } from '../../src/contract/entities/index.ts';
import { openRaw } from '../support/raw.ts';
import { startService, type TestService } from '../support/service.ts';

/** What a service offers that takes no payments; test/service/payments has the rest. */
const endpoints = all.filter(({ access }) => access !== 'payment');

let service: TestService;
let document: any;
beforeAll(async () => {
  service = await startService();
  document = await (await fetch(`${service.url}/api/v1/openapi.json`)).json();
});
afterAll(() => service.close());

describe('GET /api/v1/openapi.json', () => {
  test('200 without a key describes every endpoint and none besides', () => {
    expect(document).toMatchObject({ openapi: '3.1.0', servers: [{ url: 'http://test' }] });
    const described = Object.entries<object>(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method} ${path}`),
    );
    expect(described.sort()).toEqual(
      endpoints.map((endpoint) => `${endpoint.method.toLowerCase()} ${endpoint.path}`).sort(),
    );
  });

  test('200 says of every endpoint with a key what is left and when it refuses', () => {
    for (const { path, method, access, status: success } of endpoints) {
      const { responses } = document.paths[path][method.toLowerCase()];
      const refused = document.components.responses.TooMany.headers;
      if (access === 'nothing') {
        expect([path, responses[429], responses[success].headers]).toEqual([
          path,
          undefined,
          expect.not.objectContaining({ RateLimit: expect.anything() }),
        ]);
      } else {
        expect([path, responses[429]]).toEqual([path, { $ref: '#/components/responses/TooMany' }]);
        expect(Object.keys(responses[success].headers)).toEqual(
          expect.arrayContaining(['X-RateLimit-Reset', 'RateLimit']),
        );
      }
      expect(Object.keys(refused)).toEqual(expect.arrayContaining(['X-RateLimit-Reset', 'RateLimit', 'Retry-After']));
    }
  });

  test('200 says what a round cannot be without, and that objects inside know their names, too', () => {
    const { FundingRoundInput, FundingRoundChanges, CompanyInput, PersonInput } = document.components.schemas;
    expect(FundingRoundInput.required).toEqual(['name', 'company']);
    expect(FundingRoundChanges.properties.company.type).toBe('object');
    const { founders, sources, location_json } = CompanyInput.properties;
    for (const schema of [founders.items, sources.items, location_json.anyOf[0], PersonInput.properties.roles.items])
      expect(schema.additionalProperties).toBe(false);
  });

  test('200 has a schema of each record with every field', () => {
    for (const { record } of entities) {
      const name = String(record.meta()?.['id']);
      const schema = document.components.schemas[name] ?? document.components.schemas[`${name}Output`];
      expect(Object.keys(schema.properties)).toEqual(Object.keys(record.shape));
    }
  });

  describe('is one document for all', () => {
    const READERS = 150;
    const PIPELINED = 10;
    const MEGABYTE = 1024 * 1024;
    const ask = (headers: Record<string, string>, method = 'GET') =>
      fetch(`${service.url}/api/v1/openapi.json`, { method, headers });

    test('304 for who has it, in each of its encodings, which have strong ETags of their own', async () => {
      const etags = new Set<string>();
      for (const encoding of ['identity', 'gzip', 'br']) {
        const response = await ask({ 'Accept-Encoding': encoding });
        const etag = response.headers.get('etag') ?? '';
        expect(etag).toMatch(/^"[\w-]+"$/);
        expect(response.headers.get('content-encoding')).toBe(encoding === 'identity' ? null : encoding);
        expect(response.headers.get('vary')).toContain('Accept-Encoding');
        expect(await response.json()).toEqual(document);
        const known = await ask({ 'Accept-Encoding': encoding, 'If-None-Match': `"other", ${etag}` });
        expect([known.status, known.headers.get('etag')]).toEqual([304, etag]);
        expect((await ask({ 'Accept-Encoding': encoding, 'If-None-Match': '"other"' })).status).toBe(200);
        etags.add(etag);
      }
      expect(etags.size).toBe(3);
    });

    test('of which clients that pipeline and do not read hold no copies', async () => {
      const size = Number((await ask({ 'Accept-Encoding': 'identity' }, 'HEAD')).headers.get('content-length'));
      expect(size).toBeGreaterThan(MEGABYTE / 4);
      const before = process.memoryUsage.rss();
      const readers = Array.from({ length: READERS }, () => openRaw(service.url).socket.pause());
      for (const socket of readers)
        socket.write('GET /api/v1/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(PIPELINED));
      // What is asked after all of them is answered after each has its first answer.
      await Promise.all(readers.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
      for (let round = 0; round < PIPELINED; round += 1) await (await fetch(`${service.url}/livez`)).text();
      expect(process.memoryUsage.rss() - before).toBeLessThan(60 * MEGABYTE);
      for (const socket of readers) socket.destroy();
    });
  });
});
