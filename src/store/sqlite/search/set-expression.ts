import {
  countBits,
  countCommon,
  countWord,
  type DocIdSet,
  docIdAt,
  hasBit,
  intersectUnion,
  isWorthBitmap,
  type Layout,
  lowerBound,
  setOfDocIds,
  sizeOf,
  union,
  wordOf,
} from './sets.ts';

/**
 * A Boolean expression over sets of documents: `((allOf[0] AND allOf[1] ...) OR orAnyOf) AND NOT noneOf AND NOT (notAllOf[0] AND
 * notAllOf[1] ...)`. Each list of sets is the union of its sets.
 */
export interface SetExpression {
  allOf: readonly (readonly DocIdSet[])[];
  orAnyOf: readonly DocIdSet[];
  noneOf: readonly DocIdSet[];
  notAllOf: readonly (readonly DocIdSet[])[];
}

/** Document ids of one page, ascending. */
export interface ResultWindow {
  docIds: Uint32Array;
  seen: number;
}

interface FoundDocuments {
  readonly total: number;
  /** Ascending. */
  readonly docIds: Uint32Array | undefined;
}

/** Evaluates set expressions block by block, so that a page costs only the blocks it needs, without copies. */
export interface SetEvaluator {
  /** The number of documents, and the documents as a list if they are at most `listedMax`, or were listed to be counted. */
  find(expression: SetExpression, layout: Layout, listedMax: number): FoundDocuments;
  /** Document ids from `offset` on, at most `limit`. */
  pick(expression: SetExpression, layout: Layout, window: { offset: number; limit: number }): ResultWindow;
}

/** Block size in 32-bit words, chosen for the L1 cache. */
const BLOCK_WORDS = 512;
const WORD_BITS = 32;

/** Position in a set during block iteration. */
interface Cursor {
  set: DocIdSet;
  /** Index of the next document id; unused for bitmaps. */
  next: number;
}

export function createSetEvaluator(): SetEvaluator {
  const buffers = {
    block: new Uint32Array(BLOCK_WORDS),
    group: new Uint32Array(BLOCK_WORDS),
    excluded: new Uint32Array(BLOCK_WORDS),
  };
  const pick: SetEvaluator['pick'] = (expression, layout, { offset, limit }) => {
    const shortest = shortestGroup(expression, layout);
    if (shortest) {
      const docIds = pickInParts(shortest, expression, { layout, limit: offset + limit });
      return { docIds: docIds.subarray(offset), seen: docIds.length };
    }
    const picked = new Uint32Array(Math.min(limit, layout.words * WORD_BITS));
    const state: PickState = { layout, offset, seen: 0, length: 0 };
    for (const block of blocksOf(expression, layout, buffers)) {
      pickFromBlock(block, picked, state);
      if (state.length === limit) break;
    }
    return { docIds: picked.subarray(0, state.length), seen: state.seen };
  };
  return {
    find(expression, layout, listedMax) {
      const counted = countBitmaps(expression, layout);
      if (counted !== undefined) {
        const isListed = counted <= listedMax;
        return {
          total: counted,
          docIds: isListed ? pick(expression, layout, { offset: 0, limit: counted }).docIds : undefined,
        };
      }
      const shortest = shortestGroup(expression, layout);
      if (shortest) {
        const some = intersectGroups(shortest, shortest.set, layout);
        const docIds = pickFromList(some, expression, { layout, limit: some.length });
        return { total: docIds.length, docIds };
      }
      const listed = new Uint32Array(listedMax);
      const state: PickState = { layout, offset: 0, seen: 0, length: 0 };
      let total = 0;
      for (const block of blocksOf(expression, layout, buffers)) {
        total += countBits(block.block);
        if (total <= listedMax) pickFromBlock(block, listed, state);
      }
      return { total, docIds: total > listedMax ? undefined : listed.subarray(0, total) };
    },
    pick,
  };
}

/** Groups that are counted in one pass. */
const COUNTED_MAX = 3;
const isBitmap = ({ bits }: DocIdSet): boolean => bits !== undefined;

