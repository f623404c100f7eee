import { ServiceError } from '../../contract/errors.ts';
import type { Once } from '../port/records.ts';
import type { Sqlite } from './database.ts';

const LIFE_MS = 24 * 60 * 60 * 1_000;
/** Old answers that go with each new one, so that the table neither grows nor is swept at once. */
const SWEEP_MAX = 100;

/** Answers of changes that may be asked for again; kept in the transaction of the change, so neither is there alone. */
export interface Answers<Answer> {
  /** The kept answer, or undefined for a request that is new; throws when the key was used for another request. */
  find(once: Once, now: Date): Answer | undefined;
  keep(once: Once, answer: Answer, now: Date): void;
}

export function createAnswers<Answer>(database: Sqlite): Answers<Answer> {
  const find = database.prepare<[string, string, string], { fingerprint: string; answer: string }>(
    'SELECT fingerprint, answer FROM idempotency WHERE scope = ? AND key = ? AND created_at > ?',
  );
  const keep = database.prepare(
    'INSERT OR REPLACE INTO idempotency (scope, key, fingerprint, answer, created_at) VALUES (?, ?, ?, ?, ?)',
  );
  const sweep = database.prepare(
    `DELETE FROM idempotency WHERE (scope, key) IN
       (SELECT scope, key FROM idempotency WHERE created_at <= ? ORDER BY created_at LIMIT ${SWEEP_MAX})`,
  );
  const oldest = (now: Date): string => new Date(now.getTime() - LIFE_MS).toISOString();
  return {
    find: ({ scope, key, fingerprint }, now) => {
      const kept = find.get(scope, key, oldest(now));
      if (kept === undefined) return undefined;
      if (kept.fingerprint === fingerprint) return JSON.parse(kept.answer) as Answer;
      throw new ServiceError(
        'idempotency_mismatch',
        'Idempotency-Key: it was sent before with another body; take a new key for a new request',
      );
    },
    keep: ({ scope, key, fingerprint }, answer, now) => {
      sweep.run(oldest(now));
      keep.run(scope, key, fingerprint, JSON.stringify(answer), now.toISOString());
    },
  };
}
