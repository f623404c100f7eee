import type { IncomingMessage } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import type { KeyRecord } from '../../store/port/access.ts';

/** Internal requests of one call of another protocol. They are authenticated and counted as one. */
export interface RequestGroup {
  readonly key: KeyRecord | undefined;
  admitted?: Promise<Admission> | undefined;
  /** Why a request of the group was refused or failed, for the request log. */
  refused?: { readonly status: number; readonly code: string | undefined };
}

/** What counted the requests of a group. */
interface Admission {
  /** Refunds the count, once. */
  giveBack: (() => Promise<void>) | undefined;
  readonly position: number | undefined;
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
    requestGroup.admitted ??= passing(admit, request, response).then(() => admissionOf(response));
    const { admitted } = requestGroup;
    const admission = await admitted;
    response.locals['position'] = admission.position;
    response.locals['giveBack'] = async () => {
      const { giveBack } = admission;
      admission.giveBack = undefined;
      // A retry after a server error is counted again.
      if (requestGroup.admitted === admitted) requestGroup.admitted = undefined;
      await giveBack?.();
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

const admissionOf = ({ locals }: Response): Admission => ({
  giveBack: locals['giveBack'] as Admission['giveBack'],
  position: locals['position'] as number | undefined,
});
