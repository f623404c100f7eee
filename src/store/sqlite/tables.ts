import type { RecordType, SearchedType } from '../../contract/entities/index.ts';
import { RECORD_TYPES } from '../../contract/entities/index.ts';
import type { Document } from '../records/document.ts';
import type { Sqlite } from './database.ts';

interface StoredRow {
  readonly id: number;
  readonly version: number;
  readonly document: string;
}

/** Statements over the table of one type, prepared once. */
interface RecordTable {
  byId(id: number): StoredRow | undefined;
  bySlug(slug: string): StoredRow | undefined;
  /** Keeps a new document and gives its number to `document` first. */
  insert(slug: string, compose: (id: number) => Document): Document;
  update(document: Document): void;
}

export type RecordTables = Record<RecordType, RecordTable>;

export function createRecordTables(database: Sqlite): RecordTables {
  return Object.fromEntries(RECORD_TYPES.map((type) => [type, createRecordTable(database, type)])) as RecordTables;
}

function createRecordTable(database: Sqlite, type: RecordType): RecordTable {
  const live = `SELECT id, version, document FROM ${type} WHERE deleted_at IS NULL`;
  const byId = database.prepare<[number], StoredRow>(`${live} AND id = ?`);
  const bySlug = database.prepare<[string], StoredRow>(`${live} AND slug = ?`);
  const insert = database.prepare(`INSERT INTO ${type} (slug, version, document) VALUES (?, 1, '')`);
  const update = database.prepare(`UPDATE ${type} SET slug = ?, document = ?, version = version + 1 WHERE id = ?`);
  const fill = database.prepare(`UPDATE ${type} SET document = ? WHERE id = ?`);
  return {
    byId: (id) => byId.get(id),
    bySlug: (slug) => bySlug.get(slug),
    insert: (slug, compose) => {
      // The number is part of the document, so the row comes first and its text follows in the same transaction.
      const document = compose(Number(insert.run(slug).lastInsertRowid));
      fill.run(JSON.stringify(document), document.id);
      return document;
    },
    update: (document) => void update.run(document.slug, JSON.stringify(document), document.id),
  };
}

export interface NameTable {
  set(type: SearchedType, id: number, keys: readonly string[]): void;
  /** The records known by a folded name. */
  find(type: SearchedType, key: string): number[];
}

export function createNameTable(database: Sqlite): NameTable {
  const clear = database.prepare('DELETE FROM record_keys WHERE type = ? AND id = ?');
  const add = database.prepare('INSERT INTO record_keys (type, key, id) VALUES (?, ?, ?)');
  const find = database
    .prepare<[string, string], number>('SELECT id FROM record_keys WHERE type = ? AND key = ?')
    .pluck();
  return {
    set: (type, id, keys) => {
      clear.run(type, id);
      for (const key of keys) add.run(type, key, id);
    },
    find: (type, key) => find.all(type, key),
  };
}
