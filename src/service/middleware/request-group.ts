import type { IncomingMessage } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import type { KeyRecord } from '../../store/port/access.ts';

/** Requests that are made in this process for one call of another protocol: they are admitted, and counted, as one. */
export interface RequestGroup {
  /** Whose requests they are; it was authenticated when the call came. */
  readonly key: KeyRecord | undefined;
  admitted?: Promise<void> | undefined;
  giveBack?: (() => Promise<void>) | undefined;
  /** What the key has written last. */
  position?: number | undefined;
  /** How a request of it was refused for its limits, or failed by our fault: what a person should see of the call. */
  refused?: { readonly status: number; readonly code: string | undefined };
}

const visits = new WeakMap<IncomingMessage, RequestGroup>();

/** Makes a request part of a request group; only code of this process can, because nothing of it is in the request itself. */
export const joinRequestGroup = (request: IncomingMessage, requestGroup: RequestGroup): void =>
  void visits.set(request, requestGroup);

/** Knows a request of a request group by the key of the request group, and every other by what it shows. */
export function knowOnce(authenticate: RequestHandler): RequestHandler {
  return (request, response, next) => {
    const key = visits.get(request)?.key;
    if (key === undefined) return authenticate(request, response, next);
    response.locals['key'] = key;
    next();
  };
}

/** Admits each request, but of a request group only the first; the others wait for what becomes of it. */
export function admitOnce(admit: RequestHandler): RequestHandler {
  return async (request, response, next) => {
    const requestGroup = visits.get(request);
    if (requestGroup === undefined) return admit(request, response, next);
    requestGroup.admitted ??= passing(admit, request, response).then(() => takeOver(requestGroup, response));
    await requestGroup.admitted;
    response.locals['position'] = requestGroup.position;
    response.locals['giveBack'] = async () => {
      await requestGroup.giveBack?.();
      // What is tried again after a failure of ours counts anew.
      requestGroup.admitted = undefined;
      requestGroup.giveBack = undefined;
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

function takeOver(requestGroup: RequestGroup, response: Response): void {
  requestGroup.giveBack = response.locals['giveBack'] as RequestGroup['giveBack'];
  requestGroup.position = response.locals['position'] as number | undefined;
}
