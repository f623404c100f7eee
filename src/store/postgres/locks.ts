import type { Written } from '../sql/runner.ts';

type Lock = Exclude<Written, 'counts'> | 'schema';

/** Numbers of our advisory locks, apart from those of other programs on the same database. */
const SPACE = 0x77336269;
const LOCKS: Readonly<Record<Lock, number>> = { schema: 1, records: 2, keys: 3 };

/** Waits until nobody else has a lock, and holds it to the end of the transaction. */
export const lockSql = (lock: Lock): string => `SELECT pg_advisory_xact_lock(${SPACE}, ${LOCKS[lock]})`;
