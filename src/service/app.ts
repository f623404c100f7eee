import express, { type Express, type RequestHandler, type Response } from 'express';
import { type Endpoint, endpoints } from '../contract/endpoints.ts';
import { ServiceError } from '../contract/errors.ts';
import { createReader } from '../contract/reader.ts';
import type { KeyRecord } from '../store/store.ts';
import { type Answer, bodyOf, type Handler, metaOf } from './call.ts';
import type { ServiceDeps } from './deps.ts';
import { requireJsonAccepted } from './middleware/accept.ts';
import { openToOrigins, openToPages } from './middleware/cors.ts';
import { answerErrors, bareErrors } from './middleware/errors.ts';
import { authenticate, requireLevel } from './middleware/key.ts';
import { refuseMethod } from './middleware/methods.ts';
import { rawQuery, unaliased } from './middleware/raw-query.ts';
import { requestId } from './middleware/request-id.ts';
import { checkRequestLine } from './middleware/request-line.ts';
import { logRequests } from './middleware/request-log.ts';
import { securityHeaders } from './middleware/security-headers.ts';
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
  app.use(requestId, securityHeaders(deps.publicUrl), logRequests(deps), checkRequestLine);
  mountOpenness(app, deps);
  mountEndpoints(app, deps);
  mountOperations(app, deps);
  mountDocs(app, deps);
  // A stranger learns nothing of which paths exist: the key is asked for before 404 and 405.
  app.use('/api/v1', authenticate(deps));
  for (const [path, methods] of groupMethods()) app.all(path, refuseMethod(methods));
  app.use(() => {
    throw new ServiceError('not_found', 'There is nothing at this path; /api/v1/openapi.json lists what there is.');
  });
  app.use(answerErrors(deps));
  return app;
}

function mountEndpoints(app: Express, deps: ServiceDeps): void {
  const handlers = createHandlers(deps);
  const withKey = authenticate(deps);
  for (const endpoint of endpoints) {
    const guards = endpoint.access === 'nothing' ? [] : [withKey, requireLevel(endpoint.access)];
    const first = endpoint.operation === 'search' ? [bareErrors] : [];
    const route = answer(endpoint, handlers[endpoint.operation], deps);
    app[methodOf(endpoint)](expressPath(endpoint.path), ...first, ...guards, requireJsonAccepted, route);
  }
}

const methodOf = (endpoint: Endpoint): 'get' => endpoint.method.toLowerCase() as 'get';
const expressPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

function answer(endpoint: Endpoint, handler: Handler, { clock }: ServiceDeps): RequestHandler {
  const read = createReader(endpoint.query, 'query');
  return async (request, response) => {
    const query = read(unaliased(rawQuery(request.url), endpoint.aliases ?? {}));
    const key = response.locals['key'] as KeyRecord | undefined;
    const params = request.params as Record<string, string>;
    send(response, await handler({ endpoint, query, params, key }), clock());
  };
}

function send(response: Response, reply: Answer, now: Date): void {
  const isKeyed = response.locals['key'] !== undefined;
  response.set('Cache-Control', isKeyed ? 'private, no-cache' : 'no-store');
  if (isKeyed) response.vary('Authorization');
  const meta = metaOf(String(response.locals['requestId']), now);
  response.status(reply.status).type('application/json').send(bodyOf(reply, meta));
}

/** Which pages of other hosts may read what; their preflights are answered before a key is asked for. */
function mountOpenness(app: Express, { corsOrigins = [] }: ServiceDeps): void {
  const open = endpoints.filter(({ access }) => access === 'nothing').map(({ path }) => expressPath(path));
  for (const [path, methods] of groupMethods()) {
    if (open.includes(path)) app.all(path, ...openToPages(methods));
  }
  if (corsOrigins.length > 0) app.use('/api/v1', openToOrigins(corsOrigins));
}

/** The methods of each path, for the 405 of all others. */
function groupMethods(): Map<string, string[]> {
  const methods = new Map<string, string[]>();
  for (const { path, method } of endpoints) {
    const known = methods.get(expressPath(path)) ?? ['HEAD', 'OPTIONS'];
    methods.set(expressPath(path), [method, ...known]);
  }
  return methods;
}
