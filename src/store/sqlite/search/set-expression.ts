import { docIdOfWord, type Layout, wordOf } from './bitmap-layout.ts';
import {
  countBits,
  countWord,
  type DocIdSet,
  hasBit,
  isWorthBits,
  keepAny,
  setOfDocIds,
  sizeOf,
  unite,
  without,
} from './sets.ts';

/** A set expression: documents in some set of every group and in `also`, without `except`. */
export interface Combination {
  every: readonly (readonly DocIdSet[])[];
  also: readonly DocIdSet[];
  except: readonly DocIdSet[];
  /** Groups of sets; documents in all of these groups are excluded. */
  exceptEvery: readonly (readonly DocIdSet[])[];
}

/** A window of a result. */
export interface Picked {
  docIds: Uint32Array;
  /** Documents seen; the total if fewer than requested were found. */
  seen: number;
}

/** Evaluates set expressions block by block, so that a page costs only the blocks it needs, without copies. */
export interface Combiner {
  count(combination: Combination, layout: Layout): number;
  /** Document ids from `offset` on, at most `limit`. */
  pick(combination: Combination, layout: Layout, window: { offset: number; limit: number }): Picked;
}

/** Block size in 32-bit words, chosen for the L1 cache. */
const BLOCK_WORDS = 512;
const WORD_BITS = 32;

/** Position in a set during block iteration. */
interface Cursor {
  set: DocIdSet;
  /** Index of the next document id. */
  place: number;
}

export function createCombiner(): Combiner {
  const buffers = {
    block: new Uint32Array(BLOCK_WORDS),
    group: new Uint32Array(BLOCK_WORDS),
    taken: new Uint32Array(BLOCK_WORDS),
  };
  return {
    count(combination, layout) {
      const quick = countOneGroup(combination, layout);
      if (quick !== undefined) return quick;
      const few = shortest(combination, layout);
      if (few) {
        const docIds = together(few, few.set, layout);
        return pickListed(docIds, combination, { layout, limit: docIds.length }).length;
      }
      let count = 0;
      for (const { block } of blocksOf(combination, layout, buffers)) count += countBits(block);
      return count;
    },
    pick(combination, layout, { offset, limit }) {
      const few = shortest(combination, layout);
      if (few) {
        const docIds = pickInParts(few, combination, { layout, limit: offset + limit });
        return { docIds: docIds.subarray(offset), seen: docIds.length };
      }
      const picked = new Uint32Array(Math.min(limit, layout.words * WORD_BITS));
      const place: PickPlace = { layout, offset, seen: 0, length: 0 };
      for (const block of blocksOf(combination, layout, buffers)) {
        pickFrom(block, picked, place);
        if (place.length === limit) break;
      }
      return { docIds: picked.subarray(0, place.length), seen: place.seen };
    },
  };
}

/** Fast count for a single group with one large set: its size is known, and only the few others are checked. */
function countOneGroup({ every, also, except, exceptEvery }: Combination, layout: Layout): number | undefined {
  if (every.length !== 1 || except.length > 0 || exceptEvery.length > 0) return undefined;
  const sets = [...every[0], ...also];
  const great = sets.filter(({ bits }) => bits !== undefined);
  if (great.length > 1 || great.some(({ size }) => size === undefined)) return undefined;
  const others = unite(
    layout,
    sets.filter(({ bits }) => bits === undefined),
  );
  if (others.bits) return undefined;
  return great.reduce((sum, set) => sum + sizeOf(set), without(layout, others.docIds, great).length);
}

/** The shortest group as a list, if short enough to probe the others. */
interface Shortest {
  set: DocIdSet;
  others: readonly (readonly DocIdSet[])[];
  also: readonly DocIdSet[];
}

function shortest({ every, also }: Combination, layout: Layout): Shortest | undefined {
  const sizes = every.map(listedSize);
  const least = Math.min(...sizes);
  if (isWorthBits(layout, least + listedSize(also))) return undefined;
  const place = sizes.indexOf(least);
  return { set: unite(layout, every[place]), others: every.filter((_, index) => index !== place), also };
}

/** Documents of a part of the shortest group that are in every other group, and those in `also`. */
function together({ others, also }: Shortest, part: DocIdSet, layout: Layout): Uint32Array {
  const set = others.reduce((kept, group) => keepAny(layout, kept, group), part);
  return unite(layout, [set, ...also]).docIds;
}

/** Documents processed at a time, because a page is often filled early. */
const PART_DOC_IDS = 2_048;

/** Evaluates only as much of the shortest group as the window needs. */
function pickInParts(
  few: Shortest,
  combination: Combination,
  { layout, limit }: { layout: Layout; limit: number },
): Uint32Array {
  const { docIds } = few.set;
  if (few.also.some(({ size }) => size !== 0) || docIds.length <= PART_DOC_IDS)
    return pickListed(together(few, few.set, layout), combination, { layout, limit });
  const picked = new Uint32Array(Math.min(limit, docIds.length));
  let length = 0;
  for (let start = 0; start < docIds.length && length < picked.length; start += PART_DOC_IDS) {
    const part = setOfDocIds(docIds.subarray(start, start + PART_DOC_IDS));
    const some = pickListed(together(few, part, layout), combination, { layout, limit: picked.length - length });
    picked.set(some, length);
    length += some.length;
  }
  return picked.subarray(0, length);
}

