import { ServiceError } from '../contract/errors.ts';
import type { PageRequest } from './page-route.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Entries per kind, address and hour, so that refused callers cannot flood the audit log. */
const NOTES_MAX = 20;
/** Pages per person and minute; programs should use a key. */
export const PAGES_MAX = 300;
/** Public pages per address and minute. */
export const PUBLIC_PAGES_MAX = 120;

/** Records a refusal in the audit log. */
export async function noteRefusal(
  { deps, author }: Pick<PageRequest, 'deps' | 'author'>,
  action: string,
  id: number | undefined = undefined,
): Promise<void> {
  const subject = `note ${action} ${author.account} ${author.address}`;
  const tooMany = await deps.store.attempts.take([{ subject, max: NOTES_MAX, windowMs: HOUR_MS }]);
  if (tooMany === undefined) await deps.store.audit.note({ author, action, type: 'sessions', id: id ?? null });
}

/** Rate limits pages per session, in this process. */
export function createPageLimit(): (pageRequest: PageRequest) => void {
  let counts = new Map<number, number>();
  let minute = 0;
  return ({ session, now }) => {
    if (session === undefined) return;
    const current = Math.floor(now.getTime() / MINUTE_MS);
    if (current !== minute) counts = new Map();
    minute = current;
    const pages = (counts.get(session.id) ?? 0) + 1;
    counts.set(session.id, pages);
    if (pages <= PAGES_MAX) return;
    const message = `More than ${PAGES_MAX} pages in a minute; wait a minute. A program uses the API with a key.`;
    throw new ServiceError('burst_limit_exceeded', message, { headers: { 'Retry-After': '60' } });
  };
}
