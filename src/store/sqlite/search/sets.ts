import { PLACES_MAX, stepOf } from '../../search/places.ts';
import { type Layout, wordOf } from './ordinals.ts';

/** An immutable set of document ids: ascending ids, or a bitmap if smaller. */
export interface OrdinalSet {
  readonly bits: Uint32Array | undefined;
  readonly ordinals: Uint32Array;
  /** If known without counting. */
  readonly size: number | undefined;
}

const NO_ORDINALS = new Uint32Array();
export const EMPTY_SET: OrdinalSet = { bits: undefined, ordinals: NO_ORDINALS, size: 0 };

export const setOfOrdinals = (ordinals: Uint32Array): OrdinalSet => ({
  bits: undefined,
  ordinals,
  size: ordinals.length,
});
export const setOfBits = (bits: Uint32Array, size?: number): OrdinalSet => ({ bits, ordinals: NO_ORDINALS, size });

/** From this count on, a bitmap is smaller. */
export const isWorthBits = (layout: Layout, count: number): boolean => count >= layout.words;

export const bytesOf = ({ bits, ordinals }: OrdinalSet): number => bits?.byteLength ?? ordinals.byteLength;

export function sizeOf({ bits, size }: OrdinalSet): number {
  return size ?? (bits ? countBits(bits) : 0);
}

/** Dense bit index of a document id. */
export const bitOf = (layout: Layout, ordinal: number): number => wordOf(layout, ordinal) * 32 + (ordinal & 31);

export function hasBit({ bits, ordinals }: OrdinalSet, layout: Layout, ordinal: number): boolean {
  if (bits) return ((bits[wordOf(layout, ordinal)] >>> (ordinal & 31)) & 1) === 1;
  return ordinals[placeIn(ordinals, ordinal)] === ordinal;
}

/** Union. */
export function unite(layout: Layout, sets: readonly OrdinalSet[]): OrdinalSet {
  const some = sets.filter(({ size }) => size !== 0);
  if (some.length < 2) return some[0] ?? EMPTY_SET;
  const listed = some.filter(({ bits }) => bits === undefined);
  const count = listed.reduce((sum, { ordinals }) => sum + ordinals.length, 0);
  if (listed.length === some.length && !isWorthBits(layout, count))
    return setOfOrdinals(mergeAll(listed.map(({ ordinals }) => ordinals)));
  const [first, ...others] = some.flatMap(({ bits }) => bits ?? []);
  const united = first?.slice() ?? new Uint32Array(layout.words);
  for (const bits of others) addBits(united, bits);
  for (const { ordinals } of listed) setBits(united, layout, ordinals, ordinals.length);
  return setOfBits(united);
}

/** Intersection of a listed set with the union of others. */
export function keepAny(layout: Layout, { ordinals }: OrdinalSet, others: readonly OrdinalSet[]): OrdinalSet {
  const isKept = new Uint8Array(ordinals.length);
  for (const other of others) markCommon(layout, ordinals, { other, isKept });
  return setOfOrdinals(marked(ordinals, isKept, 1));
}

// A manual loop: the filter method of typed arrays is ten times slower.
function marked(ordinals: Uint32Array, marks: Uint8Array, mark: number): Uint32Array {
  const kept = new Uint32Array(ordinals.length);
  let length = 0;
  for (let index = 0; index < ordinals.length; index++) if (marks[index] === mark) kept[length++] = ordinals[index];
  return kept.subarray(0, length);
}

/** Difference of a list and some sets. */
export function without(layout: Layout, ordinals: Uint32Array, sets: readonly OrdinalSet[]): Uint32Array {
  const some = sets.filter(({ size }) => size !== 0);
  if (some.length === 0) return ordinals;
  const isKept = new Uint8Array(ordinals.length);
  for (const other of some) markCommon(layout, ordinals, { other, isKept });
  return marked(ordinals, isKept, 0);
}

interface Marked {
  other: OrdinalSet;
  /** By index: 1 if in the other set. */
  isKept: Uint8Array;
}

/** Length ratio from which the longer list is searched by bisection instead of merged. */
const SEARCHED_RATIO_MIN = 16;

function markCommon(layout: Layout, ordinals: Uint32Array, { other, isKept }: Marked): void {
  // Restrict the other list to the range between first and last.
  const last = ordinals[ordinals.length - 1];
  const listed = other.ordinals.subarray(placeIn(other.ordinals, ordinals[0]), placeIn(other.ordinals, last + 1));
  if (other.bits || listed.length > ordinals.length * SEARCHED_RATIO_MIN) {
    for (let index = 0; index < ordinals.length; index++) if (hasBit(other, layout, ordinals[index])) isKept[index] = 1;
  } else if (ordinals.length > listed.length * SEARCHED_RATIO_MIN) {
    for (const ordinal of listed) {
      const index = placeIn(ordinals, ordinal);
      if (ordinals[index] === ordinal) isKept[index] = 1;
    }
  } else {
    let place = 0;
    for (let index = 0; index < ordinals.length; index++) {
      while (place < listed.length && listed[place] < ordinals[index]) place++;
      if (listed[place] === ordinals[index]) isKept[index] = 1;
    }
  }
}

/** Sets the bits of the first `length` ids. */
export function setBits(target: Uint32Array, layout: Layout, ordinals: Uint32Array, length: number): void {
  let end = 0;
  let shift = 0;
  for (let index = 0; index < length; index++) {
    const ordinal = ordinals[index];
    if (ordinal >= end) {
      end = (stepOf(ordinal) + 1) * PLACES_MAX;
      shift = wordOf(layout, ordinal) - (ordinal >>> 5);
    }
    target[(ordinal >>> 5) + shift] |= 1 << (ordinal & 31);
  }
}

/** Union of two ascending lists. */
function mergeOrdinals(one: Uint32Array, other: Uint32Array): Uint32Array {
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

/** Index of the first document id not below `ordinal`. */
export function placeIn(ordinals: Uint32Array, ordinal: number): number {
  let low = 0;
  let high = ordinals.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ordinals[middle] < ordinal) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Shortest first, so that long lists are copied rarely. */
function mergeAll(all: readonly Uint32Array[]): Uint32Array {
  return all.toSorted((one, other) => one.length - other.length).reduce(mergeOrdinals, NO_ORDINALS);
}

function addBits(target: Uint32Array, other: Uint32Array): void {
  for (let index = 0; index < target.length; index++) target[index] |= other[index];
}

export function countBits(bits: Uint32Array): number {
  let count = 0;
  for (let index = 0; index < bits.length; index++) count += countWord(bits[index]);
  return count;
}

/** Population count. */
export function countWord(word: number): number {
  let count = word - ((word >>> 1) & 0x55555555);
  count = (count & 0x33333333) + ((count >>> 2) & 0x33333333);
  return Math.imul((count + (count >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
