import cors from 'cors';
import type { RequestHandler } from 'express';
import { AT_LEAST_HEADER, CHANGE_HEADER } from '../../contract/changes.ts';

const PREFLIGHT_LIFE_SECONDS = 3_600;
const EXPOSED = ['PAYMENT-REQUIRED', 'PAYMENT-RESPONSE', 'X-Request-Id', 'Retry-After'];
const EXPOSED_TO_KEYED = [
  ...EXPOSED,
  'ETag',
  'Location',
  'Content-Location',
  'Idempotent-Replayed',
  CHANGE_HEADER,
  'RateLimit',
  'RateLimit-Policy',
  'X-RateLimit-Daily-Limit',
  'X-RateLimit-Daily-Remaining',
  'X-RateLimit-Monthly-Limit',
  'X-RateLimit-Monthly-Remaining',
  'X-RateLimit-Reset',
];
const ACCEPTED_FROM_KEYED = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  AT_LEAST_HEADER,
  'X-Request-Id',
];

/** CORS of paths without a key: any origin, without credentials. Answers OPTIONS. */
export function allowAnyOrigin(methods: readonly string[]): RequestHandler[] {
  const allowed = methods.join(', ');
  const setAllow: RequestHandler = (request, response, next) => {
    if (request.method === 'OPTIONS') response.set('Allow', allowed);
    next();
  };
  const policy = cors({
    origin: '*',
    methods: [...methods],
    allowedHeaders: ['Content-Type', 'PAYMENT-SIGNATURE', 'SIGN-IN-WITH-X', 'X-Request-Id'],
    exposedHeaders: EXPOSED,
    maxAge: PREFLIGHT_LIFE_SECONDS,
  });
  return [setAllow, policy];
}

/** CORS of the keyed API: configured origins only, because keys do not belong in public pages. */
export function allowOrigins(origins: readonly string[]): RequestHandler {
  const policy = cors({
    origin: [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: ACCEPTED_FROM_KEYED,
    exposedHeaders: EXPOSED_TO_KEYED,
    maxAge: PREFLIGHT_LIFE_SECONDS,
  });
  return (request, response, next) => {
    if (origins.includes(request.get('origin') ?? '')) return policy(request, response, next);
    // Caches must not reuse a response across origins.
    response.vary('Origin');
    next();
  };
}
