import type { WordIndex } from '../records/record-index.ts';
import { createSearchModel, type SearchModel } from '../records/searching.ts';
import { createAnswerIndex } from '../sqlite/answers/answer-index.ts';
import { mapWhole } from '../sqlite/database.ts';
import { sqliteDialect } from '../sqlite/dialect.ts';
import { openSqlite, type Sqlite } from '../sqlite/driver.ts';
import { createTake, type Take } from '../sqlite/runner.ts';
import { createWords } from '../sqlite/words.ts';
import { APPLICATION_ID, type IndexSchema } from './index-schema.ts';

/** How far an index has followed: the last change of the log that is in it. */
export interface Position {
  readonly seq: number;
  /** Tells that change from another of the same number, in a database that was restored; empty when the log was. */
  readonly mark: string;
}

/** Whose records an index is of, and by which definitions. */
export interface Origin {
  readonly source: string;
  readonly version: string;
}

/** An index file that is open. */
export interface IndexFile {
  readonly database: Sqlite;
  readonly take: Take;
  readonly words: WordIndex;
  readonly model: SearchModel;
  /** Reads in one transaction. */
  atOneMoment<Result>(read: () => Result): Result;
  position(): Position;
  /** Keeps how far it has followed, in the caller's transaction. */
  advance(position: Position): void;
  close(): void;
}

/** How long the follower waits for another process's access to the file; it blocks only its own thread. */
const BUSY_MS = 1_000;

/** Opens an index file to be read. Throws when it is none, or is of something else. */
export function openToRead(file: string, origin: Origin): IndexFile {
  return opened(openSqlite(file, { readonly: true, fileMustExist: true, timeout: BUSY_MS }), origin);
}

/** Opens an index file for the follower. A temporary file ends with its process, so its writes never wait for the disk. */
export function openToWrite(file: string, origin: Origin, isTemporary: boolean): IndexFile {
  const database = openSqlite(file, { fileMustExist: true, timeout: BUSY_MS });
  database.pragma(`synchronous = ${isTemporary ? 'OFF' : 'NORMAL'}`);
  return opened(database, origin);
}

/** Makes an index file that nobody else knows yet: until it is complete, nothing of it is synced. */
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

/** Puts a new file into WAL mode, so that other connections can read it during writes. Unless temporary, it survives a power cut. */
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

/** As SQLite says it of a file that it does not know. */
const otherFile = (): Error =>
  Object.assign(new Error('the file is not the index of this database'), { code: 'SQLITE_NOTADB' });

function toFile(database: Sqlite): IndexFile {
  const words = createWords(database);
  const answers = createAnswerIndex();
  const read = database.prepare<[], Position>('SELECT seq, mark FROM followed');
  const advance = database.prepare<[number, string]>('UPDATE followed SET seq = ?, mark = ?');
  return {
    database,
    take: createTake(database),
    model: createSearchModel(sqliteDialect, words, answers),
    words,
    // better-sqlite3's own type forgets what the work results in.
    atOneMoment: database.transaction((work: () => unknown) => work()) as unknown as IndexFile['atOneMoment'],
    position: () => read.get() as Position,
    advance: ({ seq, mark }) => void advance.run(seq, mark),
    close: () => database.close(),
  };
}
