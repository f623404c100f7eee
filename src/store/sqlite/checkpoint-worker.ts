import { statSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import type { CheckpointTask } from './checkpoints.ts';
import { isSqliteFault, openSqlite, type Sqlite } from './driver.ts';

const LOOK_EVERY_MS = 250;
/** How long a checkpoint waits for writers and readers. */
const WAIT_MS = 100;

const { files, logBytesMax } = workerData as CheckpointTask;
const opened = new Map<string, Sqlite>();

/** Checkpoints a database. The final part runs under the write lock, so that the log can be reset. */
function checkpoint(file: string): void {
  const database = opened.get(file) ?? openSqlite(file, { fileMustExist: true, timeout: WAIT_MS });
  opened.set(file, database);
  for (const mode of ['PASSIVE', 'FULL']) database.pragma(`wal_checkpoint(${mode})`);
}

const look = setInterval(() => {
  for (const file of files) {
    const log = statSync(`${file}-wal`, { throwIfNoEntry: false });
    if (log === undefined || log.size <= logBytesMax) continue;
    try {
      checkpoint(file);
    } catch (error) {
      // For a full disk or deleted file, writers report the error.
      if (!isSqliteFault(error)) throw error;
    }
  }
}, LOOK_EVERY_MS);

parentPort?.once('message', () => {
  clearInterval(look);
  for (const database of opened.values()) database.close();
});
