import type { Request, RequestHandler, Response } from 'express';
import type { KeyRecord } from '../../store/port/access.ts';
import type { ServiceDeps } from '../deps.ts';
import type { Span } from '../tracing.ts';
import type { RequestGroup } from './request-group.ts';
import { endSpan } from './request-span.ts';
import type { Trace } from './trace.ts';

const PATH_LENGTH_MAX = 200;

type Deps = Pick<ServiceDeps, 'log' | 'metrics' | 'recorder' | 'clock'>;

/**
 * Writes one line a request, counts it and ends its span. Fields are chosen one by one, so that no header, query or body is kept. A call of
 * another protocol is one request, however many of ours it is made of.
 */
export function logRequests(deps: Deps): RequestHandler {
  return (request, response, next) => {
    const startedAt = performance.now();
    response.once('close', () => {
      const ms = performance.now() - startedAt;
      const { requestGroup } = response.locals as Known;
      note(deps, { request, response, ms, refused: requestGroup?.refused });
    });
    next();
  };
}

interface Closed {
  readonly request: Request;
  readonly response: Response;
  readonly ms: number;
  /** What stopped a call whose own status says nothing of it. */
  readonly refused: RequestGroup['refused'];
}

function note({ log, metrics, recorder, clock }: Deps, { request, response, ms, refused }: Closed): void {
  const { requestId, key, refusedKey, mcp, trace, span, ...locals } = response.locals as Known;
  const { method } = request;
  const route = routeOf(request);
  const status = response.statusCode;
  const errorCode = refused?.code ?? locals.errorCode;
  metrics?.answered({ method, route: route ?? 'none', status, seconds: ms / 1_000, errorCode });
  if (mcp !== undefined)
    metrics?.called({ ...mcp, isRefused: refused !== undefined || status >= 400, seconds: ms / 1_000 });
  if (span !== undefined) {
    const isWhole = response.writableFinished;
    endSpan(span, { method, route, address: request.originalUrl, status, errorCode, isWhole, mcp, refused });
  }
  const known = key ?? refusedKey;
  if (recorder !== undefined && known !== undefined) {
    // A person looks there for what stopped an agent.
    const answered = refused ?? { status, code: errorCode };
    recorder.add({
      at: clock(),
      keyId: known.id,
      requestId,
      method,
      route: route ?? shownPath(request.originalUrl),
      status: answered.status,
      ms: Math.round(ms),
      code: answered.code ?? null,
      address: request.ip ?? null,
    });
  }
  const place = route === undefined ? { path: shownPath(request.originalUrl) } : { route };
  const who = key === undefined ? {} : { key: key.id, account: key.account };
  const fault = { ...(errorCode && { code: errorCode }), ...(!response.writableFinished && { isCutOff: true }) };
  log.info(
    {
      requestId,
      method,
      ...place,
      ...(mcp && { mcp }),
      ...(trace && { trace_id: trace.traceId, span_id: trace.spanId }),
      status,
      ms: Math.round(ms),
      ...who,
      ...fault,
    },
    'request',
  );
}

/** What the other middleware leaves in `response.locals`. */
interface Known {
  readonly requestId: string;
  readonly trace?: Trace;
  readonly span?: Span;
  readonly key?: KeyRecord;
  /** One of ours that is not good any more, or not here. */
  readonly refusedKey?: KeyRecord;
  readonly errorCode?: string;
  /** Of a call of another protocol. */
  readonly requestGroup?: RequestGroup;
  /** What such a call is about. */
  readonly mcp?: { readonly method: string; readonly tool: string };
}

/** The path as it was defined, such as `/api/v1/companies/{idOrSlug}`; undefined when nothing is there. */
function routeOf(request: Request): string | undefined {
  const path: unknown = (request.route as { path?: unknown } | undefined)?.path;
  return typeof path === 'string' ? path.replace(/:(\w+)/g, '{$1}') : undefined;
}

/** The path without its query. A key may be in either by mistake; it must not be kept. */
const shownPath = (address: string): string =>
  (address.split('?', 1)[0] ?? '').replace(/mk_\w*/gi, '[key]').slice(0, PATH_LENGTH_MAX);
