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
/** Where the factory for contracts at addresses known ahead (CREATE2) is on every chain; anvil brings it. */
export const CREATE2_DEPLOYER: Address = '0x4e59b44847b379578588920cA78FbF26c0B4956C';
const POLLING_MS = 20;

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

interface Transfer {
  readonly from: Address;
  readonly to: Address;
  /** In base units of the token. */
  readonly value: bigint;
  readonly transaction: Hex;
}

/** Direct control of the chain and its state, without injected faults. */
export interface SandboxChain {
  /** The token's balance, in base units. */
  balanceOf(address: Address): Promise<bigint>;
  /** Every transfer of the token to an address, oldest first. */
  transfersTo(address: Address): Promise<Transfer[]>;
  /** Whether an authorization was used or cancelled. */
  isUsed(from: Address, nonce: Hex): Promise<boolean>;
  /** A new wallet with tokens and no ether. */
  newWallet(baseUnits: bigint): Promise<FundedWallet>;
  mint(to: Address, baseUnits: bigint): Promise<void>;
  /** Makes every transfer from or to the address fail. */
  blacklist(address: Address): Promise<void>;
  setEther(address: Address, wei: bigint): Promise<void>;
  /** Sets the chain's clock and mines a block. */
  setTime(time: Date): Promise<void>;
  increaseTime(seconds: number): Promise<void>;
  /** Timestamp of the newest block. */
  now(): Promise<Date>;
  /** Holds transactions until `mine` or `resumeMining`, including those of this interface. */
  pauseMining(): Promise<void>;
  resumeMining(): Promise<void>;
  mine(blocks: number): Promise<void>;
  snapshot(): Promise<Hex>;
  /** Reverts to a snapshot, as in a chain reorganization. */
  revert(snapshot: Hex): Promise<void>;
}

/** Deploys the token and Multicall3 to an empty chain, at the addresses of the network. */
export async function prepareChain(network: NetworkId, rpcUrl: string): Promise<SandboxChain> {
  const { address: token, domain } = NETWORKS[network].token;
  const client = clientOf(network, rpcUrl);
  // The minter. Its key is discarded: anvil sends for it without a signature.
  const operator = privateKeyToAddress(generatePrivateKey());
  // Concurrent transactions would use the same nonce; a local counter would leave a gap after a rejected one.
  const serialized = createSerialQueue();
  const call = async (data: Hex): Promise<void> => {
    const hash = await serialized(() => client.sendTransaction({ account: operator, to: token, data }));
    await client.waitForTransactionReceipt({ hash });
  };
  const mint: SandboxChain['mint'] = (to, value) =>
    call(encodeFunctionData({ abi: usdcAbi, functionName: 'mint', args: [to, value] }));
  await Promise.all([
    client.setCode({ address: token, bytecode: USDC_RUNTIME }),
    client.setCode({ address: MULTICALL3, bytecode: MULTICALL3_RUNTIME }),
    client.setBalance({ address: operator, value: parseEther('1000000') }),
    client.impersonateAccount({ address: operator }),
  ]);
  await call(encodeFunctionData({ abi: usdcAbi, functionName: 'init', args: [domain.name, domain.version] }));
  return {
    ...reads(client, token),
    ...controls(client),
    mint,
    newWallet: async (baseUnits) => {
      const privateKey = generatePrivateKey();
      const address = privateKeyToAddress(privateKey);
      await mint(address, baseUnits);
      return { address, privateKey };
    },
    blacklist: (address) => call(encodeFunctionData({ abi: usdcAbi, functionName: 'blacklist', args: [address] })),
    setEther: (address, value) => client.setBalance({ address, value }),
  };
}

type Client = ReturnType<typeof clientOf>;

function clientOf(network: NetworkId, rpcUrl: string) {
  const chain = chainOf(network, rpcUrl);
  return createTestClient({ mode: 'anvil', chain, transport: http(rpcUrl), pollingInterval: POLLING_MS })
    .extend(publicActions)
    .extend(walletActions);
}

function reads(client: Client, token: Address): Pick<SandboxChain, 'balanceOf' | 'transfersTo' | 'isUsed' | 'now'> {
  const contract = { address: token, abi: usdcAbi } as const;
  return {
    balanceOf: (address) => client.readContract({ ...contract, functionName: 'balanceOf', args: [address] }),
    isUsed: (from, nonce) =>
      client.readContract({ ...contract, functionName: 'authorizationState', args: [from, nonce] }),
    transfersTo: async (to) => {
      const filter = { ...contract, eventName: 'Transfer', args: { to }, fromBlock: 0n, strict: true } as const;
      const logs = await client.getContractEvents(filter);
      return logs.map(({ args, transactionHash }) => ({ ...args, transaction: transactionHash }));
    },
    now: async () => new Date(Number((await client.getBlock()).timestamp) * 1000),
  };
}

type Controls = 'setTime' | 'increaseTime' | 'pauseMining' | 'resumeMining' | 'mine' | 'snapshot' | 'revert';

function controls(client: Client): Pick<SandboxChain, Controls> {
  const mine = (blocks: number): Promise<void> => client.mine({ blocks });
  return {
    setTime: async (time) => {
      await client.setNextBlockTimestamp({ timestamp: BigInt(Math.floor(time.getTime() / 1000)) });
      await mine(1);
    },
    increaseTime: async (seconds) => {
      await client.increaseTime({ seconds });
      await mine(1);
    },
    pauseMining: () => client.setAutomine(false),
    resumeMining: async () => {
      await client.setAutomine(true);
      await mine(1);
    },
    mine,
    snapshot: () => client.snapshot(),
    revert: (id) => client.revert({ id }),
  };
}
