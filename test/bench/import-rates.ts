import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { RecordType } from '../../src/contract/entities/index.ts';
import { importRows } from '../../src/store/import/import.ts';
import { openFile, readSource } from '../../src/store/import/import-source.ts';
import { openStore, type StoreOptions } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';

import { type Cluster, findPostgres, startCluster } from '../support/postgres-cluster.ts';
import { processorMicros, serverPid } from './processor-time.ts';
import { createRandom, type Random } from './search/random.ts';
import { createSynthetic } from './search/synthetic.ts';

const SEED = 1;
const STAGES = ['pre_seed', 'seed', 'series_a', 'series_b'];
/** Companies that an investor names, and investors that a round names, at most. */
const PORTFOLIO_MAX = 20;
const INVESTORS_MAX = 6;
const TYPES = ['companies', 'investors', 'rounds'] as const satisfies readonly RecordType[];

/** What importing one file cost. */
interface Rate {
  readonly engine: string;
  readonly type: RecordType;
  readonly rows: number;
  readonly ownSeconds: number;
  /** Of the database server; none on SQLite. */
  readonly serverSeconds: number;
  /** Rows per second of processor time, ours and the server's together. */
  readonly perProcessorSecond: number;
}

/**
 * Imports companies, a quarter as many investors that name companies, and half as many rounds that name both, into new
 * databases of both engines: PostgreSQL's once as `web3-bi import` does, and once while the process follows the changes
 * into a search index.
 */
export async function importRates(folder: string, companies: number): Promise<Rate[]> {
  for (const type of TYPES) await writeRows(join(folder, `${type}.ndjson`), rowsOf(type, companies));
  const rates = await ratesOf('SQLite', folder, { url: `sqlite:${join(folder, 'rates.db')}` });
  const cluster = await startCluster(findPostgres(), []);
  try {
    for (const database of ['alone', 'followed']) {
      await cluster.execute(`CREATE DATABASE ${database}`);
      const isFollower = database === 'followed';
      const place = { url: cluster.url(database), cluster, index: { isFollower, ...(!isFollower && { waitMs: 0 }) } };
      rates.push(...(await ratesOf(`PostgreSQL, ${database}`, folder, place)));
    }
  } finally {
    await cluster.remove();
  }
  return rates;
}

interface Database extends Pick<StoreOptions, 'index'> {
  readonly url: string;
  readonly cluster?: Cluster;
}

async function ratesOf(engine: string, folder: string, { url, cluster, index }: Database): Promise<Rate[]> {
  const serverMicros = (): number => (cluster === undefined ? 0 : processorMicros(serverPid(cluster)));
  const store = await openStore(url, undefined, { index });
  const rates: Rate[] = [];
  for (const type of TYPES) {
    const [own, server] = [process.cpuUsage(), serverMicros()];
    const rows = await importFile(store, type, join(folder, `${type}.ndjson`));
    const { user, system } = process.cpuUsage(own);
    const [ownSeconds, serverSeconds] = [(user + system) / 1e6, (serverMicros() - server) / 1e6];
    const perProcessorSecond = Math.round(rows / (ownSeconds + serverSeconds));
    rates.push({ engine, type, rows, ownSeconds, serverSeconds, perProcessorSecond });
  }
  await store.close();
  return rates;
}

/** Imports a file in full; throws if not every row is new. */
export async function importFile({ records, compactIndex }: Store, type: RecordType, file: string): Promise<number> {
  const { signal } = new AbortController();
  const source = await readSource(openFile(file), { type, format: 'ndjson' }, signal);
  const request = { records, compactIndex, type, source, isDryRun: false, signal, onBatch: () => {} };
  const { created, read } = await importRows(request);
  if (created !== read) throw new Error(`Of ${read} rows of ${type}, ${created} were created`);
  return created;
}

/** Writes a file of one JSON object a line. */
export function writeRows(file: string, rows: Iterable<object>): Promise<void> {
  const lines = function* lines(): Generator<string> {
    for (const row of rows) yield `${JSON.stringify(row)}\n`;
  };
  return pipeline(Readable.from(lines()), createWriteStream(file));
}

/** Rows as a file of companies has them. */
export function* companyRows(count: number): Generator<{ readonly name: string }> {
  for (const { names, slug, keywords, headline, overview } of createSynthetic(SEED).documents(count))
    yield { name: names[0], slug, tags: keywords, tagline: headline, overview } as { readonly name: string };
}

function rowsOf(type: (typeof TYPES)[number], companies: number): Iterable<object> {
  if (type === 'companies') return companyRows(companies);
  const names = [...companyRows(companies)].map(({ name }) => name);
  const investors = Array.from(
    { length: Math.ceil(companies / 4) },
    (_, index) => `Fund ${index.toString(36)} Capital`,
  );
  const random = createRandom(SEED);
  return type === 'investors' ? investorRows(names, investors, random) : roundRows(names, investors, random);
}

function* investorRows(companies: readonly string[], investors: readonly string[], random: Random): Generator<object> {
  for (const name of investors)
    yield { name, portfolio: Array.from({ length: random.below(PORTFOLIO_MAX) }, () => random.pick(companies)) };
}

function* roundRows(companies: readonly string[], investors: readonly string[], random: Random): Generator<object> {
  for (let count = 0; count < companies.length / 2; count += 1) {
    const day = `20${10 + random.below(15)}-${10 + random.below(3)}-${10 + random.below(19)}`;
    yield {
      company: random.pick(companies),
      announced_date: day,
      stage: random.pick(STAGES),
      amount_usd: 1_000_000 * (1 + random.below(50)),
      lead_investors: [random.pick(investors)],
      investors: Array.from({ length: 1 + random.below(INVESTORS_MAX) }, () => random.pick(investors)),
    };
  }
}
