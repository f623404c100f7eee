import type { Database } from 'better-sqlite3';
import { ensureCapacity } from '../ensure-capacity.ts';
import { DOC_ID_END, idOfKey, keyOf, listOfKey } from './postings-codec.ts';

/** Keys per sorted run: 10 ms of sorting, 2 MB on disk. */
const BLOCK_KEYS = 2 ** 18;
/** Keys per run in memory during the merge. */
const SLICE_KEYS = 4_096;

/** The unread rest of a sorted run. */
interface RunCursor {
  readonly slices: Iterator<Float64Array>;
  keys: Float64Array;
  position: number;
  /** Lowest remaining key; Infinity at the end. */
  head: number;
}

/** External sort of document ids by posting list. */
export type KeySorter = ReturnType<typeof createKeySorter>;

export function createKeySorter(spill: Spill) {
  const block = new Float64Array(BLOCK_KEYS);
  const blocks: Iterable<Float64Array>[] = [];
  let length = 0;
  let lastId = 0;
  let isInIdOrder = true;

  const spillBlock = () => {
    const keys = sorted(block.subarray(0, length), isInIdOrder ? DOC_ID_END : 1);
    blocks.push(spill.keepNumbers(keys, SLICE_KEYS));
    length = 0;
    isInIdOrder = true;
  };

  return {
    add(list: number, docId: number): void {
      if (length === BLOCK_KEYS) spillBlock();
      if (docId < lastId) isInIdOrder = false;
      lastId = docId;
      block[length++] = keyOf(list, docId);
    },
    /** The posting lists in order, each with ascending document ids. Read once, after all were added. */
    *lists(): Generator<[list: number, docIds: Uint32Array]> {
      spillBlock();
      yield* mergeLists(createHeap(blocks));
    },
    /** The same as keys (`keyOf`), some at a time: `length` of them, except for the last. */
    *keys(size: number): Generator<Float64Array> {
      spillBlock();
      yield* mergeKeys(createHeap(blocks), size);
    },
  };
}

/** Different digits of a key. Four of them hold most keys. */
const DIGITS = 2 ** 12;

/**
 * Keys in order. A radix sort takes a third of the time of `sort`, which compares floating-point numbers.
 * @param unit keys of the same multiple of it are in order
 */
function sorted(keys: Float64Array, unit: number): Float64Array {
  let from: Float64Array = keys;
  let to: Float64Array = new Float64Array(keys.length);
  const places = new Uint32Array(DIGITS + 1);
  let highest = 0;
  for (let index = 0; index < keys.length; index++) if (keys[index] > highest) highest = keys[index];
  for (let scale = 1 / unit; highest * scale >= 1; scale /= DIGITS) {
    places.fill(0);
    for (let index = 0; index < from.length; index++) places[digitOf(from[index], scale) + 1]++;
    for (let digit = 0; digit < DIGITS; digit++) places[digit + 1] += places[digit];
    for (let index = 0; index < from.length; index++) to[places[digitOf(from[index], scale)]++] = from[index];
    [from, to] = [to, from];
  }
  return from;
}

/** The lowest digit of a key times a power of the number of digits, both of which are exact. */
const digitOf = (key: number, scale: number): number => (key * scale) & (DIGITS - 1);

function* mergeKeys(heap: RunCursor[], size: number): Generator<Float64Array> {
  let keys = new Float64Array(size);
  let length = 0;
  while (heap.length > 0 && heap[0].head < Infinity) {
    keys[length++] = heap[0].head;
    heap[0].head = nextHead(heap[0]);
    siftDown(heap, 0);
    if (length < size) continue;
    yield keys;
    keys = new Float64Array(size);
    length = 0;
  }
  if (length > 0) yield keys.subarray(0, length);
}

