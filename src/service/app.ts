import express, { type Express, type RequestHandler } from 'express';
import { endpoints, isKeyed } from '../contract/endpoints.ts';
import { ServiceError } from '../contract/errors.ts';
import { isNearMiss } from '../contract/name-similarity.ts';
import type { ServiceDeps } from './deps.ts';
import { createChains } from './endpoint-chains.ts';
import { createGateway } from './gateway.ts';
import { createLocalAccess } from './local-access.ts';
import { allowAnyOrigin, allowOrigins } from './middleware/cors.ts';
import { errorHandler, refuseMethod } from './middleware/error-handler.ts';
import { createGuards } from './middleware/guards.ts';
import { requestId } from './middleware/request-id.ts';
import { checkRequestLine } from './middleware/request-line.ts';
import { logRequests } from './middleware/request-log.ts';
import { securityHeaders } from './middleware/security-headers.ts';
import { takeTrace } from './middleware/trace.ts';
import { mountOAuth } from './oauth/endpoints.ts';
import { mountOperationalEndpoints } from './routes/operational-endpoints.ts';
import { mountWellKnown } from './routes/well-known.ts';

/** The REST service as an Express app: every endpoint of the contract, with JSON errors for everything else. */
export function createApp(given: ServiceDeps): Express {
  const deps = { ...given, publicUrl: given.publicUrl.replace(/\/+$/, '') };
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', false);
  app.set('case sensitive routing', true);
  // Trust X-Forwarded-For only from configured proxies; other clients can forge it.
  app.set('trust proxy', [...deps.trustedProxies]);
  app.use(requestId, takeTrace(deps), securityHeaders(deps.publicUrl), logRequests(deps), checkRequestLine);
  mountCors(app, deps);
  const guards = createGuards(deps);
  const chains = createChains(deps, guards);
  // Mounted before the endpoint routes, because a router tries every route in turn.
  deps.mount?.(app, createGateway(createLocalAccess(chains, deps), guards, deps));
  for (const { endpoint, guards, route } of chains)
    app[endpoint.method.toLowerCase() as Verb](expressPath(endpoint.path), ...guards, route);
  refuseUnknownPaid(app);
  mountOperationalEndpoints(app, deps);
  mountOAuth(app, deps);
  mountWellKnown(app, deps);
  deps.pages?.(app, deps);
  // Authenticate before 404 and 405, so that unauthenticated clients cannot enumerate endpoints.
  app.use('/api/v1', ...guards.counted);
  for (const [path, methods] of groupMethods()) app.route(path).all(refuseMethod(methods));
  app.use(refusePath);
  app.use(errorHandler(deps));
  return app;
}

/** Paid endpoints need no key, so neither do unknown paths below theirs. */
function refuseUnknownPaid(app: Express): void {
  const paid = endpoints.filter(({ access }) => access === 'payment').map(({ path }) => path);
  for (const path of paid) app.route(path).all(refuseMethod(['GET', 'HEAD', 'OPTIONS']));
  app.use('/api/v1/x402', refusePath);
}

const refusePath: RequestHandler = ({ originalUrl }) => {
  const path = originalUrl.replace(/\?.*/s, '');
  const near = nearestPath(path) ?? nearestPath(`/api${path}`) ?? nearestPath(`/api/v1${path}`);
  const hint = near === undefined ? '' : ` The nearest is ${near}.`;
  throw new ServiceError(
    'not_found',
    `There is nothing at this path; /api/v1/openapi.json lists the endpoints.${hint}`,
  );
};

/** The path of an endpoint that a path may mean; parameters match anything. */
function nearestPath(given: string): string | undefined {
  // Comparing takes time by the length, also for clients without a key.
  if (given.length > COMPARED_LENGTH_MAX) return undefined;
  const parts = given.split('/');
  const distance = (path: string): number =>
    path.split('/').reduce((sum, part, index) => {
      const other = parts[index] ?? '';
      if (part === other || (part.startsWith('{') && other !== '')) return sum;
      return isNearMiss(part, other) ? sum + 1 : Number.POSITIVE_INFINITY;
    }, 0);
  const ranked = PATHS.filter((path) => path.split('/').length === parts.length).map((path) => ({
    path,
    distance: distance(path),
  }));
  return ranked.filter((one) => one.distance < Infinity).sort((one, other) => one.distance - other.distance)[0]?.path;
}

const COMPARED_LENGTH_MAX = 200;
const PATHS = [...new Set(endpoints.map(({ path }) => path))];

type Verb = 'get' | 'post' | 'put' | 'patch' | 'delete';
const expressPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

/** CORS of each path. Preflights are answered before authentication. */
function mountCors(app: Express, { corsOrigins = [] }: ServiceDeps): void {
  const open = endpoints.filter((endpoint) => !isKeyed(endpoint)).map(({ path }) => expressPath(path));
  for (const [path, methods] of groupMethods()) {
    if (open.includes(path)) app.route(path).all(...allowAnyOrigin(methods));
  }
  if (corsOrigins.length > 0) app.use('/api/v1', allowOrigins(corsOrigins));
}

function groupMethods(): Map<string, string[]> {
  const methods = new Map<string, string[]>();
  for (const { path, method } of endpoints) {
    const known = methods.get(expressPath(path)) ?? ['OPTIONS'];
    methods.set(expressPath(path), [method, ...(method === 'GET' ? ['HEAD'] : []), ...known]);
  }
  return methods;
}
