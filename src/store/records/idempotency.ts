import { ServiceError } from '../../contract/errors.ts';
import { DAY_MS } from '../../contract/periods.ts';
import type { IdempotencyKey } from '../port/records.ts';
import { first, run, type SqlProgram } from '../sql/program.ts';

/** How long a request with the same key gets the stored response. */
const ANSWER_LIFE_MS = DAY_MS;
/** Expired responses deleted with each new one, to bound the table without sweeps. */
const SWEEP_MAX = 100;

const FIND = 'SELECT fingerprint, answer FROM idempotency WHERE scope = ? AND key = ? AND created_at > ?';
const KEEP = `INSERT INTO idempotency (scope, key, fingerprint, answer, created_at) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (scope, key) DO UPDATE
  SET fingerprint = excluded.fingerprint, answer = excluded.answer, created_at = excluded.created_at`;
const SWEEP = `DELETE FROM idempotency WHERE (scope, key) IN
  (SELECT scope, key FROM idempotency WHERE created_at <= ? ORDER BY created_at LIMIT ${SWEEP_MAX})`;

const oldest = (now: Date): string => new Date(now.getTime() - ANSWER_LIFE_MS).toISOString();

/**
 * The stored response of an idempotency key; undefined for a new key. Throws `idempotency_mismatch` if the key was used
 * for another request.
 */
export function* findStoredAnswer<Answer>(
  { scope, key, fingerprint }: IdempotencyKey,
  now: Date,
): SqlProgram<Answer | undefined> {
  const stored = yield* first<{ fingerprint: string; answer: string }>(FIND, scope, key, oldest(now));
  if (stored === undefined) return undefined;
  if (stored.fingerprint === fingerprint) return JSON.parse(stored.answer) as Answer;
  throw new ServiceError(
    'idempotency_mismatch',
    'Idempotency-Key: used before with another body; use a new key for a new request',
  );
}

/** Stores the response in the transaction of the change. */
export function* storeAnswer(
  { scope, key, fingerprint }: IdempotencyKey,
  answer: unknown,
  now: Date,
): SqlProgram<void> {
  yield* run(SWEEP, oldest(now));
  yield* run(KEEP, scope, key, fingerprint, JSON.stringify(answer), now.toISOString());
}
