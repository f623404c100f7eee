import fc from 'fast-check';
import { expect, test } from 'vitest';
import { docIdOf } from '../../../src/store/search/matches.ts';
import { createSetEvaluator, type SetExpression } from '../../../src/store/sqlite/search/set-expression.ts';
import {
  bitOf,
  countCommon,
  type DocIdSet,
  type Layout,
  layoutOf,
  setOfBitmap,
  setOfDocIds,
} from '../../../src/store/sqlite/search/sets.ts';

/** Positions of each step: of some words, and of several blocks of an evaluation. */
const LAYOUTS = [
  [40, 0, 200, 33],
  [40, 0, 17_000, 33, 9_000],
];

type Given = { readonly docIds: ReadonlySet<number>; readonly set: DocIdSet };

function expressionsOf(layout: Layout, all: readonly number[]) {
  /** Documents at a spacing, which is rare, common, or between. */
  const members = fc
    .record({ spacing: fc.constantFrom(1, 2, 3, 7, 60, 200, 900, 8_000), start: fc.nat({ max: 8_000 }) })
    .map(({ spacing, start }) => all.filter((_, index) => (index - start) % spacing === 0));
  const bitmapOf = (docIds: readonly number[], isCounted: boolean): DocIdSet => {
    const bits = new Uint32Array(layout.words);
    for (const docId of docIds) {
      const bit = bitOf(layout, docId);
      bits[bit >>> 5] |= 1 << (bit & 31);
    }
    return setOfBitmap(bits, isCounted ? docIds.length : undefined);
  };
  const set = fc
    .record({ docIds: members, form: fc.constantFrom('list', 'bitmap', 'uncounted bitmap') })
    .map(({ docIds, form }) => ({
      docIds: new Set(docIds),
      set: form === 'list' ? setOfDocIds(Uint32Array.from(docIds)) : bitmapOf(docIds, form === 'bitmap'),
    }));
  const union = fc.oneof(
    { weight: 9, arbitrary: fc.array(set, { minLength: 1, maxLength: 3 }) },
    fc.constant<Given[]>([]),
  );
  const mostlyNone = <Value>(some: fc.Arbitrary<Value[]>): fc.Arbitrary<Value[]> =>
    fc.oneof({ weight: 2, arbitrary: fc.constant<Value[]>([]) }, some);
  return fc.record({
    allOf: fc.array(union, { minLength: 1, maxLength: 4 }),
    orAnyOf: fc.array(set, { maxLength: 2 }),
    noneOf: mostlyNone(fc.array(set, { maxLength: 2 })),
    notAllOf: mostlyNone(fc.array(union, { maxLength: 3 })),
  });
}

test.each(LAYOUTS)('counts and pages of set expressions equal those of plain sets', (...steps) => {
  const layout = layoutOf(steps);
  const all = steps.flatMap((positions, step) => Array.from({ length: positions }, (_, at) => docIdOf(step, at)));
  const evaluator = createSetEvaluator();
  const sets = (given: readonly Given[]) => given.map((one) => one.set);
  const window = [fc.nat({ max: 40 }), fc.integer({ min: 1, max: 30 })] as const;
  fc.assert(
    fc.property(expressionsOf(layout, all), ...window, (given, offset, limit) => {
      const { allOf, orAnyOf, noneOf, notAllOf } = given;
      const isIn = (group: readonly Given[], docId: number): boolean => group.some(({ docIds }) => docIds.has(docId));
      const expected = all.filter(
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
      const { total, docIds } = evaluator.find(expression, layout, isListed ? expected.length : 512);
      expect(total).toBe(expected.length);
      if (isListed) expect([...(docIds ?? [])]).toEqual(expected);
      const page = evaluator.pick(expression, layout, { offset, limit });
      expect([...page.docIds]).toEqual(expected.slice(offset, offset + limit));
    }),
    { numRuns: all.length > 1_000 ? 100 : 5_000 },
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
