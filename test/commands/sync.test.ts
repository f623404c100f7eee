import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openStore } from '../../src/store/open.ts';
import {
  bareEnvironment,
  PROGRAM,
  runAsInTerminal,
  runProgram,
  startProgram,
  temporaryFolder,
} from '../support/program.ts';
import { archiveOf, type Replay, startReplay } from '../support/replay.ts';
import { binding, CHAIN_REGISTRY, chains, replaySource } from '../support/sync-fixtures.ts';

const folder = temporaryFolder();
let replay: Replay;
let made = 0;
let database: string;
beforeAll(async () => {
  replay = await startReplay();
});
beforeEach(() => {
  made += 1;
  database = `sqlite:${join(folder.path, `${made}.db`)}`;
  replay.pages.clear();
  replay.pages.set(CHAIN_REGISTRY, archiveOf(chains(['alpha', 'beta'])));
  replaySource(replay, 'defillama-protocols');
});
afterAll(async () => {
  await replay.close();
  folder.remove();
});

const environment = (more: Record<string, string> = {}): Record<string, string> => ({
  ...{ WEB3_BI_SYNC_MIRROR: replay.url, WEB3_BI_DATA: 'none', WEB3_BI_DATABASE_URL: database, ...more },
});
const sync = (...words: string[]) => runProgram(['sync', ...words], environment());
const search = async (url: string, name: string): Promise<number> =>
  ((await (await fetch(`${url}/search?q=${name}`)).text()).match(new RegExp(`/companies/${name}`, 'g')) ?? []).length;

describe('web3-bi sync', () => {
  test('lists the sources, syncs one, and lists when that was', async () => {
    const listed = await sync();
    expect(listed.stdout).toContain('chain-registry');
    expect(listed.stdout).toMatch(/defillama-raises +never +0 +0 +- +not shareable\n/);
    const dry = await sync('chain-registry', '--dry-run');
    expect(dry.stdout).toBe('chain-registry: 2 read, would be: 2 created\n');
    const done = await sync('chain-registry');
    expect([done.code, done.stdout, done.stderr]).toEqual([0, 'chain-registry: 2 read, done: 2 created\n', '']);
    expect((await sync('chain-registry')).stdout).toBe('chain-registry: nothing has changed since the last run\n');
    const again = JSON.parse((await sync('chain-registry', '--json')).stdout);
    expect(again).toMatchObject({ status: 'done', not_modified: 1, created: 0 });
    const [first] = JSON.parse((await sync('--json')).stdout);
    expect(first).toMatchObject({ source: 'chain-registry', redistributable: true, entries: 2, last_status: 'done' });
    const shown = await runProgram(['get', 'companies/alpha-chain', '--sources'], environment());
    expect(shown.stdout).toContain('Website: https://alpha.example/  [2026-11-18]');
    const { stdout } = await runProgram(['doctor'], environment());
    expect(stdout).toMatch(/data: \d+ days old; web3-bi sync lists/);
    expect((await sync('chain-registry', '--drop')).stdout).toContain('2 records had no other source');
  });

  test('says what is wrong in one line', async () => {
    expect(await sync('chain-regstry')).toMatchObject({ code: 2, stdout: '' });
    expect((await sync('chain-regstry')).stderr).toContain('chain-registry');
    expect(await sync('--all')).toMatchObject({ code: 2 });
    expect((await sync('wikidata')).stderr).toContain('WEB3_BI_SYNC_CONTACT');
    const all = environment({ WEB3_BI_SYNC: 'chain-registry,wikidata' });
    expect(await runProgram(['sync', '--all'], all)).toMatchObject({ code: 2, stdout: '' });
    const refused = await sync('defillama-protocols');
    expect([refused.code, refused.stderr.trim().split('\n').length]).toEqual([1, 1]);
    expect(refused.stderr).toContain('--accept-terms');
  });

  test('shows where trusted sources differ, and changes nothing', async () => {
    const known = { name: 'alpha Chain', website: 'https://alpha.example', year_founded: 2011 };
    const book = [{ source: 'a book', fields: ['name', 'website', 'year_founded'] }];
    const row = JSON.stringify({ ...known, sources: book });
    await runProgram(['import', '-', '--type', 'companies'], environment(), row);
    const item = { ...binding(1), itemLabel: { value: 'alpha Chain' }, website: { value: 'https://alpha.example' } };
    replay.pages.set('query.wikidata.org/sparql', JSON.stringify({ results: { bindings: [item] } }));
    const contact = environment({ WEB3_BI_SYNC_CONTACT: 'ops@example.com' });
    expect((await runProgram(['sync', 'wikidata'], contact)).stdout).toContain('1 joined');
    const { stdout } = await sync('--conflicts');
    expect(stdout).toMatch(/alpha-chain.*year_founded/);
    expect(stdout).toContain('2011');
    expect(stdout).toContain('2018');
    const kept = JSON.parse((await runProgram(['get', 'companies/alpha-chain', '--json'], environment())).stdout);
    expect(kept).toMatchObject({ year_founded: 2011 });
  });

  test('sends the key of a source, whatever is in it', async () => {
    const keys: unknown[] = [];
    replay.pages.set('api.coingecko.com', (response, headers) => {
      keys.push(headers['x-cg-demo-api-key']);
      response.end('[]');
    });
    const given = environment({ WEB3_BI_SYNC_KEYS: 'other=1,coingecko=CG-a=b==' });
    expect((await runProgram(['sync', 'coingecko', '--accept-terms'], given)).code).toBe(0);
    expect(keys).toEqual(['CG-a=b==']);
  });

  test('shows a person how far it is, and what it did', async () => {
    const { stdout, code } = await runAsInTerminal(['sync', 'chain-registry'], environment());
    expect(code).toBe(0);
    expect(stdout).toContain('chain-registry: 2 read, done: 2 created');
    const listed = (await runAsInTerminal(['sync', 'list'], environment())).stdout.split('\n');
    // A name must be typed exactly.
    expect(listed.filter((line) => /^(defillama-protocols|chain-registry) /.test(line))).toHaveLength(2);
    expect(Math.max(...listed.map((line) => line.length))).toBeLessThanOrEqual(88);
    // What is shipped stands beside what was synced.
    expect(listed.join('\n')).toMatch(/oss-directory +never +0 +[\d,]{5,} {2}\d{4}-\d\d-\d\d {2}Apache-2\.0/);
  });

  test('that is killed goes on from its last page, and no record is there twice', async () => {
    const page = (offset: number, rows: number): string =>
      JSON.stringify({ results: { bindings: Array.from({ length: rows }, (_, row) => binding(1 + offset + row)) } });
    const asked: string[] = [];
    let isHeld = true;
    const held = new Promise<void>((resolve) => {
      replay.pages.set('query.wikidata.org/sparql', (response) => {
        const offset = Number(/OFFSET\+(\d+)/.exec(replay.asked.at(-1) ?? '')?.[1]);
        asked.push(String(offset));
        if (offset === 500 && isHeld) resolve();
        else response.end(page(offset, offset === 0 ? 500 : 1));
      });
    });
    const env = bareEnvironment(environment({ WEB3_BI_SYNC_CONTACT: 'ops@example.com' }));
    const child = spawn(process.execPath, [PROGRAM, 'sync', 'wikidata'], { env });
    await held;
    child.kill('SIGKILL');
    await once(child, 'exit');
    isHeld = false;
    // The lease of the killed one has not ended: as if three minutes were over.
    const store = await openStore(database, () => new Date(Date.now() + 600_000));
    await store.claims.lease('sync', 'nobody', 1);
    await store.claims.release('sync', 'nobody');
    await store.close();
    const { stdout } = await runProgram(
      ['sync', 'wikidata', '--json'],
      environment({ WEB3_BI_SYNC_CONTACT: 'ops@example.com' }),
    );
    expect(JSON.parse(stdout)).toMatchObject({ status: 'done', isResumed: true, created: 1 });
    expect(asked).toEqual(['0', '500', '500']);
  });
});

