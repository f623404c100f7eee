import { pipeline } from 'node:stream/promises';
import type { Express, Request, RequestHandler } from 'express';
import { isAddressIn } from '../../contract/ip-ranges.ts';
import { SNAPSHOT_PATH } from '../../store/index-replication/snapshot.ts';
import type { MachineIndex } from '../../store/store.ts';
import type { ServiceDeps } from '../deps.ts';
import { createHealthCheck } from '../health.ts';
import type { Metrics } from '../metrics.ts';
import { refuseMethod } from '../middleware/error-handler.ts';

/** Operational endpoints outside the API: liveness, readiness, metrics and the index snapshot. */
export function mountOperationalEndpoints(app: Express, deps: ServiceDeps): void {
  app.get('/livez', live);
  app.get('/readyz', ready(deps));
  app.route(['/livez', '/readyz']).all(refuseMethod(['GET', 'HEAD', 'OPTIONS']));
  if (deps.store.index !== undefined) app.get(SNAPSHOT_PATH, sendIndexCopy(deps.store.index));
  if (deps.metrics !== undefined) app.get('/metrics', onlyFrom(deps.metricsAllow ?? []), counted(deps.metrics));
}

/** Liveness: the process responds; dependencies are not checked. */
const live: RequestHandler = (_request, response) => {
  response.set('Cache-Control', 'no-store').json({ status: 'operational' });
};

/** Readiness: 503 while the database is unavailable or newer, and from the start of shutdown; also reports lags. */
function ready(deps: ServiceDeps): RequestHandler {
  const check = createHealthCheck(deps);
  return async (_request, response) => {
    const { status } = await check(false);
    const { replicaLagSeconds, index } = deps.store.status();
    const indexLag = { indexLagSeconds: index?.lagSeconds, indexLagChanges: index?.lagChanges };
    response.set('Cache-Control', 'no-store');
    response.status(status === 'operational' ? 200 : 503).json({ status, replicaLagSeconds, ...indexLag });
  };
}

/** A copy of the index for another machine of the same database; 404 for anyone else. HEAD makes no copy. */
function sendIndexCopy(index: MachineIndex): RequestHandler {
  return async ({ method, headers }, response, next) => {
    const [, ticket] = /^Bearer (\S+)$/.exec(headers.authorization ?? '') ?? [];
    const copy = ticket === undefined || method !== 'GET' ? undefined : await index.readSnapshot(ticket);
    if (copy === undefined) return next();
    response.set('Cache-Control', 'no-store').type('application/vnd.sqlite3');
    // A machine that disconnects starts over by itself.
    await pipeline(copy, response).catch(() => {});
  };
}

function counted(metrics: Metrics): RequestHandler {
  return async (_request, response) => {
    response.set('Cache-Control', 'no-store').set('Content-Type', metrics.contentType);
    response.end(await metrics.text());
  };
}

/** Passes requests from these ranges; for others the path does not exist. */
function onlyFrom(ranges: readonly string[]): RequestHandler {
  return (request, _response, next) => {
    const address = clientAddress(request);
    // next('route') skips the route as if it were not mounted.
    next(address !== undefined && isAddressIn(address, ranges) ? undefined : 'route');
  };
}

/**
 * Client address; undefined if unknown. A forwarded request comes from the proxy's address, often loopback: it counts
 * as the forwarded address if the proxy is trusted, and otherwise as unknown.
 */
function clientAddress(request: Request): string | undefined {
  const { forwarded, 'x-forwarded-for': forwardedFor } = request.headers;
  const isTrusted = request.app.get('trust proxy fn') as (address: string, distance: number) => boolean;
  const isForwarded = forwarded !== undefined || forwardedFor !== undefined;
  const isKnown = forwardedFor !== undefined && isTrusted(request.socket.remoteAddress ?? '', 0);
  return isForwarded && !isKnown ? undefined : request.ip;
}
