import type { CountingPeriod } from '../../contract/periods.ts';
import type { Sqlite } from './driver.ts';

/** A count at a moment. */
interface Counted extends CountingPeriod {
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

/** A row of counts, which is a row of quotas as well. */
interface Row extends Counted {
  readonly day_used: number;
  readonly month_used: number;
}

/** When a key was used, and from where. */
interface Use {
  readonly key: number;
  readonly at: string;
  readonly ip: string | null;
}

/** The statements about counts; those that write take part in whatever transaction of the file of counts is open. */
export interface CountTable {
  /** Counts one more; undefined when the limits leave no room. */
  take(counted: Counted, limits: Limits): Counters | undefined;
  /** Adds to what was counted in a period, or takes away; a period that is over by now stays as it is. */
  add(counted: Counted, by: number): void;
  read(counted: Counted): Counters;
  /** Notes the use of a key, unless a later one than a moment is noted. */
  use(use: Use, noteBefore: string): void;
  lastUse(key: number): Use | undefined;
  /** Writes all counts and uses into the database, in whatever transaction of that is open. */
  fold(): void;
}

/** The counts that the database itself has, as of when they were last folded into it. */
export interface FoldedCounts {
  read(counted: Counted): Counters;
  row(quota: number): Row;
  keep(rows: readonly Row[], uses: readonly Use[]): void;
}

const USED_TODAY = 'CASE WHEN day = @day THEN day_used ELSE 0 END';
const USED_THIS_MONTH = 'CASE WHEN month = @month THEN month_used ELSE 0 END';
const COUNTERS = `${USED_TODAY} AS today, ${USED_THIS_MONTH} AS thisMonth`;
const COLUMNS = 'day, day_used, month, month_used';

/** A day or month that is over keeps its count: what belongs to it changes nothing of the next. */
const added = (unit: 'day' | 'month') => `${unit}_used = CASE WHEN ${unit} > @${unit} THEN ${unit}_used
  ELSE max(0, CASE WHEN ${unit} = @${unit} THEN ${unit}_used ELSE 0 END + @by) END,
  ${unit} = max(${unit}, @${unit})`;

export function createFoldedCounts(database: Sqlite): FoldedCounts {
  const row = database.prepare<[number], Row>(`SELECT id AS quota, ${COLUMNS} FROM quotas WHERE id = ?`);
  const read = database.prepare<[Counted], Counters>(`SELECT ${COUNTERS} FROM quotas WHERE id = @quota`);
  const keep = database.prepare<[Row]>(
    `UPDATE quotas SET day = @day, day_used = @day_used, month = @month, month_used = @month_used
     WHERE id = @quota AND (${COLUMNS}) IS NOT (@day, @day_used, @month, @month_used)`,
  );
  const keepUse = database.prepare<[Use]>(
    `UPDATE keys SET last_used_at = @at, last_used_ip = @ip WHERE id = @key AND coalesce(last_used_at, '') < @at`,
  );
  return {
    // Every key has a quota: the schema asks for it.
    read: (counted) => read.get(counted) as Counters,
    row: (quota) => row.get(quota) as Row,
    keep: (rows, uses) => {
      for (const each of rows) keep.run(each);
      for (const each of uses) keepUse.run(each);
    },
  };
}

/** Over the file of counts. What it does not have begins with what is folded. */
export function createCountTable(counts: Sqlite, folded: FoldedCounts): CountTable {
  const take = counts.prepare<[Counted & Limits], Counters>(
    `UPDATE counts SET day_used = ${USED_TODAY} + 1, day = @day, month_used = ${USED_THIS_MONTH} + 1, month = @month
     WHERE quota = @quota AND ${USED_TODAY} < @daily AND ${USED_THIS_MONTH} < @monthly
     RETURNING day_used AS today, month_used AS thisMonth`,
  );
  const add = counts.prepare<[Counted & { by: number }]>(
    `UPDATE counts SET ${added('day')}, ${added('month')} WHERE quota = @quota`,
  );
  const read = counts.prepare<[Counted], Counters>(`SELECT ${COUNTERS} FROM counts WHERE quota = @quota`);
  const all = counts.prepare<[], Row>(`SELECT quota, ${COLUMNS} FROM counts`);
  const put = counts.prepare<[Row]>(
    `INSERT INTO counts (quota, ${COLUMNS}) VALUES (@quota, @day, @day_used, @month, @month_used)`,
  );
  const use = counts.prepare<[Use & { noteBefore: string }]>(
    `INSERT INTO uses (key, at, ip) VALUES (@key, @at, @ip)
     ON CONFLICT (key) DO UPDATE SET at = @at, ip = @ip WHERE at <= @noteBefore`,
  );
  const lastUse = counts.prepare<[number], Use>('SELECT key, at, ip FROM uses WHERE key = ?');
  const allUses = counts.prepare<[], Use>('SELECT key, at, ip FROM uses');

  /** Begins where the database says; false when the count is begun already. */
  function begin(quota: number): boolean {
    if (read.get({ quota, day: '', month: '' }) !== undefined) return false;
    put.run(folded.row(quota));
    return true;
  }

  return {
    take: (counted, limits) => {
      const asked = { ...counted, ...limits };
      return take.get(asked) ?? (begin(counted.quota) ? take.get(asked) : undefined);
    },
    add: (counted, by) => {
      if (add.run({ ...counted, by }).changes === 0 && begin(counted.quota)) add.run({ ...counted, by });
    },
    read: (counted) => read.get(counted) ?? folded.read(counted),
    use: (each, noteBefore) => void use.run({ ...each, noteBefore }),
    lastUse: (key) => lastUse.get(key),
    fold: () => folded.keep(all.all(), allUses.all()),
  };
}
