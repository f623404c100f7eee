import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { RECORD_TYPES, type RecordType } from '../../../src/contract/entities/index.ts';
import { slugify } from '../../../src/contract/names.ts';
import { openStore } from '../../../src/store/open.ts';
import { OPERATOR } from '../../../src/store/port/audit.ts';
import type { RowInput } from '../../../src/store/port/records.ts';
import type { Store } from '../../../src/store/store.ts';
import { aCompany } from '../../support/builders.ts';
import { importText, ndjson } from '../../support/importing.ts';
import { isLong } from '../../support/length.ts';
import { temporaryFolder } from '../../support/program.ts';

const IN_MEMORY = 'sqlite::memory:';
const WORDS = ['alpha', 'beta', 'gamma', 'delta', 'chain', 'swap', 'pay', 'labs'];
/** Whole words, beginnings, words with one typo, several words. */
const TEXTS = [...WORDS, 'al', 'gam', 'ch', 'alpah', 'chian', 'detla', 'alpha beta', 'swap chain', 'pay gamma labs'];

let opened: Store[] = [];
const open = async (url: string): Promise<Store> => {
  const store = await openStore(url);
  opened.push(store);
  return store;
};
afterEach(async () => {
  for (const store of opened) await store.close();
  opened = [];
});

const find = async ({ records }: Store, text: string) => {
  const { total, results } = await records.search({ types: ['companies'], text, window: { offset: 0, limit: 100 } });
  return { text, total, slugs: results.map((json) => (JSON.parse(json) as { slug: string }).slug) };
};
const findAll = (store: Store, texts: readonly string[]) => Promise.all(texts.map((text) => find(store, text)));

describe('what is kept in batches', () => {
  const words = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 }).map((some) => some.join(' '));
  const slug = fc.integer({ min: 1, max: 20 }).map((number) => `r-${number}`);
  const row = fc.record({ name: words, tagline: words, slug, aliases: fc.array(words, { maxLength: 2 }) });
  const step = fc.oneof(
    fc.record({ keep: fc.array(row, { minLength: 1, maxLength: 8 }) }),
    fc.record({ once: fc.array(row, { minLength: 1, maxLength: 2 }) }),
    fc.record({ drop: slug }),
  );

  test('is found as if it had been kept at once, also after changes and deletions, before and after it is settled', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        const [batches, atOnce] = [await openStore(IN_MEMORY), await openStore(IN_MEMORY)];
        const drop = ({ records }: Store, target: string) =>
          records.change({ action: 'delete', type: 'companies', target, author: OPERATOR }).catch(() => undefined);
        for (const taken of steps) {
          if ('drop' in taken) {
            for (const store of [batches, atOnce]) await drop(store, taken.drop);
          } else {
            const rows = ('keep' in taken ? taken.keep : taken.once).map((given) => aCompany(given));
            await ('keep' in taken ? batches.records.upsertMany(rows) : batches.records.putAll(rows));
            await atOnce.records.putAll(rows);
          }
          expect(await findAll(batches, TEXTS)).toEqual(await findAll(atOnce, TEXTS));
        }
        await batches.compactIndex();
        expect(await findAll(batches, TEXTS)).toEqual(await findAll(atOnce, TEXTS));
        for (const store of [batches, atOnce]) await store.close();
      }),
      { numRuns: 10 },
    );
  });

  test('is found as if it had been kept at once while more batches come than wait', async () => {
    const BATCHES = 70;
    const batch = (number: number): RowInput[] =>
      Array.from({ length: 20 }, (_, place) => {
        const own = (number * 20 + place).toString(36);
        const shared = WORDS[(number * 7 + place) % WORDS.length];
        // Every tenth is a record of an earlier batch with another tagline.
        const of = place % 10 === 9 && number > 3 ? `n${((number - 3) * 20 + place).toString(36)}` : `n${own}`;
        return aCompany({ name: `Name ${of}`, slug: `s-${of}`, tagline: `${shared} is ${own}x and ${own}y, ${own}z` });
      });
    const own = Array.from({ length: BATCHES }, (_, number) => `${(number * 20 + (number % 20)).toString(36)}y`);
    const texts = [...TEXTS, ...own, 'name', 'n1', 'n1a', 'name n2', 'nnam', 'ax', 'bx alpha', '10x', 'tagline'];
    const [batches, atOnce] = [await open(IN_MEMORY), await open(IN_MEMORY)];
    for (let number = 0; number < BATCHES; number += 1) {
      await batches.records.upsertMany(batch(number));
      await atOnce.records.putAll(batch(number));
      if (number % 20 === 15) expect(await findAll(batches, texts)).toEqual(await findAll(atOnce, texts));
    }
    await batches.compactIndex();
    expect(await findAll(batches, texts)).toEqual(await findAll(atOnce, texts));
  });

  test('is in a list in the order of a field as often as its total says, before and after it is settled', async () => {
    const ROWS = 2_100;
    const store = await open(IN_MEMORY);
    await store.records.putAll([aCompany({ name: 'Early', year_founded: 2020 })]);
    const rows = Array.from({ length: ROWS }, (_, n) =>
      aCompany({ name: `Late ${n}`, slug: `late-${n}`, year_founded: 2019 }),
    );
    const early = async (): Promise<string> =>
      (await store.records.search({ types: ['companies'], text: 'early', window: { offset: 0, limit: 1 } }))
        .results[0] ?? '';
    expect(await early()).toContain('"twitter":null');
    const twitter = 'https://x.com/early';
    await store.records.upsertMany([...rows, aCompany({ name: 'Early', slug: 'early', twitter })]);
    // The words of the page follow later, its records do not.
    expect(await early()).toContain(twitter);
    const sort = { field: 'name', isDescending: false } as const;
    const listed = async (filters: object): Promise<unknown[]> => {
      const window = { offset: 0, limit: 2 * ROWS };
      const { total, totals, results } = await store.records.search({
        types: ['companies'],
        text: '',
        sort,
        filters,
        window,
      });
      return [total, totals.companies, results.length];
    };
    for (let turn = 0; turn < 2; turn += 1) {
      expect(await listed({})).toEqual([ROWS + 1, ROWS + 1, ROWS + 1]);
      expect(await listed({ founded_to: 2019 })).toEqual([ROWS, ROWS, ROWS]);
      await store.compactIndex();
    }
  });
});

