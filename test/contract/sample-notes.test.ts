import { expect, test } from 'vitest';
import { amongGrants, unsourcedSentence } from '../../src/contract/sample-notes.ts';

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
