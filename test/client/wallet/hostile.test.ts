import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createSpendingScope } from '../../../src/client/wallet/spending-scope.ts';
import { PAYMENT_META } from '../../../src/contract/mcp.ts';
import type { FundedWallet as Funded } from '../../../src/sandbox/chain.ts';
import { PRICE } from '../../sandbox/stock-seller.ts';
import { temporaryFolder } from '../../support/program.ts';
import { type Sandbox, startSandbox } from '../../support/sandbox.ts';
import { type Paid, type Seller, type SellerOptions, startSeller, usual } from '../../support/seller.ts';
import { BUDGETS, openTestWallet, type TestWallet, type TestWalletOptions } from '../../support/wallets.ts';

const FUNDS = 100n * PRICE;
/** For a server that never answers. */
const SHORT = { tryMs: 2_500, totalMs: 3_000, pauseMs: 20 };
const OTHER = '0x00000000000000000000000000000000deadBEEF';
const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64');

let sandbox: Sandbox;
let service: Seller;
let funded: Funded;
let folder: ReturnType<typeof temporaryFolder>;
const open: TestWallet[] = [];

const openWallet = (more: Partial<TestWalletOptions> = {}): TestWallet => {
  const opened = openTestWallet({ sandbox, funded, url: service.url, folder: folder.path, ...more });
  open.push(opened);
  return opened;
};
const spent = async (): Promise<bigint> => FUNDS - (await sandbox.chain.balanceOf(funded.address));

/** How a search ends: the code of its error, or what its money came to. */
const outcome = async (search: Promise<unknown>): Promise<string> => {
  try {
    await search;
    return 'served';
  } catch (error) {
    return (error as { code: string }).code;
  }
};

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  service = await startSeller(sandbox);
  funded = await sandbox.chain.newWallet(FUNDS);
  folder = temporaryFolder();
});
afterEach(async () => {
  for (const { wallet } of open.splice(0)) await wallet.close();
  await service.close();
  folder.remove();
});

type Row = readonly [string, SellerOptions, string];
const item = (changes: Record<string, unknown>): SellerOptions => ({ item: (same) => ({ ...same, ...changes }) });
const answering = (body: string, headers: Record<string, string> = {}): SellerOptions => ({
  unpaid: (_required, response) => {
    response.writeHead(402, headers).end(body);
    return true;
  },
});

