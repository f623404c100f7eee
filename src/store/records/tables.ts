import { RECORD_TYPES, type RecordType } from '../../contract/entities/index.ts';
import {
  all,
  allLists,
  column,
  type Dialect,
  exists,
  first,
  insertRows,
  type RowUpdate,
  run,
  type SqlProgram,
} from '../sql.ts';

export interface StoredRow {
  readonly id: number;
  readonly slug: string;
  readonly version: number;
  readonly document: string;
}

export interface DeletedRow extends StoredRow {
  readonly deleted_at: string;
}

/** The columns that a link to a record needs. */
export interface NamedRow {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
}

type WrittenRow = Omit<StoredRow, 'version'>;

export interface ChangedRow extends WrittenRow {
  /** Whether its slug may have changed. */
  readonly isRenamed: boolean;
}

export interface NewRow extends WrittenRow {
  readonly isShipped: boolean;
}

export type RecordLookup = Pick<RecordTable, 'byId' | 'bySlug' | 'byFormerSlug' | 'deleted'>;

export interface RecordTable {
  byId(id: number): SqlProgram<StoredRow | undefined>;
  bySlug(slug: string): SqlProgram<StoredRow | undefined>;
  /** The existing records among some ids, unordered. */
  byIds(ids: readonly number[]): SqlProgram<StoredRow[]>;
  bySlugs(slugs: readonly string[]): SqlProgram<StoredRow[]>;
  namedByIds(ids: readonly number[]): SqlProgram<NamedRow[]>;
  namedBySlugs(slugs: readonly string[]): SqlProgram<NamedRow[]>;
  hasSlug(slug: string): SqlProgram<boolean>;
  byFormerSlug(slug: string): SqlProgram<StoredRow | undefined>;
  /** Slugs of merged records, each with the slug of the remaining one. */
  mergedSlugs(slugs: readonly string[]): SqlProgram<(readonly [slug: string, kept: string])[]>;
  /** A record deleted after a time, by id or slug. */
  deleted(idOrSlug: number | string, after: string): SqlProgram<DeletedRow | undefined>;
  /** Records deleted at or before a time, at most `limit`. */
  deletedBefore(moment: string, limit: number): SqlProgram<number[]>;
  /** Up to `limit` records after an id, in order. */
  after(id: number, limit: number): SqlProgram<StoredRow[]>;
  /** Highest id ever assigned. */
  lastId(): SqlProgram<number>;
  keepLastId(id: number): SqlProgram<void>;
  insertAll(rows: readonly NewRow[]): SqlProgram<void>;
  updateAll(rows: readonly ChangedRow[]): SqlProgram<void>;
  /** Soft-deletes a record, or restores it with null. */
  setDeleted(id: number, moment: string | null): SqlProgram<void>;
  /** Stores a former slug, which a new record may take over. */
  rememberSlug(slug: string, id: number): SqlProgram<void>;
  markUnshipped(ids: readonly number[]): SqlProgram<void>;
  shipped(): SqlProgram<{ readonly id: number; readonly slug: string }[]>;
  /** The unchanged shipped records among these. */
  shippedOf(ids: readonly number[]): SqlProgram<number[]>;
  removeAll(ids: readonly number[]): SqlProgram<void>;
}

export type RecordTables = Record<RecordType, RecordTable>;

export function createRecordTables(dialect: Dialect): RecordTables {
  return Object.fromEntries(
    RECORD_TYPES.map((type) => [type, { ...readsOf(dialect, type), ...writesOf(dialect, type) }]),
  ) as RecordTables;
}

type Writes = Pick<
  RecordTable,
  'keepLastId' | 'insertAll' | 'updateAll' | 'setDeleted' | 'rememberSlug' | 'markUnshipped' | 'removeAll'
>;