/** What only the fixtures of DefiLlama state, other than the words that are asked for. */
const RESTRICTED =
  /protocol[- ][13]\b|x\.com\/protocol|lending|example[- ]capital|acme-seed|acme seed|"other-|2500000|strategic \(/i;
const V1 = '/api/v1';
const DOORS = [
  ...['/', '/search?q=protocl', '/search?q=lendng', '/search?type=rounds', '/search?type=investors', '/sitemap.xml'],
  ...['/companies/protocol-1', '/companies/protocol-2', '/companies/acme', '/rounds/acme-seed-2026'],
  ...['companies', 'people', 'investors', 'events', 'rounds'].flatMap((type) => [
    ...[`${V1}/${type}`, `${V1}/${type}?format=csv`, `${V1}/search?type=${type}`],
  ]),
  ...['protocl', 'p1', 'exampel captial', 'protocol', 'acme', 'lendnig'].map(
    (text) => `${V1}/search?type=all&query=${text}`,
  ),
  ...['tag', 'chain', 'company', 'investor', 'stage'].map((group) => `${V1}/aggregate?of=rounds&group_by=${group}`),
  ...['tag', 'chain', 'country'].map((group) => `${V1}/aggregate?of=companies&group_by=${group}`),
  ...['', '/sources', '/rounds', '/investors', '/similar'].map((list) => `${V1}/companies/acme${list}`),
  ...['', '/sources', '/similar'].map((list) => `${V1}/companies/protocol-2${list}`),
  ...['companies/protocol-1', 'rounds/acme-seed-2026', 'investors/example-cap', 'openapi.json', 'usage'].map(
    (path) => `${V1}/${path}`,
  ),
  ...[`${V1}/vocabulary`, `${V1}/vocabulary?of=tag`, `${V1}/connections?from=companies/acme&to=companies/protocol-2`],
];
const MESSAGES: readonly (readonly [method: string, params: object])[] = [
  ['tools/list', {}],
  ['resources/list', {}],
  ['resources/templates/list', {}],
  ['prompts/list', {}],
  ['resources/read', { uri: 'web3-bi://companies/acme' }],
  ['tools/call', { name: 'search', arguments: { query: 'protocl', detail: 'full' } }],
  ['tools/call', { name: 'search', arguments: { type: 'rounds', detail: 'full' } }],
  [
    'tools/call',
    { name: 'get_entity', arguments: { type: 'companies', id: 'acme', include: ['rounds', 'investors'] } },
  ],
  ['tools/call', { name: 'aggregate', arguments: { of: 'rounds', group_by: ['investor'] } }],
];

