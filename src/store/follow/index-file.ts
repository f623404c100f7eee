import { createSearchModel, type SearchModel, type WordIndex } from '../records/record-index.ts';
import { createAnswerIndex } from '../sqlite/answers/answer-index.ts';
import { mapWhole } from '../sqlite/database.ts';
import { sqliteDialect } from '../sqlite/dialect.ts';
import { openSqlite, type Sqlite } from '../sqlite/driver.ts';
import { createProgramRunner, type RunProgram } from '../sqlite/runner.ts';
import { createWordIndex } from '../sqlite/word-index.ts';
import { APPLICATION_ID, type IndexSchema } from './index-schema.ts';

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

export interface IndexFile {
  readonly database: Sqlite;
  readonly runProgram: RunProgram;
  readonly words: WordIndex;
  readonly model: SearchModel;
  /** Runs reads in one transaction. */
  atOneMoment<Result>(read: () => Result): Result;
  position(): Position;
  /** Stores the position, in the caller's transaction. */
  advance(position: Position): void;
  close(): void;
}

/** Lock time-out of the follower, which blocks only its own thread. */
const BUSY_MS = 1_000;

/** Opens an index file read-only. Throws if it is not one, or of another origin. */
export function openToRead(file: string, origin: Origin): IndexFile {
  return opened(openSqlite(file, { readonly: true, fileMustExist: true, timeout: BUSY_MS }), origin);
}

/** Opens an index file for the follower. Writes to a temporary file are never synced. */
export function openToWrite(file: string, origin: Origin, isTemporary: boolean): IndexFile {
  const database = openSqlite(file, { fileMustExist: true, timeout: BUSY_MS });
  database.pragma(`synchronous = ${isTemporary ? 'OFF' : 'NORMAL'}`);
  return opened(database, origin);
}

/** Creates an unpublished index file; nothing is synced before it is complete. */
export function createIndexFile(file: string, { source, version }: Origin, { sql }: IndexSchema): IndexFile {
  const database = openSqlite(file, { timeout: BUSY_MS });
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

function toFile(database: Sqlite): IndexFile {
  const words = createWordIndex(database);
  const answers = createAnswerIndex(words);
  const read = database.prepare<[], Position>('SELECT seq, mark FROM followed');
  const advance = database.prepare<[number, string]>('UPDATE followed SET seq = ?, mark = ?');
  return {
    database,
    runProgram: createProgramRunner(database),
    model: createSearchModel(sqliteDialect, words, answers),
    words,
    // better-sqlite3's type erases the result.
    atOneMoment: database.transaction((work: () => unknown) => work()) as unknown as IndexFile['atOneMoment'],
    position: () => read.get() as Position,
    advance: ({ seq, mark }) => void advance.run(seq, mark),
    close: () => database.close(),
  };
}
