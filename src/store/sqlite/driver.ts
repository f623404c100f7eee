import { closeSync, existsSync, openSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import type BetterSqlite3 from 'better-sqlite3';
import { ServiceError } from '../../contract/errors.ts';

/** From this version on, better-sqlite3 is one Node-API binding; loading it into an older Node aborts the process. */
const NODE_API_MAJOR = 22;
const PACKAGE = 'better-sqlite3';
/** The package for development on an older Node: better-sqlite3 12, compiled for it (scripts/build.ts). */
const OLDER_PACKAGE = 'better-sqlite3-node-20';

export type Sqlite = BetterSqlite3.Database;

/** Mode of new files: they hold hashes of keys and passwords, and SQLite gives its log files the mode of their database. */
export const OWNER_ONLY = 0o600;

/**
 * Opens an SQLite file (or `:memory:`) with the binding for the running Node, loaded by the first call. A new file has mode 0600.
 * @throws ServiceError `unavailable` with a remedy if no binding loads; SqliteError like better-sqlite3
 */
export function openSqlite(path: string, options?: BetterSqlite3.Options): Sqlite {
  try {
    const Database = loadPackage();
    const isCreated = options?.fileMustExist !== true && options?.readonly !== true;
    if (isCreated && path !== ':memory:') createPrivately(path);
    return new Database(path, options);
  } catch (error) {
    const fault = bindingFault(error as NodeJS.ErrnoException);
    if (fault === undefined) throw error;
    const { message, remedy } = fault;
    throw new ServiceError('unavailable', `SQLite cannot be loaded: ${message}`, { cause: error, remedy });
  }
}

function createPrivately(file: string): void {
  if (existsSync(file)) return;
  try {
    closeSync(openSync(file, 'a', OWNER_ONLY));
  } catch {
    // SQLite reports the reason when it opens the file.
  }
}

const isOlderNode = (): boolean => Number.parseInt(process.versions.node, 10) < NODE_API_MAJOR;

function loadPackage(): typeof BetterSqlite3 {
  const require = createRequire(import.meta.url);
  return require(isOlderNode() ? OLDER_PACKAGE : PACKAGE);
}

const REINSTALL = 'install web3-bi-mcp again with the Node.js that runs it';

/** The reason and remedy of a binding that does not load; undefined for other errors. */
function bindingFault({ code, message }: NodeJS.ErrnoException): { message: string; remedy: string } | undefined {
  const { version, platform, arch } = process;
  const isMissing = code === 'MODULE_NOT_FOUND' && /better[-_]sqlite3/.test(message);
  if (isMissing && isOlderNode())
    return {
      message: `web3-bi needs Node.js ${NODE_API_MAJOR} or newer, and this is ${version}`,
      remedy: `install Node.js ${NODE_API_MAJOR} or newer`,
    };
  if (isMissing && message.includes('.node'))
    return { message: `${PACKAGE} has no binding for ${platform}-${arch}`, remedy: REINSTALL };
  if (isMissing) return { message: `the package ${PACKAGE} is not installed`, remedy: REINSTALL };
  if (code !== 'ERR_DLOPEN_FAILED') return undefined;
  return {
    message: `the binding of ${PACKAGE} is not for Node.js ${version} on ${platform}-${arch}`,
    remedy: REINSTALL,
  };
}

/** Identifies a file, whatever is moved to its path. */
export function inodeOf(file: string): string | undefined {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev} ${found.ino}`;
}

/** SQLite errors of file, disk or lock rather than of the statement; extended codes begin with these. */
const FAULTS = /^SQLITE_(FULL|IOERR|BUSY|LOCKED|READONLY|CORRUPT|NOTADB|CANTOPEN|PROTOCOL|NOMEM)(_|$)/;
const BUSY = /^SQLITE_BUSY(_|$)/;
/** Errors of writes to a full disk or file-size limit, while reads work. */
const NO_SPACE = /^SQLITE_(FULL|IOERR_WRITE|IOERR_SHMSIZE)$/;

const codeOf = (error: unknown): string => String((error as { code?: unknown }).code);

export const isSqliteFault = (error: unknown): boolean => FAULTS.test(codeOf(error));
export const isBusy = (error: unknown): boolean => BUSY.test(codeOf(error));
export const isOutOfSpace = (error: unknown): boolean => NO_SPACE.test(codeOf(error));

/** Same error as SQLite's on a lock time-out. */
export const busyError = (): Error => Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' });
