import type { AttemptLimit, Attempts } from '../port/people.ts';
import { run, type SqlProgram, value } from '../sql/program.ts';
import type { Runner } from '../sql/runner.ts';

/** Expired windows deleted with each new one. */
const SWEEP_MAX = 100;

const COUNT = `INSERT INTO attempts (subject, began_at, ends_at, tries) VALUES (?, ?, ?, 1)
  ON CONFLICT (subject) DO UPDATE SET
    tries = CASE WHEN attempts.ends_at <= excluded.began_at THEN 1 ELSE attempts.tries + 1 END,
    began_at = CASE WHEN attempts.ends_at <= excluded.began_at THEN excluded.began_at ELSE attempts.began_at END,
    ends_at = CASE WHEN attempts.ends_at <= excluded.began_at THEN excluded.ends_at ELSE attempts.ends_at END
  RETURNING tries`;
const SWEEP = `DELETE FROM attempts WHERE subject IN (SELECT subject FROM attempts WHERE ends_at <= ? LIMIT ${SWEEP_MAX})`;

/** Attempt counters in the database, for any engine. */
export function createAttempts({ transaction }: Runner, now: () => Date): Attempts {
  return {
    take: (limits) => transaction('people', take(limits, now().getTime())),
    forget: (subject) => transaction('rows', run('DELETE FROM attempts WHERE subject = ?', subject)),
  };
}

function* take(limits: readonly AttemptLimit[], at: number): SqlProgram<Awaited<ReturnType<Attempts['take']>>> {
  yield* run(SWEEP, at);
  for (const { subject, max, windowMs } of limits) {
    const tries = (yield* value<number>(COUNT, subject, at, at + windowMs)) ?? 0;
    if (tries > max) return { subject, isFirst: tries === max + 1 };
  }
  return undefined;
}
