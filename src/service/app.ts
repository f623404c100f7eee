import express, { type Express, type RequestHandler, type Response } from 'express';
import { type Endpoint, endpoints, isKeyed, type Operation } from '../contract/endpoints.ts';
import { ServiceError } from '../contract/errors.ts';
import { createReader } from '../contract/reader.ts';
import type { KeyRecord } from '../store/port/access.ts';
import { type Answer, bodyOf, type Call, type Handler, JSON_TYPE, metaOf } from './call.ts';
import type { ServiceDeps } from './deps.ts';
import { sendDocument } from './documents.ts';
import { createDoor } from './door.ts';
import { requireJsonAccepted } from './middleware/accept.ts';
import { readBody } from './middleware/body.ts';
import { openToOrigins, openToPages } from './middleware/cors.ts';
import { answerErrors, bareErrors } from './middleware/errors.ts';
import { createGuards, type Guards } from './middleware/guards.ts';
import { requireLevel } from './middleware/key.ts';
import { refuseMethod } from './middleware/methods.ts';
import { giveBack } from './middleware/quota.ts';
import { rawQuery, unaliased } from './middleware/raw-query.ts';
import { requestId } from './middleware/request-id.ts';
import { checkRequestLine } from './middleware/request-line.ts';
import { logRequests } from './middleware/request-log.ts';
import { securityHeaders } from './middleware/security-headers.ts';
import { type Trace, takeTrace } from './middleware/trace.ts';
import { mountDocs } from './routes/docs.ts';
import { createHandlers } from './routes/index.ts';
import { mountOperations } from './routes/operations.ts';

/** The REST service as an Express app: every endpoint of the contract, and JSON for all that is none. */
export function createApp(deps: ServiceDeps): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', false);
  app.set('case sensitive routing', true);
  // Without proxies of our own, X-Forwarded-For is what anyone writes.
  app.set('trust proxy', [...deps.trustedProxies]);
  app.use(requestId, takeTrace, securityHeaders(deps.publicUrl), logRequests(deps), checkRequestLine);
  mountOpenness(app, deps);
  const guards = createGuards(deps);
  mountEndpoints(app, deps, guards);
  mountPaidEnd(app);
  mountOperations(app, deps);
  deps.pages?.(app, deps);
  mountDocs(app, deps);
  deps.mount?.(app, createDoor(app, guards));
  // A stranger learns nothing of which paths exist: the key is asked for before 404 and 405.
  app.use('/api/v1', ...guards.counted);
  for (const [path, methods] of groupMethods()) app.all(path, refuseMethod(methods));
  app.use(refusePath);
  app.use(answerErrors(deps));
  return app;
}

function mountEndpoints(app: Express, deps: ServiceDeps, { counted, uncounted }: Guards): void {
  const handlers = createHandlers(deps);
  for (const endpoint of endpoints) {
    const body = endpoint.body === undefined ? [] : readBody;
    const known = endpoint.isUncounted === true ? uncounted : counted;
    const guards = isKeyed(endpoint) ? [...known, requireLevel(endpoint.access)] : [];
    const first = BARE.includes(endpoint.operation) ? [bareErrors] : [];
    const route = answer(endpoint, handlers[endpoint.operation], deps);
    const read = [requireJsonAccepted, ...body];
    app[methodOf(endpoint)](expressPath(endpoint.path), ...first, ...guards, ...read, route);
  }
}

const BARE: readonly Operation[] = ['search', 'paidSearch'];

/** What is sold needs no key, so below its path nothing asks for one (specification 5.1). */
function mountPaidEnd(app: Express): void {
  const paid = endpoints.filter(({ access }) => access === 'payment').map(({ path }) => path);
  for (const path of paid) app.all(path, refuseMethod(['GET', 'HEAD', 'OPTIONS']));
  app.use('/api/v1/x402', refusePath);
}

const refusePath = (): never => {
  throw new ServiceError('not_found', 'There is nothing at this path; /api/v1/openapi.json lists what there is.');
};

type Verb = 'get' | 'post' | 'put' | 'patch' | 'delete';
const methodOf = (endpoint: Endpoint): Verb => endpoint.method.toLowerCase() as Verb;
const expressPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

function answer(endpoint: Endpoint, handler: Handler, { clock }: ServiceDeps): RequestHandler {
  const read = createReader(endpoint.query, 'query');
  return async (request, response) => {
    const query = read(unaliased(rawQuery(request.url), endpoint.aliases ?? {}));
    const key = response.locals['key'] as KeyRecord | undefined;
    const params = request.params as Record<string, string>;
    const call: Call = {
      endpoint,
      query,
      params,
      key,
      method: request.method,
      path: request.path,
      requestId: String(response.locals['requestId']),
      traceparent: (response.locals['trace'] as Trace | undefined)?.traceparent,
      address: request.ip ?? null,
      body: request.body,
      header: (name) => request.get(name),
      isGone: () => response.closed || request.socket.destroyed,
    };
    const reply = await handler(call);
    if ('plain' in reply) return sendDocument(reply, request, response);
    if (reply.status === 304 || reply.status >= 500) await giveBack(response);
    send(response, reply, clock());
  };
}

function send(response: Response, reply: Answer, now: Date): void {
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
  // Not by Express's own way, which copies the text and makes a fingerprint of it.
  response.setHeader('Content-Type', JSON_TYPE);
  response.setHeader('Content-Length', Buffer.byteLength(body));
  response.end(body);
}

/** Which pages of other hosts may read what; their preflights are answered before a key is asked for. */
function mountOpenness(app: Express, { corsOrigins = [] }: ServiceDeps): void {
  const open = endpoints.filter((endpoint) => !isKeyed(endpoint)).map(({ path }) => expressPath(path));
  for (const [path, methods] of groupMethods()) {
    if (open.includes(path)) app.all(path, ...openToPages(methods));
  }
  if (corsOrigins.length > 0) app.use('/api/v1', openToOrigins(corsOrigins));
}

/** The methods of each path, for the 405 of all others. */
function groupMethods(): Map<string, string[]> {
  const methods = new Map<string, string[]>();
  for (const { path, method } of endpoints) {
    const known = methods.get(expressPath(path)) ?? ['OPTIONS'];
    methods.set(expressPath(path), [method, ...(method === 'GET' ? ['HEAD'] : []), ...known]);
  }
  return methods;
}
