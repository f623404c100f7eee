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
