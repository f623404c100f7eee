import { ServiceError } from '../contract/errors.ts';
import type { PageRequest } from './reply.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Entries of one kind from one address an hour: who is refused must not be able to fill the audit log. */
const NOTES_MAX = 20;
/** Pages a person may open in a minute. They are for reading; a program has its key. */
const PAGES_MAX = 300;

/** Writes down that something was refused. */
export async function noteRefusal(
  { deps, author }: Pick<PageRequest, 'deps' | 'author'>,
  action: string,
  id: number | undefined = undefined,
): Promise<void> {
  const subject = `note ${action} ${author.account} ${author.address}`;
  const tooMany = await deps.store.attempts.take([{ subject, max: NOTES_MAX, windowMs: HOUR_MS }]);
  if (tooMany === undefined) await deps.store.audit.note({ author, action, type: 'sessions', id: id ?? null });
}

/** Slows down a program that uses a person's session to read everything. Each process counts for itself. */
export function createPageLimit(): (visit: PageRequest) => void {
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
