import { ServiceError } from '../../contract/errors.ts';
import { openSqlite, type Sqlite } from './driver.ts';
import { migrations } from './migrations/index.ts';
import { keepLog } from './write-ahead.ts';

/** How long a writer waits for another process's write before it gives up. */
const BUSY_TIMEOUT_MS = 5_000;

/** How long it waits while another process brings the schema up to date or fills a new database. */
const FILLING_TIMEOUT_MS = 60_000;

const MAPPED_BYTES_MAX = 2 ** 31;
/** While many records come in, so that the memory of the process does not grow with the file. */
const MAPPED_BYTES_WRITING = 2 ** 28;

/** Opens a file (or `:memory:`) as every file of ours is used, whatever is in it. */
export function connect(path: string): Sqlite {
  const database = openSqlite(path, { timeout: BUSY_TIMEOUT_MS });
  keepLog(database);
  // What must outlast a power cut is synced before it is acknowledged, without anybody else waiting: see LogSync.
  database.pragma('synchronous = NORMAL');
  return database;
}

/** Opens the file (or `:memory:`), brings its schema up to date, and hands the connection over. */
export function openDatabase(path: string): Sqlite {
  const database = connect(path);
  database.pragma('foreign_keys = ON');
  // Reading the search lists through the page cache copies each page; mapped, the system's own cache serves them.
  mapWhole(database);
  waitLonger(database, () => migrate(database));
  return database;
}

/** Maps the file as far as searches need it. */
export function mapWhole(database: Sqlite): void {
  database.pragma(`mmap_size = ${MAPPED_BYTES_MAX}`);
}

/** Maps only its beginning, until it is mapped whole again. */
export function mapBeginning(database: Sqlite): void {
  database.pragma(`mmap_size = ${MAPPED_BYTES_WRITING}`);
}

/** Does work that another process may be doing at this moment, and that takes it longer than other writes. */
export function waitLonger<Result>(database: Sqlite, work: () => Result): Result {
  database.pragma(`busy_timeout = ${FILLING_TIMEOUT_MS}`);
  try {
    return work();
  } finally {
    database.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  }
}

/** Does a small write that is better left undone than waited for: while another process writes, it is not done. */
export function neverWaiting(database: Sqlite, write: () => unknown): void {
  database.pragma('busy_timeout = 0');
  try {
    write();
  } catch (error) {
    if (!String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY')) throw error;
  } finally {
    database.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  }
}

const schemaVersion = (database: Sqlite): number => database.pragma('user_version', { simple: true }) as number;

function migrate(database: Sqlite): void {
  if (schemaVersion(database) === migrations.length) return;
  // The write lock is taken first, so that of several processes one migrates and the others find it done.
  database
    .transaction(() => {
      const version = schemaVersion(database);
      refuseNewer(version);
      for (const step of migrations.slice(version)) database.exec(step);
      database.pragma(`user_version = ${migrations.length}`);
    })
    .immediate();
}

function refuseNewer(version: number): void {
  if (version <= migrations.length) return;
  throw new ServiceError('unavailable', 'The database was written by a newer version of web3-bi', {
    remedy: 'update the program',
  });
}

/** Throws when a newer version of the program has changed the schema since the file was opened. */
export const checkSchema = (database: Sqlite): void => refuseNewer(schemaVersion(database));
