import type { Database } from 'better-sqlite3';
import type { PostingsChange } from './postings-change.ts';
import { RUNS_TABLE } from './search-tables.ts';
import { changesOf, runOfBytes, type SortedRun } from './sorted-run.ts';

/** The unmerged runs of one table, as of the last refresh. */
export interface Runs {
  refresh(): void;
  count(): number;
  lastId(): number;
  size(): number;
  /** Changes of lists from `from` up to, excluding, `end`, in order. */
  between(from: number, end: number): Iterable<[list: number, change: PostingsChange]>;
  /** Changes of lists from `from` on in runs up to an id, in order. */
  upTo(lastId: number, from: number): Iterable<[list: number, change: PostingsChange]>;
}

export function createRuns(database: Database, table: string): Runs {
  const list = database.prepare<[string], { id: number; stamp: number }>(
    `SELECT id, stamp FROM ${RUNS_TABLE} WHERE target = ? ORDER BY id`,
  );
  const read = database.prepare<[number], Uint8Array>(`SELECT data FROM ${RUNS_TABLE} WHERE id = ?`).pluck();
  let known: readonly { readonly id: number; readonly stamp: number; readonly run: SortedRun }[] = [];
  let runs: readonly SortedRun[] = [];
  return {
    refresh() {
      // An id may be reused after a rollback; its stamp is not.
      const before = new Map(known.map((one) => [one.stamp, one]));
      known = list.all(table).map(({ id, stamp }) => {
        return before.get(stamp) ?? { id, stamp, run: runOfBytes(read.get(id) ?? new Uint8Array()) };
      });
      runs = known.map(({ run }) => run);
    },
    count: () => runs.length,
    lastId: () => known.at(-1)?.id ?? 0,
    size: () => runs.reduce((sum, { changes }) => sum + changes.length, 0),
    between: (from, end) => (runs.length === 0 ? [] : changesOf(runs, from, end)),
    upTo: (lastId, from) =>
      changesOf(
        runs.filter((_, place) => (known[place]?.id ?? 0) <= lastId),
        from,
        Infinity,
      ),
  };
}
