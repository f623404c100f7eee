import type { CountingPeriod } from '../../contract/periods.ts';
import { type Connection, connect } from './database.ts';
import type { Sqlite } from './driver.ts';
import { createWriteLock, whenFree } from './write-lock.ts';

const VERSION = 1;
const SCHEMA = `
DROP TABLE IF EXISTS counts;
DROP TABLE IF EXISTS uses;
DROP TABLE IF EXISTS owner;
CREATE TABLE owner (identity TEXT NOT NULL) STRICT;
CREATE TABLE counts (
  quota INTEGER PRIMARY KEY,
  day TEXT NOT NULL,
  day_used INTEGER NOT NULL,
  month TEXT NOT NULL,
  month_used INTEGER NOT NULL
) STRICT;
CREATE TABLE uses (key INTEGER PRIMARY KEY, at TEXT NOT NULL, ip TEXT) STRICT;
PRAGMA user_version = ${VERSION};
`;

export const countsPath = (database: Sqlite): string => `${database.name}-counts`;

/**
 * Opens the counts file of a database; for an in-memory database, its counts are in memory too. A separate file,
 * because SQLite invalidates the page cache of every process when another writes, which would otherwise happen with
 * each request, and because counting need not wait for writers of records.
 * @param identity identity of the database; counts of another database at this path are deleted
 * @param waitMs lock time-out
 */
export async function openCountsFile(database: Sqlite, identity: string, waitMs: number): Promise<Connection> {
  const counts = await connect(database.memory ? ':memory:' : countsPath(database), waitMs);
  const lock = createWriteLock(counts);
  const isOwn = (): boolean =>
    counts.pragma('user_version', { simple: true }) === VERSION &&
    counts.prepare('SELECT identity FROM owner').pluck().get() === identity;
  const begin = (): void => {
    // Another process may have initialized it.
    if (isOwn()) return;
    counts.exec(SCHEMA);
    counts.prepare('INSERT INTO owner (identity) VALUES (?)').run(identity);
  };
  try {
    if (!(await whenFree(isOwn, waitMs))) await lock.transact(begin, waitMs);
    return { database: counts, lock };
  } catch (error) {
    counts.close();
    throw error;
  }
}

interface QuotaPeriod extends CountingPeriod {
  readonly quota: number;
}

interface Limits {
  readonly daily: number;
  readonly monthly: number;
}

interface Counters {
  readonly today: number;
  readonly thisMonth: number;
}

/** A row of counts, equal to one of quotas. */
interface Row extends QuotaPeriod {
  readonly day_used: number;
  readonly month_used: number;
}

interface KeyUse {
  readonly key: number;
  readonly at: string;
  readonly ip: string | null;
}

/** Statements on counts; writes run in the current transaction of the counts file. */
export type CountTable = ReturnType<typeof createCountTable>;

/** A day or month begun by another process stays begun. */
const USED_TODAY = 'CASE WHEN day >= @day THEN day_used ELSE 0 END';
const USED_THIS_MONTH = 'CASE WHEN month >= @month THEN month_used ELSE 0 END';
const COUNTERS = `${USED_TODAY} AS today, ${USED_THIS_MONTH} AS thisMonth`;
const COLUMNS = 'day, day_used, month, month_used';

/** Adds within the period only. */
const added = (unit: 'day' | 'month') => `${unit}_used = CASE WHEN ${unit} > @${unit} THEN ${unit}_used
  ELSE max(0, CASE WHEN ${unit} = @${unit} THEN ${unit}_used ELSE 0 END + @by) END,
  ${unit} = max(${unit}, @${unit})`;

/** Counts in the database, as of the last fold. */
export type FoldedCounts = ReturnType<typeof createFoldedCounts>;

