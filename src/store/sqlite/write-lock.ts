import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { busyError, isBusy, type Sqlite } from './driver.ts';

/** Default lock time-out of writes. */
export const WRITE_WAIT_MS = 5_000;
/** Lock time-out while another process may be migrating or filling the database. */
export const FILLING_WAIT_MS = 60_000;
/** Maximum queued writes of this process; further ones fail at once. */
const WAITING_MAX = 1_000;
/** First and longest pause between attempts. */
const POLL_MIN_MS = 1;
const POLL_MAX_MS = 5;
/** After a transaction of this length, the process pauses longer than the others' polling interval, for fairness. */
const LONG_MS = 20;
const REST_MS = 3 * POLL_MAX_MS;

/**
 * Connections have no busy time-out, because it would block the event loop while another process writes: reads and health
 * checks would wait, even with a short one. A thread for writes would meet the same lock.
 */
export interface WriteLock {
  /**
   * Runs work in a write transaction, atomically. Writes of one process run in call order. Waits for other processes by
   * polling, without blocking the event loop.
   * @param waitMs lock time-out, after which it fails with SQLITE_BUSY; 0 tries once
   */
  transact<Result>(work: () => Result, waitMs?: number): Promise<Result>;
  dryRun<Result>(work: () => Result): Promise<Result>;
}

type TransactionEnd = 'commit' | 'rollback';

interface PendingWrite {
  readonly deadline: number;
  /** Runs the work in the current transaction and settles its promise. */
  run(): void;
  reject(error: unknown): void;
}

/**
 * @param database a connection without busy time-out, because SQLite's waiting blocks the thread
 * @param check throws if writing is not allowed; called in each transaction before its work
 */
export function createWriteLock(database: Sqlite, check: () => void = () => {}): WriteLock {
  const begin = database.prepare('BEGIN IMMEDIATE');
  const commit = database.prepare('COMMIT');
  const rollback = database.prepare('ROLLBACK');
  // An in-memory database has no other processes.
  const longMs = database.memory ? Infinity : LONG_MS;
  let queue: PendingWrite[] = [];
  let isDraining = false;
  let restUntil = 0;

  /** Acquires the lock. False if another process holds it. */
  function tryBegin(): boolean {
    try {
      begin.run();
      return true;
    } catch (error) {
      if (isBusy(error)) return false;
      throw error;
    }
  }

  function run<Result>(work: () => Result, end: TransactionEnd): Result {
    const startedAt = performance.now();
    try {
      check();
      const result = work();
      if (end === 'commit') commit.run();
      return result;
    } finally {
      // A full disk may have rolled back already.
      if (database.inTransaction) rollback.run();
      const endedAt = performance.now();
      if (endedAt - startedAt > longMs) restUntil = endedAt + REST_MS;
    }
  }

  /** Runs the first queued write. False if another process holds the lock. */
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

  async function enter<Result>(work: () => Result, end: TransactionEnd, waitMs: number): Promise<Result> {
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

/** Retries synchronous work that other processes may block, such as opening a file whose journal mode they change. */
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

/** Switches a new file to WAL mode. Concurrent switches fail in SQLite without waiting. */
export async function keepLog(database: Sqlite, waitMs: number): Promise<void> {
  await whenFree(() => database.pragma('journal_mode = WAL'), waitMs);
}
