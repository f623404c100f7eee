import type { Database } from 'better-sqlite3';
import type { Merging } from '../../search/search-index.ts';
import { withRuns } from './overlaid-postings.ts';
import type { PostingsTable } from './postings-table.ts';
import { createRuns } from './runs.ts';
import { MERGES_TABLE, RUNS_TABLE } from './search-tables.ts';
import { bytesOfRun, changesOf, type SortedRun } from './sorted-run.ts';

/**
 * Writes changes to the posting lists of one table, or defers them as sorted runs (log-structured merge). While runs
 * exist, every change becomes a run, to preserve order. Runs are merged in parts to bound lock time; merging is
 * idempotent, and readers overlay runs until they are gone.
 */
export interface PostingsWriter {
  write(run: SortedRun, merging: Merging): void;
  /** Whether any posting list from `from` up to, excluding, `end` is non-empty, as of the last change or `refresh`. */
  hasPostings(from: number, end: number): boolean;
  /** Updates what `holds` sees. */
  refresh(): void;
  /** Merges a part of the runs. False if there are none. */
  compact(): boolean;
}

/** A merge in progress: its last run, and the first remaining list. */
interface Merge {
  readonly last_run: number;
  readonly next_list: number;
}

/** Deferred changes that trigger a merge: readers hold them in memory, about 15 MB. */
const DEFERRED_MAX = 2_000_000;
/** Number of runs that triggers a merge, because readers check each. */
const RUNS_MAX = 48;
/** Lists merged per step: when idle, and at least per change. */
const COMPACTED_LISTS = 4_096;
const LISTS_PER_CHANGE_MIN = 512;

export function createPostingsWriter(database: Database, table: string, target: PostingsTable): PostingsWriter {
  const runs = createRuns(database, table);
  const any = database.prepare<[string], number>(`SELECT 1 FROM ${RUNS_TABLE} WHERE target = ? LIMIT 1`).pluck();
  const append = database.prepare<[string, number, Uint8Array]>(
    `INSERT INTO ${RUNS_TABLE} (target, stamp, data) VALUES (?, ?, ?)`,
  );
  const drop = database.prepare<[string, number]>(`DELETE FROM ${RUNS_TABLE} WHERE target = ? AND id <= ?`);
  const find = database.prepare<[string], Merge>(`SELECT last_run, next_list FROM ${MERGES_TABLE} WHERE target = ?`);
  const note = database.prepare<[string, number, number]>(
    `INSERT OR REPLACE INTO ${MERGES_TABLE} (target, last_run, next_list) VALUES (?, ?, ?)`,
  );
  const forget = database.prepare<[string]>(`DELETE FROM ${MERGES_TABLE} WHERE target = ?`);

  const merge = (most: number) => {
    const { last_run, next_list } = find.get(table) ?? { last_run: runs.lastId(), next_list: 0 };
    let left = most;
    for (const [list, change] of runs.upTo(last_run, next_list)) {
      if (left-- === 0) {
        note.run(table, last_run, list);
        return;
      }
      target.change(list, change);
    }
    drop.run(table, last_run);
    forget.run(table);
    runs.refresh();
  };

  const overlaid = withRuns(target, runs);

  const isDue = () => runs.count() >= RUNS_MAX || runs.size() >= DEFERRED_MAX || find.get(table) !== undefined;

  return {
    write(run, merging) {
      if (run.lists.length === 0) return;
      if (merging === 'now' && any.get(table) === undefined) {
        for (const [list, change] of changesOf([run], 0, Infinity)) target.change(list, change);
        return;
      }
      append.run(table, Math.floor(Math.random() * Number.MAX_SAFE_INTEGER), bytesOfRun(run));
      runs.refresh();
      if (merging === 'now' || isDue()) merge(Math.max(LISTS_PER_CHANGE_MIN, run.lists.length));
    },
    hasPostings: (from, end) =>
      runs.count() === 0 ? target.hasAny(from, end) : overlaid.directory(from, end).some(({ count }) => count > 0),
    refresh: runs.refresh,
    compact() {
      if (any.get(table) === undefined) return false;
      runs.refresh();
      merge(COMPACTED_LISTS);
      return true;
    },
  };
}
