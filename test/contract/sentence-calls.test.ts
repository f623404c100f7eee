import { expect, test } from 'vitest';
import type { AggregateData } from '../../src/contract/aggregate.ts';
import { parametersOfAsked, withGroupsAsked } from '../../src/contract/groups-asked.ts';
import { aggregateSample, searchSample } from '../../src/contract/sample-notes.ts';
import { aggregateAskedFor, fieldAskedFor, leftOutWords, unstatedText } from '../../src/contract/sentence-calls.ts';

const RANKED = { type: 'investors', group_by: ['investor'], sort: '-investments_count' } as const;

test('an order of investors in a period is an aggregate of rounds in it', () => {
  const period = { from: '2024-01-01', to: '2024-12-31' };
  expect(aggregateAskedFor({ ...RANKED, filters: { funding_stage: 'seed' }, period })).toEqual({
    of: 'rounds',
    group_by: ['investor'],
    measure: undefined,
    filters: { funding_stage: 'seed', ...period },
  });
});

test('filters of investors that mean something else of rounds make it none', () => {
  expect(aggregateAskedFor({ ...RANKED, filters: { city: 'Berlin' } })).toBeUndefined();
});

test('investors of a country are those of rounds, which a filter of its own finds', () => {
  const asked = aggregateAskedFor({ ...RANKED, filters: { country: 'Germany', investor_type: 'dao' } });
  expect(asked?.filters).toMatchObject({ investor_country: 'Germany', investor_type: 'dao' });
  expect(asked?.filters).not.toHaveProperty('country');
});

test.each(['how much', 'total', 'wieviel', 'combien'])('%s asks for a sum', (words) => {
  const asked = aggregateAskedFor({ type: 'rounds', filters: { from: '2024-01-01' }, ignored: words.split(' ') });
  expect(asked).toMatchObject({ measure: 'sum', group_by: ['year'] });
});

test.each(['median', 'médiane des levées', 'montant médian', 'mediana', '中位数'])('%s asks for a median', (words) => {
  expect(aggregateAskedFor({ type: 'rounds', ignored: words.split(' ') })).toMatchObject({ measure: 'median' });
});

test('an average or median of a stage is one figure, where sums are by year', () => {
  const groupFor = (word: string, filters: object) =>
    aggregateAskedFor({ type: 'rounds', filters: { funding_stage: 'seed', ...filters }, ignored: [word] })?.group_by;
  expect([groupFor('median', {}), groupFor('average', { from: '2020-01-01' }), groupFor('total', {})]).toEqual([
    ['stage'],
    ['stage'],
    ['year'],
  ]);
  expect(groupFor('average', { from: '2022-01-01', to: '2022-12-31' })).toEqual(['year']);
  expect(groupFor('average', { funding_stage: 'seed|series_a' })).toEqual(['year']);
});

test('what one company raised is one sum', () => {
  const asked = aggregateAskedFor({ type: 'rounds', filters: { company: 'Acme' }, ignored: ['how', 'much'] });
  expect(asked).toMatchObject({ measure: 'sum', group_by: ['company'] });
});

test.each(['by year', 'over time', 'yearly', 'pro Quartal', 'por país'])(
  '%s is read, where totals are by it',
  (words) => {
    expect(leftOutWords({ type: 'rounds', group_by: ['year'], ignored: words.split(' ') })).toEqual([]);
  },
);

test('a named record answers what it raised, whose words are not left out', () => {
  const read = { text: 'Acme', filters: {}, ignored: ['how', 'much', 'funding'] };
  expect([fieldAskedFor(read), leftOutWords(read)]).toEqual(['total_funding_usd', []]);
  expect(fieldAskedFor({ ...read, unstated: ['revenue'] })).toBeUndefined();
  expect(fieldAskedFor({ ...read, ignored: ['average'] })).toBeUndefined();
});

test('an amount and a period together are not of what companies raised in it, which is said', () => {
  const filters = { funding_min: 1, from: '2024-01-01' };
  const of = (type: 'companies' | 'rounds', given: object) => searchSample({}, { type, ...given }).join();
  expect(of('companies', filters)).toMatch(
    /^The funding of companies is of all years; .* rounds with the same filters\.$/,
  );
  expect(of('companies', { funding_min: 1 })).toBe('');
  expect(of('rounds', filters)).toBe('');
});

test('of compared investors, only their own groups answer, and none without one of them unless all are of the other', () => {
  const row = (name: string, rounds: number): AggregateData['rows'][number] => [
    { type: 'investors', slug: name.toLowerCase(), name },
    rounds,
  ];
  const data = {
    columns: ['investor', 'count'],
    rows: [row('Other', 9), row('Acme', 5), row('Bolt', 4)],
    groups: 3,
    covered: { records: 9, known: 9, unknown: 0, from: '2024-01-01', to: '2024-12-31' },
  };
  const asked = { group_by: ['investor'], filters: { investor: 'Acme|Bolt' }, isComparison: true } as const;
  expect(withGroupsAsked(data, asked)).toMatchObject({ rows: [row('Acme', 5), row('Bolt', 4)], groups: 2 });
  const lacking = { ...asked, filters: { investor: 'Acme|Nobody' } };
  expect(withGroupsAsked(data, lacking)).toBeUndefined();
  const ofOne = { ...data, covered: { ...data.covered, records: 5 } };
  expect(withGroupsAsked(ofOne, lacking)).toMatchObject({ rows: [row('Acme', 5)], groups: 1 });
  expect(withGroupsAsked(data, { ...asked, isComparison: undefined })?.rows).toEqual([row('Other', 9)]);
});

