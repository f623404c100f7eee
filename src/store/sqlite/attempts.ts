import type { AttemptLimit, Attempts } from '../port/people.ts';
import type { Sqlite } from './database.ts';

/** Windows that are over and go with each new one. */
const SWEEP_MAX = 100;

export function createAttempts(database: Sqlite, now: () => Date): Attempts {
  const count = database
    .prepare<[object], number>(
      `INSERT INTO attempts (subject, began_at, ends_at, tries) VALUES (@subject, @at, @end, 1)
       ON CONFLICT (subject) DO UPDATE SET
         tries = iif(ends_at <= @at, 1, tries + 1), began_at = iif(ends_at <= @at, @at, began_at),
         ends_at = iif(ends_at <= @at, @end, ends_at)
       RETURNING tries`,
    )
    .pluck();
  const sweep = database.prepare(
    `DELETE FROM attempts WHERE subject IN (SELECT subject FROM attempts WHERE ends_at <= ? LIMIT ${SWEEP_MAX})`,
  );
  const forget = database.prepare('DELETE FROM attempts WHERE subject = ?');
  const take = database.transaction((limits: readonly AttemptLimit[]) => {
    const at = now().getTime();
    sweep.run(at);
    for (const { subject, max, windowMs } of limits) {
      const tries = count.get({ subject, at, end: at + windowMs }) ?? 0;
      if (tries > max) return { subject, isFirst: tries === max + 1 };
    }
    return undefined;
  });
  return {
    take: async (limits) => take.immediate(limits),
    forget: async (subject) => void forget.run(subject),
  };
}
