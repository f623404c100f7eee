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

/** Documents at a spacing, which are rare, common, or between, in one of the forms of a set. */
const spec = fc.record({
  spacing: fc.constantFrom(1, 2, 3, 7, 60, 200, 900, 8_000),
  start: fc.nat({ max: 8_000 }),
  form: fc.constantFrom('list', 'bitmap', 'uncounted bitmap'),
});
type Spec = typeof spec extends fc.Arbitrary<infer Value> ? Value : never;
const union = fc.oneof(
  { weight: 9, arbitrary: fc.array(spec, { minLength: 1, maxLength: 3 }) },
  fc.constant<Spec[]>([]),
);
const mostlyNone = <Value>(some: fc.Arbitrary<Value[]>): fc.Arbitrary<Value[]> =>
  fc.oneof({ weight: 2, arbitrary: fc.constant<Value[]>([]) }, some);
const expressions = fc.record({
  allOf: fc.array(union, { minLength: 1, maxLength: 4 }),
  orAnyOf: fc.array(spec, { maxLength: 2 }),
  noneOf: mostlyNone(fc.array(spec, { maxLength: 2 })),
  notAllOf: mostlyNone(fc.array(union, { maxLength: 3 })),
});

const hasIndex = ({ spacing, start }: Spec, index: number): boolean => (index - start) % spacing === 0;

function setOf(layout: Layout, all: readonly number[], one: Spec): DocIdSet {
  const docIds = all.filter((_, index) => hasIndex(one, index));
  if (one.form === 'list') return setOfDocIds(Uint32Array.from(docIds));
  const bits = new Uint32Array(layout.words);
  for (const docId of docIds) {
    const bit = bitOf(layout, docId);
    bits[bit >>> 5] |= 1 << (bit & 31);
  }
  return setOfBitmap(bits, one.form === 'bitmap' ? docIds.length : undefined);
}

test.each(LAYOUTS)('counts and pages of set expressions equal those of plain sets', (...steps) => {
  const layout = layoutOf(steps);
  const all = steps.flatMap((positions, step) => Array.from({ length: positions }, (_, at) => docIdOf(step, at)));
  const evaluator = createSetEvaluator();
  const sets = (specs: readonly Spec[]) => specs.map((one) => setOf(layout, all, one));
  const window = [fc.nat({ max: 40 }), fc.integer({ min: 1, max: 30 })] as const;
  fc.assert(
    fc.property(expressions, ...window, ({ allOf, orAnyOf, noneOf, notAllOf }, offset, limit) => {
      const isIn = (group: readonly Spec[], index: number): boolean => group.some((one) => hasIndex(one, index));
      const expected = all.filter(
        (_, index) =>
          (isIn(orAnyOf, index) || allOf.every((group) => isIn(group, index))) &&
          !isIn(noneOf, index) &&
          !(notAllOf.length > 0 && notAllOf.every((group) => isIn(group, index))),
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
