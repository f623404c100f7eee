import type { RequestHandler } from 'express';
import type { ServiceDeps } from '../deps.ts';
import { limitBursts } from './burst.ts';
import { authenticate } from './key.ts';
import { countRequest, showQuota } from './quota.ts';
import { admitOnce, knowOnce, passing } from './visit.ts';

/** What a request with a key passes before its level is asked about. */
export interface Guards {
  /** Checks the key alone. */
  readonly known: RequestHandler;
  readonly counted: readonly RequestHandler[];
  readonly uncounted: readonly RequestHandler[];
}

/** Made once for all endpoints, because the burst limits remember what they have seen. */
export function createGuards(deps: ServiceDeps): Guards {
  const known = knowOnce(authenticate(deps));
  const burst = limitBursts(deps);
  const count = countRequest(deps);
  const show = showQuota(deps);
  // OPTIONS only asks what could be asked.
  const countUnlessOptions: RequestHandler = (request, response, next) =>
    (request.method === 'OPTIONS' ? show : count)(request, response, next);
  const admit: RequestHandler = async (request, response, next) => {
    await passing(burst, request, response);
    await passing(countUnlessOptions, request, response);
    next();
  };
  return { known, counted: [known, admitOnce(admit)], uncounted: [known, burst, show] };
}
