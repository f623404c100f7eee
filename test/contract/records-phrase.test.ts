import { expect, test } from 'vitest';
import { filtersText } from '../../src/contract/filter-words.ts';
import { countedRecords, recordsPhrase } from '../../src/contract/records-phrase.ts';

test.each([
  ['companies', { rounds_min: 1, rounds_max: 1 }, '3 companies with exactly 1 round'],
  ['companies', { rounds_max: 1 }, '3 companies with at most 1 round'],
  ['companies', { rounds_min: 2, rounds_max: 2 }, '3 companies with exactly 2 rounds'],
  ['investors', { led_min: 1, led_max: 1 }, '3 investors with exactly 1 round led'],
  ['people', { investments_min: 1 }, '3 people with 1 or more angel rounds'],
  ['people', { event: 'Devcon 6' }, '3 people who spoke at Devcon 6'],
  ['rounds', { investor_type: 'vc|hedge_fund' }, '3 rounds with venture capital firms or hedge funds'],
  ['rounds', { investor_country: 'US' }, '3 rounds with investors in the United States'],
  ['rounds', { investor_type: 'dao', investor_country: 'eu', led: true }, '3 rounds led by DAOs in the European Union'],
  ['rounds', { investor_type: 'exchange_arm', led: true, tag: 'DeFi' }, '3 rounds in DeFi led by exchange arms'],
  ['rounds', { country: 'European' }, '3 rounds in Europe'],
  ['rounds', { country: 'Unión Europea' }, '3 rounds in the European Union'],
  ['companies', { country: 'Naher Osten' }, '3 companies in the Middle East'],
] as const)('%s with %j are %s', (of, filters, text) => {
  const phrase = recordsPhrase(of, filters);
  expect([countedRecords(3, of, phrase), phrase.scope]).toEqual([text, '']);
});

test('investors of kinds that are left out have no words of their own', () => {
  const { after, scope } = recordsPhrase('rounds', { investor_type: 'not:dao', led: false });
  expect([after, scope]).toEqual(['', ' (investor type not DAO, no known lead)']);
});

test('a region has its English name, in whatever words it was asked for', () => {
  expect(filtersText({ country: 'Europäische Union|Asien' })).toEqual(['region European Union or Asia']);
});
