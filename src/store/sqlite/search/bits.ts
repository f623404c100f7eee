import { type Layout, ordinalOfWord, placeOf, wordOf } from './ordinals.ts';

export function setBit(bits: Uint32Array, layout: Layout, ordinal: number): void {
  bits[wordOf(layout, ordinal)] |= 1 << (placeOf(ordinal) & 31);
}

export function clearBit(bits: Uint32Array, layout: Layout, ordinal: number): void {
  bits[wordOf(layout, ordinal)] &= ~(1 << (placeOf(ordinal) & 31));
}

export function hasBit(bits: Uint32Array, layout: Layout, ordinal: number): boolean {
  return ((bits[wordOf(layout, ordinal)] >>> (placeOf(ordinal) & 31)) & 1) === 1;
}

export function intersect(target: Uint32Array, other: Uint32Array): void {
  for (let index = 0; index < target.length; index++) target[index] &= other[index];
}

export function unite(target: Uint32Array, other: Uint32Array): void {
  for (let index = 0; index < target.length; index++) target[index] |= other[index];
}

export function subtract(target: Uint32Array, other: Uint32Array): void {
  for (let index = 0; index < target.length; index++) target[index] &= ~other[index];
}

export function countBits(bits: Uint32Array): number {
  let count = 0;
  for (let index = 0; index < bits.length; index++) {
    if (bits[index] !== 0) count += countWord(bits[index]);
  }
  return count;
}

/** The ordinals of the set bits from the `offset`-th on, at most `limit`. */
export function pickBits(bits: Uint32Array, layout: Layout, offset: number, limit: number): number[] {
  const picked: number[] = [];
  let skipped = 0;
  for (let index = 0; index < bits.length && picked.length < limit; index++) {
    if (bits[index] === 0) continue;
    const count = countWord(bits[index]);
    if (skipped + count <= offset) {
      skipped += count;
      continue;
    }
    const base = ordinalOfWord(layout, index);
    for (let word = bits[index]; word !== 0 && picked.length < limit; word &= word - 1) {
      if (skipped++ >= offset) picked.push(base + 31 - Math.clz32(word & -word));
    }
  }
  return picked;
}

function countWord(word: number): number {
  let count = word - ((word >>> 1) & 0x55555555);
  count = (count & 0x33333333) + ((count >>> 2) & 0x33333333);
  return Math.imul((count + (count >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
