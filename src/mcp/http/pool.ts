/** An amount that callers share, and of which each may hold a part. */
export interface Pool {
  /** Takes an amount for a caller, or nothing and false when that is more than is left. */
  take(caller: string, amount: number): boolean;
  give(caller: string, amount: number): void;
}

interface Bounds {
  readonly max: number;
  readonly maxEach: number;
}

export function createPool({ max, maxEach }: Bounds): Pool {
  // Holds only those who hold something, so it is bounded by `max` too.
  const held = new Map<string, number>();
  let total = 0;
  return {
    take: (caller, amount) => {
      const own = (held.get(caller) ?? 0) + amount;
      if (own > maxEach || total + amount > max) return false;
      held.set(caller, own);
      total += amount;
      return true;
    },
    give: (caller, amount) => {
      const own = (held.get(caller) ?? 0) - amount;
      if (own > 0) held.set(caller, own);
      else held.delete(caller);
      total -= amount;
    },
  };
}
