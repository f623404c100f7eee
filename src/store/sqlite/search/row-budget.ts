import { LongSearch } from '../../search/search-index.ts';

export type RowBudget = ReturnType<typeof createRowBudget>;

/** The rows that searches may still read. */
export function createRowBudget() {
  let left = Number.POSITIVE_INFINITY;
  return {
    left: () => left,
    /** @throws LongSearch if fewer are left */
    take(rows: number): void {
      if (rows > left) throw new LongSearch();
      left -= rows;
    },
    set(rows: number): void {
      left = rows;
    },
  };
}
