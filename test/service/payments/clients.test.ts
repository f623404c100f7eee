import { wrapAxiosWithPaymentFromConfig } from '@x402/axios';
import { decodePaymentResponseHeader, wrapFetchWithPaymentFromConfig } from '@x402/fetch';
import axios from 'axios';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ExactEvmScheme as FirstExactEvmScheme } from 'x402-evm-first/exact/client';
import { wrapFetchWithPaymentFromConfig as wrapFetchFirst } from 'x402-fetch-first';
import type { NetworkId } from '../../../src/contract/networks.ts';
import type { FundedWallet } from '../../../src/sandbox/chain.ts';
import { schemeOf } from '../../sandbox/stock-seller.ts';
import { type PaidService, startPaidService } from '../../support/paid-service.ts';
import { type Sandbox, startSandbox } from '../../support/sandbox.ts';

const PRICE = 10_000n;

interface Bought {
  readonly status: number;
  readonly receipt: string;
  readonly body: unknown;
}
/** Pays for one search with a stock client. */
type Buy = (url: string, wallet: FundedWallet, network: NetworkId) => Promise<Bought>;

const bought = async (response: Response): Promise<Bought> => ({
  status: response.status,
  receipt: response.headers.get('PAYMENT-RESPONSE') ?? '',
  body: await response.json(),
});

const clients: Readonly<Record<string, Buy>> = {
  '@x402/fetch 2.27.0': async (url, wallet, network) =>
    bought(await wrapFetchWithPaymentFromConfig(fetch, { schemes: [{ network, client: schemeOf(wallet) }] })(url)),
  '@x402/fetch 2.0.0': async (url, wallet, network) => {
    const client = new FirstExactEvmScheme(privateKeyToAccount(wallet.privateKey));
    // This version asks for the second argument.
    return bought(await wrapFetchFirst(fetch, { schemes: [{ network, client }] })(url, {}));
  },
  '@x402/axios 2.11.0': async (url, wallet, network) => {
    const schemes = [{ network, client: schemeOf(wallet) }];
    const { status, headers, data } = await wrapAxiosWithPaymentFromConfig(axios.create(), { schemes }).get(url);
    return { status, receipt: String(headers['payment-response']), body: data };
  },
};

describe.each<NetworkId>(['eip155:84532', 'eip155:8453'])('a service that is paid on %s', (network) => {
  let sandbox: Sandbox;
  let service: PaidService;
  beforeAll(async () => {
    sandbox = await startSandbox({ network });
    service = await startPaidService(sandbox);
  });
  afterAll(async () => {
    await service.close();
    await sandbox.close();
  });

  test.each(Object.entries(clients))('200 for %s, which pays the price once', async (_name, buy) => {
    const wallet = await sandbox.chain.newWallet(3n * PRICE);
    const { status, receipt, body } = await buy(`${service.url}/api/v1/x402/search?q=acme`, wallet, network);
    const { transaction, ...rest } = decodePaymentResponseHeader(receipt);
    expect([status, rest]).toEqual([200, { success: true, network, payer: wallet.address }]);
    expect(body).toMatchObject({
      data: { companies: [{ name: 'Acme' }], people: [{ name: 'Acme Ada' }], investors: [{ name: 'Acme Capital' }] },
      meta: { payer: wallet.address, network, transaction, price_paid: '10000', price_paid_usd: '0.01' },
    });
    const transfers = await sandbox.chain.transfersTo(sandbox.payTo);
    expect(transfers.filter(({ from }) => from === wallet.address)).toEqual([
      { from: wallet.address, to: sandbox.payTo, value: PRICE, transaction },
    ]);
  });
});
