import type { Request, RequestHandler, Response } from 'express';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import { ServiceError, TEXT } from '../../contract/errors.ts';
import type { KeyRecord } from '../../store/port/access.ts';
import type { ServiceDeps } from '../deps.ts';

const WINDOW_SECONDS = 2;
const REFUSED_WINDOW_SECONDS = 10;
/** Refused keys from one address in that window. */
const REFUSED_MAX = 100;

interface Burst {
  /** Requests in a window; 0 is as many as come. */
  readonly limit: number;
  readonly seconds: number;
  readonly whose: (request: Request, response: Response) => string;
  /** What is done before a refusal. */
  readonly before: RequestHandler;
}

/**
 * Refuses what one key asks too fast: more in two seconds than the setting allows on average.
 * @param before what is done before a refusal
 */
export function limitBursts(
  { burstPerSecond }: Pick<ServiceDeps, 'burstPerSecond'>,
  before: RequestHandler,
): RequestHandler {
  return limitTo({
    limit: burstPerSecond * WINDOW_SECONDS,
    seconds: WINDOW_SECONDS,
    whose: (_request, response) => String((response.locals['key'] as KeyRecord).id),
    before,
  });
}

/** Slows down who tries keys. It is asked about refused keys only, so a good key from the same address goes on. */
export function limitRefused({ burstPerSecond }: Pick<ServiceDeps, 'burstPerSecond'>): RequestHandler {
  return limitTo({
    limit: burstPerSecond === 0 ? 0 : REFUSED_MAX,
    seconds: REFUSED_WINDOW_SECONDS,
    whose: ({ ip = '' }) => ipKeyGenerator(ip),
    before: (_request, _response, next) => next(),
  });
}

function limitTo({ limit, seconds, whose, before }: Burst): RequestHandler {
  if (limit === 0) return (_request, _response, next) => next();
  return rateLimit({
    limit,
    windowMs: seconds * 1_000,
    keyGenerator: whose,
    // Its headers would stand beside those of the quota on every answer, and its checks write to the console.
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
  // The library sets it before it calls the handler, and keeps its own time.
  const { resetTime } = (request as unknown as { rateLimit: { resetTime: Date } }).rateLimit;
  return Math.max(1, Math.ceil((resetTime.getTime() - Date.now()) / 1_000));
}
