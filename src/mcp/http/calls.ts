import type { Response } from 'express';
import { createPool } from './pool.ts';
import { HttpRefusal, SERVER_ERROR } from './protocol-errors.ts';

/** Who sends a request: an account with a key, without one a network. */
export interface Caller {
  readonly hasKey: boolean;
  readonly name: string;
}

/** What callers without a key may have under way at once: all of them, and those of one address. */
const ANONYMOUS_CALLS = { max: 64, maxEach: 16 };
const ANONYMOUS_STREAMS = { max: 40, maxEach: 4 };
/** Streams of all accounts, and of one. */
const KEYED_STREAMS = { max: 200, maxEach: 20 };

/** The calls that are under way, and the streams of those who listen. */
export interface Calls {
  /** Counts a call until its response closes; refuses it when too many are under way. */
  enter(caller: Caller, response: Response): void;
  /** Counts a stream, which stays open for as long as its client likes; refuses it when too many are open. */
  listen(caller: Caller, response: Response): void;
  /** Resolves when no call is under way, or after this time. */
  idle(timeoutMs: number): Promise<void>;
}

/**
 * Bounds the calls under way. Callers without a key have places of their own, which are few for each address, so they
 * cannot take those of callers with a key. A request takes its place when its body is here, so a slow sender has none.
 */
export function countCalls(activeMax: number): Calls {
  const keyed = createPool({ max: activeMax, maxEach: activeMax });
  const anonymous = createPool(ANONYMOUS_CALLS);
  const streams = { anonymous: createPool(ANONYMOUS_STREAMS), keyed: createPool(KEYED_STREAMS) };
  let active = 0;
  let whenIdle: (() => void) | undefined;
  return {
    enter: ({ hasKey, name }, response) => {
      const pool = hasKey ? keyed : anonymous;
      const holder = hasKey ? '' : name;
      if (!pool.take(holder, 1)) throw tooMany();
      active += 1;
      response.once('close', () => {
        pool.give(holder, 1);
        active -= 1;
        if (active === 0) whenIdle?.();
      });
    },
    listen: ({ hasKey, name }, response) => {
      const pool = hasKey ? streams.keyed : streams.anonymous;
      if (!pool.take(name, 1)) throw tooMany();
      response.once('close', () => pool.give(name, 1));
    },
    idle: async (timeoutMs) => {
      if (active === 0) return;
      await new Promise<void>((resolve) => {
        whenIdle = resolve;
        setTimeout(resolve, timeoutMs).unref();
      });
    },
  };
}

export const TOO_MANY = 'Too many requests are under way; try again in a second.';
const tooMany = (): HttpRefusal => new HttpRefusal(503, { code: SERVER_ERROR, message: TOO_MANY });
