import {
  type Address,
  type Chain,
  createTestClient,
  encodeFunctionData,
  type Hex,
  http,
  parseEther,
  publicActions,
  walletActions,
} from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { NETWORKS, type NetworkId } from '../contract/networks.ts';
import { createSerialQueue } from '../contract/serial-queue.ts';
import { usdcAbi } from './token/abi.ts';
import { MULTICALL3_RUNTIME, USDC_RUNTIME } from './token/compiled.ts';

const MULTICALL3: Address = '0xcA11bde05977b3631167028862bE2a173976CA11';
/** The CREATE2 factory, at the same address on every chain; anvil includes it. */
export const CREATE2_DEPLOYER: Address = '0x4e59b44847b379578588920cA78FbF26c0B4956C';
const POLLING_MS = 20;
/** Calls see the time of the newest block, and a payment may have become valid minutes ago only. */
const BLOCK_AGE_MAX_SECONDS = 60;

/**
 * How to wait for a receipt. While viem looks for a replacement of a transaction it ignores new blocks, and on a chain without
 * other transactions the one it misses is the last.
 */
export const RECEIPT_OPTIONS = { checkReplacement: false };

/** The network as a viem chain. Written by hand, because viem's list of all chains is slow to load. */
export function chainOf(network: NetworkId, rpcUrl: string): Chain {
  const { label, chainId } = NETWORKS[network];
  return {
    id: chainId,
    name: label,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
    contracts: { multicall3: { address: MULTICALL3 } },
  };
}

export interface FundedWallet {
  readonly address: Address;
  readonly privateKey: Hex;
}

export type SandboxChain = Awaited<ReturnType<typeof prepareChain>>;

/** Deploys the token and Multicall3 to an empty chain, at the addresses of the network. */
export async function prepareChain(network: NetworkId, rpcUrl: string) {
  const { address: token, domain } = NETWORKS[network].token;
  const client = clientOf(network, rpcUrl);
  // The minter. Its key is discarded; anvil sends its transactions without a signature.
  const operator = privateKeyToAddress(generatePrivateKey());
  // Concurrent transactions would use the same nonce; a local counter would leave a gap after a rejected one.
  const serialized = createSerialQueue();
  const callToken = async (data: Hex): Promise<void> => {
    const hash = await serialized(() => client.sendTransaction({ account: operator, to: token, data }));
    await client.waitForTransactionReceipt({ hash, ...RECEIPT_OPTIONS });
  };
  await Promise.all([
    client.setCode({ address: token, bytecode: USDC_RUNTIME }),
    client.setCode({ address: MULTICALL3, bytecode: MULTICALL3_RUNTIME }),
    client.setBalance({ address: operator, value: parseEther('1000000') }),
    client.impersonateAccount({ address: operator }),
  ]);
  await callToken(encodeFunctionData({ abi: usdcAbi, functionName: 'init', args: [domain.name, domain.version] }));
  return {
    /** A new wallet with tokens and no ether. */
    newWallet: async (baseUnits: bigint): Promise<FundedWallet> => {
      const privateKey = generatePrivateKey();
      const address = privateKeyToAddress(privateKey);
      await callToken(encodeFunctionData({ abi: usdcAbi, functionName: 'mint', args: [address, baseUnits] }));
      return { address, privateKey };
    },
    setEther: (address: Address, value: bigint): Promise<void> => client.setBalance({ address, value }),
    /** Calls the token as its minter. */
    callToken,
    /** Mines a block if the newest is old: anvil mines only for transactions, other chains continuously. */
    catchUp: async (): Promise<void> => {
      const { timestamp } = await client.getBlock();
      if (Date.now() / 1000 - Number(timestamp) > BLOCK_AGE_MAX_SECONDS) await client.mine({ blocks: 1 });
    },
  };
}

/** A client that may also control the chain. */
export function clientOf(network: NetworkId, rpcUrl: string) {
  const chain = chainOf(network, rpcUrl);
  return createTestClient({ mode: 'anvil', chain, transport: http(rpcUrl), pollingInterval: POLLING_MS })
    .extend(publicActions)
    .extend(walletActions);
}
