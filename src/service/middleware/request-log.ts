import type { Request, RequestHandler } from 'express';
import type { KeyRecord } from '../../store/port/access.ts';
import type { ServiceDeps } from '../deps.ts';
import { type Visit, visitOf } from './visit.ts';

const PATH_LENGTH_MAX = 200;

type Deps = Pick<ServiceDeps, 'log' | 'metrics' | 'recorder' | 'clock'>;

/** Writes one line a request and counts it. Fields are chosen one by one, so that no header, query or body is kept. */
export function logRequests({ log, metrics, recorder, clock }: Deps): RequestHandler {
  return (request, response, next) => {
    const startedAt = performance.now();
    response.once('close', () => {
      const ms = performance.now() - startedAt;
      const route = routeOf(request);
      const { requestId, key, refusedKey, errorCode } = response.locals as Known;
      const known = key ?? refusedKey;
      const status = response.statusCode;
      const { method } = request;
      metrics?.answered({ method, route: route ?? 'none', status, seconds: ms / 1_000, errorCode });
      const place = route === undefined ? { path: shownPath(request.originalUrl) } : { route };
      const who = key === undefined ? {} : { key: key.id, account: key.account };
      const fault = { ...(errorCode && { code: errorCode }), ...(!response.writableFinished && { isCutOff: true }) };
      const visit = visitOf(request);
      if (visit !== undefined && (status === 429 || status >= 500)) visit.refused = { status, code: errorCode };
      // What a person looks at is the call that they made, not the requests that it was made of.
      if (recorder !== undefined && known !== undefined && visit === undefined) {
        const { status: told, code = null } = (response.locals as Known).visit?.refused ?? { status, code: errorCode };
        const answered = { status: told, ms: Math.round(ms), code, address: request.ip ?? null };
        const keyId = known.id;
        recorder.add({
          at: clock(),
          keyId,
          requestId,
          method,
          route: route ?? shownPath(request.originalUrl),
          ...answered,
        });
      }
      log.info({ requestId, method, ...place, status, ms: Math.round(ms), ...who, ...fault }, 'request');
    });
    next();
  };
}

/** What the other middleware leaves in `response.locals`. */
interface Known {
  readonly requestId: string;
  readonly key?: KeyRecord;
  /** One of ours that is not good any more, or not here. */
  readonly refusedKey?: KeyRecord;
  readonly errorCode?: string;
  /** Of a call of another protocol. */
  readonly visit?: Visit;
}

/** The path as it was defined, such as `/api/v1/companies/{idOrSlug}`; undefined when nothing is there. */
function routeOf(request: Request): string | undefined {
  const path: unknown = (request.route as { path?: unknown } | undefined)?.path;
  return typeof path === 'string' ? path.replace(/:(\w+)/g, '{$1}') : undefined;
}

/** The path without its query. A key may be in either by mistake; it must not be kept. */
const shownPath = (address: string): string =>
  (address.split('?', 1)[0] ?? '').replace(/mk_\w*/gi, '[key]').slice(0, PATH_LENGTH_MAX);
