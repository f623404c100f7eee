import type { Dimension } from './dimensions.ts';
import { roomFor } from './value-lists.ts';

/** Numbers of the pairs of values seen, found in a hash table with open addressing, at most half full. */
export interface Pairs {
  readonly length: number;
  /** By pair, its values. */
  readonly first: Uint32Array;
  readonly second: Uint32Array;
  /** By hash, the number of a pair plus one; 0 if free. */
  readonly slots: Uint32Array;
  /** The number of a pair, which is added if it is new. */
  groupOf(first: number, second: number): number;
}

/** Up to this many possible pairs have a slot each. */
const DIRECT_MAX = 2 ** 18;
/** Of slots in the beginning. */
const SLOTS_BITS = 12;
/** 2^32 divided by the golden ratio: spreads the hashes of adjacent values (Knuth). */
const GOLDEN = 0x9e3779b1;

/** Undefined unless there are two dimensions. */
export function pairsFor([one, other]: readonly Dimension[]): Pairs | undefined {
  if (other === undefined) return undefined;
  const width = other.lists().size;
  const possible = one.lists().size * width;
  const isDirect = possible <= DIRECT_MAX;
  let bits = isDirect ? Math.ceil(Math.log2(possible + 1)) : SLOTS_BITS;
  let slots = new Uint32Array(2 ** bits);
  let [first, second] = [new Uint32Array(1), new Uint32Array(1)];
  let length = 0;
  /** The slot of a pair, or the free one where it belongs. */
  const slotOf = (a: number, b: number): number => {
    const mask = slots.length - 1;
    const index = Math.imul(a, width) + b;
    let slot = isDirect ? index & mask : Math.imul(index, GOLDEN) >>> (32 - bits);
    for (;;) {
      const pair = slots[slot] - 1;
      if (pair < 0 || (first[pair] === a && second[pair] === b)) return slot;
      slot = (slot + 1) & mask;
    }
  };
  const add = (a: number, b: number): number => {
    if (length * 2 >= slots.length) {
      bits += 1;
      slots = new Uint32Array(2 ** bits);
      for (let pair = 0; pair < length; pair += 1) slots[slotOf(first[pair], second[pair])] = pair + 1;
    }
    first = roomFor(first, length + 1);
    second = roomFor(second, length + 1);
    first[length] = a;
    second[length] = b;
    length += 1;
    slots[slotOf(a, b)] = length;
    return length - 1;
  };
  return {
    get length() {
      return length;
    },
    get first() {
      return first;
    },
    get second() {
      return second;
    },
    get slots() {
      return slots;
    },
    groupOf: (a, b) => {
      const pair = slots[slotOf(a, b)] - 1;
      return pair < 0 ? add(a, b) : pair;
    },
  };
}
