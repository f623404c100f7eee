import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RECORD_TYPES } from '../../src/contract/entities/index.ts';
import { openStore } from '../../src/store/open.ts';
import type { SearchRequest } from '../../src/store/port/records.ts';
import type { Store } from '../../src/store/store.ts';
import { aCompany, anEvent, anInvestor, aPerson, aRound } from '../support/builders.ts';
import { engine } from '../support/databases.ts';
import { isLong } from '../support/length.ts';

/** Text that breaks search engines: operators, quotes, wildcards, NUL, other scripts, long and odd runs. */
const HOSTILE = [
  '"',
  "'",
  '%',
  '_',
  '*',
  '\0',
  'a\0b',
  '()',
  'NEAR(',
  'OR AND NOT',
  '-',
  '--',
  '{a}:b',
  '^x',
  "'; DROP TABLE companies",
  "' OR 1=1--",
  '😀',
  '😀 defi',
  '🦄'.repeat(100),
  'שלום עולם',
  'مرحبا',
  '中文',
  'ﷺ'.repeat(60),
  'e\u0301'.repeat(100),
  '\ud800',
  '𐀀',
  '𐀀b𐀁 𝔘ni',
  '\u202e',
  '\u200b',
  'a'.repeat(200),
  'a '.repeat(100),
  'ab '.repeat(66),
  'the of and',
  '1 2 3 4 5 6 7 8 9 10 11 12 13',
  'https://',
  'http://a.b',
  '...',
  '/',
  '\\',
];

