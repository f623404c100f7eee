import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { carryOut } from '../scripts/recipes.ts';
import type { Entity } from '../src/contract/entity.ts';
import type { Tool } from '../src/mcp/define-tool.ts';
import type { SqlProgram } from '../src/store/sql.ts';
import type { Console } from './support/console.ts';
import type { connectTo } from './support/mcp-server.ts';
import { temporaryFolder } from './support/program.ts';

/** What `npm run new` writes is all that a recipe needs: a copy of the source with every recipe carried out, and walked through. */

const ROOT = join(import.meta.dirname, '..');
const folder = temporaryFolder();
const copy = folder.path;
/** What the walk needs of the copy, whose types are ours. */
const PARTS = [
  'test/support/console.ts',
  'test/support/importing.ts',
  'test/support/mcp-server.ts',
  'src/client/client.ts',
  'src/commands/config.ts',
  'src/store/export/export.ts',
];
/** Files with a definition helper, whose example is run. */
const HELPERS = [
  ...['src/contract/entity.ts', 'src/mcp/define-tool.ts', 'src/store/sql.ts'],
  'src/store/sqlite/search/sqlite-search-index.ts',
];
type Parts = typeof import('./support/console.ts') &
  typeof import('./support/importing.ts') &
  typeof import('./support/mcp-server.ts') &
  typeof import('../src/client/client.ts') &
  typeof import('../src/commands/config.ts') &
  typeof import('../src/store/export/export.ts') & {
    readonly fund: Entity;
    readonly versionTool: Tool;
    slugOf(id: number): SqlProgram<string | undefined>;
    findMisspelt(): Promise<number | undefined>;
  };
const ARBITRUM = ['eip155:42161', 'Arbitrum One', 'https://arbiscan.io', '0xaf88d065e77c8cC2239327C5EDb3A432268e5831'];

let service: Console;
let key: string;
let store: Console['store'];
let mcp: Awaited<ReturnType<typeof connectTo>>;
let parts: Parts;

beforeAll(async () => {
  for (const part of ['src', 'test/support', 'package.json', 'data/sources.json'])
    cpSync(join(ROOT, part), join(copy, part), { recursive: true });
  for (const part of ['node_modules', 'dist']) symlinkSync(join(ROOT, part), join(copy, part));
  writeFileSync(
    join(copy, 'tsconfig.json'),
    JSON.stringify({ extends: join(ROOT, 'tsconfig.json'), include: ['src'] }),
  );
  carryOut(copy, 'type', ['products']);
  carryOut(copy, 'filter', ['company_stage']);
  carryOut(copy, 'list', ['companies/products', 'company']);
  carryOut(copy, 'network', [...ARBITRUM, 'USD Coin']);
  carryOut(copy, 'tool', ['how_many']);
  carryOut(copy, 'endpoint', ['statistics']);

  // The example of each definition helper becomes a module beside it.
  const examples = HELPERS.map((helper) => {
    const [, text = ''] = /^ \* @example\n((?: \*.*\n)+?) \*\/$/m.exec(readFileSync(join(copy, helper), 'utf8')) ?? [];
    const file = helper.replace(/\.ts$/, '-example.ts');
    writeFileSync(join(copy, file), text.replaceAll(/^ \* ?/gm, ''));
    return file;
  });
  // In one file, which is loaded in a tenth of the time that the modules take one by one.
  const walk = join(copy, 'test', 'support', 'walk.ts');
  writeFileSync(walk, [...PARTS, ...examples].map((part) => `export * from '../../${part}';\n`).join(''));
  const outfile = join(copy, 'test', 'support', 'walk.mjs');
  const shape = { bundle: true, packages: 'external', platform: 'node', format: 'esm' } as const;
  await build({ ...shape, entryPoints: [walk], outfile, tsconfig: join(copy, 'tsconfig.json'), logLevel: 'error' });
  parts = await import(outfile);
  service = await parts.startConsole([], { publicPages: true, selling: { network: ARBITRUM[0] } as never });
  ({ store } = service);
  await store.accounts.create('acme', 'api_access');
  ({ secret: key } = await store.keys.create({ account: 'acme', name: 'test', level: 'read', expires_at: null }));
  mcp = await parts.connectTo({ url: service.url, key } as never);

  await parts.importText(store, 'companies', 'name,company stage\nAcme,growth\nBeta,early\n');
  await parts.importText(
    store,
    'products' as never,
    'name,website,tags,company\nLedgerly,https://ledgerly.example,DeFi,Acme\nAlone,,,\n',
  );
});
afterAll(async () => {
  await mcp?.close();
  await service?.close();
  await folder.remove();
});

const get = async (path: string): Promise<any> => {
  const response = await fetch(service.url + path, { headers: { Authorization: `Bearer ${key}` } });
  return { status: response.status, ...(await response.json()) };
};
const namesOf = ({ results }: any): string[] => results.map(({ name }: any) => name);
const call = async (name: string, given: object): Promise<any> => {
  const { structuredContent, isError, content } = await mcp.callTool({ name, arguments: { ...given } });
  expect(isError, JSON.stringify(content)).not.toBe(true);
  return structuredContent;
};
const page = async (path: string): Promise<string> => (await service.visitor().get(path)).text;

test('what the recipes write compiles', () => {
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', copy, '--singleThreaded'], { encoding: 'utf8' });
  expect(stdout).toBe('');
});

