import { expect, test } from 'vitest';
import { filterTexts } from '../../src/contract/filter-words.ts';

const textsOf = (given: Readonly<Record<string, unknown>>) => filterTexts(given).map(({ text }) => text);

test('two bounds of one year are one filter in words, which both of them are taken out with', () => {
  expect(filterTexts({ status: 'closed', status_from: '2022', status_to: '2022-12-31' })).toEqual([
    { text: 'Status Closed', names: ['status'] },
    { text: 'Acquired or closed in 2022', names: ['status_from', 'status_to'] },
  ]);
  expect(textsOf({ founded_from: 2020, founded_to: 2020 })).toEqual(['Founded in 2020']);
});

test('bounds of another period are two', () => {
  expect(textsOf({ status_from: '2022-06', status_to: '2022-12-31' })).toHaveLength(2);
  expect(textsOf({ founded_from: 2019, founded_to: 2020 })).toHaveLength(2);
  expect(textsOf({ status_from: '2022' })).toEqual(['Status date ≥ 2022']);
});

test('where investors are is told from where companies are', () => {
  expect(textsOf({ country: 'Germany', investor_country: 'eu' })).toEqual([
    'Country Germany',
    'Investor region European Union',
  ]);
});
