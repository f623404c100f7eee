import type { Request, RequestHandler, Response } from 'express';
import type { KeyRecord } from '../../store/port/access.ts';
import type { ServiceDeps } from '../deps.ts';
import type { Span } from '../tracing.ts';
import type { RequestGroup } from './request-group.ts';
import type { Trace } from './trace.ts';

const PATH_LENGTH_MAX = 200;

type Deps = Pick<ServiceDeps, 'log' | 'metrics' | 'recorder' | 'clock'>;

/**
 * Logs each request as one line, counts it in the metrics and ends its span. Fields are selected explicitly; headers,
 * queries and bodies are not logged. A call of another protocol is one request, however many internal ones it makes.
 */
export function logRequests(deps: Deps): RequestHandler {
  return (request, response, next) => {
    const startedAt = performance.now();
    response.once('close', () => {
      record(deps, { request, response, ms: performance.now() - startedAt });
    });
    next();
  };
}

function record(
  { log, metrics, recorder, clock }: Deps,
  { request, response, ms }: { readonly request: Request; readonly response: Response; readonly ms: number },
): void {
  const { requestId, key, refusedKey, mcp, trace, span, requestGroup, ...locals } = response.locals as RequestLocals;
  // Why a call was refused, if its HTTP status does not state it.
  const refused = requestGroup?.refused;
  const { method } = request;
  const route = routeOf(request);
  const status = response.statusCode;
  const errorCode = refused?.code ?? locals.errorCode;
  metrics?.observeRequest({ method, route: route ?? 'none', status, seconds: ms / 1_000, errorCode });
  if (mcp !== undefined)
    metrics?.observeMcpCall({ ...mcp, isRefused: refused !== undefined || status >= 400, seconds: ms / 1_000 });
  span?.end(spanOf(request, response, errorCode));
  const known = key ?? refusedKey;
  if (recorder !== undefined && known !== undefined) {
    // The account pages show why an agent's call failed.
    const outcome = refused ?? { status, code: errorCode };
    recorder.add({
      at: clock(),
      keyId: known.id,
      requestId,
      method,
      route: route === undefined ? shownPath(request.originalUrl) : pathOf(route, request.originalUrl),
      status: outcome.status,
      ms: Math.round(ms),
      code: outcome.code ?? null,
      address: request.ip ?? null,
    });
  }
  const location = route === undefined ? { path: shownPath(request.originalUrl) } : { route };
  const caller = key === undefined ? {} : { key: key.id, account: key.account };
  const fault = { ...(errorCode && { code: errorCode }), ...(!response.writableFinished && { isCutOff: true }) };
  log.info(
    {
      requestId,
      method,
      ...location,
      ...(mcp && { mcp }),
      ...(trace && { trace_id: trace.traceId, span_id: trace.spanId }),
      status,
      ms: Math.round(ms),
      ...caller,
      ...fault,
    },
    'request',
  );
}

/** What earlier middleware stores in `response.locals`. */
export interface RequestLocals {
  readonly requestId: string;
  readonly trace?: Trace;
  readonly span?: Span;
  readonly key?: KeyRecord;
  /** A known key that is no longer valid, or not at this resource. */
  readonly refusedKey?: KeyRecord;
  readonly errorCode?: string;
  /** Set for a call of another protocol. */
  readonly requestGroup?: RequestGroup;
  readonly mcp?: { readonly method: string; readonly tool: string };
}

/** The route pattern, such as `/api/v1/companies/{idOrSlug}`; undefined for an unknown path. */
function routeOf(request: Request): string | undefined {
  const path: unknown = (request.route as { path?: unknown } | undefined)?.path;
  return typeof path === 'string' ? path.replace(/:(\w+)/g, '{$1}') : undefined;
}

/** The path without its query. Anything that looks like a key is masked. */
const shownPath = (address: string): string =>
  (address.split('?', 1)[0] ?? '').replace(/mk_\w*/gi, '[key]').slice(0, PATH_LENGTH_MAX);

/** Methods known to OpenTelemetry's HTTP semantic conventions. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH'];

/** The end of a request's span, with attributes of OpenTelemetry's semantic conventions. */
function spanOf(request: Request, response: Response, errorCode: string | undefined): Parameters<Span['end']>[0] {
  const { mcp } = response.locals as RequestLocals;
  const route = routeOf(request);
  const method = METHODS.includes(request.method) ? request.method : undefined;
  const location = route && { 'http.route': route, 'url.path': pathOf(route, request.originalUrl) };
  return {
    name: [method ?? 'HTTP', route].filter((part) => part !== undefined).join(' '),
    attributes: {
      'http.request.method': method ?? '_OTHER',
      ...location,
      'http.response.status_code': response.statusCode,
      ...(mcp && { 'mcp.method.name': mcp.method, ...(mcp.tool === 'none' ? {} : { 'gen_ai.tool.name': mcp.tool }) }),
    },
    error: errorOf(response, errorCode),
  };
}

/** The error type of server faults and incompletely sent responses. Refusals are not errors of the server. */
function errorOf({ statusCode, locals, writableFinished }: Response, code: string | undefined): string | undefined {
  const { refused } = (locals as RequestLocals).requestGroup ?? {};
  const failed = refused !== undefined && refused.status >= 500 ? refused : { status: statusCode, code };
  if (failed.status >= 500) return failed.code ?? String(failed.status);
  return writableFinished ? undefined : 'cut_off';
}

/** Path parameters that are ids or slugs; others, such as an invitation, may be secret. */
const SHOWN_PART = /^\{(idOrSlug|slug|id|type|code)\}$/;
const PLAIN = /^(?!(0x)?[\da-f]{40})[a-z\d]+(-[a-z\d]+)*$/;

/** The requested path, with parameter names in place of other values. */
function pathOf(route: string, address: string): string {
  const segments = (address.split('?', 1)[0] ?? '').split('/');
  const parts = route.split('/').map((part, at) => {
    const segment = segments[at] ?? '';
    return SHOWN_PART.test(part) && PLAIN.test(segment) ? segment : part;
  });
  return parts.join('/').slice(0, PATH_LENGTH_MAX);
}
