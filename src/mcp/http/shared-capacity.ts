/** A shared amount, of which each caller may hold a bounded part. */
export interface SharedCapacity {
  /** Reserves an amount for a caller. Returns false and reserves nothing if it exceeds what is left. */
  acquire(caller: string, amount: number): boolean;
  release(caller: string, amount: number): void;
}

interface CapacityLimits {
  readonly max: number;
  readonly maxEach: number;
}

export function createSharedCapacity({ max, maxEach }: CapacityLimits): SharedCapacity {
  // Only callers with a reservation, so bounded by `max` too.
  const reserved = new Map<string, number>();
  let total = 0;
  return {
    acquire: (caller, amount) => {
      const own = (reserved.get(caller) ?? 0) + amount;
      if (own > maxEach || total + amount > max) return false;
      reserved.set(caller, own);
      total += amount;
      return true;
    },
    release: (caller, amount) => {
      const own = (reserved.get(caller) ?? 0) - amount;
      if (own > 0) reserved.set(caller, own);
      else reserved.delete(caller);
      total -= amount;
    },
  };
}
