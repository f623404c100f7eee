import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createSpendingScope } from '../../../src/client/wallet/spending-scope.ts';
import type { FundedWallet as Funded } from '../../../src/sandbox/chain.ts';
import { PRICE, startStockSeller } from '../../sandbox/stock-seller.ts';
import { temporaryFolder } from '../../support/program.ts';
import { type Sandbox, startSandbox } from '../../support/sandbox.ts';
import { type Seller, startSeller } from '../../support/seller.ts';
import { openTestWallet, type TestWallet, type TestWalletOptions } from '../../support/wallets.ts';

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
const spent = async (): Promise<bigint> => 100n * PRICE - (await sandbox.chain.balanceOf(funded.address));

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  service = await startSeller(sandbox);
  funded = await sandbox.chain.newWallet(100n * PRICE);
  folder = temporaryFolder();
});
afterEach(async () => {
  for (const { wallet } of open.splice(0)) await wallet.close();
  await service.close();
  folder.remove();
});

describe('a wallet pays', () => {
  test.each(['specification', 'stock', 'both'] as const)('a server that emits the fields of %s', async (dialect) => {
    service.change({ dialect });
    const { paid } = openWallet();
    const scope = createSpendingScope();
    const found = await paid.withBudget(scope).search({ type: 'companies', query: 'Uniswap' });
    expect(found).toMatchObject({
      totalResults: 1,
      results: [{ type: 'companies', name: 'Uniswap', total_employees: 7 }],
    });
    const [transfer] = await sandbox.chain.transfersTo(sandbox.payTo).then((all) => all.slice(-1));
    expect(scope.receipts).toMatchObject([
      {
        transaction: transfer?.transaction,
        payer: funded.address,
        payTo: sandbox.payTo,
        amountUsd: '0.01',
        state: 'settled',
        cached: false,
      },
    ]);
    expect(await spent()).toBe(PRICE);
  });

  const encoded = (value: object, encoding: BufferEncoding): string =>
    Buffer.from(JSON.stringify(value)).toString(encoding);
  const first = (required: any) => required.accepts[0];
  test.each<[string, (required: any) => { header?: string; body?: string }]>([
    ['only in the body', (required) => ({ body: JSON.stringify(required) })],
    ['only in the header', (required) => ({ header: encoded(required, 'base64') })],
    ['in base64 of the URL alphabet', (required) => ({ header: encoded(required, 'base64url') })],
    ['in a header that is plain JSON', (required) => ({ header: JSON.stringify(required) })],
    ['in the body, under a header of junk', (required) => ({ header: '%%%', body: JSON.stringify(required) })],
    ['as one object', (required) => ({ body: JSON.stringify({ ...required, accepts: first(required) }) })],
    ['with a version that is text', (required) => ({ body: JSON.stringify({ ...required, x402Version: '2' }) })],
    [
      'as a number, to addresses in small letters',
      (required) => {
        const { maxAmountRequired: _, ...item } = first(required);
        const small = { ...item, asset: item.asset.toLowerCase(), payTo: item.payTo.toLowerCase() };
        return { body: JSON.stringify({ ...required, accepts: [{ ...small, amount: 10_000 }] }) };
      },
    ],
    [
      'after others that cannot be paid',
      (required) => ({
        body: JSON.stringify({
          ...required,
          accepts: [
            { scheme: 'exact', network: 'solana:mainnet' },
            { ...first(required), asset: '0x0' },
            first(required),
          ],
        }),
      }),
    ],
  ])('a server that states its price %s', async (_name, write) => {
    service.change({
      unpaid: (required, response) => {
        const { header, body = '{}' } = write(required);
        response.writeHead(402, header === undefined ? {} : { 'PAYMENT-REQUIRED': header }).end(body);
        return true;
      },
    });
    await openWallet().search('a');
    expect(await spent()).toBe(PRICE);
  });

  test('a stock shop, through its fetch', async () => {
    const shop = await startStockSeller(sandbox);
    const { wallet } = openWallet({ origins: [shop.url] });
    const answer = await wallet.fetch(`${shop.url}/one`);
    expect(await answer.json()).toEqual({ answer: 42 });
    expect(answer.receipt).toMatchObject({ state: 'settled', amount: '10000' });
    await shop.close();
    expect(await spent()).toBe(PRICE);
  });
});
