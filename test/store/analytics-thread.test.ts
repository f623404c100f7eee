import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { CONNECTION_KINDS } from '../../src/contract/connections.ts';
import { openStore } from '../../src/store/open.ts';
import type { AggregateRequest, ConnectionsRequest } from '../../src/store/port/analytics.ts';
import type { SearchRequest } from '../../src/store/port/records.ts';
import type { Store } from '../../src/store/store.ts';
import { aCompany, anInvestor, aPerson, aRound } from '../support/builders.ts';
import { engine } from '../support/databases.ts';
import { PROGRAM } from '../support/program.ts';

const DIST = dirname(PROGRAM);
const WORKER = join(DIST, 'store', 'sqlite', 'analytics', 'analytics-worker.mjs');
const BY_INVESTOR: AggregateRequest = {
  of: 'rounds',
  groups: ['investor', 'year'],
  measures: ['count', 'sum', 'median'],
  order: { by: 'measure', column: 0, isDescending: true },
  top: 20,
  filters: { country: { mode: 'any', values: ['france'] } },
};
const PATHS: ConnectionsRequest = {
  from: { type: 'people', id: 1 },
  to: { type: 'investors', id: 2 },
  hopsMax: 4,
  limit: 5,
  kinds: CONNECTION_KINDS,
};

/** So many that filters on five fields read more than a search reads in this thread. */
const MANY = 10_500;

const opened: Store[] = [];
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
});
async function open(url: string, analyticsWorker?: string): Promise<Store> {
  const store = await openStore(url, undefined, { analyticsWorker });
  opened.push(store);
  return store;
}

const round = (slug: string, company: string, amount_usd: string) =>
  aRound({
    name: slug,
    slug,
    company,
    amount_usd,
    announced_date: '2024-05-06',
    investors: ['Parade Capital', 'Quiet Fund'],
  });

test('a thread answers as this one does, with all that was written before', async () => {
  const { url } = await engine.newDatabase();
  const [threaded, plain] = [await open(url, WORKER), await open(url)];
  const both = async (): Promise<unknown[]> => {
    const answers = await Promise.all([threaded.records.aggregate(BY_INVESTOR), threaded.records.connect(PATHS)]);
    expect(answers).toEqual([await plain.records.aggregate(BY_INVESTOR), await plain.records.connect(PATHS)]);
    return answers;
  };
  await threaded.records.putAll([
    aCompany({ name: 'Alpha', location_json: { country: 'France' } }),
    anInvestor({ name: 'Parade Capital' }),
    anInvestor({ name: 'Quiet Fund' }),
    aPerson({ name: 'Ann', roles: [{ organization: 'Alpha', title: 'CEO' }] }),
    round('one', 'Alpha', '10.00'),
  ]);
  expect(await both()).toMatchObject([{ groups: 2 }, { paths: [{ hops: 2 }] }]);
  await threaded.records.putAll([round('two', 'Alpha', '20.00')]);
  const [{ rows }] = (await both()) as [{ rows: unknown[][] }];
  expect(rows[0]?.slice(2)).toEqual([2, '30.00', '15.00']);
});

test('a search that reads many rows runs in a thread, as it would in this one', async () => {
  const { url } = await engine.newDatabase();
  const [threaded, plain, broken] = [await open(url, WORKER), await open(url), await open(url, join(DIST, 'none.mjs'))];
  const fields = { tags: ['DeFi', 'Gaming'], chains: ['Base'], location_json: { country: 'France', city: 'Paris' } };
  await plain.records.putAll(
    Array.from({ length: MANY }, (_, index) =>
      aCompany({ name: `Firm ${index}`, slug: `firm-${index}`, year_founded: 2_000 + (index % 20), ...fields }),
    ),
  );
  const ofFilters: SearchRequest = {
    types: ['companies'],
    text: '',
    filters: {
      tag: { mode: 'all', values: ['DeFi', 'Gaming'] },
      chain: { mode: 'any', values: ['Base'] },
      country: { mode: 'any', values: ['France'] },
      city: { mode: 'any', values: ['Paris'] },
      founded_from: 2_001,
    },
    window: { offset: 20, limit: 3 },
  };
  const asked: readonly SearchRequest[] = [
    ofFilters,
    { ...ofFilters, sort: { field: 'year_founded', isDescending: true } },
    { ...ofFilters, text: 'firm' },
    { ...ofFilters, text: 'firms founded until 2015 on Base, by year', filters: {} },
  ];
  for (const request of asked)
    expect(await threaded.records.search(request)).toEqual(await plain.records.search(request));
  // Whatever the thread, it reads so many rows nowhere else.
  await expect(broken.records.search(ofFilters)).rejects.toThrow('none.mjs');
  await expect(broken.records.search({ ...ofFilters, filters: {} })).resolves.toMatchObject({ total: MANY });
  await plain.records.putAll([aCompany({ name: 'Firm new', year_founded: 2_001, ...fields })]);
  expect(await threaded.records.search(ofFilters)).toEqual(await plain.records.search(ofFilters));
});

test('a thread refuses what means nothing as this one does', async () => {
  const { url } = await engine.newDatabase();
  const store = await open(url, WORKER);
  await store.records.putAll([aCompany({ name: 'Alpha', tags: ['Wallet'] })]);
  const wrong = { ...BY_INVESTOR, of: 'companies', filters: { tag: { mode: 'any', values: ['walet'] } } } as const;
  await expect(store.records.aggregate(wrong)).rejects.toMatchObject({
    name: 'ServiceError',
    code: 'invalid_parameter',
    message: expect.stringContaining('the nearest are Wallet'),
    nearest: { values: expect.arrayContaining(['Wallet']) },
    errors: [{ location: 'query.tag' }],
  });
  expect((await store.records.aggregate({ ...BY_INVESTOR, filters: {} })).rows).toEqual([]);
});

test('a thread that cannot start fails the question, and nothing else', async () => {
  const { url } = await engine.newDatabase();
  const store = await open(url, join(DIST, 'none.mjs'));
  for (let turn = 0; turn < 2; turn += 1)
    await expect(store.records.aggregate({ ...BY_INVESTOR, filters: {} })).rejects.toThrow('none.mjs');
  expect(await store.records.named('Alpha')).toEqual([]);
});
