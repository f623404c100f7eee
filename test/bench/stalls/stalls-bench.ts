import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { rowsOfFolder } from '../../../src/store/import/ndjson.ts';
import { openEngine, openStore } from '../../../src/store/open.ts';
import type { RowInput } from '../../../src/store/port/records.ts';
import { transfer } from '../../../src/store/transfer/transfer.ts';
import { findPostgres, startCluster } from '../../support/postgres-cluster.ts';
import { temporaryFolder } from '../../support/program.ts';
import { load } from '../http/load.ts';
import { createSynthetic, QUERY_KINDS } from '../search/synthetic.ts';
import { CASES, type Case, FILE_CASES, type Stage } from './cases.ts';
import { joinAs } from './person.ts';
import { startWatched, type Watched } from './watched.ts';

const SEED = 3;
const BATCH = 400;
const QUIET_MS = 4_000;
const DATA = join(import.meta.dirname, '..', '..', '..', 'data');
const ACCOUNT = 'bench';
const SEARCHING_CLIENTS = 4;
const SEARCHES_AT_ONCE = 100;
const QUERIES_OF_KIND = 25;
const PROBES_AT_ONCE = 10;
const PROBE_EVERY_MS = 10;
const WRITE_EVERY_MS = 250;
const WARM_REQUESTS = 2_000;
const synthetic = createSynthetic(SEED);

interface Measured {
  readonly engine: string;
  readonly case: string;
  readonly seconds: number;
  readonly 'longest pause ms': number;
  readonly 'slowest /livez ms': number;
  readonly 'p99 of searches ms': number;
  /** Against the same with nothing else beside it, just before. */
  readonly 'p99 of quiet p99': number;
  readonly 'slowest search ms': number;
  /** Of writes through the service, which may wait, each with a search of its key for it. */
  readonly 'writes kept': number;
  readonly 'writes 503': number;
  readonly 'reads of own write 503': number;
  readonly 'slowest read of own write ms': number;
}

/**
 * `npm run bench -- stalls [--records 20000] [--database FILE] [--engine sqlite] [--only import]`: for how long the event loop of a serving process
 * stands still, and what four searching clients and /livez wait, while other processes hold the locks of its database, and while records
 * are imported and dropped beside it and through its pages. A database that is named is copied and not changed.
 */
export async function stallsBench(words: readonly string[]): Promise<object> {
  const { values } = parseArgs({
    args: [...words],
    options: {
      records: { type: 'string', default: '20000' },
      database: { type: 'string' },
      engine: { type: 'string' },
      only: { type: 'string', default: '' },
    },
  });
  const records = Number(values.records);
  const chosen = (cases: readonly Case[]) => cases.filter((each) => each.name.includes(values.only));
  const folder = temporaryFolder();
  const file = join(folder.path, 'bench.db');
  const measured: Measured[] = [];
  try {
    if (values.database !== undefined) copyFileSync(values.database, file);
    await fill(`sqlite:${file}`, values.database === undefined ? records : 0);
    const copy = join(folder.path, 'copy.db');
    copyFileSync(file, copy);
    const common = { folder: folder.path, records };
    if (values.engine !== 'postgres') {
      const cases = chosen([...FILE_CASES, ...CASES]);
      measured.push(...(await measureAll({ ...common, engine: 'SQLite', databaseUrl: `sqlite:${file}`, file, cases })));
    }
    if (values.engine !== 'sqlite')
      measured.push(...(await measurePostgres({ ...common, cases: chosen(CASES) }, copy)));
  } finally {
    folder.remove();
  }
  console.table(measured);
  return { records, measured };
}

async function measurePostgres(
  common: Omit<Place, 'engine' | 'databaseUrl' | 'file'>,
  file: string,
): Promise<Measured[]> {
  const cluster = await startCluster(findPostgres(), []);
  try {
    await cluster.execute('CREATE DATABASE stalls');
    const databaseUrl = cluster.url('stalls');
    const [source, target] = [await openEngine(`sqlite:${file}`), await openEngine(databaseUrl)];
    await transfer({ source, target, onProgress: () => undefined });
    await source.close();
    await target.close();
    return await measureAll({ ...common, engine: 'PostgreSQL', databaseUrl, file: undefined });
  } finally {
    await cluster.remove();
  }
}

interface Place {
  readonly folder: string;
  readonly records: number;
  readonly engine: string;
  readonly databaseUrl: string;
  readonly file: string | undefined;
  readonly cases: readonly Case[];
}

