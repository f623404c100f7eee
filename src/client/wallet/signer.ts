import { randomUUID } from 'node:crypto';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { NetworkId } from '../../contract/networks.ts';
import { toUsd } from '../../contract/usd.ts';
import type { Fetch } from '../access.ts';

/** What holds the key. It signs for one network and nothing else. */
export interface Signer {
  readonly address: Hex;
  /** Signs a text as a person's wallet does when it signs in (EIP-191): never a transaction, and never a payment. */
  signText(text: string): Promise<string>;
  /** A fetch that answers a 402 of `fetch` with a payment of at most `amountMax`, made by the stock client. */
  paying(fetch: Fetch, amountMax: bigint): Fetch;
}

/** Opens the stock client over a private key. This file is loaded when a wallet is used, and not before. */
export function openSigner(privateKey: string, network: NetworkId): Signer {
  const account = privateKeyToAccount(privateKey as Hex);
  return {
    address: account.address,
    signText: (message) => account.signMessage({ message }),
    paying: (fetch, amountMax) => {
      const client = new x402Client()
        .register(network, new ExactEvmScheme(account))
        .setSpendControls({ maxAmountPerPayment: toUsd(amountMax, network) })
        .registerExtension({ key: 'payment-identifier', enrichPaymentPayload: async (payload) => identified(payload) });
      return wrapFetchWithPayment(fetch, client);
    },
  };
}

/** With an identifier, a server gives the paid answer again when it was lost on the way. Others pass over it. */
function identified<Payload extends { extensions?: Record<string, unknown> }>(payload: Payload): Payload {
  const id = `pay_${randomUUID().replaceAll('-', '')}`;
  return { ...payload, extensions: { ...payload.extensions, 'payment-identifier': { info: { id } } } };
}
