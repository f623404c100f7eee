import { createHash } from 'node:crypto';
import type { Written } from '../sql/runner.ts';

/** Namespace of our advisory locks. */
const SPACE = 0x77336269;
const PAYERS = SPACE + 1;
const LOCKS = { schema: 1, records: 2, keys: 3, people: 4, requests: 5, following: 6 } as const;

/** `following` is held in shared mode by followers with many changes to apply. */
type SharedLock = 'schema' | 'following';
type Lock = Exclude<Written, 'rows'> | SharedLock;

/** Acquires a lock exclusively until the end of the transaction. */
export function lockSql(lock: Lock): string {
  if (typeof lock === 'string') return `SELECT pg_advisory_xact_lock(${SPACE}, ${LOCKS[lock]})`;
  // A hash collision of payers only serializes them.
  const number = createHash('sha256').update(lock.payer).digest().readInt32BE();
  return `SELECT pg_advisory_xact_lock(${PAYERS}, ${number})`;
}

/** Acquires a lock in shared mode until the end of the transaction. */
export const sharedLockSql = (lock: SharedLock): string =>
  `SELECT pg_advisory_xact_lock_shared(${SPACE}, ${LOCKS[lock]})`;

/** Tries the shared lock without waiting, as an SQL expression. */
export const tryLockSql = (lock: SharedLock): string => `pg_try_advisory_xact_lock_shared(${SPACE}, ${LOCKS[lock]})`;
