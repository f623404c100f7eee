import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { FundedWallet as Funded } from '../../../src/sandbox/chain.ts';
import { PRICE } from '../../sandbox/stock-seller.ts';
import { temporaryFolder } from '../../support/program.ts';
import { type Sandbox, startSandbox } from '../../support/sandbox.ts';
import { type Seller, startSeller } from '../../support/seller.ts';
import { BUDGETS, openTestWallet, type TestWallet, type TestWalletOptions } from '../../support/wallets.ts';

const FUNDS = 10n * PRICE;
const MINUTE = 60_000;

let sandbox: Sandbox;
let service: Seller;
let funded: Funded;
let folder: ReturnType<typeof temporaryFolder>;
let now: number;
const open: TestWallet[] = [];

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  service = await startSeller(sandbox);
  funded = await sandbox.chain.newWallet(FUNDS);
  folder = temporaryFolder();
  now = Date.now();
});
afterEach(async () => {
  for (const { wallet } of open.splice(0)) await wallet.close();
  await service.close();
  folder.remove();
});

const openWallet = (more: Partial<TestWalletOptions> = {}): TestWallet => {
  const clock = () => new Date(now);
  const opened = openTestWallet({ sandbox, funded, url: service.url, folder: folder.path, clock, ...more });
  open.push(opened);
  return opened;
};
const spent = async (): Promise<bigint> => FUNDS - (await sandbox.chain.balanceOf(funded.address));

describe('an answer that was paid', () => {
  test('is free for an hour, and then has to be paid again', async () => {
    const { search } = openWallet();
    await search('Uniswap');
    now += 59 * MINUTE;
    await search('Uniswap');
    expect(await spent()).toBe(PRICE);
    now += 2 * MINUTE;
    await search('Uniswap');
    expect([service.signatures.size, await spent()]).toEqual([2, 2n * PRICE]);
  });
});

describe('the budget', () => {
  const dayEnd = () => new Date(now).setUTCHours(23, 59, 59, 0);

  test('of a day is there anew at midnight UTC, and not before', async () => {
    now = dayEnd();
    const { search } = openWallet({ budgets: { ...BUDGETS, perDay: PRICE } });
    await search('a');
    await expect(search('b')).rejects.toMatchObject({ code: 'budget_exceeded' });
    now += 1_000;
    await search('b');
    await expect(search('c')).rejects.toMatchObject({ code: 'budget_exceeded' });
    expect(await spent()).toBe(2n * PRICE);
  });

  test('of a session does not begin anew at midnight, but with another start', async () => {
    now = dayEnd();
    const budgets = { ...BUDGETS, perSession: PRICE };
    const { search } = openWallet({ budgets });
    await search('a');
    now += 1_000;
    await expect(search('b')).rejects.toMatchObject({ code: 'budget_exceeded' });
    await openWallet({ budgets }).search('b');
    expect(await spent()).toBe(2n * PRICE);
  });
});
