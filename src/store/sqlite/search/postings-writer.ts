import type { Database } from 'better-sqlite3';
import type { Merging } from '../../search/search-index.ts';
import { createPostingsTable, MERGES_TABLE, RUNS_TABLE } from './postings-table.ts';
import { bytesOfRun, changesOf, createRuns, newRun, REMOVED, type SortedRun, withRuns } from './sorted-run.ts';

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
/** Emptied lists per step when idle, and at least per change: forgetting their words takes longer than merging them. */
const COMPACTED_EMPTIED = 1_024;
const EMPTIED_PER_CHANGE_MIN = 64;

/**
 * Writes changes to the posting lists of one table, or defers them as sorted runs (log-structured merge). While runs
 * exist, every change becomes a run, to preserve order. Runs are merged in parts to bound lock time; merging is
 * idempotent, and readers overlay runs until they are gone.
 * @param onEmptied called with lists that may have become empty in a merge, ascending
 */
export function createPostingsWriter(
  database: Database,
  table: string,
  onEmptied: (lists: readonly number[]) => void = () => {},
) {
  const target = createPostingsTable(database, table);
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

  const merge = (most: number, emptiedMax: number) => {
    const { last_run, next_list } = find.get(table) ?? { last_run: runs.lastId(), next_list: 0 };
    const emptied: number[] = [];
    let left = most;
    let next: number | undefined;
    for (const [list, change] of runs.upTo(last_run, next_list)) {
      if (left-- === 0 || emptied.length === emptiedMax) {
        next = list;
        break;
      }
      target.change(list, change);
      if (change.added.length === 0) emptied.push(list);
    }
    if (next === undefined) {
      drop.run(table, last_run);
      forget.run(table);
    } else note.run(table, last_run, next);
    runs.refresh();
    onEmptied(emptied);
  };

  const overlaid = withRuns(target, runs);

  const isDue = () => runs.count() >= RUNS_MAX || runs.size() >= DEFERRED_MAX || find.get(table) !== undefined;

  return {
    write(run: SortedRun, merging: Merging): void {
      if (run.lists.length === 0) return;
      if (merging === 'now' && any.get(table) === undefined) {
        for (const [list, change] of changesOf([run], 0, Infinity)) target.change(list, change);
        return;
      }
      append.run(table, Math.floor(Math.random() * Number.MAX_SAFE_INTEGER), bytesOfRun(run));
      runs.refresh();
      const { length } = run.lists;
      if (merging === 'now' || isDue())
        merge(Math.max(LISTS_PER_CHANGE_MIN, length), Math.max(EMPTIED_PER_CHANGE_MIN, length));
    },
    /** Whether any posting list from `from` up to, excluding, `end` is non-empty, as of the last change or `refresh`. */
    hasPostings: (from: number, end: number): boolean =>
      runs.count() === 0 ? target.hasAny(from, end) : overlaid.directory(from, end).some(({ count }) => count > 0),
    /** Updates what `hasPostings` sees. */
    refresh: runs.refresh,
    /** Merges a part of the runs. False if there are none. */
    compact(): boolean {
      if (any.get(table) === undefined) return false;
      runs.refresh();
      merge(COMPACTED_LISTS, COMPACTED_EMPTIED);
      return true;
    },
  };
}

/** Buffers posting list changes in any order. An id both removed and added is added. */
export function createWriteBuffer() {
  /** Lists by order of appearance. */
  let numbers = new Map<number, number>();
  let counts: number[] = [];
  /** Per change: the index of its list and the document id, bitwise negated (-1 - id) for removals. */
  let places: number[] = [];
  let docIds: number[] = [];

  const push = (list: number, docId: number) => {
    let number = numbers.get(list);
    if (number === undefined) {
      number = numbers.size;
      numbers.set(list, number);
      counts.push(0);
    }
    counts[number] += 1;
    places.push(number);
    docIds.push(docId);
  };

  const clear = () => {
    numbers = new Map();
    counts = [];
    places = [];
    docIds = [];
  };

  return {
    add: push,
    remove: (list: number, docId: number): void => push(list, -1 - docId),
    /** Returns and clears the buffer as a sorted run. */
    drain(): SortedRun {
      const run = newRun(numbers.size, places.length);
      run.lists.set(Float64Array.from(numbers.keys()).sort());
      const ends = new Uint32Array(numbers.size);
      let end = 0;
      for (let index = 0; index < run.lists.length; index++) {
        const number = numbers.get(run.lists[index]) ?? 0;
        run.starts[index] = end;
        ends[number] = end;
        end += counts[number];
      }
      run.starts[run.lists.length] = end;
      for (let index = 0; index < places.length; index++) {
        const docId = docIds[index];
        run.changes[ends[places[index]]++] = docId < 0 ? REMOVED - 1 - docId : docId;
      }
      sortLists(run);
      clear();
      return run;
    },
  };
}

function sortLists({ starts, changes }: SortedRun): void {
  for (let index = 0; index + 1 < starts.length; index++) {
    const start = starts[index];
    const end = starts[index + 1];
    let isSorted = true;
    for (let place = start + 1; place < end; place++) isSorted &&= changes[place - 1] < changes[place];
    if (!isSorted) changes.subarray(start, end).sort();
  }
}
