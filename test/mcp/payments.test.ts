import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FundedWallet } from '../../src/sandbox/chain.ts';
import { aCompany, anInvestor } from '../support/builders.ts';
import { clients, LEGACY, MODERN } from '../support/mcp-clients.ts';
import { loopbackEndpoint } from '../support/mcp-endpoint.ts';
import { closedPort, type PaidService, startPaidService } from '../support/paid-service.ts';
import { callPaid } from '../support/payment-doors.ts';
import { openRaw } from '../support/raw.ts';
import { type Sandbox, startSandbox } from '../support/sandbox.ts';
import { startService } from '../support/service.ts';
import { type SignedPayment, signed } from '../support/signing.ts';

const PRICE = 10_000n;
const TOKENS_MAX = 2_100;
const TOKEN_CHARACTERS = 4;
const BINDINGS = [
  { binding: 'a tool’s result', options: { version: LEGACY } },
  { binding: 'a tool’s result in the newest revision', options: { version: MODERN } },
  { binding: 'the extension', options: { version: MODERN, hasExtension: true } },
] as const;

let sandbox: Sandbox;
let service: PaidService;
beforeAll(async () => {
  sandbox = await startSandbox();
  service = await startPaidService(sandbox);
});
afterAll(async () => {
  await service.close();
  await sandbox.close();
});

const newWallet = (): Promise<FundedWallet> => sandbox.chain.newWallet(3n * PRICE);
const paidBy = async ({ address }: FundedWallet): Promise<bigint> =>
  (3n * PRICE - (await sandbox.chain.balanceOf(address))) / PRICE;
/** Named by its client, so that its answer can be fetched again. */
const named = async (wallet: FundedWallet): Promise<SignedPayment> => ({
  ...(await signed(sandbox, wallet)),
  extensions: { 'payment-identifier': { info: { id: `pay_${wallet.address}` } } },
});
const isModern = { version: MODERN } as const;

describe.each(BINDINGS)('a call without a payment, by $binding', ({ options }) => {
  test('is told what a payment needs, where that binding has it', async () => {
    const { result } = await callPaid(service.url, {}, options);
    const offer = { scheme: 'exact', network: sandbox.network, amount: '10000', payTo: sandbox.payTo };
    const required = {
      x402Version: 2,
      error: 'Payment required',
      resource: { url: 'mcp://tool/search', mimeType: 'application/json' },
      accepts: [offer],
    };
    if ('hasExtension' in options) {
      expect(result).toMatchObject({ resultType: 'payment_required', paymentRequired: required });
      expect(Object.keys(result).sort()).toEqual(['_meta', 'paymentRequired', 'resultType']);
      return;
    }
    expect(result).toMatchObject({ isError: true, structuredContent: required });
    expect(JSON.parse(result.content[0].text)).toEqual(result.structuredContent);
    expect(result.resultType).toBe(options.version === MODERN ? 'complete' : undefined);
  });

  test('is served with one, and has its receipt', async () => {
    const wallet = await newWallet();
    const { result } = await callPaid(service.url, { payment: await signed(sandbox, wallet) }, options);
    const [transfer] = (await sandbox.chain.transfersTo(sandbox.payTo)).slice(-1);
    const { network } = sandbox;
    const transaction = transfer?.transaction;
    expect(result._meta['x402/payment-response']).toEqual({
      success: true,
      transaction,
      network,
      payer: wallet.address,
    });
    expect(result.structuredContent).toMatchObject({ totalResults: 3, receipt: { transaction, payTo: sandbox.payTo } });
    expect(result.isError ?? false).toBe(false);
    expect(await paidBy(wallet)).toBe(1n);
  });
});

test('a payment that is none is refused in the words of MCP', async () => {
  const { result } = await callPaid(service.url, { payment: 'x' }, isModern);
  expect(result.structuredContent.error).toMatch(/^The value of _meta\["x402\/payment"\] is not a payment/);
});

