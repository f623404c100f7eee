import { Worker } from 'node:worker_threads';
import type { Sqlite } from './driver.ts';

/** As long as SQLite itself lets a log become: a thousand pages with their headers. */
const LOG_BYTES_MAX = 1_000 * (4_096 + 24);
const PAGES_MAX = 1_000;
/** Of the records, in a process that does it itself: forty megabytes. */
export const RECORDS_PAGES_MAX = 10_000;

/** What the thread is started with. */
export interface CheckpointTask {
  readonly files: readonly string[];
  readonly logBytesMax: number;
}

/** Moves what the logs of our connections hold into their databases, before they become long. */
export interface Checkpoints {
  /**
   * Has the log of a connection looked after.
   * @param pagesMax how long it may become where no thread does it
   */
  watch(database: Sqlite, pagesMax?: number): void;
  /** To be called before the connections are closed. */
  close(): Promise<void>;
}

/**
 * Leaves it to SQLite, which does it inside a commit. An import writes the same pages with every batch, so a longer log saves most of
 * what is moved.
 */
export const ownCheckpoints: Checkpoints = {
  watch: (database, pagesMax = PAGES_MAX) => void database.pragma(`wal_autocheckpoint = ${pagesMax}`),
  close: async () => {},
};

/**
 * Checkpoints in a thread: inside a commit, everybody would wait for the disk, and for as long as the log is that another process
 * has left behind.
 * @param workerFile the built checkpoint-worker
 * @param files the databases; one that is not there yet is looked after when it is
 */
export function createCheckpoints(workerFile: string, files: readonly string[]): Checkpoints {
  const watched: Sqlite[] = [];
  const task: CheckpointTask = { files, logBytesMax: LOG_BYTES_MAX };
  const worker = new Worker(workerFile, { workerData: task });
  // It must not keep the program alive.
  worker.unref();
  let hasEnded = false;
  const ended = new Promise<void>((resolve) => {
    worker.once('exit', () => {
      hasEnded = true;
      for (const database of watched) if (database.open) database.pragma(`wal_autocheckpoint = ${PAGES_MAX}`);
      resolve();
    });
  });
  // It ends with it, and SQLite does its work again.
  worker.on('error', () => {});
  return {
    watch: (database) => {
      if (hasEnded) return;
      database.pragma('wal_autocheckpoint = 0');
      // A log that begins anew is cut to this, so that its size tells how much it holds.
      database.pragma(`journal_size_limit = ${LOG_BYTES_MAX}`);
      watched.push(database);
    },
    close: () => {
      worker.ref();
      worker.postMessage('close');
      return ended;
    },
  };
}
