import type { FactValue } from '../../answers/facts.ts';

/** Lists of values, each a number: records that have the same values of a field share one list. */
export interface ValueLists {
  /** The lists one after the other, each with its length first; list 0 is the empty one. */
  readonly pool: Uint32Array;
  /** How much of the pool is used: every list is less than this. */
  readonly length: number;
  /** The values by their numbers in the lists. */
  readonly values: readonly FactValue[];
  /** The list of these values. */
  add(values: readonly FactValue[]): number;
}

/** Lists that are looked for when the same values come again; beyond them, records may have equal lists of their own. */
const SHARED_MAX = 65_536;
const POOL_START = 64;

export function createValueLists(): ValueLists {
  let pool = new Uint32Array(POOL_START);
  let length = 1;
  const values: FactValue[] = [];
  const numbers = new Map<FactValue, number>();
  const shared = new Map<string, number>();
  const numberOf = (value: FactValue): number => {
    const known = numbers.get(value);
    if (known !== undefined) return known;
    numbers.set(value, values.length);
    return values.push(value) - 1;
  };
  return {
    get pool() {
      return pool;
    },
    get length() {
      return length;
    },
    values,
    add(given) {
      if (given.length === 0) return 0;
      const key = JSON.stringify(given);
      const known = shared.get(key);
      if (known !== undefined) return known;
      const list = length;
      length += given.length + 1;
      pool = roomFor(pool, length);
      pool[list] = given.length;
      given.forEach((value, place) => {
        pool[list + 1 + place] = numberOf(value);
      });
      if (shared.size < SHARED_MAX) shared.set(key, list);
      return list;
    },
  };
}

interface TypedArray<Self> {
  readonly length: number;
  set(from: Self): void;
}

/** The array itself when it is long enough, or a copy of at least twice its length. */
export function roomFor<Self extends TypedArray<Self>>(array: Self, length: number): Self {
  if (length <= array.length) return array;
  const longer = new (array.constructor as new (length: number) => Self)(Math.max(length, array.length * 2));
  longer.set(array);
  return longer;
}
