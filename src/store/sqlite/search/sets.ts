import { POSITION_BITS, POSITIONS_MAX, stepOf } from '../../search/matches.ts';

/** An immutable set of document ids: ascending ids, or a bitmap if smaller. */
export interface DocIdSet {
  readonly bits: Uint32Array | undefined;
  readonly docIds: Uint32Array;
  /** Number of ids, if known without counting. */
  readonly size: number | undefined;
}

const NO_DOC_IDS = new Uint32Array();
export const EMPTY_SET: DocIdSet = { bits: undefined, docIds: NO_DOC_IDS, size: 0 };

export const setOfDocIds = (docIds: Uint32Array): DocIdSet => ({
  bits: undefined,
  docIds,
  size: docIds.length,
});
export const setOfBitmap = (bits: Uint32Array, size?: number): DocIdSet => ({ bits, docIds: NO_DOC_IDS, size });

/** Whether a bitmap of the layout takes no more memory than a list of `count` ids. */
export const isWorthBitmap = (layout: Layout, count: number): boolean => count >= layout.words;

export const bytesOf = ({ bits, docIds }: DocIdSet): number => bits?.byteLength ?? docIds.byteLength;

export const sizeOf = ({ bits, size }: DocIdSet): number => size ?? (bits ? countBits(bits) : 0);

export const bitOf = (layout: Layout, docId: number): number => wordOf(layout, docId) * 32 + (docId & 31);

export function hasBit({ bits, docIds }: DocIdSet, layout: Layout, docId: number): boolean {
  if (bits) return ((bits[wordOf(layout, docId)] >>> (docId & 31)) & 1) === 1;
  return docIds[lowerBound(docIds, docId)] === docId;
}

/** Union; a set of which it consists alone is returned itself. */
export function union(layout: Layout, sets: readonly DocIdSet[]): DocIdSet {
  const some = sets.filter(({ size }) => size !== 0);
  if (some.length < 2) return some[0] ?? EMPTY_SET;
  const listed = some.filter(({ bits }) => bits === undefined);
  const count = listed.reduce((sum, { docIds }) => sum + docIds.length, 0);
  if (listed.length === some.length && !isWorthBitmap(layout, count))
    return setOfDocIds(mergeAll(listed.map(({ docIds }) => docIds)));
  const [first, ...others] = some.flatMap(({ bits }) => bits ?? []);
  const united = first?.slice() ?? new Uint32Array(layout.words);
  for (const bits of others) orBits(united, bits);
  for (const { docIds } of listed) setBits(united, layout, docIds, docIds.length);
  return setOfBitmap(united);
}

/** Intersection of a set that is a list with the union of others. */
export function intersectUnion(layout: Layout, { docIds }: DocIdSet, others: readonly DocIdSet[]): DocIdSet {
  const isKept = new Uint8Array(docIds.length);
  for (const other of others) markCommon(layout, docIds, { other, isKept });
  return setOfDocIds(marked(docIds, isKept, 1));
}

// A manual loop: the filter method of typed arrays is ten times slower.
function marked(docIds: Uint32Array, marks: Uint8Array, mark: number): Uint32Array {
  const kept = new Uint32Array(docIds.length);
  let length = 0;
  for (let index = 0; index < docIds.length; index++) if (marks[index] === mark) kept[length++] = docIds[index];
  return kept.subarray(0, length);
}

/** Ids of a list that are in none of the sets. */
export function difference(layout: Layout, docIds: Uint32Array, sets: readonly DocIdSet[]): Uint32Array {
  const some = sets.filter(({ size }) => size !== 0);
  if (some.length === 0) return docIds;
  const isKept = new Uint8Array(docIds.length);
  for (const other of some) markCommon(layout, docIds, { other, isKept });
  return marked(docIds, isKept, 0);
}

interface Marked {
  other: DocIdSet;
  /** By index: 1 if in the other set. */
  isKept: Uint8Array;
}

/** Length ratio from which the longer list is searched by bisection instead of merged. */
const SEARCHED_RATIO_MIN = 16;

function markCommon(layout: Layout, docIds: Uint32Array, { other, isKept }: Marked): void {
  // Restrict the other list to the range between first and last.
  const last = docIds[docIds.length - 1];
  const listed = other.docIds.subarray(lowerBound(other.docIds, docIds[0]), lowerBound(other.docIds, last + 1));
  if (other.bits || listed.length > docIds.length * SEARCHED_RATIO_MIN) {
    for (let index = 0; index < docIds.length; index++) if (hasBit(other, layout, docIds[index])) isKept[index] = 1;
  } else if (docIds.length > listed.length * SEARCHED_RATIO_MIN) {
    for (const docId of listed) {
      const index = lowerBound(docIds, docId);
      if (docIds[index] === docId) isKept[index] = 1;
    }
  } else {
    let cursor = 0;
    for (let index = 0; index < docIds.length; index++) {
      while (cursor < listed.length && listed[cursor] < docIds[index]) cursor++;
      if (listed[cursor] === docIds[index]) isKept[index] = 1;
    }
  }
}

