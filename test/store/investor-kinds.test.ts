import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Filters, parseChoice } from '../../src/contract/filters.ts';
import { openStore } from '../../src/store/open.ts';
import type { AggregateRequest } from '../../src/store/port/analytics.ts';
import { OPERATOR } from '../../src/store/port/audit.ts';
import type { Store } from '../../src/store/store.ts';
import { aCompany, anInvestor, aPerson, aRound } from '../support/builders.ts';
import { engine } from '../support/databases.ts';

let store: Store;
beforeEach(async () => {
  store = await openStore((await engine.newDatabase()).url);
  await store.records.putAll([
    anInvestor({ name: 'Vera', investor_type: 'venture_capital', ...inCountry('Germany') }),
    anInvestor({ name: 'Vito', investor_type: 'venture_capital', ...inCountry('France') }),
    anInvestor({ name: 'Hedda', investor_type: 'hedge_fund', ...inCountry('France') }),
    anInvestor({ name: 'Unsorted' }),
    aPerson({ name: 'Ann Angel' }),
    // Of the name of a venture capital firm, but no investor.
    aCompany({ name: 'Corpora' }),
    round('led', { lead_investors: ['Vera'], investors: ['Hedda', 'Nobody Known'], amount_usd: '5.00' }),
    round('joined', { lead_investors: ['Hedda'], investors: ['Vera', 'Vito'], amount_usd: '7.00' }),
    round('only-joined', { investors: ['Vito', 'Unsorted'], stage: 'grant' }),
    round('hedged', { lead_investors: ['Hedda'], announced_date: '2021-01-01' }),
    round('of-others', { lead_investors: ['Unsorted'], investors: ['Ann Angel', 'Corpora', 'Nobody Known'] }),
    round('unknown', {}),
  ]);
});
afterEach(() => store.close());

const inCountry = (country: string) => ({ location_json: { city: null, country } });

const round = (name: string, more: object) => aRound({ name, slug: name, announced_date: '2024-02-03', ...more });

const filtersOf = (kind: string, more: Filters = {}): Filters => ({
  investor_type: parseChoice('investor_type', kind),
  ...more,
});

async function found(kind: string, more: Filters = {}): Promise<readonly unknown[]> {
  const window = { offset: 0, limit: 20 };
  const filters = filtersOf(kind, more);
  const { results, unknown } = await store.records.search({ types: ['rounds'], text: '', filters, window });
  const slugs = results.map((json) => JSON.parse(String(json)).slug as string).sort();
  return [slugs.join(' '), unknown?.investor_type];
}

describe('rounds by the kind of their investors', () => {
  test.each([
    ['venture_capital', 'joined led only-joined', 1],
    ['VC|Hedge Fund', 'hedged joined led only-joined', 1],
    ['all:venture_capital|hedge_fund', 'joined led', 1],
    ['not:venture_capital', 'hedged of-others', 1],
    ['except:venture_capital', 'hedged of-others unknown', undefined],
    ['venture_capital|not:hedge_fund', 'only-joined', 1],
    ['dao', '', 1],
  ])('%s are %s, and %s of unknown investors is left out', async (kind, slugs, unknown) =>
    expect(await found(kind)).toEqual([slugs, unknown]),
  );

  test.each([
    ['venture_capital', 'led', 2],
    ['all:venture_capital|hedge_fund', '', 2],
    ['not:venture_capital', 'hedged joined of-others', 2],
    ['hedge_fund|not:venture_capital', 'hedged joined', 2],
  ])('led by %s are %s', async (kind, slugs, unknown) =>
    expect(await found(kind, { led: true })).toEqual([slugs, unknown]),
  );

  test('are restricted by other filters as well', async () => {
    const investor = parseChoice('investor', 'Hedda');
    expect(await found('venture_capital', { investor })).toEqual(['joined led', undefined]);
    expect(await found('hedge_fund', { investor, led: true })).toEqual(['hedged joined', undefined]);
    expect(await found('hedge_fund', { from: '2024-01-01' })).toEqual(['joined led', 1]);
    expect(await found('venture_capital', { led: false })).toEqual(['only-joined', 1]);
  });

  test('follow an investor whose kind changes or that is deleted, and a round that is', async () => {
    const change = { type: 'investors', author: OPERATOR } as const;
    await store.records.change({ ...change, action: 'merge', target: 'vito', input: { investor_type: 'angel' } });
    expect(await found('venture_capital')).toEqual(['joined led', 1]);
    await store.records.change({ ...change, action: 'delete', target: 'vera' });
    expect(await found('venture_capital')).toEqual(['', 1]);
    await store.records.change({ ...change, action: 'delete', type: 'rounds', target: 'hedged' });
    expect(await found('hedge_fund')).toEqual(['joined led', 1]);
  });

  test.each([
    ['Germany', 'joined led'],
    ['Europe', 'hedged joined led only-joined'],
    ['all:Germany|France', 'joined led'],
    ['not:FR', 'of-others'],
  ])('in %s are %s', async (place, slugs) => {
    const filters = { investor_country: parseChoice('investor_country', place) };
    const { results } = await store.records.search({
      types: ['rounds'],
      text: '',
      filters,
      window: { offset: 0, limit: 9 },
    });
    expect(
      results
        .map((json) => JSON.parse(String(json)).slug)
        .sort()
        .join(' '),
    ).toBe(slugs);
  });

  test('in a country are those of one investor that is of the kind and there', async () => {
    const investor_country = parseChoice('investor_country', 'France');
    expect(await found('venture_capital', { investor_country })).toEqual(['joined only-joined', 1]);
    expect(await found('venture_capital', { investor_country, led: true })).toEqual(['', 2]);
    expect(await found('hedge_fund', { investor_country, led: true })).toEqual(['hedged joined', 2]);
    expect(await found('not:hedge_fund', { investor_country })).toEqual(['only-joined', 1]);
  });

  test('of a kind that does not exist are refused with the kinds that do', async () => {
    await expect(found('venture_capitol')).rejects.toThrow(
      'investor_type: no record has this value; the nearest are venture_capital',
    );
  });
});

