/** A value created by the first use. After a failure, the next use creates it again. */
export interface Lazy<Value> {
  get(): Promise<Value>;
  /** The value, or undefined if no use has created it. */
  peek(): Promise<Value | undefined>;
  /** Makes the next use create it again. */
  forget(): void;
}

export function createLazy<Value>(create: () => Promise<Value>): Lazy<Value> {
  let created: Promise<Value> | undefined;
  return {
    get: () => {
      created ??= create().catch((error: unknown) => {
        created = undefined;
        throw error;
      });
      return created;
    },
    peek: async () => created?.catch(() => undefined),
    forget: () => {
      created = undefined;
    },
  };
}

/** A function that computes its value on the first call. */
export function once<Value extends object>(compute: () => Value): () => Value {
  let value: Value | undefined;
  return () => {
    value ??= compute();
    return value;
  };
}
