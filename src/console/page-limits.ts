import { ServiceError } from '../contract/errors.ts';
import { HOUR_MS } from '../contract/periods.ts';
import { createRateLimit } from '../service/middleware/rate-limits.ts';
import type { PageRequest } from './page-route.ts';

const MINUTE_SECONDS = 60;
/** Maximum entries per kind, address and hour, so that refused callers cannot flood the audit log. */
const NOTES_MAX = 20;

export async function auditRefusal(
  { deps, author }: Pick<PageRequest, 'deps' | 'author'>,
  action: string,
  id: number | undefined = undefined,
): Promise<void> {
  const subject = `note ${action} ${author.account} ${author.address}`;
  const tooMany = await deps.store.attempts.take([{ subject, max: NOTES_MAX, windowMs: HOUR_MS }]);
  if (tooMany === undefined) await deps.store.audit.note({ author, action, type: 'sessions', id: id ?? null });
}

/** Limits pages per key and minute, in this process. The result throws `burst_limit_exceeded`, with `who` is limited and what raises that. */
export function createPageLimit(max: number, who: string): (key: string) => Promise<void> {
  const pages = createRateLimit({ max, seconds: MINUTE_SECONDS });
  return async (key) => {
    const wait = await pages.count(key);
    if (wait === 0) return;
    const message = `More than ${max} pages in a minute ${who}`;
    throw new ServiceError('burst_limit_exceeded', message, { headers: { 'Retry-After': String(wait) } });
  };
}