describe('nothing is signed for a server that', () => {
  const rows: readonly Row[] = [
    ['states two prices that differ', item({ amount: '20000' }), 'offer_refused'],
    ['asks for another token', item({ asset: OTHER }), 'offer_refused'],
    ['asks for another network', item({ network: 'eip155:8453' }), 'offer_refused'],
    ['asks for every network', item({ network: 'eip155:*' }), 'offer_refused'],
    ['asks for another scheme', item({ scheme: 'upto' }), 'offer_refused'],
    ['asks for a Permit2 authorization', item({ extra: { assetTransferMethod: 'permit2' } }), 'offer_refused'],
    ['asks for a payment into escrow', item({ extra: { paymentFlow: 'escrow' } }), 'offer_refused'],
    ['asks for ten years', item({ maxTimeoutSeconds: 315_360_000 }), 'offer_refused'],
    ['asks for a time that is not a number', item({ maxTimeoutSeconds: '300' }), 'offer_refused'],
    ['asks for no time to repeat in', item({ maxTimeoutSeconds: 1 }), 'offer_refused'],
    ['names another domain', item({ extra: { name: 'USD Coin', version: '2' } }), 'offer_refused'],
    ['names another version', item({ extra: { name: 'USDC', version: '1' } }), 'offer_refused'],
    ['names a payee that is no address', item({ payTo: 'vitalik.eth' }), 'offer_refused'],
    ['names a price below nothing', item({ maxAmountRequired: '-10000' }), 'offer_refused'],
    ['names a price in hexadecimal', item({ maxAmountRequired: '0x2710' }), 'offer_refused'],
    ['names a price in dollars', item({ maxAmountRequired: '0.01' }), 'offer_refused'],
    ['names no price', item({ maxAmountRequired: undefined }), 'offer_refused'],
    ['asks more than a call may cost', item({ maxAmountRequired: '20001' }), 'budget_exceeded'],
    ['asks for all that there is', item({ maxAmountRequired: '9'.repeat(30) }), 'budget_exceeded'],
    ['is of version 1', answering(JSON.stringify({ x402Version: 1, accepts: [{ scheme: 'exact' }] })), 'offer_refused'],
    ['sends a header that is no base64', answering('{}', { 'PAYMENT-REQUIRED': '%%%not base64%%%' }), 'offer_refused'],
    ['sends base64 of junk', answering('{}', { 'PAYMENT-REQUIRED': 'anVuaw==' }), 'offer_refused'],
    ['sends no offer', answering('Payment required'), 'offer_refused'],
    ['sends an empty list', answering(JSON.stringify({ x402Version: 2, accepts: [] })), 'offer_refused'],
    ['sends an offer that is null', answering('null', { 'PAYMENT-REQUIRED': encode(null) }), 'offer_refused'],
    ['sends an offer without end', answering('{'.padEnd(100_000, ' ')), 'unreachable'],
    [
      'leads to another address',
      {
        unpaid: (_required, response) => {
          response.writeHead(307, { Location: 'http://127.0.0.1:9/' }).end();
          return true;
        },
      },
      'offer_refused',
    ],
  ];

  test.each(rows)('%s', async (_name, options, code) => {
    service.change(options);
    const { search } = openWallet();
    expect([await outcome(search('a')), await outcome(search('a'))]).toEqual([code, code]);
    expect([service.signatures.size, await spent()]).toEqual([0, 0n]);
  });

  test('pays somebody who is not among the payees', async () => {
    service.change(item({ payTo: OTHER }));
    expect(await outcome(openWallet({ payees: [sandbox.payTo] }).search('a'))).toBe('offer_refused');
    expect(service.signatures.size).toBe(0);
    service.change({});
    expect(await outcome(openWallet({ payees: [sandbox.payTo.toLowerCase()] }).search('a'))).toBe('served');
  });

  test('is not the one of the settings', async () => {
    expect(await outcome(openWallet({ origins: ['http://127.0.0.1:9'] }).search('a'))).toBe('offer_refused');
    expect(service.requests.unpaid).toBe(0);
  });

  test('has a clock that is minutes ahead', async () => {
    const behind = (): Date => new Date(Date.now() - 400_000);
    const { search } = openWallet({ clock: behind });
    await expect(search('a')).rejects.toThrow(/clock of this machine is \d+ s behind/);
    expect(service.signatures.size).toBe(0);
  });
});

