import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RECORD_TYPES } from '../../contract/entities/index.ts';
import { once } from '../../contract/lazy.ts';
import { currentFingerprints, type DerivedKind } from '../records/rebuild-derived.ts';
import { createSearchModel } from '../records/record-index.ts';
import { CACHE_KILOBYTES, mapWhole, PAGE_BYTES } from '../sqlite/database.ts';
import { inodeOf, isBusy, openSqlite, type Sqlite } from '../sqlite/driver.ts';
import { migrations } from '../sqlite/migrations/index.ts';
import { createProgramRunner } from '../sqlite/runner.ts';

/** Position of an index: the last included change of the log. */
export interface Position {
  readonly seq: number;
  /** Distinguishes changes of the same number after a restore; empty if the log was empty. */
  readonly mark: string;
}

export interface Origin {
  readonly source: string;
  readonly version: string;
}

export type IndexFile = ReturnType<typeof toFile>;

/** Lock time-out of the follower, which blocks only its own thread. */
const BUSY_MS = 1_000;

/** Opens an index file read-only. Throws if it is not one, or of another origin. */
export const openToRead = (file: string, origin: Origin): IndexFile =>
  opened(openSqlite(file, { readonly: true, fileMustExist: true, timeout: BUSY_MS }), origin);

/** Opens an index file for the follower. Writes to a temporary file are never synced. */
export function openToWrite(file: string, origin: Origin, isTemporary: boolean): IndexFile {
  const database = openSqlite(file, { fileMustExist: true, timeout: BUSY_MS });
  database.pragma(`synchronous = ${isTemporary ? 'OFF' : 'NORMAL'}`);
  database.pragma(`cache_size = -${CACHE_KILOBYTES}`);
  return opened(database, origin);
}

/** Creates an unpublished index file; nothing is synced before it is complete. */
export function createIndexFile(file: string, { source, version }: Origin, { sql }: IndexSchema): IndexFile {
  const database = openSqlite(file, { timeout: BUSY_MS });
  database.pragma(`page_size = ${PAGE_BYTES}`);
  database.pragma('journal_mode = OFF');
  database.pragma('synchronous = OFF');
  database.exec(sql);
  database.pragma(`application_id = ${APPLICATION_ID}`);
  const insert = 'INSERT INTO followed (only, source, version, seq, mark) VALUES (1, ?, ?, 0, ?)';
  database.prepare(insert).run(source, version, '');
  return toFile(database);
}

/** Switches a complete file to WAL mode, for reads during writes. Unless temporary, it is synced. */
export function completeIndexFile({ database }: IndexFile, isTemporary: boolean): void {
  if (!isTemporary) database.pragma('synchronous = FULL');
  database.pragma('journal_mode = WAL');
  database.pragma('wal_checkpoint(TRUNCATE)');
  if (!isTemporary) database.pragma('synchronous = NORMAL');
}

