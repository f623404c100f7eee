import { ServiceError } from '../../contract/errors.ts';
import type { BackupReport } from '../store.ts';
import { openSqlite, type Sqlite } from './driver.ts';

/** Copied between two looks at what else there is to do. */
const PAGES_A_STEP = 1_000;

/**
 * Copies a database that may be in use to a new or empty file, and verifies the copy by reading it. `VACUUM INTO` cannot write to a
 * file whose mode was set before.
 */
export async function backUp(database: Sqlite, file: string): Promise<BackupReport> {
  if (database.memory) {
    throw new ServiceError('invalid_parameter', 'A database in memory cannot be backed up; name a file.');
  }
  // A connection of its own: other operations must not come into its transaction.
  const source = openSqlite(database.name, { readonly: true, fileMustExist: true });
  try {
    // One read transaction from the first count to the last page. So the copy is of one moment, and a writer in
    // another process does not make it begin again and again.
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

/** Copies a database file that others write to a new file, unverified, with pauses for what else there is to do. */
export async function copyPages(from: string, file: string): Promise<void> {
  const source = openSqlite(from, { readonly: true, fileMustExist: true });
  try {
    source.exec('BEGIN');
    await source.backup(file, { progress: () => PAGES_A_STEP });
  } finally {
    source.close();
  }
}

interface Content {
  readonly schemaVersion: unknown;
  readonly rows: Readonly<Record<string, number>>;
}

function contentOf(database: Sqlite): Content {
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

function verify(file: string, wanted: Content): void {
  const copy = openSqlite(file, { fileMustExist: true });
  try {
    const faults = copy.pragma('integrity_check', { simple: true });
    const isWhole = faults === 'ok' && JSON.stringify(contentOf(copy)) === JSON.stringify(wanted);
    if (!isWhole) throw new ServiceError('unavailable', 'The copy differs from the database; it was not kept.');
    // Without a write-ahead log beside it the copy is one file, which can be read from a disk that is read-only.
    copy.pragma('journal_mode = DELETE');
  } finally {
    copy.close();
  }
}
