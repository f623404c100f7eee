import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type AggregateQuery, aggregateQuery, checkAggregate, GROUPS } from '../../../src/contract/aggregate.ts';
import { CONNECTION_KINDS } from '../../../src/contract/connections.ts';
import { RECORD_TYPES, type RecordType } from '../../../src/contract/entities/index.ts';
import { pickFilters } from '../../../src/contract/filters.ts';
import { openStore } from '../../../src/store/open.ts';
import { openSqlite, type Sqlite } from '../../../src/store/sqlite/driver.ts';
import type { Store } from '../../../src/store/store.ts';
import { findPostgres, startCluster } from '../../support/postgres-cluster.ts';
import { temporaryFolder } from '../../support/program.ts';
import { fillPostgres } from '../scale-bench.ts';
import { createRandom, type Random } from '../search/random.ts';
import { type Counts, countsOf, fillDatabase } from './filled.ts';

const WORKER = join(
  import.meta.dirname,
  '..',
  '..',
  '..',
  'dist',
  'store',
  'sqlite',
  'analytics',
  'analytics-worker.mjs',
);
const PATHS = 300;
/** Of several runs of a question the fastest counts, as for searches; the first is told apart. */
const RUNS = 3;
const FLOOR_RUNS = 2_000;
const FLOOR_ROWS = 10;
const TURN_MS = 500;
/** The thread waits a second before it computes ahead. */
const QUIET_TURNS = 4;

interface Measured {
  readonly kind: string;
  readonly questions: number;
  readonly p50F: number;
  readonly p99F: number;
  /** Of a run in which the engine still compiles what the questions of the kind run. */
  readonly coldP99F: number;
  /** Of the first run of each thereafter, when its answer is not remembered. */
  readonly firstP50F: number;
  readonly firstP99F: number;
  /** When a record that is counted has changed since the last question. */
  readonly changedP50F: number;
  readonly changedP99F: number;
  readonly p99Ms: number;
  /** The longest time that nobody else had a turn meanwhile. */
  readonly longestStallMs: number;
}

/**
 * `npm run bench -- analytics [--records 100000,1000000] [--engine postgres] [--keep FOLDER]`: aggregates and connections, in ratio
 * to F: fetching ten rows by id and writing them as JSON in the same run. On PostgreSQL, the index file of the machine answers.
 * Databases that are in the folder are not filled again.
 */
export async function analyticsBench(words: readonly string[]): Promise<object> {
  const options = {
    records: { type: 'string', default: '100000' },
    engine: { type: 'string', default: 'sqlite' },
    keep: { type: 'string' },
  } as const;
  const { values } = parseArgs({ args: [...words], options });
  const measure = values.engine === 'postgres' ? measurePostgres : measureSqlite;
  const folder = temporaryFolder();
  const results: Record<string, object> = {};
  try {
    for (const records of values.records.split(',').map(Number)) {
      const file = join(values.keep ?? folder.path, `analytics-${records}.db`);
      const counts = countsOf(records);
      if (!existsSync(file)) {
        await (await openStore(`sqlite:${file}.part`)).close();
        fillDatabase(`${file}.part`, counts);
        copyFileSync(`${file}.part`, file);
      }
      const result = await measure(file, counts);
      console.log(`${records} records on ${values.engine}`, result.start);
      console.table(result.measured);
      results[records] = result;
    }
  } finally {
    folder.remove();
  }
  return results;
}

async function measureSqlite(file: string, counts: Counts) {
  return measure(await openStore(`sqlite:${file}`, undefined, { analyticsWorker: WORKER }), file, counts);
}

async function measurePostgres(source: string, counts: Counts) {
  const cluster = await startCluster(findPostgres(), []);
  const folder = temporaryFolder();
  try {
    const url = cluster.url('postgres');
    await fillPostgres(
      `sqlite:${source}`,
      url,
      Object.values(counts).reduce((sum, count) => sum + count),
    );
    const index = { folder: folder.path };
    const follower = await openStore(url, undefined, { index });
    // Waits until the index is built.
    await follower.records.named('none');
    const { file = '' } = (await follower.index?.report()) ?? {};
    await follower.close();
    const options = { analyticsWorker: WORKER, index: { ...index, isFollower: false } };
    return await measure(await openStore(url, undefined, options), file, counts);
  } finally {
    await cluster.remove();
    folder.remove();
  }
}

/** @param file the SQLite file that answers */
async function measure(store: Store, file: string, counts: Counts) {
  const floor = floorOf(file, counts);
  const changing = openSqlite(file);
  try {
    const start = await firstUse(store);
    await untilIdle();
    const random = createRandom(3);
    const measured: Measured[] = [];
    for (const [kind, questions] of Object.entries(questionsOf(store, counts))) {
      measured.push(await timesOf(kind, questions, { floor, change: () => changeFacts(changing, counts, random) }));
    }
    return { floorMicros: floor * 1_000, start, measured };
  } finally {
    changing.close();
    await store.close();
  }
}

/** Milliseconds of F. */
function floorOf(file: string, { companies }: Counts): number {
  const database = openSqlite(file);
  const get = database.prepare<[number], { document: string }>('SELECT document FROM companies WHERE id = ?');
  const { below } = createRandom(1);
  const times: number[] = [];
  for (let run = 0; run < FLOOR_RUNS; run += 1) {
    const begun = process.cpuUsage();
    const rows = Array.from({ length: FLOOR_ROWS }, () => JSON.parse(get.get(1 + below(companies))?.document ?? '{}'));
    JSON.stringify(rows);
    times.push(millisSince(begun));
  }
  database.close();
  return share(times, 0.5);
}

