import { expect, test } from 'vitest';
import { pickFilters } from '../../src/contract/filters.ts';
import { amongGrants, searchSample, unsourcedSentence } from '../../src/contract/sample-notes.ts';

const covered = (known: number, unsourced: number) => ({
  ...{ records: known, known, unknown: 0, from: null, to: null },
  unsourced: { records: unsourced },
});

test.each([
  ['companies', 1, 1, 'funding of the 1 company'],
  ['companies', 3, 3, 'funding of all 3 companies'],
  ['companies', 2_400, 1_200, 'funding of 1,200 of the 2,400 companies'],
  ['rounds', 1, 1, 'the 1 round'],
  ['rounds', 2_400, 1_200, '1,200 of the 2,400 rounds'],
] as const)('of %s, %i known and %i unsourced, the editors state %s', (of, known, unsourced, text) => {
  expect(unsourcedSentence(covered(known, unsourced), of)).toBe(
    `Only the editors of the data set state ${text}, without a page`,
  );
});

test('one grant is said to be one', () => {
  expect([0, 1, 5_295].map(amongGrants)).toEqual(['', ', 1 of them a grant', ', 5,295 of them grants']);
});

test('filters of companies by their rounds are said to be of several rounds, but in a period', () => {
  const said = (type: 'companies' | 'rounds', given: Record<string, unknown>) =>
    searchSample({}, { type, ...pickFilters(given) }).filter((line) => line.includes('different rounds'));
  const stage = { funding_stage: 'seed' };
  expect(said('companies', { investor: 'Acme', led: true, ...stage })).toEqual([
    'funding_stage, investor and led may be of different rounds of a company; search rounds for those of one.',
  ]);
  expect(said('companies', { investor: 'Acme', ...stage, from: '2022-01-01' })).toEqual([]);
  expect(said('companies', stage)).toEqual([]);
  expect(said('companies', { investor: 'Acme', led: true })).toEqual([]);
  expect(said('rounds', { investor: 'Acme', ...stage })).toEqual([]);
});
