import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import helmet, { contentSecurityPolicy } from 'helmet';

const NOTHING = ["'none'"];
const HSTS_SECONDS = 365 * 24 * 3_600;

/** Headers that keep a browser from doing anything with an answer but reading it as what it is. */
export function securityHeaders(publicUrl: string): RequestHandler {
  const headers = headersOf(
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: { defaultSrc: NOTHING, baseUri: NOTHING, formAction: NOTHING, frameAncestors: NOTHING },
      },
      // Told over plain HTTP it means nothing; behind a proxy only the public address says what the client sees.
      strictTransportSecurity: publicUrl.startsWith('https:') && { maxAge: HSTS_SECONDS, includeSubDomains: false },
      xFrameOptions: { action: 'deny' },
      referrerPolicy: { policy: 'no-referrer' },
      // For pages of browsers that are gone, or for what the policy above forbids already.
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

/** What helmet sets on every answer. It is the same each time, so it is asked once. */
function headersOf(set: Setter): [name: string, value: string][] {
  const headers: [string, string][] = [];
  const response = { setHeader: (name: string, value: string) => headers.push([name, value]), removeHeader: () => {} };
  set({} as IncomingMessage, response as unknown as ServerResponse, () => {});
  return headers;
}

/** What a page may do: load and run our own files, ask the API, and send forms here. */
export function pageHeaders(publicUrl: string): RequestHandler {
  return contentSecurityPolicy({
    useDefaults: false,
    directives: {
      defaultSrc: NOTHING,
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      fontSrc: ["'self'"],
      imgSrc: ["'self'", 'data:'],
      connectSrc: ["'self'", new URL(publicUrl).origin],
      baseUri: NOTHING,
      formAction: ["'self'"],
      frameAncestors: NOTHING,
    },
  });
}
