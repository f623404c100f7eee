import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createSpendingScope } from '../../../src/client/wallet/spending-scope.ts';
import type { FundedWallet as Funded } from '../../../src/sandbox/chain.ts';
import { PRICE } from '../../sandbox/stock-seller.ts';
import { aCompany, aPerson } from '../../support/builders.ts';
import { type PaidService, startPaidService } from '../../support/paid-service.ts';
import { temporaryFolder } from '../../support/program.ts';
import { type Sandbox, startSandbox } from '../../support/sandbox.ts';
import { buildBuyer, endOf } from '../../support/wallet-child.ts';
import { openTestWallet, type TestWallet, type TestWalletOptions } from '../../support/wallets.ts';

let sandbox: Sandbox;
let service: PaidService;
let funded: Funded;
let folder: ReturnType<typeof temporaryFolder>;
const open: TestWallet[] = [];
let path = '';
const url = (): string => service.url + path;

beforeAll(async () => {
  sandbox = await startSandbox();
  service = await startPaidService(sandbox);
});
afterAll(async () => {
  await service.close();
  await sandbox.close();
});
beforeEach(async () => {
  funded = await sandbox.chain.newWallet(5n * PRICE);
  folder = temporaryFolder();
});
afterEach(async () => {
  sandbox.facilitator.clearFaults();
  for (const { wallet } of open.splice(0)) await wallet.close();
  folder.remove();
});

const openWallet = (more: Partial<TestWalletOptions> = {}): TestWallet => {
  const opened = openTestWallet({ sandbox, funded, url: url(), folder: folder.path, ...more });
  open.push(opened);
  return opened;
};
const spent = async (): Promise<bigint> => 5n * PRICE - (await sandbox.chain.balanceOf(funded.address));

describe.each([
  { over: 'REST', at: '' },
  { over: 'MCP', at: '/mcp' },
])('our service and our wallet, over $over', ({ at }) => {
  beforeAll(() => {
    path = at;
  });

  test('agree on health, aggregates, connections and a record, each paid once', async () => {
    const { paid } = openWallet();
    expect(await paid.free.health(false)).toMatchObject({ status: 'operational' });
    expect(await spent()).toBe(0n);
    const client = () => paid.withBudget(createSpendingScope());
    expect(await client().aggregate({ of: 'companies', group_by: ['tag', 'country'] })).toMatchObject({ groups: 1 });
    expect(await client().connections({ from: 'companies/acme', to: 'people/acme-ada' })).toMatchObject({ paths: [] });
    await service.store.records.putAll([
      aCompany({ name: 'Orvane' }),
      aPerson({ name: 'Grace', roles: [{ organization: 'Orvane' }] }),
    ]);
    const found = await client().connections({ from: 'companies/orvane', to: 'people/grace' });
    expect(found).toMatchObject({ paths: [{ hops: 1 }], reason: null, advice: null });
    expect(await client().get('people', 'acme-ada')).toMatchObject({ name: 'Acme Ada', slug: 'acme-ada' });
    await client().get('people', 'acme-ada');
    expect(await spent()).toBe(4n * PRICE);
  });

  test('agree on a search, once paid', async () => {
    const { search } = openWallet();
    expect(await search('acme')).toMatchObject({
      totalResults: 1,
      totalPages: 1,
      results: [{ name: 'Acme', total_employees: 12 }],
    });
    await search('acme');
    expect(await spent()).toBe(PRICE);
  });

  test('agree that a page past the end is not bought, and on the pages there are', async () => {
    const { paid } = openWallet();
    const find = (page: number) =>
      paid.withBudget(createSpendingScope()).search({ type: 'all', query: 'acme', limit: 2, page });
    await expect(find(3)).rejects.toMatchObject({
      code: 'invalid_parameter',
      message: expect.stringMatching(/^page is past the end/),
    });
    expect(await spent()).toBe(0n);
    expect([await find(1), await find(2)]).toMatchObject([
      { results: [{}, {}], totalResults: 3, totalPages: 2 },
      { results: [{}], totalResults: 3, totalPages: 2 },
    ]);
    expect(await spent()).toBe(2n * PRICE);
  });

  test('agree again after a kill -9 before the answer was written down', async () => {
    const run = buildBuyer();
    const buyer = { url: url(), folder: folder.path, privateKey: funded.privateKey, step: 'answered' };
    expect(await endOf(run(buyer))).toEqual([null, 'SIGKILL']);
    const { search, wallet } = openWallet();
    await search('Uniswap');
    expect((await wallet.status(9)).receipts).toMatchObject([{ state: 'settled' }]);
    expect(await spent()).toBe(PRICE);
  });

  test('agree after the answer was lost on the way', async () => {
    const losing: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      const { headers, body } = init ?? {};
      const isPaid = new Headers(headers).has('PAYMENT-SIGNATURE') || String(body).includes('"x402/payment":');
      if (!isPaid || losses > 0) return response;
      losses += 1;
      await response.arrayBuffer();
      throw new TypeError('fetch failed');
    };
    let losses = 0;
    expect(await openWallet({ fetch: losing }).search('acme')).toMatchObject({ totalResults: 1 });
    expect([losses, await spent()]).toEqual([1, PRICE]);
  });

  test('agree while the facilitator loses answers and goes away', async () => {
    const { search } = openWallet();
    sandbox.facilitator.failNext('settle', { at: 'after', answer: 'reset' });
    await search('acme ada');
    sandbox.facilitator.failNext('verify', { at: 'before', answer: { status: 503, body: {} } });
    await search('acme capital');
    expect(await spent()).toBe(2n * PRICE);
  });
});