describe('a new type of record', () => {
  test('is imported with a single optional reference, which is resolved, and exported', async () => {
    const { data } = await get('/api/v1/products/ledgerly');
    expect(data).toMatchObject({ name: 'Ledgerly', tags: ['DeFi'], company: { type: 'companies', slug: 'acme' } });
    expect((await get('/api/v1/products/alone')).data).toMatchObject({ company: null });
    const lines: string[] = [];
    const wanted = { type: 'products', format: 'ndjson' } as never;
    for await (const text of parts.exportText(store.records, wanted, () => {})) lines.push(text);
    expect(lines.join('')).toContain('"slug":"ledgerly"');
  });

  test('is searched, listed, counted and described over REST', async () => {
    expect(namesOf((await get('/api/v1/search?type=products&query=ledgerly')).data)).toEqual(['Ledgerly']);
    expect(namesOf((await get('/api/v1/search?type=all&query=ledgerli')).data)).toContain('Ledgerly');
    expect(namesOf((await get('/api/v1/products?tag=defi&sort=name')).data)).toEqual(['Ledgerly']);
    const { data } = await get('/api/v1/aggregate?of=products&group_by=tag');
    expect(data.rows).toEqual([
      ['DeFi', 1],
      [null, 1],
    ]);
    expect((await get('/api/v1/vocabulary')).data.coverage.products.records).toBe(2);
    expect(Object.keys((await get('/api/v1/openapi.json')).paths)).toContain('/api/v1/products/{idOrSlug}');
  });

  test('is found and read by tools, and drawn on pages', async () => {
    expect(namesOf(await call('search', { type: 'products', query: 'ledgerly' }))).toEqual(['Ledgerly']);
    expect(JSON.stringify(await call('get_entity', { type: 'products', id: 'ledgerly' }))).toContain('"acme"');
    const [profile, results] = [await page('/products/ledgerly'), await page('/search?type=products&query=ledgerly')];
    expect(profile).toContain('href="/companies/acme"');
    expect(results).toContain('href="/products/ledgerly"');
  });
});

describe('a new filter', () => {
  test('narrows lists, searches, tools and pages', async () => {
    expect(namesOf((await get('/api/v1/companies?company_stage=growth')).data)).toEqual(['Acme']);
    expect(namesOf((await get('/api/v1/search?type=companies&company_stage=not:growth')).data)).toEqual(['Beta']);
    expect(namesOf(await call('search', { type: 'companies', company_stage: 'growth' }))).toEqual(['Acme']);
    const results = await page('/search?type=companies&company_stage=growth');
    expect([results.includes('/companies/acme'), results.includes('/companies/beta')]).toEqual([true, false]);
  });
});

describe('a new related list', () => {
  test('hangs on its record over REST, for tools and on the page', async () => {
    expect(namesOf((await get('/api/v1/companies/acme/products')).data)).toEqual(['Ledgerly']);
    const given = { type: 'companies', id: 'acme', include: ['products'] };
    expect(JSON.stringify(await call('get_entity', given))).toContain('ledgerly');
    expect(await page('/companies/acme')).toContain('href="/products/ledgerly"');
  });
});

describe('a new network', () => {
  test('is a setting, and what a payment is asked for on', async () => {
    const [id, , , asset] = ARBITRUM;
    expect(parts.readSettings({}, { WEB3_BI_NETWORK: id }).network).toBe(id);
    const response = await fetch(`${service.url}/api/v1/x402/search?q=acme`);
    const { accepts } = JSON.parse(atob(response.headers.get('payment-required') ?? ''));
    expect(accepts[0]).toMatchObject({
      network: id,
      asset,
      amount: '10000',
      extra: { name: 'USD Coin', version: '2' },
    });
  });
});

describe('a new tool', () => {
  test('is listed and called', async () => {
    expect((await mcp.listTools()).tools.map(({ name }) => name)).toContain('how_many');
    expect(await call('how_many', { type: 'products' })).toEqual({ records: 2 });
  });
});

describe('a new endpoint', () => {
  test('needs a key, answers, and is described', async () => {
    expect((await fetch(`${service.url}/api/v1/statistics`)).status).toBe(401);
    expect((await get('/api/v1/statistics')).data.records).toMatchObject({ companies: 2, products: 2 });
    const { operationId } = (await get('/api/v1/openapi.json')).paths['/api/v1/statistics'].get;
    expect(operationId).toBe('getStatistics');
  });
});

test('the example of each definition helper does what it says', async () => {
  expect(Object.keys(parts.fund.record.shape)).toEqual(expect.arrayContaining(['name', 'strategy', 'tags']));
  const client = parts.createClient(service.url, fetch);
  const answer = await parts.versionTool.run({}, { client, signal: AbortSignal.timeout(10_000) });
  expect(parts.versionTool.text(answer)).toBe('OpenAPI 3.1.0.');
  const program = parts.slugOf(1);
  expect(program.next().value).toEqual([
    { sql: 'SELECT slug FROM companies WHERE id = ?', parameters: [1], wanted: 'objects' },
  ]);
  expect(program.next([[{ slug: 'acme' }]])).toEqual({ done: true, value: 'acme' });
  expect(await parts.findMisspelt()).toBe(7);
});

test('a recipe that is not there, or was carried out, changes nothing and says so', () => {
  expect(() => carryOut(copy, 'color', ['red'])).toThrow('npm run new -- type TYPE, such as products');
  expect(() => carryOut(copy, 'tool', ['how_many'])).toThrow('src/mcp/tools/how-many.ts exists');
});
