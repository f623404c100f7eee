import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { busyError, isBusy } from './database-errors.ts';
import type { Sqlite } from './driver.ts';

/** How long a write waits for other processes before it fails. */
export const WRITE_WAIT_MS = 5_000;
/** The same where another process may be bringing the schema up to date or filling a new database. */
export const FILLING_WAIT_MS = 60_000;
/** Writes of this process that wait at once; more fail at once. */
const WAITING_MAX = 1_000;
/** Between two tries: the first pause and the longest. */
const POLL_MIN_MS = 1;
const POLL_MAX_MS = 5;
/** After a transaction of this length the process leaves the lock free for longer than others pause between two tries. */
const LONG_MS = 20;
const REST_MS = 3 * POLL_MAX_MS;

/** The write lock of a database file, which one transaction of all processes holds at a time. */
export interface WriteLock {
  /**
   * Runs work in a write transaction, which is kept whole or not at all. The writes of one process run in the order of their calls.
   * Another process's transaction is waited for by trying again, so that the event loop is never blocked.
   * @param waitMs how long to wait; then it fails with SQLITE_BUSY. With 0 it is tried once.
   */
  transact<Result>(work: () => Result, waitMs?: number): Promise<Result>;
  /** As transact, and rolls everything back. */
  dryRun<Result>(work: () => Result): Promise<Result>;
}

type End = 'commit' | 'rollback';

interface Waiting {
  readonly deadline: number;
  /** Does the work in the transaction that has begun, and settles its promise. */
  run(): void;
  reject(error: unknown): void;
}

/**
 * @param database a connection without a busy time-out, because SQLite itself waits by blocking the thread
 * @param check throws when nothing may be written; called in each transaction before its work
 */
export function createWriteLock(database: Sqlite, check: () => void = () => {}): WriteLock {
  const begin = database.prepare('BEGIN IMMEDIATE');
  const commit = database.prepare('COMMIT');
  const rollback = database.prepare('ROLLBACK');
  // Nobody else can use a database in memory.
  const longMs = database.memory ? Infinity : LONG_MS;
  let queue: Waiting[] = [];
  let isDraining = false;
  let restUntil = 0;

  /** Takes the lock; false when another process holds it. */
  function tryBegin(): boolean {
    try {
      begin.run();
      return true;
    } catch (error) {
      if (isBusy(error)) return false;
      throw error;
    }
  }

  function run<Result>(work: () => Result, end: End): Result {
    const startedAt = performance.now();
    try {
      check();
      const result = work();
      if (end === 'commit') commit.run();
      return result;
    } finally {
      // A full disk has ended the transaction already.
      if (database.inTransaction) rollback.run();
      const endedAt = performance.now();
      if (endedAt - startedAt > longMs) restUntil = endedAt + REST_MS;
    }
  }

  /** Runs the first in the queue; false when another process holds the lock. */
  function tryFirst(): boolean {
    try {
      if (!tryBegin()) return false;
      queue.shift()?.run();
    } catch (error) {
      queue.shift()?.reject(error);
    }
    return true;
  }

  function rejectLate(): void {
    const now = performance.now();
    for (const { deadline, reject } of queue) if (deadline <= now) reject(busyError());
    queue = queue.filter(({ deadline }) => deadline > now);
  }

  async function drain(): Promise<void> {
    isDraining = true;
    let pauseMs = POLL_MIN_MS;
    while (queue.length > 0) {
      const restMs = restUntil - performance.now();
      if (restMs > 0) await pause(restMs);
      if (tryFirst()) {
        pauseMs = POLL_MIN_MS;
        await turn();
      } else {
        rejectLate();
        await pause(pauseMs);
        pauseMs = Math.min(2 * pauseMs, POLL_MAX_MS);
      }
    }
    isDraining = false;
  }

  async function enter<Result>(work: () => Result, end: End, waitMs: number): Promise<Result> {
    const isNext = !isDraining && (waitMs === 0 || performance.now() >= restUntil);
    if (isNext && tryBegin()) return run(work, end);
    if (waitMs === 0 || queue.length >= WAITING_MAX) throw busyError();
    return new Promise((resolve, reject) => {
      const attempt = (): void => {
        try {
          resolve(run(work, end));
        } catch (error) {
          reject(error);
        }
      };
      queue.push({ deadline: performance.now() + waitMs, run: attempt, reject });
      if (!isDraining) void drain();
    });
  }

  return {
    transact: (work, waitMs = WRITE_WAIT_MS) => enter(work, 'commit', waitMs),
    dryRun: (work) => enter(work, 'rollback', WRITE_WAIT_MS),
  };
}

/** Repeats work that other processes may be in the way of, such as opening a file that they switch to another mode. */
export async function whenFree<Result>(work: () => Result, waitMs: number): Promise<Result> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
    }
    await pause(POLL_MAX_MS);
  }
}

/** Switches a new file to a write-ahead log. SQLite lets no two connections do so at once and does not wait for the other. */
export async function keepLog(database: Sqlite, waitMs: number): Promise<void> {
  await whenFree(() => database.pragma('journal_mode = WAL'), waitMs);
}
