import type { LRUCache } from 'lru-cache';

export interface Cache<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): unknown;
  delete(key: Key): boolean;
  clear(): void;
}

/** A cache that is emptied when full; an LRU cache allocates room for all its entries when it is created or cleared. */
export function createCache<Key, Value>(max: number): Cache<Key, Value> {
  const entries = new Map<Key, Value>();
  return {
    get: (key) => entries.get(key),
    set: (key, value) => {
      if (entries.size >= max) entries.clear();
      entries.set(key, value);
    },
    delete: (key) => entries.delete(key),
    clear: () => entries.clear(),
  };
}

/** Returns the cached value of a key, computing it if absent; undefined is not cached. */
export function cached<Key extends {}, Value extends {}, Computed extends Value | undefined = Value>(
  cache: LRUCache<Key, Value> | Pick<Cache<Key, Value>, 'get' | 'set'>,
  key: Key,
  compute: (key: Key) => Computed,
): Value | Computed {
  const known = cache.get(key);
  if (known !== undefined) return known;
  const value = compute(key);
  if (value !== undefined) cache.set(key, value);
  return value;
}
