import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { ServiceError } from '../../src/contract/errors.ts';
import { defineTool, READ_ONLY } from '../../src/mcp/define-tool.ts';
import { createHttpEndpoint, type McpEndpoint } from '../../src/mcp/http/endpoint.ts';
import { HttpRefusal } from '../../src/mcp/http/protocol-errors.ts';
import { registerTools } from '../../src/mcp/register-tools.ts';
import { createServer, type ServerDeps } from '../../src/mcp/server.ts';
import { createMetrics } from '../../src/service/metrics.ts';
import { createClientDocuments } from '../../src/service/oauth/client-documents.ts';
import type { LoggedRequest } from '../../src/store/port/request-log.ts';
import { aCompany } from '../support/builders.ts';
import { LEGACY, MODERN } from '../support/mcp-clients.ts';
import { openRaw, parseRaw } from '../support/raw.ts';
import { startService, type TestService } from '../support/service.ts';

const NAMES = { allowedHosts: ['127.0.0.1'], allowedOrigins: ['localhost', 'app.example.com'] };
const JSON_HEADERS = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
const META = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

let endpoint: McpEndpoint;
let service: TestService;
const failures: unknown[] = [];
const recorded: LoggedRequest[] = [];

beforeAll(async () => {
  endpoint = createHttpEndpoint({
    ...NAMES,
    version: '0.0.0',
    log: { error: (thrown) => void failures.push(thrown) },
    bodyTimeoutMs: 50,
    coverageGaps: () => ({ filters: ['employees_min', 'from'], groups: ['organizer'] }),
  });
  const rows = ['Uniswap', 'Aave', 'Twin', 'Twin'].map((name, index) => aCompany({ name, slug: `c${index}` }));
  const recorder = { add: (note: LoggedRequest) => void recorded.push(note), flush: async () => {} };
  service = await startService(rows, {
    mount: (app, gateway) => endpoint.mount(app, gateway, 'http://records.example'),
    recorder,
    metrics: createMetrics(),
    metricsAllow: ['127.0.0.1'],
  });
});
afterAll(async () => {
  await endpoint.close();
  await service.close();
});

