import type { Response } from 'express';
import { type Balance, bindingWindow, type QuotaWindow, secondsBetween } from '../quota.ts';

/**
 * Tells the caller what is left: the headers of the specification (8.1), and those of
 * draft-ietf-httpapi-ratelimit-headers-10. A plan without a limit has no header for it.
 */
export function setQuotaHeaders(response: Response, balance: Balance): void {
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