test('of compared periods, only their groups are counted and summed', () => {
  const row = (label: string, count: number) => [label, `${count}000000.00`, count];
  const data = {
    columns: ['quarter', 'sum_amount_usd', 'count'],
    rows: [row('2024-Q1', 3), row('2023-Q4', 4), row('2023-Q1', 2)],
    groups: 3,
    covered: {
      ...{ records: 9, known: 7, unknown: 2, sum: '9000000.00', from: '2023-01-02', to: '2024-03-01' },
      ...{
        known_by_row: [2, 4, 1],
        unsourced: { records: 3, sum: '5.00' },
        unsourced_by_row: ['1.00', '4.00', '0.00'],
      },
    },
  };
  const periods = ['2023', '2024'].map((year) => ({ from: `${year}-01-01`, to: `${year}-03-31` }));
  const asked = { group_by: ['quarter'], filters: {}, periods };
  expect(withGroupsAsked(data, asked)).toMatchObject({
    rows: [row('2024-Q1', 3), row('2023-Q1', 2)],
    groups: 2,
    covered: { records: 5, known: 3, unknown: 2, sum: '5000000.00', unsourced: { sum: '1.00' } },
  });
  const days = [{ from: '2024-02-01', to: '2024-02-09' }];
  expect(withGroupsAsked(data, { ...asked, periods: days })).toBeUndefined();
});

test('compared groups overlap by the records that they share, not by those of other groups', () => {
  const covered = { records: 9, known: 9, unknown: 0, from: null, to: null, overlapping: 8 };
  const data = {
    columns: ['tag', 'count'],
    rows: [
      ['DEX', 6],
      ['Other', 8],
      ['NFT', 3],
      ['DAO', 1],
    ],
    groups: 4,
    covered,
  };
  const overlap = (tag: string, records: number) =>
    withGroupsAsked({ ...data, covered: { ...covered, records } } as AggregateData, {
      group_by: ['tag'],
      filters: { tag },
      isComparison: true,
    })?.covered.overlapping;
  expect([overlap('DEX|NFT', 9), overlap('DEX|NFT', 7), overlap('DEX|NFT|DAO', 8)]).toEqual([undefined, 2, undefined]);
});

test('months of a year are shown, whatever page was asked for', () => {
  const rows = Array.from({ length: 25 }, (_, month): AggregateData['rows'][number] => [`month ${month}`, month]);
  const covered = { records: 9, known: 9, unknown: 0, from: '2024-01-01', to: '2026-01-31' };
  const data = { columns: ['month', 'count'], rows, groups: 25, covered };
  const shown = (order?: 'largest') => {
    const asked = {
      of: 'rounds',
      group_by: ['month'],
      measure: undefined,
      filters: {},
      ...(order && { order }),
    } as const;
    return [parametersOfAsked(asked, 10), withGroupsAsked(data, asked, 10)?.rows.length];
  };
  expect(shown()).toMatchObject([{ top: 20, order: '-month' }, 20]);
  expect(shown('largest')).toMatchObject([{ top: 20, order: 'largest' }, 20]);
});

test('of the ignored words, those of the figures that are asked for are not left out', () => {
  const ignored = ['total', 'funding', 'of', 'by year', 'DePIN'];
  expect(leftOutWords({ type: 'companies', group_by: ['year'], filters: { country: 'Iceland' }, ignored })).toEqual([
    'DePIN',
  ]);
  expect(leftOutWords({ type: 'companies', ignored: ['number', 'of', 'odd', 'DePIN'] })).toEqual(['odd', 'DePIN']);
});

test('the word that compares named records is not left out', () => {
  expect(leftOutWords({ type: 'investors', text: 'a16z Paradigm', ignored: ['vs', 'audited'] })).toEqual(['audited']);
});

test('says how to find the people of companies that are described', () => {
  expect(unstatedText(['gaming companies'])).toMatch(/"gaming companies"\. Search these first/);
  expect(unstatedText(['without companies'])).toMatch(/"without companies"\.$/);
});

test('companies by investor say that givers of grants count, by stage that it is the latest, and no other groups say anything', () => {
  const covered = { records: 9, known: 9, unknown: 0, from: null, to: null };
  const notes = (group: string): string[] =>
    aggregateSample({ covered }, { of: 'companies', group_by: [group], measure: ['count'], top: 20 });
  expect(notes('investor').join()).toContain('Givers of grants count');
  expect(notes('tag')).toEqual([]);
  expect(notes('funding_stage')).toEqual([expect.stringMatching(/by latest stage; .+ ever raised it/)]);
});
