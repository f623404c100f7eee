import type { Request, RequestHandler } from 'express';
import { isAddressIn } from '../../contract/addresses.ts';

/** Lets requests from these ranges on; for all others the path is not there. */
export function onlyFrom(ranges: readonly string[]): RequestHandler {
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
