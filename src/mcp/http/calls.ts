import type { RequestHandler, Response } from 'express';
import { HttpRefusal, SERVER_ERROR } from './errors.ts';

/** The requests that are under way. */
export interface Calls {
  /** Lets a request in, or refuses it when there are too many. */
  readonly limit: RequestHandler;
  /** Takes a request out before it has ended. */
  leave(response: Response): void;
  /** Resolves when none is under way, or after this time. */
  idle(timeoutMs: number): Promise<void>;
}

/** Lets so many requests be under way at once; more are told to come again. */
export function countCalls(activeMax: number): Calls {
  const active = new Set<Response>();
  let whenIdle: (() => void) | undefined;
  const leave = (response: Response): void => {
    active.delete(response);
    if (active.size === 0) whenIdle?.();
  };
  return {
    leave,
    limit: (_request, response, next) => {
      if (active.size >= activeMax) {
        response.set('Retry-After', '1');
        throw new HttpRefusal(503, {
          code: SERVER_ERROR,
          message: 'Too many requests are under way; try again in a second.',
        });
      }
      active.add(response);
      response.once('close', () => leave(response));
      next();
    },
    idle: async (timeoutMs) => {
      if (active.size === 0) return;
      await new Promise<void>((resolve) => {
        whenIdle = resolve;
        setTimeout(resolve, timeoutMs).unref();
      });
    },
  };
}
