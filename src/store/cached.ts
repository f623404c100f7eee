import type { LRUCache } from 'lru-cache';

/** Returns the cached value of a key, computing it if absent; undefined is not cached. */
export function cached<Key extends {}, Value extends {}, Computed extends Value | undefined = Value>(
  cache: LRUCache<Key, Value> | Map<Key, Value>,
  key: Key,
  compute: (key: Key) => Computed,
): Value | Computed {
  const known = cache.get(key);
  if (known !== undefined) return known;
  const value = compute(key);
  if (value !== undefined) cache.set(key, value);
  return value;
}
