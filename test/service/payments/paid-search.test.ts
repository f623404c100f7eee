import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { PaymentRequiredV2Schema } from '@x402/core/schemas';
import { validateDiscoveryExtension } from '@x402/extensions/bazaar';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { endpoints } from '../../../src/contract/endpoints.ts';
import { company } from '../../../src/contract/entities/company.ts';
import { paidSearchResponse, paymentRequired } from '../../../src/contract/x402.ts';
import { createLog } from '../../../src/service/logging.ts';
import { createMetrics } from '../../../src/service/metrics.ts';
import { createTracing } from '../../../src/service/tracing.ts';
import { openStore } from '../../../src/store/open.ts';
import { aCompany, anInvestor, aPerson } from '../../support/builders.ts';
import { emptyDatabase } from '../../support/empty-database.ts';
import { isLong, isSecondEngine } from '../../support/length.ts';
import { startOtlpReceiver } from '../../support/otlp-receiver.ts';
import { type PaidService, startPaidService } from '../../support/paid-service.ts';
import { openRaw } from '../../support/raw.ts';
import { type Sandbox, startSandbox } from '../../support/sandbox.ts';
import { startService } from '../../support/service.ts';
import { ask, codeOf, encoded, signed } from '../../support/signing.ts';

const PRICE = 10_000n;
const PATH = '/api/v1/x402/search';
const metrics = createMetrics();

let sandbox: Sandbox;
let service: PaidService;
beforeAll(async () => {
  sandbox = await startSandbox();
  service = await startPaidService(sandbox, { app: { metrics, metricsAllow: ['127.0.0.0/8'] } });
  const numbered = Array.from({ length: 30 }, (_, number) => `Zeta ${number + 1}`);
  await service.store.records.putAll([
    ...numbered.map((name) => aCompany({ name, tags: ['zeta'] })),
    ...numbered.map((name) => aPerson({ name: `${name} Person` })),
    ...numbered.map((name) => anInvestor({ name: `${name} Fund` })),
  ]);
});
afterAll(async () => {
  await service.close();
  await sandbox.close();
});
afterEach(() => {
  sandbox.facilitator.clearFaults();
  sandbox.rpc.clearFaults();
});

const newPayment = async () => encoded(await signed(sandbox, await sandbox.chain.newWallet(PRICE)));

type Body = { data: Record<'companies' | 'people' | 'investors', { name: string }[]>; meta: Record<string, unknown> };

const errorOf = async (response: Response) => ((await response.json()) as { error: string }).error;

/** A search that is paid by a new wallet. */
async function bought(query: string): Promise<Body> {
  const response = await ask(service.url, await newPayment(), `${PATH}${query}`);
  expect(response.status).toBe(200);
  return (await response.json()) as Body;
}

