import { x402Client } from '@x402/core/client';
import { encodePaymentSignatureHeader } from '@x402/core/http';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { privateKeyToAccount } from 'viem/accounts';
import { NETWORKS } from '../contract/networks.ts';
import { priceOn, X402_VERSION } from '../contract/x402.ts';
import type { Sandbox } from './sandbox.ts';

/** Leaves time to read the documentation first. */
const VALID_SECONDS = 24 * 3_600;

/** Signs a payment of the price with the sandbox's wallet, as the value of PAYMENT-SIGNATURE, for use with curl. */
export async function signExamplePayment(sandbox: Sandbox, url: string): Promise<string> {
  const { network, asset, payTo, wallet } = sandbox;
  const scheme = new ExactEvmScheme(privateKeyToAccount(wallet.privateKey));
  const payment = await new x402Client().register(network, scheme).createPaymentPayload({
    x402Version: X402_VERSION,
    resource: { url },
    accepts: [
      {
        scheme: 'exact',
        network,
        asset,
        payTo,
        amount: priceOn(network),
        maxTimeoutSeconds: VALID_SECONDS,
        extra: { ...NETWORKS[network].token.domain },
      },
    ],
  });
  return encodePaymentSignatureHeader(payment);
}
