import { type CountingPeriod, periodOf } from '../../contract/periods.ts';
import type { CountTable } from './count-table.ts';

/** Requests of a quota and day counted in memory only; negative for refunds. */
interface DeferredIncrement extends CountingPeriod {
  readonly quota: number;
  readonly by: number;
}

/**
 * Counts that could not be written because of a full disk or a lock. Written with the next successful count; lost if
 * the process ends before, and invisible to other processes.
 */
export interface DeferredCounts {
  areAny(): boolean;
  add(quota: number, at: Date, by: number): void;
  /** Deferred counts of a quota for the day and month of a time. */
  of(quota: number, at: Date): { today: number; thisMonth: number };
  /** Writes all of them in the current transaction; call `keep` or `takeBack` when it has ended. */
  write(table: Pick<CountTable, 'add'>): void;
  keep(): void;
  takeBack(): void;
}

export function createDeferredCounts(): DeferredCounts {
  let owed: readonly DeferredIncrement[] = [];
  let written: readonly DeferredIncrement[] = [];

  return {
    areAny: () => owed.length > 0,
    add: (quota, at, by) => {
      const period = periodOf(at);
      const same = owed.find((each) => each.quota === quota && each.day === period.day);
      owed = [...owed.filter((each) => each !== same), { quota, ...period, by: by + (same?.by ?? 0) }];
    },
    of: (quota, at) => {
      const { day, month } = periodOf(at);
      const own = owed.filter((each) => each.quota === quota);
      return {
        today: sum(own.filter((each) => each.day === day)),
        thisMonth: sum(own.filter((each) => each.month === month)),
      };
    },
    write: (table) => {
      if (owed.length === 0) return;
      for (const { by, ...counted } of owed) table.add(counted, by);
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

const sum = (owed: readonly DeferredIncrement[]): number => owed.reduce((total, { by }) => total + by, 0);
