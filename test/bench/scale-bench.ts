import { copyFileSync, existsSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openEngine, openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import { transfer } from '../../src/store/transfer/transfer.ts';
import { type Cluster, findPostgres, startCluster } from '../support/postgres-cluster.ts';
import { type Running, startProgram, temporaryFolder } from '../support/program.ts';
import { load } from './http/load.ts';
import { importFile, writeRows } from './import-rates.ts';
import { familyOf, processorMicros, serverPid } from './processor-time.ts';
import { createSynthetic, QUERY_KINDS } from './search/synthetic.ts';

const SEED = 7;
const QUERIES_OF_KIND = 25;
const WORKERS = [1, 2];
/** Enough that no worker waits for its client. */
const CONNECTIONS = 64;
const READY_POLL_MS = 250;
/** For each worker: until then the engine has not compiled all of what a search runs. */
const WARM_SECONDS = 20;
const WARM_REQUESTS = 500;
const ROUNDS = 9;
/** Long enough that what a change of turns empties, such as caches of the processor, does not count. */
const ROUND_SECONDS = 5;
const synthetic = createSynthetic(SEED);

/** Keyed searches over HTTP, with one number of workers. */
interface Served {
  readonly perSecond: number;
  /** Time of all processes that take part, the database's too, for one request. */
  readonly cpuMicros: number;
  readonly megabytes: number;
}

interface Measured {
  readonly engine: string;
  readonly records: number;
  /** Null where it was filled before. */
  readonly importPerSecond: number | null;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly served: readonly Served[];
  /** Two workers against one: the median of pairs. */
  readonly gain: number;
}

/**
 * `npm run bench -- scale [--records 10000,100000,1000000] [--keep FOLDER]`: the store on both engines as it grows. Import
 * (on PostgreSQL by COPY, as `web3-bi migrate` moves a database), latency of a first page with its exact total, asked for
 * the first time, keyed searches over HTTP with one and two workers in turns, what a request costs, and memory. Databases
 * of SQLite that are in the folder are not filled again.
 */
export async function scaleBench(words: readonly string[]): Promise<object> {
  const options = { records: { type: 'string', default: '10000' }, keep: { type: 'string' } } as const;
  const { values } = parseArgs({ args: [...words], options });
  const folder = temporaryFolder();
  // With the disk waited for, as where counts matter.
  const cluster = await startCluster(findPostgres(), []);
  const measured: Measured[] = [];
  try {
    for (const [index, records] of values.records.split(',').map(Number).entries()) {
      const file = join(folder.path, `${records}.db`);
      const kept = values.keep === undefined ? undefined : join(values.keep, `filled-${records}.db`);
      const importPerSecond = await fillSqlite(file, kept, records);
      const place = { url: `sqlite:${file}`, records, secret: await addKey(file) };
      const name = `scale_${index}`;
      await cluster.execute(`CREATE DATABASE ${name}`);
      const url = cluster.url(name);
      // Before the searches, whose log would be moved as well.
      const movedPerSecond = await fillPostgres(place.url, url, records);
      measured.push(await measure({ ...place, engine: 'SQLite', importPerSecond }));
      console.log(rowOf(measured.at(-1) as Measured));
      measured.push(await measure({ ...place, engine: 'PostgreSQL', url, importPerSecond: movedPerSecond, cluster }));
      console.log(rowOf(measured.at(-1) as Measured));
    }
  } finally {
    await cluster.remove();
    folder.remove();
  }
  console.table(measured.map(rowOf));
  const growth = growthOf(measured);
  console.table(growth);
  return { measured, growth };
}

function rowOf({ served, gain, ...row }: Measured): object {
  const columns = served.flatMap(({ perSecond, cpuMicros, megabytes }, index) => [
    [`rps × ${WORKERS[index]}`, Math.round(perSecond)],
    [`µs × ${WORKERS[index]}`, Math.round(cpuMicros)],
    [`MB × ${WORKERS[index]}`, Math.round(megabytes)],
  ]);
  const millis = { p50Ms: rounded(row.p50Ms), p99Ms: rounded(row.p99Ms) };
  return { ...row, ...millis, ...Object.fromEntries(columns), 'gain of 2': rounded(gain) };
}

const rounded = (value: number): number => Number(value.toPrecision(3));

interface Place {
  readonly engine: string;
  readonly url: string;
  readonly records: number;
  readonly secret: string;
  readonly importPerSecond: number | null;
  readonly cluster?: Cluster;
}

async function measure(place: Place): Promise<Measured> {
  const { engine, url, records, importPerSecond } = place;
  const store = await openStore(url);
  const texts = questions(records, 2 * QUERIES_OF_KIND);
  const isOdd = (_: string, place: number): boolean => place % 2 === 1;
  await latenciesOf(
    store,
    texts.filter((text, place) => !isOdd(text, place)),
  );
  // Other questions than those that warmed it: the pages of those are cached.
  const latencies = await latenciesOf(store, texts.filter(isOdd));
  await store.close();
  const share = (part: number): number => latencies[Math.floor((latencies.length - 1) * part)] ?? 0;
  const over = await serve(place);
  return { engine, records, importPerSecond, p50Ms: share(0.5), p99Ms: share(0.99), ...over };
}

/** A database of companies, or the copy of one that was kept; null then. Only one that is whole is kept. */
export async function fillSqlite(file: string, kept: string | undefined, records: number): Promise<number | null> {
  if (kept !== undefined && existsSync(kept)) {
    copyFileSync(kept, file);
    return null;
  }
  const store = await openStore(`sqlite:${file}`);
  const importPerSecond = await perSecond(records, () => fill(store, records));
  await store.close();
  if (kept !== undefined) {
    copyFileSync(file, `${kept}.part`);
    renameSync(`${kept}.part`, kept);
  }
  return importPerSecond;
}

/** A key that may search as often as it likes. */
export async function addKey(file: string): Promise<string> {
  const store = await openStore(`sqlite:${file}`);
  await store.accounts.create('bench', 'enterprise', { daily: 1_000_000_000, monthly: 1_000_000_000 });
  const { secret } = await store.keys.create({ account: 'bench', name: 'bench', level: 'read', expires_at: null });
  await store.close();
  return secret;
}

/** The same in PostgreSQL, the key with it. */
export async function fillPostgres(from: string, url: string, records: number): Promise<number> {
  const [source, target] = [await openEngine(from), await openEngine(url)];
  const movedPerSecond = await perSecond(records, () => transfer({ source, target, onProgress: () => undefined }));
  await source.close();
  await target.close();
  return movedPerSecond;
}

async function perSecond(records: number, work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return Math.round((records * 1_000) / (performance.now() - begun));
}

/** As `web3-bi import` does, from a file. */
async function fill(store: Store, records: number): Promise<void> {
  const folder = temporaryFolder();
  const file = join(folder.path, 'companies.ndjson');
  await writeRows(file, rowsOf(records));
  await importFile(store, 'companies', file);
  folder.remove();
}

function* rowsOf(records: number): Generator<object> {
  for (const { names, slug, keywords, overview } of synthetic.documents(records))
    yield { name: names[0] ?? slug, slug, tags: keywords, overview };
}

export const questions = (records: number, ofKind = QUERIES_OF_KIND): string[] => {
  const queries = synthetic.queries(ofKind, records);
  return QUERY_KINDS.flatMap((kind) => queries[kind]);
};

async function latenciesOf(store: Store, texts: readonly string[]): Promise<number[]> {
  const latencies: number[] = [];
  for (const text of texts) {
    const begun = performance.now();
    await store.records.search({ types: ['companies'], text, window: { offset: 0, limit: 10 } });
    latencies.push(performance.now() - begun);
  }
  return latencies.sort((one, other) => one - other);
}

/** One and two workers beside each other, asked in turns. */
async function serve({ url, records, secret, cluster }: Place): Promise<Pick<Measured, 'served' | 'gain'>> {
  const words = ['serve', '--database', url, '--data', 'none', '--port', '0', '--workers'];
  const settings = { WEB3_BI_BURST_PER_SECOND: '0', WEB3_BI_LOG_LEVEL: 'silent' };
  const services: Running[] = [];
  for (const workers of WORKERS) {
    const service = await startProgram([...words, String(workers)], settings);
    services.push(service);
    // A first start on PostgreSQL builds the index, and answers with 503 until then.
    while (!(await fetch(`${service.url}/readyz`)).ok) await pause(READY_POLL_MS);
  }
  const paths = questions(records).map((text) => `/api/v1/search?type=companies&query=${encodeURIComponent(text)}`);
  const asked = { paths, headers: { Authorization: `Bearer ${secret}` }, connections: CONNECTIONS };
  const round = async (service: Running, count: number): Promise<Omit<Served, 'megabytes'>> => {
    const before = microsOf(service, cluster);
    const { answers, seconds } = await load({ ...asked, url: service.url, requests: count });
    return { perSecond: answers / seconds, cpuMicros: (microsOf(service, cluster) - before) / answers };
  };
  const requests: number[] = [];
  for (const [index, service] of services.entries()) {
    const end = performance.now() + WARM_SECONDS * 1_000 * (WORKERS[index] ?? 1);
    do requests[index] = Math.ceil(ROUND_SECONDS * (await round(service, WARM_REQUESTS)).perSecond);
    while (performance.now() < end);
  }
  const rounds: Omit<Served, 'megabytes'>[][] = [];
  for (let count = 0; count < ROUNDS; count += 1) {
    const pair = [];
    for (const [index, service] of services.entries())
      pair.push(await round(service, requests[index] ?? WARM_REQUESTS));
    rounds.push(pair);
  }
  const served = services.map((service, index) => ({
    perSecond: median(rounds.map((pair) => pair[index]?.perSecond ?? 0)),
    cpuMicros: median(rounds.map((pair) => pair[index]?.cpuMicros ?? 0)),
    megabytes: familyOf(service.pid ?? 0).reduce((sum, pid) => sum + megabytesOf(pid), 0),
  }));
  for (const service of services) await service.stop();
  return { served, gain: median(rounds.map(([one, two]) => (two?.perSecond ?? 0) / (one?.perSecond ?? 1))) };
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

/** Time that a service and the database have taken so far. */
function microsOf(service: Running, cluster: Cluster | undefined): number {
  return processorMicros(service.pid ?? 0) + (cluster === undefined ? 0 : processorMicros(serverPid(cluster)));
}

function megabytesOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024;
}

/** How much grows with the records: the exponents between the smallest and the largest. */
function growthOf(measured: readonly Measured[]): Readonly<Record<string, object>> {
  return Object.fromEntries(
    ['SQLite', 'PostgreSQL'].map((engine) => {
      const some = measured.filter((row) => row.engine === engine);
      const exponent = (of: (row: Measured) => number): number | null => {
        const [first, last] = [some[0], some.at(-1)];
        if (first === undefined || last === undefined || first.records === last.records) return null;
        return rounded(Math.log(of(last) / of(first)) / Math.log(last.records / first.records));
      };
      const cost = exponent(({ served }) => served[0]?.cpuMicros ?? 0);
      return [engine, { p50: exponent(({ p50Ms }) => p50Ms), p99: exponent(({ p99Ms }) => p99Ms), cost }];
    }),
  );
}
