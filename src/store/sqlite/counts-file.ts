import { type Connection, connect } from './database.ts';
import type { Sqlite } from './driver.ts';
import { createWriteLock, whenFree } from './write-lock.ts';

const VERSION = 1;
const SCHEMA = `
DROP TABLE IF EXISTS counts;
DROP TABLE IF EXISTS uses;
DROP TABLE IF EXISTS owner;
CREATE TABLE owner (identity TEXT NOT NULL) STRICT;
CREATE TABLE counts (
  quota INTEGER PRIMARY KEY,
  day TEXT NOT NULL,
  day_used INTEGER NOT NULL,
  month TEXT NOT NULL,
  month_used INTEGER NOT NULL
) STRICT;
CREATE TABLE uses (key INTEGER PRIMARY KEY, at TEXT NOT NULL, ip TEXT) STRICT;
PRAGMA user_version = ${VERSION};
`;

export const countsPath = (database: Sqlite): string => `${database.name}-counts`;

/**
 * Opens the counts file of a database; for an in-memory database, its counts are in memory too. A separate file,
 * because SQLite invalidates the page cache of every process when another writes, which would otherwise happen with
 * each request, and because counting need not wait for writers of records.
 * @param identity identity of the database; counts of another database at this path are deleted
 * @param waitMs lock time-out
 */
export async function openCountsFile(database: Sqlite, identity: string, waitMs: number): Promise<Connection> {
  const counts = await connect(database.memory ? ':memory:' : countsPath(database), waitMs);
  const lock = createWriteLock(counts);
  const isOwn = (): boolean =>
    counts.pragma('user_version', { simple: true }) === VERSION &&
    counts.prepare('SELECT identity FROM owner').pluck().get() === identity;
  const begin = (): void => {
    // Another process may have initialized it.
    if (isOwn()) return;
    counts.exec(SCHEMA);
    counts.prepare('INSERT INTO owner (identity) VALUES (?)').run(identity);
  };
  try {
    if (!(await whenFree(isOwn, waitMs))) await lock.transact(begin, waitMs);
    return { database: counts, lock };
  } catch (error) {
    counts.close();
    throw error;
  }
}