export function setBits(target: Uint32Array, layout: Layout, docIds: Uint32Array, length: number): void {
  let end = 0;
  let shift = 0;
  for (let index = 0; index < length; index++) {
    const docId = docIds[index];
    if (docId >= end) {
      end = (stepOf(docId) + 1) * POSITIONS_MAX;
      shift = wordOf(layout, docId) - (docId >>> 5);
    }
    target[(docId >>> 5) + shift] |= 1 << (docId & 31);
  }
}

/** Union of two ascending lists. */
function mergeTwo(one: Uint32Array, other: Uint32Array): Uint32Array {
  const merged = new Uint32Array(one.length + other.length);
  let length = 0;
  let oneIndex = 0;
  let otherIndex = 0;
  while (oneIndex < one.length && otherIndex < other.length) {
    const left = one[oneIndex];
    const right = other[otherIndex];
    merged[length++] = Math.min(left, right);
    if (left <= right) oneIndex++;
    if (right <= left) otherIndex++;
  }
  while (oneIndex < one.length) merged[length++] = one[oneIndex++];
  while (otherIndex < other.length) merged[length++] = other[otherIndex++];
  return merged.subarray(0, length);
}

/** Index of the first id in an ascending list that is not below `docId`. */
export function lowerBound(docIds: Uint32Array, docId: number): number {
  let low = 0;
  let high = docIds.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (docIds[middle] < docId) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Lists up to this length are sorted together, which is cheaper than merging many of them one by one. */
const SHORT_LENGTH_MAX = 16;

/** Shortest first, so that long lists are copied rarely. */
function mergeAll(all: readonly Uint32Array[]): Uint32Array {
  const short = all.filter(({ length }) => length <= SHORT_LENGTH_MAX);
  const long = all.filter(({ length }) => length > SHORT_LENGTH_MAX);
  return [sortTogether(short), ...long.toSorted((one, other) => one.length - other.length)].reduce(mergeTwo);
}

/** Union of any lists, by sorting. */
function sortTogether(lists: readonly Uint32Array[]): Uint32Array {
  if (lists.length < 2) return lists[0] ?? NO_DOC_IDS;
  const docIds = new Uint32Array(lists.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const list of lists) {
    docIds.set(list, end);
    end += list.length;
  }
  return withoutRepeats(docIds.sort());
}

/** Each id of an ascending list once, in place. */
export function withoutRepeats(docIds: Uint32Array): Uint32Array {
  let length = Math.min(1, docIds.length);
  for (let index = 1; index < docIds.length; index++)
    if (docIds[index] !== docIds[length - 1]) docIds[length++] = docIds[index];
  return docIds.subarray(0, length);
}

function orBits(target: Uint32Array, other: Uint32Array): void {
  for (let index = 0; index < target.length; index++) target[index] |= other[index];
}

export function countBits(bits: Uint32Array): number {
  let count = 0;
  for (let index = 0; index < bits.length; index++) count += countWord(bits[index]);
  return count;
}

export function countWord(word: number): number {
  let count = word - ((word >>> 1) & 0x55555555);
  count = (count & 0x33333333) + ((count >>> 2) & 0x33333333);
  return Math.imul((count + (count >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

const POSITION_MASK = 2 ** POSITION_BITS - 1;
const WORD_BITS = 32;

const positionOf = (docId: number): number => docId & POSITION_MASK;

/** Maps document ids to dense bits and back: rank steps in sequence, each aligned to a word. */
export interface Layout {
  /** First word of each step, and the end. */
  starts: number[];
  words: number;
}

/** `used` has the number of allocated positions of each step. */
export function layoutOf(used: readonly number[]): Layout {
  const starts: number[] = [];
  let words = 0;
  for (const positions of used) {
    starts.push(words);
    words += Math.ceil(positions / WORD_BITS);
  }
  return { starts, words };
}

/** The bitmap word of a document id; the bit is its low five bits. */
export const wordOf = (layout: Layout, docId: number): number =>
  layout.starts[stepOf(docId)] + (positionOf(docId) >>> 5);
