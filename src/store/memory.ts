/** A cache of recently used values, between `size` and twice `size` entries. */
export interface Memory<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
  delete(key: Key): void;
  clear(): void;
}

export function createMemory<Key, Value>(size: number): Memory<Key, Value> {
  let recent = new Map<Key, Value>();
  let older = new Map<Key, Value>();
  const set = (key: Key, value: Value) => {
    if (recent.size >= size) [older, recent] = [recent, new Map<Key, Value>()];
    recent.set(key, value);
  };
  return {
    get(key) {
      const value = recent.get(key);
      if (value !== undefined) return value;
      const old = older.get(key);
      if (old !== undefined) set(key, old);
      return old;
    },
    set,
    delete(key) {
      recent.delete(key);
      older.delete(key);
    },
    clear() {
      recent = new Map<Key, Value>();
      older = new Map<Key, Value>();
    },
  };
}

/** Returns the cached value of a key, computing it if absent. */
export function remembered<Key, Value>(
  memory: Pick<Memory<Key, Value>, 'get' | 'set'>,
  key: Key,
  work: (key: Key) => Value,
): Value {
  const known = memory.get(key);
  if (known !== undefined) return known;
  const value = work(key);
  memory.set(key, value);
  return value;
}
