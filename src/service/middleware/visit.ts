import type { IncomingMessage } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import type { KeyRecord } from '../../store/port/access.ts';

/** Requests that are made in this process for one call of another protocol: they are admitted, and counted, as one. */
export interface Visit {
  /** Whose requests they are; it was authenticated when the call came. */
  readonly key: KeyRecord | undefined;
  admitted?: Promise<void> | undefined;
  giveBack?: (() => Promise<void>) | undefined;
  /** What the key has written last. */
  position?: number | undefined;
  /** How a request of it was refused for its limits, or failed by our fault: what a person should see of the call. */
  refused?: { readonly status: number; readonly code: string | undefined };
}

const visits = new WeakMap<IncomingMessage, Visit>();

/** Makes a request part of a visit; only code of this process can, because nothing of it is in the request itself. */
export const joinVisit = (request: IncomingMessage, visit: Visit): void => void visits.set(request, visit);

/** Knows a request of a visit by the key of the visit, and every other by what it shows. */
export function knowOnce(authenticate: RequestHandler): RequestHandler {
  return (request, response, next) => {
    const key = visits.get(request)?.key;
    if (key === undefined) return authenticate(request, response, next);
    response.locals['key'] = key;
    next();
  };
}

/** Admits each request, but of a visit only the first; the others wait for what becomes of it. */
export function admitOnce(admit: RequestHandler): RequestHandler {
  return async (request, response, next) => {
    const visit = visits.get(request);
    if (visit === undefined) return admit(request, response, next);
    visit.admitted ??= passing(admit, request, response).then(() => takeOver(visit, response));
    await visit.admitted;
    response.locals['position'] = visit.position;
    response.locals['giveBack'] = async () => {
      await visit.giveBack?.();
      // What is tried again after a failure of ours counts anew.
      visit.admitted = undefined;
      visit.giveBack = undefined;
    };
    next();
  };
}

/** Resolves when a handler lets a request pass, and rejects when it refuses it. */
export function passing(handler: RequestHandler, request: Request, response: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    const next = (error?: unknown): void => (error === undefined ? resolve() : reject(error));
    Promise.resolve(handler(request, response, next)).catch(reject);
  });
}

function takeOver(visit: Visit, response: Response): void {
  visit.giveBack = response.locals['giveBack'] as Visit['giveBack'];
  visit.position = response.locals['position'] as number | undefined;
}
