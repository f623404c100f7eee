import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type CallBudget, createWalletClient, type WalletClient } from '../../../src/library.ts';
import type { FundedWallet } from '../../../src/sandbox/chain.ts';
import { PRICE } from '../../sandbox/stock-seller.ts';
import { temporaryFolder } from '../../support/program.ts';
import { type Sandbox, startSandbox } from '../../support/sandbox.ts';
import { type Seller, startSeller } from '../../support/seller.ts';

const FUNDS = 10n * PRICE;
const budgets = { perCallUsd: '0.02', perSessionUsd: '0.50', perDayUsd: '1.00' };

let sandbox: Sandbox;
let service: Seller;
let funded: FundedWallet;
let agent: WalletClient;
const folder = temporaryFolder();

beforeAll(async () => {
  sandbox = await startSandbox();
  service = await startSeller(sandbox);
});
beforeEach(async () => {
  funded = await sandbox.chain.newWallet(FUNDS);
  const { privateKey } = funded;
  const ledgerFile = `${folder.path}/${funded.address}.db`;
  agent = createWalletClient(service.url, { privateKey, network: 'eip155:84532', budgets, ledgerFile });
  return () => agent.close();
});
afterAll(async () => {
  await service.close();
  await sandbox.close();
  folder.remove();
});

const spent = async (): Promise<bigint> => FUNDS - (await sandbox.chain.balanceOf(funded.address));
const buy = (budget?: CallBudget) => agent.withBudget(budget).search({ type: 'companies', query: 'Acme' });

test('confirm is asked before each payment, with what is to be paid', async () => {
  const asked: unknown[] = [];
  await buy({ confirm: async (quote) => void asked.push(quote) });
  expect(asked).toEqual([expect.objectContaining({ amount: PRICE, network: 'eip155:84532', payTo: sandbox.payTo })]);
  expect(await spent()).toBe(PRICE);
});

test.each([
  ['a rejection', () => Promise.reject(new Error('no')), 'no'],
  ['false', () => Promise.resolve(false), 'The payment was not confirmed.'],
])('confirm refuses a payment by %s', async (_name, confirm, message) => {
  await expect(buy({ confirm })).rejects.toThrow(message);
  expect(await spent()).toBe(0n);
});

test('nothing is asked without confirm, nor of an answer that was bought', async () => {
  await buy();
  await buy({ confirm: () => Promise.reject(new Error('no')) });
  expect(await spent()).toBe(PRICE);
});

test('a mistyped option of the wallet is refused, not ignored', () => {
  const { privateKey } = funded;
  const options = { privateKey, network: 'eip155:84532', budgets, ledgerFile: 'x.db', payee: [sandbox.payTo] } as const;
  expect(() => createWalletClient(service.url, options)).toThrow('payee: not known here');
});

test.each([
  [{ maxPriceUsd: 'cheap' }, 'maxPriceUsd must be US dollars as text with up to six decimals, such as "0.05"'],
  [{ maxPriceUsd: 0.01 }, 'maxPriceUsd must be US dollars as text with up to six decimals, such as "0.05"'],
  [{ maxPrice: '0.01' }, 'maxPrice: not known here'],
  [{ confirm: true }, 'confirm must be a function'],
])('limits of a call that cannot be meant, %j, are refused at once', (budget, message) => {
  expect(() => agent.withBudget(budget as CallBudget)).toThrow(message);
});
