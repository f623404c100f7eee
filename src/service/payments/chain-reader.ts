import {
  type Address,
  createPublicClient,
  type Hex,
  http,
  numberToHex,
  pad,
  parseAbi,
  TransactionReceiptNotFoundError,
  toEventSelector,
} from 'viem';
import { NETWORKS, type NetworkId } from '../../contract/networks.ts';
import type { PaymentRecord } from '../../store/port/payments.ts';

export type PaymentLookup = Pick<
  PaymentRecord,
  'network' | 'token' | 'payer' | 'nonce' | 'pay_to' | 'amount' | 'valid_before'
>;

/** State of an authorization on the chain. */
export type PaymentOutcome =
  | { readonly kind: 'paid'; readonly transaction: Hex }
  /** Not used, and still valid. */
  | { readonly kind: 'unused' }
  /** Expired unused. */
  | { readonly kind: 'expired' }
  /** Cancelled, or used without paying us. */
  | { readonly kind: 'void' }
  /** The chain is unavailable, or its answer is inconclusive. */
  | { readonly kind: 'away'; readonly reason: string };

interface SignedText {
  readonly network: NetworkId;
  readonly address: string;
  readonly message: string;
  readonly signature: string;
}

const TIMEOUT_MS = 5_000;
const RETRIES = 1;
/** Blocks per query; public nodes reject larger ranges. */
const WINDOW_BLOCKS = 2_000n;
/** Bounds the search to two days of blocks at two seconds each. */
const WINDOWS_MAX = 44;
/** Nodes behind a load balancer may be at different blocks. */
const LAG_SECONDS = 60n;

const ABI = parseAbi([
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)',
]);

type Client = ReturnType<typeof clientOf>;

/** Read access to the chain. Never throws. */
export type ChainReader = ReturnType<typeof createChainReader>;

export function createChainReader(rpcUrl: string) {
  const client = clientOf(rpcUrl);
  return {
    /** `stated` is the transaction that is said to have used it; it is read first. */
    outcomeOf: async (payment: PaymentLookup, stated?: string): Promise<PaymentOutcome> => {
      try {
        const outcome = stated === undefined ? undefined : await readStated(client, payment, stated as Hex);
        return outcome?.kind === 'paid' ? outcome : await readOutcome(client, payment);
      } catch (error) {
        return { kind: 'away', reason: nameOf(error) };
      }
    },
    /** Whether an address is a contract; undefined if the chain is unavailable. */
    hasCode: async (address: string): Promise<boolean | undefined> => {
      try {
        return (await client.getCode({ address: address as Address })) !== undefined;
      } catch {
        return undefined;
      }
    },
    /** Whether an address signed a text, as verified by a contract (ERC-1271, ERC-6492); undefined if the chain is unavailable. */
    hasSigned: async ({ network, address, message, signature }: SignedText): Promise<boolean | undefined> => {
      try {
        // The verification reports an unavailable node as an invalid signature, so check first, and the chain with it.
        if ((await client.getChainId()) !== NETWORKS[network].chainId) return undefined;
        return await client.verifyMessage({ address: address as Address, message, signature: signature as Hex });
      } catch {
        return undefined;
      }
    },
  };
}

const clientOf = (rpcUrl: string) =>
  createPublicClient({ transport: http(rpcUrl, { timeout: TIMEOUT_MS, retryCount: RETRIES }) });

/** The error name only; messages contain the URL of the node, which may include a key. */
const nameOf = (error: unknown): string => (error instanceof Error && /^\w+$/.test(error.name) ? error.name : 'Error');

async function readOutcome(client: Client, payment: PaymentLookup): Promise<PaymentOutcome> {
  const chainId = await client.getChainId();
  if (chainId !== NETWORKS[payment.network].chainId) return { kind: 'away', reason: 'wrong_chain' };
  const block = await client.getBlock();
  const isUsed = await client.readContract({
    address: payment.token as Address,
    abi: ABI,
    functionName: 'authorizationState',
    args: [payment.payer as Address, payment.nonce as Hex],
  });
  if (isUsed) return findUse(client, payment, await client.getBlockNumber({ cacheTime: 0 }));
  return block.timestamp > BigInt(payment.valid_before) + LAG_SECONDS ? { kind: 'expired' } : { kind: 'unused' };
}

/** Finds the transaction that used an authorization, newest blocks first, because payments are recent. */
async function findUse(client: Client, payment: PaymentLookup, newest: bigint): Promise<PaymentOutcome> {
  const filter = { address: payment.token as Address, abi: ABI } as const;
  const args = { authorizer: payment.payer as Address, nonce: payment.nonce as Hex };
  let toBlock = newest;
  for (let window = 0; window < WINDOWS_MAX; window += 1) {
    const fromBlock = toBlock >= WINDOW_BLOCKS ? toBlock - WINDOW_BLOCKS + 1n : 0n;
    const range = { fromBlock, toBlock };
    const [used] = await client.getContractEvents({ ...filter, eventName: 'AuthorizationUsed', args, ...range });
    if (used !== undefined) return readUse(client, payment, used.transactionHash);
    const canceled = await client.getContractEvents({ ...filter, eventName: 'AuthorizationCanceled', args, ...range });
    if (canceled.length > 0) return { kind: 'void' };
    if (fromBlock === 0n) break;
    toBlock = fromBlock - 1n;
  }
  return { kind: 'away', reason: 'use_not_found' };
}

/** Undefined if there is no such transaction, or not yet on this node. */
async function readStated(client: Client, payment: PaymentLookup, hash: Hex): Promise<PaymentOutcome | undefined> {
  try {
    return await readUse(client, payment, hash);
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return undefined;
    throw error;
  }
}

/** First topics of the events, computed once: decoding a log hashes the signatures of its ABI again. */
const USE_TOPIC = toEventSelector('AuthorizationUsed(address,bytes32)');
const TRANSFER_TOPIC = toEventSelector('Transfer(address,address,uint256)');
const WORD_BYTES = 32;

/** An authorization paid us only if its transaction used it and transferred the price from the payer to us. */
async function readUse(client: Client, payment: PaymentLookup, hash: Hex): Promise<PaymentOutcome> {
  const receipt = await client.getTransactionReceipt({ hash });
  const [payer, payTo] = [pad(payment.payer as Hex), pad(payment.pay_to as Hex)];
  const price = numberToHex(BigInt(payment.amount), { size: WORD_BYTES });
  const isLogged = (topics: readonly string[], value: string): boolean =>
    receipt.logs.some((log) => isSameHex([log.address, ...log.topics, log.data], [payment.token, ...topics, value]));
  const isUse = isLogged([USE_TOPIC, payer, payment.nonce], '0x');
  const isPaid = isLogged([TRANSFER_TOPIC, payer, payTo], price);
  return receipt.status === 'success' && isUse && isPaid ? { kind: 'paid', transaction: hash } : { kind: 'void' };
}

const isSameHex = (left: readonly string[], right: readonly string[]): boolean =>
  left.join().toLowerCase() === right.join().toLowerCase();
