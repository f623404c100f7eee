import { createPublicClient, type Hex, http, parseAbi, parseAbiItem } from 'viem';
import { createLazy } from '../../contract/lazy.ts';
import { NETWORKS, type NetworkId } from '../../contract/networks.ts';
import type { Payment } from '../../contract/spending.ts';

const TIMEOUT_MS = 5_000;
/** Blocks searched for a settlement: more than are mined while the longest authorization is valid. */
const BLOCKS_BACK = 2_000n;
/** Block timestamps follow the clocks of the block producers. */
const SAFETY_SECONDS = 30n;

const abi = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function authorizationState(address, bytes32) view returns (bool)',
  'function name() view returns (string)',
  'function version() view returns (string)',
]);
const authorizationUsed = parseAbiItem('event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)');
const transferEvent = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)');

/** State of an authorization on the chain: used by a transfer, unused, or expired unused. */
export type AuthorizationOutcome =
  | { readonly kind: 'used'; readonly transaction: string | null }
  | { readonly kind: 'unused' }
  | { readonly kind: 'expired' };

/** Read access to the chain, which decides the outcome of a payment if the server does not report it. */
export type AuthorizationReader = ReturnType<typeof openAuthorizationReader>;

/** Opens an RPC endpoint. Each call rejects if it does not respond, or serves another chain than the network. */
export function openAuthorizationReader(network: NetworkId, rpcUrl: string) {
  const { chainId, token } = NETWORKS[network];
  const client = createPublicClient({ transport: http(rpcUrl, { timeout: TIMEOUT_MS, retryCount: 1 }) });
  const contract = { address: token.address, abi } as const;
  /** An RPC of another chain would report every payment as unused. */
  const { get: check } = createLazy(async () => {
    const found = await client.getChainId();
    if (found !== chainId) throw new Error(`WEB3_BI_RPC_URL serves chain ${found} instead of ${chainId}`);
  });
  return {
    balanceOf: async (address: string): Promise<bigint> => {
      await check();
      return client.readContract({ ...contract, functionName: 'balanceOf', args: [address as Hex] });
    },
    /** The token's EIP-712 domain, which a signature must match. */
    tokenDomain: async (): Promise<{ readonly name: string; readonly version: string }> => {
      await check();
      const [name, version] = await Promise.all([
        client.readContract({ ...contract, functionName: 'name' }),
        client.readContract({ ...contract, functionName: 'version' }),
      ]);
      return { name, version };
    },
    outcomeOf: async (payment: Payment): Promise<AuthorizationOutcome> => {
      const { authorization } = payment;
      if (authorization === null) return { kind: 'expired' };
      await check();
      const args = [payment.payer as Hex, authorization.nonce as Hex] as const;
      // Read the block first: an authorization that is unused after a block past its expiry can never be used.
      const { number, timestamp } = await client.getBlock();
      const isUsed = await client.readContract({ ...contract, functionName: 'authorizationState', args });
      if (isUsed) return { kind: 'used', transaction: await settlementOf(payment, args, number) };
      const end = BigInt(Math.ceil(authorization.validBefore.getTime() / 1_000));
      return { kind: timestamp >= end + SAFETY_SECONDS ? 'expired' : 'unused' };
    },
  };

  /** The hash of the transaction that used the authorization, if it made this payment. */
  async function settlementOf(payment: Payment, args: readonly [Hex, Hex], newest: bigint): Promise<string | null> {
    const fromBlock = newest > BLOCKS_BACK ? newest - BLOCKS_BACK : 0n;
    const [authorizer, nonce] = args;
    const [found] = await client.getLogs({
      address: token.address,
      event: authorizationUsed,
      args: { authorizer, nonce },
      fromBlock,
    });
    if (found === undefined) return null;
    const { transactionHash: hash, blockNumber } = found;
    const paid = { from: authorizer, to: payment.payTo as Hex };
    const bounds = { fromBlock: blockNumber, toBlock: blockNumber };
    const transfers = await client.getLogs({ address: token.address, event: transferEvent, args: paid, ...bounds });
    return transfers.some((log) => log.transactionHash === hash && log.args.value === payment.amount) ? hash : null;
  }
}