describe('each tool that is sold', () => {
  const calls = [
    { name: 'search', args: { query: 'acme', type: 'companies' }, seen: { totalResults: 1 } },
    { name: 'get_entity', args: { type: 'companies', id: 'acme' }, seen: { entities: [{ status: 'exact' }] } },
    { name: 'get_entity', args: { id: 'Acme Ada' }, seen: { entities: [{ status: 'exact' }] } },
    { name: 'get_entity', args: { id: 'nobody-at-all' }, seen: { entities: [{ status: 'none' }] } },
    { name: 'get_entity', args: { type: 'companies', id: 'nobody-at-all' }, seen: { entities: [{ status: 'none' }] } },
    { name: 'aggregate', args: { of: 'companies', group_by: ['tag'] }, seen: { columns: ['tag', 'count'] } },
    { name: 'connect', args: { from: 'companies/acme', to: 'people/acme-ada' }, seen: { complete: true } },
  ];

  test.each(calls)('$name $args: asked for, and once paid', async ({ name, args, seen }) => {
    const wallet = await newWallet();
    const asked = await callPaid(service.url, { name, args }, isModern);
    expect(asked.result.structuredContent).toMatchObject({ resource: { url: `mcp://tool/${name}` } });
    const paid = await callPaid(service.url, { name, args, payment: await signed(sandbox, wallet) }, isModern);
    expect(paid.result.structuredContent).toMatchObject(seen);
    expect(await paidBy(wallet)).toBe(1n);
  });

  test.each([
    ['search', { query: 'acme', type: 'events' }, 'not_sold'],
    ['search', { query: 'acme', page: 0 }, 'invalid_parameter'],
    ['search', { query: 'acme', country: 'France' }, 'not_sold'],
    ['get_entity', { items: [{ id: 'acme' }, { id: 'acme-ada' }] }, 'not_sold'],
    ['get_entity', { type: 'companies', id: 7 }, 'not_sold'],
    ['connect', { from: 'companies/acme' }, 'missing_parameter'],
  ])('%s %s is refused as %s before a payment is asked for or taken', async (name, args, code) => {
    const wallet = await newWallet();
    for (const payment of [undefined, await signed(sandbox, wallet)]) {
      const { result } = await callPaid(service.url, { name, args, payment }, isModern);
      expect(result).toMatchObject({ isError: true, _meta: { 'web3-bi/error': { code } } });
      expect(result.content[0].text).toContain('Nothing was charged.');
    }
    expect(await paidBy(wallet)).toBe(0n);
  });
});

