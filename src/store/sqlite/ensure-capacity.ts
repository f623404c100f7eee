interface TypedArray<Self> {
  readonly length: number;
  set(from: Self): void;
}

/** The array if long enough, or a copy of at least twice its length. */
export function ensureCapacity<Self extends TypedArray<Self>>(array: Self, length: number): Self {
  if (length <= array.length) return array;
  const longer = new (array.constructor as new (length: number) => Self)(Math.max(length, array.length * 2));
  longer.set(array);
  return longer;
}

/** Ensures the capacity of several arrays of an object. */
export function ensureCapacities<Name extends string>(
  arrays: Record<Name, Uint8Array | Uint32Array | Float64Array>,
  names: readonly Name[],
  length: number,
): void {
  // Each stays of its own kind.
  const ofOneKind = arrays as Record<Name, Uint32Array>;
  for (const name of names) ofOneKind[name] = ensureCapacity(ofOneKind[name], length);
}