/** The first listed documents that are not excluded. */
function pickListed(
  docIds: Uint32Array,
  { except, exceptEvery }: Combination,
  { layout, limit }: { layout: Layout; limit: number },
): Uint32Array {
  const sets = except.filter(({ size }) => size !== 0);
  if (sets.length === 0 && exceptEvery.length === 0) return docIds.subarray(0, limit);
  const isIn = (group: readonly DocIdSet[], docId: number): boolean => group.some((set) => hasBit(set, layout, docId));
  const picked = new Uint32Array(Math.min(limit, docIds.length));
  let length = 0;
  for (let index = 0; index < docIds.length && length < picked.length; index++) {
    const docId = docIds[index];
    const isExcepted =
      isIn(sets, docId) || (exceptEvery.length > 0 && exceptEvery.every((group) => isIn(group, docId)));
    if (!isExcepted) picked[length++] = docId;
  }
  return picked.subarray(0, length);
}

const listedSize = (sets: readonly DocIdSet[]): number =>
  sets.reduce((sum, { bits, docIds }) => sum + (bits ? Infinity : docIds.length), 0);

interface PickPlace {
  layout: Layout;
  offset: number;
  seen: number;
  /** Number of results. */
  length: number;
}

function pickFrom({ block, start }: Block, picked: Uint32Array, place: PickPlace): void {
  for (let index = 0; index < block.length && place.length < picked.length; index++) {
    if (block[index] === 0) continue;
    const count = countWord(block[index]);
    if (place.seen + count <= place.offset) {
      place.seen += count;
      continue;
    }
    const base = docIdOfWord(place.layout, start + index);
    for (let word = block[index]; word !== 0 && place.length < picked.length; word &= word - 1) {
      if (place.seen++ >= place.offset) picked[place.length++] = base + 31 - Math.clz32(word & -word);
    }
  }
}

type Buffers = Record<'block' | 'group' | 'taken', Uint32Array>;

interface Block {
  block: Uint32Array;
  /** Index of its first word. */
  start: number;
}

function* blocksOf(combination: Combination, layout: Layout, buffers: Buffers): Generator<Block> {
  const every = combination.every.map(cursorsOf);
  const also = cursorsOf(combination.also);
  const except = cursorsOf(combination.except);
  const exceptEvery = combination.exceptEvery.map(cursorsOf);
  for (let start = 0; start < layout.words; start += BLOCK_WORDS) {
    const words = Math.min(BLOCK_WORDS, layout.words - start);
    const block = buffers.block.subarray(0, words);
    const group = buffers.group.subarray(0, words);
    const taken = buffers.taken.subarray(0, words);
    const place = { layout, start, group };
    meet(every, block, place);
    addAll(also, block, place);
    if (exceptEvery.length > 0) meet(exceptEvery, taken, place);
    else if (except.length > 0) taken.fill(0);
    addAll(except, taken, place);
    if (exceptEvery.length > 0 || except.length > 0) removeBits(block, taken);
    yield { block, start };
  }
}

interface Place {
  layout: Layout;
  start: number;
  /** Bits of one group. */
  group: Uint32Array;
}

const cursorsOf = (sets: readonly DocIdSet[]): Cursor[] =>
  sets.filter(({ size }) => size !== 0).map((set) => ({ set, place: 0 }));

function meet(groups: readonly (readonly Cursor[])[], target: Uint32Array, place: Place): void {
  if (groups.length === 0) target.fill(0);
  for (const [index, cursors] of groups.entries()) {
    const only = cursors.length === 1 ? cursors[0].set.bits : undefined;
    if (index === 0) {
      setAll(cursors, target, place);
    } else if (only) {
      keepBits(target, only, place.start);
    } else {
      setAll(cursors, place.group, place);
      keepBits(target, place.group, 0);
    }
  }
}

function setAll(cursors: readonly Cursor[], target: Uint32Array, place: Place): void {
  const first = cursors[0]?.set.bits;
  if (first) target.set(first.subarray(place.start, place.start + target.length));
  else target.fill(0);
  addAll(first ? cursors.slice(1) : cursors, target, place);
}

function addAll(cursors: readonly Cursor[], target: Uint32Array, { layout, start }: Place): void {
  for (const cursor of cursors) {
    const { bits, docIds } = cursor.set;
    if (bits) addBits(target, bits, start);
    else
      for (; cursor.place < docIds.length; cursor.place++) {
        const docId = docIds[cursor.place];
        const word = wordOf(layout, docId) - start;
        if (word >= target.length) break;
        target[word] |= 1 << (docId & (WORD_BITS - 1));
      }
  }
}

// Loops over words are separate functions with arguments, because closures run several times slower.

function addBits(target: Uint32Array, bits: Uint32Array, start: number): void {
  for (let index = 0; index < target.length; index++) target[index] |= bits[start + index];
}

function keepBits(target: Uint32Array, other: Uint32Array, start: number): void {
  for (let index = 0; index < target.length; index++) target[index] &= other[start + index];
}

function removeBits(target: Uint32Array, other: Uint32Array): void {
  for (let index = 0; index < target.length; index++) target[index] &= ~other[index];
}
