import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Filters } from '../../../src/contract/filters.ts';
import { openStore } from '../../../src/store/open.ts';
import type { Store } from '../../../src/store/store.ts';
import { aCompany, aRound } from '../../support/builders.ts';

const ROUNDS = 4_000;
const WORDS = Array.from({ length: 30 }, (_, at) => `word${at}`);

let store: Store;

beforeAll(async () => {
  store = await openStore('sqlite::memory:');
  await store.records.putAll([
    aCompany({ name: 'Acme', tagline: WORDS.join(' '), location_json: { country: 'Germany' } }),
    ...Array.from({ length: ROUNDS }, (_, at) =>
      aRound({ name: `Round ${at}`, company: `Other ${at % 50}`, announced_date: '2024-05-06' }),
    ),
    ...Array.from({ length: 50 }, (_, at) => aCompany({ name: `Other ${at}` })),
    aRound({ name: 'Acme Seed', company: 'Acme', announced_date: '2024-07-08' }),
    aRound({ name: 'Acme Grant', company: 'Acme', announced_date: '2025-07-08', stage: 'grant' }),
  ]);
});
afterAll(() => store.close());

const search = (filters: Filters, text = 'word0') =>
  store.records.search({ types: ['companies'], text, filters, window: { offset: 0, limit: 5 } });

test('the rounds of the companies that a text matches are tested, and grants are none', async () => {
  const totalOf = async (filters: Filters) => (await search(filters)).total;
  expect(await totalOf({ from: '2024-07-01' })).toBe(1);
  expect(await totalOf({ from: '2024-07-09' })).toBe(0);
  expect(await totalOf({ from: '2024-07-01', to: '2024-07-31' })).toBe(1);
});

test('searches of few companies by the date of their rounds do not read all rounds each', async () => {
  const timeOf = async (filters: Filters) => {
    await search(filters);
    const begun = performance.now();
    // Equal searches would be answered from a cache.
    for (const word of WORDS) await search(filters, word);
    return performance.now() - begun;
  };
  await timeOf({ employees_min: 2 });
  expect((await timeOf({ from: '2024-05-05' })) / (await timeOf({ employees_min: 1 }))).toBeLessThan(8);
});
