import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openStore } from '../../src/store/open.ts';
import { OPERATOR } from '../../src/store/port/audit.ts';
import type { SearchPage } from '../../src/store/port/records.ts';
import { openSqlite } from '../../src/store/sqlite/driver.ts';
import type { Store } from '../../src/store/store.ts';
import { findPostgres, startCluster } from '../support/postgres-cluster.ts';
import { type Running, startProgram, temporaryFolder } from '../support/program.ts';
import { load } from './http/load.ts';
import { addKey, fillPostgres, fillSqlite, questions } from './scale-bench.ts';

const CLIENTS = [1, 16, 64];
const ROUNDS = 7;
const REQUESTS = 2_000;
/** Until then the engine has not compiled all of what a search runs. */
const WARM_REQUESTS = 20_000;
const WRITES_PER_SECOND = 100;
const INSTANCES = 5;
const LOOK_EVERY_MS = 2;
const TRIES_MAX = 100_000;

/**
 * `npm run bench -- index [--records 15000] [--seconds 20] [--keep FOLDER]`: searches of a PostgreSQL database, from the index of
 * the machine, against those of an SQLite database with the same records: the same answers, latency in the store, and keyed
 * requests a second over HTTP, in turns. Then how far the indexes of five instances lie behind while records are written.
 */
export async function indexBench(words: readonly string[]): Promise<object> {
  const options = {
    records: { type: 'string', default: '15000' },
    seconds: { type: 'string', default: '20' },
    keep: { type: 'string' },
  } as const;
  const { values } = parseArgs({ args: [...words], options });
  const records = Number(values.records);
  const folder = temporaryFolder();
  const cluster = await startCluster(findPostgres(), []);
  const services: Running[] = [];
  try {
    const file = join(folder.path, 'bench.db');
    const kept = values.keep === undefined ? undefined : join(values.keep, `filled-${records}.db`);
    await fillSqlite(file, kept, records);
    const secret = await addKey(file);
    const urls = { SQLite: `sqlite:${file}`, PostgreSQL: cluster.url('postgres') };
    await fillPostgres(urls.SQLite, urls.PostgreSQL, records);
    const state = join(folder.path, 'state');
    const begun = performance.now();
    services.push(await serve(urls.SQLite, join(folder.path, 'sqlite')), await serve(urls.PostgreSQL, state));
    await ready(services[1] as Running);
    const buildSeconds = (performance.now() - begun) / 1_000;
    const store = await inStore(urls, { records, state });
    console.table(store);
    const paths = questions(records).map((text) => `/api/v1/search?type=companies&query=${encodeURIComponent(text)}`);
    const served = await inTurns(services, { paths, headers: { Authorization: `Bearer ${secret}` } });
    console.table(served);
    const others = Array.from({ length: INSTANCES - 1 }, (_, index) => join(folder.path, `other-${index}`));
    const started = await Promise.all(others.map((other) => serve(urls.PostgreSQL, other)));
    services.push(...started);
    await Promise.all(started.map(ready));
    const lagMs = await lagOf(urls.PostgreSQL, { states: [state, ...others], seconds: Number(values.seconds) });
    console.table({ buildSeconds, ...lagMs });
    return { records, buildSeconds, store, served, lagMs };
  } finally {
    for (const service of services) await service.stop();
    await cluster.remove();
    folder.remove();
  }
}

function serve(url: string, state: string): Promise<Running> {
  const words = ['serve', '--database', url, '--data', 'none', '--port', '0', '--state-dir', state];
  return startProgram(words, { WEB3_BI_BURST_PER_SECOND: '0', WEB3_BI_LOG_LEVEL: 'silent' });
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function ready({ url }: Running): Promise<void> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    if ((await fetch(`${url}/readyz`)).status === 200) return;
    await pause(50);
  }
}