function opened(database: Sqlite, { source, version }: Origin): IndexFile {
  try {
    const mark = database.pragma('application_id', { simple: true });
    if (mark !== APPLICATION_ID) throw otherFile();
    const row = database.prepare<[], Origin>('SELECT source, version FROM followed').get();
    if (row?.source !== source || row.version !== version) throw otherFile();
    mapWhole(database);
    return toFile(database);
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Same error code as SQLite's for a foreign file. */
const otherFile = (): Error =>
  Object.assign(new Error('the file is not the index of this database'), { code: 'SQLITE_NOTADB' });

function toFile(database: Sqlite) {
  const read = database.prepare<[], Position>('SELECT seq, mark FROM followed');
  const advance = database.prepare<[number, string]>('UPDATE followed SET seq = ?, mark = ?');
  return {
    database,
    runProgram: createProgramRunner(database),
    model: createSearchModel(database),
    /** Runs reads in one transaction. */
    // better-sqlite3's type erases the result.
    atOneMoment: database.transaction((work: () => unknown) => work()) as unknown as <R>(work: () => R) => R,
    position: () => read.get() as Position,
    /** Stores the position, in the caller's transaction. */
    advance: ({ seq, mark }: Position) => void advance.run(seq, mark),
    close: () => void database.close(),
  };
}

/**
 * The folder of an index, by database and version of the definitions. The file `current` names the index file. A replacement gets
 * a new name, because SQLite would apply the write-ahead log of a deleted file to a new one of the same name.
 */
export type IndexFolder = ReturnType<typeof indexFolder>;

/** Held until released or until the process ends, in any way. */
export interface FolderLock {
  /** Whether the lock file is still in the folder, which may have been deleted. */
  isHeld(): boolean;
  release(): void;
}

const CURRENT = 'current';
const LOCK = 'lock';

export function indexFolder(root: string, { source, version }: Origin) {
  const path = join(root, `${source}-${version}`);
  const pointer = join(path, CURRENT);
  return {
    path,
    /** The current file; undefined if there is none. */
    current: (): string | undefined => {
      const name = readOrNothing(pointer);
      return name === undefined ? undefined : join(path, name);
    },
    /** Changes with the current file; cheaper than reading its name. */
    stamp: (): string | undefined => stampOf(pointer),
    /** A name for a new file; creates the folder. */
    newFile: (): string => {
      mkdirSync(path, { recursive: true, mode: 0o700 });
      return join(path, `${randomUUID()}.db`);
    },
    /** Makes a complete file current, and removes the others. */
    publish: (file: string): void => {
      const name = file.slice(path.length + 1);
      writeFileSync(`${pointer}.new`, name, { mode: 0o600 });
      renameSync(`${pointer}.new`, pointer);
      for (const other of readdirSync(path))
        if (/\.db(-|$)/.test(other) && !other.startsWith(name)) rmSync(join(path, other), { force: true });
    },
    /** Unpublishes the current file, so that it is rebuilt. */
    discard: (): void => rmSync(pointer, { force: true }),
    /** Acquires the follower's lock; undefined if another process or thread holds it. */
    tryLock: (): FolderLock | undefined => {
      mkdirSync(path, { recursive: true, mode: 0o700 });
      return lockOf(join(path, LOCK));
    },
    /** Removes indexes of other versions that have no follower. */
    removeOthers: (): void => {
      for (const other of readdirSync(root)) {
        if (!other.startsWith(`${source}-`) || join(root, other) === path) continue;
        const lock = lockOf(join(root, other, LOCK));
        if (lock === undefined) continue;
        rmSync(join(root, other), { recursive: true, force: true });
        lock.release();
      }
    },
  };
}

function readOrNothing(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return undefined;
  }
}

function stampOf(file: string): string | undefined {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev} ${found.ino} ${found.mtimeNs}`;
}

/** Uses SQLite's file lock, which the operating system releases when the process ends. */
function lockOf(file: string): FolderLock | undefined {
  const database = openSqlite(file, { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (!isBusy(error)) throw error;
    return undefined;
  }
  const stamp = inodeOf(file);
  return { isHeld: () => inodeOf(file) === stamp, release: () => void database.close() };
}

/** Data derived in an index file; computed fields are complete in the source. */
export const DERIVED: readonly DerivedKind[] = ['facets', 'words', 'facts'];

/** Application id of index files: "w3ix". */
const APPLICATION_ID = 0x77336978;
/** Incremented when the follower writes different rows into the same tables. */
const FORMAT = 1;

const OWN_TABLES = `
CREATE TABLE followed (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  source TEXT NOT NULL,
  version TEXT NOT NULL,
  seq INTEGER NOT NULL,
  mark TEXT NOT NULL
) STRICT;`;

/** Schema of an index file, and a hash of everything its content depends on. */
export type IndexSchema = ReturnType<typeof indexSchema>;

/** The tables for searches and lists. Slugs are not unique: a batch of changes may swap those of two records. */
export const indexSchema = once(() => {
  const model = openSqlite(':memory:');
  try {
    for (const step of migrations) model.exec(step);
    const sql = `${schemaOf(model).join(';\n')};${OWN_TABLES}`;
    const hash = createHash('sha256').update(JSON.stringify([FORMAT, sql, currentFingerprints(DERIVED)]));
    return { sql, version: hash.digest('hex').slice(0, 16) };
  } finally {
    model.close();
  }
});

function schemaOf(database: Sqlite): string[] {
  const copiedTables = new Set<string>([
    ...RECORD_TYPES,
    'labels',
    'label_values',
    'links',
    'record_keys',
    'record_facts',
  ]);
  const isKept = (table: string): boolean =>
    copiedTables.has(table) ||
    table.startsWith('search_') ||
    RECORD_TYPES.some((type) => table.startsWith(`${type}_search_`));
  return database
    .prepare<[], { table: string; sql: string }>(
      'SELECT tbl_name AS "table", sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid',
    )
    .all()
    .filter(({ table }) => isKept(table))
    .map(({ sql }) => sql.replace('CREATE UNIQUE INDEX', 'CREATE INDEX'));
}
