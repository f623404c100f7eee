import type { LogSync } from './log-sync.ts';
import { WRITE_WAIT_MS, type WriteLock } from './write-lock.ts';

/** Writes in one transaction; more wait for the next, so that other processes wait for none too long. */
const GROUP_MAX = 1_000;
/** For how long every group waits for other processes, which hold the lock for a moment only, however slow the disk is. */
const WAIT_MIN_MS = 25;

interface Waiting {
  write(now: Date): unknown;
  resolve(result: never): void;
  reject(reason: unknown): void;
}

/** What is to be written as soon as anything is, and waits where that fails. */
interface Owed {
  write(): void;
  keep(): void;
  takeBack(): void;
}

export interface GroupCommit {
  /** Runs a small write in a transaction that it may share, and settles when that is durable. */
  commit<Result>(write: (now: Date) => Result): Promise<Result>;
  /** Settles when all that was asked for is done; to be called before the database is closed. */
  drained(): Promise<void>;
}

interface GroupCommitOptions {
  readonly sync: LogSync['sync'];
  readonly owed?: Owed;
  readonly now: () => Date;
  /** How long to wait for other processes, where not as long as every write. */
  readonly waitMs?: number;
}

/**
 * Writes that arrive while the disk is waited for are done one by one inside the next transaction: what a transaction and a sync
 * cost is paid once for all. No caller is told of its write before that.
 */
export function createGroupCommit(
  lock: WriteLock,
  { sync, owed, now, waitMs = WRITE_WAIT_MS }: GroupCommitOptions,
): GroupCommit {
  let queue: Waiting[] = [];
  /** When the first of the queue came. */
  let queuedAt = 0;
  let isUnderWay = false;
  const runAll = (group: readonly Waiting[]): unknown[] => {
    // Read under the write lock, so that of several processes none writes of yesterday after another wrote of today.
    const moment = now();
    owed?.write();
    return group.map(({ write }) => write(moment));
  };

  /** What each of a group results in, committed. */
  async function commit(group: readonly Waiting[], since: number): Promise<unknown[]> {
    // Who has waited beside another group does not begin anew.
    const leftMs = Math.max(WAIT_MIN_MS, waitMs - (performance.now() - since));
    try {
      const results = await lock.transact(() => runAll(group), leftMs);
      owed?.keep();
      return results;
    } catch (error) {
      owed?.takeBack();
      throw error;
    }
  }

  async function flush(): Promise<void> {
    const group = queue.slice(0, GROUP_MAX);
    queue = queue.slice(GROUP_MAX);
    try {
      const results = await commit(group, queuedAt);
      await sync();
      // Each result is the one of its own write.
      group.forEach(({ resolve }, index) => {
        resolve(results[index] as never);
      });
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
    isUnderWay = queue.length > 0;
    if (isUnderWay) setImmediate(flush);
  }

  const add: GroupCommit['commit'] = (write) =>
    new Promise((resolve, reject) => {
      if (queue.length === 0) queuedAt = performance.now();
      queue.push({ write, resolve, reject });
      if (isUnderWay) return;
      isUnderWay = true;
      setImmediate(flush);
    });
  return {
    commit: add,
    drained: async () => {
      // The last to come is the last to be done, whether it can be written or not.
      if (isUnderWay) await add(() => undefined).catch(() => undefined);
    },
  };
}
