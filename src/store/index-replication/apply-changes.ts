import { isNamedType, type NamedType, RECORD_TYPES, type RecordType } from '../../contract/entities/index.ts';
import { type Document, identityKeys } from '../records/document.ts';
import { LINK_COLUMNS } from '../records/link-buffer.ts';
import { relationsOf } from '../records/links.ts';
import { clearNames, insertNames } from '../records/name-buffer.ts';
import type { StoredRow } from '../records/tables.ts';
import { all, allTogether, type Dialect, insertRows, type Runner, run, type SqlProgram } from '../sql.ts';
import { sqliteDialect } from '../sqlite/dialect.ts';
import type { IndexFile, Position } from './index-file.ts';

/** Changes applied in one transaction that are not deferred, to bound the wait of a search for one of them. */
const DIRECT_AT_ONCE = 1_000;
/** All changes applied in one transaction: more than an import writes meanwhile, so that the index does not fall behind. */
const CHANGES_AT_ONCE = 4_000;
/** From more changes than this, imports wait until they are applied. */
const MANY = 750;
/** Above this number of changes, postings are merged later. */
const MERGED_MAX = 50;

interface Change {
  readonly seq: number;
  readonly type: RecordType;
  readonly id: number;
  readonly at: string;
  /** Whether its writer defers it, as in `RecordIndexing.update`: 1 or 0. */
  readonly is_deferred: number;
}

export interface LinkChange {
  readonly relation: string;
  readonly from_id: number;
  readonly position: number;
  readonly to_type: NamedType | null;
  readonly to_id: number | null;
  readonly key: string;
}

interface ChangedRecords {
  readonly type: RecordType;
  readonly ids: readonly number[];
  readonly rows: readonly StoredRow[];
  readonly links: readonly LinkChange[];
}

const SELECT = 'SELECT seq, type, id, CAST(at AS TEXT) AS at, is_deferred FROM record_changes';
const CHANGES = `${SELECT} WHERE seq >= ? ORDER BY seq LIMIT ?`;
const NEWEST = `${SELECT} ORDER BY seq DESC LIMIT 1`;

const positionOf = ({ seq, type, id, at }: Change): Position => ({ seq, mark: `${type} ${id} ${at}` });

export function* newestPosition(): SqlProgram<Position> {
  const [change] = yield* all<Change>(NEWEST);
  return change === undefined ? { seq: 0, mark: '' } : positionOf(change);
}

/**
 * `batch` if so many changes were applied that some of the work was left for later, `behind` if there are more to apply, `gap`
 * if the log no longer has the last change of the index.
 */
export type Followed = 'current' | 'changed' | 'batch' | 'behind' | 'gap';

/** Applies the next changes of a snapshot in the caller's transaction of the index; twice is harmless. */
export function* applyChanges(
  { dialect, delayImports }: Pick<ChangeSource, 'dialect' | 'delayImports'>,
  index: IndexFile,
): SqlProgram<Followed> {
  const position = index.position();
  const found: Change[] = yield* all<Change>(CHANGES, position.seq, CHANGES_AT_ONCE + 1);
  const [first, ...rest] = found;
  if (!isContinued(position, first)) return 'gap';
  const changes = firstOf(position.mark === '' ? found : rest);
  const last = changes.at(-1);
  if (last === undefined) return 'current';
  if (changes.length > MANY) yield* delayImports();
  const { direct, deferred } = parted(changes);
  apply(index, { direct: yield* fetchChanged(dialect, direct), deferred: yield* fetchChanged(dialect, deferred) });
  index.advance(positionOf(last));
  if (last !== found.at(-1) || found.length > CHANGES_AT_ONCE) return 'behind';
  return deferred.length > 0 || changes.length > MERGED_MAX ? 'batch' : 'changed';
}

/** As many changes as are applied at once. */
function firstOf(changes: readonly Change[]): readonly Change[] {
  const next = changes.filter(({ is_deferred }) => is_deferred === 0)[DIRECT_AT_ONCE];
  return changes.slice(0, next === undefined ? CHANGES_AT_ONCE : changes.indexOf(next));
}

/** Whether an index can continue from its position: not if the log was trimmed beyond it, or the database restored. */
export function* isFollowable(position: Position): SqlProgram<boolean> {
  const [first] = yield* all<Change>(CHANGES, position.seq, 1);
  return isContinued(position, first);
}

/** Checks that the last applied change is still in the log, before the next one. */
function isContinued({ mark }: Position, first: Change | undefined): boolean {
  if (mark === '') return first === undefined || first.seq === 1;
  return first !== undefined && positionOf(first).mark === mark;
}

function* fetchChanged(source: Dialect, changes: readonly Change[]): SqlProgram<ChangedRecords[]> {
  const types = RECORD_TYPES.filter((type) => changes.some((change) => change.type === type));
  const wanted = types.map((type) => ({
    type,
    ids: [...new Set(changes.filter((change) => change.type === type).map(({ id }) => id))],
  }));
  const rows = yield* allTogether<StoredRow>(wanted.map(({ type, ids }) => rowsOf(source, type, ids)));
  const changed: ChangedRecords[] = [];
  for (const [place, { type, ids }] of wanted.entries()) {
    const live = rows[place] ?? [];
    const liveIds = live.map(({ id }) => id);
    const links = yield* allTogether<LinkChange>(relationsOf(type).map(({ name }) => linksOf(source, name, liveIds)));
    changed.push({ type, ids, rows: live, links: links.flat() });
  }
  return changed;
}