describe('rows that name one another', () => {
  const NUMBERS = [1, 2, 3, 4];
  const nameOf = (type: RecordType, number: number) => `${type} Example ${number}`;
  const reference = (type: RecordType) =>
    fc.tuple(fc.constantFrom(...NUMBERS), fc.constantFrom('name', 'slug')).map(([number, by]) => {
      const name = nameOf(type, number);
      return by === 'name' ? name : { slug: slugify(name) };
    });
  const references = (type: RecordType) => fc.option(fc.uniqueArray(reference(type), { maxLength: 3 }));
  const rowOf = (type: RecordType, fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<RowInput> =>
    fc.tuple(fc.constantFrom(...NUMBERS), fc.record(fields)).map(([number, given]) => {
      const name = nameOf(type, number);
      const said = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
      return { type, input: { name, slug: slugify(name), ...said } };
    });
  const row = fc.oneof(
    rowOf('companies', { investors: references('investors'), founders: references('people') }),
    rowOf('investors', { portfolio: references('companies') }),
    rowOf('people', { roles: fc.option(fc.constant([{ organization: nameOf('companies', 1) }])) }),
    rowOf('rounds', {
      company: reference('companies'),
      investors: references('investors'),
      stage: fc.constantFrom('seed', 'series_a'),
      amount_usd: fc.constantFrom('1000.00', '2500.50'),
    }),
  );
  const at = () => new Date('2026-11-22T12:00:00.000Z');
  const everything = async ({ records }: Store) => {
    const kept: string[] = [];
    for (const type of RECORD_TYPES) for await (const json of records.walk(type)) kept.push(json);
    return kept;
  };

  test('become the same records in one batch as one after the other', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(row, { minLength: 1, maxLength: 12 }), { maxLength: 3 }), async (batches) => {
        const [together, alone] = [await openStore(IN_MEMORY, at), await openStore(IN_MEMORY, at)];
        for (const rows of batches) {
          const outcomes = await together.records.upsertMany(rows);
          const each = [];
          for (const one of rows) each.push(...(await alone.records.upsertMany([one])));
          expect(outcomes.map(({ change }) => change === 'refused')).toEqual(each.map(() => false));
        }
        expect(await everything(together)).toEqual(await everything(alone));
        for (const store of [together, alone]) await store.close();
      }),
      { numRuns: isLong ? 30 : 10 },
    );
  });
});

test('what a batch left for later is found by another process, and after the end of the one that kept it', async () => {
  const folder = temporaryFolder();
  try {
    const url = `sqlite:${join(folder.path, 'batches.db')}`;
    const [first, other] = [await openStore(url), await openStore(url)];
    await first.records.upsertMany([aCompany({ name: 'Alpha Labs' }), aCompany({ name: 'Beta Labs' })]);
    expect((await find(other, 'labs')).total).toBe(2);
    await first.records.upsertMany([
      aCompany({ name: 'Gamma Labs' }),
      aCompany({ slug: 'beta-labs', name: 'Beta Chain' }),
    ]);
    await first.close();
    expect((await find(other, 'lasb')).slugs).toEqual(['alpha-labs', 'gamma-labs']);
    await other.records.putAll([aCompany({ name: 'Delta Labs' })]);
    await other.close();

    const again = await openStore(url);
    expect((await find(again, 'labs')).slugs).toEqual(['alpha-labs', 'gamma-labs', 'delta-labs']);
    expect((await find(again, 'beta')).slugs).toEqual(['beta-labs']);
    await again.close();
  } finally {
    folder.remove();
  }
});

test.each([
  [2_000, 'after each of its batches', true],
  [2_100, 'as a whole, after its end', false],
])('a file of %i rows is found %s', async (count, _when, isFollowed) => {
  const store = await open(IN_MEMORY);
  const found: number[] = [];
  const kept: number[] = [];
  const upsertMany: Store['records']['upsertMany'] = async (rows, ...rest) => {
    const outcomes = await store.records.upsertMany(rows, ...rest);
    found.push((await find(store, 'swap')).total);
    kept.push((kept.at(-1) ?? 0) + rows.length);
    return outcomes;
  };
  const rows = Array.from({ length: count }, (_, index) => ({ name: `Swap ${index}` }));
  await importText({ ...store, records: { ...store.records, upsertMany } }, 'companies', ndjson(...rows));
  expect(kept[0]).toBe(500);
  expect(kept.at(-1)).toBe(count);
  expect(found).toEqual(kept.map((total) => (isFollowed ? total : 0)));
  expect((await find(store, 'swap')).total).toBe(count);
});
