import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { ServiceError } from '../contract/errors.ts';
import { openSqlite } from '../store/sqlite/driver.ts';
import { type Command, JSON_FLAG } from './command.ts';
import { ConfigError } from './config.ts';
import { type DemoStep, KEY_STEPS, type Paid, RECORD_STEPS, WALLET_STEPS } from './demo-steps.ts';
import { paragraph, print, printJson, printTable, proseWidth, styled, wrap } from './output.ts';
import { asTyped, inHost } from './started-as.ts';

export const command: Command = {
  usage: 'demo',
  about:
    'Show the tool calls of an agent: searches, a record, totals and a connection from the shipped data, and, ' +
    'where anvil is installed, a search with a key and a paid one. Ends by itself and leaves no files.',
  example: 'web3-bi demo',
  isPlain: true,
  flags: { json: { ...JSON_FLAG, description: 'Print the calls and their raw results as one JSON document.' } },
  settings: [],
  run: async ({ flags }) => {
    // A binding that does not load is told before anything starts.
    openSqlite(':memory:').close();
    const folder = mkdtempSync(join(tmpdir(), 'web3-bi-demo-'));
    // A closed pipe and a signal end the process without the end of `run`.
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    for (const [signal, code] of STOP_CODES) process.once(signal, () => process.exit(code));
    const isJson = flags['json'] === true;
    const silent = (): void => {};
    const output = isJson ? createDemoOutput(silent, silent) : printedOutput();
    const settings = { WEB3_BI_STATE_DIR: folder };
    await output.runSteps(
      'An agent without an account, a key or settings: web3-bi mcp with its own data',
      RECORD_STEPS,
      settings,
    );
    const payment = await payForSearches(output, settings);
    if (isJson) printJson({ calls: output.calls, ...payment });
    else showEnd(payment);
  },
};

const STOP_CODES = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const;

interface Call {
  readonly tool: string;
  readonly arguments: object;
  readonly ms: number;
  readonly result: unknown;
}

type DemoOutput = ReturnType<typeof createDemoOutput>;

function createDemoOutput(begin: (title: string) => void, show: (step: DemoStep, call: Call, number: number) => void) {
  const calls: Call[] = [];
  return {
    calls,
    /** Starts an agent with these settings, which runs the steps in order. Returns the results. */
    runSteps: async (title: string, steps: readonly DemoStep[], settings: Readonly<Record<string, string>>) => {
      begin(title);
      const session = await openSession(settings);
      try {
        for (const step of steps) {
          const { result, ms } = await session.call(step.tool, step.args);
          const call = { tool: step.tool, arguments: step.args, ms, result };
          show(step, call, calls.push(call));
        }
        return calls.slice(-steps.length).map(({ result }) => result);
      } finally {
        await session.close();
      }
    },
  };
}

const printedOutput = (): DemoOutput =>
  createDemoOutput(
    (title) => print(`\n${styled('bold', styled('cyan', title))}`),
    (step, { ms, result }, number) => {
      const { table, meaning } = step.show(result);
      print(`\n${styled('bold', `${number}. ${step.title}`)}`);
      const first = number === 1 ? ' (the first start fills the database)' : '';
      const [call, time] = [JSON.stringify(step.args).replaceAll(',"', ', "'), `${ms} ms${first}`];
      const lines = wrap(`> ${step.tool} ${call}`, proseWidth() - CALL_INDENT.length);
      const isShort = `${lines.at(-1)} ${time}`.length <= proseWidth() - CALL_INDENT.length;
      const gap = isShort ? ' ' : CALL_BREAK;
      print(`${styled('cyan', lines.join(CALL_BREAK))}${gap}${styled('dim', time)}`);
      if (table !== undefined) printTable(table);
      for (const line of meaning) if (line !== '') paragraph(line, 'green');
    },
  );

const CALL_INDENT = '    ';
const CALL_BREAK = `\n${CALL_INDENT}`;

/** The payment with its state on the chain, or why there is none. */
type Payment = { readonly paid: OnChain } | { readonly skipped: string };

interface OnChain {
  readonly amountUsd: string;
  readonly transaction: string;
  readonly status: number;
  readonly block: number;
}

async function payForSearches(output: DemoOutput, settings: Readonly<Record<string, string>>): Promise<Payment> {
  const skipped = await reasonWithoutChain();
  if (skipped !== undefined) return { skipped };
  const sandbox = await startDemoSandbox(settings);
  try {
    const { url: WEB3_BI_BASE_URL, apiKey: WEB3_BI_API_KEY, rpcUrl: WEB3_BI_RPC_URL, wallet } = sandbox;
    const service = { ...settings, WEB3_BI_BASE_URL };
    await output.runSteps('An agent with an API key, and a service of its own', KEY_STEPS, {
      ...service,
      WEB3_BI_API_KEY,
    });
    const spending = { ...service, WEB3_BI_WALLET_KEY: wallet.privateKey, WEB3_BI_RPC_URL };
    const [paid] = await output.runSteps(
      'An agent with a wallet and no account: it pays by x402, in play money',
      WALLET_STEPS,
      spending,
    );
    const { receipt } = paid as Paid;
    return { paid: { ...receipt, ...(await onChain(sandbox, receipt.transaction)) } };
  } finally {
    await sandbox.stop();
  }
}