describe('an answer that was paid', () => {
  test('is given again, and not charged again, to who named the payment', async () => {
    const wallet = await newWallet();
    const payment = await named(wallet);
    const first = await callPaid(service.url, { payment }, { version: LEGACY });
    const second = await callPaid(service.url, { payment }, isModern);
    expect(second.result.structuredContent.results).toEqual(first.result.structuredContent.results);
    expect(second.result._meta['x402/payment-response']).toEqual(first.result._meta['x402/payment-response']);
    expect(await paidBy(wallet)).toBe(1n);
  });

  test('is not handed out for other arguments', async () => {
    const wallet = await newWallet();
    const payment = await named(wallet);
    await callPaid(service.url, { payment }, isModern);
    const { result } = await callPaid(service.url, { args: { query: 'ada' }, payment }, isModern);
    expect(result.structuredContent.error).toContain('nonce_already_used');
    expect(await paidBy(wallet)).toBe(1n);
  });

  test('is the same purchase over REST', async () => {
    const wallet = await newWallet();
    const payment = await named(wallet);
    await callPaid(service.url, { payment }, isModern);
    const header = Buffer.from(JSON.stringify(payment)).toString('base64');
    const headers = { 'PAYMENT-SIGNATURE': header };
    const response = await fetch(`${service.url}/api/v1/x402/search?q=acme`, { headers });
    expect([response.status, await paidBy(wallet)]).toEqual([200, 1n]);
  });

  test('waits for a client that went away before it came', async () => {
    const wallet = await newWallet();
    const payment = await signed(sandbox, wallet);
    const { socket } = openRaw(service.url);
    // The client disconnects after settlement and before the service learns of it.
    const until = async (): Promise<void> => {
      socket.destroy();
      await new Promise((resolve) => socket.once('close', resolve));
    };
    sandbox.facilitator.failNext('settle', { at: 'after', answer: { until } });
    const params = { name: 'search', arguments: { query: 'acme' }, _meta: { 'x402/payment': payment } };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    const types = 'Content-Type: application/json\r\nAccept: application/json, text/event-stream';
    socket.write(`POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n${types}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    // Of this payer alone: deliveries of earlier tests may not be noted yet.
    const payer = wallet.address.toLowerCase();
    const undelivered = () => service.store.payments.list({ isUndelivered: true, payer, limit: 9 });
    await expect.poll(async () => (await undelivered()).length).toBe(1);
    const { result } = await callPaid(service.url, { payment }, isModern);
    expect([result.structuredContent.totalResults, await paidBy(wallet)]).toEqual([3, 1n]);
    await expect.poll(undelivered).toEqual([]);
  });

  test('whose outcome is open is not said to be free, and the same payment brings it', async () => {
    const wallet = await newWallet();
    const payment = await signed(sandbox, wallet);
    sandbox.facilitator.failAlways('settle', { at: 'before', answer: 'reset' });
    const { result } = await callPaid(service.url, { payment }, { ...isModern, hasExtension: true });
    sandbox.facilitator.clearFaults();
    expect(result._meta['web3-bi/error'].code).toBe('payment_pending');
    expect(result.content[0].text).toContain('At most 0.01 USD were charged, once.');
    expect(result.content[0].text).toContain('same _meta["x402/payment"]');
    expect(result.content[0].text).not.toMatch(/Nothing was charged|PAYMENT-SIGNATURE/);
    const again = await callPaid(service.url, { payment }, isModern);
    expect([again.result.structuredContent.totalResults, await paidBy(wallet)]).toEqual([3, 1n]);
  });
});

test('a payment is not used by calls that fail, and buys one of several answers at once', async () => {
  const wallet = await newWallet();
  const payment = await signed(sandbox, wallet);
  const failing = [
    { args: { query: 'acme', page: 'x' } },
    { args: { query: 'acme', page: 999 } },
    { args: { query: 'acme', country: 'DE' } },
    { name: 'get_entity', args: { items: [{ id: 'acme' }, { id: 'ada' }] } },
    { name: 'aggregate', args: { of: 'rounds', group_by: ['nonsense'] } },
    { name: 'connect', args: { from: 'companies/none', to: 'companies/nobody' } },
    { name: 'health', args: {} },
    { name: 'unknown', args: {} },
  ];
  for (const call of failing) {
    const { result, error } = await callPaid(service.url, { ...call, payment }, isModern);
    expect(result?._meta?.['x402/payment-response'] ?? error?.data).toBeUndefined();
  }
  // Notifications have no response, and batches are refused.
  const message = {
    jsonrpc: '2.0',
    method: 'tools/call',
    params: { name: 'search', arguments: { query: 'acme' }, _meta: { 'x402/payment': payment } },
  };
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
  for (const [body, status] of [
    [message, 202],
    [[{ ...message, id: 1 }], 400],
  ]) {
    const response = await fetch(`${service.url}/mcp`, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(response.status).toBe(status);
  }
  expect(await paidBy(wallet)).toBe(0n);
  const goods = [
    { args: { query: 'acme' } },
    { args: { query: 'ada' } },
    { name: 'aggregate', args: { of: 'companies', group_by: ['country'] } },
  ];
  const answers = await Promise.all(goods.map((each) => callPaid(service.url, { ...each, payment }, isModern)));
  const receipts = answers.flatMap(({ result }) => result._meta['x402/payment-response'] ?? []);
  expect([receipts.length, await paidBy(wallet)]).toEqual([1, 1n]);
});

describe('a call with a key', () => {
  test('is counted, and a payment that comes with it is left alone', async () => {
    const { accounts, keys } = service.store;
    await accounts.create('both', 'api_access');
    const { secret } = await keys.create({ account: 'both', name: 'k', level: 'read', expires_at: null });
    const wallet = await newWallet();
    const headers = { Authorization: `Bearer ${secret}` };
    const payment = await signed(sandbox, wallet);
    const { result } = await callPaid(service.url, { payment }, { ...isModern, headers });
    expect(result.structuredContent).toMatchObject({ totalResults: 3 });
    expect(result._meta).not.toHaveProperty('x402/payment-response');
    const used = await callPaid(service.url, { name: 'usage', args: {} }, { ...isModern, headers });
    expect([used.result.structuredContent.day.used, await paidBy(wallet)]).toEqual([1, 0n]);
  });

  test('that is wrong is refused, and no payment is asked for or taken', async () => {
    const wallet = await newWallet();
    const headers = { Authorization: 'Bearer mk_wrong' };
    const payment = await signed(sandbox, wallet);
    const { error } = await callPaid(service.url, { payment }, { ...isModern, headers });
    expect([error.data.code, await paidBy(wallet)]).toEqual(['invalid_key', 0n]);
  });
});

describe('where nothing is sold', () => {
  test('a call without a key asks for a key, and takes no payment', async () => {
    const endpoint = loopbackEndpoint(() => undefined);
    const keyed = await startService([], { mount: endpoint.mount });
    const wallet = await newWallet();
    const payment = await signed(sandbox, wallet);
    const { result } = await callPaid(keyed.url, { payment }, isModern);
    expect([result._meta['web3-bi/error'].code, await paidBy(wallet)]).toEqual(['unauthenticated', 0n]);
    await endpoint.close();
    await keyed.close();
  });
});

describe.each(clients)('$client', ({ open, version }) => {
  test('lists the tools for nothing, and reads the challenge in spite of their output schemas', async () => {
    const session = await open({ url: `${service.url}/mcp`, headers: {} });
    const { tools } = await session.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['search', 'get_entity', 'aggregate', 'connect', 'health']);
    expect(JSON.stringify({ tools }).length / TOKEN_CHARACTERS).toBeLessThan(TOKENS_MAX);
    expect((await session.call('health', {})).structuredContent).toMatchObject({ status: 'operational' });
    for (const { name, args } of [
      { name: 'search', args: { query: 'acme' } },
      { name: 'get_entity', args: { type: 'companies', id: 'acme' } },
      { name: 'aggregate', args: { of: 'companies', group_by: ['tag'] } },
      { name: 'connect', args: { from: 'companies/acme', to: 'people/acme-ada' } },
    ]) {
      const result = await session.call(name, args);
      expect([version, name, result.isError, result.structuredContent.x402Version]).toEqual([version, name, true, 2]);
      expect(JSON.parse(result.content[0].text)).toEqual(result.structuredContent);
    }
    await session.close();
  });

  test('pays with what its caller adds to a call', async () => {
    const wallet = await newWallet();
    const session = await open({ url: `${service.url}/mcp`, headers: {} });
    const _meta = { 'x402/payment': await signed(sandbox, wallet) };
    const result = await session.call('search', { query: 'acme' }, _meta);
    expect(result.structuredContent).toMatchObject({ totalResults: 3 });
    expect(result._meta['x402/payment-response']).toMatchObject({ success: true, payer: wallet.address });
    expect(await paidBy(wallet)).toBe(1n);
    await session.close();
  });
});

test('a facilitator that is away keeps nobody from the lists and from health', async () => {
  const alone = await startPaidService(sandbox, { facilitatorUrl: await closedPort() });
  const { result } = await callPaid(alone.url, { name: 'health', args: {} }, isModern);
  expect(result.structuredContent.status).toBe('operational');
  await alone.close();
});

describe('before the first request', () => {
  test('a server card says how to connect', async () => {
    const response = await fetch(`${service.url}/mcp/server-card`);
    expect(response.headers.get('content-type')).toMatch(/^application\/mcp-server-card\+json/);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    const card = (await response.json()) as { description: string; remotes: { url: string }[] };
    expect(card).toMatchObject({
      $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
      name: 'io.github.web3-bi/web3-bi-mcp',
      version: '0',
      remotes: [
        {
          type: 'streamable-http',
          url: `${service.url}/mcp`,
          headers: [{ name: 'Authorization', description: expect.stringContaining('a payment (x402) does instead') }],
          supportedProtocolVersions: expect.arrayContaining([MODERN, LEGACY]),
        },
      ],
    });
    expect(card.description.length).toBeLessThanOrEqual(100);
  });

  test('/.well-known/x402 lists what answers 402 with its price, and OpenAPI has the price of each', async () => {
    const list = async () => (await fetch(`${service.url}/.well-known/x402`)).json() as Promise<any>;
    const statuses = async (resources: string[]) =>
      Promise.all(resources.map(async (resource) => (await fetch(resource)).status));
    // Connections are listed where the records of their example are.
    const bare = await list();
    expect([bare.version, await statuses(bare.resources)]).toEqual([2, [402, 402]]);
    await service.store.records.putAll([aCompany({ name: 'Uniswap' }), anInvestor({ name: 'Paradigm' })]);
    const listed = await list();
    expect(await statuses(listed.resources)).toEqual([402, 402, 402]);
    const { paths } = (await (await fetch(`${service.url}/api/v1/openapi.json`)).json()) as any;
    const priced = Object.keys(paths).filter((path) => paths[path].get?.['x-payment-info'] !== undefined);
    expect(priced).toEqual(listed.resources.map((resource: string) => new URL(resource).pathname));
    expect(paths[priced[0] as string].get['x-payment-info']).toEqual({
      price: { mode: 'fixed', currency: 'USD', amount: '0.01' },
      protocols: [{ x402: {} }],
    });
  });
});
