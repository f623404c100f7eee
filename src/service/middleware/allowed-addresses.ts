import type { Request, RequestHandler } from 'express';
import ipaddr from 'ipaddr.js';

type Range = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Lets requests from these ranges on; for all others the path is not there. Throws for what is no CIDR range. */
export function onlyFrom(ranges: readonly string[]): RequestHandler {
  const parsed = ranges.map(parseRange);
  return (request, _response, next) => {
    const address = clientAddress(request);
    const isAllowed = address !== undefined && parsed.some((range) => isWithin(address, range));
    // next('route') leaves the path as if nothing were mounted there.
    next(isAllowed ? undefined : 'route');
  };
}

/** An address alone is a range of one. */
function parseRange(text: string): Range {
  const [address, bits] = text.includes('/') ? ipaddr.parseCIDR(text) : [ipaddr.parse(text), undefined];
  return [address, bits ?? address.toByteArray().length * 8];
}

/**
 * Who asks; undefined when that cannot be known. What a proxy forwards comes from the proxy's address, often loopback,
 * so it counts as the address it names when the proxy is trusted, and as nobody's when it is not.
 */
function clientAddress(request: Request): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const { forwarded, 'x-forwarded-for': forwardedFor } = request.headers;
  const isTrusted = request.app.get('trust proxy fn') as (address: string, distance: number) => boolean;
  const isForwarded = forwarded !== undefined || forwardedFor !== undefined;
  const isKnown = forwardedFor !== undefined && isTrusted(request.socket.remoteAddress ?? '', 0);
  if (isForwarded && !isKnown) return undefined;
  return ipaddr.isValid(request.ip ?? '') ? ipaddr.process(request.ip ?? '') : undefined;
}

const isWithin = (address: ipaddr.IPv4 | ipaddr.IPv6, [start, bits]: Range): boolean =>
  address.kind() === start.kind() && address.match(start, bits);
