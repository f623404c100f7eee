import type { Response } from 'express';
import { HttpRefusal, SERVER_ERROR } from './protocol-errors.ts';

export function createSharedCapacity({ max, maxEach }: { max: number; maxEach: number }) {
  // Only callers with a reservation, so bounded by `max` too.
  const reserved = new Map<string, number>();
  let total = 0;
  return {
    /** Reserves an amount for a caller. Returns false and reserves nothing if it exceeds what is left. */
    acquire: (caller: string, amount: number): boolean => {
      const own = (reserved.get(caller) ?? 0) + amount;
      if (own > maxEach || total + amount > max) return false;
      reserved.set(caller, own);
      total += amount;
      return true;
    },
    release: (caller: string, amount: number): void => {
      const own = (reserved.get(caller) ?? 0) - amount;
      if (own > 0) reserved.set(caller, own);
      else reserved.delete(caller);
      total -= amount;
    },
  };
}

/** Identity for limits: the account of a key, or the network of an address. */
export interface Caller {
  readonly hasKey: boolean;
  readonly name: string;
}

/** Concurrent calls of callers without a key: in total, and per address. */
const ANONYMOUS_CALLS = { max: 64, maxEach: 16 };
const ANONYMOUS_STREAMS = { max: 40, maxEach: 4 };
/** Concurrent streams: in total, and per account. */
const KEYED_STREAMS = { max: 200, maxEach: 20 };

export type ConcurrencyLimits = ReturnType<typeof createConcurrencyLimits>;

/** Limits concurrent calls, apart for callers without a key. A request counts once its body has arrived, so slow senders occupy nothing. */
export function createConcurrencyLimits(activeMax: number) {
  const keyed = createSharedCapacity({ max: activeMax, maxEach: activeMax });
  const anonymous = createSharedCapacity(ANONYMOUS_CALLS);
  const streams = { anonymous: createSharedCapacity(ANONYMOUS_STREAMS), keyed: createSharedCapacity(KEYED_STREAMS) };
  let active = 0;
  let whenIdle: (() => void) | undefined;
  return {
    /** Counts a call until its response closes. Throws HttpRefusal 503 if too many are in progress. */
    beginCall: ({ hasKey, name }: Caller, response: Response): void => {
      const pool = hasKey ? keyed : anonymous;
      const holder = hasKey ? '' : name;
      if (!pool.acquire(holder, 1)) throw tooMany();
      active += 1;
      response.once('close', () => {
        pool.release(holder, 1);
        active -= 1;
        if (active === 0) whenIdle?.();
      });
    },
    /** Counts a stream until its response closes. Throws HttpRefusal 503 if too many are open. */
    beginStream: ({ hasKey, name }: Caller, response: Response): void => {
      const pool = hasKey ? streams.keyed : streams.anonymous;
      if (!pool.acquire(name, 1)) throw tooMany();
      response.once('close', () => pool.release(name, 1));
    },
    /** Resolves when no call is in progress, or after the time-out. */
    whenNoCalls: async (timeoutMs: number): Promise<void> => {
      if (active === 0) return;
      await new Promise<void>((resolve) => {
        whenIdle = resolve;
        setTimeout(resolve, timeoutMs).unref();
      });
    },
  };
}

export const TOO_MANY_REQUESTS = 'Too many requests are in progress; retry in a second.';
const tooMany = (): HttpRefusal => new HttpRefusal(503, { code: SERVER_ERROR, message: TOO_MANY_REQUESTS });
