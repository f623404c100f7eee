import Database from 'better-sqlite3';
import { ServiceError } from '../../contract/errors.ts';

/** What SQLite says when nothing is wrong with the statement: locked too long, disk full or failing, read-only. */
const AWAY = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN|NOMEM)/;

/** An error of the database as callers know it: `unavailable` when the same can work later. Others are bugs. */
export function toStoreError(error: unknown): unknown {
  if (!(error instanceof Database.SqliteError) || !AWAY.test(error.code)) return error;
  return new ServiceError('unavailable', 'The database cannot be used right now.', { cause: error });
}
