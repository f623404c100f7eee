import type { Request, RequestHandler, Response } from 'express';
import { ServiceError, TEXT } from '../../contract/errors.ts';
import type { KeyRecord, QuotaTaken, UsageReading } from '../../store/port/access.ts';
import type { ServiceDeps } from '../deps.ts';
import { type Balance, balanceOf, bindingWindow, type QuotaWindow, secondsBetween } from '../quota.ts';
import { passing } from './request-group.ts';

type Deps = Pick<ServiceDeps, 'store' | 'log'>;

/**
 * Counts the request before it is worked on, or refuses it with 429 (specification 8.1).
 * @param identify finds the key of a request anew, which has changed since it was recalled
 */
export function countRequest({ store, log }: Deps, identify: RequestHandler): RequestHandler {
  const take = (request: Request, response: Response): Promise<QuotaTaken> =>
    store.usage.take(response.locals['key'] as KeyRecord, request.ip ?? null);
  return async (request, response, next) => {
    let taken = await take(request, response);
    if (taken.isStale === true) {
      await passing(identify, request, response);
      taken = await take(request, response);
    }
    const key = response.locals['key'] as KeyRecord;
    showReading(response, taken);
    if (!taken.isAdmitted) throw exceeded(key, taken);
    response.locals['position'] = taken.position;
    response.locals['giveBack'] = async () => {
      try {
        showReading(response, await store.usage.giveBack(key, taken.at));
      } catch (error) {
        // The answer is a failure already; that its count stays is no reason to keep it back.
        log.error({ requestId: response.locals['requestId'], err: error }, 'a count could not be given back');
      }
    };
    next();
  };
}

/** Shows what is left of the quota on an answer that is not counted. */
export function showQuota({ store }: Pick<Deps, 'store'>): RequestHandler {
  return async (_request, response, next) => {
    showReading(response, await store.usage.read(response.locals['key'] as KeyRecord));
    next();
  };
}

/** Takes back what was counted for a request, if it was, because it is answered with our failure or nothing new. */
export async function giveBack(response: Response): Promise<void> {
  const undo = response.locals['giveBack'] as (() => Promise<void>) | undefined;
  await undo?.();
}

function showReading(response: Response, reading: UsageReading): void {
  // The answer may be out already when several requests count as one.
  if (response.headersSent) return;
  setQuotaHeaders(response, balanceOf((response.locals['key'] as KeyRecord).limits, reading));
}

function exceeded(key: KeyRecord, reading: UsageReading): ServiceError {
  const balance = balanceOf(key.limits, reading);
  // Where nothing was left, a limit is there.
  const { name, resetsAt } = bindingWindow(balance) ?? balance.day;
  const code = name === 'month' ? 'monthly_limit_exceeded' : 'daily_limit_exceeded';
  const seconds = secondsBetween(reading.at, resetsAt);
  return new ServiceError(code, TEXT.rateLimited, { headers: { 'Retry-After': String(seconds) } });
}

/**
 * Tells the caller what is left: the headers of the specification (8.1), and those of
 * draft-ietf-httpapi-ratelimit-headers-10. A plan without a limit has no header for it.
 */
function setQuotaHeaders(response: Response, balance: Balance): void {
  const { at, day, month } = balance;
  const binding = bindingWindow(balance);
  if (binding === undefined) return;
  if (day.limit !== null) {
    response.setHeader('X-RateLimit-Daily-Limit', day.limit);
    response.setHeader('X-RateLimit-Daily-Remaining', String(day.remaining));
  }
  if (month.limit !== null) {
    response.setHeader('X-RateLimit-Monthly-Limit', month.limit);
    response.setHeader('X-RateLimit-Monthly-Remaining', String(month.remaining));
  }
  response.setHeader('X-RateLimit-Reset', binding.resetsAt.toISOString());
  const windows = [day, month].filter((window) => window.limit !== null);
  response.setHeader('RateLimit-Policy', windows.map(policyItem).join(', '));
  response.setHeader('RateLimit', windows.map((window) => stateItem(window, at)).join(', '));
}

const policyItem = ({ name, limit, seconds }: QuotaWindow): string => `"${name}";q=${limit};w=${seconds}`;

const stateItem = ({ name, remaining, resetsAt }: QuotaWindow, at: Date): string =>
  `"${name}";r=${remaining};t=${secondsBetween(at, resetsAt)}`;
