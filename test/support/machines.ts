import { expect, onTestFinished } from 'vitest';
import { RECORD_TYPES } from '../../src/contract/entities/index.ts';
import { relatedLists } from '../../src/contract/relations.ts';
import { openStore, type StoreOptions } from '../../src/store/open.ts';
import type { Page } from '../../src/store/port/records.ts';
import type { Store } from '../../src/store/store.ts';
import { aCompany } from './builders.ts';
import { newPostgres, type TestDatabase } from './databases.ts';
import { isLong } from './length.ts';
import { type Running, startProgram, temporaryFolder } from './program.ts';

const TRIES_MAX = 1_000;
/** What is asked for takes a second or more, and each question costs the service and the test some milliseconds of a core. */
const PAUSE_MS = 50;
/** The state folder of a machine, until the end of the test. */
export function newFolder(): string {
  const { path, remove } = temporaryFolder();
  onTestFinished(() => void remove());
  return path;
}

export async function open(url: string, index?: StoreOptions['index']): Promise<Store> {
  const store = await openStore(url, undefined, { index });
  onTestFinished(() => store.close());
  return store;
}

/** A database, the store that the test writes with, and the folder of a machine. */
export async function newMachine(): Promise<{ database: TestDatabase; store: Store; state: string }> {
  const database = await newPostgres();
  const store = await open(database.url);
  await store.accounts.create('acme', 'enterprise');
  return { database, store, state: newFolder() };
}

export async function serve(url: string, state: string, more: Record<string, string> = {}): Promise<Running> {
  const words = ['serve', '--database', url, '--data', 'none', '--port', '0', '--state-dir', state];
  const service = await startProgram(words, { WEB3_BI_BURST_PER_SECOND: '0', ...more });
  onTestFinished(async () => void (await service.stop()));
  return service;
}

export const newKey = async ({ keys }: Store, level: 'read' | 'write' = 'write'): Promise<string> =>
  (await keys.create({ account: 'acme', name: 'test', level, expires_at: null })).secret;

export const ask = (
  service: Running,
  path: string,
  key: string,
  headers: Record<string, string> = {},
): Promise<Response> =>
  fetch(`${service.url}/api/v1/${path}`, { headers: { Authorization: `Bearer ${key}`, ...headers } });

export const post = (service: Running, key: string, body: object): Promise<Response> =>
  fetch(`${service.url}/api/v1/companies`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

export async function totalOf(response: Response | Promise<Response>): Promise<number | string> {
  const answer = await response;
  const { data } = (await answer.json()) as { data?: { totalResults: number } };
  return data?.totalResults ?? `${answer.status} ${answer.headers.get('retry-after')}`;
}

/** Asks again until the answer is the wanted one. */
export async function until<Answer>(asked: () => Promise<Answer>, wanted: Answer): Promise<void> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    if ((await asked()) === wanted) return;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  expect(await asked()).toBe(wanted);
}

export const isReady = async ({ url }: Running): Promise<number> => (await fetch(`${url}/readyz`)).status;

const WORDS = ['acme', 'capital', 'firm', 'frim', 'united', 'ada', 'con', 'seed', 'un', 'defi'];

/** Everything that is answered from an index. */
export async function answersOf({ records }: Store): Promise<unknown> {
  const answers: unknown[] = [];
  const keep = (page: Page): void => void answers.push(page);
  for (const text of ['', ...WORDS]) keep(await records.search({ types: RECORD_TYPES, text, window: WHOLE }));
  for (const tag of ['defi', 'nft'])
    keep(
      await records.search({
        types: ['companies'],
        text: '',
        filters: { tag: { mode: 'any', values: [tag] } },
        window: WHOLE,
      }),
    );
  for (const isDescending of [true, false]) {
    const sort = { field: 'name', isDescending } as const;
    const { results } = await records.search({ types: ['companies'], text: '', sort, window: WHOLE });
    answers.push(results);
  }
  for (const list of relatedLists)
    for (let id = 1; id <= RELATED_MAX; id += 1) keep(await records.related(list, id, WHOLE));
  return answers;
}

const WHOLE = { offset: 0, limit: 10_000 };
const RELATED_MAX = isLong ? 20 : 6;

/** What an index answers that was built anew from the records as they are. */
export async function rebuiltAnswers(url: string): Promise<unknown> {
  const store = await openStore(url);
  try {
    return await answersOf(store);
  } finally {
    await store.close();
  }
}

export const rowsOf = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) =>
    aCompany({ name: `Firm ${from + index}`, tags: [index % 2 === 0 ? 'DeFi' : 'NFT'] }),
  );

/** Numbers that are the same in each run (a linear congruential generator). */
export function createRandom(seed: number) {
  let state = seed;
  const below = (end: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * end);
  };
  const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item;
  return { below, pick };
}
