import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openStore } from '../../../src/store/open.ts';
import type { RowInput } from '../../../src/store/port/records.ts';
import { temporaryFolder } from '../../support/program.ts';
import { createSynthetic, QUERY_KINDS } from '../search/synthetic.ts';
import { buildServer, type Child, startChild } from './child.ts';
import { load } from './load.ts';

const SEED = 1;
const BATCH = 400;
const CONNECTIONS = 32;
const QUERIES_PER_KIND = 40;
const WARM_REQUESTS = 3_000;
const SEARCHING_CLIENTS = 4;
const SEARCHES_AT_ONCE = 200;
const PROBES = 300;
const PROBE_EVERY_MS = 15;

/** What is asked of a server; each is measured against `bare` in the same round. */
interface Asked {
  readonly server: string;
  readonly paths: readonly string[];
}

interface Measured {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly cpuMicros: number;
}

/**
 * `npm run bench -- http [--records 100000] [--rounds 15] [--requests 800] [--database FILE]`: throughput of the service as
 * ratio to a bare Express route that answers the same 2 kB, part by part, and what health checks wait beside searching
 * clients. Rounds are short and many, because what else the machine does changes. A database that is named is kept.
 */
export async function httpBench(words: readonly string[]): Promise<object> {
  const { values } = parseArgs({
    args: [...words],
    options: {
      records: { type: 'string', default: '100000' },
      rounds: { type: 'string', default: '15' },
      requests: { type: 'string', default: '800' },
      database: { type: 'string' },
    },
  });
  const records = Number(values.records);
  const folder = temporaryFolder();
  try {
    const file = values.database ?? join(folder.path, 'bench.db');
    if (!existsSync(file)) await fill(file, records);
    const key = await newKey(file);
    const bench: HttpBench = { key, requests: Number(values.requests), servers: new Map() };
    const program = buildServer();
    for (const name of ['bare', 'key', 'counted', 'whole'])
      bench.servers.set(name, await startChild(program, [name, `sqlite:${file}`]));
    try {
      return await measureAll(bench, { records, rounds: Number(values.rounds) });
    } finally {
      for (const server of bench.servers.values()) await server.stop();
    }
  } finally {
    folder.remove();
  }
}

interface HttpBench {
  readonly key: string;
  readonly requests: number;
  readonly servers: Map<string, Child>;
}

async function measureAll(bench: HttpBench, { records, rounds }: { records: number; rounds: number }): Promise<object> {
  const asked = whatIsAsked(records);
  for (const each of Object.values(asked)) await measure(bench, each, WARM_REQUESTS);
  const runs: Record<string, Measured>[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const run: Record<string, Measured> = {};
    for (const [name, each] of Object.entries(asked)) run[name] = await measure(bench, each, bench.requests);
    runs.push(run);
  }
  const rows = Object.fromEntries(Object.keys(asked).map((name) => [name, rowOf(runs, name)]));
  console.table(rows);
  const health = await healthBesideSearch(bench, asked['key, count and search'] as Asked);
  console.table(health);
  return { records, connections: CONNECTIONS, rows, health };
}

function whatIsAsked(records: number): Record<string, Asked> {
  const queries = createSynthetic(SEED).queries(QUERIES_PER_KIND, records);
  const texts = QUERY_KINDS.flatMap((kind) => queries[kind]);
  const search = (text: string): string => `/api/v1/search?type=companies&query=${encodeURIComponent(text)}`;
  return {
    'bare Express, 2 kB': { server: 'bare', paths: ['/fixed'] },
    'no key, /livez': { server: 'key', paths: ['/livez'] },
    'key, 2 kB': { server: 'key', paths: ['/api/v1/companies/fixed'] },
    'key and count, 2 kB': { server: 'counted', paths: ['/api/v1/companies/fixed'] },
    'key, count and record': { server: 'whole', paths: ['/api/v1/companies/1', '/api/v1/companies/2'] },
    'key, count and search': { server: 'whole', paths: texts.map(search) },
    'key, count and list': { server: 'whole', paths: ['/api/v1/companies?limit=10'] },
  };
}

