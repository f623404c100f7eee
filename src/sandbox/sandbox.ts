import { x402Client } from '@x402/core/client';
import { encodePaymentSignatureHeader } from '@x402/core/http';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { type Address, parseEther } from 'viem';
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts';
import { NETWORKS, type NetworkId } from '../contract/networks.ts';
import { priceOn, X402_VERSION } from '../contract/x402.ts';
import { findAnvil, startAnvil } from './anvil.ts';
import { prepareChain } from './chain.ts';
import { startFacilitator } from './facilitator.ts';

export interface SandboxOptions {
  readonly network?: NetworkId;
  /** Payee; by default a new address. */
  readonly payTo?: Address;
  /** Folders to search for anvil, as in PATH, if no package contains it. */
  readonly searchPath?: string;
  readonly walletBaseUnits?: bigint;
  /** How long the facilitator waits for a receipt before it reports settlement_pending. */
  readonly confirmationTimeoutMs?: number;
  readonly facilitatorFetch?: typeof fetch;
}

/** A payment network on this machine: chain, token, facilitator and a funded wallet. */
export type Sandbox = Awaited<ReturnType<typeof startSandbox>>;

const WALLET_BASE_UNITS = 10_000_000n;
const CONFIRMATION_TIMEOUT_MS = 60_000;

/** Starts the chain, deploys the token at its real address and starts the facilitator, all on free loopback ports. */
export async function startSandbox(options: SandboxOptions = {}) {
  const { network = 'eip155:84532', walletBaseUnits = WALLET_BASE_UNITS } = options;
  const { chainId, token } = NETWORKS[network];
  const anvil = await startAnvil(findAnvil(options.searchPath ?? ''), chainId);
  try {
    const chain = await prepareChain(network, anvil.url);
    const facilitator = await startFacilitator({
      network,
      rpcUrl: anvil.url,
      chain,
      fetchFn: options.facilitatorFetch ?? fetch,
      confirmationTimeoutMs: options.confirmationTimeoutMs ?? CONFIRMATION_TIMEOUT_MS,
    });
    await chain.setEther(facilitator.address, parseEther('1000'));
    return {
      network,
      asset: token.address,
      payTo: options.payTo ?? privateKeyToAddress(generatePrivateKey()),
      wallet: await chain.newWallet(walletBaseUnits),
      rpcUrl: anvil.url,
      facilitatorUrl: facilitator.url,
      chain,
      close: async (): Promise<void> => {
        await facilitator.close();
        await anvil.close();
      },
    };
  } catch (error) {
    await anvil.close();
    throw error;
  }
}

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
