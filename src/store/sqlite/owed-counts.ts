import { type Period, periodOf } from '../../contract/periods.ts';
import type { Sqlite } from './database.ts';

/** What SQLite says when nothing can be written, although it can be read: the disk is full, or a file as large as it may be. */
const NO_SPACE = /^SQLITE_(FULL|IOERR_WRITE|IOERR_SHMSIZE)$/;

export function isOutOfSpace(error: unknown): boolean {
  return NO_SPACE.test(String((error as { code?: unknown }).code));
}

/** Requests of one quota in one day that are counted here only; less than nothing when more were given back. */
interface Owed extends Period {
  readonly key: number;
  readonly by: number;
}

/**
 * Counts that could not be written, because the disk is full. They are written with the first count that can be; should the
 * process end before, they are lost, and other processes do not know of them meanwhile.
 */
export interface OwedCounts {
  owe(key: number, at: Date, by: number): void;
  /** What a key owes in the day and the month of a moment. */
  of(key: number, at: Date): { today: number; thisMonth: number };
  /** Writes all of them; to be called within a transaction, and `keep` or `takeBack` when that has ended. */
  write(): void;
  keep(): void;
  takeBack(): void;
}

/** A day or month that is over keeps its count: what belongs to it changes nothing of the next. */
const LATER = (unit: 'day' | 'month') => `coalesce(${unit} > @${unit}, false)`;
const added = (unit: 'day' | 'month') => `${unit}_used = CASE WHEN ${LATER(unit)} THEN ${unit}_used
  ELSE max(0, CASE WHEN ${unit} = @${unit} THEN ${unit}_used ELSE 0 END + @by) END,
  ${unit} = CASE WHEN ${LATER(unit)} THEN ${unit} ELSE @${unit} END`;

export function createOwedCounts(database: Sqlite): OwedCounts {
  const quotaOf = database.prepare<[number], number>('SELECT quota_id FROM keys WHERE id = ?').pluck();
  const add = database.prepare<[Owed]>(
    `UPDATE quotas SET ${added('day')}, ${added('month')} WHERE id = (SELECT quota_id FROM keys WHERE keys.id = @key)`,
  );
  let owed: readonly Owed[] = [];
  let written: readonly Owed[] = [];

  return {
    owe: (key, at, by) => {
      const period = periodOf(at);
      const same = owed.find((each) => each.key === key && each.day === period.day);
      owed = [...owed.filter((each) => each !== same), { key, ...period, by: by + (same?.by ?? 0) }];
    },
    of: (key, at) => {
      if (owed.length === 0) return { today: 0, thisMonth: 0 };
      const { day, month } = periodOf(at);
      const quota = quotaOf.get(key);
      // A key that replaced another goes on with its count.
      const own = owed.filter((each) => quotaOf.get(each.key) === quota);
      return {
        today: sum(own.filter((each) => each.day === day)),
        thisMonth: sum(own.filter((each) => each.month === month)),
      };
    },
    write: () => {
      if (owed.length === 0) return;
      for (const each of owed) add.run(each);
      written = owed;
      owed = [];
    },
    keep: () => {
      written = [];
    },
    takeBack: () => {
      owed = [...written, ...owed];
      written = [];
    },
  };
}

const sum = (owed: readonly Owed[]): number => owed.reduce((total, { by }) => total + by, 0);
