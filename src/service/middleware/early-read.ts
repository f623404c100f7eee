import type { Request, RequestHandler, Response } from 'express';
import type { KeyRecord, QuotaTaken } from '../../store/port/access.ts';
import type { Reply } from '../call.ts';

/** A read that began while its request was being counted. */
interface EarlyRead {
  /** Change-log position that it includes. */
  readonly position: number;
  readonly reply: Promise<Reply>;
}

/** Offers the read of a request, which must have no effect, to `createEarlyReads`. */
export const offerEarlyRead =
  (read: (request: Request, response: Response) => Promise<Reply>): RequestHandler =>
  (request, response, next) => {
    response.locals['startRead'] = () => read(request, response);
    next();
  };

/** The reply of an early read that its count has admitted, if any. */
export const earlyReplyOf = ({ locals }: Response): Promise<Reply> | undefined =>
  (locals['earlyRead'] as EarlyRead | undefined)?.reply;

/**
 * Begins reads while a remote counter counts their requests. It begins only with a cached key whose last request was
 * admitted, because it expects the same position of the change log, and refused requests must stay cheap.
 */
export function createEarlyReads() {
  const positions = new WeakMap<KeyRecord, number>();
  return {
    begin: ({ locals }: Response): void => {
      const position = positions.get(locals['key'] as KeyRecord);
      const start = locals['startRead'] as (() => Promise<Reply>) | undefined;
      if (position === undefined || start === undefined) return;
      locals['position'] = position;
      // After the statement that counts is on its way, because reading blocks this thread.
      const reply = new Promise<void>(setImmediate).then(start);
      // Awaited once the request is counted; until then a rejection must not be unhandled.
      reply.catch(() => {});
      locals['earlyRead'] = { position, reply } satisfies EarlyRead;
    },
    /** Drops an early read of a refused request, of a changed key, or of a position that its count has passed. */
    settle: ({ locals }: Response, { isAdmitted, isStale, position = 0 }: QuotaTaken): void => {
      const key = locals['key'] as KeyRecord;
      const isKept = isAdmitted && isStale !== true;
      if (isKept) positions.set(key, position);
      else positions.delete(key);
      const early = locals['earlyRead'] as EarlyRead | undefined;
      if (early !== undefined && (!isKept || early.position < position)) locals['earlyRead'] = undefined;
    },
  };
}
