import { type Address, createPublicClient, type Hex, http, isAddressEqual, parseAbi, parseEventLogs } from 'viem';
import { NETWORKS, type NetworkId } from '../../contract/networks.ts';
import type { PaymentRecord } from '../../store/port/payments.ts';

/** What a payment is looked up by. */
export type PaymentLookup = Pick<
  PaymentRecord,
  'network' | 'token' | 'payer' | 'nonce' | 'pay_to' | 'amount' | 'valid_before'
>;

/** What the chain knows of an authorization. */
export type PaymentOutcome =
  | { readonly kind: 'paid'; readonly transaction: Hex }
  /** Not used so far, and it can still be. */
  | { readonly kind: 'unused' }
  /** It can not be used any more, and was not. */
  | { readonly kind: 'expired' }
  /** It was canceled, or used without paying us. */
  | { readonly kind: 'void' }
  /** The chain could not be asked, or did not say enough. */
  | { readonly kind: 'away'; readonly reason: string };

/** Reads of the chain. They never throw. */
export interface ChainReader {
  fateOf(payment: PaymentLookup): Promise<PaymentOutcome>;
  /** Whether an address is a contract; undefined when that could not be read. */
  hasCode(address: string): Promise<boolean | undefined>;
  /** Whether an address has signed a text, as a contract judges it (ERC-1271, ERC-6492); undefined when that could not be read. */
  hasSigned(signed: SignedText): Promise<boolean | undefined>;
}

interface SignedText {
  readonly network: NetworkId;
  readonly address: string;
  readonly message: string;
  readonly signature: string;
}

const TIMEOUT_MS = 5_000;
const RETRIES = 1;
/** Blocks that are searched at once; public nodes refuse more. */
const WINDOW_BLOCKS = 2_000n;
/** Windows back from the newest block: two days on a chain with a block every two seconds. */
const WINDOWS_MAX = 44;
/** Several nodes behind one address are not all at the same block. */
const LAG_SECONDS = 60n;

const ABI = parseAbi([
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
]);

type Client = ReturnType<typeof clientOf>;

export function createChainReader(rpcUrl: string): ChainReader {
  const client = clientOf(rpcUrl);
  return {
    fateOf: async (payment) => {
      try {
        return await readFate(client, payment);
      } catch (error) {
        return { kind: 'away', reason: nameOf(error) };
      }
    },
    hasCode: async (address) => {
      try {
        return (await client.getCode({ address: address as Address })) !== undefined;
      } catch {
        return undefined;
      }
    },
    hasSigned: async ({ network, address, message, signature }) => {
      try {
        // What comes after it calls a node that is away a signature that is wrong, and judges by any chain.
        if ((await client.getChainId()) !== NETWORKS[network].chainId) return undefined;
        return await client.verifyMessage({ address: address as Address, message, signature: signature as Hex });
      } catch {
        return undefined;
      }
    },
  };
}

function clientOf(rpcUrl: string) {
  return createPublicClient({ transport: http(rpcUrl, { timeout: TIMEOUT_MS, retryCount: RETRIES }) });
}

/** The name of a failure only: its message has the address of the node in it, which may have a key. */
const nameOf = (error: unknown): string => (error instanceof Error && /^\w+$/.test(error.name) ? error.name : 'Error');

async function readFate(client: Client, payment: PaymentLookup): Promise<PaymentOutcome> {
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

/** Where the authorization was used: the newest blocks first, because payments are looked up soon after. */
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

/** An authorization that was used has paid us only if the price came from the payer to us in the same transaction. */
async function readUse(client: Client, payment: PaymentLookup, hash: Hex): Promise<PaymentOutcome> {
  const { status, logs } = await client.getTransactionReceipt({ hash });
  const transfers = parseEventLogs({ abi: ABI, eventName: 'Transfer', logs });
  const isPaid = transfers.some(
    ({ address, args: { from, to, value } }) =>
      isAddressEqual(address, payment.token as Address) &&
      isAddressEqual(from, payment.payer as Address) &&
      isAddressEqual(to, payment.pay_to as Address) &&
      value === BigInt(payment.amount),
  );
  return status === 'success' && isPaid ? { kind: 'paid', transaction: hash } : { kind: 'void' };
}