/** What the first question after a start costs, and the longest time that nobody else had a turn meanwhile. */
async function firstUse(store: Store): Promise<object> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const before = process.memoryUsage();
  delay.enable();
  const begun = performance.now();
  await store.records.aggregate(requestOf({ of: 'people', group_by: ['country'] }));
  const ms = performance.now() - begun;
  delay.disable();
  const after = process.memoryUsage();
  const megabytes = (after.rss - before.rss) / 1e6;
  return { ms: Math.round(ms), longestStallMs: Math.round(delay.max / 1e6), megabytes: Math.round(megabytes) };
}

/** Gives a record of each type the facts of another. */
function changeFacts(database: Sqlite, counts: Counts, { below }: Random): void {
  const change = database.prepare<[number, string, number]>(`INSERT OR REPLACE INTO record_facts (type, id, facts)
    SELECT type, ?, facts FROM record_facts WHERE type = ? AND id = ?`);
  for (const type of RECORD_TYPES) change.run(1 + below(counts[type]), type, 1 + below(counts[type]));
}

/** Waits until what is computed ahead of questions is there. */
async function untilIdle(): Promise<void> {
  for (let quiet = 0; quiet < QUIET_TURNS; ) {
    const begun = process.cpuUsage();
    await pause(TURN_MS);
    quiet = millisSince(begun) < TURN_MS / 4 ? quiet + 1 : 0;
  }
}

type Question = () => Promise<unknown>;

const requestOf = (given: Readonly<Record<string, unknown>>) => {
  const query = aggregateQuery.parse(given) as AggregateQuery;
  return { ...checkAggregate(query), filters: pickFilters(query) };
};

function questionsOf(store: Store, counts: Counts): Readonly<Record<string, readonly Question[]>> {
  const aggregate = (given: Readonly<Record<string, unknown>>): Question => {
    const request = requestOf(given);
    return () => store.records.aggregate(request);
  };
  const groups = RECORD_TYPES.flatMap((of) => Object.keys(GROUPS[of]).map((group) => ({ of, group })));
  const isMeasured = (of: RecordType): boolean => of !== 'people' && of !== 'events';
  const measure = ['count', 'sum', 'median', 'average', 'min', 'max'];
  const filters = [{ country: 'Country 1' }, { country: 'Country 40' }, { verified: false }];
  const { below } = createRandom(2);
  const end = () => {
    const type = (['people', 'investors', 'companies'] as const)[below(3)] ?? 'people';
    return { type, id: 1 + below(counts[type]) };
  };
  const connect = (): Question => {
    const request = { from: end(), to: end(), hopsMax: 3, limit: 5, kinds: CONNECTION_KINDS };
    return () => store.records.connect(request);
  };
  // The first of each type are named most.
  const hubs = (['people', 'investors', 'companies'] as const).flatMap((type) =>
    Array.from({ length: 10 }, (_, n) => ({ type, id: n + 1 })),
  );
  const famous = hubs.flatMap((from) => hubs.filter((to) => to !== from).map((to) => ({ from, to })));
  return {
    count: groups.map(({ of, group }) => aggregate({ of, group_by: [group] })),
    'all measures': groups
      .filter(({ of }) => isMeasured(of))
      .map(({ of, group }) => aggregate({ of, group_by: [group], measure })),
    'two groups': groups
      .filter(({ of, group }) => isMeasured(of) && group !== 'country')
      .map(({ of, group }) => aggregate({ of, group_by: [group, 'country'], measure: ['count', 'sum'] })),
    filtered: groups
      .filter(({ of }) => of !== 'rounds')
      .flatMap(({ of, group }) => filters.map((filter) => aggregate({ of, group_by: [group], ...filter }))),
    connect: Array.from({ length: PATHS }, connect),
    'connect the famous': famous.map(
      (ends) => () => store.records.connect({ ...ends, hopsMax: 4, limit: 5, kinds: CONNECTION_KINDS }),
    ),
  };
}

interface Measuring {
  readonly floor: number;
  change(): void;
}

async function timesOf(kind: string, questions: readonly Question[], { floor, change }: Measuring): Promise<Measured> {
  const ask = async (question: Question): Promise<number> => {
    const begun = process.cpuUsage();
    await question();
    return millisSince(begun);
  };
  const cold: number[] = [];
  for (const question of questions) cold.push(await ask(question));
  change();
  const first: number[] = [];
  const changed: number[] = [];
  const best: number[] = [];
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  for (const question of questions) {
    const times: number[] = [];
    for (let run = 0; run < RUNS; run += 1) times.push(await ask(question));
    change();
    changed.push(await ask(question));
    first.push(times[0] ?? 0);
    best.push(Math.min(...times));
  }
  const inF = (times: readonly number[], part: number): number => Number((share(times, part) / floor).toPrecision(3));
  return {
    kind,
    questions: questions.length,
    p50F: inF(best, 0.5),
    p99F: inF(best, 0.99),
    coldP99F: inF(cold, 0.99),
    firstP50F: inF(first, 0.5),
    firstP99F: inF(first, 0.99),
    changedP50F: inF(changed, 0.5),
    changedP99F: inF(changed, 0.99),
    p99Ms: Number(share(best, 0.99).toPrecision(3)),
    longestStallMs: Math.round(delay.max / 1e6),
  };
}

/** Time of the processor: others work on the same machine. */
function millisSince(begun: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1_000;
}

const share = (times: readonly number[], part: number): number =>
  times.toSorted((one, other) => one - other)[Math.floor((times.length - 1) * part)] ?? 0;