// What a search answers is not of the engine, in which the journal of the payments is.
describe.skipIf(isSecondEngine)('GET /api/v1/x402/search', () => {
  describe('402', () => {
    test('without a payment says in body and header alike what one needs', async () => {
      const response = await ask(service.url, undefined, `${PATH}?q=acme&type=people`);
      const body = await response.json();
      expect(response.status).toBe(402);
      expect(body).toEqual({
        x402Version: 2,
        error: 'Payment required',
        resource: {
          url: `${service.url}${PATH}?q=acme&type=people&limit=10&page=1`,
          description: expect.any(String),
          mimeType: 'application/json',
        },
        accepts: [
          {
            scheme: 'exact',
            network: 'eip155:84532',
            amount: '10000',
            maxAmountRequired: '10000',
            payTo: sandbox.payTo,
            asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
            maxTimeoutSeconds: 300,
            description: expect.any(String),
            extra: { name: 'USDC', version: '2' },
          },
        ],
      });
      const header = response.headers.get('PAYMENT-REQUIRED') ?? '';
      expect(header).toMatch(/^[A-Za-z0-9+/]+={0,2}$/);
      expect(JSON.parse(Buffer.from(header, 'base64').toString())).toEqual(body);
      expect(paymentRequired.parse(body)).toEqual(body);
      expect(PaymentRequiredV2Schema.safeParse(body).success).toBe(true);
      expect(response.headers.get('cache-control')).toBe('no-store');
    });

    test('names the public address of the service, not the one that was asked', async () => {
      const other = await startPaidService(sandbox, { app: { publicUrl: 'https://bi.example.com/' } });
      const body = (await (await ask(other.url)).json()) as { resource: { url: string } };
      expect(body.resource.url).toBe(`https://bi.example.com${PATH}?q=acme&type=all&limit=10&page=1`);
      await other.close();
    });

    test('of a payment that is refused has the requirements as well', async () => {
      const response = await ask(service.url, 'nonsense');
      const header = Buffer.from(response.headers.get('PAYMENT-REQUIRED') ?? '', 'base64').toString();
      expect([response.status, JSON.parse(header)]).toEqual([402, await response.json()]);
    });

    test('with discovery on says how facilitators can list the search', async () => {
      const listed = await startPaidService(sandbox, { isDiscoverable: true });
      const required = await ask(listed.url);
      const { extensions } = paymentRequired.parse(await required.json());
      const bazaar = extensions?.['bazaar'] as Parameters<typeof validateDiscoveryExtension>[0];
      expect(validateDiscoveryExtension(bazaar)).toEqual({ valid: true });
      // With all that a server adds, it has to fit into what clients read of headers.
      expect(required.headers.get('PAYMENT-REQUIRED')?.length).toBeLessThan(6_000);
      expect((await ask(listed.url, await newPayment())).status).toBe(200);
      await listed.close();
    });

    test('to HEAD, also with a payment, which is not taken', async () => {
      const wallet = await sandbox.chain.newWallet(PRICE);
      const response = await ask(service.url, encoded(await signed(sandbox, wallet)), PATH, { method: 'HEAD' });
      expect([response.status, await response.text(), await sandbox.chain.balanceOf(wallet.address)]).toEqual([
        402,
        '',
        PRICE,
      ]);
    });
  });

  describe('400', () => {
    test.each([
      '?type=events',
      '?type=bogus',
      '?limit=51',
      '?limit=0',
      '?limit=ten',
      '?page=0',
      `?q=${'x'.repeat(201)}`,
      '?page=10000&limit=50',
      '?q=%ff',
      '?q=zeta&country=Germany',
      '?q=zeta&fields=name',
      '?q=zeta&query=other',
      '?q=zeta&page=10',
      '?q=zeta&type=people&limit=30&page=2',
      '?q=nothinglikethis&page=2',
    ])('for %s before a payment is asked for, and with one, which is not taken', async (query) => {
      const wallet = await sandbox.chain.newWallet(PRICE);
      const header = encoded(await signed(sandbox, wallet));
      const responses = [await ask(service.url, undefined, PATH + query), await ask(service.url, header, PATH + query)];
      for (const response of responses)
        expect([response.status, await response.json()]).toMatchObject([400, { success: false }]);
      expect(await sandbox.chain.balanceOf(wallet.address)).toBe(PRICE);
    });

    test('names the parameters that there are, and how many pages', async () => {
      const unknown = await errorOf(await ask(service.url, undefined, `${PATH}?country=Germany`));
      expect(unknown).toBe('country: not known here; known are q, type, limit, page');
      const past = await ask(service.url, undefined, `${PATH}?q=zeta&limit=20&page=6`);
      expect(await past.json()).toMatchObject({
        code: 'invalid_parameter',
        error: 'page is past the end; pages of this limit: 5',
        errors: [{ location: 'query.page', message: 'page must be at most 5' }],
      });
    });

    test('for a page past the end also when the payment for it is refused', async () => {
      expect((await ask(service.url, 'nonsense', `${PATH}?q=zeta&page=10`)).status).toBe(400);
    });
  });

  describe('200', () => {
    test("has the specification's records, arrays and meta, and a receipt of four fields", async () => {
      const wallet = await sandbox.chain.newWallet(PRICE);
      const response = await ask(service.url, encoded(await signed(sandbox, wallet)), `${PATH}?q=acme&type=companies`);
      const body = (await response.json()) as Body;
      const [transfer] = (await sandbox.chain.transfersTo(sandbox.payTo)).filter(({ from }) => from === wallet.address);
      expect(body).toEqual({
        data: {
          companies: [expect.objectContaining({ name: 'Acme', employee_count: 12, founded_date: '2020-02-03' })],
          people: [],
          investors: [],
        },
        meta: {
          query: 'acme',
          type: 'companies',
          page: 1,
          limit: 10,
          total: 1,
          payer: wallet.address,
          transaction: transfer?.transaction,
          network: 'eip155:84532',
          price_paid: '10000',
          price_paid_usd: '0.01',
        },
      });
      expect(Object.keys(body.data.companies[0] ?? {})).toEqual(Object.keys(company.paid?.schema.shape ?? {}));
      const receipt = Buffer.from(response.headers.get('PAYMENT-RESPONSE') ?? '', 'base64').toString();
      const { payer, transaction, network } = body.meta;
      expect(JSON.parse(receipt)).toEqual({ success: true, transaction, network, payer });
      expect(response.headers.get('cache-control')).toBe('private, no-store');
      expect(paidSearchResponse.parse(body)).toEqual(body);
    });

    test.each([
      [30, [10, 10, 10]],
      [10, [4, 3, 3]],
      [2, [1, 1, 0]],
    ])('type=all divides a limit of %i evenly', async (limit, lengths) => {
      const { data, meta } = await bought(`?q=zeta&limit=${limit}`);
      expect([data.companies.length, data.people.length, data.investors.length]).toEqual(lengths);
      expect(meta).toMatchObject({ type: 'all', limit, total: 90 });
    });

    test('names the fields that only the editors of the data set state, where the shape is ours', async () => {
      const sources = [
        { source: 'web3-bi editors@0.1.0:people.ndjson', as_of: '2025', fields: ['name', 'roles', 'tags'] },
      ];
      await service.store.records.putAll([
        aPerson({ name: 'Omicron Person', roles: [{ organization: 'Omicron', title: 'CEO' }], sources }),
        aCompany({
          name: 'Omicron',
          sources: [{ ...sources[0], source: 'web3-bi editors@0.1.0:a', fields: ['tags'] }],
        }),
      ]);
      const { data } = await bought('?q=omicron');
      expect(data.people).toMatchObject([{ unsourced_fields: ['name', 'roles'] }]);
      expect(data.companies[0]).not.toHaveProperty('unsourced_fields');
    });

    test('a limit that is smaller than the number of types goes to the best matches of all types', async () => {
      await service.store.records.putAll([
        aCompany({ name: 'Hydra Labs', founders: ['Hayden Hydra'] }),
        aPerson({ name: 'Hayden Hydra' }),
        aPerson({ name: 'Hayden Hydra Junior' }),
      ]);
      const { data, meta } = await bought('?q=hayden+hydra&limit=1');
      expect([data, meta]).toMatchObject([
        { companies: [], people: [{ name: 'Hayden Hydra' }], investors: [] },
        { limit: 1, total: 3 },
      ]);
    });

    test('what a type cannot fill goes to the others, and the pages of all types have every match once', async () => {
      await service.store.records.putAll([
        ...Array.from({ length: 9 }, (_, number) => aPerson({ name: `Kappa Person ${number + 1}` })),
        ...Array.from({ length: 4 }, (_, number) => anInvestor({ name: `Kappa Fund ${number + 1}` })),
        aCompany({ name: 'Kappa' }),
      ]);
      const pages = [];
      for (const page of [1, 2, 3]) pages.push((await bought(`?q=kappa&limit=6&page=${page}`)).data);
      const lengths = pages.map(({ companies, people, investors }) =>
        [companies, people, investors].map((all) => all.length),
      );
      expect(lengths[0]?.[0]).toBe(1);
      expect(lengths.map(([companies = 0, people = 0, investors = 0]) => companies + people + investors)).toEqual([
        6, 6, 2,
      ]);
      for (const each of lengths.slice(0, 1)) expect(each.slice(1).every((length) => length >= 2)).toBe(true);
      const names = pages.flatMap((data) => Object.values(data).flatMap((all) => all.map(({ name }) => name)));
      expect([names.length, new Set(names).size]).toEqual([14, 14]);
    });

    test('pages are disjoint', async () => {
      const pages = [await bought('?q=zeta&type=people&limit=20'), await bought('?q=zeta&type=people&limit=20&page=2')];
      const names = pages.flatMap(({ data }) => data.people.map(({ name }) => name));
      expect([names.length, new Set(names).size]).toEqual([30, 30]);
    });

    test('takes the text under the name of the keyed search as well', async () => {
      const { data, meta } = await bought('?query=acme&type=people');
      expect([data.people.length, meta['query']]).toEqual([1, 'acme']);
      expect((await ask(service.url, undefined, `${PATH}?query=acme&q=acme`)).status).toBe(402);
    });

    test('a record that was deleted is not sold', async () => {
      await service.store.records.putAll([aCompany({ name: 'Gone Ltd', slug: 'gone-ltd' })]);
      expect((await bought('?q=gone&type=companies')).data.companies.length).toBe(1);
      const author = { account: 'operator', keyId: null, requestId: null, address: null };
      await service.store.records.change({ action: 'delete', type: 'companies', target: 'gone-ltd', author });
      expect((await bought('?q=gone&type=companies')).data.companies).toEqual([]);
    });
  });

  test('takes over the trace of a request into its log line, and passes it on to the facilitator', async () => {
    const wallet = await sandbox.chain.newWallet(PRICE);
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    const asked: string[] = [];
    const see = (message: unknown): void => {
      const { origin, headers } = (message as { request: { origin: string; headers: readonly string[] } }).request;
      if (origin === sandbox.facilitatorUrl) asked.push(headers[headers.indexOf('traceparent') + 1] ?? '');
    };
    subscribe('undici:request:create', see);
    const headers = {
      'PAYMENT-SIGNATURE': encoded(await signed(sandbox, wallet)),
      traceparent: `00-${traceId}-00f067aa0ba902b7-01`,
    };
    const since = service.log.length;
    expect((await fetch(service.url + PATH, { headers })).status).toBe(200);
    unsubscribe('undici:request:create', see);
    const own = () =>
      service.log
        .slice(since)
        .map((line) => JSON.parse(line) as { trace_id?: string; span_id?: string })
        .find(({ trace_id }) => trace_id === traceId);
    await expect.poll(own).toBeDefined();
    expect(asked).toEqual([1, 2].map(() => `00-${traceId}-${own()?.span_id}-01`));
    // What is no trace is passed over.
    const broken = await fetch(`${service.url}/livez`, {
      headers: { traceparent: `00-${'0'.repeat(32)}-00f067aa0ba902b7-01` },
    });
    expect(broken.status).toBe(200);
    expect(service.log.slice(since).join('')).not.toContain('0'.repeat(32));
  });

  test('a call of the facilitator has a span below that of the request, from which its trace goes on', async () => {
    const receiver = await startOtlpReceiver();
    const tracing = createTracing({
      url: receiver.url,
      headers: {},
      timeoutMs: 10_000,
      resource: {},
      version: '0',
      sampler: { followsParent: true, ratio: 1 },
      log: createLog({ write: () => {} }, 'silent'),
    });
    const traced = await startPaidService(sandbox, { app: { tracing } });
    const wallet = await sandbox.chain.newWallet(PRICE);
    const asked: string[] = [];
    const see = (message: unknown): void => {
      const { origin, headers } = (message as { request: { origin: string; headers: readonly string[] } }).request;
      if (origin === sandbox.facilitatorUrl) asked.push(headers[headers.indexOf('traceparent') + 1] ?? '');
    };
    subscribe('undici:request:create', see);
    const payment = encoded(await signed(sandbox, wallet));
    expect((await ask(traced.url, payment)).status).toBe(200);
    unsubscribe('undici:request:create', see);
    await traced.close();
    await tracing.close();
    const spans = receiver.spans();
    await receiver.close();
    const [request] = spans.filter(({ kind }) => kind === 2);
    const calls = spans.filter(({ kind }) => kind === 3);
    expect(calls.map(({ name, parentSpanId }) => [name, parentSpanId])).toEqual([
      ['facilitator.verify', request?.spanId],
      ['facilitator.settle', request?.spanId],
    ]);
    expect(asked).toEqual(calls.map(({ traceId, spanId }) => `00-${traceId}-${spanId}-01`));
    const told = receiver.bodies.join('').toLowerCase();
    expect(told).toContain('get /api/v1/x402/search');
    for (const secret of [payment, wallet.address, sandbox.payTo]) expect(told).not.toContain(secret.toLowerCase());
  });

  describe('500', () => {
    test('of a search that fails is bare, nothing is charged, and the same header is served later', async () => {
      const wallet = await sandbox.chain.newWallet(PRICE);
      const header = encoded(await signed(sandbox, wallet));
      service.beforeSearch(() => Promise.reject(new Error('the index is gone')));
      expect((await ask(service.url, undefined, `${PATH}?q=zeta&page=2`)).status).toBe(402);
      expect((await ask(service.url, 'nonsense', `${PATH}?q=zeta&page=2`)).status).toBe(402);
      const failed = await ask(service.url, header);
      expect([failed.status, await failed.json()]).toEqual([500, { error: 'External search service error' }]);
      expect(await sandbox.chain.balanceOf(wallet.address)).toBe(PRICE);
      service.beforeSearch(async () => undefined);
      expect((await ask(service.url, header)).status).toBe(200);
      expect(await sandbox.chain.balanceOf(wallet.address)).toBe(0n);
    });
  });

  describe('429', () => {
    const REFUSED_MAX = 100;

    test('after many refused payments of one address, which a payer who has paid does not notice', async () => {
      const limited = await startPaidService(sandbox, { store: service.store, burstPerSecond: 20 });
      const wallet = await sandbox.chain.newWallet(3n * PRICE);
      const header = encoded(await signed(sandbox, wallet));
      // Paid, and the answer is lost with the facilitator's.
      sandbox.facilitator.failNext('settle', { at: 'after', answer: 'reset' });
      sandbox.rpc.failAlways('rpc', { at: 'before', answer: 'reset' });
      expect((await ask(limited.url, header)).status).toBe(503);
      sandbox.rpc.clearFaults();
      const refusals = Array.from({ length: REFUSED_MAX }, () => ask(limited.url, 'nonsense'));
      expect(new Set((await Promise.all(refusals)).map(({ status }) => status))).toEqual(new Set([402]));
      const calls = sandbox.facilitator.calls('verify');
      const fresh = encoded(await signed(sandbox, wallet));
      const refused = await ask(limited.url, fresh);
      expect([refused.status, await refused.json()]).toMatchObject([429, { code: 'burst_limit_exceeded' }]);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(sandbox.facilitator.calls('verify')).toBe(calls);
      expect((await ask(limited.url, 'nonsense')).status).toBe(429);
      expect((await ask(limited.url)).status).toBe(402);
      expect([(await ask(limited.url, header)).status, await sandbox.chain.balanceOf(wallet.address)]).toEqual([
        200,
        2n * PRICE,
      ]);
      // What was held up is good still.
      expect((await ask(service.url, fresh)).status).toBe(200);
      await limited.close();
    });
  });

  describe('429', () => {
    test('after many later pages that were looked up without a payment, and not after first pages', async () => {
      const limited = await startPaidService(sandbox, { store: service.store, burstPerSecond: 20 });
      const statuses = async (query: string, times: number): Promise<Set<number>> => {
        const asked = Array.from({ length: times }, () => ask(limited.url, undefined, PATH + query));
        return new Set((await Promise.all(asked)).map(({ status }) => status));
      };
      expect(await statuses('?q=zeta', 110)).toEqual(new Set([402]));
      expect(limited.searches()).toBe(0);
      expect(await statuses('?q=zeta&page=2', 100)).toEqual(new Set([402]));
      expect(await statuses('?q=zeta&page=2', 10)).toEqual(new Set([429]));
      expect(limited.searches()).toBe(100);
      expect(await statuses('?q=zeta', 1)).toEqual(new Set([402]));
      await limited.close();
    });
  });

  describe('503', () => {
    test('says what to do, and when', async () => {
      sandbox.facilitator.failAlways('verify', { at: 'before', answer: 'reset' });
      const response = await ask(service.url, await newPayment());
      expect([response.status, await response.json()]).toMatchObject([
        503,
        { success: false, code: 'facilitator_unreachable', error: expect.stringContaining('same PAYMENT-SIGNATURE') },
      ]);
      expect([response.headers.get('retry-after'), response.headers.get('cache-control')]).toEqual(['5', 'no-store']);
      expect(response.headers.get('PAYMENT-REQUIRED')).toBeNull();
    });
  });

  test('405 for a method that it has not, and 404 beside it, both without a key', async () => {
    expect((await fetch(service.url + PATH, { method: 'POST' })).status).toBe(405);
    expect((await fetch(`${service.url}/api/v1/x402/else`)).status).toBe(404);
  });

  test('404 on a service that takes no payments, and nothing of it in its description', async () => {
    const free = await startService();
    const response = await fetch(free.url + PATH);
    expect([response.status, await response.json()]).toMatchObject([
      404,
      { error: expect.stringContaining('/api/v1/search') },
    ]);
    const { paths } = (await (await fetch(`${free.url}/api/v1/openapi.json`)).json()) as { paths: object };
    expect(Object.keys(paths)).not.toContain(PATH);
    await free.close();
  });

  test('is described with its answers and headers where it is sold', async () => {
    const { paths } = (await (await fetch(`${service.url}/api/v1/openapi.json`)).json()) as { paths: any };
    const { security, responses, parameters } = paths[PATH].get;
    expect(Object.keys(paths).length).toBe(new Set(endpoints.map(({ path }) => path)).size);
    expect(security).toEqual([]);
    expect(Object.keys(responses)).toEqual([
      '200',
      '400',
      '402',
      '406',
      '408',
      '409',
      '414',
      '429',
      '431',
      '500',
      '503',
    ]);
    expect([responses[402].headers, responses[200].headers]).toMatchObject([
      { 'PAYMENT-REQUIRED': {} },
      { 'PAYMENT-RESPONSE': {} },
    ]);
    expect(parameters.map(({ name }: { name: string }) => name)).toEqual([
      'q',
      'type',
      'limit',
      'page',
      'query',
      'PAYMENT-SIGNATURE',
      'X-At-Least',
      'SIGN-IN-WITH-X',
    ]);
  });
});

