import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '../../src/service/logging.ts';
import { createMetrics, type Metrics } from '../../src/service/metrics.ts';
import { timedStore } from '../../src/service/timed-store.ts';
import { createTracing, type Tracing, type TracingOptions } from '../../src/service/tracing.ts';
import type { Store } from '../../src/store/store.ts';
import { aCompany } from '../support/builders.ts';
import { attributesOf, type OtlpReceiver, startOtlpReceiver } from '../support/otlp-receiver.ts';
import { startService, type TestService } from '../support/service.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER = '00f067aa0ba902b7';
const WALLET = '0x52908400098527886e0f7030069857d2e4169ee7';
const SERVER = 2;
const FAILED = 2;

let receiver: OtlpReceiver;
let metrics: Metrics;
let log: string[];
beforeEach(async () => {
  receiver = await startOtlpReceiver();
  metrics = createMetrics();
  log = [];
});
afterEach(() => receiver.close());

const traceTo = (more: Partial<TracingOptions> = {}): Tracing =>
  createTracing({
    url: `${receiver.url}/v1/traces`,
    headers: { authorization: 'Bearer of-the-receiver' },
    timeoutMs: 60_000,
    resource: { 'service.name': 'tested' },
    version: '1.2.3',
    sampler: { followsParent: true, ratio: 1 },
    log: createLog({ write: (line: string) => void log.push(line) }, 'info'),
    metrics,
    ...more,
  });

/** Ends as many spans of requests that ask for nothing. */
function endSpans(tracing: Tracing, count: number): void {
  for (let made = 0; made < count; made += 1) tracing.serve(undefined, (span) => span.end());
}

const counted = async (outcome: string): Promise<number> => {
  const line = new RegExp(`web3_bi_spans_total\\{outcome="${outcome}"\\} (\\d+)`).exec(await metrics.text());
  return Number(line?.[1] ?? 0);
};

