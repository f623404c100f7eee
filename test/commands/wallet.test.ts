import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as TransportV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  bareEnvironment,
  PROGRAM,
  type Running,
  runProgram,
  startProgram,
  temporaryFolder,
} from '../support/program.ts';
import { leaksOf } from '../support/secrets.ts';

/** Each test starts several programs, one after the other where the machine is busy. */
interface Ready {
  readonly url: string;
  readonly rpcUrl: string;
  readonly payTo: string;
  readonly network: string;
  readonly apiKey: string;
  readonly wallet: { readonly address: string; readonly privateKey: string };
}

const folder = temporaryFolder();
const serverFolder = temporaryFolder();
let running: Running;
let ready: Ready;
/** All that any program wrote. */
const written: string[] = [];

const walletSettings = (more: Record<string, string> = {}): Record<string, string> => ({
  WEB3_BI_BASE_URL: ready.url,
  WEB3_BI_WALLET_KEY: ready.wallet.privateKey,
  WEB3_BI_RPC_URL: ready.rpcUrl,
  WEB3_BI_STATE_DIR: folder.path,
  ...more,
});

async function web3bi(words: readonly string[], settings: Record<string, string> = walletSettings(), input = '') {
  const ended = await runProgram(words, settings, input);
  written.push(ended.stdout, ended.stderr);
  return ended;
}

/** What the wallet of the sandbox holds, in base units, read from the chain itself. */
async function balance(): Promise<bigint> {
  const data = `0x70a08231${ready.wallet.address.slice(2).padStart(64, '0')}`;
  const params = [{ to: '0x036CbD53842c5426634e7929541eC2318f3dCF7e', data }, 'latest'];
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params });
  const answer = await fetch(ready.rpcUrl, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
  return BigInt(((await answer.json()) as { result: string }).result);
}

beforeAll(async () => {
  running = await startProgram(['sandbox', '--port', '0'], { WEB3_BI_STATE_DIR: serverFolder.path });
  ready = running.ready as unknown as Ready;
});
afterAll(async () => {
  await running.stop();
  const secrets = [ready.wallet.privateKey, ready.apiKey];
  expect(leaksOf(secrets, { texts: written, folder: folder.path, exempt: ['key-file', 'imported'] })).toEqual([]);
  folder.remove();
  serverFolder.remove();
});

interface Session {
  call(name: string, args: Record<string, unknown>): Promise<any>;
  close(): Promise<void>;
}

const transportOf = (settings: Record<string, string>) => ({
  command: process.execPath,
  args: [PROGRAM, 'mcp'],
  env: bareEnvironment(settings),
  stderr: 'ignore' as const,
});
const consent = { action: 'accept', content: { pay: true } } as const;

const openV1 = async (settings: Record<string, string>): Promise<Session> => {
  const client = new ClientV1({ name: 'test', version: '0' }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, async () => consent);
  await client.connect(new TransportV1(transportOf(settings)));
  await client.listTools();
  return { call: (name, args) => client.callTool({ name, arguments: args }), close: () => client.close() };
};