async function measure({ key, servers }: HttpBench, { server, paths }: Asked, requests: number): Promise<Measured> {
  const child = servers.get(server) as Child;
  const before = await child.takenMicros();
  const headers = { Authorization: `Bearer ${key}` };
  const { answers, seconds, millis } = await load({
    url: child.url,
    paths,
    headers,
    connections: CONNECTIONS,
    requests,
  });
  const taken = (await child.takenMicros()) - before;
  const [p50Ms, p99Ms] = [share(millis, 0.5), share(millis, 0.99)];
  return { perSecond: answers / seconds, p50Ms, p99Ms, cpuMicros: taken / answers };
}

const share = (sorted: readonly number[], part: number): number => sorted[Math.floor(sorted.length * part)] ?? 0;

function rowOf(runs: readonly Record<string, Measured>[], name: string): Record<string, number> {
  const over = (pick: (measured: Measured, bare: Measured) => number): number =>
    rounded(median(runs.map((run) => pick(run[name] as Measured, run['bare Express, 2 kB'] as Measured))));
  return {
    'throughput / E': over((own, bare) => own.perSecond / bare.perSecond),
    'CPU / E': over((own, bare) => own.cpuMicros / bare.cpuMicros),
    'p99 / E': over((own, bare) => own.p99Ms / bare.p99Ms),
    'per second': over((own) => own.perSecond),
    'CPU µs': over((own) => own.cpuMicros),
    'p50 ms': over((own) => own.p50Ms),
    'p99 ms': over((own) => own.p99Ms),
  };
}

/** What /api/health waits, on a connection that stays open, while four clients search as fast as they can. */
async function healthBesideSearch({ key, servers }: HttpBench, { server, paths }: Asked): Promise<object> {
  const { url } = servers.get(server) as Child;
  const headers = { Authorization: `Bearer ${key}` };
  let isDone = false;
  const searches: number[] = [];
  const searching = async (): Promise<void> => {
    while (!isDone) {
      const { millis } = await load({
        url,
        paths,
        headers,
        connections: SEARCHING_CLIENTS,
        requests: SEARCHES_AT_ONCE,
      });
      searches.push(...millis);
    }
  };
  const done = searching();
  const probe = { url, paths: ['/api/health'], headers: {}, connections: 1, requests: PROBES, pauseMs: PROBE_EVERY_MS };
  const { millis } = await load(probe);
  isDone = true;
  await done;
  const row = (of: readonly number[]) => ({ 'p50 ms': rounded(share(of, 0.5)), 'p99 ms': rounded(share(of, 0.99)) });
  return { '/api/health': row(millis), 'search of four': row(searches.sort((one, other) => one - other)) };
}

async function fill(file: string, records: number): Promise<void> {
  const store = await openStore(`sqlite:${file}`);
  let batch: RowInput[] = [];
  for (const { names, slug, keywords, overview, domain } of createSynthetic(SEED).documents(records)) {
    const website = domain === null ? null : `https://${domain}`;
    const input = { name: names[0] ?? '', slug, tags: [...keywords], overview, website };
    batch.push({ type: 'companies', input });
    if (batch.length < BATCH) continue;
    await store.records.upsertMany(batch);
    batch = [];
  }
  await store.records.upsertMany(batch);
  await store.compactIndex();
  await store.close();
}

/** A key with limits that are counted and never met. */
async function newKey(file: string): Promise<string> {
  const store = await openStore(`sqlite:${file}`);
  const account = 'bench';
  if ((await store.accounts.find(account)) === undefined)
    await store.accounts.create(account, 'enterprise', { daily: 1_000_000_000, monthly: 1_000_000_000 });
  const [old] = await store.keys.list(account);
  if (old !== undefined) await store.keys.revoke(old.id);
  const { secret } = await store.keys.create({ account, name: 'bench', level: 'read', expires_at: null });
  await store.close();
  return secret;
}

function median(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}

const rounded = (value: number): number => Number(value.toPrecision(3));