describe(`search on ${engine.name}`, () => {
  let store: Store;
  beforeAll(async () => {
    store = await openStore((await engine.newDatabase()).url);
    await store.records.putAll([
      aCompany({
        name: 'OpenSea',
        website: 'https://opensea.io',
        token_symbols: ['SEA'],
        token_contracts: [{ symbol: 'SEA', chain: 'Ethereum', address: '0x5B1e869a1B71f0c7A8b7A5a0E4b2B8e7A6E0C1D2' }],
        tags: ['NFT', 'Marketplace'],
        chains: ['Ethereum'],
      }),
      aCompany({
        name: 'Marlow Labs',
        twitter: 'https://twitter.com/MarlowHQ',
        github: 'https://github.com/marlow-dev',
      }),
      aPerson({ name: 'Ida Renn', twitter: 'https://x.com/idarenn', github: 'https://github.com/ida-renn' }),
      aCompany({ name: 'Token Bay', tagline: 'Coins and a token by the sea' }),
      aCompany({ name: 'Blur', tags: ['NFT', 'Marketplace'], overview: 'Traders compare it with OpenSea.' }),
      aCompany({ name: '0x Protocol', aliases: ['ZeroEx'], tags: ['DEX'], chains: ['Ethereum', 'Arbitrum'] }),
      aCompany({
        name: 'Café del Mar Labs',
        tagline: 'Lending for coffee farmers',
        chains: ['Solana'],
        location_json: { city: 'Lisbon', country: 'Portugal' },
      }),
      aCompany({ name: 'Solend', tagline: 'Lending on Solana', tags: ['Lending', 'DeFi'], chains: ['Solana'] }),
      aPerson({ name: 'Devin Finzer', roles: [{ organization: 'OpenSea', title: 'Co-founder and CEO' }] }),
      aPerson({ name: 'Ada Lovelace', headline: 'Mathematician' }),
      anInvestor({ name: 'Andreessen Horowitz', aliases: ['a16z crypto'], investments_count: 300 }),
      anEvent({ name: 'Devcon 7', start_date: '2024-11-12', location_json: { city: 'Bangkok', country: 'Thailand' } }),
    ]);
  });
  afterAll(() => store.close());

  const find = async (text: string, more: Partial<SearchRequest> = {}) => {
    const found = await store.records.search({
      types: RECORD_TYPES,
      text,
      window: { offset: 0, limit: 10 },
      ...more,
    });
    return { ...found, names: found.results.map((json) => JSON.parse(json).name as string) };
  };

  test.each([
    ['open sea', 'OpenSea'],
    ['OPEN-SEA', 'OpenSea'],
    ['opensea.io', 'OpenSea'],
    ['https://www.opensea.io/assets', 'OpenSea'],
    ['opense', 'OpenSea'],
    ['opnesea', 'OpenSea'],
    ['openssea', 'OpenSea'],
    ['SEA', 'OpenSea'],
    ['SEA token', 'OpenSea'],
    ['https://x.com/marlowhq/status/1', 'Marlow Labs'],
    ['twitter.com/@MarlowHQ?s=20', 'Marlow Labs'],
    ['github.com/marlow-dev/contracts', 'Marlow Labs'],
    ['@marlow-dev', 'Marlow Labs'],
    ['github.com/ida-renn', 'Ida Renn'],
    ['@idarenn', 'Ida Renn'],
    ['x.com/opensea', 'OpenSea'],
    ['token sea', 'OpenSea'],
    ['Sea coin', 'OpenSea'],
    ['0x5b1e869a1b71f0c7a8b7a5a0e4b2b8e7a6e0c1d2', 'OpenSea'],
    ['sea open', 'OpenSea'],
    ['opensea official website', 'OpenSea'],
    ['zeroex', '0x Protocol'],
    ['0xprotocol', '0x Protocol'],
    ['0x', '0x Protocol'],
    ['andreessen horowitz official site', 'Andreessen Horowitz'],
    ['andreessen horowitz zzq rrt', 'Andreessen Horowitz'],
    ['cafe del mar', 'Café del Mar Labs'],
    ['CAFÉ', 'Café del Mar Labs'],
    ['lending solana', 'Solend'],
    ['lending on solana', 'Solend'],
    ['lendign on solana', 'Solend'],
    ['dex arbitrum', '0x Protocol'],
    ['nft marketplace ethereum', 'OpenSea'],
    ['a16z', 'Andreessen Horowitz'],
    ['andresen horowitz', 'Andreessen Horowitz'],
    ['opensea ceo', 'Devin Finzer'],
    ['finzer devin', 'Devin Finzer'],
    ['devcon bangkok', 'Devcon 7'],
    ['devcon 2024', 'Devcon 7'],
    ['mathematician', 'Ada Lovelace'],
  ])('finds by %j first %s', async (text, expected) => {
    expect((await find(text)).names[0]).toBe(expected);
  });

  test.each(['zzqxv', 'qwrtplk zxcvbn', '🦄'])('finds nothing by %j', async (text) => {
    expect(await find(text)).toMatchObject({ results: [], total: 0 });
  });

  test('finds a name without its article before names that begin with it', async () => {
    await store.records.putAll([aCompany({ name: 'The Quorl' }), anEvent({ name: 'Quorl Day' })]);
    expect((await find('quorl')).names).toEqual(['The Quorl', 'Quorl Day']);
  });

  test('finds a tag by its other usual names', async () => {
    await store.records.addShipped(() => [
      aCompany({ name: 'Rollmint', tags: ['Layer 2'] }),
      aCompany({ name: 'Proofmint', tags: ['ZK'] }),
    ]);
    expect((await find('rollmint l2')).names).toEqual(['Rollmint']);
    expect((await find('proofmint zero knowledge')).names).toEqual(['Proofmint']);
  });

  test.each(['zorb market', 'Zorb markets'])('puts what is tagged %j before a name that contains it', async (text) => {
    await store.records.addShipped(() => [
      aCompany({ name: 'United Zorb Markets' }),
      aCompany({ name: 'Polyzed', tags: ['Zorb Market'], website: 'https://polyzed.example' }),
    ]);
    const { names } = await find(text);
    await store.records.dropShipped();
    expect(names).toEqual(['Polyzed', 'United Zorb Markets']);
  });

  test('tells a name with signs from the one without, and finds the plural of an abbreviation', async () => {
    await store.records.addShipped(() => [
      aCompany({ name: 'Zorbit Core', tags: ['Layer 2'] }),
      aCompany({ name: 'Meetup', aliases: ['zorbit++'] }),
    ]);
    expect((await find('zorbit')).names).toEqual(['Zorbit Core', 'Meetup']);
    expect((await find('Zorbit++')).names[0]).toBe('Meetup');
    expect((await find('zorbit l2s')).names).toEqual(['Zorbit Core']);
    await store.records.dropShipped();
  });

  test('finds what is inside a name after whole words and beginnings, and counts it', async () => {
    await store.records.addShipped(() => [
      aCompany({ name: 'Unizorb' }),
      aCompany({ name: 'Zorbtown' }),
      aCompany({ name: 'Plain', tagline: 'A zorb for all' }),
      aCompany({ name: 'Pancakezorb' }),
    ]);
    const whole = await find('zorb');
    const inside = await find('cakezo');
    await store.records.dropShipped();
    expect(whole.names).toEqual(['Zorbtown', 'Plain', 'Unizorb', 'Pancakezorb']);
    expect(whole.total).toBe(4);
    expect(inside.names).toEqual(['Pancakezorb']);
  });

  test('finds what is inside a name of any script, and nothing else', async () => {
    await store.records.addShipped(() => [aCompany({ name: 'Бавгдезорб' }), aCompany({ name: 'Бавгдо' })]);
    const inside = await find('вгде');
    // Letters that the index does not tell apart from those.
    const other = await find('лмно');
    await store.records.dropShipped();
    expect([inside.names, other.names]).toEqual([['Бавгдезорб'], []]);
  });

  test('finds no round by letters across the words of its name, which is composed', async () => {
    const round = { announced_date: '2021-05-06', stage: 'strategic' };
    await store.records.addShipped(() => [aRound({ name: 'Taxzorb Strategic 2021', company: 'Taxzorb', ...round })]);
    const totals = [];
    for (const text of ['taxzorb', 'axzor', 'zorbst']) {
      const { total } = await store.records.search({ types: ['rounds'], text, window: { offset: 0, limit: 1 } });
      totals.push(total);
    }
    await store.records.dropShipped();
    expect(totals).toEqual([1, 1, 0]);
  });

  test('marks a record whose name is a part of a text that it does not have otherwise', async () => {
    const find = async (text: string) => {
      const { results, isTyped } = await store.records.search({
        types: RECORD_TYPES,
        text,
        window: { offset: 0, limit: 10 },
      });
      return [isTyped, results.map((json) => (JSON.parse(json) as { name: string }).name)];
    };
    expect(await find('opensea lending farmers')).toEqual([false, ['OpenSea']]);
    expect(await find('blur opensea')).toEqual([true, ['Blur', 'OpenSea']]);
  });

  test('takes digits as they are written', async () => {
    await store.records.addShipped(() => [
      anEvent({ name: 'Gathering 2019', aliases: ['Gathering'] }),
      anInvestor({ name: '369 Kapital' }),
    ]);
    expect((await find('Gathering 2019')).names).toEqual(['Gathering 2019']);
    expect(await find('Gathering 2026')).toMatchObject({ total: 0 });
    expect(await find('368 kapital')).toMatchObject({ total: 0 });
    expect((await find('3x9 kapital')).names).toEqual(['369 Kapital']);
    await store.records.dropShipped();
  });

  test.each(HOSTILE)('takes %j as text', async (text) => {
    const { results, total } = await find(text);
    expect(results.length).toBe(Math.min(10, total));
  });

  test('finds names in letters that are written as two halves, whole and begun', async () => {
    await store.records.putAll([
      aCompany({ name: '𐀀𐀁𐀂𐀃 Labs', slug: 'linear' }),
      aCompany({ name: '𐀄'.repeat(60), slug: 'long' }),
    ]);
    for (const text of ['𐀀𐀁𐀂𐀃 labs', '𐀀𐀁𐀂𐀃', '𐀀𐀁𐀂', '𐀀']) {
      expect([text, (await find(text)).names[0]]).toEqual([text, '𐀀𐀁𐀂𐀃 Labs']);
    }
  });

  test('sees a change and a removal at once', async () => {
    await store.records.addShipped(() => [aCompany({ name: 'Passing Fancy' })]);
    expect((await find('passing fancy')).names).toEqual(['Passing Fancy']);
    await store.records.dropShipped();
    expect((await find('passing fancy')).total).toBe(0);
  });

  test('forgets what a failed write had begun', async () => {
    const rows = [aCompany({ name: 'Zyzzyva Labs' }), aCompany({ name: '' })];
    await expect(store.records.putAll(rows)).rejects.toThrow();
    expect((await find('zyzzyva')).total).toBe(0);
    await store.records.addShipped(() => [aCompany({ name: 'Zyzzyva Two' })]);
    expect((await find('zyzzyva')).names).toEqual(['Zyzzyva Two']);
    await store.records.dropShipped();
  });
});

