/** Sets of small integers, such as record ids, as bitmaps. */

const WORD_BITS = 32;

/** An empty bitmap for the integers up to one. */
export const bitmapUpTo = (last: number): Uint32Array => new Uint32Array(Math.floor(last / WORD_BITS) + 1);

/** Adds an integer; one beyond the bitmap is ignored. */
export function addTo(bits: Uint32Array, index: number): void {
  bits[index >>> 5] |= 1 << (index & 31);
}

/** Whether a bitmap has an integer; one beyond it has none. */
export const isIn = (bits: Uint32Array, index: number): boolean => ((bits[index >>> 5] >>> (index & 31)) & 1) === 1;

/** The integers of a bitmap, ascending. */
export function membersOf(bits: Uint32Array): number[] {
  const members: number[] = [];
  for (let word = 0; word < bits.length; word++) {
    for (let rest = bits[word]; rest !== 0; rest &= rest - 1)
      members.push(word * WORD_BITS + 31 - Math.clz32(rest & -rest));
  }
  return members;
}
