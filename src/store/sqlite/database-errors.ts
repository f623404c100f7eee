/** What SQLite says when its file, disk or lock fails, not the statement. Longer codes begin with these. */
const FAULTS = /^SQLITE_(FULL|IOERR|BUSY|LOCKED|READONLY|CORRUPT|NOTADB|CANTOPEN|PROTOCOL|NOMEM)(_|$)/;
const BUSY = /^SQLITE_BUSY(_|$)/;
/** What SQLite says when nothing can be written, although it can be read: the disk is full, or a file as large as it may be. */
const NO_SPACE = /^SQLITE_(FULL|IOERR_WRITE|IOERR_SHMSIZE)$/;

const codeOf = (error: unknown): string => String((error as { code?: unknown }).code);

export const isSqliteFault = (error: unknown): boolean => FAULTS.test(codeOf(error));
/** Whether another process is in the way. */
export const isBusy = (error: unknown): boolean => BUSY.test(codeOf(error));
export const isOutOfSpace = (error: unknown): boolean => NO_SPACE.test(codeOf(error));

/** What SQLite itself says when it does not wait any longer. */
export const busyError = (): Error => Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' });