async function reasonWithoutChain(): Promise<string | undefined> {
  const { findAnvil } = await import('../sandbox/anvil.ts');
  try {
    findAnvil(process.env['PATH'] ?? '');
    return undefined;
  } catch (error) {
    if (error instanceof ServiceError) return error.message;
    throw error;
  }
}

async function onChain({ rpcUrl }: SandboxReady, transaction: string): Promise<Pick<OnChain, 'status' | 'block'>> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getTransactionReceipt', params: [transaction] });
  const response = await fetch(rpcUrl, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
  const { result } = (await response.json()) as { result: { status: string; blockNumber: string } };
  return { status: Number(result.status), block: Number(result.blockNumber) };
}

const NEXT: readonly (readonly [string, string])[] = [
  [`claude mcp add web3-bi -- ${inHost()} mcp`, 'give it to Claude Code'],
  ['web3-bi search "bridge" --chain Base', 'search from here'],
  ['web3-bi serve', 'a service with pages'],
];
const NEXT_WITH_CHAIN: typeof NEXT = [...NEXT, ['web3-bi sandbox', 'try payments by hand']];

function showEnd(payment: Payment): void {
  print(`\n${styled('bold', styled('cyan', 'What was paid'))}\n`);
  if ('skipped' in payment) {
    paragraph('Nothing: the data of this machine is free.', 'green');
    paragraph(`Not shown: an agent with a key, and one that pays from a wallet. ${payment.skipped}`);
  } else {
    const { amountUsd, transaction, status, block } = payment.paid;
    paragraph(
      `${amountUsd} USD of play money, in one transaction for two equal searches. Everything else was free.`,
      'green',
    );
    print(styled('dim', transaction));
    paragraph(`On the chain: ${status === 1 ? 'success' : 'failed'}, in block ${block}.`);
  }
  print(`\n${styled('bold', styled('cyan', 'Try next'))}\n`);
  const next = ('skipped' in payment ? NEXT : NEXT_WITH_CHAIN).map(
    ([command, use]) => [asTyped(command), use] as const,
  );
  const width = Math.max(...next.map(([command]) => command.length));
  const isBeside = next.every(([, use]) => width + 2 + use.length <= proseWidth());
  for (const [command, use] of next) {
    const gap = isBeside ? ' '.repeat(width - command.length + 2) : CALL_BREAK;
    print(`${styled('cyan', command)}${gap}${use}`);
  }
}

type Environment = Readonly<Record<string, string>>;

interface Message {
  readonly id?: number;
  readonly result?: {
    readonly structuredContent?: unknown;
    readonly isError?: boolean;
    readonly content?: readonly { readonly text?: string }[];
  };
  readonly error?: { readonly message?: string };
}

const PROTOCOL_VERSION = '2025-11-25';

/** Starts `web3-bi mcp` as a host does; speaks JSON-RPC itself, because the SDK's client would add 118 kB to the package. */
async function openSession(settings: Environment) {
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
      const response = JSON.parse(value) as Message;
      if (response.id !== id) continue;
      if (response.error === undefined && response.result?.isError !== true) return response.result;
      const reason = response.error?.message ?? response.result?.content?.[0]?.text ?? value;
      throw new ConfigError(`web3-bi mcp answered ${method} with an error: ${reason}`);
    }
  }
  const clientInfo = { name: 'demo-agent', version: '1.0.0' };
  await request('initialize', { protocolVersion: PROTOCOL_VERSION, capabilities: {}, clientInfo });
  send({ method: 'notifications/initialized' });
  return {
    /** Calls a tool. Throws on an error result. Calls must not overlap. */
    call: async (name: string, args: object): Promise<{ readonly result: unknown; readonly ms: number }> => {
      const startedAt = performance.now();
      const response = await request('tools/call', { name, arguments: args });
      return { result: response?.structuredContent, ms: Math.round(performance.now() - startedAt) };
    },
    close: async (): Promise<void> => {
      child.stdin.end();
      await ended;
    },
  };
}

interface SandboxReady {
  readonly url: string;
  readonly rpcUrl: string;
  readonly payTo: string;
  readonly apiKey: string;
  readonly wallet: { readonly privateKey: string };
}

async function startDemoSandbox(settings: Environment): Promise<SandboxReady & { stop(): Promise<void> }> {
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