/** Fast count if every group has a bitmap, and the other sets list few documents. */
function countBitmaps({ allOf, orAnyOf, noneOf, notAllOf }: SetExpression, layout: Layout): number | undefined {
  if (allOf.length === 0 || allOf.length > COUNTED_MAX || noneOf.length > 0 || notAllOf.length > 0) return undefined;
  const [groups, others] = allOf.length === 1 ? [[[...allOf[0], ...orAnyOf]], []] : [allOf, orAnyOf];
  const bitmaps = groups.map((group) => union(layout, group.filter(isBitmap)));
  if (!bitmaps.every(isBitmap) || others.some(isBitmap)) return undefined;
  const listed = [...groups.flat(), ...others].filter((set) => !isBitmap(set));
  const extras = union(layout, listed);
  if (extras.bits) return undefined;
  const inEach = (all: readonly (readonly DocIdSet[])[], some: DocIdSet): DocIdSet =>
    all.reduce((kept, group) => intersectUnion(layout, kept, group), some);
  const matching = groups.length === 1 ? extras : union(layout, [inEach(groups, extras), ...others]);
  if (matching.bits) return undefined;
  const counted = inEach(
    bitmaps.map((set) => [set]),
    matching,
  );
  const total = bitmaps.length === 1 ? sizeOf(bitmaps[0]) : countCommon(bitmaps.flatMap(({ bits }) => bits ?? []));
  return total + matching.docIds.length - counted.docIds.length;
}

/** The shortest group as a list, if short enough to probe the others. */
interface ShortestGroup {
  set: DocIdSet;
  others: readonly (readonly DocIdSet[])[];
  orAnyOf: readonly DocIdSet[];
}

function shortestGroup({ allOf, orAnyOf }: SetExpression, layout: Layout): ShortestGroup | undefined {
  const sizes = allOf.map(listedSize);
  const least = Math.min(...sizes);
  if (isWorthBitmap(layout, least + listedSize(orAnyOf))) return undefined;
  const index = sizes.indexOf(least);
  return { set: union(layout, allOf[index]), others: allOf.filter((_, other) => other !== index), orAnyOf };
}

/** Documents of a part of the shortest group that are in every other group, and those in `orAnyOf`. */
function intersectGroups({ others, orAnyOf }: ShortestGroup, part: DocIdSet, layout: Layout): Uint32Array {
  const set = others.reduce((kept, group) => intersectUnion(layout, kept, group), part);
  return union(layout, [set, ...orAnyOf]).docIds;
}

/** Documents processed at a time, because a page is often filled early. */
const PART_DOC_IDS = 2_048;

/** Evaluates only as much of the shortest group as the window needs. */
function pickInParts(
  shortest: ShortestGroup,
  expression: SetExpression,
  { layout, limit }: { layout: Layout; limit: number },
): Uint32Array {
  const { docIds } = shortest.set;
  if (shortest.orAnyOf.some(({ size }) => size !== 0) || docIds.length <= PART_DOC_IDS)
    return pickFromList(intersectGroups(shortest, shortest.set, layout), expression, { layout, limit });
  const picked = new Uint32Array(Math.min(limit, docIds.length));
  let length = 0;
  for (let start = 0; start < docIds.length && length < picked.length; start += PART_DOC_IDS) {
    const part = setOfDocIds(docIds.subarray(start, start + PART_DOC_IDS));
    const some = pickFromList(intersectGroups(shortest, part, layout), expression, {
      layout,
      limit: picked.length - length,
    });
    picked.set(some, length);
    length += some.length;
  }
  return picked.subarray(0, length);
}

