import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import autocannon from 'autocannon';
import { openStore } from '../../../src/store/open.ts';
import type { Row } from '../../../src/store/port/records.ts';
import { temporaryFolder } from '../../support/program.ts';
import { createSynthetic, QUERY_KINDS } from '../search/synthetic.ts';
import { buildServer, type Child, startChild } from './child.ts';

const SEED = 1;
const BATCH = 400;
const CONNECTIONS = 32;
const QUERIES_PER_KIND = 40;
const WARM_SECONDS = 3;
const SEARCHING_CLIENTS = 4;
const PROBES_PER_SECOND = 50;

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
 * `npm run bench -- http [--records 100000] [--rounds 5] [--seconds 2] [--database FILE] [--profile FOLDER]`: throughput
 * of the service as ratio to a bare Express route that answers the same 2 kB, part by part, and what health checks wait
 * beside searching clients. A database that is named is kept, and used again.
 */
export async function httpBench(words: readonly string[]): Promise<object> {
  const { values } = parseArgs({
    args: [...words],
    options: {
      records: { type: 'string', default: '100000' },
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '2' },
      database: { type: 'string' },
      profile: { type: 'string' },
    },
  });
  const records = Number(values.records);
  const folder = temporaryFolder();
  try {
    const file = values.database ?? join(folder.path, 'bench.db');
    if (!existsSync(file)) await fill(file, records);
    const key = await newKey(file);
    const bench: HttpBench = { key, seconds: Number(values.seconds), servers: new Map() };
    const program = buildServer(folder.path);
    const flags = values.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${values.profile}`];
    for (const name of ['bare', 'key', 'counted', 'whole'])
      bench.servers.set(name, await startChild(program, [name, `sqlite:${file}`], flags));
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
  readonly seconds: number;
  readonly servers: Map<string, Child>;
}

async function measureAll(bench: HttpBench, { records, rounds }: { records: number; rounds: number }): Promise<object> {
  const asked = whatIsAsked(records);
  for (const each of Object.values(asked)) await load(bench, each, WARM_SECONDS);
  const runs: Record<string, Measured>[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const run: Record<string, Measured> = {};
    for (const [name, each] of Object.entries(asked)) run[name] = await load(bench, each, bench.seconds);
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

async function load({ key, servers }: HttpBench, { server, paths }: Asked, seconds: number): Promise<Measured> {
  const child = servers.get(server) as Child;
  const before = await child.takenMicros();
  const result = await autocannon({
    url: child.url,
    connections: CONNECTIONS,
    duration: seconds,
    headers: { Authorization: `Bearer ${key}` },
    requests: paths.map((path) => ({ method: 'GET' as const, path })),
  });
  const wrong = result.non2xx + result.errors + result.timeouts;
  if (wrong > 0)
    throw new Error(
      `${wrong} answers of ${server} were no success: ${JSON.stringify(result.statusCodeStats)}, ${paths[0]}`,
    );
  const taken = (await child.takenMicros()) - before;
  const total = result.requests.total;
  const { p50, p99 } = result.latency;
  return { perSecond: total / result.duration, p50Ms: p50, p99Ms: p99, cpuMicros: taken / total };
}

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

/** What /api/health waits while four clients search as fast as they can. */
async function healthBesideSearch({ key, servers, seconds }: HttpBench, { server, paths }: Asked): Promise<object> {
  const { url } = servers.get(server) as Child;
  const duration = seconds * 2;
  const headers = { Authorization: `Bearer ${key}` };
  const requests = paths.map((path) => ({ method: 'GET' as const, path }));
  const searching = autocannon({ url, connections: SEARCHING_CLIENTS, duration, headers, requests });
  const probing = await autocannon({
    url: `${url}/api/health`,
    connections: 1,
    duration,
    overallRate: PROBES_PER_SECOND,
  });
  const { latency } = await searching;
  return {
    '/api/health': { 'p50 ms': probing.latency.p50, 'p99 ms': probing.latency.p99 },
    'search of four': { 'p50 ms': latency.p50, 'p99 ms': latency.p99 },
  };
}

async function fill(file: string, records: number): Promise<void> {
  const store = await openStore(`sqlite:${file}`);
  let batch: Row[] = [];
  for (const { names, slug, keywords, overview, domain } of createSynthetic(SEED).documents(records)) {
    const website = domain === null ? null : `https://${domain}`;
    const input = { name: names[0] ?? '', slug, tags: [...keywords], overview, website };
    batch.push({ type: 'companies', input });
    if (batch.length < BATCH) continue;
    await store.records.putEach(batch);
    batch = [];
  }
  await store.records.putEach(batch);
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