test(`what is called like the query and does not pass its condition lifts nothing else, on ${engine.name}`, async () => {
  const store = await openStore((await engine.newDatabase()).url);
  await store.records.putAll([
    aCompany({ name: 'Alpha Beta', year_founded: 1999 }),
    aCompany({ name: 'Later', overview: 'Alpha and beta.', year_founded: 2020 }),
    aCompany({ name: 'Latest', tags: ['Alpha', 'Beta'], year_founded: 2020 }),
  ]);
  const request = { types: ['companies'], text: 'alpha beta', window: { offset: 0, limit: 10 } } as const;
  const { results } = await store.records.search({ ...request, filters: { founded_from: 2000 } });
  await store.close();
  expect(results.map((json) => (JSON.parse(json) as { name: string }).name)).toEqual(['Latest', 'Later']);
});

describe(`pages on ${engine.name}`, () => {
  const WORDS = ['alpha', 'beta', 'gamma', 'delta', 'chain', 'swap', 'pay', 'labs'];
  const words = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 }).map((some) => some.join(' '));

  test('of any query hold every match once, in one order, and their number is the total', async () => {
    const store = await openStore((await engine.newDatabase()).url);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ name: words, tagline: words }), { minLength: 1, maxLength: 40 }),
        words,
        fc.integer({ min: 1, max: 7 }),
        async (some, text, limit) => {
          await store.records.addShipped(() => some.map((given) => aCompany(given)));
          const page = (offset: number, size: number) =>
            store.records.search({ types: ['companies'], text, window: { offset, limit: size } });
          const { total, results: all } = await page(0, 1_000);
          const paged: string[] = [];
          for (let offset = 0; offset < total; offset += limit) paged.push(...(await page(offset, limit)).results);
          await store.records.dropShipped();
          expect(all.length).toBe(total);
          expect(new Set(all).size).toBe(total);
          expect(paged).toEqual(all);
          // Whatever has every word of the query in it is found; a query that finds nothing exact may be corrected.
          const whole = some.filter(({ name, tagline }) =>
            text.split(' ').every((word) => `${name} ${tagline}`.split(' ').includes(word)),
          );
          if (whole.length > 0) expect(total).toBeGreaterThanOrEqual(whole.length);
        },
      ),
      { numRuns: isLong ? 60 : 20 },
    );
    await store.close();
  });
});

