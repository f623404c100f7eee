import { firstOfKey, keyOf, listOfKey } from './lists.ts';
import type { Spill } from './spill.ts';

/** Sorts more ordinals by list than memory holds. */
export interface KeySorter {
  add(list: number, ordinal: number): void;
  /** The lists in order, each with its ordinals in order; to be read once, when all were added. */
  lists(): Generator<[list: number, ordinals: Uint32Array]>;
}

/** Keys sorted at once, in some twenty milliseconds; on disk they are two megabytes. */
const BLOCK_KEYS = 2 ** 18;
/** Of each block so many keys are in memory while blocks are merged. */
const SLICE_KEYS = 4_096;

/** What is left of a sorted block. */
interface Source {
  readonly slices: Iterator<Float64Array>;
  keys: Float64Array;
  place: number;
}

export function createKeySorter(spill: Spill): KeySorter {
  const block = new Float64Array(BLOCK_KEYS);
  const blocks: Iterable<Float64Array>[] = [];
  let length = 0;

  const spillBlock = () => {
    blocks.push(spill.keepNumbers(block.subarray(0, length).sort(), SLICE_KEYS));
    length = 0;
  };

  return {
    add(list, ordinal) {
      if (length === BLOCK_KEYS) spillBlock();
      block[length++] = keyOf(list, ordinal);
    },
    *lists() {
      spillBlock();
      yield* mergeLists(blocks);
    },
  };
}

function* mergeLists(blocks: readonly Iterable<Float64Array>[]): Generator<[list: number, ordinals: Uint32Array]> {
  const sources = blocks.map(
    (block): Source => ({ slices: block[Symbol.iterator](), keys: new Float64Array(), place: 0 }),
  );
  const heads = Float64Array.from(sources, advance);
  let ordinals = new Uint32Array(BLOCK_KEYS);
  for (;;) {
    let lowest = Infinity;
    for (let index = 0; index < heads.length; index++) if (heads[index] < lowest) lowest = heads[index];
    if (lowest === Infinity) return;
    const list = listOfKey(lowest);
    const end = keyOf(list + 1, 0);
    let length = 0;
    let parts = 0;
    for (let index = 0; index < heads.length; index++) {
      if (heads[index] >= end) continue;
      parts++;
      const source = sources[index];
      while (heads[index] < end) {
        if (length === ordinals.length) ordinals = grown(ordinals);
        ordinals[length++] = firstOfKey(heads[index]);
        source.place++;
        heads[index] = source.place < source.keys.length ? source.keys[source.place] : advance(source);
      }
    }
    const found = ordinals.subarray(0, length);
    yield [list, parts === 1 ? found : found.sort()];
  }
}

/** Reads the next slice, and gives its first key. */
function advance(source: Source): number {
  source.keys = source.slices.next().value ?? new Float64Array();
  source.place = 0;
  return source.keys[0] ?? Infinity;
}

function grown(ordinals: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(ordinals.length * 2);
  larger.set(ordinals);
  return larger;
}
