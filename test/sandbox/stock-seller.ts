import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { x402Client } from '@x402/core/client';
import {
  decodePaymentSignatureHeader,
  encodePaymentRequiredHeader,
  encodePaymentResponseHeader,
  HTTPFacilitatorClient,
} from '@x402/core/http';
import type { PaymentPayload, PaymentRequired, PaymentRequirements } from '@x402/core/types';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { privateKeyToAccount } from 'viem/accounts';
import { NETWORKS } from '../../src/contract/networks.ts';
import type { FundedWallet } from '../../src/sandbox/chain.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';

export const PRICE = 10_000n;

/** What a payment of the price needs, as a stock server states it. */
export function requirementsOf({ network, asset, payTo }: Sandbox): PaymentRequirements {
  const extra = NETWORKS[network].token.domain;
  return { scheme: 'exact', network, asset, payTo, amount: String(PRICE), maxTimeoutSeconds: 300, extra };
}

/** A stock client's scheme that signs with a wallet. */
export const schemeOf = ({ privateKey }: FundedWallet) => new ExactEvmScheme(privateKeyToAccount(privateKey));

/** A payment of the price, signed by a stock client. */
export function signPayment(sandbox: Sandbox, wallet: FundedWallet): Promise<PaymentPayload> {
  const client = new x402Client().register(sandbox.network, schemeOf(wallet));
  return client.createPaymentPayload(offerOf(sandbox, 'http://shop.test/'));
}

const offerOf = (sandbox: Sandbox, url: string): PaymentRequired => ({
  x402Version: 2,
  error: 'Payment required',
  resource: { url, description: 'One answer', mimeType: 'application/json' },
  accepts: [requirementsOf(sandbox)],
});

export interface StockSeller {
  readonly url: string;
  close(): Promise<void>;
}

/** The smallest server that sells for the price, made of the stock codecs: 402, verify, settle, 200. */
export async function startStockSeller(sandbox: Sandbox): Promise<StockSeller> {
  const facilitator = new HTTPFacilitatorClient({ url: sandbox.facilitatorUrl });
  const requirements = requirementsOf(sandbox);
  const server = createServer(async (request, response) => {
    const refuse = (reason?: string): void => {
      const offer = { ...offerOf(sandbox, `http://shop.test${request.url}`), ...(reason && { error: reason }) };
      response.writeHead(402, { 'PAYMENT-REQUIRED': encodePaymentRequiredHeader(offer) }).end('{}');
    };
    const header = request.headers['payment-signature'];
    if (typeof header !== 'string') return refuse();
    const payment = decodePaymentSignatureHeader(header);
    const verified = await facilitator.verify(payment, requirements);
    if (!verified.isValid) return refuse(verified.invalidReason);
    const settled = await facilitator.settle(payment, requirements);
    if (!settled.success) return refuse(settled.errorReason);
    response.writeHead(200, { 'PAYMENT-RESPONSE': encodePaymentResponseHeader(settled) }).end('{"answer":42}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
