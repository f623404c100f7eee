import { validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server';
import type { RequestHandler } from 'express';
import { HttpRefusal, SERVER_ERROR } from './protocol-errors.ts';

/** Names, without ports, under which the server may be asked, and those of pages that may ask it. */
export interface Names {
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
}

const PREFLIGHT_LIFE_SECONDS = '3600';
const ACCEPTED_HEADERS =
  'Authorization, Content-Type, Accept, Mcp-Session-Id, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Last-Event-ID';
const EXPOSED_HEADERS = 'WWW-Authenticate, X-Request-Id, Retry-After';

/**
 * Refuses what a page of a stranger can make a browser send: a request under a foreign host name (DNS rebinding) or from
 * a foreign origin. Answers the preflights of those that may.
 */
export function allowNames({ allowedHosts, allowedOrigins }: Names): RequestHandler {
  return (request, response, next) => {
    const host = validateHostHeader(request.headers.host, [...allowedHosts]);
    if (!host.ok) throw refusal('This host name is not served; name it in WEB3_BI_ALLOWED_HOSTS.');
    const { origin } = request.headers;
    if (!validateOriginHeader(origin, [...allowedOrigins]).ok)
      throw refusal('Pages of this origin may not ask; name it in WEB3_BI_ALLOWED_ORIGINS.');
    response.vary('Origin');
    if (origin !== undefined) {
      response.set('Access-Control-Allow-Origin', origin).set('Access-Control-Expose-Headers', EXPOSED_HEADERS);
    }
    if (request.method !== 'OPTIONS') return next();
    response.set('Allow', 'POST, OPTIONS').set('Access-Control-Allow-Methods', 'POST');
    response
      .set('Access-Control-Allow-Headers', ACCEPTED_HEADERS)
      .set('Access-Control-Max-Age', PREFLIGHT_LIFE_SECONDS);
    response.status(204).end();
  };
}

const refusal = (message: string): HttpRefusal => new HttpRefusal(403, { code: SERVER_ERROR, message });