/** The first listed documents that are not excluded. */
function pickFromList(
  docIds: Uint32Array,
  { noneOf, notAllOf }: SetExpression,
  { layout, limit }: { layout: Layout; limit: number },
): Uint32Array {
  const excluded = { noneOf: noneOf.filter(({ size }) => size !== 0), notAllOf };
  if (excluded.noneOf.length === 0 && notAllOf.length === 0) return docIds.subarray(0, limit);
  const picked = new Uint32Array(Math.min(limit, docIds.length));
  let length = 0;
  for (let index = 0; index < docIds.length && length < picked.length; index++) {
    const docId = docIds[index];
    if (!isExcluded(docId, excluded, layout)) picked[length++] = docId;
  }
  return picked.subarray(0, length);
}

type Excluded = Pick<SetExpression, 'noneOf' | 'notAllOf'>;

function isExcluded(docId: number, { noneOf, notAllOf }: Excluded, layout: Layout): boolean {
  const isIn = (sets: readonly DocIdSet[]): boolean => sets.some((set) => hasBit(set, layout, docId));
  return isIn(noneOf) || (notAllOf.length > 0 && notAllOf.every(isIn));
}

const listedSize = (sets: readonly DocIdSet[]): number =>
  sets.reduce((sum, { bits, docIds }) => sum + (bits ? Infinity : docIds.length), 0);

interface PickState {
  layout: Layout;
  offset: number;
  seen: number;
  length: number;
}

function pickFromBlock({ block, start }: BitmapBlock, picked: Uint32Array, state: PickState): void {
  for (let index = nextWord(block, 0); index < block.length; index = nextWord(block, index + 1)) {
    if (state.length === picked.length) break;
    const count = countWord(block[index]);
    if (state.seen + count <= state.offset) {
      state.seen += count;
      continue;
    }
    const base = docIdAt(state.layout, start + index);
    for (let word = block[index]; word !== 0 && state.length < picked.length; word &= word - 1) {
      if (state.seen++ >= state.offset) picked[state.length++] = base + 31 - Math.clz32(word & -word);
    }
  }
}

/** The index, from `start` on, of the first word with bits; the length if there is none. */
function nextWord(block: Uint32Array, start: number): number {
  let index = start;
  while (index < block.length && block[index] === 0) index++;
  return index;
}

type Buffers = Record<'block' | 'group' | 'excluded', Uint32Array>;

interface BitmapBlock {
  block: Uint32Array;
  start: number;
}

function* blocksOf(expression: SetExpression, layout: Layout, buffers: Buffers): Generator<BitmapBlock> {
  const allOf = expression.allOf.map(cursorsOf);
  const orAnyOf = cursorsOf(expression.orAnyOf);
  const excluded = { noneOf: cursorsOf(expression.noneOf), notAllOf: expression.notAllOf.map(cursorsOf) };
  const isWhole = excluded.noneOf.length === 0 && excluded.notAllOf.length === 0;
  for (let start = 0; start < layout.words; start += BLOCK_WORDS) {
    const words = Math.min(BLOCK_WORDS, layout.words - start);
    const block = buffers.block.subarray(0, words);
    const range = { layout, start, group: buffers.group.subarray(0, words) };
    intersect(allOf, block, range);
    uniteInto(orAnyOf, block, range);
    const left = isWhole ? undefined : excludeFew(block, expression, range);
    if (left === 0) continue;
    if (!isWhole && left === undefined)
      andNotBits(block, excludedBits(excluded, buffers.excluded.subarray(0, words), range));
    yield { block, start };
  }
}

interface ExcludedCursors {
  readonly noneOf: readonly Cursor[];
  readonly notAllOf: readonly (readonly Cursor[])[];
}

/** Up to this many documents of a block are looked up in the excluded sets one by one. */
const LOOKED_UP_MAX = 16;

/** Removes excluded documents of a block with few. Returns the number of others; undefined, and nothing done, if there are more. */
function excludeFew(block: Uint32Array, excluded: Excluded, { layout, start }: BlockRange): number | undefined {
  let count = 0;
  for (let index = nextWord(block, 0); index < block.length; index = nextWord(block, index + 1)) {
    count += countWord(block[index]);
    if (count > LOOKED_UP_MAX) break;
  }
  if (count > LOOKED_UP_MAX) return undefined;
  if (count === 0) return 0;
  for (let index = nextWord(block, 0); index < block.length; index = nextWord(block, index + 1)) {
    for (let word = block[index]; word !== 0; word &= word - 1) {
      const bit = word & -word;
      const docId = docIdAt(layout, start + index) + 31 - Math.clz32(bit);
      if (!isExcluded(docId, excluded, layout)) continue;
      block[index] &= ~bit;
      count--;
    }
  }
  return count;
}

