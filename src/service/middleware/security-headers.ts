import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import helmet, { contentSecurityPolicy } from 'helmet';

const NO_SOURCE = ["'none'"];
const HSTS_SECONDS = 365 * 24 * 3_600;

/** Security headers, which restrict how browsers interpret and embed responses. */
export function securityHeaders(publicUrl: string): RequestHandler {
  const headers = headersOf(
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: { defaultSrc: NO_SOURCE, baseUri: NO_SOURCE, formAction: NO_SOURCE, frameAncestors: NO_SOURCE },
      },
      // HSTS has no effect over plain HTTP; behind a proxy the public URL shows what clients use.
      strictTransportSecurity: publicUrl.startsWith('https:') && { maxAge: HSTS_SECONDS, includeSubDomains: false },
      xFrameOptions: { action: 'deny' },
      referrerPolicy: { policy: 'no-referrer' },
      // Obsolete, or covered by the policy above.
      originAgentCluster: false,
      xDnsPrefetchControl: false,
      xDownloadOptions: false,
      xPermittedCrossDomainPolicies: false,
      xXssProtection: false,
    }),
  );
  return (_request, response, next) => {
    for (const [name, value] of headers) response.setHeader(name, value);
    next();
  };
}

type Setter = (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void;

/** The headers that helmet sets, computed once because they are constant. */
function headersOf(set: Setter): [name: string, value: string][] {
  const headers: [string, string][] = [];
  const response = { setHeader: (name: string, value: string) => headers.push([name, value]), removeHeader: () => {} };
  set({} as IncomingMessage, response as unknown as ServerResponse, () => {});
  return headers;
}

/** Content security policy of pages: own files and API only. */
export function pageHeaders(publicUrl: string): RequestHandler {
  return contentSecurityPolicy({
    useDefaults: false,
    directives: {
      defaultSrc: NO_SOURCE,
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      fontSrc: ["'self'"],
      imgSrc: ["'self'", 'data:'],
      connectSrc: ["'self'", new URL(publicUrl).origin],
      baseUri: NO_SOURCE,
      formAction: ["'self'"],
      frameAncestors: NO_SOURCE,
    },
  });
}
