import { RECORD_TYPES, type RecordType } from '../../contract/entities/index.ts';
import { relations } from '../../contract/relations.ts';
import type { RecordRef } from '../port/analytics.ts';
import type { Merging, Ranked, SearchedDocument, SearchIndex } from '../search/search-index.ts';
import { rankedBy, rankOf, searchedDocument } from '../search/searched-document.ts';
import { all, column, exists, number, run, runEach, type SqlProgram } from '../sql.ts';
import { LISTED, sqliteDialect } from '../sqlite/dialect.ts';
import type { Document } from './document.ts';

/** The searchable parts of documents with their current ranks. */
export function* searchedDocuments(type: RecordType, documents: readonly Document[]): SqlProgram<SearchedDocument[]> {
  const ids = documents.map(({ id }) => id);
  const counts = yield* namingCounts(type, ids);
  return documents.map((document) => searchedDocument(document, counts.get(document.id) ?? 0));
}

export function* ranksOf(type: RecordType, ids: readonly number[]): SqlProgram<Ranked[]> {
  const counts = yield* namingCounts(type, ids);
  const rows = yield* all<Document>(
    `SELECT ${['id', ...rankedBy(type).map((field) => `${sqliteDialect.field(type, field, 'text')} AS ${field}`)].join(', ')}
      FROM ${type} WHERE id IN (${LISTED}) AND deleted_at IS NULL ORDER BY id`,
    JSON.stringify(ids),
  );
  return rows.map((row) => ({ id: row.id, rank: rankOf(type, row, counts.get(row.id) ?? 0) }));
}

/** Number of references from records that are not deleted. */
function* namingCounts(type: RecordType, ids: readonly number[]): SqlProgram<Map<number, number>> {
  const rows = yield* all<{ to_id: number; naming: number }>(
    `SELECT to_id, count(*) AS naming FROM links
      WHERE to_type = ? AND to_id IN (${LISTED}) AND (${isFromLive(type)}) GROUP BY to_id`,
    type,
    JSON.stringify(ids),
  );
  return new Map(rows.map(({ to_id, naming }) => [to_id, naming]));
}

/** Deleted records keep their links; they are few and have an index. */
function isFromLive(to: RecordType): string {
  const leading = relations.filter((relation) => (relation.to as readonly RecordType[]).includes(to));
  const froms = [...new Set(leading.map(({ from }) => from))];
  const conditions = froms.map((from) => {
    const names = leading.filter((relation) => relation.from === from).map(({ name }) => `'${name}'`);
    return `relation IN (${names.join()}) AND from_id NOT IN (SELECT id FROM ${from} WHERE deleted_at IS NOT NULL)`;
  });
  return conditions.length === 0 ? '1 = 0' : conditions.join(' OR ');
}

/**
 * Why a record is pending in the index: changed during a build, deferred from a large import, or referenced by changed
 * records, so that its rank may differ. In order of precedence.
 */
type PendingReason = (typeof PENDING_REASONS)[number];
export const PENDING_REASONS = ['changed', 'deferred', 'named'] as const;

/** Whether an index build is in progress, so that changes must be recorded for it. */
export const isBuilding = (): SqlProgram<boolean> => exists("SELECT 1 FROM search_definitions WHERE name = 'build'");

/** Marks records as pending. The reasons also sort alphabetically by precedence. */
export function markPending(records: readonly RecordRef[], reason: PendingReason): SqlProgram<void> {
  const ids = RECORD_TYPES.map(
    (type) => [type, records.flatMap((record) => (record.type === type ? record.id : []))] as const,
  );
  return runEach(
    `INSERT INTO search_pending (type, id, reason) SELECT ?, value, ? FROM (${LISTED}) AS given WHERE 1 = 1
      ON CONFLICT (type, id) DO UPDATE SET reason = excluded.reason WHERE excluded.reason < search_pending.reason`,
    ids
      .filter(([, some]) => some.length > 0)
      .map(([type, some]) => [type, reason, JSON.stringify(some.sort((one, other) => one - other))]),
  );
}

/** How many records a build in progress must still apply. */
export const countChanged = (): SqlProgram<number> =>
  number("SELECT count(*) FROM search_pending WHERE reason = 'changed'");

/** Applies some records pending for a reason; false if there are none. */
export function* compactPending(fullText: SearchIndex, reason: PendingReason, most: number): SqlProgram<boolean> {
  for (const type of RECORD_TYPES) {
    const ids = yield* column<number>(
      'SELECT id FROM search_pending WHERE type = ? AND reason = ? ORDER BY id LIMIT CAST(? AS INTEGER)',
      type,
      reason,
      most,
    );
    if (ids.length === 0) continue;
    yield* reason === 'named' ? rankAgain(fullText, type, ids) : indexAgain(fullText, type, ids);
    yield* forget(type, ids);
    return true;
  }
  return false;
}

interface IdRange {
  readonly after: number;
  /** Included. */
  readonly last: number;
}

const WITHIN = 'search_pending WHERE type = ? AND id > ? AND id <= ?';

/** A build has read the records of a range, so that they are pending only if they change again. */
export const forgetPending = (type: RecordType, { after, last }: IdRange): SqlProgram<void> =>
  run(`DELETE FROM ${WITHIN}`, type, after, last);

/** Ids in a range whose documents a build must read, which are then no longer pending. */
export function* takePending(type: RecordType, range: IdRange): SqlProgram<number[]> {
  const { after, last } = range;
  const ids = yield* column<number>(`SELECT id FROM ${WITHIN} AND reason <> 'named' ORDER BY id`, type, after, last);
  yield* forgetPending(type, range);
  return ids;
}

function* indexAgain(fullText: SearchIndex, type: RecordType, ids: readonly number[]): SqlProgram<void> {
  const idsJson = JSON.stringify(ids);
  const rows = yield* all<{ id: number; document: string }>(
    `SELECT id, document FROM ${type} WHERE id IN (${LISTED}) AND deleted_at IS NULL ORDER BY id`,
    idsJson,
  );
  const documents = rows.map(({ document }) => JSON.parse(document) as Document);
  yield* putText(fullText, type, documents, 'later');
  const live = new Set(rows.map(({ id }) => id));
  const deleted = ids.filter((id) => !live.has(id));
  if (deleted.length > 0) fullText.remove(type, deleted, 'later');
}

/** Indexes records. Unless merged now, those of the same text are ranked during compaction. */
export function* putText(
  fullText: SearchIndex,
  type: RecordType,
  documents: readonly Document[],
  merging: Merging,
): SqlProgram<void> {
  const unranked = fullText.putMany(type, yield* searchedDocuments(type, documents), merging);
  if (unranked.length > 0)
    yield* markPending(
      unranked.map((id) => ({ type, id })),
      'named',
    );
}

function* rankAgain(fullText: SearchIndex, type: RecordType, ids: readonly number[]): SqlProgram<void> {
  fullText.rerank(type, yield* ranksOf(type, ids), 'later');
}

const forget = (type: RecordType, ids: readonly number[]): SqlProgram<void> =>
  run(`DELETE FROM search_pending WHERE type = ? AND id IN (${LISTED})`, type, JSON.stringify(ids));
