import { type CountingPeriod, periodOf } from '../../contract/periods.ts';
import type { CountTable } from './count-table.ts';

/** Requests of one quota in one day that are counted here only; less than nothing when more were given back. */
interface Owed extends CountingPeriod {
  readonly quota: number;
  readonly by: number;
}

/**
 * Counts that could not be written, because the disk is full or another process holds the file. They are written with the first
 * count that can be; should the process end before, they are lost, and other processes do not know of them meanwhile.
 */
export interface OwedCounts {
  areAny(): boolean;
  owe(quota: number, at: Date, by: number): void;
  /** What is owed of a quota in the day and the month of a moment. */
  of(quota: number, at: Date): { today: number; thisMonth: number };
  /** Writes all of them; to be called within a transaction, and `keep` or `takeBack` when that has ended. */
  write(table: Pick<CountTable, 'add'>): void;
  keep(): void;
  takeBack(): void;
}

export function createOwedCounts(): OwedCounts {
  let owed: readonly Owed[] = [];
  let written: readonly Owed[] = [];

  return {
    areAny: () => owed.length > 0,
    owe: (quota, at, by) => {
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

const sum = (owed: readonly Owed[]): number => owed.reduce((total, { by }) => total + by, 0);
