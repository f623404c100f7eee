import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PRICE } from '../sandbox/stock-seller.ts';
import { bareEnvironment, PROGRAM, temporaryFolder } from '../support/program.ts';
import { type Sandbox, startSandbox } from '../support/sandbox.ts';
import { leaksOf } from '../support/secrets.ts';
import { type Seller, startSeller } from '../support/seller.ts';

const API_KEY = `mk_${'K'.repeat(49)}`;
const folder = temporaryFolder();
let sandbox: Sandbox;
let service: Seller;

beforeAll(async () => {
  sandbox = await startSandbox();
  service = await startSeller(sandbox);
});
afterAll(async () => {
  await service.close();
  await sandbox.close();
  folder.remove();
});

interface Host {
  readonly mcp: Client;
  readonly stderr: string[];
}

/** The settings of a wallet, and of a key that `access` passes over. */
const environment = (more: Record<string, string> = {}): Record<string, string> =>
  bareEnvironment({
    WEB3_BI_BASE_URL: service.url,
    WEB3_BI_API_KEY: API_KEY,
    WEB3_BI_ACCESS: 'wallet',
    WEB3_BI_WALLET_KEY: sandbox.wallet.privateKey,
    WEB3_BI_RPC_URL: sandbox.rpcUrl,
    WEB3_BI_STATE_DIR: folder.path,
    WEB3_BI_MAX_USD_PER_DAY: '0.05',
    ...more,
  });

/** A host that runs the built program with a wallet. */
async function startHost(settings: Record<string, string> = {}): Promise<Host> {
  const stderr: string[] = [];
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [PROGRAM, 'mcp'],
    env: environment(settings),
    stderr: 'pipe',
  });
  transport.stderr?.on('data', (chunk) => void stderr.push(String(chunk)));
  const mcp = new Client({ name: 'test', version: '0' }, { versionNegotiation: { mode: 'auto' } });
  await mcp.connect(transport);
  return { mcp, stderr };
}

describe('three processes with one state folder and a budget of five calls', () => {
  test('pay exactly five of twelve calls at once, and nothing they write holds a key', async () => {
    const hosts = await Promise.all([startHost(), startHost(), startHost()]);
    const calls = hosts.flatMap(({ mcp }, host) =>
      [1, 2, 3, 4].map((number) => mcp.callTool({ name: 'search', arguments: { query: `query ${host} ${number}` } })),
    );
    const results = (await Promise.all(calls)) as any[];
    const served = results.filter(({ isError }) => isError !== true);
    const refused = results.filter(({ isError }) => isError === true).map(({ content }) => content[0].text);
    expect([served.length, refused.length]).toEqual([5, 7]);
    for (const text of refused)
      expect(text).toMatch(
        /0\.00 of 0\.05 USD of this UTC day is left, until .*\(budget_exceeded\) Nothing was charged/,
      );
    expect([service.signatures.size, await sandbox.chain.balanceOf(sandbox.payTo)]).toEqual([5, 5n * PRICE]);
    const wallet = await hosts[0]?.mcp.callTool({ name: 'wallet', arguments: {} });
    expect(wallet?.structuredContent).toMatchObject({ budgets: { day: { usedUsd: '0.05', leftUsd: '0.00' } } });
    // A refusal and a failure, for what they write.
    const broken = await startHost({ WEB3_BI_BASE_URL: 'http://127.0.0.1:9' });
    results.push(await broken.mcp.callTool({ name: 'search', arguments: { query: 'x' } }), wallet);
    for (const { mcp } of [...hosts, broken]) await mcp.close();
    const texts = [JSON.stringify(results), ...[...hosts, broken].map(({ stderr }) => stderr.join(''))];
    expect(leaksOf([sandbox.wallet.privateKey, API_KEY], { texts, folder: folder.path })).toEqual([]);
  });
});

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '0' } },
};

describe('a process with a wallet and a key', () => {
  test('keeps both out of the report that Node writes of it, as of a crash', async () => {
    const reports = temporaryFolder();
    const env = environment({ NODE_OPTIONS: `--report-on-signal --report-directory=${reports.path}` });
    const child = spawn(process.execPath, [PROGRAM, 'mcp'], { env, stdio: ['pipe', 'pipe', 'pipe'] });
    child.stdin.write(`${JSON.stringify(INITIALIZE)}\n`);
    await once(child.stdout, 'data');
    child.kill('SIGUSR2');
    let told = '';
    for await (const chunk of child.stderr) {
      told += chunk;
      if (told.includes('report completed')) child.stdin.end();
    }
    const [name = ''] = readdirSync(reports.path);
    expect(readFileSync(join(reports.path, name), 'utf8')).toContain('WEB3_BI_BASE_URL');
    expect(leaksOf([sandbox.wallet.privateKey, API_KEY], { texts: [told], folder: reports.path })).toEqual([]);
    reports.remove();
  });
});
