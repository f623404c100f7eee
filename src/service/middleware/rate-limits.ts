import type { RequestHandler } from 'express';
import { ipKeyGenerator, MemoryStore, type Options } from 'express-rate-limit';
import { ServiceError, TEXT } from '../../contract/errors.ts';
import type { KeyRecord } from '../../store/port/access.ts';
import type { ServiceDeps } from '../deps.ts';
import { passing } from './request-group.ts';

interface Rate {
  /** Events per key and window; 0 is unlimited. */
  readonly max: number;
  readonly seconds: number;
}

/** Limits events per key in this process. A window begins with the first event of its key. */
export interface RateLimit {
  /** Counts an event. Returns the seconds to wait if it exceeds the limit, or else 0. */
  count(key: string): Promise<number>;
  /** What `count` would return, without counting. */
  read(key: string): Promise<number>;
}

export function createRateLimit({ max, seconds }: Rate): RateLimit {
  if (max === 0) return { count: async () => 0, read: async () => 0 };
  const counts = new MemoryStore();
  // Only `windowMs` is used of the options.
  counts.init({ windowMs: seconds * 1_000 } as Options);
  const secondsTo = (time: Date | undefined): number =>
    Math.max(1, Math.ceil(((time?.getTime() ?? 0) - Date.now()) / 1_000));
  return {
    count: async (key) => {
      const { totalHits, resetTime } = await counts.increment(key);
      return totalHits > max ? secondsTo(resetTime) : 0;
    },
    read: async (key) => {
      const { totalHits = 0, resetTime } = (await counts.get(key)) ?? {};
      return totalHits >= max ? secondsTo(resetTime) : 0;
    },
  };
}

const BURST_SECONDS = 2;

/**
 * Limits bursts per key: requests in two seconds beyond the configured average.
 * @param before runs before a refusal
 */
export function limitBursts(deps: Pick<ServiceDeps, 'burstPerSecond'>, before: RequestHandler): RequestHandler {
  const { burstPerSecond } = deps;
  const rate = { max: burstPerSecond * BURST_SECONDS, seconds: BURST_SECONDS };
  const bursts = createRateLimit(rate);
  return async (request, response, next) => {
    const wait = await bursts.count(String((response.locals['key'] as KeyRecord).id));
    if (wait === 0) return next();
    await passing(before, request, response);
    const { retry, state } = headersOf(rate, wait);
    // Appended, because a header of an error would replace those of the quota.
    for (const [name, value] of Object.entries(state)) response.append(name, value);
    throw new ServiceError('burst_limit_exceeded', TEXT.rateLimited, { headers: retry });
  };
}

const REFUSALS: Rate = { max: 100, seconds: 10 };

/** Limits refusals and unpaid computations per network of an address. Valid requests from it are not affected. */
export type RefusalLimit = ReturnType<typeof createRefusalLimit>;

type Address = string | null | undefined;

export function createRefusalLimit({ burstPerSecond }: Pick<ServiceDeps, 'burstPerSecond'>) {
  const refusals = createRateLimit(burstPerSecond === 0 ? { ...REFUSALS, max: 0 } : REFUSALS);
  const count = (address: Address) => refusals.count(ipKeyGenerator(address ?? ''));
  const refuse = (wait: number): void => {
    if (wait === 0) return;
    const { retry, state } = headersOf(REFUSALS, wait);
    throw new ServiceError('burst_limit_exceeded', TEXT.rateLimited, { headers: { ...retry, ...state } });
  };
  return {
    /** Counts a refusal that is reported as such whatever the count. */
    count: async (address: Address): Promise<void> => void (await count(address)),
    /**
     * Counts a refusal.
     * @throws ServiceError `burst_limit_exceeded` if it exceeds the limit
     */
    take: async (address: Address): Promise<void> => refuse(await count(address)),
    /** @throws ServiceError `burst_limit_exceeded` if another refusal would exceed the limit */
    check: async (address: Address): Promise<void> => refuse(await refusals.read(ipKeyGenerator(address ?? ''))),
  };
}

/** Headers of a refusal (draft-ietf-httpapi-ratelimit-headers-10). */
const headersOf = ({ max, seconds }: Rate, wait: number) => ({
  retry: { 'Retry-After': String(wait) },
  state: { 'RateLimit-Policy': `"burst";q=${max};w=${seconds}`, RateLimit: `"burst";r=0;t=${wait}` },
});
