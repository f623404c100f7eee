import { RECORD_TYPES, type RecordType, type SearchedType } from '../../contract/entities/index.ts';
import type { Dialect } from '../sql/dialect.ts';
import { all, column, first, run, runEach, type Steps, value } from '../sql/steps.ts';
import type { Document } from './document.ts';

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

/** Statements over the table of one type. */
export interface RecordTable {
  byId(id: number): Steps<StoredRow | undefined>;
  bySlug(slug: string): Steps<StoredRow | undefined>;
  namedById(id: number): Steps<NamedRow | undefined>;
  namedBySlug(slug: string): Steps<NamedRow | undefined>;
  hasSlug(slug: string): Steps<boolean>;
  /** The record that had this slug before. */
  byFormerSlug(slug: string): Steps<StoredRow | undefined>;
  /** A record that was deleted after a moment, by number or slug. */
  deleted(idOrSlug: number | string, after: string): Steps<DeletedRow | undefined>;
  /** Records that were deleted at or before a moment, at most `limit`. */
  deletedBefore(moment: string, limit: number): Steps<number[]>;
  /** A page of all records, the newest first, and how many there are. */
  page(offset: number, limit: number): Steps<string[]>;
  count(): Steps<number>;
  /** Up to `limit` records after a number, in order. */
  after(id: number, limit: number): Steps<StoredRow[]>;
  /** The highest number that was ever given. */
  lastId(): Steps<number>;
  keepLastId(id: number): Steps<void>;
  insert(document: Document, isShipped: boolean): Steps<void>;
  update(document: Document): Steps<void>;
  /** Takes a record out of sight, or puts it back with a null. */
  setDeleted(id: number, moment: string | null): Steps<void>;
  /** Remembers a slug that a record had; it goes to whoever takes it next. */
  rememberSlug(slug: string, id: number): Steps<void>;
  /** Says that a record is no longer as the shipped data set brought it. */
  disown(id: number): Steps<void>;
  /** Numbers of the records that are as the shipped data set brought them. */
  shipped(): Steps<number[]>;
  /** Those of some records that still are. */
  shippedOf(ids: readonly number[]): Steps<number[]>;
  remove(id: number): Steps<void>;
}

export type RecordTables = Record<RecordType, RecordTable>;

export function createRecordTables(dialect: Dialect): RecordTables {
  return Object.fromEntries(
    RECORD_TYPES.map((type) => [type, { ...readsOf(dialect, type), ...writesOf(dialect, type) }]),
  ) as RecordTables;
}

type Writes = Pick<
  RecordTable,
  'keepLastId' | 'insert' | 'update' | 'setDeleted' | 'rememberSlug' | 'disown' | 'remove'
>;

function readsOf(dialect: Dialect, type: RecordType): Omit<RecordTable, keyof Writes> {
  const live = `SELECT id, slug, version, document FROM ${type} WHERE deleted_at IS NULL`;
  const named = `SELECT id, slug, ${dialect.field(type, 'name', 'text')} AS name FROM ${type} WHERE deleted_at IS NULL`;
  const gone = `SELECT id, slug, version, document, deleted_at FROM ${type} WHERE deleted_at > ?`;
  const byFormerSlug = `${live} AND id = (SELECT id FROM former_slugs WHERE type = ? AND slug = ?)`;
  const shipped = `SELECT id FROM ${type} WHERE is_shipped = 1`;
  const newest = `SELECT document FROM ${type} WHERE deleted_at IS NULL ORDER BY id DESC LIMIT ? OFFSET ?`;
  return {
    byId: (id) => first(`${live} AND id = ?`, id),
    bySlug: (slug) => first(`${live} AND slug = ?`, slug),
    namedById: (id) => first(`${named} AND id = ?`, id),
    namedBySlug: (slug) => first(`${named} AND slug = ?`, slug),
    hasSlug: function* hasSlug(slug) {
      return (yield* value(`SELECT 1 FROM ${type} WHERE deleted_at IS NULL AND slug = ?`, slug)) !== undefined;
    },
    byFormerSlug: (slug) => first(byFormerSlug, type, slug),
    deleted: (idOrSlug, moment) =>
      typeof idOrSlug === 'number'
        ? first(`${gone} AND id = ?`, moment, idOrSlug)
        : first(`${gone} AND slug = ? ORDER BY deleted_at DESC LIMIT 1`, moment, idOrSlug),
    deletedBefore: (moment, limit) => column(`SELECT id FROM ${type} WHERE deleted_at <= ? LIMIT ?`, moment, limit),
    page: (offset, limit) => column(newest, limit, offset),
    count: function* count() {
      return (yield* value<number>(`SELECT count(*) FROM ${type} WHERE deleted_at IS NULL`)) ?? 0;
    },
    after: (id, limit) => all(`${live} AND id > ? ORDER BY id LIMIT ?`, id, limit),
    lastId: () => dialect.lastId(type),
    shipped: () => column(`${shipped} ORDER BY id`),
    shippedOf: (ids) => column(`${shipped} AND id IN (${dialect.numbersOf}) ORDER BY id`, JSON.stringify(ids)),
  };
}

function writesOf(dialect: Dialect, type: RecordType): Writes {
  const insert = `INSERT INTO ${type} (id, slug, version, document, is_shipped) VALUES (?, ?, 1, ?, ?)`;
  const update = `UPDATE ${type} SET slug = ?, document = ?, version = version + 1 WHERE id = ?`;
  const setDeleted = `UPDATE ${type} SET deleted_at = ?, version = version + 1 WHERE id = ?`;
  const rememberSlug = `INSERT INTO former_slugs (type, slug, id) VALUES (?, ?, ?)
    ON CONFLICT (type, slug) DO UPDATE SET id = excluded.id`;
  return {
    keepLastId: (id) => dialect.keepLastId(type, id),
    insert: (document, isShipped) =>
      run(insert, document.id, document.slug, JSON.stringify(document), isShipped ? 1 : 0),
    update: (document) => run(update, document.slug, JSON.stringify(document), document.id),
    setDeleted: (id, moment) => run(setDeleted, moment, id),
    rememberSlug: (slug, id) => run(rememberSlug, type, slug, id),
    disown: (id) => run(`UPDATE ${type} SET is_shipped = 0 WHERE id = ?`, id),
    remove: (id) => run(`DELETE FROM ${type} WHERE id = ?`, id),
  };
}

/** Folded names by which records are known. */
export interface NameTable {
  /** Names of a record that had none yet. */
  add(type: SearchedType, id: number, keys: readonly string[]): Steps<void>;
  /** Names instead of those a record had. */
  set(type: SearchedType, id: number, keys: readonly string[]): Steps<void>;
  /** The records known by a folded name. */
  find(type: SearchedType, key: string): Steps<number[]>;
}

export function createNameTable(): NameTable {
  const add: NameTable['add'] = (type, id, keys) =>
    runEach(
      'INSERT INTO record_keys (type, key, id) VALUES (?, ?, ?)',
      keys.map((key) => [type, key, id]),
    );
  return {
    add,
    set: function* set(type, id, keys) {
      yield* run('DELETE FROM record_keys WHERE type = ? AND id = ?', type, id);
      yield* add(type, id, keys);
    },
    find: (type, key) => column('SELECT id FROM record_keys WHERE type = ? AND key = ?', type, key),
  };
}
