import { LongSearch } from '../../search/search-index.ts';

/** The rows that searches may still read. */
export interface RowBudget {
  left(): number;
  /** @throws LongSearch if fewer are left */
  take(rows: number): void;
  set(rows: number): void;
}

export function createRowBudget(): RowBudget {
  let left = Number.POSITIVE_INFINITY;
  return {
    left: () => left,
    take(rows) {
      if (rows > left) throw new LongSearch();
      left -= rows;
    },
    set(rows) {
      left = rows;
    },
  };
}
