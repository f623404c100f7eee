import { ipKeyGenerator, MemoryStore, type Options } from 'express-rate-limit';
import { ServiceError, TEXT } from '../../contract/errors.ts';

const WINDOW_SECONDS = 10;
/** Refused payments, and searches that were made to answer without a payment, from one address in that window. */
const REFUSED_MAX = 100;

/** Refused payments of each address, in this process. */
export interface Refusals {
  /** Counts one that was refused. */
  note(address: string | null): Promise<void>;
  /** Throws `burst_limit_exceeded` while an address has had too many. */
  check(address: string | null): Promise<void>;
}

/** Nobody can lock out a neighbour who has paid: what is asked about here is new payments only. */
export function createRefusals(burstPerSecond: number): Refusals {
  if (burstPerSecond === 0) return { note: async () => undefined, check: async () => undefined };
  const counts = new MemoryStore();
  // It reads nothing else of the options that the middleware has.
  counts.init({ windowMs: WINDOW_SECONDS * 1_000 } as Options);
  const keyOf = (address: string | null): string => ipKeyGenerator(address ?? '');
  return {
    note: async (address) => void (await counts.increment(keyOf(address))),
    check: async (address) => {
      const { totalHits = 0, resetTime } = (await counts.get(keyOf(address))) ?? {};
      const waitMs = (resetTime?.getTime() ?? 0) - Date.now();
      // Counts of a window that is over are still there until the library has cleared them away.
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
