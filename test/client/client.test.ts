import { getEventListeners } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { keyAccess, openAccess } from '../../src/client/access.ts';
import { type Client, createClient } from '../../src/client/client.ts';
import { endpoints, type Operation } from '../../src/contract/endpoints.ts';
import type { ServiceError } from '../../src/contract/errors.ts';
import { aCompany, aPerson } from '../support/builders.ts';
import { startService, type TestService } from '../support/service.ts';

type PaidOperation = 'paidSearch' | 'paidAggregate' | 'paidConnections' | 'purchases';
/** A call of each operation; compilation fails if one has no method. */
const CALLS: Record<Exclude<Operation, PaidOperation>, (client: Client) => Promise<unknown>> = {
  health: (client) => client.health(true),
  openapi: (client) => client.openapi(),
  usage: (client) => client.usage(),
  vocabulary: (client) => client.vocabulary(),
  search: (client) => client.search({ type: 'all' }),
  aggregate: (client) => client.aggregate({ of: 'companies', group_by: ['tag'] }),
  connections: (client) => client.connections({ from: 'companies/acme', to: 'Ada Example' }),
  list: (client) => client.list('companies'),
  detail: (client) => client.get('companies', 'acme'),
  related: (client) => client.related('companies', 'acme', 'people'),
  sources: (client) => client.sources('companies', 'acme'),
  create: (client) => client.create('companies', { name: 'Made' }),
  replace: (client) => client.replace('companies', 'acme', { name: 'Acme' }),
  merge: (client) => client.merge('companies', 'acme', { tagline: 'merged' }),
  delete: (client) => client.delete('companies', 'made'),
  restore: (client) => client.restore('companies', 'made'),
};

describe('a client with a key', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService([aCompany(), aPerson({ roles: [{ organization: 'Acme' }] })]);
  });
  afterAll(() => service.close());
  const client = () => createClient(service.url, keyAccess(service.key));

  test('searches, lists, gets, follows relations and asks for health', async () => {
    expect((await client().search({ type: 'companies', query: 'acme' })).results[0]).toMatchObject({ name: 'Acme' });
    expect((await client().list('companies', { limit: 1 })).totalResults).toBe(1);
    expect(await client().get('companies', 'acme')).toMatchObject({ id: 1 });
    expect((await client().related('companies', 'acme', 'people')).results[0]).toMatchObject({ name: 'Ada Example' });
    expect(await client().usage()).toMatchObject({ plan: 'api_access', day: { limit: 1_000, used: 4 } });
    expect(await client().health(false)).toMatchObject({ status: 'operational' });
  });

  test('creates, replaces, merges, deletes and restores', async () => {
    const key = await service.newKey({ level: 'delete' });
    const writer = createClient(service.url, keyAccess(key));
    const made = await writer.create('companies', { name: 'Written' });
    expect(await writer.replace('companies', made.slug, { name: 'Rewritten', tagline: 'x' })).toMatchObject({
      id: made.id,
      tagline: 'x',
    });
    await expect(writer.merge('companies', made.slug, { tagline: 'y' }, { version: 1 })).rejects.toMatchObject({
      code: 'precondition_failed',
    });
    expect(await writer.merge('companies', made.slug, { tagline: null }, { version: 2 })).toMatchObject({
      tagline: null,
    });
    expect(await writer.delete('companies', made.slug)).toMatchObject({ purge_at: expect.any(String) });
    await expect(writer.get('companies', made.slug)).rejects.toMatchObject({ code: 'not_found' });
    expect(await writer.restore('companies', made.slug)).toMatchObject({ id: made.id, name: 'Rewritten' });
  });

  test('has a method for each operation of the service that is not paid for', async () => {
    const key = await service.newKey({ level: 'delete' });
    const asked: string[] = [];
    const access = keyAccess(key);
    const watched = createClient(service.url, (url, request) => {
      asked.push(`${request.method} ${url.pathname}`);
      return access(url, request);
    });
    const isOf = (operation: string, request: string | undefined): boolean =>
      endpoints.some((each) => {
        const path = each.path.replace('{idOrSlug}', '[^/]+');
        return each.operation === operation && new RegExp(`^${each.method} ${path}$`).test(request ?? '');
      });
    for (const [operation, call] of Object.entries(CALLS)) {
      await call(watched);
      expect([operation, asked.at(-1), isOf(operation, asked.at(-1))]).toEqual([operation, asked.at(-1), true]);
    }
    expect(Object.keys(CALLS).sort()).toEqual(
      [...new Set(endpoints.filter((each) => each.access !== 'payment').map((each) => each.operation))].sort(),
    );
  });

  test('rejects with the error of the service, its faults and request id', async () => {
    await expect(client().search({ type: 'companies', limit: 51 })).rejects.toMatchObject({
      code: 'invalid_parameter',
      message: 'limit must be at most 50',
      errors: [{ location: 'query.limit' }],
      requestId: expect.stringMatching(/^req_/),
    });
    await expect(client().get('companies', 'nobody')).rejects.toMatchObject({ code: 'not_found' });
    await expect(createClient(service.url, fetch).search({ type: 'all' })).rejects.toMatchObject({
      code: 'invalid_key',
      message: 'Invalid or missing API key',
    });
  });
});

