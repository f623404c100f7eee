import { x402Facilitator } from '@x402/core/facilitator';
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types';
import { type FacilitatorEvmSigner, toFacilitatorEvmSigner } from '@x402/evm';
import { ExactEvmScheme } from '@x402/evm/exact/facilitator';
import { type Account, createWalletClient, http, publicActions } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { NetworkId } from '../contract/networks.ts';
import { createSerialQueue } from '../contract/serial-queue.ts';
import { CREATE2_DEPLOYER, chainOf } from './chain.ts';
import { type FaultReply, type FaultyServer, startFaultyServer } from './faults.ts';

const POLLING_MS = 20;

/** The facilitator's connection to the chain, which can fail separately. */
interface ChainLink {
  disconnect(): void;
  reconnect(): void;
}

export interface SandboxFacilitator {
  readonly server: FaultyServer<'supported' | 'verify' | 'settle'>;
  readonly chainLink: ChainLink;
  /** The account that pays the gas. */
  readonly address: `0x${string}`;
}

export interface FacilitatorOptions {
  readonly network: NetworkId;
  readonly rpcUrl: string;
  /** How long a settlement waits for its receipt before it is reported as pending. */
  readonly confirmationTimeoutMs: number;
}

/** Serves the official facilitator classes over HTTP. Its account is new and has no ether. */
export async function startFacilitator(options: FacilitatorOptions): Promise<SandboxFacilitator> {
  const account = privateKeyToAccount(generatePrivateKey());
  const { line: chainLink, fetchFn } = createChainLink();
  const signer = signerOf(account, fetchFn, options);
  // Wallets that are contracts and not on the chain yet pay as well, where this factory makes them (ERC-6492).
  const scheme = new ExactEvmScheme(signer, { eip6492AllowedFactories: [CREATE2_DEPLOYER] });
  const facilitator = new x402Facilitator().register([options.network], scheme);
  const server = await startFaultyServer({
    supported: { method: 'get', path: '/supported', work: () => replyOf(async () => facilitator.getSupported()) },
    verify: {
      method: 'post',
      path: '/verify',
      work: (body) => replyOf(() => facilitator.verify(...paymentOf(body))),
    },
    settle: {
      method: 'post',
      path: '/settle',
      work: (body) => replyOf(() => facilitator.settle(...paymentOf(body))),
    },
  });
  return { server, chainLink, address: account.address };
}

function createChainLink(): { line: ChainLink; fetchFn: typeof fetch } {
  let isCut = false;
  const fetchFn: typeof fetch = (input, init) =>
    isCut ? Promise.reject(new TypeError('fetch failed')) : fetch(input, init);
  return {
    fetchFn,
    line: {
      disconnect: () => {
        isCut = true;
      },
      reconnect: () => {
        isCut = false;
      },
    },
  };
}

function paymentOf(body: string): [PaymentPayload, PaymentRequirements] {
  const { paymentPayload, paymentRequirements } = JSON.parse(body) as {
    paymentPayload: PaymentPayload;
    paymentRequirements: PaymentRequirements;
  };
  return [paymentPayload, paymentRequirements];
}

/** The classes throw for an unknown scheme or network. */
async function replyOf(work: () => Promise<unknown>): Promise<FaultReply> {
  try {
    return { status: 200, body: await work() };
  } catch (error) {
    return { status: 500, body: { error: error instanceof Error ? error.message : String(error) } };
  }
}

function signerOf(account: Account, fetchFn: typeof fetch, options: FacilitatorOptions): FacilitatorEvmSigner {
  const { network, rpcUrl, confirmationTimeoutMs } = options;
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
      waitForTransactionReceipt: (args) => client.waitForTransactionReceipt(args),
    },
    { confirmationTimeoutMs },
  );
}
