import { close, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { ServiceError } from '../../contract/errors.ts';
import type { Sqlite } from './driver.ts';
import { WRITE_WAIT_MS, type WriteLock } from './write-lock.ts';

/** Durability on demand: with `synchronous = NORMAL`, SQLite does not fsync at commits. */
export interface LogSync {
  /** Resolves when every commit before the call is on the disk. Does not block; calls during a sync share the next one. */
  sync(): Promise<void>;
  /** Waits for a running sync; call before closing the database. */
  close(): Promise<void>;
}

const syncFile = promisify(fdatasync);
const closeFile = promisify(close);

/** Syncs the write-ahead log, whose file stays the same while the connection is open; none in memory. */
export function createLogSync(database: Sqlite): LogSync {
  if (database.memory) return { sync: async () => {}, close: async () => {} };
  // Windows syncs writable handles only.
  const file = openSync(`${database.name}-wal`, 'r+');
  let running: Promise<void> | undefined;
  let waiting: Promise<void> | undefined;

  function begin(): Promise<void> {
    waiting = undefined;
    running = syncFile(file)
      .catch((cause: unknown) => {
        throw new ServiceError('unavailable', 'Writing to the disk failed; try again later.', { cause });
      })
      .finally(() => {
        running = undefined;
      });
    return running;
  }

  const after = (before: Promise<void>): Promise<void> => before.then(begin, begin);

  return {
    sync: () => {
      if (running === undefined) return waiting ?? begin();
      // The running sync may have started before the caller's commit.
      waiting ??= after(running);
      return waiting;
    },
    close: async () => {
      await (waiting ?? running)?.catch(() => undefined);
      await closeFile(file);
    },
  };
}

/** Maximum writes per transaction, to bound the time that other processes wait. */
const GROUP_MAX = 1_000;
/** Minimum lock time-out of a group, however long the previous one waited for the lock. */
const WAIT_MIN_MS = 25;

interface PendingWrite {
  write(now: Date): unknown;
  resolve(result: never): void;
  reject(reason: unknown): void;
}

/** A write that joins the next transaction, and stays queued if it fails. */
interface DeferredWrites {
  write(): void;
  settle<Result>(transaction: Promise<Result>): Promise<Result>;
}

interface GroupCommitOptions {
  readonly sync: LogSync['sync'];
  readonly owed?: DeferredWrites;
  readonly now: () => Date;
  /** Lock time-out, if not the default. */
  readonly waitMs?: number;
}

export type GroupCommit = ReturnType<typeof createGroupCommit>;

/**
 * Group commit: writes that arrive during a sync run one by one in the next transaction, so that they share one fsync.
 * Each resolves only when durable.
 */
export function createGroupCommit(lock: WriteLock, { sync, owed, now, waitMs = WRITE_WAIT_MS }: GroupCommitOptions) {
  let queue: PendingWrite[] = [];
  /** For how long the previous group waited for the lock, and its writes with it. */
  let waitedMs = 0;
  let isUnderWay = false;
  const runAll = (group: readonly PendingWrite[]): unknown[] => {
    // Read under the write lock, so that all processes agree on the day.
    const moment = now();
    owed?.write();
    return group.map(({ write }) => write(moment));
  };

  async function commit(group: readonly PendingWrite[]): Promise<unknown[]> {
    // Syncs do not count: on a slow disk or a busy machine, a group would give up a lock that is free a moment later.
    const leftMs = Math.max(WAIT_MIN_MS, waitMs - waitedMs);
    const startedAt = performance.now();
    const transaction = lock.transact(() => runAll(group), leftMs);
    try {
      return await (owed?.settle(transaction) ?? transaction);
    } finally {
      waitedMs = performance.now() - startedAt;
    }
  }

  async function flush(): Promise<void> {
    const group = queue.slice(0, GROUP_MAX);
    queue = queue.slice(GROUP_MAX);
    try {
      const results = await commit(group);
      await sync();
      // Each write gets its own result or error.
      group.forEach(({ resolve }, index) => {
        resolve(results[index] as never);
      });
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
    isUnderWay = queue.length > 0;
    if (isUnderWay) setImmediate(flush);
    else waitedMs = 0;
  }

  const add = <Result>(write: (now: Date) => Result): Promise<Result> =>
    new Promise((resolve, reject) => {
      queue.push({ write, resolve, reject });
      if (isUnderWay) return;
      isUnderWay = true;
      setImmediate(flush);
    });
  return {
    commit: add,
    /** Resolves when all writes are done; call before closing the database. */
    drained: async (): Promise<void> => {
      // Writes are ordered, so this one is done last.
      if (isUnderWay) await add(() => undefined).catch(() => undefined);
    },
  };
}
