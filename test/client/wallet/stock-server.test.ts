import type { AddressInfo } from 'node:net';
import { HTTPFacilitatorClient } from '@x402/core/server';
import { ExactEvmScheme } from '@x402/evm/exact/server';
import { paymentMiddleware, x402ResourceServer } from '@x402/express';
import express from 'express';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PRICE } from '../../sandbox/stock-seller.ts';
import { temporaryFolder } from '../../support/program.ts';
import { type Sandbox, startSandbox } from '../../support/sandbox.ts';
import { openTestWallet } from '../../support/wallets.ts';

let sandbox: Sandbox;
const folder = temporaryFolder();

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(async () => {
  await sandbox.close();
  folder.remove();
});

/** A server of the stock Express middleware, which compares what comes back with what it offered. */
async function startStock(paymentFlow?: string) {
  const { network, payTo, facilitatorUrl } = sandbox;
  const facilitator = new HTTPFacilitatorClient({ url: facilitatorUrl });
  const server = new x402ResourceServer(facilitator).register(network, new ExactEvmScheme());
  const accepts = { scheme: 'exact', network, payTo, price: '$0.01', ...(paymentFlow && { extra: { paymentFlow } }) };
  const app = express();
  app.use(
    paymentMiddleware({ 'GET /thing': { accepts, description: 'One thing', mimeType: 'application/json' } }, server),
  );
  app.get('/thing', (_request, response) => void response.json({ thing: 42 }));
  const listening = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => listening.once('listening', resolve));
  return { url: `http://127.0.0.1:${(listening.address() as AddressInfo).port}`, close: () => listening.close() };
}

describe('a wallet pays the stock Express server', () => {
  test.each([
    ['that settles after the answer', undefined],
    ['that settles before it', 'upfront'],
  ])('%s', async (_name, paymentFlow) => {
    const stock = await startStock(paymentFlow);
    const funded = await sandbox.chain.newWallet(PRICE);
    const { wallet } = openTestWallet({ sandbox, funded, url: stock.url, folder: folder.path });
    const answer = await wallet.fetch(`${stock.url}/thing`);
    expect([answer.status, await answer.json()]).toEqual([200, { thing: 42 }]);
    expect(answer.receipt).toMatchObject({ state: 'settled', amount: '10000', payer: funded.address });
    expect(await sandbox.chain.balanceOf(funded.address)).toBe(0n);
    await wallet.close();
    stock.close();
  });
});