const openV2 = async (settings: Record<string, string>): Promise<Session> => {
  const client = new ClientV2(
    { name: 'test', version: '0' },
    { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  client.setRequestHandler('elicitation/create', async () => consent);
  await client.connect(new TransportV2(transportOf(settings)));
  return { call: (name, args) => client.callTool({ name, arguments: args }), close: () => client.close() };
};

/** A service that is reached at its MCP endpoint only. */
const openAtMcp = (settings: Record<string, string>): Promise<Session> =>
  openV1({ ...settings, WEB3_BI_BASE_URL: `${settings['WEB3_BI_BASE_URL']}/mcp` });

describe.each([
  ['of 2025, by SDK 1', openV1, 'Uniswap'],
  ['that pays at /mcp', openAtMcp, 'Lido'],
  ['of 2026-07-28, by SDK 2', openV2, 'Aave'],
])('an agent %s with a wallet, our service and the chain', (_name, connect, query) => {
  test('pays one search, with the receipt of the chain, and the next equal one not', async () => {
    const before = await balance();
    const session = await connect(walletSettings());
    const first = await session.call('search', { query, type: 'companies', limit: 3 });
    const again = await session.call('search', { query, type: 'companies', limit: 3 });
    await session.close();
    written.push(JSON.stringify([first, again]));
    const payment = first._meta['x402/payment-response'];
    expect(payment).toMatchObject({ success: true, network: ready.network, payer: ready.wallet.address });
    expect(first.structuredContent).toMatchObject({
      receipt: {
        transaction: payment.transaction,
        payTo: ready.payTo,
        amountUsd: '0.01',
        state: 'settled',
        cached: false,
      },
    });
    expect(first.structuredContent.results[0].name).toBe(query);
    expect(first.content[0].text).toContain(`Paid 0.01 USD to ${ready.payTo}, transaction ${payment.transaction}`);
    expect(again.structuredContent.receipt).toMatchObject({ transaction: payment.transaction, cached: true });
    expect(before - (await balance())).toBe(10_000n);
  });

  test('pays above the threshold when the person agrees', async () => {
    const before = await balance();
    const session = await connect(walletSettings({ WEB3_BI_CONFIRM_ABOVE_USD: '0.005' }));
    const answer = await session.call('search', { query: `${query} labs`, type: 'companies' });
    await session.close();
    expect(answer.structuredContent.receipt).toMatchObject({ state: 'settled', cached: false });
    expect(before - (await balance())).toBe(10_000n);
  });
});

describe('web3-bi search with a wallet', () => {
  test('pays, and says so on stderr', async () => {
    const { code, stdout, stderr } = await web3bi(['search', 'coinbase', '--type', 'companies', '--limit', '1']);
    expect([code, stdout.split('\n')[0]]).toEqual([0, 'Coinbase  [companies/coinbase]']);
    expect(stderr).toMatch(/Paid 0\.01 USD, transaction 0x[0-9a-f]{64}/);
    expect((await web3bi(['search', 'coinbase', '--type', 'companies', '--limit', '1'])).stderr).toContain(
      'Free: paid before',
    );
  });

  test('is refused over the budget, with what is left', async () => {
    const { code, stderr } = await web3bi(
      ['search', 'something new'],
      walletSettings({ WEB3_BI_MAX_USD_PER_DAY: '0.01' }),
    );
    expect([code, stderr]).toEqual([1, expect.stringContaining('of 0.01 USD of this UTC day is left, until')]);
    expect(stderr).toMatch(/Nothing was charged\. .*Only a person can raise the budget, with WEB3_BI_MAX_USD_PER_DAY/);
  });

  test('of an empty wallet says what became of the money, and what to do', async () => {
    const empty = walletSettings({ WEB3_BI_WALLET_KEY: `0x${'2'.repeat(64)}`, WEB3_BI_STATE_DIR: serverFolder.path });
    const { code, stderr } = await web3bi(['search', 'something new'], empty);
    expect([code, stderr]).toEqual([1, expect.stringContaining('the wallet holds too little. Nothing was charged')]);
    expect(stderr).toContain('Retrying will not help: send USDC to the wallet; web3-bi wallet shows its address.');
  });
});

test('web3-bi connect with a wallet charges nothing for a record that is not there, and says so', async () => {
  const before = await balance();
  const { code, stderr } = await web3bi(['connect', 'companies/nobody-here', 'companies/aave']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('no companies of this slug; search by its name')]);
  expect(await balance()).toBe(before);
});

describe('web3-bi wallet', () => {
  test('shows address, network, balance, budget and last receipts', async () => {
    const { code, stdout } = await web3bi(['wallet']);
    expect(code).toBe(0);
    expect(stdout).toContain(`address    ${ready.wallet.address}`);
    expect(stdout).toContain('network    Base Sepolia (eip155:84532); for Base: --network eip155:8453\n');
    expect(stdout).toMatch(/balance {4}9\.9\d USD/);
    expect(stdout).toMatch(/today {6}0\.07 of 1\.00 USD, until midnight UTC\n/);
    const away = await web3bi(['wallet'], walletSettings({ WEB3_BI_RPC_URL: 'http://127.0.0.1:1' }));
    expect(away.stdout).toContain('balance    not known; WEB3_BI_RPC_URL does not respond; run web3-bi doctor');
    const json = JSON.parse((await web3bi(['wallet', 'status', '--json'])).stdout);
    expect(json).toMatchObject({ address: ready.wallet.address, budgets: { day: { usedUsd: '0.07' } } });
  });

  test('gives the receipts as a table, as CSV and as JSON', async () => {
    const json = JSON.parse((await web3bi(['wallet', 'receipts', '--json'])).stdout);
    expect(json).toHaveLength(7);
    expect(json[0]).toMatchObject({
      state: 'settled',
      amountUsd: '0.01',
      payTo: ready.payTo,
      transaction: expect.stringMatching(/^0x/),
    });
    const csv = (await web3bi(['wallet', 'receipts', '--csv'])).stdout.trim().split('\n');
    expect(csv[0]).toBe('paid_at,state,usd,network,pay_to,transaction,request');
    expect(csv.slice(1).map((line) => line.split(',')[5])).toEqual(json.map((each: any) => each.transaction));
    expect((await web3bi(['wallet', 'receipts'])).stdout.split('\n')).toHaveLength(9);
  });

  test('signs in at the service, and lists what it has bought there by REST and by MCP', async () => {
    const before = await balance();
    const json = JSON.parse((await web3bi(['wallet', 'purchases', '--json'])).stdout);
    expect(json.map(({ state }: { state: string }) => state)).toEqual(Array.from({ length: 7 }, () => 'settled'));
    const atMcp = walletSettings({ WEB3_BI_BASE_URL: `${ready.url}/mcp` });
    for (const settings of [walletSettings(), atMcp])
      expect((await web3bi(['wallet', 'purchases'], settings)).stdout).toContain('/api/v1/x402/search?q=coinbase');
    expect(await balance()).toBe(before);
  });

  test('makes a key file that only its owner can read, prints the address, and overwrites nothing', async () => {
    const file = join(folder.path, 'key-file');
    const { code, stdout, stderr } = await web3bi(['wallet', 'new', '--file', file, '--network', 'eip155:8453']);
    expect(stderr).toContain(`set WEB3_BI_BASE_URL, WEB3_BI_NETWORK=eip155:8453, WEB3_BI_WALLET_KEY_FILE=${file} and`);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^0x[0-9a-fA-F]{40}\n$/)]);
    const key = readFileSync(file, 'utf8').trim();
    expect(leaksOf([key], { texts: [stdout, stderr], folder: folder.path, exempt: ['key-file'] })).toEqual([]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await web3bi(['wallet', 'new', '--file', file])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is not overwritten'),
    });
    const settings = { WEB3_BI_WALLET_KEY_FILE: file, WEB3_BI_STATE_DIR: folder.path };
    expect((await web3bi(['wallet'], settings)).stdout).toContain(stdout.trim());
  });

  test('prints the path of a new key as a shell takes it, on one line', async () => {
    const file = join(folder.path, "its\u2028owner's key");
    const { stderr } = await web3bi(['wallet', 'new', '--file', file]);
    const shown = `'${folder.path}/its?owner'\\''s key'`;
    expect(stderr).toContain(`The key is in ${shown}. To pay with it,`);
    expect(stderr).toContain(`WEB3_BI_WALLET_KEY_FILE=${shown} and`);
  });

  test('says in one line where a key cannot be written', async () => {
    for (const file of [join(PROGRAM, 'key'), join(PROGRAM, 'folder', 'key')])
      expect(await web3bi(['wallet', 'new', '--file', file])).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(
          /^web3-bi: \S+ cannot be written \((?:ENOTDIR|EEXIST)\); name another with --file\.\n$/,
        ),
      });
  });

  test('imports a key from stdin, and says what is wrong with one without repeating it', async () => {
    const file = join(folder.path, 'imported');
    const wrong = `0x${'zz'.repeat(32)}`;
    const refused = await web3bi(['wallet', 'import', '--file', file], {}, wrong);
    expect(refused).toMatchObject({
      code: 1,
      stderr: 'web3-bi: stdin must hold a private key: 0x and 64 hex digits.\n',
    });
    const { stdout } = await web3bi(['wallet', 'import', '--file', file, '--json'], {}, `${ready.wallet.privateKey}\n`);
    expect(JSON.parse(stdout)).toEqual({ address: ready.wallet.address, file });
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test.each([
    [
      'a key that is none',
      { WEB3_BI_WALLET_KEY: '0x1234' },
      'WEB3_BI_WALLET_KEY must be a private key: 0x and 64 hex digits.',
    ],
    [
      'a key beyond the curve',
      { WEB3_BI_WALLET_KEY: `0x${'f'.repeat(64)}` },
      'WEB3_BI_WALLET_KEY must hold a private key: 0x and 64 hex digits.',
    ],
    [
      'a file that is not there',
      { WEB3_BI_WALLET_KEY_FILE: '/nonexistent/key' },
      'WEB3_BI_WALLET_KEY_FILE: /nonexistent/key cannot be read (ENOENT); make a wallet with: web3-bi wallet new',
    ],
    [
      'a mistyped budget',
      { WEB3_BI_MAX_USD_PER_DAY: '1,00' },
      'WEB3_BI_MAX_USD_PER_DAY must be an amount of US dollars, such as 0.05.',
    ],
    [
      'a budget that does not exist',
      { WEB3_BI_MAX_USD_PER_DAYS: '1' },
      'WEB3_BI_MAX_USD_PER_DAYS is not a setting. Did you mean WEB3_BI_MAX_USD_PER_DAY? Unset it or correct it.',
    ],
    [
      'no wallet',
      { WEB3_BI_ACCESS: 'wallet' },
      'There is no wallet: make one with web3-bi wallet new, or set WEB3_BI_WALLET_KEY_FILE.',
    ],
  ])('is refused with %s, in one line', async (_name, settings, line) => {
    const state = { WEB3_BI_STATE_DIR: serverFolder.path, WEB3_BI_BASE_URL: ready.url };
    const { code, stderr } = await web3bi(['mcp'], { ...state, ...settings } as Record<string, string>);
    expect([code, stderr]).toEqual([1, `web3-bi: ${line}\n`]);
  });

  test('never repeats a key that is given where none belongs', async () => {
    const { privateKey } = ready.wallet;
    const refusals = [
      await web3bi(['wallet', 'import', privateKey], {}),
      await web3bi(['wallet', 'import', '--file', privateKey], {}),
      await web3bi(['wallet', privateKey], {}),
      await web3bi([privateKey], {}),
      await web3bi(['wallet'], { WEB3_BI_WALLET_KEY_FILE: privateKey }),
      await web3bi([ready.apiKey], {}),
      await web3bi(['search', `--${ready.apiKey}`], {}),
    ];
    expect(refusals.map(({ code }) => code)).toEqual([2, 1, 2, 2, 1, 2, 2]);
    const texts = refusals.map(({ stdout, stderr }) => stdout + stderr);
    const dashed = ready.apiKey.replace('_', '-');
    expect(leaksOf([privateKey, ready.apiKey, dashed], { texts })).toEqual([]);
    expect(texts[0]).toMatch(/^web3-bi: A key as an argument is one argument too many; the usage is: web3-bi wallet /);
    expect(texts[4]).toContain('must be the path of a key file');
  });

  test('does not read a key file that others can read', async () => {
    const file = join(serverFolder.path, 'open-key');
    writeFileSync(file, ready.wallet.privateKey);
    chmodSync(file, 0o644);
    const settings = {
      WEB3_BI_WALLET_KEY_FILE: file,
      WEB3_BI_STATE_DIR: serverFolder.path,
      WEB3_BI_BASE_URL: ready.url,
    };
    for (const words of [['wallet'], ['mcp'], ['search', 'x']]) {
      expect(await web3bi(words, settings)).toMatchObject({
        code: 1,
        stderr: `web3-bi: WEB3_BI_WALLET_KEY_FILE: ${file} can be read by others; run: chmod 600 ${file}\n`,
      });
    }
    const { stdout } = await web3bi(['doctor'], settings);
    expect(stdout).toContain('can be read by others');
  });
});

