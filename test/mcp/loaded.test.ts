import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { generatePrivateKey } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aCompany } from '../support/builders.ts';
import { bareEnvironment, PROGRAM, temporaryFolder } from '../support/program.ts';
import { startService, type TestService } from '../support/service.ts';

/** Texts that survive the build: of viem, of the curve, of the stock client, of the wallet and of its ledger. */
const WALLET_TEXTS = ['EIP712Domain', 'secp256k1', 'payment-identifier', 'paid_not_served', 'heldUntil'];
/** Error names of the wallet that every server contains, because advice for the model uses them. */
const TOLD_TO_ALL = ['paid_not_served'];

let service: TestService;
beforeAll(async () => {
  service = await startService();
  await service.store.records.putAll([aCompany({ name: 'Uniswap' })]);
});
afterAll(() => service.close());

const request = (id: number, method: string, params: object) => JSON.stringify({ jsonrpc: '2.0', id, method, params });
const OPENING = [
  request(1, 'initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '0' },
  }),
  '{"jsonrpc":"2.0","method":"notifications/initialized"}',
  request(2, 'tools/list', {}),
];

/** The texts of every file that V8 ran while the program answered the calls of a host. */
async function loadedBy(settings: Record<string, string>, calls: readonly string[]): Promise<string> {
  const folder = temporaryFolder();
  const env = bareEnvironment({
    WEB3_BI_BASE_URL: service.url,
    WEB3_BI_STATE_DIR: join(folder.path, 'state'),
    NODE_V8_COVERAGE: join(folder.path, 'coverage'),
    ...settings,
  });
  const child = spawn(process.execPath, [PROGRAM, 'mcp'], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const answered = new Set<number>();
  child.stdin.write([...OPENING, ...calls].map((line) => `${line}\n`).join(''));
  for await (const line of createInterface(child.stdout)) {
    const { id, result } = JSON.parse(line) as { id: number; result?: { isError?: boolean } };
    expect(result, line).toBeDefined();
    answered.add(id);
    if (answered.size === calls.length + 2) child.stdin.end();
  }
  if (child.exitCode === null) await once(child, 'exit');
  const texts = filesOf(join(folder.path, 'coverage')).map((file) => readFileSync(file, 'utf8'));
  folder.remove();
  return texts.join('');
}

function filesOf(folder: string): string[] {
  const urls = readdirSync(folder).flatMap((name) => {
    const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as { result: { url: string }[] };
    return result.map(({ url }) => (url.startsWith('file:') ? fileURLToPath(url) : url));
  });
  return [...new Set(urls)].filter((file) => file.includes('dist') && existsSync(file));
}

describe('web3-bi mcp with a key', () => {
  const search = request(3, 'tools/call', { name: 'search', arguments: { query: 'uniswap' } });

  test('loads nothing of the wallet, also when it searches', async () => {
    const loaded = await loadedBy({ WEB3_BI_API_KEY: await service.newKey() }, [search]);
    expect(loaded).toContain('Web3 business intelligence: companies');
    expect(WALLET_TEXTS.filter((text) => loaded.includes(text))).toEqual(TOLD_TO_ALL);
  });

  test('is compared with a wallet, which loads all of it when it is asked, and not before', async () => {
    const key = { WEB3_BI_WALLET_KEY: generatePrivateKey() };
    const before = await loadedBy(key, []);
    expect(['EIP712Domain', 'secp256k1', 'payment-identifier'].filter((text) => before.includes(text))).toEqual([]);
    const asked = request(3, 'tools/call', { name: 'wallet', arguments: {} });
    const loaded = await loadedBy(key, [asked]);
    expect(WALLET_TEXTS.filter((text) => loaded.includes(text))).toEqual(WALLET_TEXTS);
  });
});
