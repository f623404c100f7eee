import { createHash } from 'node:crypto';
import type { Written } from '../sql/runner.ts';

/** Numbers of our advisory locks, apart from those of other programs on the same database. */
const SPACE = 0x77336269;
const PAYERS = SPACE + 1;
const LOCKS = { schema: 1, records: 2, keys: 3, people: 4, requests: 5 } as const;

type Lock = Exclude<Written, 'rows'> | 'schema';

/** Waits until nobody else has a lock, and holds it to the end of the transaction. */
export function lockSql(lock: Lock): string {
  if (typeof lock === 'string') return `SELECT pg_advisory_xact_lock(${SPACE}, ${LOCKS[lock]})`;
  // Two payers that share a number only wait for one another.
  const number = createHash('sha256').update(lock.payer).digest().readInt32BE();
  return `SELECT pg_advisory_xact_lock(${PAYERS}, ${number})`;
}

/** Waits until nobody has a lock alone, and keeps everybody from having it alone to the end of the transaction. */
export const sharedLockSql = (lock: 'schema'): string =>
  `SELECT pg_advisory_xact_lock_shared(${SPACE}, ${LOCKS[lock]})`;

/** Whether nobody has a lock alone; then the same as the shared lock. An expression, which does not wait. */
export const tryLockSql = (lock: 'schema'): string => `pg_try_advisory_xact_lock_shared(${SPACE}, ${LOCKS[lock]})`;
