import type { ChildProcess } from 'node:child_process';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { FundedWallet as Funded } from '../../../src/sandbox/chain.ts';
import { PRICE } from '../../sandbox/stock-seller.ts';
import { temporaryFolder } from '../../support/program.ts';
import { type Sandbox, startSandbox } from '../../support/sandbox.ts';
import { type Seller, startSeller, usual } from '../../support/seller.ts';
import { type Buyer, buildBuyer, endOf } from '../../support/wallet-child.ts';
import { openTestWallet, type TestWallet } from '../../support/wallets.ts';

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64');

let sandbox: Sandbox;
let service: Seller;
let funded: Funded;
let folder: ReturnType<typeof temporaryFolder>;
let next: TestWallet | undefined;
let run: (buyer: Buyer) => ChildProcess;

beforeAll(async () => {
  run = buildBuyer();
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  service = await startSeller(sandbox);
  funded = await sandbox.chain.newWallet(3n * PRICE);
  folder = temporaryFolder();
});
afterEach(async () => {
  await next?.wallet.close();
  await service.close();
  folder.remove();
});

/** Runs a buyer that kills itself at a step, or is killed by `kill`. */
async function crash(step = '', onStart: (kill: () => void) => void = () => {}): Promise<void> {
  const child = run({ url: service.url, folder: folder.path, privateKey: funded.privateKey, step });
  onStart(() => void child.kill('SIGKILL'));
  expect(await endOf(child)).toEqual([null, 'SIGKILL']);
}

const start = (): TestWallet => {
  next = openTestWallet({ sandbox, funded, url: service.url, folder: folder.path });
  return next;
};
const spent = async (): Promise<bigint> => 3n * PRICE - (await sandbox.chain.balanceOf(funded.address));

describe('after kill -9', () => {
  test('before signing, the next start signs once, and what was counted is free again', async () => {
    await crash('reserved');
    expect(service.signatures.size).toBe(0);
    const { search, wallet } = start();
    await search('Uniswap');
    const { budgets } = await wallet.status(0);
    expect([service.signatures.size, await spent(), budgets.day.usedUsd]).toEqual([1, PRICE, '0.01']);
  });

  test('after signing, the next start sends the signature that was kept', async () => {
    await crash('signed');
    expect(service.signatures.size).toBe(0);
    const { search, wallet } = start();
    await search('Uniswap');
    const { budgets } = await wallet.status(0);
    expect([service.signatures.size, service.requests.unpaid, await spent()]).toEqual([1, 1, PRICE]);
    expect(budgets.day.usedUsd).toBe('0.01');
  });

  test('after sending, the next start sends the same again', async () => {
    let kill = (): void => {};
    service.change({ paid: () => kill() });
    await crash('', (killer) => {
      kill = killer;
    });
    service.change({});
    await start().search('Uniswap');
    expect([new Set(service.headers).size, service.headers.length, await spent()]).toEqual([1, 2, PRICE]);
  });

  test('after sending, no denial of the service is believed, as it may be about the second submission alone', async () => {
    let kill = (): void => {};
    service.change({
      paid: async ({ settle }) => {
        await settle();
        kill();
      },
    });
    await crash('', (killer) => {
      kill = killer;
    });
    const { search } = start();
    const denials: [number, object][] = [
      [429, { code: 'burst_limit_exceeded' }],
      [503, { code: 'unavailable' }],
      [500, { error: 'External search service error' }],
      [402, { error: 'insufficient_funds' }],
    ];
    for (const [status, body] of denials) {
      service.change({
        paid: ({ response }) => void response.writeHead(status, { 'Retry-After': '600' }).end(JSON.stringify(body)),
      });
      await expect(search('Uniswap')).rejects.toMatchObject({
        code: 'outcome_unknown',
        money: 'At most 0.01 USD were charged, once.',
      });
    }
    expect([service.signatures.size, await spent()]).toEqual([1, PRICE]);
  });

  test.each(['while the answer is on its way', 'before the answer is written down'])(
    'after settlement, %s, the next start gets the answer with the same signature',
    async (moment) => {
      let kill = (): void => {};
      const isLost = moment.startsWith('while');
      service.change({
        paid: async (paid) => {
          const { settle, serve, before } = paid;
          // As our service does: what was paid and not delivered is given again.
          if (before > 0) return serve({ 'PAYMENT-RESPONSE': encode({ success: true, transaction }) });
          if (!isLost) return usual(paid);
          await settle();
          kill();
        },
      });
      let transaction = '';
      await crash(isLost ? '' : 'answered', (killer) => {
        kill = killer;
      });
      transaction = (await sandbox.chain.transfersTo(sandbox.payTo)).at(-1)?.transaction ?? '';
      const { search, wallet } = start();
      await search('Uniswap');
      expect([new Set(service.headers).size, service.signatures.size, await spent()]).toEqual([1, 1, PRICE]);
      expect((await wallet.status(9)).receipts).toMatchObject([{ state: 'settled', transaction }]);
    },
  );
});
