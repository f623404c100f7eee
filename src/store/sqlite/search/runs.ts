import type { Database } from 'better-sqlite3';
import type { PostingChange } from './list-change.ts';
import { RUNS_TABLE } from './search-tables.ts';
import { changesOf, runOfBytes, type SortedRun } from './sorted-run.ts';

/** The runs that wait for the lists of one table, as they were when they were last looked up. */
export interface Runs {
  /** Looks up what there is; only runs that are new are read. */
  refresh(): void;
  count(): number;
  /** The number of the last one. */
  lastId(): number;
  /** How many changes wait. */
  size(): number;
  /** The changes of lists `from` up to and without `end`, in order. */
  between(from: number, end: number): Iterable<[list: number, change: PostingChange]>;
  /** The changes of lists from `from` on, in order, by the runs up to a number. */
  upTo(lastId: number, from: number): Iterable<[list: number, change: PostingChange]>;
}

interface Known {
  readonly id: number;
  readonly stamp: number;
  readonly run: SortedRun;
}

export function createRuns(database: Database, table: string): Runs {
  const list = database.prepare<[string], { id: number; stamp: number }>(
    `SELECT id, stamp FROM ${RUNS_TABLE} WHERE target = ? ORDER BY id`,
  );
  const read = database.prepare<[number], Uint8Array>(`SELECT data FROM ${RUNS_TABLE} WHERE id = ?`).pluck();
  let known: readonly Known[] = [];
  let runs: readonly SortedRun[] = [];
  return {
    refresh() {
      // A number may come again after a rollback; its stamp does not.
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