/** Latency of a first page with its total in each store, and how many answers are the same. */
async function inStore(
  urls: Readonly<Record<'SQLite' | 'PostgreSQL', string>>,
  { records, state }: { readonly records: number; readonly state: string },
): Promise<object> {
  const sqlite = await openStore(urls.SQLite);
  const index = { folder: join(state, 'index'), isFollower: false };
  const postgres = await openStore(urls.PostgreSQL, undefined, { index });
  const times: Record<string, number[]> = { SQLite: [], PostgreSQL: [] };
  let same = 0;
  let ordered = 0;
  for (const isWarm of [false, true]) {
    for (const text of questions(records)) {
      const found: SearchPage[] = [];
      for (const [name, store] of Object.entries({ SQLite: sqlite, PostgreSQL: postgres })) {
        const begun = performance.now();
        found.push(await search(store, text));
        if (isWarm) times[name]?.push(performance.now() - begun);
      }
      const [one, other] = found.map(({ total, results }) => JSON.stringify([total, results.toSorted()]));
      if (isWarm && one === other) same += 1;
      if (isWarm && JSON.stringify(found[0]) === JSON.stringify(found[1])) ordered += 1;
    }
  }
  await sqlite.close();
  await postgres.close();
  const row = (of: readonly number[] = []) => ({ p50Ms: share(of, 0.5), p99Ms: share(of, 0.99) });
  const asked = questions(records).length;
  return { SQLite: row(times['SQLite']), PostgreSQL: row(times['PostgreSQL']), parity: { asked, same, ordered } };
}

const search = (store: Store, text: string): Promise<SearchPage> =>
  store.records.search({ types: ['companies'], text, window: { offset: 0, limit: 10, atLeast: 0 } });

/** Requests a second of both, one after the other in each round; the ratio is the median of pairs. */
async function inTurns(
  services: readonly Running[],
  asked: { readonly paths: readonly string[]; readonly headers: Readonly<Record<string, string>> },
): Promise<Record<string, object>> {
  const perSecond = async ({ url }: Running, connections: number, requests: number): Promise<number> => {
    const { answers, seconds } = await load({ ...asked, headers: { ...asked.headers }, url, connections, requests });
    return answers / seconds;
  };
  for (const service of services) await perSecond(service, CLIENTS.at(-1) ?? 1, WARM_REQUESTS);
  const rows: Record<string, object> = {};
  for (const clients of CLIENTS) {
    const rounds: number[][] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const pair: number[] = [];
      for (const service of services) pair.push(await perSecond(service, clients, REQUESTS));
      rounds.push(pair);
    }
    const of = (pick: (pair: readonly number[]) => number): number => share(rounds.map(pick), 0.5);
    const [sqlite, postgres] = [of(([one = 0]) => one), of(([, two = 0]) => two)];
    rows[`${clients} clients`] = { sqlite, postgres, ratio: of(([one = 1, two = 0]) => two / one) };
  }
  return rows;
}

/** From the answer to a write until each index has it, which other processes keep. */
async function lagOf(
  url: string,
  { states, seconds }: { readonly states: readonly string[]; readonly seconds: number },
): Promise<object> {
  const store = await openStore(url);
  const written: { readonly position: number; readonly at: number }[] = [];
  const lags: number[] = [];
  let isDone = false;
  const look = async (state: string): Promise<void> => {
    const position = positionIn(join(state, 'index'));
    for (let next = 0; !isDone || next < written.length; await pause(LOOK_EVERY_MS)) {
      const reached = position();
      const now = performance.now();
      for (; (written[next]?.position ?? Infinity) <= reached; next += 1) lags.push(now - (written[next]?.at ?? now));
    }
  };
  const looking = Promise.all(states.map(look));
  const begun = performance.now();
  const count = WRITES_PER_SECOND * seconds;
  for (let done = 0; done < count; done += 1) {
    const leftMs = begun + (done * 1_000) / WRITES_PER_SECOND - performance.now();
    if (leftMs > 0) await pause(leftMs);
    const input = { name: `Lagging ${done}` };
    const changed = await store.records.change({ action: 'create', type: 'companies', input, author: OPERATOR });
    written.push({ position: changed.position ?? 0, at: performance.now() });
  }
  const writesPerSecond = Math.round((count * 1_000) / (performance.now() - begun));
  isDone = true;
  await looking;
  await store.close();
  return { writesPerSecond, lagP50Ms: share(lags, 0.5), lagP99Ms: share(lags, 0.99) };
}

/** What the index file of a machine says of its position. */
function positionIn(folder: string): () => number {
  const file = readdirSync(folder, { recursive: true })
    .map(String)
    .find((name) => name.endsWith('.db'));
  const database = openSqlite(join(folder, file ?? ''), { readonly: true });
  const read = database.prepare<[], number>('SELECT seq FROM followed').pluck();
  return () => read.get() ?? 0;
}

function share(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return Number((sorted[Math.floor((sorted.length - 1) * part)] ?? 0).toPrecision(3));
}
