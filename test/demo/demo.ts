import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

/** The main job, from end to end, on this machine: an agent's MCP client, the MCP server, the service, real data. */

const PROGRAM = join(import.meta.dirname, '..', '..', 'dist', 'main.js');
const state = mkdtempSync(join(tmpdir(), 'web3-bi-demo-'));
const base = { PATH: process.env['PATH'] ?? '', WEB3_BI_STATE_DIR: state };

const heading = (text: string): void => console.log(`\n== ${text}`);

/** Runs the program and gives its answer. */
async function web3bi(...words: string[]): Promise<string> {
  const child = spawn(process.execPath, [PROGRAM, ...words], { env: base, stdio: ['ignore', 'pipe', 'inherit'] });
  let answer = '';
  for await (const chunk of child.stdout) answer += chunk;
  if (child.exitCode !== 0 && child.exitCode !== null)
    throw new Error(`web3-bi ${words[0]} ended with ${child.exitCode}`);
  return answer;
}

/** What `sandbox` says of itself; `serve` says the address only. */
interface Ready {
  readonly url: string;
  readonly rpcUrl: string;
  readonly payTo: string;
  readonly wallet: { readonly address: string; readonly privateKey: string };
}

async function startService(command: 'serve' | 'sandbox'): Promise<Ready & { stop(): Promise<void> }> {
  const child = spawn(process.execPath, [PROGRAM, command, '--port', '0'], {
    env: base,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (chunk) => resolve(String(chunk)));
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}`)));
  });
  return {
    ...(JSON.parse(line) as Ready),
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function callTool(client: Client, name: string, args: Record<string, unknown>): Promise<unknown> {
  const startedAt = performance.now();
  const result = await client.callTool({ name, arguments: args });
  const [content] = result.content as { text: string }[];
  console.log(`\n> ${name} ${JSON.stringify(args)}   (${Math.round(performance.now() - startedAt)} ms)`);
  for (const line of (content?.text ?? '').split('\n'))
    console.log(line.length > 400 ? `${line.slice(0, 400)} ...` : line);
  if (result.isError === true) throw new Error(`${name} failed`);
  return result.structuredContent;
}

async function talk(
  title: string,
  settings: Record<string, string>,
  calls: readonly (readonly [string, Record<string, unknown>])[],
): Promise<unknown[]> {
  heading(title);
  const client = new Client({ name: 'demo-agent', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [PROGRAM, 'mcp'],
      env: { ...base, ...settings },
      stderr: 'inherit',
    }),
  );
  const { tools } = await client.listTools();
  console.log(
    `MCP ${client.getNegotiatedProtocolVersion()} over stdio; tools: ${tools.map((tool) => tool.name).join(', ')}`,
  );
  const answers = [];
  for (const [name, args] of calls) answers.push(await callTool(client, name, args));
  await client.close();
  return answers;
}

/** What the chain itself says of a payment. */
async function showOnChain({ rpcUrl }: Ready, transaction: string): Promise<void> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getTransactionReceipt', params: [transaction] });
  const answer = await fetch(rpcUrl, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
  const { result } = (await answer.json()) as { result: { status: string; blockNumber: string; logs: unknown[] } };
  console.log(
    `\nOn the chain: transaction ${transaction}, status ${Number(result.status)}, block ${Number(result.blockNumber)}, ${result.logs.length} events`,
  );
}

/** An agent that pays: no account and no key, a wallet with budgets, on a payment network of this machine. */
async function payForSearches(): Promise<void> {
  const sandbox = await startService('sandbox');
  try {
    const settings = {
      WEB3_BI_BASE_URL: sandbox.url,
      WEB3_BI_WALLET_KEY: sandbox.wallet.privateKey,
      WEB3_BI_RPC_URL: sandbox.rpcUrl,
    };
    const search = { query: 'uniswap', type: 'companies', limit: 1 };
    const [paid] = await talk(`An agent with a wallet pays ${sandbox.payTo}`, settings, [
      ['search', search],
      ['search', search],
      ['wallet', {}],
    ]);
    const { receipt } = paid as { receipt: { transaction: string } };
    await showOnChain(sandbox, receipt.transaction);
  } finally {
    await sandbox.stop();
  }
}

const service = await startService('serve');
try {
  heading(`The service runs at ${service.url}`);
  const key = JSON.parse(
    await web3bi('key', 'create', '--account', 'demo', '--plan', 'api_access', '--name', 'demo-agent', '--json'),
  ) as { key: string; level: string };
  console.log(`web3-bi key create: a ${key.level} key for account demo, shown once (${key.key.slice(0, 7)}...)`);
  await talk('An agent with an API key', { WEB3_BI_BASE_URL: service.url, WEB3_BI_API_KEY: key.key }, [
    ['search', { query: 'coinbse', type: 'companies', limit: 2 }],
    ['search', { query: 'dex arbitrum', type: 'companies', limit: 3 }],
    ['get_entity', { type: 'companies', id: 'coinbase', include: ['people', 'rounds'] }],
    ['health', { detailed: true }],
  ]);
  await talk('The same with no settings at all: the embedded service', {}, [
    ['search', { query: 'a16z', type: 'investors', limit: 1 }],
  ]);
  await payForSearches();
  heading('Done');
} finally {
  await service.stop();
  rmSync(state, { recursive: true, force: true });
}
