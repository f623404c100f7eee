import { type Layout, ordinalOfWord, PLACES_MAX, stepOf, wordOf } from './ordinals.ts';

/** A set of ordinals, never changed once it is made: ascending ordinals, or bits where these are smaller. */
export interface OrdinalSet {
  readonly bits: Uint32Array | undefined;
  readonly ordinals: Uint32Array;
  /** Where it is known without counting. */
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

/** From this number of ordinals on, bits take less room. */
export const isWorthBits = (layout: Layout, count: number): boolean => count >= layout.words;

export const bytesOf = ({ bits, ordinals }: OrdinalSet): number => bits?.byteLength ?? ordinals.byteLength;

export function sizeOf({ bits, size }: OrdinalSet): number {
  return size ?? (bits ? countBits(bits) : 0);
}

export function has({ bits, ordinals }: OrdinalSet, layout: Layout, ordinal: number): boolean {
  if (bits) return ((bits[wordOf(layout, ordinal)] >>> (ordinal & 31)) & 1) === 1;
  return ordinals[placeIn(ordinals, ordinal)] === ordinal;
}

/** What is in any of the sets. */
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

/** What is in all of the sets. */
export function intersect(layout: Layout, sets: readonly OrdinalSet[]): OrdinalSet {
  const different = [...new Set(sets)];
  if (different.length < 2) return different[0] ?? EMPTY_SET;
  const listed = different.filter(({ bits }) => bits === undefined);
  const bitSets = different.flatMap(({ bits }) => bits ?? []);
  if (listed.length === 0) return setOfBits(commonBits(bitSets));
  const [least, ...others] = listed.toSorted((one, other) => one.ordinals.length - other.ordinals.length);
  const rest = [...others, ...different.filter(({ bits }) => bits !== undefined)];
  return rest.reduce((left, other) => keep(left, (ordinal) => has(other, layout, ordinal)), least);
}

/** What is in one set and not in the other. */
export function subtract(layout: Layout, set: OrdinalSet, other: OrdinalSet): OrdinalSet {
  if (set.size === 0 || other.size === 0) return set;
  if (!set.bits) return keep(set, (ordinal) => !has(other, layout, ordinal));
  const bits = set.bits.slice();
  if (other.bits) for (let index = 0; index < bits.length; index++) bits[index] &= ~other.bits[index];
  else for (const ordinal of other.ordinals) bits[wordOf(layout, ordinal)] &= ~(1 << (ordinal & 31));
  return setOfBits(bits);
}

/** The ordinals of a set from the `offset`-th on, at most `limit`. */
export function pick(set: OrdinalSet, layout: Layout, offset: number, limit: number): number[] {
  if (!set.bits) return Array.from(set.ordinals.subarray(offset, offset + limit));
  const picked: number[] = [];
  let skipped = 0;
  for (let index = 0; index < set.bits.length && picked.length < limit; index++) {
    if (set.bits[index] === 0) continue;
    const count = countWord(set.bits[index]);
    if (skipped + count <= offset) {
      skipped += count;
      continue;
    }
    const base = ordinalOfWord(layout, index);
    for (let word = set.bits[index]; word !== 0 && picked.length < limit; word &= word - 1) {
      if (skipped++ >= offset) picked.push(base + 31 - Math.clz32(word & -word));
    }
  }
  return picked;
}

/** Every ordinal of a set, ascending. */
export function ordinalsOf(set: OrdinalSet, layout: Layout): Uint32Array {
  return set.bits ? Uint32Array.from(pick(set, layout, 0, Infinity)) : set.ordinals;
}

/** Sets the bits of the first `length` of ascending ordinals. */
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

/** Both ascending; what is in both is kept once. */
export function mergeOrdinals(one: Uint32Array, other: Uint32Array): Uint32Array {
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

/** The index of the first ordinal that is not below `ordinal`. */
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

/** The shortest first, so that long ones are copied seldom. */
function mergeAll(all: readonly Uint32Array[]): Uint32Array {
  return all.toSorted((one, other) => one.length - other.length).reduce(mergeOrdinals, NO_ORDINALS);
}

function keep({ ordinals }: OrdinalSet, isKept: (ordinal: number) => boolean): OrdinalSet {
  return setOfOrdinals(ordinals.filter(isKept));
}

function addBits(target: Uint32Array, other: Uint32Array): void {
  for (let index = 0; index < target.length; index++) target[index] |= other[index];
}

function commonBits([one, other, ...more]: readonly Uint32Array[]): Uint32Array {
  const bits = new Uint32Array(one.length);
  for (let index = 0; index < bits.length; index++) bits[index] = one[index] & other[index];
  for (const next of more) for (let index = 0; index < bits.length; index++) bits[index] &= next[index];
  return bits;
}

function countBits(bits: Uint32Array): number {
  let count = 0;
  for (let index = 0; index < bits.length; index++) count += countWord(bits[index]);
  return count;
}

function countWord(word: number): number {
  let count = word - ((word >>> 1) & 0x55555555);
  count = (count & 0x33333333) + ((count >>> 2) & 0x33333333);
  return Math.imul((count + (count >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
