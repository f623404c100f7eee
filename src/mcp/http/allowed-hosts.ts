import { validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server';
import type { RequestHandler } from 'express';
import { HttpRefusal, SERVER_ERROR } from './protocol-errors.ts';

/** Allowed hosts, without ports, and allowed origins. */
export interface AllowedHosts {
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
}

const PREFLIGHT_LIFE_SECONDS = '3600';
const ACCEPTED_HEADERS =
  'Authorization, Content-Type, Accept, Mcp-Session-Id, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Last-Event-ID';
const EXPOSED_HEADERS = 'WWW-Authenticate, X-Request-Id, Retry-After';

/** Rejects requests with a foreign Host (DNS rebinding) or Origin, and answers CORS preflights of allowed origins. */
export function checkHostAndOrigin({ allowedHosts, allowedOrigins }: AllowedHosts): RequestHandler {
  return (request, response, next) => {
    const host = validateHostHeader(request.headers.host, [...allowedHosts]);
    if (!host.ok) throw refusal('This host name is not allowed; add it to WEB3_BI_ALLOWED_HOSTS.');
    const { origin } = request.headers;
    if (!validateOriginHeader(origin, [...allowedOrigins]).ok)
      throw refusal('This origin is not allowed; add it to WEB3_BI_ALLOWED_ORIGINS.');
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
