import { type Address, parseEther } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { NETWORKS, type NetworkId } from '../contract/networks.ts';
import { findAnvil, startAnvil } from './anvil.ts';
import { type FundedWallet, prepareChain, type SandboxChain } from './chain.ts';
import { type SandboxFacilitator, startFacilitator } from './facilitator.ts';
import { type FaultyServer, startFaultyServer } from './faults.ts';

export interface SandboxOptions {
  /** Network to simulate. */
  readonly network?: NetworkId;
  /** Payee; by default a new address. */
  readonly payTo?: Address;
  /** Folders to search for anvil, as in PATH, if no package contains it. */
  readonly searchPath?: string;
  /** Balance of the agent's wallet, in base units of the token. */
  readonly walletBaseUnits?: bigint;
  /** How long the facilitator waits for a receipt before it reports settlement_pending. */
  readonly confirmationTimeoutMs?: number;
}

/** A payment network on this machine: chain, token, facilitator and a funded wallet. */
export interface Sandbox {
  readonly network: NetworkId;
  readonly asset: Address;
  readonly payTo: Address;
  readonly wallet: FundedWallet;
  /** The chain's RPC endpoint, with fault injection. */
  readonly rpcUrl: string;
  readonly facilitatorUrl: string;
  /** Faults between a service or wallet and the chain. */
  readonly rpc: FaultyServer<'rpc'>;
  /** Faults between a service and the facilitator. */
  readonly facilitator: SandboxFacilitator['server'];
  /** Faults between the facilitator and the chain. */
  readonly facilitatorChainLink: SandboxFacilitator['chainLink'];
  readonly chain: SandboxChain;
  close(): Promise<void>;
}

const WALLET_BASE_UNITS = 10_000_000n;
const CONFIRMATION_TIMEOUT_MS = 60_000;

/** Starts the chain, deploys the token at its real address and starts the facilitator, all on free loopback ports. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { network = 'eip155:84532', walletBaseUnits = WALLET_BASE_UNITS } = options;
  const { chainId, token } = NETWORKS[network];
  const anvil = await startAnvil(findAnvil(options.searchPath ?? ''), chainId);
  const opened: { stop(): Promise<void> }[] = [];
  const close = async (): Promise<void> => {
    for (const server of opened) await server.stop();
    await anvil.close();
  };
  try {
    const chain = await prepareChain(network, anvil.url);
    const { server, chainLink, address } = await startFacilitator({
      network,
      rpcUrl: anvil.url,
      confirmationTimeoutMs: options.confirmationTimeoutMs ?? CONFIRMATION_TIMEOUT_MS,
    });
    opened.push(server);
    const rpc = await startRpc(anvil.url);
    opened.push(rpc);
    await chain.setEther(address, parseEther('1000'));
    return {
      network,
      asset: token.address,
      payTo: options.payTo ?? privateKeyToAddress(generatePrivateKey()),
      wallet: await chain.newWallet(walletBaseUnits),
      rpcUrl: rpc.url,
      facilitatorUrl: server.url,
      rpc,
      facilitator: server,
      facilitatorChainLink: chainLink,
      chain,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A proxy in front of the chain, for fault injection. */
function startRpc(chainUrl: string): Promise<FaultyServer<'rpc'>> {
  const headers = { 'Content-Type': 'application/json' };
  return startFaultyServer({
    rpc: {
      method: 'post',
      path: '/',
      work: async (body) => {
        try {
          const answer = await fetch(chainUrl, { method: 'POST', headers, body });
          return { status: answer.status, body: await answer.text() };
        } catch {
          return { status: 502, body: { error: 'The chain does not respond.' } };
        }
      },
    },
  });
}