describe('web3-bi doctor with a wallet', () => {
  test.each([
    ['its address', ''],
    ['its MCP endpoint', '/mcp'],
  ])('at a service by %s checks key, chain, token, balance, price and clock', async (_name, path) => {
    const settings = walletSettings({ WEB3_BI_BASE_URL: ready.url + path });
    const { code, stdout } = await web3bi(['doctor', '--json'], settings);
    const { findings } = JSON.parse(stdout) as { findings: { check: string; ok: boolean; detail: string }[] };
    expect([code, findings.map(({ check, ok }) => [check, ok])]).toEqual([
      0,
      ['service', 'clock', 'wallet', 'key file', 'chain', 'token', 'balance', 'price'].map((check) => [check, true]),
    ]);
    expect(findings.find(({ check }) => check === 'price')?.detail).toContain('0.01 USD a search');
  });

  test('says what to do about a clock that is wrong', async () => {
    // The service seen with another time on it.
    const late = createServer(async ({ url = '' }, response) => {
      const answer = await fetch(ready.url + url);
      response.setHeader('Date', new Date(Date.now() + 600_000).toUTCString());
      response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(await answer.text());
    });
    await new Promise<void>((resolve) => late.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(late.address() as AddressInfo).port}`;
    const { code, stdout } = await web3bi(['doctor'], walletSettings({ WEB3_BI_BASE_URL: url }));
    late.close();
    expect([code, stdout]).toEqual([1, expect.stringMatching(/^fault {2}clock: (599|600) s behind the service$/m)]);
    expect(stdout).toContain("fix: set this machine's clock");
  });

  test('leads who has made a wallet to it', async () => {
    const state = { WEB3_BI_BASE_URL: ready.url, WEB3_BI_STATE_DIR: join(serverFolder.path, 'made') };
    expect((await web3bi(['doctor'], state)).stdout).toContain('or make a wallet (web3-bi wallet new)');
    await web3bi(['wallet', 'new'], state);
    const file = join(serverFolder.path, 'made', 'wallet-key');
    expect((await web3bi(['doctor'], state)).stdout).toContain(`or set WEB3_BI_WALLET_KEY_FILE=${file} to pay`);
  });

  test('says what to do about an empty wallet, and about an RPC of another network', async () => {
    const empty = walletSettings({ WEB3_BI_WALLET_KEY: `0x${'1'.repeat(64)}` });
    const { code, stdout } = await web3bi(['doctor'], empty);
    expect([code, stdout]).toEqual([
      1,
      expect.stringContaining('fault  balance: 0.00 USD\n       fix: send USDC on Base Sepolia to 0x'),
    ]);
    const other = await web3bi(['doctor'], walletSettings({ WEB3_BI_NETWORK: 'eip155:8453' }));
    expect(other.stdout).toContain('fault  chain: WEB3_BI_RPC_URL serves chain 84532 instead of 8453');
    expect(other.stdout).toContain('fault  price: The offered payment is refused: its network is not eip155:8453');
  });
});
