import { ipKeyGenerator, MemoryStore, type Options } from 'express-rate-limit';
import { ServiceError, TEXT } from '../../contract/errors.ts';

const WINDOW_SECONDS = 10;
/** Refused payments and unpaid computations per address and window. */
const REFUSED_MAX = 100;

/** Refused payments by address, in this process. */
export interface RefusedPaymentLimit {
  /** Counts a refusal. */
  count(address: string | null): Promise<void>;
  /** Throws `burst_limit_exceeded` if an address has had too many. */
  check(address: string | null): Promise<void>;
}

/** Applied to new payments only, so that abuse from an address cannot block payments already made from it. */
export function createRefusedPaymentLimit(burstPerSecond: number): RefusedPaymentLimit {
  if (burstPerSecond === 0) return { count: async () => undefined, check: async () => undefined };
  const counts = new MemoryStore();
  // Only `windowMs` is used of the options.
  counts.init({ windowMs: WINDOW_SECONDS * 1_000 } as Options);
  const keyOf = (address: string | null): string => ipKeyGenerator(address ?? '');
  return {
    count: async (address) => void (await counts.increment(keyOf(address))),
    check: async (address) => {
      const { totalHits = 0, resetTime } = (await counts.get(keyOf(address))) ?? {};
      const waitMs = (resetTime?.getTime() ?? 0) - Date.now();
      // The library keeps expired counts until its next cleanup.
      if (totalHits < REFUSED_MAX || waitMs <= 0) return;
      const wait = Math.ceil(waitMs / 1_000);
      throw new ServiceError('burst_limit_exceeded', TEXT.rateLimited, {
        headers: {
          'Retry-After': String(wait),
          'RateLimit-Policy': `"burst";q=${REFUSED_MAX};w=${WINDOW_SECONDS}`,
          RateLimit: `"burst";r=0;t=${wait}`,
        },
      });
    },
  };
}
