import { type Address, parseEther } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { NETWORKS, type NetworkId } from '../contract/networks.ts';
import { findAnvil, startAnvil } from './anvil.ts';
import { type FundedWallet, prepareChain, type SandboxChain } from './chain.ts';
import { type SandboxFacilitator, startFacilitator } from './facilitator.ts';
import { type FaultyServer, startFaultyServer } from './faults.ts';

export interface SandboxOptions {
  /** Network to be a copy of. */
  readonly network?: NetworkId;
  /** Who is paid; by default a new address. */
  readonly payTo?: Address;
  /** Folders to look for anvil in, as in PATH, when no package brings it. */
  readonly searchPath?: string;
  /** What the agent's wallet holds, in base units of the token. */
  readonly walletBaseUnits?: bigint;
  /** How long the facilitator waits for a receipt before it answers settlement_pending. */
  readonly confirmationTimeoutMs?: number;
}

/** A payment network on this machine: chain, token, facilitator and a funded wallet. */
export interface Sandbox {
  readonly network: NetworkId;
  readonly asset: Address;
  readonly payTo: Address;
  readonly wallet: FundedWallet;
  /** The chain's RPC as a service or a wallet sees it. */
  readonly rpcUrl: string;
  readonly facilitatorUrl: string;
  /** Faults between a service or a wallet and the chain. */
  readonly rpc: FaultyServer<'rpc'>;
  /** Faults between a service and the facilitator. */
  readonly facilitator: SandboxFacilitator['server'];
  /** Faults between the facilitator and the chain. */
  readonly facilitatorLine: SandboxFacilitator['line'];
  readonly chain: SandboxChain;
  close(): Promise<void>;
}

const WALLET_BASE_UNITS = 10_000_000n;
const CONFIRMATION_TIMEOUT_MS = 60_000;

/** Starts the chain, places the token at its real address, and serves the facilitator; all on free loopback ports. */
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
    const { server, line, address } = await startFacilitator({
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
      facilitatorLine: line,
      chain,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Stands in front of the chain, so that its answers can fail. */
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
          return { status: 502, body: { error: 'The chain does not answer.' } };
        }
      },
    },
  });
}
