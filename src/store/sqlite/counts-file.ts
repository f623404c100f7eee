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

/** Where the counts of a database are kept, and when each key was used last. */
export const countsPath = (database: Sqlite): string => `${database.name}-counts`;

/**
 * Opens the file of counts beside a database; a database in memory has its counts there too. Counts have a file of their own,
 * because SQLite lets every process forget what it holds of a file when another one has written to it: with counts in the
 * same file, that would be at each request. Nor does counting wait for whoever writes records.
 * @param identity what the database is known by; the counts of another one, left behind at its place, are forgotten
 * @param waitMs how long to wait for another process that holds the file
 */
export async function openCountsFile(database: Sqlite, identity: string, waitMs: number): Promise<Connection> {
  const counts = await connect(database.memory ? ':memory:' : countsPath(database), waitMs);
  const lock = createWriteLock(counts);
  const isOwn = (): boolean =>
    counts.pragma('user_version', { simple: true }) === VERSION &&
    counts.prepare('SELECT identity FROM owner').pluck().get() === identity;
  const begin = (): void => {
    // Another process may have begun it meanwhile.
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