async function measureAll({ engine, cases, records, ...place }: Place): Promise<Measured[]> {
  const store = await openStore(place.databaseUrl);
  const headersOfKey = async (level: 'read' | 'write') => {
    const { secret } = await store.keys.create({ account: ACCOUNT, name: level, level, expires_at: null });
    return { Authorization: `Bearer ${secret}` };
  };
  // A key reads what it wrote, so one that writes waits for what an import wrote before.
  const [headers, writing] = [await headersOfKey('read'), await headersOfKey('write')];
  const watched = await startWatched(place.databaseUrl);
  const person = await joinAs(store, watched.url, ACCOUNT);
  await store.close();
  const clients = { watched, headers, writing, paths: searchesOf(records) };
  const stage: Stage = { ...place, url: watched.url, person };
  const measured: Measured[] = [];
  try {
    await load({ ...clients, url: watched.url, connections: SEARCHING_CLIENTS, requests: WARM_REQUESTS });
    for (const each of cases) {
      const work = each.prepare(stage);
      const quiet = await measure(clients, () => pause(QUIET_MS));
      const found = await measure(clients, work);
      const ratio = found['p99 of searches ms'] / quiet['p99 of searches ms'];
      const row = { engine, case: each.name, ...found, 'p99 of quiet p99': rounded(ratio) };
      measured.push(row);
      console.log(row);
    }
  } finally {
    await watched.stop();
  }
  return measured;
}

interface Clients {
  readonly watched: Watched;
  readonly headers: Readonly<Record<string, string>>;
  /** Headers of writes. */
  readonly writing: Readonly<Record<string, string>>;
  readonly paths: readonly string[];
}

async function measure({ watched, headers, writing, paths }: Clients, work: () => Promise<unknown>) {
  let isDone = false;
  const asking = async (asked: Partial<Parameters<typeof load>[0]> & { requests: number; connections: number }) => {
    const millis: number[] = [];
    while (!isDone) millis.push(...(await load({ url: watched.url, paths, headers, ...asked })).millis);
    return millis.sort((one, other) => one - other);
  };
  const writeOften = async (): Promise<Written[]> => {
    const written: Written[] = [];
    for (; !isDone; await pause(WRITE_EVERY_MS)) written.push(await writeAndRead(watched.url, writing));
    return written;
  };
  await watched.longestPause();
  const startedAt = performance.now();
  const clients = [
    asking({ requests: SEARCHES_AT_ONCE, connections: SEARCHING_CLIENTS }),
    asking({ paths: ['/livez'], headers: {}, requests: PROBES_AT_ONCE, connections: 1, pauseMs: PROBE_EVERY_MS }),
    writeOften(),
  ] as const;
  const worked = work().finally(() => {
    isDone = true;
  });
  const [searches, probes, written] = await Promise.all([...clients, worked]);
  return {
    seconds: rounded((performance.now() - startedAt) / 1_000),
    'longest pause ms': rounded(await watched.longestPause()),
    'slowest /livez ms': rounded(probes.at(-1) ?? 0),
    'p99 of searches ms': rounded(searches[Math.floor(searches.length * 0.99)] ?? 0),
    'slowest search ms': rounded(searches.at(-1) ?? 0),
    'writes kept': written.filter(({ status }) => status === 201).length,
    'writes 503': written.filter(({ status }) => status === 503).length,
    'reads of own write 503': written.filter(({ read }) => read?.status === 503).length,
    'slowest read of own write ms': rounded(Math.max(0, ...written.map(({ read }) => read?.millis ?? 0))),
  };
}

interface Written {
  readonly status: number;
  /** The search of the key afterwards, if it was written. */
  readonly read?: { readonly status: number; readonly millis: number };
}

async function writeAndRead(url: string, headers: Readonly<Record<string, string>>): Promise<Written> {
  const init = { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' } };
  const response = await fetch(`${url}/api/v1/companies`, { ...init, body: '{"name":"Written meanwhile"}' });
  await response.arrayBuffer();
  if (response.status !== 201) return { status: response.status };
  const startedAt = performance.now();
  const found = await fetch(`${url}/api/v1/search?type=companies&query=meanwhile`, { headers });
  await found.arrayBuffer();
  return { status: response.status, read: { status: found.status, millis: performance.now() - startedAt } };
}

function searchesOf(records: number): string[] {
  const queries = synthetic.queries(QUERIES_OF_KIND, records);
  const texts = QUERY_KINDS.flatMap((kind) => queries[kind]);
  return texts.map((text) => `/api/v1/search?type=companies&query=${encodeURIComponent(text)}`);
}

/** The shipped data, which can be dropped again, and as many companies as are wanted. */
async function fill(url: string, records: number): Promise<void> {
  const store = await openStore(url);
  await store.records.addShipped(() => rowsOfFolder(DATA));
  let batch: RowInput[] = [];
  const keep = async (): Promise<void> => {
    await store.records.upsertMany(batch);
    batch = [];
  };
  for (const { names, slug, keywords, overview } of synthetic.documents(records)) {
    batch.push({ type: 'companies', input: { name: names[0] ?? '', slug, tags: [...keywords], overview } });
    if (batch.length === BATCH) await keep();
  }
  await keep();
  await store.compactIndex();
  if ((await store.accounts.find(ACCOUNT)) === undefined) {
    await store.accounts.create(ACCOUNT, 'enterprise', { daily: 1_000_000_000, monthly: 1_000_000_000 });
  }
  await store.close();
}

const rounded = (value: number): number => Number(value.toPrecision(3));