function readsOf(dialect: Dialect, type: RecordType): Omit<RecordTable, keyof Writes> {
  const live = `SELECT id, slug, version, document FROM ${type} WHERE deleted_at IS NULL`;
  const named = `SELECT id, slug, ${dialect.field(type, 'name', 'text')} AS name FROM ${type} WHERE deleted_at IS NULL`;
  const isMerged = `id IN (SELECT gone_id FROM duplicates WHERE type = '${type}' AND gone_id IS NOT NULL)`;
  const gone = `SELECT id, slug, version, document, deleted_at FROM ${type} WHERE deleted_at > ? AND NOT (${isMerged})`;
  const byFormerSlug = `${live} AND id = (SELECT id FROM former_slugs WHERE type = ? AND slug = ?)`;
  const merged = `SELECT gone.slug, kept.slug FROM duplicates AS pair
    JOIN ${type} AS gone ON gone.id = pair.gone_id
    JOIN former_slugs AS former ON former.type = pair.type AND former.slug = gone.slug
    JOIN ${type} AS kept ON kept.id = former.id AND kept.deleted_at IS NULL
    WHERE pair.type = ? AND pair.gone_id IS NOT NULL AND gone.slug IN (${dialect.textsOf})`;
  const shipped = `FROM ${type} WHERE is_shipped = 1`;
  return {
    byId: (id) => first(`${live} AND id = ?`, id),
    bySlug: (slug) => first(`${live} AND slug = ?`, slug),
    byIds: (ids) => all(`${live} AND id IN (${dialect.numbersOf})`, JSON.stringify(ids)),
    bySlugs: (slugs) => all(`${live} AND slug IN (${dialect.textsOf})`, JSON.stringify(slugs)),
    namedByIds: (ids) => all(`${named} AND id IN (${dialect.numbersOf})`, JSON.stringify(ids)),
    namedBySlugs: (slugs) => all(`${named} AND slug IN (${dialect.textsOf})`, JSON.stringify(slugs)),
    hasSlug: (slug) => exists(`SELECT 1 FROM ${type} WHERE deleted_at IS NULL AND slug = ?`, slug),
    byFormerSlug: (slug) => first(byFormerSlug, type, slug),
    mergedSlugs: (slugs) => allLists(merged, type, JSON.stringify(slugs)),
    deleted: (idOrSlug, moment) =>
      typeof idOrSlug === 'number'
        ? first(`${gone} AND id = ?`, moment, idOrSlug)
        : first(`${gone} AND slug = ? ORDER BY deleted_at DESC LIMIT 1`, moment, idOrSlug),
    deletedBefore: (moment, limit) =>
      column(`SELECT id FROM ${type} WHERE deleted_at <= ? AND NOT (${isMerged}) LIMIT ?`, moment, limit),
    after: (id, limit) => all(`${live} AND id > ? ORDER BY id LIMIT ?`, id, limit),
    lastId: () => dialect.lastId(type),
    shipped: () => all(`SELECT id, slug ${shipped} ORDER BY id`),
    shippedOf: (ids) =>
      column(`SELECT id ${shipped} AND id IN (${dialect.numbersOf}) ORDER BY id`, JSON.stringify(ids)),
  };
}

function writesOf(dialect: Dialect, type: RecordType): Writes {
  const columns = ['id', 'slug', 'version', 'document', 'is_shipped'];
  const updateOf = (set: RowUpdate['set']): RowUpdate => ({
    table: type,
    set: { document: 'json', ...set },
    keys: { id: 'number' },
    also: ['version = version + 1'],
  });
  const [update, updateSlug] = [updateOf({}), updateOf({ slug: 'text' })];
  const setDeleted = `UPDATE ${type} SET deleted_at = ?, version = version + 1 WHERE id = ?`;
  const rememberSlug = `INSERT INTO former_slugs (type, slug, id) VALUES (?, ?, ?)
    ON CONFLICT (type, slug) DO UPDATE SET id = excluded.id`;
  return {
    keepLastId: (id) => dialect.keepLastId(type, id),
    insertAll: (rows) =>
      insertRows(
        type,
        columns,
        rows.map(({ id, slug, document, isShipped }) => [id, slug, 1, document, isShipped ? 1 : 0]),
      ),
    *updateAll(rows) {
      // Setting a column updates its index even if the value is equal.
      const [same, renamed] = [rows.filter(({ isRenamed }) => !isRenamed), rows.filter(({ isRenamed }) => isRenamed)];
      yield* dialect.updateRows(
        update,
        same.map(({ id, document }) => [document, id]),
      );
      yield* dialect.updateRows(
        updateSlug,
        renamed.map(({ id, slug, document }) => [document, slug, id]),
      );
    },
    setDeleted: (id, moment) => run(setDeleted, moment, id),
    rememberSlug: (slug, id) => run(rememberSlug, type, slug, id),
    markUnshipped: (ids) =>
      run(
        `UPDATE ${type} SET is_shipped = 0 WHERE is_shipped = 1 AND id IN (${dialect.numbersOf})`,
        JSON.stringify(ids),
      ),
    removeAll: (ids) => run(`DELETE FROM ${type} WHERE id IN (${dialect.numbersOf})`, JSON.stringify(ids)),
  };
}

export type NameTable = ReturnType<typeof createNameTable>;

type NameRow = readonly [type: RecordType, key: string, id: number];

export const idsWithName = (type: RecordType, key: string): SqlProgram<number[]> =>
  column('SELECT id FROM record_keys WHERE type = ? AND key = ?', type, key);

export function createNameTable({ numbersOf, textsOf }: Dialect) {
  return {
    find: idsWithName,
    /** Records with some names, each with the name. */
    findAll: (type: RecordType, keys: readonly string[]): SqlProgram<(readonly [key: string, id: number])[]> =>
      allLists(`SELECT key, id FROM record_keys WHERE type = ? AND key IN (${textsOf})`, type, JSON.stringify(keys)),
    insertAll: (rows: readonly NameRow[]): SqlProgram<void> => insertRows('record_keys', ['type', 'key', 'id'], rows),
    clear: (type: RecordType, ids: readonly number[]): SqlProgram<void> =>
      run(`DELETE FROM record_keys WHERE type = ? AND id IN (${numbersOf})`, type, JSON.stringify(ids)),
  };
}
