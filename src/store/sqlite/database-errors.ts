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
