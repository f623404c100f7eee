import fc from 'fast-check';
import { expect, test } from 'vitest';
import { docIdOf } from '../../../src/store/search/matches.ts';
import { createSetEvaluator, type SetExpression } from '../../../src/store/sqlite/search/set-expression.ts';
import {
  bitOf,
  countCommon,
  type DocIdSet,
  layoutOf,
  setOfBitmap,
  setOfDocIds,
} from '../../../src/store/sqlite/search/sets.ts';

/** Positions of each step; together several blocks of an evaluation. */
const STEPS = [40, 0, 17_000, 33, 9_000];
const LAYOUT = layoutOf(STEPS);
const ALL = STEPS.flatMap((positions, step) =>
  Array.from({ length: positions }, (_, position) => docIdOf(step, position)),
);

/** Documents at a spacing, which is rare, common, or between. */
const members = fc
  .record({ spacing: fc.constantFrom(1, 2, 3, 7, 60, 900, 8_000), start: fc.nat({ max: 8_000 }) })
  .map(({ spacing, start }) => ALL.filter((_, index) => index >= start % spacing && (index - start) % spacing === 0));

function bitmapOf(docIds: readonly number[], isCounted: boolean): DocIdSet {
  const bits = new Uint32Array(LAYOUT.words);
  for (const docId of docIds) {
    const bit = bitOf(LAYOUT, docId);
    bits[bit >>> 5] |= 1 << (bit & 31);
  }
  return setOfBitmap(bits, isCounted ? docIds.length : undefined);
}

/** A set in any form. */
const set = fc
  .record({ docIds: members, form: fc.constantFrom('list', 'bitmap', 'uncounted bitmap') })
  .map(({ docIds, form }) => ({
    docIds: new Set(docIds),
    set: form === 'list' ? setOfDocIds(Uint32Array.from(docIds)) : bitmapOf(docIds, form === 'bitmap'),
  }));
type Given = { readonly docIds: ReadonlySet<number>; readonly set: DocIdSet };

const union = fc.oneof(
  { weight: 9, arbitrary: fc.array(set, { minLength: 1, maxLength: 3 }) },
  fc.constant<Given[]>([]),
);
const mostlyNone = <Value>(some: fc.Arbitrary<Value[]>): fc.Arbitrary<Value[]> =>
  fc.oneof({ weight: 2, arbitrary: fc.constant<Value[]>([]) }, some);
const expressions = fc.record({
  allOf: fc.array(union, { minLength: 1, maxLength: 4 }),
  orAnyOf: fc.array(set, { maxLength: 2 }),
  noneOf: mostlyNone(fc.array(set, { maxLength: 2 })),
  notAllOf: mostlyNone(fc.array(union, { maxLength: 3 })),
});

test('counts and pages of set expressions equal those of plain sets', () => {
  const evaluator = createSetEvaluator();
  const sets = (given: readonly Given[]) => given.map((one) => one.set);
  fc.assert(
    fc.property(expressions, fc.nat({ max: 40 }), fc.integer({ min: 1, max: 30 }), (given, offset, limit) => {
      const { allOf, orAnyOf, noneOf, notAllOf } = given;
      const isIn = (group: readonly Given[], docId: number): boolean => group.some(({ docIds }) => docIds.has(docId));
      const expected = ALL.filter(
        (docId) =>
          (isIn(orAnyOf, docId) || allOf.every((group) => isIn(group, docId))) &&
          !isIn(noneOf, docId) &&
          !(notAllOf.length > 0 && notAllOf.every((group) => isIn(group, docId))),
      );
      const expression: SetExpression = {
        allOf: allOf.map(sets),
        orAnyOf: sets(orAnyOf),
        noneOf: sets(noneOf),
        notAllOf: notAllOf.map(sets),
      };
      const isListed = expected.length <= 2_000;
      const { total, docIds } = evaluator.find(expression, LAYOUT, isListed ? expected.length : 512);
      expect(total).toBe(expected.length);
      if (isListed) expect([...(docIds ?? [])]).toEqual(expected);
      const page = evaluator.pick(expression, LAYOUT, { offset, limit });
      expect([...page.docIds]).toEqual(expected.slice(offset, offset + limit));
    }),
    { numRuns: 150 },
  );
});

test('bits that are in all of one to three bitmaps are counted, in words at the end as well', () => {
  const words = fc.array(fc.integer(), { maxLength: 41 });
  fc.assert(
    fc.property(fc.tuple(words, words, words), fc.integer({ min: 1, max: 3 }), (given, count) => {
      const length = Math.max(...given.map((each) => each.length));
      const bitmaps = given
        .slice(0, count)
        .map((each) => Uint32Array.from({ length }, (_, index) => each[index] ?? -1));
      const common = Array.from({ length }, (_, index) => bitmaps.reduce((left, bits) => left & bits[index], -1) >>> 0);
      const ones = common.map((word) => word.toString(2).replaceAll('0', '').length);
      expect(countCommon(bitmaps)).toBe(ones.reduce((sum, one) => sum + one, 0));
    }),
  );
});