describe('traces of requests', () => {
  let service: TestService;
  let tracing: Tracing;
  const start = async (more: Partial<TracingOptions> = {}, broken: Partial<Store['records']> = {}): Promise<void> => {
    tracing = traceTo(more);
    service = await startService([aCompany()], {
      tracing,
      around: (store) => timedStore({ ...store, records: { ...store.records, ...broken } }, { metrics, tracing }),
    });
  };
  /** Stops the service, so that every request has ended, and returns the received spans. */
  const ended = async () => {
    await service.close();
    await tracing.close();
    return receiver.spans();
  };

  test('have a span of each request below that of its caller, and below it one of each operation of the store', async () => {
    await start();
    await service.get('/api/v1/companies/acme?fields=name', {
      headers: { traceparent: `00-${TRACE}-${CALLER}-01` },
    });
    const spans = await ended();
    const [request] = spans.filter(({ kind }) => kind === SERVER);
    expect(request).toMatchObject({
      traceId: TRACE,
      parentSpanId: CALLER,
      flags: 0x301,
      name: 'GET /api/v1/companies/{idOrSlug}',
      status: {},
    });
    expect(attributesOf(request ?? { attributes: [] })).toEqual({
      'http.request.method': 'GET',
      'http.route': '/api/v1/companies/{idOrSlug}',
      'url.path': '/api/v1/companies/acme',
      'http.response.status_code': '200',
    });
    const children = spans.filter(({ kind }) => kind !== SERVER);
    expect(children.map(({ name }) => name)).toEqual(expect.arrayContaining(['keys.recall', 'records.get']));
    for (const child of children) {
      expect(child).toMatchObject({ traceId: TRACE, parentSpanId: request?.spanId, flags: 0x101 });
      expect(BigInt(child.startTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(request?.startTimeUnixNano ?? 0));
      expect(BigInt(child.endTimeUnixNano)).toBeLessThanOrEqual(BigInt(request?.endTimeUnixNano ?? 0));
    }
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
    expect(JSON.parse(service.log[0] ?? '{}')).toMatchObject({ trace_id: TRACE, span_id: request?.spanId });
    expect([receiver.paths[0], receiver.headers[0]?.authorization, receiver.resource()]).toEqual([
      '/v1/traces',
      'Bearer of-the-receiver',
      { 'service.name': 'tested' },
    ]);
    expect(await counted('exported')).toBe(spans.length);
  });

  test('a request without a caller begins a trace, and requests at once have children of their own', async () => {
    await start();
    await Promise.all(Array.from({ length: 8 }, () => service.get('/api/v1/search?type=all&query=acme')));
    const spans = await ended();
    const requests = spans.filter(({ kind }) => kind === SERVER);
    expect(new Set(requests.map(({ traceId }) => traceId)).size).toBe(8);
    for (const { traceId, spanId, parentSpanId } of requests) {
      expect(parentSpanId).toBeUndefined();
      const searches = spans.filter((span) => span.traceId === traceId && span.name === 'records.search');
      expect(searches.map((search) => search.parentSpanId)).toEqual([spanId]);
    }
  });

  test('a refusal is no failure, and where nothing is there is no route', async () => {
    await start();
    await service.get('/api/v1/companies/nobody');
    await service.get('/nowhere');
    const requests = (await ended()).filter(({ kind }) => kind === SERVER);
    const told = requests.map((span) => [span.name, span.status.code, attributesOf(span)['error.type']]);
    expect(told).toEqual([
      ['GET /api/v1/companies/{idOrSlug}', undefined, undefined],
      ['GET', undefined, undefined],
    ]);
  });

  test('an answer that could not be made has failed, with the code of its error', async () => {
    await start({}, { search: () => Promise.reject(new Error(`broken by ${WALLET}`)) });
    await service.get('/api/v1/search?type=all&query=acme');
    const failed = (await ended()).filter(({ status }) => status.code === FAILED);
    expect(failed.map((span) => [span.name, attributesOf(span)['error.type']])).toEqual([
      ['records.search', 'Error'],
      ['GET /api/v1/search', 'search_failed'],
    ]);
    expect(receiver.bodies.join('')).not.toContain(WALLET);
  });

  test('hold no key, no query, no address of a wallet and no body, wherever a client puts them', async () => {
    await start();
    const { key } = service;
    const headers = { Authorization: `Bearer ${key}`, 'X-Request-Id': key, 'User-Agent': key, tracestate: `a=${key}` };
    for (const secret of [key, WALLET, WALLET.slice(2), 'asked words']) {
      const text = encodeURIComponent(secret);
      for (const path of [
        `/api/v1/search?type=all&query=${text}`,
        `/api/v1/companies/${text}`,
        `/${text}`,
        `/account/invitation/${text}`,
      ]) {
        await fetch(service.url + path, { headers });
      }
      const body = JSON.stringify({ name: secret });
      const json = { ...headers, 'Content-Type': 'application/json' };
      await fetch(`${service.url}/api/v1/companies`, { method: 'POST', headers: json, body });
    }
    expect((await ended()).filter(({ kind }) => kind === SERVER)).toHaveLength(20);
    const told = receiver.bodies.join('').toLowerCase();
    for (const secret of [key.toLowerCase(), WALLET.slice(2), 'asked']) expect(told).not.toContain(secret);
  });

  test("follow the caller's decision not to keep a trace, and pass it on", async () => {
    await start();
    await service.get('/api/v1/companies', { headers: { traceparent: `00-${TRACE}-${CALLER}-00` } });
    expect(await ended()).toEqual([]);
    expect(receiver.bodies).toEqual([]);
  });

  test.each([
    ['ffffffffffffffff', 1],
    ['fff1000000000000', 0],
  ])(
    'with a share of a half, a trace that ends in %s is kept %i times, whatever its caller says',
    async (end, times) => {
      await start({ sampler: { followsParent: false, ratio: 0.5 } });
      await fetch(`${service.url}/livez`, { headers: { traceparent: `00-${'1'.repeat(16)}${end}-${CALLER}-00` } });
      expect((await ended()).filter(({ kind }) => kind === SERVER)).toHaveLength(times);
    },
  );
});

describe('a receiver of traces', () => {
  test('that is busy gets the same spans again, once', async () => {
    const tracing = traceTo();
    receiver.answerWith({ status: 503 });
    endSpans(tracing, 512);
    await expect.poll(() => receiver.bodies.length).toBe(1);
    receiver.answerWith({ status: 200 });
    receiver.bodies.length = 0;
    await tracing.close();
    expect(receiver.spans()).toHaveLength(512);
    expect([await counted('exported'), await counted('dropped')]).toEqual([512, 0]);
  });

  test('that stays away costs a bounded queue: the rest is dropped and counted, and the log says it once', async () => {
    const tracing = traceTo({ url: 'http://127.0.0.1:1/v1/traces' });
    endSpans(tracing, 5_000);
    expect(await counted('dropped')).toBe(5_000 - 4_096);
    await tracing.close();
    expect(await counted('dropped')).toBe(5_000);
    expect(log.map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({ msg: 'traces could not be exported', reason: 'queue_full' }),
    ]);
  });

  test.each([
    [{ status: 400 }, 'http_400', 3],
    [{ status: 200, body: '{"partialSuccess":{"rejectedSpans":"2","errorMessage":"no"}}' }, 'rejected', 2],
  ])('that answers %j has refused spans, which are dropped and counted', async (answer, reason, dropped) => {
    const tracing = traceTo();
    receiver.answerWith(answer);
    endSpans(tracing, 3);
    await tracing.close();
    expect([await counted('exported'), await counted('dropped')]).toEqual([3 - dropped, dropped]);
    expect(JSON.parse(log[0] ?? '{}')).toMatchObject({ reason });
    expect(log.join('')).not.toContain('of-the-receiver');
  });

  test('that never answers does not keep the process from ending', async () => {
    const tracing = traceTo();
    receiver.answerWith(undefined);
    endSpans(tracing, 1);
    await tracing.close();
    expect(await counted('dropped')).toBe(1);
  });
});
