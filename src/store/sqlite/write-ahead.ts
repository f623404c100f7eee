import type { Sqlite } from './driver.ts';

/** How long another process may take to switch the same file. */
const SWITCH_TIMEOUT_MS = 5_000;
const BUSY_POLL_MS = 5;

/**
 * Switches a new file to a write-ahead log. SQLite lets no two connections do so at once and does not wait for the other,
 * so that of several first starts all but one have to look again.
 */
export function keepLog(database: Sqlite): void {
  const deadline = performance.now() + SWITCH_TIMEOUT_MS;
  const slept = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  for (;;) {
    try {
      database.pragma('journal_mode = WAL');
      return;
    } catch (error) {
      const isBusy = String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY');
      if (!isBusy || performance.now() > deadline) throw error;
      Atomics.wait(slept, 0, 0, BUSY_POLL_MS);
    }
  }
}
