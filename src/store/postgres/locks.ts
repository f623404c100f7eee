import { createHash } from 'node:crypto';
import type { Written } from '../sql/runner.ts';

/** Namespace of our advisory locks. */
const SPACE = 0x77336269;
const PAYERS = SPACE + 1;
const LOCKS = { schema: 1, records: 2, keys: 3, people: 4, requests: 5 } as const;

type Lock = Exclude<Written, 'rows'> | 'schema';

/** Acquires a lock exclusively until the end of the transaction. */
export function lockSql(lock: Lock): string {
  if (typeof lock === 'string') return `SELECT pg_advisory_xact_lock(${SPACE}, ${LOCKS[lock]})`;
  // A hash collision of payers only serializes them.
  const number = createHash('sha256').update(lock.payer).digest().readInt32BE();
  return `SELECT pg_advisory_xact_lock(${PAYERS}, ${number})`;
}

/** Acquires a lock in shared mode until the end of the transaction. */
export const sharedLockSql = (lock: 'schema'): string =>
  `SELECT pg_advisory_xact_lock_shared(${SPACE}, ${LOCKS[lock]})`;

/** Tries the shared lock without waiting, as an SQL expression. */
export const tryLockSql = (lock: 'schema'): string => `pg_try_advisory_xact_lock_shared(${SPACE}, ${LOCKS[lock]})`;
