import { type Period, periodOf } from '../../contract/periods.ts';
import type { KeyRecord, Usage, UsageReading } from '../port/access.ts';
import type { Sqlite } from './database.ts';
import type { GroupCommit } from './group-commit.ts';

/** Stands for no limit in SQL, where a comparison with null is never true. */
const NO_LIMIT = Number.MAX_SAFE_INTEGER;
/** How often the last use of a key is noted. */
const NOTE_EVERY_MS = 60_000;

const QUOTA = 'id = (SELECT quota_id FROM keys WHERE keys.id = @key)';
const USED_TODAY = 'CASE WHEN day = @day THEN day_used ELSE 0 END';
const USED_THIS_MONTH = 'CASE WHEN month = @month THEN month_used ELSE 0 END';

type Counted = Period & { readonly key: number };
type Counting = Counted & { readonly daily: number; readonly monthly: number };
type Counters = Omit<UsageReading, 'at'>;

/** A moment with what is written of it, made once for all that are counted at it. */
interface Moment extends Period {
  readonly at: Date;
  readonly text: string;
  /** A last use before it is noted anew. */
  readonly noteBefore: string;
}

export function createUsage(database: Sqlite, commit: GroupCommit, now: () => Date): Usage {
  const count = database.prepare<[Counting], Counters>(
    `UPDATE quotas SET day_used = ${USED_TODAY} + 1, day = @day, month_used = ${USED_THIS_MONTH} + 1, month = @month
     WHERE ${QUOTA} AND ${USED_TODAY} < @daily AND ${USED_THIS_MONTH} < @monthly
     RETURNING day_used AS today, month_used AS thisMonth`,
  );
  const uncount = database.prepare<[Counted]>(
    `UPDATE quotas SET day_used = day_used - (day = @day AND day_used > 0),
       month_used = month_used - (month = @month AND month_used > 0)
     WHERE ${QUOTA}`,
  );
  const select = database.prepare<[Counted], Counters>(
    `SELECT ${USED_TODAY} AS today, ${USED_THIS_MONTH} AS thisMonth FROM quotas WHERE ${QUOTA}`,
  );
  const note = database.prepare<[string, string | null, number, string]>(
    `UPDATE keys SET last_used_at = ?, last_used_ip = ? WHERE id = ? AND coalesce(last_used_at, '') <= ?`,
  );

  let latest = momentOf(now());
  function readMoment(at: Date): Moment {
    // All of a group are given one date.
    if (latest.at !== at) latest = momentOf(at);
    return latest;
  }

  function read(key: number, at: Date): UsageReading {
    const { day, month } = readMoment(at);
    // Every key has a count: the schema asks for it.
    const { today, thisMonth } = select.get({ key, day, month }) as Counters;
    return { at, today, thisMonth };
  }

  function noteUse({ id, last_used_at }: KeyRecord, address: string | null, { text, noteBefore }: Moment): void {
    // What was read with the key spares most requests the statement; the statement decides.
    if (last_used_at === null || last_used_at <= noteBefore) note.run(text, address, id, noteBefore);
  }

  return {
    take: (key, address) =>
      commit((at) => {
        const moment = readMoment(at);
        noteUse(key, address, moment);
        const daily = key.limits.daily ?? NO_LIMIT;
        const monthly = key.limits.monthly ?? NO_LIMIT;
        const counted = count.get({ key: key.id, day: moment.day, month: moment.month, daily, monthly });
        if (counted === undefined) return { isAdmitted: false, ...read(key.id, at) };
        return { isAdmitted: true, at, today: counted.today, thisMonth: counted.thisMonth };
      }),
    giveBack: (key, countedAt) =>
      commit((at) => {
        uncount.run({ key: key.id, ...periodOf(countedAt) });
        return read(key.id, at);
      }),
    read: async (key) => read(key.id, now()),
  };
}

function momentOf(at: Date): Moment {
  const noteBefore = new Date(at.getTime() - NOTE_EVERY_MS).toISOString();
  return { at, text: at.toISOString(), ...periodOf(at), noteBefore };
}
