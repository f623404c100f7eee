import type { RecordType, SearchedType } from '../../contract/entities/index.ts';
import { RECORD_TYPES } from '../../contract/entities/index.ts';
import type { Document } from '../records/document.ts';
import type { Sqlite } from './database.ts';

export interface StoredRow {
  readonly id: number;
  readonly slug: string;
  readonly version: number;
  readonly document: string;
}

export interface DeletedRow extends StoredRow {
  readonly deleted_at: string;
}

/** What a link to a record needs to know of it. */
interface NamedRow {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
}

/** Statements over the table of one type, prepared once. */
interface RecordTable {
  byId(id: number): StoredRow | undefined;
  bySlug(slug: string): StoredRow | undefined;
  namedById(id: number): NamedRow | undefined;
  namedBySlug(slug: string): NamedRow | undefined;
  hasSlug(slug: string): boolean;
  /** The record that had this slug before. */
  byFormerSlug(slug: string): StoredRow | undefined;
  /** A record that was deleted after a moment, by number or slug. */
  deleted(idOrSlug: number | string, after: string): DeletedRow | undefined;
  /** Records that were deleted at or before a moment, at most `limit`. */
  deletedBefore(moment: string, limit: number): number[];
  /** A page of all records, the newest first, and how many there are. */
  page(offset: number, limit: number): string[];
  count(): number;
  /** Up to `limit` records after a number, in order. */
  after(id: number, limit: number): StoredRow[];
  /** The highest number that was ever given. */
  lastId(): number;
  insert(document: Document, isShipped: boolean): void;
  update(document: Document): void;
  /** Takes a record out of sight, or puts it back with a null. */
  setDeleted(id: number, moment: string | null): void;
  /** Remembers a slug that a record had; it goes to whoever takes it next. */
  rememberSlug(slug: string, id: number): void;
  /** Says that a record is no longer as the shipped data set brought it. */
  disown(id: number): void;
  /** Numbers of the records that are as the shipped data set brought them. */
  shipped(): number[];
  remove(id: number): void;
}

export type RecordTables = Record<RecordType, RecordTable>;

export function createRecordTables(database: Sqlite): RecordTables {
  return Object.fromEntries(RECORD_TYPES.map((type) => [type, createRecordTable(database, type)])) as RecordTables;
}

function createRecordTable(database: Sqlite, type: RecordType): RecordTable {
  const live = `SELECT id, slug, version, document FROM ${type} WHERE deleted_at IS NULL`;
  const byId = database.prepare<[number], StoredRow>(`${live} AND id = ?`);
  const bySlug = database.prepare<[string], StoredRow>(`${live} AND slug = ?`);
  const named = `SELECT id, slug, document ->> '$.name' AS name FROM ${type} WHERE deleted_at IS NULL`;
  const namedById = database.prepare<[number], NamedRow>(`${named} AND id = ?`);
  const namedBySlug = database.prepare<[string], NamedRow>(`${named} AND slug = ?`);
  const hasSlug = database.prepare<[string], number>(`SELECT 1 FROM ${type} WHERE deleted_at IS NULL AND slug = ?`);
  const byFormerSlug = database.prepare<[string, string], StoredRow>(
    `${live} AND id = (SELECT id FROM former_slugs WHERE type = ? AND slug = ?)`,
  );
  const gone = `SELECT id, slug, version, document, deleted_at FROM ${type} WHERE deleted_at > ?`;
  const goneById = database.prepare<[string, number], DeletedRow>(`${gone} AND id = ?`);
  const goneBySlug = database.prepare<[string, string], DeletedRow>(`${gone} AND slug = ? ORDER BY deleted_at DESC`);
  const goneBefore = database
    .prepare<[string, number], number>(`SELECT id FROM ${type} WHERE deleted_at <= ? LIMIT ?`)
    .pluck();
  const page = database
    .prepare<[number, number], string>(
      `SELECT document FROM ${type} WHERE deleted_at IS NULL ORDER BY id DESC LIMIT ? OFFSET ?`,
    )
    .pluck();
  const count = database.prepare<[], number>(`SELECT count(*) FROM ${type} WHERE deleted_at IS NULL`).pluck();
  const after = database.prepare<[number, number], StoredRow>(`${live} AND id > ? ORDER BY id LIMIT ?`);
  const lastId = database.prepare<[string], number>('SELECT seq FROM sqlite_sequence WHERE name = ?').pluck();
  const insert = database.prepare(
    `INSERT INTO ${type} (id, slug, version, document, is_shipped) VALUES (?, ?, 1, ?, ?)`,
  );
  const update = database.prepare(`UPDATE ${type} SET slug = ?, document = ?, version = version + 1 WHERE id = ?`);
  const setDeleted = database.prepare(`UPDATE ${type} SET deleted_at = ?, version = version + 1 WHERE id = ?`);
  const rememberSlug = database.prepare('INSERT OR REPLACE INTO former_slugs (type, slug, id) VALUES (?, ?, ?)');
  const disown = database.prepare(`UPDATE ${type} SET is_shipped = 0 WHERE id = ?`);
  const shipped = database.prepare<[], number>(`SELECT id FROM ${type} WHERE is_shipped = 1`).pluck();
  const remove = database.prepare(`DELETE FROM ${type} WHERE id = ?`);
  return {
    byId: (id) => byId.get(id),
    bySlug: (slug) => bySlug.get(slug),
    namedById: (id) => namedById.get(id),
    namedBySlug: (slug) => namedBySlug.get(slug),
    hasSlug: (slug) => hasSlug.get(slug) !== undefined,
    byFormerSlug: (slug) => byFormerSlug.get(type, slug),
    deleted: (idOrSlug, moment) =>
      typeof idOrSlug === 'number' ? goneById.get(moment, idOrSlug) : goneBySlug.get(moment, idOrSlug),
    deletedBefore: (moment, limit) => goneBefore.all(moment, limit),
    page: (offset, limit) => page.all(limit, offset),
    count: () => count.get() ?? 0,
    after: (id, limit) => after.all(id, limit),
    lastId: () => lastId.get(type) ?? 0,
    insert: (document, isShipped) =>
      void insert.run(document.id, document.slug, JSON.stringify(document), isShipped ? 1 : 0),
    update: (document) => void update.run(document.slug, JSON.stringify(document), document.id),
    setDeleted: (id, moment) => void setDeleted.run(moment, id),
    rememberSlug: (slug, id) => void rememberSlug.run(type, slug, id),
    disown: (id) => void disown.run(id),
    shipped: () => shipped.all(),
    remove: (id) => void remove.run(id),
  };
}

export interface NameTable {
  /** Names of a record that had none yet. */
  add(type: SearchedType, id: number, keys: readonly string[]): void;
  /** Names instead of those a record had. */
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
  const addAll: NameTable['add'] = (type, id, keys) => {
    for (const key of keys) add.run(type, key, id);
  };
  return {
    add: addAll,
    set: (type, id, keys) => {
      clear.run(type, id);
      addAll(type, id, keys);
    },
    find: (type, key) => find.all(type, key),
  };
}
