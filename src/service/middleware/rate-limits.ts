import type { Request, RequestHandler, Response } from 'express';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import { ServiceError, TEXT } from '../../contract/errors.ts';
import type { KeyRecord } from '../../store/port/access.ts';
import type { ServiceDeps } from '../deps.ts';

const WINDOW_SECONDS = 2;
const REFUSED_WINDOW_SECONDS = 10;
/** Refused keys per address and window. */
const REFUSED_MAX = 100;

interface Burst {
  /** Requests per window; 0 is unlimited. */
  readonly limit: number;
  readonly seconds: number;
  readonly keyOf: (request: Request, response: Response) => string;
  /** Runs before a refusal. */
  readonly before: RequestHandler;
}

/**
 * Limits bursts per key: requests in two seconds beyond the configured average.
 * @param before runs before a refusal
 */
export function limitBursts(
  { burstPerSecond }: Pick<ServiceDeps, 'burstPerSecond'>,
  before: RequestHandler,
): RequestHandler {
  return limitTo({
    limit: burstPerSecond * WINDOW_SECONDS,
    seconds: WINDOW_SECONDS,
    keyOf: (_request, response) => String((response.locals['key'] as KeyRecord).id),
    before,
  });
}

/** Limits key guessing per address. Applied to refused keys only, so valid keys from the same address are unaffected. */
export function limitRefused({ burstPerSecond }: Pick<ServiceDeps, 'burstPerSecond'>): RequestHandler {
  return limitTo({
    limit: burstPerSecond === 0 ? 0 : REFUSED_MAX,
    seconds: REFUSED_WINDOW_SECONDS,
    keyOf: ({ ip = '' }) => ipKeyGenerator(ip),
    before: (_request, _response, next) => next(),
  });
}

function limitTo({ limit, seconds, keyOf, before }: Burst): RequestHandler {
  if (limit === 0) return (_request, _response, next) => next();
  return rateLimit({
    limit,
    windowMs: seconds * 1_000,
    keyGenerator: keyOf,
    // The library's headers would duplicate those of the quota, and its validations write to the console.
    standardHeaders: false,
    legacyHeaders: false,
    validate: false,
    handler: (request, response, next) =>
      before(request, response, (error?: unknown) => {
        if (error !== undefined) return next(error);
        const wait = secondsToReset(request);
        response.append('RateLimit-Policy', `"burst";q=${limit};w=${seconds}`);
        response.append('RateLimit', `"burst";r=0;t=${wait}`);
        const headers = { 'Retry-After': String(wait) };
        next(new ServiceError('burst_limit_exceeded', TEXT.rateLimited, { headers }));
      }),
  });
}

function secondsToReset(request: Request): number {
  // Set by the library before it calls the handler.
  const { resetTime } = (request as unknown as { rateLimit: { resetTime: Date } }).rateLimit;
  return Math.max(1, Math.ceil((resetTime.getTime() - Date.now()) / 1_000));
}
