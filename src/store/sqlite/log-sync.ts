import { close, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { ServiceError } from '../../contract/errors.ts';
import type { Sqlite } from './driver.ts';

/** Waits for the disk, which SQLite itself does not do at a commit: `synchronous` is NORMAL. */
export interface LogSync {
  /**
   * Settles when all that was committed before the call is on the disk. Other work goes on meanwhile, and who asks while
   * the disk is written waits for the next time, together with all that do.
   */
  sync(): Promise<void>;
  /** Waits for what is under way; to be called before the database is closed. */
  close(): Promise<void>;
}

const syncFile = promisify(fdatasync);
const closeFile = promisify(close);

/**
 * Syncs the write-ahead log of a database. The file stays the same for as long as the connection is open, and what a checkpoint
 * moves from it into the database is synced by SQLite. A database in memory has none.
 */
export function createLogSync(database: Sqlite): LogSync {
  if (database.memory) return { sync: async () => {}, close: async () => {} };
  // Windows syncs only what may be written.
  const file = openSync(`${database.name}-wal`, 'r+');
  let running: Promise<void> | undefined;
  let waiting: Promise<void> | undefined;

  function begin(): Promise<void> {
    waiting = undefined;
    running = syncFile(file)
      .catch((cause: unknown) => {
        throw new ServiceError('unavailable', 'The disk did not take what was written; try again later.', { cause });
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
      // The one under way may have begun before what the caller has written.
      waiting ??= after(running);
      return waiting;
    },
    close: async () => {
      await (waiting ?? running)?.catch(() => undefined);
      await closeFile(file);
    },
  };
}
