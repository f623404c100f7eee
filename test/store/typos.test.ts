import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editDistancesTo } from '../../src/store/search/typos.ts';

/** Typos between two words by the definition, letter by letter from their ends. */
function distance(one: string, other: string): number {
  if (one === '' || other === '') return one.length + other.length;
  const [oneStart, otherStart] = [one.slice(0, -1), other.slice(0, -1)];
  const replaced = distance(oneStart, otherStart) + (one.at(-1) === other.at(-1) ? 0 : 1);
  const isSwapped = one.length > 1 && one.at(-1) === other.at(-2) && one.at(-2) === other.at(-1);
  const swapped = isSwapped ? distance(one.slice(0, -2), other.slice(0, -2)) + 1 : Infinity;
  return Math.min(replaced, swapped, distance(oneStart, other) + 1, distance(one, otherStart) + 1);
}

const within = (typos: number, most: number): number => (typos <= most ? typos : Infinity);

test('words are as far apart as letters are added, dropped, changed or swapped, up to a maximum', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(word, fc.array(word, { minLength: 1, maxLength: 4 }), fc.constantFrom(1, 2), (typed, words, most) => {
      const distances = editDistancesTo(typed, most);
      for (const other of words) {
        const beginnings = Array.from({ length: other.length + 1 }, (_, length) =>
          distance(typed, other.slice(0, length)),
        );
        expect([typed, other, distances(other)]).toEqual([
          typed,
          other,
          { whole: within(distance(typed, other), most), beginning: within(Math.min(...beginnings), most) },
        ]);
      }
    }),
    { numRuns: 150 },
  );
});