describe.skipIf(isSecondEngine)('a page of another host', () => {
  const EVIL = 'https://app.example';

  test('may send a payment, and read the headers of 402 and 200', async () => {
    const preflight = await fetch(service.url + PATH, {
      method: 'OPTIONS',
      headers: {
        Origin: EVIL,
        'Access-Control-Request-Method': 'GET',
        'Access-Control-Request-Headers': 'payment-signature',
      },
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-headers')]).toEqual([
      204,
      expect.stringContaining('PAYMENT-SIGNATURE'),
    ]);
    for (const payment of [undefined, await newPayment()]) {
      const headers = { Origin: EVIL, ...(payment && { 'PAYMENT-SIGNATURE': payment }) };
      const response = await fetch(service.url + PATH, { headers });
      expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([
        payment ? 200 : 402,
        '*',
      ]);
      expect(response.headers.get('access-control-expose-headers')).toMatch(/PAYMENT-REQUIRED,PAYMENT-RESPONSE/);
    }
  });
});

describe('a paid answer', () => {
  test('that was lost on its way is served to the same header again, and not charged twice', async () => {
    const wallet = await sandbox.chain.newWallet(3n * PRICE);
    const header = encoded(await signed(sandbox, wallet));
    const { socket } = openRaw(service.url);
    // The client disconnects after settlement and before the service learns of it.
    const until = async (): Promise<void> => {
      socket.destroy();
      await new Promise((resolve) => socket.once('close', resolve));
    };
    sandbox.facilitator.failNext('settle', { at: 'after', answer: { until } });
    socket.write(`GET ${PATH}?q=acme HTTP/1.1\r\nHost: x\r\nPAYMENT-SIGNATURE: ${header}\r\n\r\n`);
    // Of this payer alone: deliveries of earlier tests may not be noted yet.
    const payer = wallet.address.toLowerCase();
    const undelivered = () => service.store.payments.list({ isUndelivered: true, payer, limit: 9 });
    await expect.poll(async () => (await undelivered()).length).toBe(1);
    await expect.poll(() => service.store.payments.totals({})).toMatchObject([{ undelivered: 1 }]);
    const other = await ask(service.url, header, `${PATH}?q=other`);
    expect([other.status, await errorOf(other)]).toEqual([
      402,
      'The authorization was used before: sign a new one (invalid_exact_evm_nonce_already_used)',
    ]);
    const again = await ask(service.url, header, `${PATH}?type=all&q=acme`);
    expect([again.status, ((await again.json()) as Body).data.companies.length]).toEqual([200, 1]);
    expect((await ask(service.url, header)).status).toBe(402);
    expect(await sandbox.chain.balanceOf(wallet.address)).toBe(2n * PRICE);
    await expect.poll(undelivered).toEqual([]);
  });

  test('is served to the same header although its page has gone meanwhile', async () => {
    await service.store.records.putAll(
      ['one', 'two'].map((name) => aCompany({ name: `Vanishing ${name}`, slug: `vanishing-${name}` })),
    );
    const wallet = await sandbox.chain.newWallet(PRICE);
    const header = encoded(await signed(sandbox, wallet));
    const page = `${PATH}?q=vanishing&limit=1&page=2`;
    sandbox.facilitator.failNext('settle', { at: 'after', answer: 'reset' });
    sandbox.rpc.failAlways('rpc', { at: 'before', answer: 'reset' });
    expect((await ask(service.url, header, page)).status).toBe(503);
    sandbox.rpc.clearFaults();
    const author = { account: 'operator', keyId: null, requestId: null, address: null };
    await service.store.records.change({ action: 'delete', type: 'companies', target: 'vanishing-two', author });
    expect((await ask(service.url, undefined, page)).status).toBe(400);
    const answer = await ask(service.url, header, page);
    expect([answer.status, ((await answer.json()) as Body).data.companies.length]).toEqual([200, 1]);
  });

  test('is not for who saw the authorization on the chain and has not the header', async () => {
    const wallet = await sandbox.chain.newWallet(3n * PRICE);
    const payment = await signed(sandbox, wallet);
    sandbox.facilitator.failNext('settle', { at: 'after', answer: 'reset' });
    sandbox.rpc.failAlways('rpc', { at: 'before', answer: 'reset' });
    expect((await ask(service.url, encoded(payment))).status).toBe(503);
    sandbox.rpc.clearFaults();
    const forged = { ...payment, payload: { ...payment.payload, signature: `0x${'11'.repeat(65)}` } };
    const refused = await ask(service.url, encoded(forged));
    expect([refused.status, codeOf(await errorOf(refused))]).toEqual([402, 'invalid_exact_evm_signature']);
    expect((await ask(service.url, encoded(payment))).status).toBe(200);
  });

  test('can be fetched again by a client that named its payment, and by none that named it otherwise', async () => {
    const wallet = await sandbox.chain.newWallet(3n * PRICE);
    const named = async (id: string) => {
      const extensions = { 'payment-identifier': { info: { required: false, id } } };
      return { ...(await signed(sandbox, wallet)), extensions };
    };
    const payment = await named('order-0000000000001');
    const answers = [];
    for (let time = 0; time < 3; time += 1) answers.push(await ask(service.url, encoded(payment)));
    const bodies = await Promise.all(answers.map((response) => response.text()));
    expect([answers.map(({ status }) => status), new Set(bodies).size]).toEqual([[200, 200, 200], 1]);
    const otherId = { ...payment, extensions: { 'payment-identifier': { info: { id: 'order-0000000000002' } } } };
    expect((await ask(service.url, encoded(otherId))).status).toBe(402);
    const signedAgain = await ask(service.url, encoded(await named('order-0000000000001')));
    expect([signedAgain.status, await signedAgain.json()]).toMatchObject([409, { code: 'payment_conflict' }]);
    expect(await sandbox.chain.balanceOf(wallet.address)).toBe(2n * PRICE);
  });

  test('is one for one authorization, in whatever letters it is written', async () => {
    const wallet = await sandbox.chain.newWallet(3n * PRICE);
    const payment = await signed(sandbox, wallet);
    const { authorization } = payment.payload;
    const shouted = {
      ...payment,
      payload: {
        signature: payment.payload.signature.replace(/[a-f]/g, (letter) => letter.toUpperCase()),
        authorization: {
          ...authorization,
          from: authorization.from.toLowerCase(),
          nonce: `0x${authorization.nonce.slice(2).toUpperCase()}`,
          value: '0010000',
        },
      },
    };
    const responses = await Promise.all([payment, shouted].map((each) => ask(service.url, encoded(each))));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 402]);
    expect(await sandbox.chain.balanceOf(wallet.address)).toBe(2n * PRICE);
  });
});

