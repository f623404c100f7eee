import type { Sqlite } from './driver.ts';
import { whenFree } from './write-lock.ts';

/** Switches a new file to a write-ahead log. SQLite lets no two connections do so at once and does not wait for the other. */
export async function keepLog(database: Sqlite, waitMs: number): Promise<void> {
  await whenFree(() => database.pragma('journal_mode = WAL'), waitMs);
}
