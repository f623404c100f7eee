import type { FactValue } from '../../analytics/facts.ts';
import { UNKNOWN } from '../../records/facets.ts';
import { ensureCapacity } from '../ensure-capacity.ts';

/** Maximum interned lists; beyond, records may have duplicates. */
const SHARED_MAX = 65_536;
const POOL_START = 64;

/**
 * Interned value lists: records with equal values share a list, identified by a number.
 * @param keyOf called once per distinct value
 */
export function createValueLists(keyOf: (value: FactValue) => string) {
  let pool = new Uint32Array(POOL_START);
  let length = 1;
  const values: FactValue[] = [UNKNOWN];
  const keys: string[] = [UNKNOWN];
  const numbers = new Map<FactValue, number>();
  const shared = new Map<string, number>();
  const numberOf = (value: FactValue): number => {
    const known = numbers.get(value);
    if (known !== undefined) return known;
    numbers.set(value, values.length);
    keys.push(keyOf(value));
    return values.push(value) - 1;
  };
  return {
    /** Concatenated lists, each preceded by its length; list 0 is empty. */
    get pool(): Uint32Array {
      return pool;
    },
    /** Used length of the pool. */
    get length(): number {
      return length;
    },
    /** Values by their numbers in the lists; 0 is none. */
    values,
    /** Keys of the values; that of none is `UNKNOWN`. */
    keys,
    add(given: readonly FactValue[]): number {
      if (given.length === 0) return 0;
      const key = JSON.stringify(given);
      const known = shared.get(key);
      if (known !== undefined) return known;
      const list = length;
      length += given.length + 1;
      pool = ensureCapacity(pool, length);
      pool[list] = given.length;
      given.forEach((value, index) => {
        pool[list + 1 + index] = numberOf(value);
      });
      if (shared.size < SHARED_MAX) shared.set(key, list);
      return list;
    },
  };
}
