import { ServiceError } from '../../contract/errors.ts';
import type { BackupReport } from '../store.ts';
import { openSqlite, type Sqlite } from './driver.ts';

/** Pages copied before yielding. */
const PAGES_A_STEP = 1_000;

/** Copies a database in use to a new or empty file (`VACUUM INTO` cannot preset its mode), and verifies the copy. */
export async function backUp(database: Sqlite, file: string): Promise<BackupReport> {
  if (database.memory)
    throw new ServiceError('invalid_parameter', 'A database in memory cannot be backed up; name a file.');
  // A separate connection, because its transaction spans event loop turns.
  const source = openSqlite(database.name, { readonly: true, fileMustExist: true });
  try {
    // One read transaction for counts and copy: a consistent snapshot that writers of other processes do not restart.
    source.exec('BEGIN');
    const content = contentOf(source);
    const { totalPages } = await source.backup(file, { progress: () => PAGES_A_STEP });
    verify(file, content);
    const bytes = totalPages * (source.pragma('page_size', { simple: true }) as number);
    return { bytes, rows: content.rows };
  } finally {
    source.close();
  }
}

/** Copies a database file in use to a new file without verification, yielding in between. */
export async function copyPages(from: string, file: string): Promise<void> {
  const source = openSqlite(from, { readonly: true, fileMustExist: true });
  try {
    source.exec('BEGIN');
    await source.backup(file, { progress: () => PAGES_A_STEP });
  } finally {
    source.close();
  }
}

function contentOf(database: Sqlite) {
  const tables = database
    .prepare<[], string>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
    )
    .pluck()
    .all();
  const count = (table: string) => database.prepare<[], number>(`SELECT count(*) FROM "${table}"`).pluck().get() ?? 0;
  return {
    schemaVersion: database.pragma('user_version', { simple: true }),
    rows: Object.fromEntries(tables.map((table) => [table, count(table)])),
  };
}

function verify(file: string, wanted: ReturnType<typeof contentOf>): void {
  const copy = openSqlite(file, { fileMustExist: true });
  try {
    const faults = copy.pragma('integrity_check', { simple: true });
    const isWhole = faults === 'ok' && JSON.stringify(contentOf(copy)) === JSON.stringify(wanted);
    if (!isWhole) throw new ServiceError('unavailable', 'The copy differs from the database and was deleted.');
    // Without WAL, the copy is a single file, readable on read-only media.
    copy.pragma('journal_mode = DELETE');
  } finally {
    copy.close();
  }
}
