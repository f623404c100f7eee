import { randomUUID } from 'node:crypto';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { NetworkId } from '../../contract/networks.ts';
import { toUsd } from '../../contract/usd.ts';
import type { Fetch } from '../access.ts';

/** Holds the private key. Signs for one network only. */
export type Signer = ReturnType<typeof openSigner>;

/** Creates a signer over the stock client. Import this file lazily; it loads viem. */
export function openSigner(privateKey: string, network: NetworkId) {
  const account = privateKeyToAccount(privateKey as Hex);
  return {
    address: account.address,
    /** Signs a sign-in message (EIP-191), never a transaction or payment. */
    signText: (message: string): Promise<string> => account.signMessage({ message }),
    /** Wraps `fetch`: answers a 402 with a payment of at most `amountMax`, made by the stock client. */
    paying: (fetch: Fetch, amountMax: bigint): Fetch => {
      const client = new x402Client()
        .register(network, new ExactEvmScheme(account))
        .setSpendControls({ maxAmountPerPayment: toUsd(amountMax, network) })
        .registerExtension({ key: 'payment-identifier', enrichPaymentPayload: async (payload) => identified(payload) });
      return wrapFetchWithPayment(fetch, client);
    },
  };
}

/** Adds a payment identifier, with which a server returns a lost response again. Other servers ignore it. */
function identified<Payload extends { extensions?: Record<string, unknown> }>(payload: Payload): Payload {
  const id = `pay_${randomUUID().replaceAll('-', '')}`;
  return { ...payload, extensions: { ...payload.extensions, 'payment-identifier': { info: { id } } } };
}