describe('an aggregate of rounds by investor', () => {
  const ask = (groups: readonly string[], kind: string, more: Partial<AggregateRequest> = {}) =>
    store.records.aggregate({
      of: 'rounds',
      groups,
      measures: ['count'],
      order: { by: 'measure', column: 0, isDescending: true },
      top: 10,
      filters: filtersOf(kind),
      ...more,
    });
  const named = ({ rows }: Awaited<ReturnType<typeof ask>>) =>
    rows.map((row) => row.map((cell) => (typeof cell === 'object' ? cell?.name : cell)).join(' '));

  test('counts and shows investors of the kinds alone, and covers their rounds', async () => {
    const data = await ask(['investor'], 'venture_capital');
    expect([named(data), data.groups]).toEqual([['Vera 2', 'Vito 2'], 2]);
    expect(data.covered).toMatchObject({
      records: 3,
      known: 3,
      unknown: 0,
      overlapping: 1,
      left_out: { investor_type: 1 },
    });
    expect(data.covered.grants_by_row).toEqual([0, 1]);
    const both = await ask(['investor'], 'all:venture_capital|hedge_fund');
    expect(named(both)).toEqual(['Vera 2', 'Hedda 2', 'Vito 1']);
  });

  test('shows those first that are shown, and counts the others', async () => {
    const { rows, groups } = await ask(['investor'], 'venture_capital', { top: 1 });
    expect([rows.length, groups]).toEqual([1, 2]);
  });

  test('by lead investor is of rounds that such an investor led', async () => {
    const data = await ask(['lead_investor'], 'venture_capital');
    expect([named(data), data.groups]).toEqual([['Vera 1'], 1]);
    expect(data.covered).toMatchObject({ records: 1, known: 1, unknown: 0, left_out: { investor_type: 2 } });
    expect(named(await ask(['lead_investor'], 'hedge_fund'))).toEqual(['Hedda 2']);
    expect(named(await ask(['year', 'lead_investor'], 'hedge_fund'))).toEqual(['2021 Hedda 1', '2024 Hedda 1']);
  });

  test('of a kind and a country shows those that are both', async () => {
    const investor_country = parseChoice('investor_country', 'France');
    const filters = { ...filtersOf('venture_capital'), investor_country };
    expect(named(await ask(['investor'], 'dao', { filters }))).toEqual(['Vito 2']);
    expect(named(await ask(['investor'], 'dao', { filters: { investor_country } }))).toEqual(['Hedda 3', 'Vito 2']);
  });

  test('leaves out what is excluded, and no group of the rounds that remain', async () => {
    expect(named(await ask(['investor'], 'not:venture_capital|hedge_fund')).sort()).toEqual([
      'Ann Angel 1',
      'Corpora 1',
      'Nobody Known 1',
      'Unsorted 1',
    ]);
  });

  test('sums the rounds of these investors, and ranks their amounts', async () => {
    const data = await ask(['investor'], 'hedge_fund', { measures: ['sum', 'median', 'count'] });
    expect(data.rows.map(([, ...figures]) => figures)).toEqual([['12.00', '6.00', 3]]);
    expect(data.covered).toMatchObject({ sum: '12.00', known_by_row: [2] });
  });

  test('counts other groups of the rounds as they are', async () => {
    expect(named(await ask(['year'], 'hedge_fund'))).toEqual(['2024 2', '2021 1']);
    expect(named(await ask(['year'], 'hedge_fund', { filters: {} }))).toEqual(['2024 5', '2021 1']);
    expect((await ask(['investor'], 'hedge_fund', { filters: {} })).groups).toBe(8);
  });
});
