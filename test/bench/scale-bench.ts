import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openStore } from '../../src/store/open.ts';
import type { Row } from '../../src/store/port/records.ts';
import type { Store } from '../../src/store/store.ts';
import { findPostgres, startCluster } from '../support/postgres-cluster.ts';
import { startProgram, temporaryFolder } from '../support/program.ts';
import { createSynthetic, QUERY_KINDS } from './search/synthetic.ts';

const SEED = 7;
const BATCH = 1_000;
const QUERIES_OF_KIND = 25;
const WORKERS = [1, 2];
const CLIENTS = 8;
const ASKED_MS = 5_000;
const WARM_UP_MS = 1_000;
const synthetic = createSynthetic(SEED);

interface Measured {
  readonly engine: string;
  readonly records: number;
  readonly importPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Keyed searches a second, by number of workers, and the memory of all processes at the end. */
  readonly perSecond: Readonly<Record<number, number>>;
  readonly megabytes: Readonly<Record<number, number>>;
}

/**
 * `npm run bench -- scale [--records 10000,100000,1000000]`: the store on both engines as it grows. Import, latency of a
 * first page with its exact total, keyed searches over HTTP with one and two workers, and memory.
 */
export async function scaleBench(words: readonly string[]): Promise<object> {
  const { values } = parseArgs({ args: [...words], options: { records: { type: 'string', default: '10000' } } });
  const folder = temporaryFolder();
  // With the disk waited for, as where counts matter.
  const cluster = await startCluster(findPostgres(), []);
  const measured: Measured[] = [];
  try {
    for (const [index, records] of values.records.split(',').map(Number).entries()) {
      measured.push(await measure('SQLite', `sqlite:${join(folder.path, `${records}.db`)}`, records));
      const name = `scale_${index}`;
      await cluster.execute(`CREATE DATABASE ${name}`);
      measured.push(await measure('PostgreSQL', cluster.url(name), records));
    }
  } finally {
    await cluster.remove();
    folder.remove();
  }
  console.table(
    measured.map(({ perSecond, megabytes, ...row }) => ({
      ...row,
      ...named('rps', perSecond),
      ...named('MB', megabytes),
    })),
  );
  return { measured, growth: growthOf(measured) };
}

const named = (unit: string, byWorkers: Readonly<Record<number, number>>): object =>
  Object.fromEntries(Object.entries(byWorkers).map(([workers, value]) => [`${unit} × ${workers}`, Math.round(value)]));

async function measure(engine: string, url: string, records: number): Promise<Measured> {
  const store = await openStore(url);
  await store.accounts.create('bench', 'enterprise');
  const key = await store.keys.create({ account: 'bench', name: 'bench', level: 'read', expires_at: null });
  const importPerSecond = await fill(store, records);
  const latencies = await latenciesOf(store, records);
  await store.close();
  const perSecond: Record<number, number> = {};
  const megabytes: Record<number, number> = {};
  for (const workers of WORKERS) {
    const served = await serveFor(url, key.secret, { workers, records });
    perSecond[workers] = served.perSecond;
    megabytes[workers] = served.megabytes;
  }
  const share = (part: number): number => latencies[Math.floor((latencies.length - 1) * part)] ?? 0;
  return { engine, records, importPerSecond, p50Ms: share(0.5), p99Ms: share(0.99), perSecond, megabytes };
}

async function fill(store: Store, records: number): Promise<number> {
  const begun = performance.now();
  let batch: Row[] = [];
  for (const { names, slug, keywords, overview } of synthetic.documents(records)) {
    const input = { name: names[0] ?? slug, slug, tags: keywords, overview };
    batch.push({ type: 'companies', input });
    if (batch.length < BATCH) continue;
    await store.records.putAll(batch);
    batch = [];
  }
  await store.records.putAll(batch);
  return Math.round((records * 1_000) / (performance.now() - begun));
}

const questions = (records: number): string[] => {
  const queries = synthetic.queries(QUERIES_OF_KIND, records);
  return QUERY_KINDS.flatMap((kind) => queries[kind]);
};

async function latenciesOf(store: Store, records: number): Promise<number[]> {
  const latencies: number[] = [];
  for (const text of questions(records)) {
    const begun = performance.now();
    await store.records.search({ types: ['companies'], text, window: { offset: 0, limit: 10 } });
    latencies.push(performance.now() - begun);
  }
  return latencies.sort((one, other) => one - other);
}

async function serveFor(url: string, secret: string, { workers, records }: { workers: number; records: number }) {
  const words = ['serve', '--database', url, '--data', 'none', '--port', '0', '--workers', String(workers)];
  const service = await startProgram(words, { WEB3_BI_BURST_PER_SECOND: '0', WEB3_BI_LOG_LEVEL: 'silent' });
  const texts = questions(records);
  let answered = 0;
  let isOver = false;
  const client = async (number: number): Promise<void> => {
    for (let index = number; !isOver; index += CLIENTS) {
      const query = encodeURIComponent(texts[index % texts.length] ?? '');
      const response = await fetch(`${service.url}/api/v1/search?type=companies&query=${query}`, {
        headers: { Authorization: `Bearer ${secret}` },
      });
      await response.arrayBuffer();
      if (response.status === 200) answered += 1;
    }
  };
  const clients = Array.from({ length: CLIENTS }, (_, number) => client(number));
  await new Promise((resolve) => setTimeout(resolve, WARM_UP_MS));
  answered = 0;
  await new Promise((resolve) => setTimeout(resolve, ASKED_MS));
  const perSecond = (answered * 1_000) / ASKED_MS;
  isOver = true;
  await Promise.all(clients);
  const megabytes = memoryOf(service.pid);
  await service.stop();
  return { perSecond, megabytes };
}

/** Resident memory of a process and those that it started. */
function memoryOf(pid: number | undefined): number {
  const lines = execFileSync('ps', ['-o', 'rss=', '--pid', String(pid), '--ppid', String(pid)])
    .toString()
    .split('\n');
  return lines.reduce((sum, line) => sum + Number(line), 0) / 1_024;
}

/** How the latency grows with the records: the exponent between the smallest and the largest. */
function growthOf(measured: readonly Measured[]): object {
  return Object.fromEntries(
    ['SQLite', 'PostgreSQL'].map((engine) => {
      const some = measured.filter((row) => row.engine === engine);
      const [first, last] = [some[0], some.at(-1)];
      const isOne = first === undefined || last === undefined || first.records === last.records;
      const exponent = isOne ? null : Math.log(last.p99Ms / first.p99Ms) / Math.log(last.records / first.records);
      return [engine, exponent];
    }),
  );
}
