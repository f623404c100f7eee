import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SearchedDocument } from '../../../src/store/search/search-index.ts';
import { type Bench, openBench } from './engine.ts';
import { createFts5Peer, createMiniSearchPeer } from './peers.ts';
import { batches, createSynthetic, QUERY_KINDS, type QueryKind } from './synthetic.ts';

export interface LatencyRow {
  records: number;
  engine: string;
  kind: QueryKind | 'all kinds';
  p50Micros: number;
  p99Micros: number;
  /** Of the first run of each query, when nothing of it is remembered. */
  firstP50Micros: number;
  /** In ratio to fetching ten rows by id and writing them as JSON, in the same run. */
  p50F: number;
  p99F: number;
  totalP99Micros: number | undefined;
}

export interface ImportRow {
  records: number;
  rowsPerSecond: number;
  /** Against rows without search, and rows with plain FTS5. */
  toBare: number;
  toFts5: number;
  residentMegabytes: number;
}

const SEED = 1;
const BATCH = 20_000;
const QUERIES = 300;
/** Of several runs of a query the fastest counts: the others measure the machine. The first is told apart. */
const RUNS = 3;
const FTS5_RECORDS_MAX = 100_000;
const MINISEARCH_RECORDS_MAX = 10_000;
const LIMIT = 10;
const TYPE = 'companies';

export async function measureLatency(records: number): Promise<{ latency: LatencyRow[]; imported: ImportRow }> {
  const synthetic = createSynthetic(SEED);
  const bench = await openBench(join(tmpdir(), `web3-bi-bench-${process.pid}.db`));
  try {
    const imported = importAll(bench, () => synthetic.documents(records), records);
    const floor = measureFloor(bench, records);
    const queries = synthetic.queries(QUERIES, records);
    const find = (text: string, limit: number) => bench.index.find({ types: [TYPE], text, offset: 0, limit });
    const latency = rowsOf(
      'ours',
      records,
      floor,
      queries,
      (text) => find(text, LIMIT),
      (text) => find(text, 0),
    );
    const documents = () => [...synthetic.documents(records)];
    if (records <= FTS5_RECORDS_MAX) {
      const peer = createFts5Peer(bench.database, 'peer', documents());
      latency.push(
        ...rowsOf(
          'FTS5',
          records,
          floor,
          queries,
          (text) => peer.find(text, LIMIT),
          (text) => peer.count(text),
        ),
      );
    }
    if (records <= MINISEARCH_RECORDS_MAX) {
      const peer = createMiniSearchPeer(documents());
      latency.push(...rowsOf('MiniSearch', records, floor, queries, (text) => peer.find(text, LIMIT)));
    }
    return { latency, imported };
  } finally {
    bench.close();
  }
}

function importAll(
  { database, index }: Bench,
  documents: () => Iterable<SearchedDocument>,
  records: number,
): ImportRow {
  const insert = database.prepare(`INSERT INTO ${TYPE} (id, slug, version, document) VALUES (?, ?, 1, ?)`);
  const rows = (batch: readonly SearchedDocument[]) => {
    for (const one of batch) insert.run(one.id, one.slug, JSON.stringify(one));
  };
  database.exec('CREATE VIRTUAL TABLE bare USING fts5(name, keywords, related, overview)');
  const fts5 = database.prepare('INSERT INTO bare (rowid, name, keywords, related, overview) VALUES (?, ?, ?, ?, ?)');
  let bareMs = 0;
  let fts5Ms = 0;
  let oursMs = 0;
  for (const batch of batches(documents(), BATCH)) {
    bareMs += timed(database.transaction(() => rows(batch)));
    const index5 = (one: SearchedDocument) =>
      fts5.run(BigInt(one.id), one.names.join(' '), one.keywords.join(' '), one.related.join(' '), one.overview);
    fts5Ms += timed(database.transaction(() => batch.forEach(index5)));
    oursMs += timed(database.transaction(() => index.putMany(TYPE, batch)));
  }
  database.exec('DROP TABLE bare');
  database.pragma('wal_checkpoint(TRUNCATE)');
  return {
    records,
    rowsPerSecond: (records / (bareMs + oursMs)) * 1000,
    toBare: bareMs / (bareMs + oursMs),
    toFts5: (bareMs + fts5Ms) / (bareMs + oursMs),
    residentMegabytes: process.memoryUsage().rss / 1e6,
  };
}

/** F: ten rows by id, written as JSON. */
function measureFloor({ database }: Bench, records: number): number {
  const get = database.prepare(`SELECT * FROM ${TYPE} WHERE id = ?`);
  const times = Array.from({ length: 2_000 }, (_, run) =>
    timed(() =>
      JSON.stringify(Array.from({ length: LIMIT }, (_, row) => get.get(1 + ((run * 7919 * (row + 1)) % records)))),
    ),
  );
  return quantile(times, 0.5);
}

function rowsOf(
  engine: string,
  records: number,
  floor: number,
  queries: Record<QueryKind, string[]>,
  find: (text: string) => unknown,
  count?: (text: string) => unknown,
): LatencyRow[] {
  const row = (kind: LatencyRow['kind'], { first, fastest: times }: Times, totals: number[]): LatencyRow => ({
    records,
    engine,
    kind,
    p50Micros: quantile(times, 0.5) * 1000,
    p99Micros: quantile(times, 0.99) * 1000,
    firstP50Micros: quantile(first, 0.5) * 1000,
    p50F: quantile(times, 0.5) / floor,
    p99F: quantile(times, 0.99) / floor,
    totalP99Micros: totals.length > 0 ? quantile(totals, 0.99) * 1000 : undefined,
  });
  const all: Times = { first: [], fastest: [] };
  const allTotals: number[] = [];
  const rows = QUERY_KINDS.map((kind) => {
    const times = timesOf(queries[kind], find);
    const totals = count ? timesOf(queries[kind], count).fastest : [];
    all.first.push(...times.first);
    all.fastest.push(...times.fastest);
    allTotals.push(...totals);
    return row(kind, times, totals);
  });
  return [...rows, row('all kinds', all, allTotals)];
}

/** What each query took at its first run, and at its fastest. */
interface Times {
  readonly first: number[];
  readonly fastest: number[];
}

function timesOf(queries: readonly string[], work: (text: string) => unknown): Times {
  const runs = queries.map((text) => Array.from({ length: RUNS }, () => timed(() => work(text))));
  return { first: runs.map(([first = 0]) => first), fastest: runs.map((times) => Math.min(...times)) };
}

function timed(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

function quantile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}
