import * as product from '../../src/sandbox/sandbox.ts';
import { type FaultRoute, type FaultyServer, startFaultyServer } from './faulty-server.ts';
import { controlChain, type SandboxChain } from './sandbox-chain.ts';

/** A sandbox whose connections can fail, and whose chain obeys. */
export interface Sandbox extends product.Sandbox {
  /** Faults between a service or wallet and the chain. */
  readonly rpc: FaultyServer<'rpc'>;
  /** Faults between a service and the facilitator. */
  readonly facilitator: FaultyServer<'supported' | 'verify' | 'settle'>;
  /** The facilitator's connection to the chain. */
  readonly facilitatorChainLink: { disconnect(): void; reconnect(): void };
  readonly chain: SandboxChain;
}

export async function startSandbox(options: product.SandboxOptions = {}): Promise<Sandbox> {
  let isCut = false;
  const sandbox = await product.startSandbox({
    ...options,
    facilitatorFetch: (input, init) => (isCut ? Promise.reject(new TypeError('fetch failed')) : fetch(input, init)),
  });
  const rpc = await startFaultyServer({ rpc: passedOn('post', '/', sandbox.rpcUrl) });
  const facilitator = await startFaultyServer({
    supported: passedOn('get', '/supported', sandbox.facilitatorUrl),
    verify: passedOn('post', '/verify', sandbox.facilitatorUrl),
    settle: passedOn('post', '/settle', sandbox.facilitatorUrl),
  });
  return {
    ...sandbox,
    rpcUrl: rpc.url,
    facilitatorUrl: facilitator.url,
    rpc,
    facilitator,
    facilitatorChainLink: {
      disconnect: () => {
        isCut = true;
      },
      reconnect: () => {
        isCut = false;
      },
    },
    chain: controlChain(sandbox.network, sandbox.rpcUrl, sandbox.chain),
    close: async () => {
      for (const server of [facilitator, rpc, sandbox]) await ('stop' in server ? server.stop() : server.close());
    },
  };
}

/** A route that passes requests on to the server behind it. */
function passedOn(method: FaultRoute['method'], path: string, url: string): FaultRoute {
  const headers = { 'Content-Type': 'application/json' };
  return {
    method,
    path,
    work: async (body) => {
      try {
        const answer = await fetch(url + path, method === 'get' ? {} : { method: 'POST', headers, body });
        return { status: answer.status, body: await answer.text() };
      } catch {
        return { status: 502, body: { error: 'What is behind does not respond.' } };
      }
    },
  };
}
