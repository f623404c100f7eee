import type { Request, RequestHandler, Response } from 'express';
import { AT_LEAST_HEADER, CHANGE_HEADER } from '../contract/changes.ts';
import {
  type Endpoint,
  endpoints,
  hasCsv,
  isKeyed,
  isPaged,
  MEANINGFUL_NAMES,
  type Operation,
} from '../contract/endpoints.ts';
import { invalidAt, SENT, ServiceError } from '../contract/errors.ts';
import { csvQueryOf } from '../contract/queries.ts';
import { createReader } from '../contract/reader.ts';
import type { KeyRecord } from '../store/port/access.ts';
import { type ApiResponse, bodyOf, type Handler, JSON_TYPE, metaOf, type Reply } from './call.ts';
import type { ServiceDeps } from './deps.ts';
import { requireLevel } from './middleware/authenticate-key.ts';
import { earlyReplyOf, offerEarlyRead } from './middleware/early-read.ts';
import { refundQuota } from './middleware/enforce-quota.ts';
import { bareErrors, readBody } from './middleware/error-handler.ts';
import type { Guards } from './middleware/guards.ts';
import { rawQuery, unaliased } from './middleware/raw-query.ts';
import type { Trace } from './middleware/trace.ts';
import { paymentGateOf } from './routes/charge.ts';
import { LIST_FORMATS, wantsCsv } from './routes/csv.ts';
import { createHandlers } from './routes/index.ts';
import { sendDocument } from './static-documents.ts';

/** Responds 406 if no available format is acceptable. */
const requireAccepted =
  (types: readonly string[], message: string): RequestHandler =>
  (request, _response, next) => {
    const accepted = request.headers.accept;
    // Fast path for the most common values.
    if (accepted === undefined || accepted === '*/*' || accepted === 'application/json') return next();
    if (request.accepts([...types]) === false) throw new ServiceError('not_acceptable', message);
    next();
  };

const requireJsonAccepted = requireAccepted(['application/json'], SENT.not_acceptable);

const requireJsonOrCsvAccepted = requireAccepted(
  LIST_FORMATS,
  'Responses are JSON or CSV; accept application/json or text/csv.',
);

/** An endpoint with its middleware, in order, and its handler; used over HTTP and in-process. */
export interface EndpointChain {
  readonly endpoint: Endpoint;
  readonly guards: readonly RequestHandler[];
  readonly route: RequestHandler;
}

export function createChains(deps: ServiceDeps, { counted, uncounted }: Guards): readonly EndpointChain[] {
  const handlers = createHandlers(deps);
  return endpoints.map((endpoint) => {
    const body = endpoint.body === undefined ? [] : readBody;
    const known = endpoint.isUncounted === true ? uncounted : counted;
    const keyed = isKeyed(endpoint) ? [...known, requireLevel(endpoint.access)] : [];
    const first = BARE.includes(endpoint.operation) ? [bareErrors] : [];
    const answer = answerOf(endpoint, handlers[endpoint.operation]);
    const early = endpoint.access === 'read' ? [offerEarlyRead(answer)] : [];
    const sold = endpoint.access === 'payment' ? [requirePaymentGate(deps)] : [];
    const accepted = hasCsv(endpoint) ? requireJsonOrCsvAccepted : requireJsonAccepted;
    return {
      endpoint,
      guards: [...first, ...sold, ...early, ...keyed, accepted, ...body],
      route: routeOf(answer, deps),
    };
  });
}

/** Operations with `{error}` bodies for 401 and a failed search. */
const BARE: readonly Operation[] = ['search', 'paidSearch'];

/** Without a payment gate, paid paths do not exist. */
const requirePaymentGate =
  (deps: ServiceDeps): RequestHandler =>
  (_request, _response, next) => {
    paymentGateOf(deps);
    next();
  };

/** Answers a request with the handler of its endpoint, after validation. */
function answerOf(endpoint: Endpoint, handler: Handler): (request: Request, response: Response) => Promise<Reply> {
  const meaningful = isPaged(endpoint) ? MEANINGFUL_NAMES : undefined;
  const read = createReader(endpoint.query, 'query', meaningful);
  const readOfCsv = hasCsv(endpoint) ? createReader(csvQueryOf(endpoint.query), 'query', meaningful) : undefined;
  return async (request, response) => {
    const raw = unaliased(rawQuery(request.url), endpoint.aliases ?? {});
    const isCsv = readOfCsv !== undefined && wantsCsv(raw['format'], request);
    const query = isCsv ? readOfCsv(raw) : read(raw);
    return handler({
      endpoint,
      query,
      params: request.params as Record<string, string>,
      key: response.locals['key'] as KeyRecord | undefined,
      method: request.method,
      path: request.path,
      requestId: String(response.locals['requestId']),
      traceparent: (response.locals['trace'] as Trace | undefined)?.traceparent,
      address: request.ip ?? null,
      atLeast: positionOf(endpoint, request, response),
      body: request.body,
      isCsv,
      header: (name) => request.get(name),
      isDisconnected: () => response.closed || request.socket.destroyed,
    });
  };
}

function routeOf(answer: ReturnType<typeof answerOf>, { clock }: ServiceDeps): RequestHandler {
  return async (request, response) => {
    const reply = await (earlyReplyOf(response) ?? answer(request, response));
    if ('plain' in reply) return sendDocument(reply, request, response);
    if (reply.status === 304 || reply.status >= 500) await refundQuota(response);
    send(response, reply, clock());
  };
}

/** The change-log position that a read must include. Rejects a malformed X-At-Least, even where it has no effect. */
function positionOf({ access }: Endpoint, request: Request, response: Response): number | undefined {
  // Paid responses use the newest position; reading it is cheap beside a payment.
  const written = (response.locals['position'] as number | undefined) ?? (access === 'payment' ? undefined : 0);
  const requested = request.method === 'GET' || request.method === 'HEAD' ? request.get(AT_LEAST_HEADER) : undefined;
  if (requested === undefined) return written;
  if (/^\d{1,15}$/.test(requested)) return Math.max(written ?? 0, Number(requested));
  const message = `${AT_LEAST_HEADER} must be a number, as in ${CHANGE_HEADER} of a response`;
  const location = `header.${AT_LEAST_HEADER}`;
  throw invalidAt(location, message);
}

function send(response: Response, reply: ApiResponse, now: Date): void {
  const { onSent } = reply;
  if (onSent !== undefined) {
    if (response.closed) onSent(false);
    else response.once('close', () => onSent(response.writableFinished));
  }
  const isKeyed = response.locals['key'] !== undefined;
  response.setHeader('Cache-Control', isKeyed ? 'private, no-cache' : 'no-store');
  if (isKeyed) response.vary('Authorization');
  response.set(reply.headers ?? {});
  response.status(reply.status);
  if (reply.status === 304) return void response.end();
  const body = bodyOf(reply, metaOf(String(response.locals['requestId']), now));
  // Express's own send() copies the text and hashes it for an ETag.
  response.setHeader('Content-Type', reply.contentType ?? JSON_TYPE);
  response.setHeader('Content-Length', Buffer.byteLength(body));
  response.end(body);
}