describe('one signature and one price at most for a server that', () => {
  test('raises the price between offer and payment', async () => {
    service.change({
      item: (same, asked) => ({ ...same, maxAmountRequired: asked === 0 ? '10000' : '20000' }),
      paid: ({ refuse }) => refuse('No matching payment requirements'),
    });
    const { search } = openWallet({ rpcUrl: sandbox.rpcUrl });
    expect([await outcome(search('a')), await outcome(search('a'))]).toEqual(['payment_refused', 'payment_refused']);
    expect([service.signatures.size, await spent()]).toEqual([1, 0n]);
  });

  test('leads the payment to another address, which never sees it', async () => {
    const seen: unknown[] = [];
    const thief = createServer((request, response) => {
      seen.push(request.headers);
      response.end('{}');
    });
    await new Promise<void>((resolve) => thief.listen(0, '127.0.0.1', resolve));
    const location = `http://127.0.0.1:${(thief.address() as AddressInfo).port}/`;
    service.change({ paid: ({ response }) => void response.writeHead(307, { Location: location }).end() });
    expect(await outcome(openWallet().search('a'))).toBe('outcome_unknown');
    expect([seen, service.signatures.size, await spent()]).toEqual([[], 1, 0n]);
    thief.close();
  });

  test('answers 402 for ever, to fifty calls of a model', async () => {
    service.change({ paid: ({ refuse }) => refuse('invalid_exact_evm_signature') });
    const { search } = openWallet({ rpcUrl: sandbox.rpcUrl });
    for (let calls = 0; calls < 50; calls += 1) expect(await outcome(search('a'))).toBe('payment_refused');
    expect([service.signatures.size, service.requests, await spent()]).toEqual([1, { unpaid: 1, paid: 50 }, 0n]);
  });

  test.each([
    ['with an RPC', true, 'paid_not_served'],
    ['without one', false, 'outcome_unknown'],
  ])('takes the money and answers 402, to fifty calls at once, %s', async (_name, hasRpc, code) => {
    service.change({
      paid: async ({ settle, refuse, before }) => {
        if (before === 0) await settle();
        refuse('invalid_exact_evm_nonce_already_used');
      },
    });
    const { search } = openWallet(hasRpc ? { rpcUrl: sandbox.rpcUrl } : {});
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => outcome(search('a'))));
    expect(new Set(outcomes)).toEqual(new Set([code]));
    expect([service.signatures.size, await spent()]).toEqual([1, PRICE]);
  });

  test.each([
    ['with an RPC', true, 'paid_not_served'],
    ['without one', false, 'outcome_unknown'],
  ])('hangs after it has settled, %s', async (_name, hasRpc, code) => {
    service.change({ paid: async ({ settle }) => void (await settle()) });
    const { search } = openWallet({ retryPolicy: SHORT, ...(hasRpc && { rpcUrl: sandbox.rpcUrl }) });
    expect(await outcome(search('a'))).toBe(code);
    service.change({ paid: ({ refuse }) => refuse('invalid_exact_evm_nonce_already_used') });
    expect(await outcome(search('a'))).toBe(code);
    expect([service.signatures.size, await spent()]).toEqual([1, PRICE]);
  });

  test('takes the money and breaks the connection in the middle of the answer', async () => {
    service.change({
      paid: async ({ settle, serve, response, before }) => {
        await settle();
        if (before > 0) return serve({});
        response.writeHead(200, { 'Content-Length': '500' }).write('{"data"', () => response.destroy());
      },
    });
    expect(await outcome(openWallet().search('a'))).toBe('served');
    expect([service.signatures.size, service.requests.paid, await spent()]).toEqual([1, 2, PRICE]);
  });

  test('is hidden by the page of a proxy, which took no money', async () => {
    service.change({
      paid: async (paid) => {
        if (paid.before > 0) return usual(paid);
        paid.response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>Welcome to the hotel</p>');
      },
    });
    expect(await outcome(openWallet().search('a'))).toBe('served');
    expect([service.signatures.size, service.requests.paid, await spent()]).toEqual([1, 2, PRICE]);
  });

  test('answers with something else, and without a receipt, which is not said to have been paid', async () => {
    service.change({ paid: ({ response }) => void response.writeHead(200).end('{"data":[]}') });
    await expect(openWallet().search('a')).rejects.toMatchObject({
      code: 'paid_not_served',
      money: 'At most 0.01 USD were charged, once.',
    });
    expect([service.signatures.size, await spent()]).toEqual([1, 0n]);
  });

  test.each([
    ['none', {}],
    ['one that is no base64', { 'PAYMENT-RESPONSE': '%%%' }],
    [
      'one of another payer',
      { 'PAYMENT-RESPONSE': encode({ success: true, transaction: `0x${'1'.repeat(64)}`, payer: OTHER }) },
    ],
    ['one of a failure', { 'PAYMENT-RESPONSE': encode({ success: false, transaction: `0x${'1'.repeat(64)}` }) }],
    ['one without a hash', { 'PAYMENT-RESPONSE': encode({ success: true, transaction: 'yes' }) }],
  ])('gives no receipt of the payment but %s', async (_name, headers) => {
    service.change({
      paid: async ({ settle, serve }) => {
        await settle();
        serve(headers);
      },
    });
    const blind = openWallet();
    expect(await outcome(blind.search('a'))).toBe('served');
    expect((await blind.wallet.status(1)).receipts).toMatchObject([{ state: 'outcome_unknown', transaction: null }]);
    expect((await blind.wallet.status(1)).budgets.day.usedUsd).toBe('0.01');
    expect(await outcome(blind.search('a'))).toBe('served');
    const seeing = openWallet({ rpcUrl: sandbox.rpcUrl });
    const [transfer] = (await sandbox.chain.transfersTo(sandbox.payTo)).slice(-1);
    const [receipt] = (await seeing.wallet.status(1)).receipts;
    expect(receipt).toMatchObject({ state: 'settled', transaction: transfer?.transaction });
    expect([service.signatures.size, await spent()]).toEqual([1, PRICE]);
  });

  test('cannot settle for a while, and then can', async () => {
    service.change({
      paid: async ({ settle, serve, response, before }) => {
        if (before < 3) return void response.writeHead(503 - before).end('{}');
        const { transaction, network, payer } = await settle();
        serve({ 'PAYMENT-RESPONSE': encode({ success: true, transaction, network, payer }) });
      },
    });
    const { search } = openWallet();
    expect(await outcome(search('a'))).not.toBe('');
    expect(await outcome(search('a'))).toBe('served');
    expect([service.signatures.size, new Set(service.headers).size, await spent()]).toEqual([1, 1, PRICE]);
  });

  test('settles late, after the call was given up', async () => {
    let settleLater: () => Promise<unknown> = async () => {};
    service.change({
      paid: ({ settle, response }) => {
        settleLater = settle;
        response.writeHead(503, { 'Retry-After': '600' }).end('{}');
      },
    });
    const { search, wallet } = openWallet({ rpcUrl: sandbox.rpcUrl });
    await expect(search('a')).rejects.toMatchObject({ code: 'unavailable', money: expect.stringContaining('so far') });
    await settleLater();
    expect((await wallet.status(1)).receipts).toMatchObject([{ state: 'paid_not_served' }]);
    service.change({ paid: ({ serve }) => serve({}) });
    expect(await outcome(search('a'))).toBe('served');
    expect([service.signatures.size, await spent()]).toEqual([1, PRICE]);
  });

  test('settles while the caller gives up: what it says later is no proof that nothing was charged', async () => {
    const giveUp = new AbortController();
    const denies = ({ response }: Paid) =>
      void response.writeHead(503, { 'Retry-After': '600' }).end(JSON.stringify({ code: 'unavailable' }));
    const { wallet } = openWallet();
    const url = new URL(`${service.url}/api/v1/x402/search?type=companies&q=a&limit=10&page=1`);
    service.change({ paid: denies });
    const denied = { code: 'unavailable', money: expect.stringContaining('Nothing was charged') };
    await expect(wallet.fetch(url)).rejects.toMatchObject(denied);
    service.change({
      paid: async ({ settle }) => {
        await settle();
        giveUp.abort();
      },
    });
    await expect(wallet.fetch(url, { signal: giveUp.signal })).rejects.toMatchObject({ name: 'AbortError' });
    service.change({ paid: denies });
    await expect(wallet.fetch(url)).rejects.toMatchObject({ code: 'outcome_unknown' });
    expect([service.signatures.size, await spent()]).toEqual([1, PRICE]);
  });

  const PENDING = JSON.stringify({ error: 'not confirmed yet', code: 'payment_pending' });
  const AWAY = JSON.stringify({ error: 'away', code: 'facilitator_unreachable' });
  const FAILED = JSON.stringify({ error: 'broken', code: 'internal' });
  const RECEIPT = { 'Retry-After': '600', 'PAYMENT-RESPONSE': encode({ success: true, transaction: 'yes' }) };
  test.each<[string, SellerOptions['paid']]>([
    [
      'says only that the outcome is open',
      ({ response }) => void response.writeHead(503, { 'Retry-After': '600' }).end(PENDING),
    ],
    ['answers 503 without a word', ({ response }) => void response.writeHead(503, { 'Retry-After': '600' }).end()],
    ['answers 500 without a word', ({ response }) => void response.writeHead(500).end()],
    ['answers 404 without a word', ({ response }) => void response.writeHead(404).end()],
    ['leads elsewhere', ({ response }) => void response.writeHead(303, { Location: '/elsewhere' }).end()],
    ['answers 402 with a receipt', ({ response }) => void response.writeHead(402, RECEIPT).end('{}')],
    ['answers 429 with a receipt', ({ response }) => void response.writeHead(429, RECEIPT).end('{}')],
    ['answers 503 with a receipt', ({ response }) => void response.writeHead(503, RECEIPT).end(AWAY)],
    ['answers 500 with a receipt', ({ response }) => void response.writeHead(500, RECEIPT).end(FAILED)],
    [
      'breaks the connection, and then calls the signature wrong',
      ({ before, response, refuse }) =>
        before === 0 ? void response.destroy() : refuse('invalid_exact_evm_signature'),
    ],
    [
      'breaks the connection, and then has lost its facilitator',
      ({ before, response }) =>
        before === 0 ? void response.destroy() : void response.writeHead(503, { 'Retry-After': '600' }).end(AWAY),
    ],
  ])('takes the money and %s: not said to have charged nothing', async (_how, answer) => {
    service.change({
      paid: async (paid) => {
        if (paid.before === 0) await paid.settle();
        await answer?.(paid);
      },
    });
    await expect(openWallet().search('a')).rejects.toMatchObject({
      code: 'outcome_unknown',
      money: 'At most 0.01 USD were charged, once.',
    });
    expect([service.signatures.size, await spent()]).toEqual([1, PRICE]);
  });

  test('answers over MCP with the price again and a receipt: not said to have charged nothing', async () => {
    const required = await fetch(`${service.url}/api/v1/x402/search`).then((response) => response.json());
    const overMcp = async (_url: unknown, init?: RequestInit): Promise<Response> => {
      const isPaid = PAYMENT_META.payment in JSON.parse(String(init?.body)).params._meta;
      const _meta = isPaid ? { [PAYMENT_META.receipt]: { success: true, transaction: 'yes' } } : {};
      return Response.json({ jsonrpc: '2.0', id: 1, result: { isError: true, structuredContent: required, _meta } });
    };
    const { search } = openWallet({ url: `${service.url}/mcp`, fetch: overMcp });
    const unknown = { code: 'outcome_unknown', money: 'At most 0.01 USD were charged, once.' };
    await expect(search('a')).rejects.toMatchObject(unknown);
  });

  test('hangs after it has settled, and then is away: the first call is not forgotten', async () => {
    service.change({ paid: async ({ settle }) => void (await settle()) });
    const { search } = openWallet({ retryPolicy: SHORT });
    expect(await outcome(search('a'))).toBe('outcome_unknown');
    service.change({ paid: ({ response }) => void response.writeHead(503, { 'Retry-After': '600' }).end(AWAY) });
    const unknown = { code: 'outcome_unknown', money: 'At most 0.01 USD were charged, once.' };
    await expect(search('a')).rejects.toMatchObject(unknown);
    service.change({ paid: ({ refuse }) => refuse('invalid_exact_evm_signature') });
    await expect(search('a')).rejects.toMatchObject(unknown);
    expect([service.signatures.size, await spent()]).toEqual([1, PRICE]);
  });

  test('lies about the chain through the RPC of another network', async () => {
    const other = await startSandbox({ network: 'eip155:8453' });
    service.change({
      paid: async ({ settle, refuse }) => {
        await settle();
        refuse('nonce_already_used');
      },
    });
    const { search } = openWallet({ rpcUrl: other.rpcUrl });
    expect([await outcome(search('a')), await outcome(search('a'))]).toEqual(['outcome_unknown', 'outcome_unknown']);
    expect([service.signatures.size, await spent()]).toEqual([1, PRICE]);
    await other.close();
  });
});

