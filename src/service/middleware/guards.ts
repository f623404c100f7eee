import type { RequestHandler } from 'express';
import type { ServiceDeps } from '../deps.ts';
import { authenticate, authenticateCached } from './authenticate-key.ts';
import { enforceQuota, reportQuota } from './enforce-quota.ts';
import { limitBursts } from './rate-limits.ts';
import { admitOnce, authenticateOnce, passing } from './request-group.ts';

/** Middleware of keyed requests before the level check. */
export type Guards = ReturnType<typeof createGuards>;

/** Created once for all endpoints, because the burst limits hold state. */
export function createGuards(deps: ServiceDeps) {
  const authenticator = authenticate(deps);
  const authenticated = authenticateOnce(authenticator);
  const authenticatedCached = authenticateOnce(authenticateCached(deps, authenticator));
  // A cached key must neither cause a refusal nor appear in one.
  const identify: RequestHandler = (request, response, next) => {
    response.locals['key'] = undefined;
    return authenticated(request, response, next);
  };
  const show = reportQuota(deps);
  const burst = limitBursts(deps, async (request, response, next) => {
    await passing(identify, request, response);
    return show(request, response, next);
  });
  const count = enforceQuota(deps, identify);
  // OPTIONS is not counted.
  const countUnlessOptions: RequestHandler = (request, response, next) =>
    (request.method === 'OPTIONS' ? show : count)(request, response, next);
  const admit: RequestHandler = async (request, response, next) => {
    await passing(burst, request, response);
    await passing(countUnlessOptions, request, response);
    next();
  };
  const toBeCounted: RequestHandler = (request, response, next) =>
    (request.method === 'OPTIONS' ? authenticated : authenticatedCached)(request, response, next);
  return { authenticated, counted: [toBeCounted, admitOnce(admit)], uncounted: [authenticated, burst, show] };
}
