import type { Request, RequestHandler, Response } from 'express';
import { ServiceError, TEXT } from '../../contract/errors.ts';
import { endOfDay, endOfMonth, startOfMonth } from '../../contract/periods.ts';
import type { Limits } from '../../contract/plans.ts';
import type { KeyRecord, QuotaTaken, UsageReading } from '../../store/port/access.ts';
import type { ServiceDeps } from '../deps.ts';
import { createEarlyReads } from './early-read.ts';
import { passing } from './request-group.ts';

type Deps = Pick<ServiceDeps, 'store' | 'log'>;

/**
 * Counts the request before processing, or responds 429.
 * @param identify authenticates again if the cached key has changed
 */
export function enforceQuota({ store, log }: Deps, identify: RequestHandler): RequestHandler {
  const take = (request: Request, response: Response): Promise<QuotaTaken> =>
    store.usage.take(response.locals['key'] as KeyRecord, request.ip ?? null);
  const earlyReads = createEarlyReads();
  return async (request, response, next) => {
    const counting = take(request, response);
    earlyReads.begin(response);
    let taken = await counting;
    earlyReads.settle(response, taken);
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
        // The response is an error already and is sent even if the refund fails.
        log.error({ requestId: response.locals['requestId'], err: error }, 'a count could not be refunded');
      }
    };
    next();
  };
}

/** Adds quota headers to responses that are not counted. */
export function reportQuota({ store }: Pick<Deps, 'store'>): RequestHandler {
  return async (_request, response, next) => {
    showReading(response, await store.usage.read(response.locals['key'] as KeyRecord));
    next();
  };
}

/** Refunds the count of a request that ends with a server error or 304. */
export async function refundQuota(response: Response): Promise<void> {
  const undo = response.locals['giveBack'] as (() => Promise<void>) | undefined;
  await undo?.();
}

function showReading(response: Response, reading: UsageReading): void {
  // Headers may be sent already if several requests count as one.
  if (response.headersSent) return;
  setQuotaHeaders(response, balanceOf((response.locals['key'] as KeyRecord).limits, reading));
}

function exceeded(key: KeyRecord, reading: UsageReading): ServiceError {
  const balance = balanceOf(key.limits, reading);
  // An exhausted quota has a limit.
  const { name, resetsAt } = bindingWindow(balance) ?? balance.day;
  const code = name === 'month' ? 'monthly_limit_exceeded' : 'daily_limit_exceeded';
  const seconds = secondsBetween(reading.at, resetsAt);
  return new ServiceError(code, TEXT.rateLimited, { headers: { 'Retry-After': String(seconds) } });
}

/** Sets the X-RateLimit headers, and those of draft-ietf-httpapi-ratelimit-headers-10. Unlimited plans have none. */
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

const DAY_SECONDS = 86_400;

export interface QuotaWindow {
  readonly name: 'day' | 'month';
  readonly limit: number | null;
  readonly used: number;
  readonly remaining: number | null;
  readonly seconds: number;
  readonly resetsAt: Date;
}

interface Balance {
  readonly at: Date;
  readonly day: QuotaWindow;
  readonly month: QuotaWindow;
}

/** The remaining quota. The day's remainder never exceeds the month's. */
export function balanceOf({ daily, monthly }: Limits, { at, today, thisMonth }: UsageReading): Balance {
  const ofMonth = remainingOf(monthly, thisMonth);
  const ofDay = remainingOf(daily, today);
  const monthEnds = endOfMonth(at);
  return {
    at,
    day: {
      name: 'day',
      limit: daily,
      used: today,
      remaining: ofDay === null || ofMonth === null ? ofDay : Math.min(ofDay, ofMonth),
      seconds: DAY_SECONDS,
      resetsAt: endOfDay(at),
    },
    month: {
      name: 'month',
      limit: monthly,
      used: thisMonth,
      remaining: ofMonth,
      seconds: secondsBetween(startOfMonth(at), monthEnds),
      resetsAt: monthEnds,
    },
  };
}

/** The window that limits the caller: the day, unless the month is exhausted. Undefined without limits. */
function bindingWindow({ day, month }: Balance): QuotaWindow | undefined {
  if (month.remaining === 0) return month;
  if (day.limit !== null) return day;
  return month.limit === null ? undefined : month;
}

/** Rounded up, so that waiting this long is sufficient. */
const secondsBetween = (from: Date, to: Date): number => Math.ceil((to.getTime() - from.getTime()) / 1_000);

const remainingOf = (limit: number | null, used: number): number | null =>
  limit === null ? null : Math.max(0, limit - used);
