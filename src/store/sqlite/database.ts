import { existsSync, lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { ServiceError } from '../../contract/errors.ts';
import { inodeOf, openSqlite, type Sqlite } from './driver.ts';
import { migrations } from './migrations/index.ts';
import { createWriteLock, FILLING_WAIT_MS, keepLog, WRITE_WAIT_MS, type WriteLock, whenFree } from './write-lock.ts';

/** Throws if the file of a connection was moved or replaced: reads and writes would go to the old file and be lost. */
export function createMovedFileCheck(database: Sqlite): () => void {
  if (database.memory) return () => {};
  const opened = inodeOf(database.name);
  return () => {
    if (inodeOf(database.name) === opened) return;
    throw new ServiceError('unavailable', `${MOVED}; put it back, or start again.`);
  };
}

const MOVED = 'The database file, or its file of counts, was moved or replaced';

export interface Connection {
  readonly database: Sqlite;
  readonly lock: WriteLock;
}

/** Application id of our databases: "w3bi". */
const APPLICATION_ID = 0x77336269;
/** Tables of the first version, which had no application id. */
const FIRST_TABLES = ['settings', 'companies', 'people', 'investors', 'events', 'rounds', 'keys', 'accounts'];

/** Page size of new files: an import writes half as many pages as with SQLite's default, and each costs two system calls. */
export const PAGE_BYTES = 8_192;
const MAPPED_BYTES_MAX = 2 ** 31;
/** Holds the pages changed by an import batch, which are otherwise written several times; reads use mmap. */
export const CACHE_KILOBYTES = 32_768;
/** Mapped bytes during bulk writes, so that memory does not grow with the file. */
const MAPPED_BYTES_WRITING = 2 ** 28;

/**
 * Opens a file, or `:memory:`, with the common settings.
 * @param waitMs lock time-out
 * @param begin called before any change; throws if the file must not be used
 */
export async function connect(
  path: string,
  waitMs: number,
  begin: (database: Sqlite) => void = () => {},
): Promise<Sqlite> {
  // A busy time-out would block the thread; see WriteLock.
  const database = openSqlite(path, { timeout: 0 });
  try {
    await whenFree(() => begin(database), waitMs);
    await keepLog(database, waitMs);
    // Durable commits are synced separately, without blocking others; see LogSync.
    database.pragma('synchronous = NORMAL');
    // The pages of a batch are written once, at commit.
    database.pragma(`cache_size = -${CACHE_KILOBYTES}`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Opens the database, unless it belongs to another program, and migrates its schema. */
export async function openDatabase(path: string): Promise<Connection> {
  const resolvedPath = path === ':memory:' ? path : targetOf(path);
  const begin = (database: Sqlite): void => {
    refuseForeign(database);
    database.pragma(`page_size = ${PAGE_BYTES}`);
  };
  const database = await connect(resolvedPath, WRITE_WAIT_MS, begin).catch(refuseOtherFile);
  try {
    database.pragma('foreign_keys = ON');
    // With mmap, reads of posting lists use the system's cache without copying pages.
    mapWhole(database);
    const checks = [createMovedFileCheck(database), createSchemaCheck(database)];
    const lock = createWriteLock(database, () => {
      for (const check of checks) check();
    });
    const version = await whenFree(() => schemaVersion(database), WRITE_WAIT_MS);
    if (version !== migrations.length) await lock.transact(() => migrate(database), FILLING_WAIT_MS);
    return { database, lock };
  } catch (error) {
    database.close();
    throw error;
  }
}

/** The real path of a file, because SQLite places the WAL beside that instead of a link. */
function targetOf(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  return isLink ? targetOf(resolve(dirname(path), readlinkSync(path))) : path;
}

function refuseOtherFile(error: unknown): never {
  if ((error as { code?: unknown }).code !== 'SQLITE_NOTADB') throw error;
  throw new ServiceError('invalid_parameter', 'The file is no SQLite database; name another file.', { cause: error });
}

function refuseForeign(database: Sqlite): void {
  const mark = database.pragma('application_id', { simple: true });
  if (mark === APPLICATION_ID) return;
  const names = database.prepare<[], string>('SELECT name FROM sqlite_schema').pluck().all();
  const isUnmarked = schemaVersion(database) > 0 && FIRST_TABLES.every((name) => names.includes(name));
  if (mark === 0 && (names.length === 0 || isUnmarked)) return;
  throw new ServiceError('invalid_parameter', 'The file is an SQLite database of another program; name another file.');
}

/** Maps the file for searches. */
export function mapWhole(database: Sqlite): void {
  database.pragma(`mmap_size = ${MAPPED_BYTES_MAX}`);
}

/** Reduces the mapping to its beginning, until mapWhole. */
export function mapBeginning(database: Sqlite): void {
  database.pragma(`mmap_size = ${MAPPED_BYTES_WRITING}`);
}

const schemaVersion = (database: Sqlite): number => database.pragma('user_version', { simple: true }) as number;

/** Applies missing migrations under the write lock; concurrent processes find them done. */
function migrate(database: Sqlite): void {
  const version = schemaVersion(database);
  refuseNewer(version);
  for (const step of migrations.slice(version)) database.exec(step);
  database.pragma(`application_id = ${APPLICATION_ID}`);
  database.pragma(`user_version = ${migrations.length}`);
}

function refuseNewer(version: number): void {
  if (version <= migrations.length) return;
  throw new ServiceError('unavailable', NEWER, { remedy: 'update the program' });
}

const NEWER = 'The database was written by a newer version of web3-bi';
export const isNewerSchema = (error: unknown): boolean => error instanceof ServiceError && error.message === NEWER;

/** Throws if a newer program version migrated the schema after the file was opened. */
export function createSchemaCheck(database: Sqlite): () => void {
  const version = database.prepare<[], number>('PRAGMA user_version').pluck();
  return () => refuseNewer(version.get() ?? 0);
}
