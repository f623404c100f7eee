import { type Period, periodOf } from '../../contract/periods.ts';
import type { KeyRecord, Taken, Usage, UsageReading } from '../port/access.ts';
import type { Sqlite } from './database.ts';
import type { GroupCommit } from './group-commit.ts';
import { createOwedCounts, isOutOfSpace } from './owed-counts.ts';

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

/** Counts, and the writing of those that could not be written when they were made. */
interface SqliteUsage {
  readonly usage: Usage;
  writeOwed(): Promise<void>;
}

export function createUsage(database: Sqlite, commit: GroupCommit, now: () => Date): SqliteUsage {
  const owed = createOwedCounts(database);
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

  const readMoment = createMoments(now());

  function read(key: number, at: Date): UsageReading {
    const { day, month } = readMoment(at);
    // Every key has a count: the schema asks for it.
    const { today, thisMonth } = select.get({ key, day, month }) as Counters;
    const more = owed.of(key, at);
    return { at, today: today + more.today, thisMonth: thisMonth + more.thisMonth };
  }

  async function written<Result>(write: (at: Date) => Result): Promise<Result> {
    try {
      const result = await commit((at) => {
        owed.write();
        return write(at);
      });
      owed.keep();
      return result;
    } catch (error) {
      owed.takeBack();
      throw error;
    }
  }

  /** Who only reads is answered while nothing can be written. */
  function takeUnwritten({ id, limits }: KeyRecord): Taken {
    const at = now();
    const { today, thisMonth } = read(id, at);
    if (today >= (limits.daily ?? NO_LIMIT) || thisMonth >= (limits.monthly ?? NO_LIMIT)) {
      return { isAdmitted: false, at, today, thisMonth };
    }
    owed.owe(id, at, 1);
    return { isAdmitted: true, at, today: today + 1, thisMonth: thisMonth + 1 };
  }

  function noteUse({ id, last_used_at }: KeyRecord, address: string | null, { text, noteBefore }: Moment): void {
    // What was read with the key spares most requests the statement; the statement decides.
    if (last_used_at === null || last_used_at <= noteBefore) note.run(text, address, id, noteBefore);
  }

  const usage: Usage = {
    take: (key, address) =>
      written((at) => {
        const moment = readMoment(at);
        noteUse(key, address, moment);
        const daily = key.limits.daily ?? NO_LIMIT;
        const monthly = key.limits.monthly ?? NO_LIMIT;
        const counted = count.get({ key: key.id, day: moment.day, month: moment.month, daily, monthly });
        if (counted === undefined) return { isAdmitted: false, ...read(key.id, at) };
        return { isAdmitted: true, at, today: counted.today, thisMonth: counted.thisMonth };
      }).catch((error: unknown) => {
        if (!isOutOfSpace(error)) throw error;
        return takeUnwritten(key);
      }),
    giveBack: (key, countedAt) =>
      written((at) => {
        uncount.run({ key: key.id, ...periodOf(countedAt) });
        return read(key.id, at);
      }).catch((error: unknown) => {
        if (!isOutOfSpace(error)) throw error;
        owed.owe(key.id, countedAt, -1);
        return read(key.id, now());
      }),
    read: async (key) => read(key.id, now()),
  };
  return { usage, writeOwed: () => written(() => undefined) };
}

/** What is written of a date; all of a group are given one date. */
function createMoments(first: Date): (at: Date) => Moment {
  let latest = momentOf(first);
  return (at) => {
    if (latest.at !== at) latest = momentOf(at);
    return latest;
  };
}

function momentOf(at: Date): Moment {
  const noteBefore = new Date(at.getTime() - NOTE_EVERY_MS).toISOString();
  return { at, text: at.toISOString(), ...periodOf(at), noteBefore };
}
