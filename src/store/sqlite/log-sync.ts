import { close, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { ServiceError } from '../../contract/errors.ts';
import type { Sqlite } from './driver.ts';

/** Durability on demand: with `synchronous = NORMAL`, SQLite does not fsync at commits. */
export interface LogSync {
  /** Resolves when every commit before the call is on the disk. Does not block; calls during a sync share the next one. */
  sync(): Promise<void>;
  /** Waits for a running sync; call before closing the database. */
  close(): Promise<void>;
}

const syncFile = promisify(fdatasync);
const closeFile = promisify(close);

/**
 * Syncs the write-ahead log of a database. The file stays the same while the connection is open, and SQLite syncs
 * checkpoints itself. Does nothing for an in-memory database.
 */
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
