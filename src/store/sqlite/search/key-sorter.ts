import { firstOfKey, keyOf, listOfKey } from './segments.ts';
import type { Spill } from './spill.ts';

/** External sort of document ids by posting list. */
export interface KeySorter {
  add(list: number, ordinal: number): void;
  /** The posting lists in order, each with ascending document ids. Read once, after all were added. */
  lists(): Generator<[list: number, ordinals: Uint32Array]>;
}

/** Keys per sorted run: 20 ms of sorting, 2 MB on disk. */
const BLOCK_KEYS = 2 ** 18;
/** Keys per run in memory during the merge. */
const SLICE_KEYS = 4_096;

/** The rest of a sorted run. */
interface Source {
  readonly slices: Iterator<Float64Array>;
  keys: Float64Array;
  place: number;
  /** Lowest remaining key; Infinity at the end. */
  head: number;
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
    (block): Source => ({ slices: block[Symbol.iterator](), keys: new Float64Array(), place: 0, head: 0 }),
  );
  for (const source of sources) source.head = advance(source);
  const heap = createHeap(sources);
  let ordinals = new Uint32Array(BLOCK_KEYS);
  while (heap.length > 0 && heap[0].head < Infinity) {
    const list = listOfKey(heap[0].head);
    const end = keyOf(list + 1, 0);
    let length = 0;
    let parts = 0;
    for (let [source] = heap; source.head < end; [source] = heap) {
      parts++;
      while (source.head < end) {
        if (length === ordinals.length) ordinals = grown(ordinals);
        ordinals[length++] = firstOfKey(source.head);
        source.place++;
        source.head = source.place < source.keys.length ? source.keys[source.place] : advance(source);
      }
      sink(heap, 0);
    }
    const found = ordinals.subarray(0, length);
    yield [list, parts === 1 ? found : found.sort()];
  }
}

/** Builds a min-heap of runs. */
function createHeap(sources: readonly Source[]): Source[] {
  const heap = [...sources];
  for (let place = heap.length >>> 1; place >= 0; place--) sink(heap, place);
  return heap;
}

/** Sifts a run down. */
function sink(heap: Source[], start: number): void {
  const source = heap[start];
  let place = start;
  for (let child = 2 * place + 1; child < heap.length; child = 2 * place + 1) {
    if (child + 1 < heap.length && heap[child + 1].head < heap[child].head) child += 1;
    if (heap[child].head >= source.head) break;
    heap[place] = heap[child];
    place = child;
  }
  heap[place] = source;
}

/** Reads the next slice and returns its first key. */
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
