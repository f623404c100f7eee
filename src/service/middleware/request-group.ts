import type { IncomingMessage } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import type { KeyRecord } from '../../store/port/access.ts';

/** Internal requests of one call of another protocol. They are authenticated and counted as one. */
export interface RequestGroup {
  /** Key authenticated with the call. */
  readonly key: KeyRecord | undefined;
  admitted?: Promise<void> | undefined;
  giveBack?: (() => Promise<void>) | undefined;
  /** Position of the key's last write. */
  position?: number | undefined;
  /** Why a request of the group was refused or failed, for the request log. */
  refused?: { readonly status: number; readonly code: string | undefined };
}

const groups = new WeakMap<IncomingMessage, RequestGroup>();

/** Adds a request to a group. Only code of this process can, because membership is not part of the request. */
export const joinRequestGroup = (request: IncomingMessage, requestGroup: RequestGroup): void =>
  void groups.set(request, requestGroup);

/** Authenticates by the key of the request group, or else by the request's credential. */
export function authenticateOnce(authenticate: RequestHandler): RequestHandler {
  return (request, response, next) => {
    const key = groups.get(request)?.key;
    if (key === undefined) return authenticate(request, response, next);
    response.locals['key'] = key;
    next();
  };
}

/** Runs admission once per request group; later requests wait for its result. */
export function admitOnce(admit: RequestHandler): RequestHandler {
  return async (request, response, next) => {
    const requestGroup = groups.get(request);
    if (requestGroup === undefined) return admit(request, response, next);
    requestGroup.admitted ??= passing(admit, request, response).then(() => takeOver(requestGroup, response));
    await requestGroup.admitted;
    response.locals['position'] = requestGroup.position;
    response.locals['giveBack'] = async () => {
      await requestGroup.giveBack?.();
      // A retry after a server error is counted again.
      requestGroup.admitted = undefined;
      requestGroup.giveBack = undefined;
    };
    next();
  };
}

/** Resolves when a handler calls next(), and rejects when it refuses. */
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
