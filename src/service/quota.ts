import { endOfDay, endOfMonth, startOfMonth } from '../contract/periods.ts';
import type { Limits } from '../contract/plans.ts';
import type { UsageReading } from '../store/port/access.ts';

const DAY_SECONDS = 86_400;

export interface QuotaWindow {
  readonly name: 'day' | 'month';
  readonly limit: number | null;
  readonly used: number;
  readonly remaining: number | null;
  readonly seconds: number;
  readonly resetsAt: Date;
}

export interface Balance {
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
export function bindingWindow({ day, month }: Balance): QuotaWindow | undefined {
  if (month.remaining === 0) return month;
  if (day.limit !== null) return day;
  return month.limit === null ? undefined : month;
}

/** Rounded up, so that waiting this long is sufficient. */
export function secondsBetween(from: Date, to: Date): number {
  return Math.ceil((to.getTime() - from.getTime()) / 1_000);
}

function remainingOf(limit: number | null, used: number): number | null {
  return limit === null ? null : Math.max(0, limit - used);
}