function excludedBits({ noneOf, notAllOf }: ExcludedCursors, target: Uint32Array, range: BlockRange): Uint32Array {
  intersect(notAllOf, target, range);
  uniteInto(noneOf, target, range);
  return target;
}

interface BlockRange {
  layout: Layout;
  start: number;
  group: Uint32Array;
}

const cursorsOf = (sets: readonly DocIdSet[]): Cursor[] =>
  sets.filter(({ size }) => size !== 0).map((set) => ({ set, next: 0 }));

function intersect(groups: readonly (readonly Cursor[])[], target: Uint32Array, range: BlockRange): void {
  const bitmaps = groups.flatMap((cursors) => (cursors.length === 1 ? (cursors[0].set.bits ?? []) : []));
  let isFirst = bitmaps.length === 0;
  if (isFirst) target.fill(0);
  else intersectBits(bitmaps, target, range.start);
  for (const cursors of groups) {
    if (cursors.length === 1 && cursors[0].set.bits) continue;
    setUnion(cursors, isFirst ? target : range.group, range);
    if (!isFirst) andBits(target, range.group, 0);
    isFirst = false;
  }
}

/** In one pass over up to three bitmaps. */
function intersectBits(bitmaps: readonly Uint32Array[], target: Uint32Array, start: number): void {
  const [one, two, three, ...others] = bitmaps;
  if (two === undefined) target.set(one.subarray(start, start + target.length));
  else if (three === undefined) andTwo(target, one, two, start);
  else andThree(target, one, two, three, start);
  for (const bits of others) andBits(target, bits, start);
}

function setUnion(cursors: readonly Cursor[], target: Uint32Array, range: BlockRange): void {
  const first = cursors[0]?.set.bits;
  if (first) target.set(first.subarray(range.start, range.start + target.length));
  else target.fill(0);
  uniteInto(first ? cursors.slice(1) : cursors, target, range);
}

function uniteInto(cursors: readonly Cursor[], target: Uint32Array, { layout, start }: BlockRange): void {
  for (const cursor of cursors) {
    const { bits, docIds } = cursor.set;
    if (bits) orBits(target, bits, start);
    else {
      // Blocks may have been skipped.
      cursor.next = lowerBound(docIds, docIdAt(layout, start), cursor.next);
      for (; cursor.next < docIds.length; cursor.next++) {
        const docId = docIds[cursor.next];
        const word = wordOf(layout, docId) - start;
        if (word >= target.length) break;
        target[word] |= 1 << (docId & (WORD_BITS - 1));
      }
    }
  }
}

// Loops over words are separate functions with arguments, because closures run several times slower.

function orBits(target: Uint32Array, bits: Uint32Array, start: number): void {
  for (let index = 0; index < target.length; index++) target[index] |= bits[start + index];
}

function andTwo(target: Uint32Array, one: Uint32Array, two: Uint32Array, start: number): void {
  for (let index = 0; index < target.length; index++) target[index] = one[start + index] & two[start + index];
}

function andThree(target: Uint32Array, one: Uint32Array, two: Uint32Array, three: Uint32Array, start: number): void {
  for (let index = 0; index < target.length; index++)
    target[index] = one[start + index] & two[start + index] & three[start + index];
}

function andBits(target: Uint32Array, other: Uint32Array, start: number): void {
  for (let index = 0; index < target.length; index++) target[index] &= other[start + index];
}

function andNotBits(target: Uint32Array, other: Uint32Array): void {
  for (let index = 0; index < target.length; index++) target[index] &= ~other[index];
}
