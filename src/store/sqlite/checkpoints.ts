import { Worker } from 'node:worker_threads';
import type { Sqlite } from './driver.ts';

// Checkpoints run in a thread: SQLite makes them inside the commit that fills the log, 30 to 500 ms on the event loop.

/** SQLite's default WAL size: a thousand pages with headers. */
const LOG_BYTES_MAX = 1_000 * (4_096 + 24);
const PAGES_MAX = 1_000;
/** WAL limit of the records without a thread: 40 MB. */
export const RECORDS_PAGES_MAX = 5_000;

export interface CheckpointTask {
  readonly files: readonly string[];
  readonly logBytesMax: number;
}

/** Checkpoints the WALs of connections before they grow large. */
export interface Checkpoints {
  /**
   * Adds a connection.
   * @param pagesMax WAL limit without a thread
   */
  watch(database: Sqlite, pagesMax?: number): void;
  /** Call before closing the connections. */
  close(): Promise<void>;
}

/** Checkpoints by SQLite inside commits. Import batches rewrite the same pages, so a larger WAL saves most of the copying. */
export const ownCheckpoints: Checkpoints = {
  watch: (database, pagesMax = PAGES_MAX) => void database.pragma(`wal_autocheckpoint = ${pagesMax}`),
  close: async () => {},
};

/**
 * Checkpoints in a worker thread; inside a commit, all requests would wait for the disk, and for a WAL that another
 * process left behind.
 * @param workerFile the built checkpoint-worker
 * @param files database files, which may not exist yet
 */
export function createCheckpoints(workerFile: string, files: readonly string[]): Checkpoints {
  const watched: Sqlite[] = [];
  const task: CheckpointTask = { files, logBytesMax: LOG_BYTES_MAX };
  const worker = new Worker(workerFile, { workerData: task });
  // The worker must not keep the process alive.
  worker.unref();
  let hasEnded = false;
  const ended = new Promise<void>((resolve) => {
    worker.once('exit', () => {
      hasEnded = true;
      for (const database of watched) if (database.open) database.pragma(`wal_autocheckpoint = ${PAGES_MAX}`);
      resolve();
    });
  });
  // If the thread fails, SQLite checkpoints inside commits again.
  worker.on('error', () => {});
  return {
    watch: (database) => {
      if (hasEnded) return;
      database.pragma('wal_autocheckpoint = 0');
      // A reset WAL is truncated to this, so that its size shows its content.
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