export function createFoldedCounts(database: Sqlite) {
  const row = database.prepare<[number], Row>(`SELECT id AS quota, ${COLUMNS} FROM quotas WHERE id = ?`);
  const read = database.prepare<[QuotaPeriod], Counters>(`SELECT ${COUNTERS} FROM quotas WHERE id = @quota`);
  const keep = database.prepare<[Row]>(
    `UPDATE quotas SET day = @day, day_used = @day_used, month = @month, month_used = @month_used
     WHERE id = @quota AND (${COLUMNS}) IS NOT (@day, @day_used, @month, @month_used)`,
  );
  const keepUse = database.prepare<[KeyUse]>(
    `UPDATE keys SET last_used_at = @at, last_used_ip = @ip WHERE id = @key AND coalesce(last_used_at, '') < @at`,
  );
  return {
    // The schema guarantees a quota for every key.
    read: (counted: QuotaPeriod): Counters => read.get(counted) as Counters,
    row: (quota: number): Row => row.get(quota) as Row,
    keep: (rows: readonly Row[], uses: readonly KeyUse[]): void => {
      for (const each of rows) keep.run(each);
      for (const each of uses) keepUse.run(each);
    },
  };
}

/** Statements over the counts file. Missing quotas start with the folded counts. */
export function createCountTable(counts: Sqlite, folded: FoldedCounts) {
  const take = counts.prepare<[QuotaPeriod & Limits], Counters>(
    `UPDATE counts SET day_used = ${USED_TODAY} + 1, day = max(day, @day), month_used = ${USED_THIS_MONTH} + 1,
       month = max(month, @month)
     WHERE quota = @quota AND ${USED_TODAY} < @daily AND ${USED_THIS_MONTH} < @monthly
     RETURNING day_used AS today, month_used AS thisMonth`,
  );
  const add = counts.prepare<[QuotaPeriod & { by: number }]>(
    `UPDATE counts SET ${added('day')}, ${added('month')} WHERE quota = @quota`,
  );
  const read = counts.prepare<[QuotaPeriod], Counters>(`SELECT ${COUNTERS} FROM counts WHERE quota = @quota`);
  const all = counts.prepare<[], Row>(`SELECT quota, ${COLUMNS} FROM counts`);
  const put = counts.prepare<[Row]>(
    `INSERT INTO counts (quota, ${COLUMNS}) VALUES (@quota, @day, @day_used, @month, @month_used)`,
  );
  const use = counts.prepare<[KeyUse & { noteBefore: string }]>(
    `INSERT INTO uses (key, at, ip) VALUES (@key, @at, @ip)
     ON CONFLICT (key) DO UPDATE SET at = @at, ip = @ip WHERE at <= @noteBefore`,
  );
  const lastUse = counts.prepare<[number], KeyUse>('SELECT key, at, ip FROM uses WHERE key = ?');
  const allUses = counts.prepare<[], KeyUse>('SELECT key, at, ip FROM uses');

  /** Initializes a quota from the database. False if it exists. */
  function begin(quota: number): boolean {
    if (read.get({ quota, day: '', month: '' }) !== undefined) return false;
    put.run(folded.row(quota));
    return true;
  }

  return {
    /** Increments a count. Undefined if a limit is reached. */
    take: (counted: QuotaPeriod, limits: Limits): Counters | undefined => {
      const asked = { ...counted, ...limits };
      return take.get(asked) ?? (begin(counted.quota) ? take.get(asked) : undefined);
    },
    /** Adds to the count of a period; a past period is unchanged. */
    add: (counted: QuotaPeriod, by: number): void => {
      if (add.run({ ...counted, by }).changes === 0 && begin(counted.quota)) add.run({ ...counted, by });
    },
    read: (counted: QuotaPeriod): Counters => read.get(counted) ?? folded.read(counted),
    /** Records a use, unless a later use than `noteBefore` is recorded. */
    use: (each: KeyUse, noteBefore: string): void => void use.run({ ...each, noteBefore }),
    lastUse: (key: number): KeyUse | undefined => lastUse.get(key),
    /** Copies all counts and uses into the database, in its current transaction. */
    fold: (): void => folded.keep(all.all(), allUses.all()),
  };
}