describe('web3-bi serve', () => {
  test('syncs what is switched on, counts it, and hands on nothing that it may not, at any door', async () => {
    const rows = 'name,website,tags\nAcme,https://acme.example,Tools\nProtocol 2,https://protocol2.example,Tools\n';
    await runProgram(['import', '-', '--type', 'companies'], environment(), rows);
    replaySource(replay, 'defillama-raises');
    await sync('defillama-raises', '--accept-terms');
    await sync('defillama-protocols', '--accept-terms');
    const exported = await runProgram(['export', '--type', 'companies'], environment());
    expect(exported.stdout.trim().split('\n')).toHaveLength(2);
    const words = [
      'key',
      'create',
      '--account',
      'a',
      '--plan',
      'enterprise',
      '--name',
      'k',
      '--level',
      'delete',
      '--json',
    ];
    const { key } = JSON.parse((await runProgram(words, environment())).stdout);
    const served = await startProgram(
      ['serve', '--port', '0'],
      environment({ WEB3_BI_SYNC: 'chain-registry=1h', WEB3_BI_BURST_PER_SECOND: '0' }),
    );
    let metrics = '';
    while (!metrics.includes('web3_bi_sync_runs_total{')) metrics = await (await fetch(`${served.url}/metrics`)).text();
    expect(metrics).toContain('web3_bi_sync_runs_total{source="chain-registry",status="done"} 1');
    expect(metrics).toContain('web3_bi_sync_claims_total{source="chain-registry",change="created"} 2');
    expect(await search(served.url, 'alpha-chain')).toBeGreaterThan(0);
    const headers = { Authorization: `Bearer ${key}`, Accept: 'application/json, text/event-stream' };
    for (const path of DOORS) {
      const response = await fetch(served.url + path, { headers });
      expect([200, 400, 404]).toContain(response.status);
      // What is not there is looked for by the words of its address.
      const words = response.status === 404 ? (path.split('/').at(-1) ?? '').replaceAll('-', ' ') : path;
      const text = (await response.text()).replaceAll(words, '');
      expect([path, text.match(RESTRICTED)?.[0]]).toEqual([path, undefined]);
    }
    for (const [method, params] of MESSAGES) {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
      const sent = { method: 'POST', body, headers: { ...headers, 'Content-Type': 'application/json' } };
      const text = await (await fetch(`${served.url}/mcp`, sent)).text();
      expect(text).toContain('"result"');
      expect([text, text.match(RESTRICTED)?.[0]]).toEqual([text, undefined]);
    }
    const stated = await fetch(`${served.url}/api/v1/companies/protocol-2`, { headers });
    expect((await stated.json()).data).toMatchObject({ tags: ['Tools'], chains: [], twitter: null, token_symbols: [] });
    expect(await served.stop()).toBe(0);
  });

  test('syncs a source once, however many instances of a database there are', async () => {
    replay.asked.length = 0;
    const state = environment({ WEB3_BI_SYNC: 'chain-registry=1h' });
    await sync();
    const served = await Promise.all([1, 2].map(() => startProgram(['serve', '--port', '0'], state)));
    const runs = async (): Promise<string[]> => {
      const all = await Promise.all(served.map(async ({ url }) => (await fetch(`${url}/metrics`)).text()));
      return all.flatMap((text) => text.match(/^web3_bi_sync_runs_total\{.*$/gm) ?? []);
    };
    while ((await runs()).length === 0) await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await runs()).toEqual(['web3_bi_sync_runs_total{source="chain-registry",status="done"} 1']);
    expect(replay.asked).toEqual([CHAIN_REGISTRY]);
    for (const each of served) expect(await each.stop()).toBe(0);
    expect(replay.asked).toEqual([CHAIN_REGISTRY]);
  });

  test('is not begun again by who decided before the last run ended', async () => {
    await sync('chain-registry');
    replay.asked.length = 0;
    const { code, stdout } = await sync('chain-registry', '--if-older', '1', '--json');
    expect([code, JSON.parse(stdout).status, replay.asked]).toEqual([0, 'skipped', []]);
  });

  test('hands them on where the operator says that he has the right', async () => {
    await sync('defillama-protocols', '--accept-terms');
    const right = environment({ WEB3_BI_SYNC_REDISTRIBUTE: 'defillama-protocols' });
    const exported = await runProgram(['export', '--type', 'companies'], right);
    expect(exported.stdout.trim().split('\n')).toHaveLength(3);
    const served = await startProgram(['serve', '--port', '0'], right);
    expect(await search(served.url, 'protocol-1')).toBeGreaterThan(0);
    expect(await (await fetch(`${served.url}/sitemap.xml`)).text()).toMatch(RESTRICTED);
    expect(await served.stop()).toBe(0);
  });
});