function* mergeLists(heap: RunCursor[]): Generator<[list: number, docIds: Uint32Array]> {
  let docIds = new Uint32Array(BLOCK_KEYS);
  while (heap.length > 0 && heap[0].head < Infinity) {
    const list = listOfKey(heap[0].head);
    const end = keyOf(list + 1, 0);
    let length = 0;
    let parts = 0;
    for (let [cursor] = heap; cursor.head < end; [cursor] = heap) {
      parts++;
      while (cursor.head < end) {
        if (length === docIds.length) docIds = ensureCapacity(docIds, length + 1);
        docIds[length++] = idOfKey(cursor.head);
        cursor.head = nextHead(cursor);
      }
      siftDown(heap, 0);
    }
    const found = docIds.subarray(0, length);
    yield [list, parts === 1 ? found : found.sort()];
  }
}

function createHeap(blocks: readonly Iterable<Float64Array>[]): RunCursor[] {
  const heap = blocks.map((block): RunCursor => {
    const cursor = { slices: block[Symbol.iterator](), keys: new Float64Array(), position: 0, head: 0 };
    return Object.assign(cursor, { head: nextSlice(cursor) });
  });
  for (let node = heap.length >>> 1; node >= 0; node--) siftDown(heap, node);
  return heap;
}

function siftDown(heap: RunCursor[], start: number): void {
  const cursor = heap[start];
  let node = start;
  for (let child = 2 * node + 1; child < heap.length; child = 2 * node + 1) {
    if (child + 1 < heap.length && heap[child + 1].head < heap[child].head) child += 1;
    if (heap[child].head >= cursor.head) break;
    heap[node] = heap[child];
    node = child;
  }
  heap[node] = cursor;
}

function nextHead(cursor: RunCursor): number {
  cursor.position++;
  return cursor.position < cursor.keys.length ? cursor.keys[cursor.position] : nextSlice(cursor);
}

/** Reads the next slice, and gives its first key. */
function nextSlice(cursor: RunCursor): number {
  cursor.keys = cursor.slices.next().value ?? new Float64Array();
  cursor.position = 0;
  return cursor.keys[0] ?? Infinity;
}

const SLICE_ROWS = 256;

/** Sorted runs spilled to the connection's temporary database, which is deleted with the connection. */
export type Spill = ReturnType<typeof createSpill>;

export function createSpill(database: Database) {
  database.exec('CREATE TEMP TABLE IF NOT EXISTS search_spill (id INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT');
  const put = database.prepare<[Uint8Array]>('INSERT INTO temp.search_spill (data) VALUES (?)');
  const find = database.prepare<[number], Buffer>('SELECT data FROM temp.search_spill WHERE id = ?').pluck();
  const clear = database.prepare('DELETE FROM temp.search_spill');
  const keep = (data: Uint8Array): number => Number(put.run(data).lastInsertRowid);
  const read = (id: number): Buffer => find.get(id) as Buffer;

  function* numbersOf(ids: readonly number[]): Generator<Float64Array> {
    // Copied, because database buffers may be unaligned.
    for (const id of ids) yield new Float64Array(Uint8Array.from(read(id)).buffer);
  }
  function* rowsOf<Row>(ids: readonly number[]): Generator<Row> {
    for (const id of ids) yield* JSON.parse(read(id).toString()) as Row[];
  }

  return {
    /** Spills numbers; the result reads them slice by slice to bound memory. */
    keepNumbers(numbers: Float64Array, sliceLength: number): Iterable<Float64Array> {
      const ids: number[] = [];
      for (let start = 0; start < numbers.length; start += sliceLength) {
        const slice = numbers.subarray(start, start + sliceLength);
        ids.push(keep(new Uint8Array(slice.buffer, slice.byteOffset, slice.byteLength)));
      }
      return numbersOf(ids);
    },
    keepRows<Row>(rows: readonly Row[]): Iterable<Row> {
      const ids: number[] = [];
      for (let start = 0; start < rows.length; start += SLICE_ROWS)
        ids.push(keep(Buffer.from(JSON.stringify(rows.slice(start, start + SLICE_ROWS)))));
      return rowsOf<Row>(ids);
    },
    clear: (): void => void clear.run(),
  };
}