/** In the order of ids, in which the index appends documents; in any other order it must make room for each. */
const rowsOf = ({ numbersOf }: Dialect, type: RecordType, ids: readonly number[]) => ({
  sql: `SELECT id, slug, version, document FROM ${type} WHERE deleted_at IS NULL AND id IN (${numbersOf}) ORDER BY id`,
  parameters: [JSON.stringify(ids)],
});

const linksOf = ({ numbersOf }: Dialect, relation: string, ids: readonly number[]) => ({
  sql: `SELECT ${LINK_COLUMNS.join()} FROM links WHERE relation = ? AND from_id IN (${numbersOf})`,
  parameters: [relation, JSON.stringify(ids)],
});

interface Parted<Part> {
  readonly direct: readonly Part[];
  readonly deferred: readonly Part[];
}

/** The changes of records of which every change is deferred, and the others, which their writers may search at once. */
function parted(changes: readonly Change[]): Parted<Change> {
  const keyOf = ({ type, id }: Change): string => `${type} ${id}`;
  const keys = new Set(changes.filter(({ is_deferred }) => is_deferred === 0).map(keyOf));
  return {
    direct: changes.filter((change) => keys.has(keyOf(change))),
    deferred: changes.filter((change) => !keys.has(keyOf(change))),
  };
}

/** Writes the current state of records, and updates the reference counts of records they reference. */
function apply({ runProgram, model }: IndexFile, { direct, deferred }: Parted<ChangedRecords>): void {
  runProgram(applyAll());
  function* applyAll(): SqlProgram<void> {
    const named = new Map<string, ReferenceCountChange>();
    for (const each of [...deferred, ...direct]) yield* replaceRows(each, named);
    const places = [...named.values()].filter(({ by }) => by !== 0);
    if (deferred.length > 0) yield* model.index.update({ ...indexChangesOf(deferred), named: [] }, 'deferred');
    const changes = { ...indexChangesOf(direct), named: places };
    yield* model.index.update(changes, deferred.length > 0 || changes.put.length > MERGED_MAX ? 'later' : 'now');
  }
}

function indexChangesOf(changed: readonly ChangedRecords[]) {
  const put = changed.flatMap(({ rows }) => rows.map(({ document }) => JSON.parse(document) as Document));
  const removed = changed.flatMap(({ type, ids, rows }) => {
    const live = new Set(rows.map(({ id }) => id));
    return ids.filter((id) => !live.has(id)).map((id) => ({ type, id }));
  });
  return { put, removed, recomputed: [], relinked: [] };
}

interface ReferenceCountChange {
  readonly type: RecordType;
  readonly id: number;
  by: number;
}

/** Replaces rows of records and links, adding reference count differences to `named`. */
function* replaceRows(records: ChangedRecords, named: Map<string, ReferenceCountChange>): SqlProgram<void> {
  const { type, ids, rows, links } = records;
  const list = JSON.stringify(ids);
  for (const { name } of relationsOf(type)) {
    const { sql, parameters } = linksOf(sqliteDialect, name, ids);
    for (const link of yield* all<LinkChange>(sql, ...parameters)) count(named, link, -1);
    yield* run(`DELETE FROM links WHERE relation = ? AND from_id IN (${sqliteDialect.numbersOf})`, name, list);
  }
  for (const link of links) count(named, link, 1);
  yield* run(`DELETE FROM ${type} WHERE id IN (${sqliteDialect.numbersOf})`, list);
  if (isNamedType(type)) yield* clearNames(sqliteDialect, type, ids);
  yield* insertRecords(type, rows);
  yield* insertLinks(links);
}

function count(named: Map<string, ReferenceCountChange>, { to_type: type, to_id: id }: LinkChange, by: number): void {
  if (type === null || id === null) return;
  const known = named.get(`${type} ${id}`);
  if (known === undefined) named.set(`${type} ${id}`, { type, id, by });
  else known.by += by;
}

export function* insertRecords(type: RecordType, rows: readonly StoredRow[]): SqlProgram<void> {
  const cells = rows.map(({ id, slug, version, document }) => [id, slug, version, document]);
  yield* insertRows(type, ['id', 'slug', 'version', 'document'], cells);
  if (!isNamedType(type)) return;
  const keys = rows.flatMap(({ id, document }) =>
    identityKeys(JSON.parse(document) as Document).map((key) => [type, key, id] as const),
  );
  yield* insertNames(keys);
}

export function insertLinks(links: readonly LinkChange[]): SqlProgram<void> {
  const cells = links.map((link) => LINK_COLUMNS.map((name) => link[name]));
  return insertRows('links', LINK_COLUMNS, cells);
}

export interface ChangeSource {
  readonly dialect: Dialect;
  readonly runner: Pick<Runner, 'query' | 'snapshot' | 'transactionIfFree'>;
  /** In a snapshot: delays imports until its end (see `Engine.awaitFollowers`). */
  delayImports(): SqlProgram<void>;
  /**
   * Notifies of changes, and whether a reader waits for them. Notifications may be lost.
   * @returns stops listening
   */
  listen(onChange: (isUrgent: boolean) => void): () => Promise<void>;
}
