import { type Address, encodeFunctionData, type Hex } from 'viem';
import { NETWORKS, type NetworkId } from '../../src/contract/networks.ts';
import { clientOf, type SandboxChain as ProductChain } from '../../src/sandbox/chain.ts';
import { usdcAbi } from '../../src/sandbox/token/abi.ts';

interface Transfer {
  readonly from: Address;
  readonly to: Address;
  /** In base units of the token. */
  readonly value: bigint;
  readonly transaction: Hex;
}

/** Direct control of the chain and its state, without injected faults. */
export interface SandboxChain extends ProductChain {
  /** The token's balance, in base units. */
  balanceOf(address: Address): Promise<bigint>;
  /** Every transfer of the token to an address, oldest first. */
  transfersTo(address: Address): Promise<Transfer[]>;
  /** Whether an authorization was used or cancelled. */
  isUsed(from: Address, nonce: Hex): Promise<boolean>;
  mint(to: Address, baseUnits: bigint): Promise<void>;
  /** Makes every transfer from or to the address fail. */
  blacklist(address: Address): Promise<void>;
  /** Sets the chain's clock and mines a block. */
  setTime(time: Date): Promise<void>;
  increaseTime(seconds: number): Promise<void>;
  /** Leaves the newest block this old and the clock at the present, as a chain without transactions has it. */
  idle(seconds: number): Promise<void>;
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

/** Controls the chain of a sandbox at its own address, where no fault is injected. */
export function controlChain(network: NetworkId, rpcUrl: string, chain: ProductChain): SandboxChain {
  const client = clientOf(network, rpcUrl);
  return {
    ...chain,
    ...reads(client, NETWORKS[network].token.address),
    ...controls(client),
    mint: (to, value) => chain.callToken(encodeFunctionData({ abi: usdcAbi, functionName: 'mint', args: [to, value] })),
    blacklist: (address) =>
      chain.callToken(encodeFunctionData({ abi: usdcAbi, functionName: 'blacklist', args: [address] })),
  };
}

type Client = ReturnType<typeof clientOf>;

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

type Controls = 'setTime' | 'increaseTime' | 'idle' | 'pauseMining' | 'resumeMining' | 'mine' | 'snapshot' | 'revert';

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
    idle: async (seconds) => {
      const present = Math.floor(Date.now() / 1000);
      const setClock = (time: number): Promise<unknown> =>
        client.request<{ Method: 'evm_setTime'; Parameters: [number]; ReturnType: unknown }>({
          method: 'evm_setTime',
          params: [time],
        });
      await setClock(present - seconds);
      await mine(1);
      await setClock(present);
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
