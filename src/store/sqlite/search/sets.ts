import { docIdOf, POSITION_BITS, POSITIONS_MAX, stepOf } from '../../search/matches.ts';
import { ensureCapacity } from '../ensure-capacity.ts';

/** An immutable set of document ids: ascending ids, or a bitmap if there are many. */
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

/** Memory of a bitmap by that of a list that is replaced by it, because bitmaps are combined faster. */
const BITMAP_MEMORY_MAX = 4;

/** Whether a bitmap of the layout is worth its memory instead of a list of `count` ids. */
export const isWorthBitmap = (layout: Layout, count: number): boolean => count * BITMAP_MEMORY_MAX >= layout.words;

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

// Kept between calls, because allocating costs as much as looking up.
let marks = new Uint8Array();
let kept = new Uint32Array();

/** Intersection of a set that is a list with the union of others. */
export function intersectUnion(layout: Layout, { docIds }: DocIdSet, others: readonly DocIdSet[]): DocIdSet {
  marks = ensureCapacity(marks, docIds.length);
  marks.fill(0, 0, docIds.length);
  for (const other of others) if (other.size !== 0) markCommon(layout, docIds, { other, isKept: marks });
  return setOfDocIds(marked(docIds, marks));
}

// A manual loop: the filter method of typed arrays is ten times slower.
function marked(docIds: Uint32Array, isKept: Uint8Array): Uint32Array {
  kept = ensureCapacity(kept, docIds.length);
  let length = 0;
  for (let index = 0; index < docIds.length; index++) {
    kept[length] = docIds[index];
    length += isKept[index];
  }
  return kept.slice(0, length);
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
  if (other.bits) {
    markBits(layout, docIds, other.bits, isKept);
  } else if (listed.length > docIds.length * SEARCHED_RATIO_MIN) {
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

function markBits(layout: Layout, docIds: Uint32Array, bits: Uint32Array, isKept: Uint8Array): void {
  let end = 0;
  let shift = 0;
  for (let index = 0; index < docIds.length; index++) {
    const docId = docIds[index];
    if (docId >= end) {
      end = (stepOf(docId) + 1) * POSITIONS_MAX;
      shift = wordOf(layout, docId) - (docId >>> 5);
    }
    isKept[index] |= (bits[(docId >>> 5) + shift] >>> (docId & 31)) & 1;
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

/** Index, from `start` on, of the first id in an ascending list that is not below `docId`. */
export function lowerBound(docIds: Uint32Array, docId: number, start: number = 0): number {
  let low = start;
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
  return lists.length < 2 ? (lists[0] ?? NO_DOC_IDS) : withoutRepeats(allAscending(lists));
}

/** The ids of all lists, ascending, each as often as it is listed. */
export function allAscending(lists: readonly Uint32Array[]): Uint32Array {
  const all = new Uint32Array(lists.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const list of lists) {
    all.set(list, end);
    end += list.length;
  }
  return all.sort();
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

export const countBits = (bits: Uint32Array): number => countCommon([bits]);

/**
 * The number of bits that are in all of one to three bitmaps. Adds up eight words bit by bit before bits are counted
 * (Harley and Seal), in half the time of counting each word; without calls, which are slow until V8 has compiled it.
 */
export function countCommon([one, two = one, three = two]: readonly Uint32Array[]): number {
  const end = one.length - (one.length % 8);
  let [ones, twos, fours, eights, left, right, half] = [0, 0, 0, 0, 0, 0, 0];
  for (let at = 0; at < end; at += 8) {
    left = one[at] & two[at] & three[at];
    right = one[at + 1] & two[at + 1] & three[at + 1];
    half = ones ^ left;
    const firstTwos = (ones & left) | (half & right);
    ones = half ^ right;
    left = one[at + 2] & two[at + 2] & three[at + 2];
    right = one[at + 3] & two[at + 3] & three[at + 3];
    half = ones ^ left;
    const secondTwos = (ones & left) | (half & right);
    ones = half ^ right;
    half = twos ^ firstTwos;
    const firstFours = (twos & firstTwos) | (half & secondTwos);
    twos = half ^ secondTwos;
    left = one[at + 4] & two[at + 4] & three[at + 4];
    right = one[at + 5] & two[at + 5] & three[at + 5];
    half = ones ^ left;
    const thirdTwos = (ones & left) | (half & right);
    ones = half ^ right;
    left = one[at + 6] & two[at + 6] & three[at + 6];
    right = one[at + 7] & two[at + 7] & three[at + 7];
    half = ones ^ left;
    const fourthTwos = (ones & left) | (half & right);
    ones = half ^ right;
    half = twos ^ thirdTwos;
    const secondFours = (twos & thirdTwos) | (half & fourthTwos);
    twos = half ^ fourthTwos;
    half = fours ^ firstFours;
    eights += countWord((fours & firstFours) | (half & secondFours));
    fours = half ^ secondFours;
  }
  let count = 8 * eights + 4 * countWord(fours) + 2 * countWord(twos) + countWord(ones);
  for (let at = end; at < one.length; at++) count += countWord(one[at] & two[at] & three[at]);
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

/** The document id of the first bit of a bitmap word. */
export function docIdAt({ starts }: Layout, word: number): number {
  let step = 0;
  while (starts[step + 1] <= word) step++;
  return docIdOf(step, (word - starts[step]) * WORD_BITS);
}