const post = (body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${service.url}/mcp`, {
    method: 'POST',
    headers: { ...JSON_HEADERS, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });
const calling = (name: string, args: Record<string, unknown> = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: args },
});

/** The same call in the newest revision. */
const inModern = (name: string, args: Record<string, unknown>, headers: Record<string, string>) =>
  [
    { ...calling(name), params: { name, arguments: args, _meta: META } },
    { ...headers, 'MCP-Protocol-Version': MODERN, 'Mcp-Method': 'tools/call', 'Mcp-Name': name },
  ] as const;

/** The message that an answer carries, whether as JSON or as an event. */
async function messageOf(response: Response): Promise<any> {
  const text = await response.text();
  return JSON.parse(text.startsWith('{') ? text : (/^data: (.*)$/m.exec(text)?.[1] ?? ''));
}

async function call(key: string | undefined, name: string, args: Record<string, unknown> = {}): Promise<any> {
  return (await messageOf(await post(calling(name, args), key === undefined ? {} : bearer(key)))).result;
}

async function used(key: string): Promise<number> {
  return (await call(key, 'usage')).structuredContent.day.used;
}

describe('POST /mcp with a key', () => {
  test('counts a call once, however many records it looks up and however often it asks the service', async () => {
    const key = await service.newKey();
    const items = ['c0', 'c1', 'Twin', 'nothing', 'c2'].map((id) => ({ type: 'companies', id }));
    const { structuredContent } = await call(key, 'get_entity', { items, include: ['people', 'rounds'] });
    expect(structuredContent.entities.map((each: any) => each.status)).toEqual([
      'exact',
      'exact',
      'ambiguous',
      'none',
      'exact',
    ]);
    expect(await used(key)).toBe(1);
    await call(key, 'search', { query: 'uniswap' });
    expect(await used(key)).toBe(2);
  });

  test('counts what REST counts in the same quota, and not lists, health and usage', async () => {
    const key = await service.newKey();
    await service.get('/api/v1/search?type=all', { headers: bearer(key) });
    await post({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, bearer(key));
    await call(key, 'health');
    expect(await used(key)).toBe(1);
  });

  test('says so when the day is used up', async () => {
    await service.store.accounts.create('small', 'enterprise', { daily: 1, monthly: null });
    const { secret } = await service.store.keys.create({
      account: 'small',
      name: 'x',
      level: 'read',
      expires_at: null,
    });
    await call(secret, 'search');
    const refused = await call(secret, 'search');
    expect(refused).toMatchObject({ isError: true, _meta: { 'web3-bi/error': { code: 'daily_limit_exceeded' } } });
    expect(refused.content[0].text).toContain('Do not call again for');
  });

  test('is in the request log of the account once, with what it was refused for', async () => {
    await service.store.accounts.create('logged', 'enterprise', { daily: 1, monthly: null });
    const given = { account: 'logged', name: 'x', level: 'read', expires_at: null } as const;
    const { secret, id } = await service.store.keys.create(given);
    const items = ['c0', 'nothing', 'c2'].map((id) => ({ type: 'companies', id }));
    await call(secret, 'get_entity', { items, include: ['people', 'rounds'] });
    await call(secret, 'search');
    const logged = () => recorded.filter(({ keyId }) => keyId === id);
    await expect.poll(() => logged().length).toBe(2);
    expect(logged()).toMatchObject([
      { route: '/mcp', status: 200, code: null },
      { route: '/mcp', status: 429, code: 'daily_limit_exceeded' },
    ]);
  });

  test('is one line of the log and one request in the metrics, with its tool', async () => {
    await service.store.accounts.create('observed', 'enterprise', { daily: 1, monthly: null });
    const given = { account: 'observed', name: 'x', level: 'read', expires_at: null } as const;
    const { secret } = await service.store.keys.create(given);
    const counted = async (pattern: RegExp) => {
      const text = await (await fetch(`${service.url}/metrics`)).text();
      return [...text.matchAll(pattern)].reduce((sum, match) => sum + Number(match[1]), 0);
    };
    const ofRest = () => counted(/^web3_bi_http_requests_total\{method="GET",route="\/api.* (\d+)$/gm);
    const ofMcp = () => counted(/^web3_bi_http_requests_total\{method="POST",route="\/mcp".* (\d+)$/gm);
    const [rest, mcp, since] = [await ofRest(), await ofMcp(), service.log.length];
    const items = ['c0', 'c1'].map((id) => ({ type: 'companies', id }));
    await call(secret, 'get_entity', { items, include: ['people', 'rounds'] });
    await call(secret, 'search');
    await post({ jsonrpc: '2.0', id: 1, method: secret, params: { name: secret } }, bearer(secret));
    await expect.poll(ofMcp).toBe(mcp + 3);
    expect(await ofRest()).toBe(rest);
    const lines = service.log.slice(since).map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.filter(({ account }) => account === 'observed')).toMatchObject([
      { route: '/mcp', status: 200, mcp: { method: 'tools/call', tool: 'get_entity' } },
      { route: '/mcp', mcp: { method: 'tools/call', tool: 'search' }, code: 'daily_limit_exceeded' },
      { route: '/mcp', mcp: { method: 'other', tool: 'none' } },
    ]);
    const refused = 'web3_bi_mcp_call_duration_seconds_count{method="tools/call",tool="search",outcome="refused"}';
    const text = await (await fetch(`${service.url}/metrics`)).text();
    expect([text.includes(refused), text.includes(secret)]).toEqual([true, false]);
  });

  test('makes no error when it ends well', async () => {
    let made = 0;
    class Counted extends Error {
      constructor(message?: string) {
        super(message);
        made += 1;
      }
    }
    Object.setPrototypeOf(HttpRefusal, Counted);
    const { status } = await post(calling('health'));
    Object.setPrototypeOf(HttpRefusal, Error);
    expect([status, made]).toEqual([200, 0]);
  });

  test('counts nothing for a call that fails by our fault', async () => {
    const broken = createHttpEndpoint({ ...NAMES, version: '0', log: { error: () => {} } });
    const other = await startService([], { mount: broken.mount });
    const key = await other.newKey();
    const ask = async (name: string, args = {}): Promise<any> => {
      const headers = { ...JSON_HEADERS, ...bearer(key) };
      const body = JSON.stringify(calling(name, args));
      return (await messageOf(await fetch(`${other.url}/mcp`, { method: 'POST', headers, body }))).result;
    };
    for (let calls = 0; calls < 3; calls += 1) await ask('search');
    other.store.records.search = () => Promise.reject(new Error('broken'));
    expect((await ask('search'))._meta['web3-bi/error'].code).toBe('search_failed');
    // Several requests of one call, which was counted once.
    const items = ['a', 'b', 'c', 'd'].map((id) => ({ type: 'companies', id }));
    expect((await ask('get_entity', { items }))._meta['web3-bi/error'].code).toBe('search_failed');
    const { data } = (await (await other.get('/api/v1/usage', { headers: bearer(key) })).json()) as any;
    expect(data.day.used).toBe(3);
    await broken.close();
    await other.close();
  });

  test('holds a key to its addresses, as those of its caller', async () => {
    const key = await service.newKey({ allowed_cidrs: ['127.0.0.1'] });
    expect((await call(key, 'search')).isError).toBeUndefined();
    const elsewhere = await service.newKey({ allowed_cidrs: ['192.0.2.7'] });
    expect((await post(calling('search'), bearer(elsewhere))).status).toBe(403);
  });

  test('answers both eras in plain JSON, which both accept', async () => {
    const modern = await post(...inModern('health', {}, bearer(service.key)));
    expect([modern.status, modern.headers.get('content-type')]).toEqual([200, 'application/json']);
    expect((await messageOf(modern)).result.structuredContent.status).toBe('operational');
    const legacy = await post(calling('health'), bearer(service.key));
    expect([legacy.status, legacy.headers.get('content-type')]).toEqual([200, 'application/json']);
  });

  test('tells callers apart who ask at once under the same id, and counts each of them', async () => {
    const keys = await Promise.all([service.newKey(), service.newKey()]);
    const asks = Array.from({ length: 24 }, (_, index) => ({
      index,
      slug: `c${index % 2}`,
      key: keys[index % 2] ?? '',
    }));
    const answers = await Promise.all(
      asks.map(({ index, slug, key }) => {
        const args = { type: 'companies', id: slug };
        if (index % 8 === 7) return post(calling('get_entity', args));
        if (index % 3 === 0) return post(...inModern('get_entity', args, bearer(key)));
        return post(calling('get_entity', args), bearer(key));
      }),
    );
    const results = await Promise.all(answers.map(async (answer) => (await messageOf(answer)).result));
    for (const { index, slug } of asks) {
      const found = results[index].structuredContent?.entities[0].record.slug;
      expect([index, found, results[index].isError]).toEqual(
        index % 8 === 7 ? [index, undefined, true] : [index, slug, undefined],
      );
    }
    expect(await Promise.all(keys.map(used))).toEqual([12, 9]);
  });
});

describe('POST /mcp without a key', () => {
  test('lists tools and tells of health', async () => {
    const { result } = await messageOf(await post({ jsonrpc: '2.0', id: 1, method: 'tools/list' }));
    expect(result.tools.length).toBeGreaterThan(3);
    const argumentsOf = (tool: string): string[] =>
      Object.keys(result.tools.find(({ name }: any) => name === tool).inputSchema.properties);
    expect(argumentsOf('search')).not.toEqual(expect.arrayContaining(['employees_min']));
    expect(argumentsOf('search')).toContain('employees_max');
    expect(argumentsOf('connect')).toContain('from');
    const { group_by } = result.tools.find(({ name }: any) => name === 'aggregate').inputSchema.properties;
    expect(group_by.description).toMatch(/ speaker( |$)/);
    expect(group_by.description).not.toContain('organizer');
    expect((await call(undefined, 'health')).structuredContent.status).toBe('operational');
  });

  test.each(['search', 'get_entity', 'usage'])('%s says how to get access', async (name) => {
    const { isError, content } = await call(undefined, name, { query: 'x' });
    expect(isError).toBe(true);
    expect(content[0].text).toContain('add the header "Authorization: Bearer mk_..."');
  });

  test('takes no session id for a key', async () => {
    const response = await post(calling('search'), { 'Mcp-Session-Id': 'a-session' });
    expect((await messageOf(response)).result).toMatchObject({ isError: true });
  });
});

describe('/mcp refuses, in JSON-RPC,', () => {
  const foreign = { Authorization: 'Bearer eyJhbGciOiJIUzI1NiJ9.e30.x' };
  const large = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'x'.repeat(10 * 1024 * 1024) });
  const deep = `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`;
  const withDeep = (message: object): string => JSON.stringify(message).replace('"DEEP"', deep);
  const client = { clientInfo: { name: 'test', version: '0' }, capabilities: { experimental: { x: 'DEEP' } } };
  const initializing = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: LEGACY, ...client } };
  const declared = { ...META, 'io.modelcontextprotocol/clientCapabilities': client.capabilities };
  const declaring = { ...calling('health'), params: { name: 'health', arguments: {}, _meta: declared } };
  const modern = { 'MCP-Protocol-Version': MODERN, 'Mcp-Method': 'tools/call', 'Mcp-Name': 'health' };
  const future = { ...META, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' };

  test.each<[string, unknown, Record<string, string>, number, number]>([
    ['a foreign token', calling('search'), foreign, 401, -32_000],
    ['a foreign token before it reads what comes with it', '{', foreign, 401, -32_000],
    ['a key that is not a bearer token', calling('search'), { Authorization: 'Basic eDp5' }, 401, -32_000],
    ['an evil origin', calling('health'), { Origin: 'https://evil.example' }, 403, -32_000],
    ['an origin that is none', calling('health'), { Origin: 'null' }, 403, -32_000],
    ['a body of 10 MB', large, {}, 413, -32_000],
    ['bad JSON', '{"jsonrpc":', {}, 400, -32_700],
    ['no JSON at all', '', {}, 400, -32_700],
    ['a batch', [calling('health')], {}, 400, -32_600],
    ['a message nested too deep', withDeep(initializing), {}, 400, -32_600],
    ['a message of the newest revision nested too deep', withDeep(declaring), modern, 400, -32_600],
    ['another type of body', calling('health'), { 'Content-Type': 'text/plain' }, 415, -32_000],
    ['an unknown version in the header', calling('health'), { 'MCP-Protocol-Version': '1999-01-01' }, 400, -32_000],
    [
      'an unknown version in the message',
      { ...calling('health'), params: { name: 'health', arguments: {}, _meta: future } },
      { 'MCP-Protocol-Version': '2099-01-01', 'Mcp-Method': 'tools/call', 'Mcp-Name': 'health' },
      400,
      -32_022,
    ],
    [
      'a message of the newest revision without its headers',
      { ...calling('health'), params: { name: 'health', arguments: {}, _meta: META } },
      {},
      400,
      -32_020,
    ],
    ['a client that takes no event streams', calling('health'), { Accept: 'application/json' }, 406, -32_000],
  ])('%s', async (_name, body, headers, status, code) => {
    const response = await post(body, headers);
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toContain('application/json');
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', error: { code, message: expect.any(String) } });
  });

  test('a foreign token with the challenge of RFC 6750', async () => {
    const response = await post(calling('search'), foreign);
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="api", error="invalid_token"');
  });

  test('a key without a plan', async () => {
    const response = await post(calling('search'), bearer(await service.newKey({ plan: 'none' })));
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ error: { data: { code: 'plan_required' } } });
  });

  test.each(['GET', 'DELETE', 'PUT'])('%s', async (method) => {
    const response = await fetch(`${service.url}/mcp`, { method, headers: JSON_HEADERS });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', error: { code: -32_000 } });
  });

  test('a foreign host name, as a browser sends it after DNS rebinding', async () => {
    const { socket, received } = openRaw(service.url);
    socket.write('POST /mcp HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
    const { status, body } = parseRaw(await received);
    expect([status, body]).toMatchObject([403, { jsonrpc: '2.0', error: { code: -32_000 } }]);
  });

  test('a body that stalls', async () => {
    const { socket, received } = openRaw(service.url);
    const head =
      'POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{';
    socket.write(head);
    const { status, body } = parseRaw(await received);
    expect([status, body]).toMatchObject([408, { jsonrpc: '2.0', error: { code: -32_000 } }]);
  });
});

describe("parameters that are wrong are the caller's mistake", () => {
  const asking = (method: string, params?: object) => ({ jsonrpc: '2.0', id: 7, method, ...(params && { params }) });
  const reading = (slug: string) => asking('resources/read', { uri: `web3-bi://companies/${slug}` });
  const MISTAKES = [
    ['a resource without its address', asking('resources/read', {})],
    ['a prompt without its name', asking('prompts/get', {})],
    ['a completion without what is completed', asking('completion/complete', {})],
    ['a tool without its name', asking('tools/call', {})],
    ['a cursor that is no text', asking('tools/list', { cursor: 5 })],
    ['an address with half an escape', reading('%')],
    ['an address with an escape that is not UTF-8', reading('%ff')],
    ['a slug of 9,000 letters', reading('a'.repeat(9_000))],
    ['a record that is not there', reading('nowhere')],
  ] as const;

  test.each(MISTAKES)('%s, -32602 in both eras', async (_what, message) => {
    const { method, params = {} } = message as { method: string; params?: Record<string, string> };
    const modern = { 'MCP-Protocol-Version': MODERN, 'Mcp-Method': method, 'Mcp-Name': params['uri'] ?? 'x' };
    const answers = await Promise.all([
      post(message, bearer(service.key)),
      post({ ...message, params: { ...params, _meta: META } }, { ...bearer(service.key), ...modern }),
    ]);
    for (const answer of answers) {
      const { id, error } = await messageOf(answer);
      expect([id, error.code]).toEqual([7, -32_602]);
      // A message of ours rather than an internal one of a library.
      expect(error.message).not.toMatch(/[\n{[]|Internal/);
    }
  });

  test.each(['initialize', 'resources/read', 'prompts/get', 'completion/complete'])(
    '%s without parameters',
    async (method) => {
      expect(await messageOf(await post(asking(method)))).toMatchObject({ id: 7, error: { code: -32_602 } });
    },
  );

  test('a resource without a key is refused as a request, and says how to get one', async () => {
    const { error } = await messageOf(await post(reading('c0')));
    expect(error).toMatchObject({ code: -32_600, data: { code: 'unauthenticated' } });
  });
});

test('a client that goes away in the middle of a call is no fault', async () => {
  const { search } = service.store.records;
  let release: () => void = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const isAsked = new Promise<void>((resolve) => {
    service.store.records.search = async (request) => {
      resolve();
      await held;
      return search(request);
    };
  });
  const leaving = new AbortController();
  const asked = fetch(`${service.url}/mcp`, {
    method: 'POST',
    headers: { ...JSON_HEADERS, ...bearer(service.key), 'X-Request-Id': 'went-away' },
    body: JSON.stringify(calling('search', { query: 'uniswap' })),
    signal: leaving.signal,
  });
  await isAsked;
  leaving.abort();
  await expect(asked).rejects.toThrow('aborted');
  await expect.poll(() => service.log.join('')).toMatch(/"requestId":"went-away".*"isCutOff":true/);
  service.store.records.search = search;
  release();
  expect(failures).toEqual([]);
});

test.each(['legacy', 'modern'])('a call of the %s era ends when its client goes away', async (era) => {
  const { get } = service.store.records;
  const log = service.log.length;
  let gets = 0;
  let release: () => void = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const leaving = new AbortController();
  service.store.records.get = (async (...asked: Parameters<typeof get>) => {
    gets += 1;
    leaving.abort();
    await held;
    return get(...asked);
  }) as typeof get;
  const args = { items: Array.from({ length: 20 }, () => ({ type: 'companies', id: 'c0' })) };
  const [body, headers] =
    era === 'modern'
      ? inModern('get_entity', args, bearer(service.key))
      : ([calling('get_entity', args), bearer(service.key)] as const);
  const init = { method: 'POST', headers: { ...JSON_HEADERS, ...headers }, body: JSON.stringify(body) };
  await expect(fetch(`${service.url}/mcp`, { ...init, signal: leaving.signal })).rejects.toThrow('aborted');
  await expect.poll(() => service.log.slice(log).join('')).toContain('"isCutOff":true');
  release();
  // The records that were asked for at once, and none after them.
  expect((await call(service.key, 'health')).structuredContent.status).toBe('operational');
  expect(gets).toBe(4);
  service.store.records.get = get;
});

describe('too many at once', () => {
  const many = Object.fromEntries(Array.from({ length: 8_000 }, (_, index) => [`limitt${index}`, 1]));
  test.each<[string, object]>([
    ['unknown arguments', many],
    ['characters of a name', { ['a'.repeat(200_000)]: 1 }],
    ['characters of a field', { query: 'a', fields: 'x'.repeat(200_000) }],
  ])('%s are refused without holding up the others', async (_what, args) => {
    const begun = process.cpuUsage();
    for (let calls = 0; calls < 3; calls += 1) {
      const { error, result } = await messageOf(
        await post(calling('search', args as Record<string, unknown>), bearer(service.key)),
      );
      expect(result?.isError ?? error).toBeTruthy();
    }
    // Three took seconds of processor time when each was compared with every known name.
    const { user, system } = process.cpuUsage(begun);
    expect((user + system) / 1_000).toBeLessThan(900);
  });

  const MAX = 2;
  let narrow: McpEndpoint;
  let other: TestService;
  let gate = Promise.resolve();
  let open: () => void;
  /** Health checks wait for the database, so a test can hold as many calls under way as it likes. */
  const hold = (): void => {
    gate = new Promise<void>((resolve) => {
      open = resolve;
    });
  };
  beforeAll(async () => {
    narrow = createHttpEndpoint({ ...NAMES, version: '0', log: { error: () => {} }, activeMax: MAX });
    other = await startService([], { mount: narrow.mount });
    const { ping } = other.store;
    other.store.ping = () => gate.then(ping);
  });
  afterAll(async () => {
    await narrow.close();
    await other.close();
  });

  const send = (body: object, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${other.url}/mcp`, {
      method: 'POST',
      headers: { ...JSON_HEADERS, ...headers },
      body: JSON.stringify(body),
    });
  const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const statusOf = async (answer: Promise<Response>): Promise<number> => (await answer).status;
  const HALF =
    'POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 262144\r\n\r\n';

  test('503 with Retry-After for keys, until one of their calls has ended', async () => {
    hold();
    const held = Array.from({ length: MAX }, () => send(calling('health'), bearer(other.key)));
    await expect.poll(() => statusOf(send(LIST, bearer(other.key))), { interval: 5 }).toBe(503);
    const refused = await send(LIST, bearer(other.key));
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await refused.json()).toMatchObject({ jsonrpc: '2.0', error: { code: -32_000 } });
    // Whoever has no key has places of their own.
    expect(await statusOf(send(LIST))).toBe(200);
    open();
    expect(await Promise.all(held.map(statusOf))).toEqual([200, 200]);
    expect(await statusOf(send(LIST, bearer(other.key)))).toBe(200);
  });

  test('without a key, an address has few places, and takes none of those with a key', async () => {
    hold();
    const statuses: number[] = [];
    const asked = Array.from({ length: 40 }, async () => statuses.push(await statusOf(send(calling('health')))));
    await expect.poll(() => statuses, { interval: 5 }).toEqual(Array.from({ length: 24 }, () => 503));
    expect(await statusOf(send(LIST, bearer(other.key)))).toBe(200);
    open();
    await Promise.all(asked);
    expect(statuses.slice(24)).toEqual(Array.from({ length: 16 }, () => 200));
    expect(await statusOf(send(LIST))).toBe(200);
  });

  test('bodies that have begun take no places', async () => {
    const stalled = Array.from({ length: 60 }, () => openRaw(other.url).socket);
    for (const socket of stalled) socket.write(`${HALF}{`);
    await Promise.all(stalled.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
    expect(await statusOf(send(LIST))).toBe(200);
    expect(await statusOf(send(LIST, bearer(other.key)))).toBe(200);
    for (const socket of stalled) socket.destroy();
  });

  test('an address without a key has a bound on what its unfinished bodies take', async () => {
    const sockets = Array.from({ length: 5 }, () => openRaw(other.url));
    for (const { socket } of sockets) socket.write(HALF + ' '.repeat(250_000));
    const refused = parseRaw(await Promise.race(sockets.map(({ received }) => received)));
    expect([refused.status, refused.body]).toMatchObject([503, { jsonrpc: '2.0', error: { code: -32_000 } }]);
    for (const { socket } of sockets) socket.destroy();
    await expect.poll(() => statusOf(send(LIST)), { interval: 5 }).toBe(200);
  });

  test('calls that a client pipelines are served one after the other, none refused', async () => {
    const body = JSON.stringify(calling('search'));
    const CALLS = 100;
    const one = (last: boolean): string =>
      [
        'POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json',
        'Accept: application/json, text/event-stream',
        `Authorization: Bearer ${other.key}`,
        ...(last ? ['Connection: close'] : []),
        `Content-Length: ${body.length}\r\n\r\n${body}`,
      ].join('\r\n');
    const { socket, received } = openRaw(other.url);
    socket.write(Array.from({ length: CALLS }, (_, index) => one(index === CALLS - 1)).join(''));
    const answers = [...(await received).matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
    expect(answers).toEqual(Array.from({ length: CALLS }, () => '200'));
  });
});

describe('a page', () => {
  test('of an allowed origin may ask, and is told which headers it may send', async () => {
    const Origin = 'https://app.example.com:8443';
    const preflight = await fetch(`${service.url}/mcp`, { method: 'OPTIONS', headers: { Origin } });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-headers')).toContain('Authorization');
    const answer = await post(calling('health'), { Origin });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, Origin]);
  });
});

describe('closing', () => {
  test('lets a call under way finish, and ends the streams of those who listen', async () => {
    const closing = createHttpEndpoint({ ...NAMES, version: '0', log: { error: () => {} } });
    const other = await startService([aCompany({ name: 'Late' })], { mount: closing.mount });
    let release: () => void = () => {};
    let reached: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const isAsked = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const { search } = other.store.records;
    other.store.records.search = async (request) => {
      reached();
      await held;
      return search(request);
    };
    const send = (body: unknown, headers: Record<string, string> = {}) =>
      fetch(`${other.url}/mcp`, {
        method: 'POST',
        headers: { ...JSON_HEADERS, ...bearer(other.key), ...headers },
        body: JSON.stringify(body),
      });
    const listening = await send(
      {
        jsonrpc: '2.0',
        id: 'listen',
        method: 'subscriptions/listen',
        params: { notifications: { toolsListChanged: true }, _meta: META },
      },
      { 'MCP-Protocol-Version': MODERN, 'Mcp-Method': 'subscriptions/listen' },
    );
    const answer = send(calling('search', { query: 'late' }));
    await isAsked;
    const closed = closing.close();
    release();
    expect((await messageOf(await answer)).result.structuredContent.results[0].name).toBe('Late');
    await closed;
    expect(listening.headers.get('content-type')).toContain('text/event-stream');
    expect(await listening.text()).toContain('listen');
    await other.close();
  });
});

test('a record that is deleted through REST is gone from the tools at once, and back when it is restored', async () => {
  const key = await service.newKey({ level: 'delete' });
  const change = async (method: string, path: string) =>
    (await fetch(`${service.url}/api/v1/companies/${path}`, { method, headers: bearer(key) })).status;
  const shown = async () => {
    const { structuredContent } = await call(key, 'search', { query: 'Aave', type: 'companies' });
    const found = await call(key, 'get_entity', { type: 'companies', id: 'c1' });
    return [structuredContent.totalResults, JSON.stringify(found).includes('Aave')];
  };
  expect(await shown()).toEqual([1, true]);
  expect(await change('DELETE', 'c1')).toBe(200);
  expect(await shown()).toEqual([0, false]);
  expect(await change('POST', 'c1/restore')).toBe(200);
  expect(await shown()).toEqual([1, true]);
});

test('equal searches have equal results, until a record changes, and other arguments have their own', async () => {
  const key = await service.newKey({ level: 'write' });
  const search = async (more: object = {}) => {
    const args = { query: 'Remembered', type: 'companies', ...more };
    return (await messageOf(await post(calling('search', args), bearer(key)))).result;
  };
  const request = { method: 'POST', headers: { ...JSON_HEADERS, ...bearer(key) } };
  const created = await fetch(`${service.url}/api/v1/companies`, {
    ...request,
    body: JSON.stringify({ name: 'Remembered', tagline: 'Before.' }),
  });
  const { slug } = ((await created.json()) as any).data;
  const before = await search();
  expect(await search()).toEqual(before);
  expect(before.structuredContent.results[0].tagline).toBe('Before.');
  expect((await search({ detail: 'full' })).structuredContent.results[0]).toHaveProperty('website', null);
  expect((await search({ fields: ['tags'] })).structuredContent.results[0]).toEqual({
    ...{ type: 'companies', id: before.structuredContent.results[0].id, name: 'Remembered', slug },
    tags: null,
  });
  await fetch(`${service.url}/api/v1/companies/${slug}`, {
    ...request,
    method: 'PATCH',
    body: JSON.stringify({ tagline: 'After.' }),
  });
  const after = await search();
  expect(after.structuredContent.results[0].tagline).toBe('After.');
  expect(after.content[0].text).toContain('After.');
});

test('no refusal of the above was a fault of ours', () => {
  expect(failures).toEqual([]);
});

test.each(['legacy', 'modern'])(
  'POST /mcp/research has two tools, in the %s era, whose pages are on this service',
  async (era) => {
    const key = await service.newKey();
    const args = { query: 'uniswap' };
    const [body, headers] =
      era === 'legacy' ? [calling('search', args), bearer(key)] : inModern('search', args, bearer(key));
    const response = await fetch(`${service.url}/mcp/research`, {
      method: 'POST',
      headers: { ...JSON_HEADERS, ...headers },
      body: JSON.stringify(body),
    });
    expect((await messageOf(response)).result.structuredContent).toEqual({
      results: [{ id: 'companies/c0', title: 'Uniswap (company)', url: 'http://records.example/companies/c0' }],
    });
    await expect(call(key, 'fetch', { id: 'companies/c0' })).resolves.toBeUndefined();
  },
);

describe('a tool that needs more than a caller may do', () => {
  test('is refused with the level that it needs, so that a host asks its person for more', async () => {
    const tool = defineTool({
      name: 'change',
      title: 'Change',
      description: 'Changes something.',
      input: z.object({}),
      output: z.object({}),
      hints: READ_ONLY,
      isPublic: false,
      run: async () => {
        throw new ServiceError('forbidden', 'Not at this level.', { requiredLevel: 'write' });
      },
      text: () => '',
    });
    const create = (deps: ServerDeps) => {
      const server = createServer(deps);
      registerTools(server, deps, [tool]);
      return server;
    };
    const stepped = createHttpEndpoint({ ...NAMES, version: '0.0.0', log: { error: () => {} }, create });
    const publicUrl = 'https://bi.example.com';
    const more = { publicUrl, clientDocuments: createClientDocuments(), mount: stepped.mount };
    const other = await startService([], more);
    const response = await fetch(`${other.url}/mcp`, {
      method: 'POST',
      headers: { ...JSON_HEADERS, ...bearer(other.key) },
      body: JSON.stringify(calling('change')),
    });
    const metadata = `${publicUrl}/.well-known/oauth-protected-resource/mcp`;
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([
      403,
      `Bearer error="insufficient_scope", scope="read write", resource_metadata="${metadata}"`,
    ]);
    await stepped.close();
    await other.close();
  });
});
