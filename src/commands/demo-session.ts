import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { ConfigError } from './config.ts';

type Environment = Readonly<Record<string, string>>;

/** Result of a tool and its duration. */
interface ToolAnswer {
  readonly result: unknown;
  readonly ms: number;
}

/** An agent's session with this program over stdio. */
export interface DemoSession {
  /** Calls a tool. Throws on an error result. Calls must not overlap. */
  call(tool: string, args: object): Promise<ToolAnswer>;
  close(): Promise<void>;
}

interface Message {
  readonly id?: number;
  readonly result?: { readonly structuredContent?: unknown; readonly isError?: boolean };
  readonly error?: unknown;
}

const PROTOCOL_VERSION = '2025-11-25';

/**
 * Starts `web3-bi mcp` as a host does, with only the given settings. Implements JSON-RPC itself, because the SDK's
 * client would add 118 kB to the package.
 */
export async function openSession(settings: Environment): Promise<DemoSession> {
  const child = start(['mcp'], settings);
  const ended = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let id = 0;
  const send = (message: object): void => void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  async function request(method: string, params: object): Promise<Message['result']> {
    id += 1;
    send({ id, method, params });
    for (;;) {
      const { value, done } = await lines.next();
      if (done) throw new ConfigError(`web3-bi mcp ended before it answered ${method}.`);
      const answer = JSON.parse(value) as Message;
      if (answer.id !== id) continue;
      if (answer.error === undefined && answer.result?.isError !== true) return answer.result;
      throw new ConfigError(`web3-bi mcp answered ${method} with an error: ${value}`);
    }
  }
  const clientInfo = { name: 'demo-agent', version: '1.0.0' };
  await request('initialize', { protocolVersion: PROTOCOL_VERSION, capabilities: {}, clientInfo });
  send({ method: 'notifications/initialized' });
  return {
    call: async (name, args) => {
      const startedAt = performance.now();
      const answer = await request('tools/call', { name, arguments: args });
      return { result: answer?.structuredContent, ms: Math.round(performance.now() - startedAt) };
    },
    close: async () => {
      child.stdin.end();
      await ended;
    },
  };
}

/** The ready event of `web3-bi sandbox`. */
export interface SandboxReady {
  readonly url: string;
  readonly rpcUrl: string;
  readonly payTo: string;
  readonly apiKey: string;
  readonly wallet: { readonly privateKey: string };
}

/** Starts a selling service with a local chain. */
export async function startDemoSandbox(settings: Environment): Promise<SandboxReady & { stop(): Promise<void> }> {
  const child = start(['sandbox', '--port', '0'], settings, 'ignore');
  const ended = once(child, 'exit');
  const first = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
  if (first.done) throw new ConfigError('web3-bi sandbox ended before it was ready; run it by itself to see why.');
  return {
    ...(JSON.parse(first.value) as SandboxReady),
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function start(
  args: readonly string[],
  settings: Environment,
  stderr: 'inherit' | 'ignore' = 'inherit',
): ChildProcessByStdio<Writable, Readable, null> {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('WEB3_BI_'));
  const env = { ...Object.fromEntries(own), ...settings };
  const child = spawn(process.execPath, [process.argv[1] ?? '', ...args], { env, stdio: ['pipe', 'pipe', stderr] });
  // Before the folder of its state is removed.
  const stop = (): void => void child.kill();
  process.prependListener('exit', stop);
  child.once('exit', () => process.off('exit', stop));
  return child;
}
