import { type Layout, ordinalOfWord, wordOf } from './ordinals.ts';
import { countBits, countWord, type OrdinalSet } from './sets.ts';

/** Sets to be combined: what is in some set of every group, with `also`, without `except`. */
export interface Combination {
  every: readonly (readonly OrdinalSet[])[];
  also: readonly OrdinalSet[];
  except: readonly OrdinalSet[];
  /** Groups of sets, every one of which must not have it. */
  exceptEvery: readonly (readonly OrdinalSet[])[];
}

/** Combines sets block by block: a page costs only the blocks it is found in, and nothing is copied. */
export interface Combiner {
  count(combination: Combination, layout: Layout): number;
  /** The ordinals from the `offset`-th on, at most `limit`. */
  pick(combination: Combination, layout: Layout, window: { offset: number; limit: number }): number[];
}

/** Words of 32 bits: some kilobytes stay in the nearest cache. */
const BLOCK_WORDS = 512;
const WORD_BITS = 32;

/** A set on the way through the blocks. */
interface Cursor {
  set: OrdinalSet;
  /** The index of the next ordinal. */
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
      let count = 0;
      for (const { block } of blocksOf(combination, layout, buffers)) count += countBits(block);
      return count;
    },
    pick(combination, layout, { offset, limit }) {
      const picked: number[] = [];
      let skipped = 0;
      for (const { block, start } of blocksOf(combination, layout, buffers)) {
        for (let index = 0; index < block.length && picked.length < limit; index++) {
          if (block[index] === 0) continue;
          const count = countWord(block[index]);
          if (skipped + count <= offset) {
            skipped += count;
            continue;
          }
          const base = ordinalOfWord(layout, start + index);
          for (let word = block[index]; word !== 0 && picked.length < limit; word &= word - 1) {
            if (skipped++ >= offset) picked.push(base + 31 - Math.clz32(word & -word));
          }
        }
        if (picked.length >= limit) break;
      }
      return picked;
    },
  };
}

type Buffers = Record<'block' | 'group' | 'taken', Uint32Array>;

interface Block {
  block: Uint32Array;
  /** The number of its first word. */
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
    else taken.fill(0);
    addAll(except, taken, place);
    if (exceptEvery.length > 0 || except.length > 0) removeBits(block, taken);
    yield { block, start };
  }
}

interface Place {
  layout: Layout;
  start: number;
  /** For the bits of one group. */
  group: Uint32Array;
}

const cursorsOf = (sets: readonly OrdinalSet[]): Cursor[] =>
  sets.filter(({ size }) => size !== 0).map((set) => ({ set, place: 0 }));

function meet(groups: readonly (readonly Cursor[])[], target: Uint32Array, place: Place): void {
  target.fill(0);
  for (const [index, cursors] of groups.entries()) {
    if (index === 0) {
      addAll(cursors, target, place);
      continue;
    }
    place.group.fill(0);
    addAll(cursors, place.group, place);
    keepBits(target, place.group);
  }
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

// The loops over words stand alone and take what they work on: inside closures they run several times slower.

function addBits(target: Uint32Array, bits: Uint32Array, start: number): void {
  for (let index = 0; index < target.length; index++) target[index] |= bits[start + index];
}

function keepBits(target: Uint32Array, other: Uint32Array): void {
  for (let index = 0; index < target.length; index++) target[index] &= other[index];
}

function removeBits(target: Uint32Array, other: Uint32Array): void {
  for (let index = 0; index < target.length; index++) target[index] &= ~other[index];
}