describe('the budgets hold', () => {
  test('of a call, however many of its requests a person allows at once', async () => {
    const { wallet } = openWallet({ confirmAbove: 0n });
    const scope = createSpendingScope({ confirm: () => wait(500) });
    const url = (query: number): string => `${service.url}/api/v1/x402/search?q=${query}&type=companies`;
    const outcomes = await Promise.all(
      Array.from({ length: 64 }, (_, query) => outcome(wallet.fetch(url(query), { scope }))),
    );
    expect(outcomes.filter((each) => each === 'served')).toHaveLength(2);
    expect(outcomes.filter((each) => each === 'budget_exceeded')).toHaveLength(62);
    expect([service.signatures.size, await spent()]).toEqual([2, 2n * PRICE]);
  });

  test('for a payment on another network, which the chain of this one cannot decide', async () => {
    const other = await startSandbox({ network: 'eip155:8453' });
    await other.chain.increaseTime(100_000);
    service.change({ paid: async ({ settle, response }) => void (await settle().then(() => response.destroy())) });
    const { search } = openWallet({ retryPolicy: SHORT });
    expect(await outcome(search('a'))).toBe('outcome_unknown');
    const moved = openWallet({ network: other.network, rpcUrl: other.rpcUrl });
    expect((await moved.wallet.status(9)).budgets.day.usedUsd).toBe('0.01');
    expect((await moved.wallet.status(9)).receipts).toMatchObject([{ state: 'outcome_unknown' }]);
    service.change({ paid: ({ serve }) => serve({}) });
    expect(await outcome(search('a'))).toBe('served');
    expect([service.signatures.size, await spent()]).toEqual([1, PRICE]);
    await other.close();
  });

  test('of a day, for whatever is not proven free', async () => {
    service.change({ paid: ({ refuse }) => refuse('no') });
    const { search, wallet } = openWallet({ budgets: { ...BUDGETS, perDay: 3n * PRICE }, rpcUrl: sandbox.rpcUrl });
    const outcomes = [];
    for (const query of ['a', 'b', 'c', 'd']) outcomes.push(await outcome(search(query)));
    expect(outcomes).toEqual(['payment_refused', 'payment_refused', 'payment_refused', 'budget_exceeded']);
    expect(service.signatures.size).toBe(3);
    // The authorizations have ended, and the chain shows that none was used.
    await sandbox.chain.increaseTime(400);
    expect((await wallet.status(9)).budgets.day.usedUsd).toBe('0.00');
    service.change({});
  });
});