describe.skipIf(isSecondEngine)('a paid and a keyed search', () => {
  const words = [
    'zebrax',
    'zebray',
    'zebra',
    'zebar',
    'zeb',
    'lending',
    'lendign',
    'arbitrum',
    'arb',
    'maria',
    'of',
    'labs',
    '',
  ];
  const text = fc.oneof(
    fc.array(fc.constantFrom(...words), { maxLength: 4 }).map((some) => some.join(' ')),
    fc.string({ maxLength: 12 }).filter((some) => !some.includes('\0')),
  );

  test('of the same text and types have the same records and totals', async () => {
    const records = await startPaidService(sandbox, { store: await openStore(await emptyDatabase()) });
    await records.store.records.putAll([
      aPerson({ name: 'Zebrax' }),
      aCompany({ name: 'Zebray', tagline: 'Lending on Arbitrum' }),
      aCompany({ name: 'Zebra Labs', tags: ['Lending'] }),
      aPerson({ name: 'Maria Labs', headline: 'Founder of Zebra Labs' }),
      anInvestor({ name: 'Arbitrum Fund', tagline: 'Lending and labs' }),
      anInvestor({ name: 'Mario Ventures' }),
    ]);
    await records.store.accounts.create('keyed', 'enterprise');
    const { secret } = await records.store.keys.create({
      account: 'keyed',
      name: 'k',
      level: 'read',
      expires_at: null,
    });
    const headers = { Authorization: `Bearer ${secret}` };
    const buyer = await sandbox.chain.newWallet(PRICE * 200n);
    const same = async (given: { text: string; type: string }): Promise<void> => {
      const [asked, paidFor] = ['query', 'q'].map(
        (name) => new URLSearchParams({ [name]: given.text, type: given.type }),
      );
      const keyed = ((await (await fetch(`${records.url}/api/v1/search?${asked}&limit=50`, { headers })).json()) as any)
        .data;
      const header = encoded(await signed(sandbox, buyer));
      const paid = (await (await ask(records.url, header, `${PATH}?${paidFor}&limit=50`)).json()) as Body;
      const byType = (type: string) => keyed.results.filter((each: any) => each.type === type).map(({ id }: any) => id);
      const found = Object.fromEntries(Object.keys(paid.data).map((type) => [type, byType(type)]));
      const bought = Object.entries(paid.data).map(([type, all]) => [type, all.map((each) => (each as any).id)]);
      expect([Object.fromEntries(bought), paid.meta['total']]).toEqual([found, keyed.totalResults]);
    };
    await same({ text: 'zebrax', type: 'all' });
    const given = fc.record({ text, type: fc.constantFrom('all', 'companies', 'people', 'investors') });
    await fc.assert(fc.asyncProperty(given, same), { numRuns: isLong ? 40 : 12 });
    await records.close();
    await records.store.close();
  });
});

