import { pipeline } from 'node:stream/promises';
import type { Express, Request, RequestHandler } from 'express';
import { isAddressIn } from '../../contract/addresses.ts';
import { SNAPSHOT_PATH } from '../../store/follow/snapshot.ts';
import type { MachineIndex } from '../../store/store.ts';
import type { ServiceDeps } from '../deps.ts';
import { createHealthCheck } from '../health.ts';
import type { Metrics } from '../metrics.ts';
import { refuseMethod } from '../middleware/methods.ts';

/** Paths for whoever runs the service, beside the API: whether it lives, whether it is ready, what it has counted. */
export function mountOperations(app: Express, deps: ServiceDeps): void {
  app.get('/livez', live);
  app.get('/readyz', ready(deps));
  app.all(['/livez', '/readyz'], refuseMethod(['GET', 'HEAD', 'OPTIONS']));
  if (deps.store.index !== undefined) app.get(SNAPSHOT_PATH, lend(deps.store.index));
  if (deps.metrics !== undefined) app.get('/metrics', onlyFrom(deps.metricsAllow ?? []), counted(deps.metrics));
}

/** The process answers; whether it can do its work is not asked. */
const live: RequestHandler = (_request, response) => {
  response.set('Cache-Control', 'no-store').json({ status: 'operational' });
};

/**
 * Whether requests should be sent here: 503 while the database is away or belongs to a newer version, and from the moment the
 * service is stopping. It also says how far a replica that is read from, and an index that is searched in, lie behind.
 */
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

/**
 * A copy of the index for another machine of the same database; for anybody else there is nothing at this path. HEAD, which
 * Express routes here as well, makes no copy.
 */
function lend(index: MachineIndex): RequestHandler {
  return async ({ method, headers }, response, next) => {
    const [, ticket] = /^Bearer (\S+)$/.exec(headers.authorization ?? '') ?? [];
    const copy = ticket === undefined || method !== 'GET' ? undefined : await index.lend(ticket);
    if (copy === undefined) return next();
    response.set('Cache-Control', 'no-store').type('application/vnd.sqlite3');
    // A machine that goes away in the middle begins again by itself.
    await pipeline(copy, response).catch(() => {});
  };
}

function counted(metrics: Metrics): RequestHandler {
  return async (_request, response) => {
    response.set('Cache-Control', 'no-store').set('Content-Type', metrics.contentType);
    response.end(await metrics.text());
  };
}

/** Lets requests from these ranges on; for all others the path is not there. */
function onlyFrom(ranges: readonly string[]): RequestHandler {
  return (request, _response, next) => {
    const address = clientAddress(request);
    // next('route') leaves the path as if nothing were mounted there.
    next(address !== undefined && isAddressIn(address, ranges) ? undefined : 'route');
  };
}

/**
 * Who asks; undefined when that cannot be known. What a proxy forwards comes from the proxy's address, often loopback,
 * so it counts as the address it names when the proxy is trusted, and as nobody's when it is not.
 */
function clientAddress(request: Request): string | undefined {
  const { forwarded, 'x-forwarded-for': forwardedFor } = request.headers;
  const isTrusted = request.app.get('trust proxy fn') as (address: string, distance: number) => boolean;
  const isForwarded = forwarded !== undefined || forwardedFor !== undefined;
  const isKnown = forwardedFor !== undefined && isTrusted(request.socket.remoteAddress ?? '', 0);
  return isForwarded && !isKnown ? undefined : request.ip;
}