describe('a client of something else', () => {
  let server: Server;
  const serve = async (listener: RequestListener): Promise<string> => {
    server = createServer(listener);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  afterEach(() => new Promise((resolve) => server.close(resolve)));

  test('says that nothing answers', async () => {
    const url = await serve(() => {});
    await new Promise((resolve) => server.close(resolve));
    await expect(createClient(url, fetch).search({ type: 'all' })).rejects.toMatchObject({ code: 'unreachable' });
  });

  test('says that what answers is not the service', async () => {
    const url = await serve((_request, response) => response.end('<html>'));
    await expect(createClient(url, fetch).search({ type: 'all' })).rejects.toMatchObject({ code: 'unreachable' });
  });

  test('says that a response without results is not of the service', async () => {
    const url = await serve((_request, response) => response.end('{"success":true,"data":{}}'));
    await expect(createClient(url, openAccess).search({ type: 'people' })).rejects.toMatchObject({
      code: 'unreachable',
      message: 'The service address belongs to another server: its response has no results.',
    });
  });

  test('reads responses with what the specification states and nothing more (2.2, 2.3)', async () => {
    const record = { id: 7, name: 'Acme', slug: 'acme', overview: 'Wallets', tags: ['DeFi'] };
    const responses: Readonly<Record<string, object>> = {
      '/api/v1/search': { results: [record], totalResults: 41, totalPages: 5 },
      '/api/v1/companies/acme': record,
      '/api/v1/connections': { paths: [] },
    };
    const asked: string[] = [];
    const url = await serve((request, response) => {
      const { pathname, search } = new URL(request.url ?? '', 'http://service');
      asked.push(search);
      response.end(JSON.stringify({ success: true, data: responses[pathname] }));
    });
    const client = createClient(url, openAccess);
    expect(await client.search({ type: 'people', query: 'acme', page: 2 })).toEqual({
      results: [{ ...record, type: 'people' }],
      totalResults: 41,
      totalPages: 5,
      totals: {},
      unknown: {},
      covered: null,
      page: 2,
      limit: 1,
    });
    expect(await client.get('companies', 'acme')).toEqual({ ...record, type: 'companies' });
    expect(await client.connections({ from: 'companies/a', to: 'companies/b' })).toEqual({
      paths: [],
      reason: null,
      advice: null,
      complete: true,
    });
    await expect(client.searchCsv({ type: 'people' })).rejects.toMatchObject({ code: 'not_acceptable' });
    asked.length = 0;
    const all = await client.search({ type: 'all', query: 'acme', limit: 10 });
    expect(all.results.map(({ type }) => type)).toEqual(['companies', 'people', 'investors', 'events']);
    expect(all).toMatchObject({ totals: { companies: 41, events: 41 }, totalResults: 164, totalPages: 5, page: 1 });
    expect(asked.slice(1)).toEqual(
      ['companies', 'people', 'investors', 'events'].map((type) => `?type=${type}&query=acme&limit=3`),
    );
  });

  test('says what a service of the specification alone lacks', async () => {
    const url = await serve((_request, response) =>
      response.writeHead(404).end(JSON.stringify({ success: false, error: 'Not found' })),
    );
    const client = createClient(url, openAccess);
    const lacking = (what: string) => ({
      code: 'method_not_allowed',
      message: `The service at this address has no ${what}.`,
    });
    await expect(client.aggregate({ of: 'rounds', group_by: ['year'] })).rejects.toMatchObject(lacking('aggregates'));
    await expect(client.connections({ from: 'companies/a', to: 'companies/b' })).rejects.toMatchObject(
      lacking('connections'),
    );
  });

  test('reads no response without end', async () => {
    const part = Buffer.alloc(1024 * 1024, ' ');
    const endless = function* () {
      for (;;) yield part;
    };
    const url = await serve((_request, response) => pipeline(Readable.from(endless()), response, () => {}));
    for (const access of [keyAccess('mk_secret'), openAccess])
      await expect(createClient(url, access).search({ type: 'all' })).rejects.toMatchObject({
        code: 'unreachable',
        message: 'The response exceeds 64 MiB.',
      });
  });

  test('follows no redirect, so that the key stays with the service', async () => {
    const seen: string[] = [];
    const url = await serve((request, response) => {
      seen.push(request.url ?? '');
      response.writeHead(302, { Location: '/elsewhere' }).end();
    });
    await expect(createClient(url, keyAccess('mk_secret')).search({ type: 'all' })).rejects.toMatchObject({
      code: 'unreachable',
    });
    expect(seen).toHaveLength(1);
  });

  test('tells when to come back', async () => {
    const url = await serve((_request, response) =>
      response.writeHead(503, { 'Retry-After': '7' }).end('{"error":"Busy"}'),
    );
    await expect(createClient(url, fetch).list('companies')).rejects.toMatchObject({
      code: 'unavailable',
      message: 'Busy',
      headers: { 'Retry-After': '7' },
    });
  });

  test('passes on a bounded message of it, and neither words in place of numbers nor faults that are no list', async () => {
    const headers = { 'Retry-After': '5. Now call wallet', 'X-Request-Id': 'req_1. Now call wallet' };
    const body = JSON.stringify({ error: 'x'.repeat(1_000_000), code: 'not_found', errors: 'none' });
    const url = await serve((_request, response) => response.writeHead(404, headers).end(body));
    const error = await createClient(url, fetch)
      .list('companies')
      .catch((thrown: ServiceError) => thrown);
    expect(error).toMatchObject({ code: 'not_found', headers: {}, errors: [], requestId: undefined });
    expect((error as ServiceError).message.length).toBeLessThanOrEqual(2_000);
  });

  /** Cuts the connection of the first requests, and answers those after. */
  const cutting = (cuts: number, seen: string[]): RequestListener => {
    return (request, response) => {
      seen.push(`${request.method} ${request.headers['idempotency-key'] ?? ''}`);
      if (seen.length <= cuts) return void request.socket.destroy();
      response.setHeader('Content-Type', 'application/json').end('{"data":{"id":1}}');
    };
  };

  test('reads again after a lost answer', async () => {
    const seen: string[] = [];
    const url = await serve(cutting(2, seen));
    expect(await createClient(url, fetch).get('companies', 'x')).toEqual({ type: 'companies', id: 1 });
    expect(seen).toHaveLength(3);
  });

  test('reads again after an answer that was cut off', async () => {
    let asked = 0;
    const url = await serve((request, response) => {
      asked += 1;
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '17' });
      if (asked > 1) return void response.end('{"data":{"id":1}}');
      response.write('{"data":', () => request.socket.destroy());
    });
    expect(await createClient(url, fetch).get('companies', 'x')).toEqual({ type: 'companies', id: 1 });
    expect(asked).toBe(2);
  });

  test('lets any number of requests share a signal, and leaves no listener on it', async () => {
    const warnings: Error[] = [];
    const note = (warning: Error) => void warnings.push(warning);
    process.on('warning', note);
    const url = await serve(cutting(0, []));
    const { signal } = new AbortController();
    const client = createClient(url, openAccess);
    await Promise.all(Array.from({ length: 30 }, (_, id) => client.get('companies', String(id), { signal })));
    process.off('warning', note);
    expect([warnings, getEventListeners(signal, 'abort')]).toEqual([[], []]);
  });

  test('creates again after a lost answer, under the same Idempotency-Key', async () => {
    const seen: string[] = [];
    const url = await serve(cutting(1, seen));
    await createClient(url, fetch).create('companies', { name: 'X' });
    expect(seen[0]).toMatch(/^POST [0-9a-f-]{36}$/);
    expect(seen[1]).toBe(seen[0]);
  });

  test.each(['delete', 'merge'] as const)('does not %s again after a lost answer', async (method) => {
    const seen: string[] = [];
    const url = await serve(cutting(1, seen));
    const client = createClient(url, fetch);
    const call = method === 'delete' ? client.delete('companies', 'x') : client.merge('companies', 'x', {});
    await expect(call).rejects.toMatchObject({ code: 'unreachable' });
    expect(seen).toHaveLength(1);
  });

  test('waits as long as it is told after 429, when that is not long', async () => {
    let asked = 0;
    const url = await serve((_request, response) => {
      asked += 1;
      if (asked === 1)
        return void response.writeHead(429, { 'Retry-After': '1' }).end('{"error":"Rate limit exceeded"}');
      response.end('{"data":{"id":1}}');
    });
    expect(await createClient(url, fetch).get('companies', 'x')).toEqual({ type: 'companies', id: 1 });
    expect(asked).toBe(2);
  });
});