describe('what is kept and told of payments', () => {
  test('has no signature in it, neither in the log nor in the journal', async () => {
    const payment = await signed(sandbox, await sandbox.chain.newWallet(PRICE));
    const leaking = { status: 500, body: { error: `bad signature ${payment.payload.signature}` } };
    for (const call of ['verify', 'settle'] as const) {
      sandbox.facilitator.failNext(call, { at: 'before', answer: leaking });
      expect((await ask(service.url, encoded(payment))).status).toBe(503);
    }
    expect((await ask(service.url, encoded(payment))).status).toBe(200);
    const told = service.log.join('') + JSON.stringify(await service.store.payments.list({ limit: 100 }));
    expect(told).toContain(payment.payload.authorization.nonce);
    expect(told).not.toContain(payment.payload.signature.slice(2, 40));
    expect(told).not.toContain(encoded(payment).slice(0, 100));
  });

  test('counts what was refused, settled and delivered', async () => {
    const text = await (await fetch(`${service.url}/metrics`)).text();
    for (const event of ['refused', 'settled', 'delivered', 'undelivered'])
      expect(text).toMatch(new RegExp(`web3_bi_payments_total\\{event="${event}"\\} [1-9]`));
    expect(text).toContain('route="/api/v1/x402/search",status="402"');
  });
});
