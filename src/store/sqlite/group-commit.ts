import type { Sqlite } from './database.ts';
import { toStoreError } from './failures.ts';

/** Writes in one transaction; more wait for the next, so that other processes wait for none too long. */
const GROUP_MAX = 1_000;

interface Waiting {
  write(now: Date): unknown;
  resolve(result: never): void;
  reject(reason: unknown): void;
}

/** Runs a small write in a transaction that it may share, and settles when that is durable. */
export type GroupCommit = <Result>(write: (now: Date) => Result) => Promise<Result>;

/**
 * Writes that arrive in one turn of the event loop are done one by one inside one transaction: the sync to disk, which
 * is most of the cost, is made once for all. No caller is told of its write before that.
 */
export function createGroupCommit(database: Sqlite, now: () => Date): GroupCommit {
  let queue: Waiting[] = [];
  const runAll = database.transaction((group: readonly Waiting[]) => {
    // Read under the write lock, so that of several processes none writes of yesterday after another wrote of today.
    const moment = now();
    return group.map(({ write }) => write(moment));
  });

  function flush(): void {
    const group = queue.slice(0, GROUP_MAX);
    queue = queue.slice(GROUP_MAX);
    if (queue.length > 0) setImmediate(flush);
    try {
      const results = runAll.immediate(group);
      // Each result is the one of its own write.
      group.forEach(({ resolve }, index) => {
        resolve(results[index] as never);
      });
    } catch (error) {
      const reason = toStoreError(error);
      for (const { reject } of group) reject(reason);
    }
  }

  return (write) =>
    new Promise((resolve, reject) => {
      if (queue.length === 0) setImmediate(flush);
      queue.push({ write, resolve, reject });
    });
}