describe(`words that thousands have, on ${engine.name}`, () => {
  const RECORDS = 2_600;
  const PAGE = 100;
  let store: Store;

  const taglineOf = (index: number): string => (index % 3 === 0 ? 'Widely shared' : 'Shared');
  const overviewOf = (index: number): string => (index % 4 === 0 ? 'Widely known' : `Widely ${index}`);
  const yearOf = (index: number): number => 2_000 + (index % 5);
  const find = async (text: string, offset: number, limit: number, filters: SearchRequest['filters'] = {}) => {
    const found = await store.records.search({ types: ['companies'], text, filters, window: { offset, limit } });
    return { total: found.total, names: found.results.map((json) => (JSON.parse(json) as { name: string }).name) };
  };

  beforeAll(async () => {
    store = await openStore((await engine.newDatabase()).url);
    const nameOf = (index: number): string => (index % 500 === 499 ? `Shared ${index}` : `Record ${index}`);
    await store.records.putAll(
      Array.from({ length: RECORDS }, (_, index) =>
        aCompany({
          name: nameOf(index),
          slug: `r-${index}`,
          tagline: taglineOf(index),
          overview: overviewOf(index),
          year_founded: yearOf(index),
        }),
      ),
    );
  });
  afterAll(() => store.close());

  test.each(['shared', 'widely shared', 'widely'])('%s: the total is exact and pages hold each once', async (text) => {
    const names: string[] = [];
    for (let offset = 0; offset < RECORDS; offset += PAGE) names.push(...(await find(text, offset, PAGE)).names);
    expect(new Set(names).size).toBe(RECORDS);
    expect(await find(text, 0, 0)).toEqual({ total: RECORDS, names: [] });
    expect((await find(text, RECORDS, PAGE)).names).toEqual([]);
  });

  test('stand first where they are in a name, then in a tagline, in order of arrival', async () => {
    const { names } = await find('shared', 0, 7);
    const inNames = [499, 999, 1499, 1999, 2499].map((index) => `Shared ${index}`);
    expect(names).toEqual([...inNames, 'Record 0', 'Record 1']);
    const taglines = (await find('widely', 0, 3)).names;
    expect(taglines).toEqual(['Record 0', 'Record 3', 'Record 6']);
    // `known` is in overviews only, `widely` in every third tagline as well.
    const { names: both } = await find('widely known', 0, RECORDS);
    expect([both.slice(0, 3), both.slice(217, 219)]).toEqual([
      ['Record 0', 'Record 12', 'Record 24'],
      ['Record 4', 'Record 8'],
    ]);
  });

  test.each([
    ['most', 2_001],
    ['few', 2_004],
  ])('stand in the same order when %s of them pass a condition', async (_, founded_from) => {
    const numberOf = (name: string): number => Number(name.split(' ')[1]);
    for (const text of ['shared', 'widely shared', 'widely']) {
      const all = await find(text, 0, RECORDS);
      const passing = all.names.filter((name) => yearOf(numberOf(name)) >= founded_from);
      expect(await find(text, 0, 10, { founded_from })).toEqual({ total: passing.length, names: passing.slice(0, 10) });
      expect((await find(text, 300, PAGE, { founded_from })).names).toEqual(passing.slice(300, 300 + PAGE));
    }
  });

  test('are counted exactly beside a rarer one', async () => {
    expect((await find('shared known', 0, PAGE)).total).toBe(RECORDS / 4);
    expect((await find('shared 77 widely', 0, PAGE)).names).toEqual(['Record 77']);
  });
});
