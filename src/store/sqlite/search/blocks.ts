import { type Layout, ordinalOfWord, wordOf } from './ordinals.ts';
import {
  countBits,
  countWord,
  hasBit,
  isWorthBits,
  keepAny,
  type OrdinalSet,
  setOfOrdinals,
  sizeOf,
  unite,
  without,
} from './sets.ts';

/** A set expression: documents in some set of every group and in `also`, without `except`. */
export interface Combination {
  every: readonly (readonly OrdinalSet[])[];
  also: readonly OrdinalSet[];
  except: readonly OrdinalSet[];
  /** Groups of sets; documents in all of these groups are excluded. */
  exceptEvery: readonly (readonly OrdinalSet[])[];
}

/** A window of a result. */
export interface Picked {
  ordinals: Uint32Array;
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
  set: OrdinalSet;
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
        const ordinals = together(few, few.set, layout);
        return pickListed(ordinals, combination, { layout, limit: ordinals.length }).length;
      }
      let count = 0;
      for (const { block } of blocksOf(combination, layout, buffers)) count += countBits(block);
      return count;
    },
    pick(combination, layout, { offset, limit }) {
      const few = shortest(combination, layout);
      if (few) {
        const ordinals = pickInParts(few, combination, { layout, limit: offset + limit });
        return { ordinals: ordinals.subarray(offset), seen: ordinals.length };
      }
      const picked = new Uint32Array(Math.min(limit, layout.words * WORD_BITS));
      const place: PickPlace = { layout, offset, seen: 0, length: 0 };
      for (const block of blocksOf(combination, layout, buffers)) {
        pickFrom(block, picked, place);
        if (place.length === limit) break;
      }
      return { ordinals: picked.subarray(0, place.length), seen: place.seen };
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
  return great.reduce((sum, set) => sum + sizeOf(set), without(layout, others.ordinals, great).length);
}

/** The shortest group as a list, if short enough to probe the others. */
interface Shortest {
  set: OrdinalSet;
  others: readonly (readonly OrdinalSet[])[];
  also: readonly OrdinalSet[];
}

function shortest({ every, also }: Combination, layout: Layout): Shortest | undefined {
  const sizes = every.map(listedSize);
  const least = Math.min(...sizes);
  if (isWorthBits(layout, least + listedSize(also))) return undefined;
  const place = sizes.indexOf(least);
  return { set: unite(layout, every[place]), others: every.filter((_, index) => index !== place), also };
}

/** Documents of a part of the shortest group that are in every other group, and those in `also`. */
function together({ others, also }: Shortest, part: OrdinalSet, layout: Layout): Uint32Array {
  const set = others.reduce((kept, group) => keepAny(layout, kept, group), part);
  return unite(layout, [set, ...also]).ordinals;
}

/** Documents processed at a time, because a page is often filled early. */
const PART_ORDINALS = 2_048;

/** Evaluates only as much of the shortest group as the window needs. */
function pickInParts(
  few: Shortest,
  combination: Combination,
  { layout, limit }: { layout: Layout; limit: number },
): Uint32Array {
  const { ordinals } = few.set;
  if (few.also.some(({ size }) => size !== 0) || ordinals.length <= PART_ORDINALS)
    return pickListed(together(few, few.set, layout), combination, { layout, limit });
  const picked = new Uint32Array(Math.min(limit, ordinals.length));
  let length = 0;
  for (let start = 0; start < ordinals.length && length < picked.length; start += PART_ORDINALS) {
    const part = setOfOrdinals(ordinals.subarray(start, start + PART_ORDINALS));
    const some = pickListed(together(few, part, layout), combination, { layout, limit: picked.length - length });
    picked.set(some, length);
    length += some.length;
  }
  return picked.subarray(0, length);
}

/** The first listed documents that are not excluded. */
function pickListed(
  ordinals: Uint32Array,
  { except, exceptEvery }: Combination,
  { layout, limit }: { layout: Layout; limit: number },
): Uint32Array {
  const sets = except.filter(({ size }) => size !== 0);
  if (sets.length === 0 && exceptEvery.length === 0) return ordinals.subarray(0, limit);
  const isIn = (group: readonly OrdinalSet[], ordinal: number): boolean =>
    group.some((set) => hasBit(set, layout, ordinal));
  const picked = new Uint32Array(Math.min(limit, ordinals.length));
  let length = 0;
  for (let index = 0; index < ordinals.length && length < picked.length; index++) {
    const ordinal = ordinals[index];
    const isExcepted =
      isIn(sets, ordinal) || (exceptEvery.length > 0 && exceptEvery.every((group) => isIn(group, ordinal)));
    if (!isExcepted) picked[length++] = ordinal;
  }
  return picked.subarray(0, length);
}

const listedSize = (sets: readonly OrdinalSet[]): number =>
  sets.reduce((sum, { bits, ordinals }) => sum + (bits ? Infinity : ordinals.length), 0);

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
    const base = ordinalOfWord(place.layout, start + index);
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

const cursorsOf = (sets: readonly OrdinalSet[]): Cursor[] =>
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
    const { bits, ordinals } = cursor.set;
    if (bits) addBits(target, bits, start);
    else
      for (; cursor.place < ordinals.length; cursor.place++) {
        const ordinal = ordinals[cursor.place];
        const word = wordOf(layout, ordinal) - start;
        if (word >= target.length) break;
        target[word] |= 1 << (ordinal & (WORD_BITS - 1));
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
