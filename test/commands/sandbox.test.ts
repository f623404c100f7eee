import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ACTIVE_KEYS_MAX } from '../../src/contract/keys.ts';
import { findAnvil } from '../../src/sandbox/anvil.ts';
import {
  childrenOf,
  isRunning,
  PROGRAM,
  type Running,
  runProgram,
  startProgram,
  temporaryFolder,
} from '../support/program.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const folder = temporaryFolder();
const temporary = temporaryFolder();
afterAll(() => {
  folder.remove();
  temporary.remove();
});

interface Ready {
  readonly url: string;
  readonly facilitatorUrl: string;
  readonly rpcUrl: string;
  readonly apiKey: string;
  readonly asset: string;
  readonly wallet: { readonly address: string; readonly privateKey: string };
}

async function callRpc(url: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const response = await fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
  return ((await response.json()) as { result: unknown }).result;
}

describe('web3-bi sandbox', () => {
  const state = join(folder.path, 'state');
  const database = join(folder.path, 'real.db');
  let running: Running;
  let ready: Ready;
  beforeAll(async () => {
    const environment = {
      WEB3_BI_STATE_DIR: state,
      WEB3_BI_DATABASE_URL: `sqlite:${database}`,
      TMPDIR: temporary.path,
    };
    running = await startProgram(['sandbox', '--port', '0', '--data', 'none'], environment);
    ready = running.ready as unknown as Ready;
  });
  afterAll(() => running.stop());

  test('says in one line where everything is', () => {
    const address = expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(running.ready).toEqual({
      event: 'listening',
      url: address,
      facilitatorUrl: address,
      rpcUrl: address,
      payTo: expect.stringMatching(/^0x[\da-fA-F]{40}$/),
      network: 'eip155:84532',
      asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
      apiKey: expect.stringMatching(/^mk_/),
      wallet: {
        address: expect.stringMatching(/^0x[\da-fA-F]{40}$/),
        privateKey: expect.stringMatching(/^0x[\da-f]{64}$/),
      },
    });
  });

  test('serves the service, the facilitator and the chain, with ten dollars in the wallet', async () => {
    const headers = { Authorization: `Bearer ${ready.apiKey}` };
    expect((await fetch(`${ready.url}/api/v1/companies`, { headers })).status).toBe(200);
    const supported = (await (await fetch(`${ready.facilitatorUrl}/supported`)).json()) as { kinds: unknown };
    expect(supported.kinds).toEqual([{ x402Version: 2, scheme: 'exact', network: 'eip155:84532' }]);
    expect(await callRpc(ready.rpcUrl, 'eth_chainId', [])).toBe('0x14a34');
    const balanceOf = `0x70a08231${ready.wallet.address.slice(2).padStart(64, '0')}`;
    const balance = await callRpc(ready.rpcUrl, 'eth_call', [{ to: ready.asset, data: balanceOf }, 'latest']);
    expect(BigInt(String(balance))).toBe(10_000_000n);
  });

  test('writes to stderr what a host needs for the key and for the wallet', async () => {
    const blocks = [...running.stderr.join('').matchAll(/^\{$[\s\S]*?^\}$/gm)].map(([block]) => JSON.parse(block));
    const servers = blocks.map(({ mcpServers }) => mcpServers['web3-bi']);
    expect(servers).toEqual([
      {
        command: process.execPath,
        args: [PROGRAM, 'mcp'],
        env: { WEB3_BI_BASE_URL: ready.url, WEB3_BI_API_KEY: ready.apiKey },
      },
      {
        command: process.execPath,
        args: [PROGRAM, 'mcp'],
        env: {
          WEB3_BI_BASE_URL: ready.url,
          WEB3_BI_WALLET_KEY: ready.wallet.privateKey,
          WEB3_BI_NETWORK: 'eip155:84532',
          WEB3_BI_RPC_URL: ready.rpcUrl,
        },
      },
    ]);
    expect(await runProgram(['doctor', '--json'], servers[0].env)).toMatchObject({ code: 0 });
  });

  test('writes to stderr how to pay by hand, with a payment that is taken once', async () => {
    const [, url = '', payment = ''] =
      /curl -i '(\S+)' -H 'PAYMENT-SIGNATURE: (\S+)'/.exec(running.stderr.join('')) ?? [];
    const statuses = [];
    for (const headers of [{}, { 'PAYMENT-SIGNATURE': payment }, { 'PAYMENT-SIGNATURE': payment }]) {
      statuses.push((await fetch(url, { headers })).status);
    }
    expect(statuses).toEqual([402, 200, 402]);
    const [, rpcUrl = '', body = ''] =
      /curl -s (\S+) -H 'Content-Type: application\/json' -d '(.+)'/.exec(running.stderr.join('')) ?? [];
    const { method, params } = JSON.parse(body) as { method: string; params: unknown[] };
    expect(BigInt(String(await callRpc(rpcUrl, method, params)))).toBe(10_000n);
  });

  test('ends when it is told to, leaves no process, and has touched no database of the user', async () => {
    const children = childrenOf(running.pid);
    expect(children.length).toBeGreaterThan(0);
    expect(await running.stop()).toBe(0);
    expect(children.filter(isRunning)).toEqual([]);
    expect([readdirSync(folder.path), readdirSync(temporary.path)]).toEqual([[], []]);
  });

  test('leaves no process when it is killed', async () => {
    const killed = await startProgram(['sandbox', '--port', '0', '--data', 'none']);
    const children = childrenOf(killed.pid);
    await killed.stop('SIGKILL');
    await expect.poll(() => children.filter(isRunning)).toEqual([]);
  });

  test('copies Base where it is asked to, and keeps a database that is named, with the keys of its last starts', async () => {
    const words = ['sandbox', '--network', 'eip155:8453', '--port', '0', '--data', 'none', '--database'];
    const file = `sqlite:${join(folder.path, 'kept.db')}`;
    const start = ['key', 'create', '--account', 'sandbox', '--plan', 'enterprise', '--name', 'sandbox'];
    for (let starts = 0; starts < ACTIVE_KEYS_MAX; starts += 1) await runProgram([...start, '--database', file]);
    const first = await startProgram([...words, file]);
    expect(first.ready).toMatchObject({ network: 'eip155:8453', asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913' });
    await first.stop();
    const second = await startProgram([...words, file]);
    const headers = { Authorization: `Bearer ${String(first.ready['apiKey'])}` };
    expect((await fetch(`${second.url}/api/v1/companies`, { headers })).status).toBe(200);
    await second.stop();
    const { stdout } = await runProgram(['key', 'list', '--json', '--database', file]);
    const active = (JSON.parse(stdout) as { revoked_at: string | null }[]).filter((key) => key.revoked_at === null);
    expect(active).toHaveLength(4);
  });
});

describe('web3-bi sandbox, installed without anvil', () => {
  const installed = join(folder.path, 'installed');
  const program = join(installed, 'dist', 'main.js');
  const words = ['sandbox', '--port', '0', '--data', 'none'];
  const binary = findAnvil('');
  beforeAll(() => {
    mkdirSync(join(installed, 'node_modules'), { recursive: true });
    // By its data the package is found from its code.
    mkdirSync(join(installed, 'data'));
    cpSync(join(ROOT, 'dist'), join(installed, 'dist'), { recursive: true });
    cpSync(join(ROOT, 'package.json'), join(installed, 'package.json'));
    for (const name of ['better-sqlite3', 'better-sqlite3-node-20']) {
      const binding = join('node_modules', name);
      if (existsSync(join(ROOT, binding))) symlinkSync(join(ROOT, binding), join(installed, binding));
    }
  });

  /** A PATH in which nothing but this file is called anvil. */
  function pathWith(name: string, file: string): string {
    const place = join(folder.path, name);
    mkdirSync(place);
    symlinkSync(file, join(place, 'anvil'));
    return [place, '/bin', '/usr/bin'].join(delimiter);
  }

  test('says what to install', async () => {
    const started = startProgram(words, { PATH: dirname(installed) }, { program });
    await expect(started).rejects.toThrow(
      'ended with 1 before it was ready: ' +
        'web3-bi: The sandbox runs its chain with anvil, which is not installed; install it with: npm i -g @foundry-rs/anvil\n',
    );
  });

  test('takes the anvil of Foundry from PATH', async () => {
    const running = await startProgram(words, { PATH: pathWith('foundry', binary) }, { program });
    expect(await running.stop()).toBe(0);
  });

  test('takes the binary behind the command that npm installs', async () => {
    const shim = join(ROOT, 'node_modules', '@foundry-rs', 'anvil', 'bin.mjs');
    const running = await startProgram(words, { PATH: pathWith('npm', shim) }, { program });
    const commands = childrenOf(running.pid).map((pid) => execFileSync('ps', ['-o', 'args=', '-p', String(pid)]));
    expect(commands.map(String).some((text) => text.startsWith(binary))).toBe(true);
    expect(await running.stop()).toBe(0);
  });
});
