import type { RecordType } from '../../contract/entities/index.ts';
import { relations } from '../../contract/relations.ts';
import type { Merging, Ranked, SearchedDocument } from '../search/search-index.ts';
import { rankedBy, rankOf, searchedDocument } from '../search/searched-document.ts';
import type { Dialect } from '../sql/dialect.ts';
import { all, type SqlProgram } from '../sql/program.ts';
import type { Document } from './document.ts';
import type { FullTextIndex } from './record-index.ts';

/** Indexes documents, whose facets are stored already. */
export function* indexDocuments(
  { dialect, fullText }: { readonly dialect: Dialect; readonly fullText: FullTextIndex },
  { type, documents, merging }: { type: RecordType; documents: readonly Document[]; merging: Merging },
): SqlProgram<void> {
  yield* fullText.putMany(type, yield* searchedDocuments(dialect, type, documents), merging);
}

/** The searchable parts of documents with their current ranks. */
export function* searchedDocuments(
  dialect: Dialect,
  type: RecordType,
  documents: readonly Document[],
): SqlProgram<SearchedDocument[]> {
  const ids = documents.map(({ id }) => id);
  const counts = yield* namingCounts(dialect, type, ids);
  return documents.map((document) => searchedDocument(document, counts.get(document.id) ?? 0));
}

export function* ranksOf(dialect: Dialect, type: RecordType, ids: readonly number[]): SqlProgram<Ranked[]> {
  const counts = yield* namingCounts(dialect, type, ids);
  const rows = yield* all<Document>(
    `SELECT ${['id', ...rankedBy(type).map((field) => `${dialect.field(type, field, 'text')} AS ${field}`)].join(', ')}
      FROM ${type} WHERE id IN (${dialect.numbersOf}) AND deleted_at IS NULL ORDER BY id`,
    JSON.stringify(ids),
  );
  return rows.map((row) => ({ id: row.id, rank: rankOf(type, row, counts.get(row.id) ?? 0) }));
}

/** Number of references from records that are not deleted. */
function* namingCounts(
  { numbersOf }: Dialect,
  type: RecordType,
  ids: readonly number[],
): SqlProgram<Map<number, number>> {
  const rows = yield* all<{ to_id: number; naming: number }>(
    `SELECT to_id, count(*) AS naming FROM links
      WHERE to_type = ? AND to_id IN (${numbersOf}) AND (${isFromLive(type)}) GROUP BY to_id`,
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
