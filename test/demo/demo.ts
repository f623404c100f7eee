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

async function startService(): Promise<{ url: string; stop(): Promise<void> }> {
  const child = spawn(process.execPath, [PROGRAM, 'serve', '--port', '0'], {
    env: base,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (chunk) => resolve(String(chunk)));
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}`)));
  });
  return {
    url: (JSON.parse(line) as { url: string }).url,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function callTool(client: Client, name: string, args: Record<string, unknown>): Promise<void> {
  const startedAt = performance.now();
  const result = await client.callTool({ name, arguments: args });
  const [content] = result.content as { text: string }[];
  console.log(`\n> ${name} ${JSON.stringify(args)}   (${Math.round(performance.now() - startedAt)} ms)`);
  for (const line of (content?.text ?? '').split('\n'))
    console.log(line.length > 400 ? `${line.slice(0, 400)} ...` : line);
  if (result.isError === true) throw new Error(`${name} failed`);
}

async function talk(
  title: string,
  settings: Record<string, string>,
  calls: readonly (readonly [string, Record<string, unknown>])[],
): Promise<void> {
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
  for (const [name, args] of calls) await callTool(client, name, args);
  await client.close();
}

const service = await startService();
try {
  heading(`The service runs at ${service.url}`);
  const key = JSON.parse(
    await web3bi('key', 'create', '--account', 'demo', '--plan', 'api_access', '--name', 'demo-agent', '--json'),
  ) as { key: string; level: string };
  console.log(`web3-bi key create: a ${key.level} key for account demo, shown once (${key.key.slice(0, 7)}...)`);
  await talk('An agent with an API key', { WEB3_BI_BASE_URL: service.url, WEB3_BI_API_KEY: key.key }, [
    ['search', { query: 'coinbse', type: 'companies', limit: 2 }],
    ['search', { query: 'dex arbitrum', type: 'companies', founded_from: 2017, limit: 3 }],
    ['get_entity', { type: 'companies', id: 'coinbase', include: ['people', 'rounds'] }],
    ['health', { detailed: true }],
  ]);
  await talk('The same with no settings at all: the embedded service', {}, [
    ['search', { query: 'a16z', type: 'investors', limit: 1 }],
  ]);
  heading('Done');
} finally {
  await service.stop();
  rmSync(state, { recursive: true, force: true });
}
