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
  type Runner,
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

export type RecordTable = ReturnType<typeof readsOf> & ReturnType<typeof writesOf>;

export type RecordTables = Record<RecordType, RecordTable>;

export function createRecordTables(dialect: Dialect): RecordTables {
  return Object.fromEntries(
    RECORD_TYPES.map((type) => [type, { ...readsOf(dialect, type), ...writesOf(dialect, type) }]),
  ) as RecordTables;
}

function readsOf(dialect: Dialect, type: RecordType) {
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
    byId: (id: number) => first<StoredRow>(`${live} AND id = ?`, id),
    bySlug: (slug: string) => first<StoredRow>(`${live} AND slug = ?`, slug),
    /** The existing records among some ids, unordered. */
    byIds: (ids: readonly number[]) => all<StoredRow>(`${live} AND id IN (${dialect.numbersOf})`, JSON.stringify(ids)),
    bySlugs: (slugs: readonly string[]) =>
      all<StoredRow>(`${live} AND slug IN (${dialect.textsOf})`, JSON.stringify(slugs)),
    namedByIds: (ids: readonly number[]) =>
      all<NamedRow>(`${named} AND id IN (${dialect.numbersOf})`, JSON.stringify(ids)),
    namedBySlugs: (slugs: readonly string[]) =>
      all<NamedRow>(`${named} AND slug IN (${dialect.textsOf})`, JSON.stringify(slugs)),
    hasSlug: (slug: string) => exists(`SELECT 1 FROM ${type} WHERE deleted_at IS NULL AND slug = ?`, slug),
    byFormerSlug: (slug: string) => first<StoredRow>(byFormerSlug, type, slug),
    /** Slugs of merged records, each with the slug of the remaining one. */
    mergedSlugs: (slugs: readonly string[]) =>
      allLists<readonly [slug: string, kept: string]>(merged, type, JSON.stringify(slugs)),
    /** A record deleted after a time, by id or slug. */
    deleted: (idOrSlug: number | string, after: string) =>
      typeof idOrSlug === 'number'
        ? first<DeletedRow>(`${gone} AND id = ?`, after, idOrSlug)
        : first<DeletedRow>(`${gone} AND slug = ? ORDER BY deleted_at DESC LIMIT 1`, after, idOrSlug),
    /** Records deleted at or before a time, at most `limit`. */
    deletedBefore: (moment: string, limit: number) =>
      column<number>(`SELECT id FROM ${type} WHERE deleted_at <= ? AND NOT (${isMerged}) LIMIT ?`, moment, limit),
    /** Up to `limit` records after an id, in order. */
    after: (id: number, limit: number) => all<StoredRow>(`${live} AND id > ? ORDER BY id LIMIT ?`, id, limit),
    /** Highest id ever assigned. */
    lastId: () => dialect.lastId(type),
    shipped: () => all<{ readonly id: number; readonly slug: string }>(`SELECT id, slug ${shipped} ORDER BY id`),
    /** The unchanged shipped records among these. */
    shippedOf: (ids: readonly number[]) =>
      column<number>(`SELECT id ${shipped} AND id IN (${dialect.numbersOf}) ORDER BY id`, JSON.stringify(ids)),
  };
}

function writesOf(dialect: Dialect, type: RecordType) {
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
    keepLastId: (id: number) => dialect.keepLastId(type, id),
    insertAll: (rows: readonly NewRow[]) =>
      insertRows(
        type,
        columns,
        rows.map(({ id, slug, document, isShipped }) => [id, slug, 1, document, isShipped ? 1 : 0]),
      ),
    *updateAll(rows: readonly ChangedRow[]): SqlProgram<void> {
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
    /** Soft-deletes a record, or restores it with null. */
    setDeleted: (id: number, moment: string | null) => run(setDeleted, moment, id),
    /** Stores a former slug, which a new record may take over. */
    rememberSlug: (slug: string, id: number) => run(rememberSlug, type, slug, id),
    markUnshipped: (ids: readonly number[]) =>
      run(
        `UPDATE ${type} SET is_shipped = 0 WHERE is_shipped = 1 AND id IN (${dialect.numbersOf})`,
        JSON.stringify(ids),
      ),
    removeAll: (ids: readonly number[]) =>
      run(`DELETE FROM ${type} WHERE id IN (${dialect.numbersOf})`, JSON.stringify(ids)),
  };
}

/** The records of a type in pages, so that neither memory nor a read lock grows with the table. */
export async function* recordPages(
  { query }: Pick<Runner, 'query'>,
  table: Pick<RecordTable, 'after'>,
  size: number,
): AsyncGenerator<readonly StoredRow[]> {
  for (let last: StoredRow | undefined; ; ) {
    const rows = await query(table.after(last?.id ?? 0, size));
    last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
  }
}
