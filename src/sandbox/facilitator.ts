import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { x402Facilitator } from '@x402/core/facilitator';
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types';
import { type FacilitatorEvmSigner, toFacilitatorEvmSigner } from '@x402/evm';
import { ExactEvmScheme } from '@x402/evm/exact/facilitator';
import express, { type RequestHandler } from 'express';
import { type Account, createWalletClient, http, publicActions } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { NetworkId } from '../contract/networks.ts';
import { createSerialQueue } from '../contract/serial-queue.ts';
import { CREATE2_DEPLOYER, chainOf, RECEIPT_OPTIONS, type SandboxChain } from './chain.ts';

const HOST = '127.0.0.1';
const BODY_MAX = '10mb';
const POLLING_MS = 20;

interface FacilitatorOptions {
  readonly network: NetworkId;
  readonly rpcUrl: string;
  readonly chain: SandboxChain;
  readonly fetchFn: typeof fetch;
  /** How long a settlement waits for its receipt before it is reported as pending. */
  readonly confirmationTimeoutMs: number;
}

/** Serves the official facilitator classes over HTTP. Its account is new and has no ether. */
export async function startFacilitator(options: FacilitatorOptions) {
  const account = privateKeyToAccount(generatePrivateKey());
  // Also accepts payments of contract wallets that this factory has yet to deploy (ERC-6492).
  const scheme = new ExactEvmScheme(signerOf(account, options), { eip6492AllowedFactories: [CREATE2_DEPLOYER] });
  const facilitator = new x402Facilitator().register([options.network], scheme);
  const app = express().disable('x-powered-by');
  app.use(express.text({ type: () => true, limit: BODY_MAX }));
  app.get(
    '/supported',
    respond(async () => facilitator.getSupported()),
  );
  for (const step of ['verify', 'settle'] as const) {
    const work: PaymentWork = async (payload, requirements) => {
      await options.chain.catchUp();
      return facilitator[step](payload, requirements);
    };
    app.post(`/${step}`, respond(work));
  }
  const server = app.listen(0, HOST);
  await once(server, 'listening');
  return {
    url: `http://${HOST}:${(server.address() as AddressInfo).port}`,
    /** The account that pays the gas. */
    address: account.address,
    close: async (): Promise<void> => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

type PaymentWork = (payload: PaymentPayload, requirements: PaymentRequirements) => Promise<unknown>;

/** Responds 500 for a malformed payment, and where the classes throw: for an unknown scheme or network. */
function respond(work: PaymentWork): RequestHandler {
  return async ({ body }, response) => {
    try {
      const { paymentPayload, paymentRequirements } = typeof body === 'string' ? JSON.parse(body) : {};
      response.json(await work(paymentPayload, paymentRequirements));
    } catch (error) {
      response.status(500).json({ error: error instanceof Error ? error.message : String(error) });
    }
  };
}

function signerOf(account: Account, options: FacilitatorOptions): FacilitatorEvmSigner {
  const { network, rpcUrl, fetchFn, confirmationTimeoutMs } = options;
  const chain = chainOf(network, rpcUrl);
  const transport = http(rpcUrl, { fetchFn });
  const client = createWalletClient({ account, chain, transport, pollingInterval: POLLING_MS }).extend(publicActions);
  // Concurrent transactions would use the same nonce; a local counter would leave a gap after a rejected one.
  const serialized = createSerialQueue();
  return toFacilitatorEvmSigner(
    {
      address: account.address,
      getCode: (args) => client.getCode(args),
      readContract: (args) => client.readContract({ ...args, args: args.args ?? [] }),
      verifyTypedData: (args) => client.verifyTypedData(args as Parameters<typeof client.verifyTypedData>[0]),
      sendTransaction: (args) => serialized(() => client.sendTransaction(args)),
      writeContract: (args) =>
        serialized(() => client.writeContract(args as Parameters<typeof client.writeContract>[0])),
      waitForTransactionReceipt: (args) => client.waitForTransactionReceipt({ ...args, ...RECEIPT_OPTIONS }),
    },
    { confirmationTimeoutMs },
  );
}
