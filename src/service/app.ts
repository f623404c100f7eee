import express, { type Express, type RequestHandler, type Response } from 'express';
import { type Endpoint, endpoints } from '../contract/endpoints.ts';
import { ServiceError } from '../contract/errors.ts';
import { createReader } from '../contract/reader.ts';
import type { KeyRecord } from '../store/store.ts';
import { type Answer, bodyOf, type Call, type Handler, metaOf } from './call.ts';
import type { ServiceDeps } from './deps.ts';
import { readBody } from './middleware/body.ts';
import { answerErrors, bareErrors } from './middleware/errors.ts';
import { createGuards, type Guards } from './middleware/guards.ts';
import { requireLevel } from './middleware/key.ts';
import { giveBack } from './middleware/quota.ts';
import { rawQuery, unaliased } from './middleware/raw-query.ts';
import { requestId } from './middleware/request-id.ts';
import { createHandlers } from './routes/index.ts';

/** The REST service as an Express app: every endpoint of the contract, and JSON for all that is none. */
export function createApp(deps: ServiceDeps): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', false);
  app.set('case sensitive routing', true);
  // Without proxies of our own, X-Forwarded-For is what anyone writes.
  app.set('trust proxy', [...deps.trustedProxies]);
  app.use(requestId, plainHeaders, logRequests(deps));
  const guards = createGuards(deps);
  mountEndpoints(app, deps, guards);
  // A stranger learns nothing of which paths exist: the key is asked for before 404 and 405.
  app.use('/api/v1', ...guards.counted);
  for (const [path, methods] of groupMethods()) app.all(path, refuseMethod(methods));
  app.use(() => {
    throw new ServiceError('not_found', 'There is nothing at this path; /api/v1/openapi.json lists what there is.');
  });
  app.use(answerErrors(deps));
  return app;
}

function mountEndpoints(app: Express, deps: ServiceDeps, { counted, uncounted }: Guards): void {
  const handlers = createHandlers(deps);
  for (const endpoint of endpoints) {
    const body = endpoint.body === undefined ? [] : readBody;
    const known = endpoint.isUncounted === true ? uncounted : counted;
    const guards = endpoint.access === 'nothing' ? [] : [...known, requireLevel(endpoint.access)];
    const first = endpoint.operation === 'search' ? [bareErrors] : [];
    const route = answer(endpoint, handlers[endpoint.operation], deps);
    app[methodOf(endpoint)](expressPath(endpoint.path), ...first, ...guards, ...body, route);
  }
}

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
      address: request.ip ?? null,
      body: request.body,
      header: (name) => request.get(name),
    };
    const reply = await handler(call);
    if (reply.status === 304 || reply.status >= 500) await giveBack(response);
    send(response, reply, clock());
  };
}

function send(response: Response, reply: Answer, now: Date): void {
  const isKeyed = response.locals['key'] !== undefined;
  response.set('Cache-Control', isKeyed ? 'private, no-cache' : 'no-store');
  if (isKeyed) response.vary('Authorization');
  const meta = metaOf(String(response.locals['requestId']), now);
  response.set(reply.headers ?? {});
  if (reply.status === 304) return void response.status(304).end();
  response.status(reply.status).type('application/json').send(bodyOf(reply, meta));
}

const plainHeaders: RequestHandler = (_request, response, next) => {
  response.set('X-Content-Type-Options', 'nosniff');
  next();
};

function logRequests({ log }: ServiceDeps): RequestHandler {
  return (request, response, next) => {
    const startedAt = performance.now();
    response.once('finish', () => {
      const ms = Math.round(performance.now() - startedAt);
      // The path without its query: a key that was put there by mistake must not be kept.
      const fields = { requestId: response.locals['requestId'], method: request.method, path: request.path };
      log.info({ ...fields, status: response.statusCode, ms }, 'request');
    });
    next();
  };
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

function refuseMethod(methods: readonly string[]): RequestHandler {
  const allowed = methods.join(', ');
  return (request, response) => {
    if (request.method === 'OPTIONS') return void response.status(204).set('Allow', allowed).end();
    throw new ServiceError('method_not_allowed', `Use one of ${allowed} here.`, { headers: { Allow: allowed } });
  };
}
