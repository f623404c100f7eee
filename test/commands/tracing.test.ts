import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openStore } from '../../src/store/open.ts';
import { aCompany } from '../support/builders.ts';
import { attributesOf, type OtlpReceiver, startOtlpReceiver } from '../support/otlp-receiver.ts';
import { type Running, startProgram, temporaryFolder } from '../support/program.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER = '00f067aa0ba902b7';
const traceparent = `00-${TRACE}-${CALLER}-01`;
const folder = temporaryFolder();
const database = `sqlite:${join(folder.path, 'traced.db')}`;
/** Has Node write the name of each module file that it loads. */
const HOOK = `import { register } from 'node:module';
register('data:text/javascript,' + encodeURIComponent(
  'export async function load(url, context, next) { process._rawDebug(url); return next(url, context); }'));`;
const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(HOOK)}`;

/** The file of the exporter. */
const EXPORTER = /\/chunks\/tracing-/;

let key: string;
beforeAll(async () => {
  const store = await openStore(database);
  await store.records.putAll([aCompany()]);
  await store.accounts.create('acme', 'enterprise');
  const made = await store.keys.create({ account: 'acme', name: 'x', level: 'read', expires_at: null });
  key = made.secret;
  await store.close();
});
afterAll(() => folder.remove());

let receiver: OtlpReceiver;
let running: Running | undefined;
beforeEach(async () => {
  receiver = await startOtlpReceiver();
});
afterEach(async () => {
  await running?.stop();
  await receiver.close();
});

async function serve(environment: Record<string, string>, ...more: string[]): Promise<Running> {
  running = await startProgram(
    ['serve', '--port', '0', '--data', 'none', '--database', database, ...more],
    environment,
  );
  return running;
}

const search = async (headers: Record<string, string> = {}): Promise<number> => {
  const response = await fetch(`${running?.url}/api/v1/search?type=all&query=acme`, {
    headers: { Authorization: `Bearer ${key}`, ...headers },
  });
  await response.arrayBuffer();
  return response.status;
};

describe('web3-bi serve, with the variables of OpenTelemetry', () => {
  test('exports a span of each request and of each call of MCP, before it ends', async () => {
    const { url, exited, stop } = await serve({
      OTEL_EXPORTER_OTLP_ENDPOINT: `${receiver.url}/collector/`,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=blue%20one,authorization=Bearer%20of-the-receiver',
      OTEL_SERVICE_NAME: 'named',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=tests,service.name=other',
    });
    expect(await search({ traceparent })).toBe(200);
    const client = new Client({ name: 'test', version: '0' });
    const requestInit = { headers: { Authorization: `Bearer ${key}`, traceparent } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
    await client.callTool({ name: 'search', arguments: { query: 'acme' } });
    await client.close();
    expect([await stop(), await exited]).toEqual([0, 0]);
    const spans = receiver.spans();
    const called = spans.filter((span) => attributesOf(span)['mcp.method.name'] === 'tools/call');
    const [searched] = spans.filter(({ name }) => name === 'GET /api/v1/search');
    expect(called.map((span) => [span.name, attributesOf(span)['http.response.status_code']])).toEqual([
      ['POST /mcp', '200'],
    ]);
    for (const request of [searched, called[0]]) {
      expect(request).toMatchObject({ kind: 2, traceId: TRACE, parentSpanId: CALLER });
      const children = spans.filter(({ parentSpanId }) => parentSpanId === request?.spanId);
      expect(children.map(({ name }) => name)).toContain('records.search');
    }
    expect(receiver.resource()).toMatchObject({
      'service.name': 'named',
      'deployment.environment.name': 'tests',
      'service.version': expect.any(String),
    });
    expect(receiver.paths[0]).toBe('/collector/v1/traces');
    expect(receiver.headers[0]).toMatchObject({ 'x-tenant': 'blue one', authorization: 'Bearer of-the-receiver' });
    expect(receiver.bodies.join('')).not.toMatch(/mk_|query=|of-the-receiver/);
  });

  test('exports from each of several processes', async () => {
    const { stop } = await serve(
      { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: receiver.url, OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'x-tenant=blue' },
      '--workers',
      '2',
    );
    expect(await search()).toBe(200);
    await stop();
    expect(receiver.spans().map(({ name }) => name)).toContain('GET /api/v1/search');
    expect(receiver.headers[0]?.['x-tenant']).toBe('blue');
  });

  test('answers as ever while the receiver is away, says so once, and ends', async () => {
    const { stop, stderr } = await serve({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', NODE_OPTIONS });
    for (let asked = 0; asked < 5; asked += 1) expect(await search()).toBe(200);
    expect(await stop()).toBe(0);
    const said = stderr.join('').split('\n');
    expect(said.filter((line) => line.includes('traces could not be exported'))).toEqual([
      expect.stringContaining('"reason":"'),
    ]);
    expect(stderr.join('')).toMatch(EXPORTER);
  });

  test('names a variable that is wrong, without its value, and serves', async () => {
    const { stderr, stop } = await serve({
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'secret-without-a-name',
      OTEL_TRACES_SAMPLER: 'sometimes',
    });
    expect(await search()).toBe(200);
    await stop();
    for (const name of ['OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_TRACES_SAMPLER'])
      expect(stderr.join('')).toContain(`"variable":"${name}"`);
    expect(stderr.join('')).not.toContain('secret-without');
    expect(receiver.spans().length).toBeGreaterThan(0);
  });

  test.each<[string, Record<string, string>]>([
    ['without a variable', {}],
    ['OTEL_TRACES_EXPORTER=none', { OTEL_TRACES_EXPORTER: 'none' }],
    ['OTEL_SDK_DISABLED=true', { OTEL_SDK_DISABLED: 'true', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' }],
  ])('%s: the exporter is not loaded', async (_case, environment) => {
    const { stderr } = await serve({ ...environment, NODE_OPTIONS });
    expect(stderr.join('')).toMatch(/\/commands\/serve\.mjs/);
    expect(stderr.join('')).not.toMatch(EXPORTER);
  });
});
