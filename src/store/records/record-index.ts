import { SEARCHED_TYPES, type SearchedType } from '../../contract/entities/index.ts';
import type { Found, SearchRequest } from '../port/records.ts';
import type { Merging, SearchAnswer, SearchedDocument, SearchRequest as WordRequest } from '../search/search-index.ts';
import { searchedDocument } from '../search/searched-document.ts';
import type { Dialect } from '../sql/dialect.ts';
import { all, allTogether, type Steps } from '../sql/steps.ts';
import { conditionOf } from './conditions.ts';
import type { Document } from './document.ts';
import { clearLabels, setLabels } from './label-table.ts';
import { sortedHits } from './sorted.ts';

/** An engine's index of the words of records. */
export interface WordIndex {
  putMany(type: SearchedType, documents: readonly SearchedDocument[], merging: Merging): Steps<void>;
  remove(type: SearchedType, id: number): Steps<void>;
  /** Does a part of what was left for later; false when nothing is left. */
  settle(): Steps<boolean>;
  find(request: WordRequest<SearchedType>): Steps<SearchAnswer<SearchedType>>;
}

/** All by which records are found: the index of their words and the labels that filters ask for. */
export interface RecordIndex {
  /** Keeps what is to be found of these documents, new or changed. */
  putAll(documents: readonly Document[], merging: Merging): Steps<void>;
  remove(type: SearchedType, id: number): Steps<void>;
  /** Does a part of what was left for later; false when nothing is left. */
  settle(): Steps<boolean>;
  /** Within one moment: a record that goes in between must not leave a gap in the answer. */
  find(request: SearchRequest): Steps<Found>;
}

/** More than any type can hold. */
const ALL = 2 ** 31;

export function createRecordIndex(dialect: Dialect, words: WordIndex): RecordIndex {
  return {
    putAll: function* putAll(documents, merging) {
      for (const type of SEARCHED_TYPES) {
        const some = documents.filter((document) => document.type === type);
        if (some.length === 0) continue;
        yield* putWords({ dialect, words }, { type, documents: some, merging });
        yield* setLabels(dialect, type, some);
      }
    },
    remove: function* remove(type, id) {
      yield* words.remove(type, id);
      yield* clearLabels(type, id);
    },
    settle: words.settle,
    find: function* find(request) {
      const { types, text, filters = {}, sort, window, isDivided } = request;
      const isListed = text.trim() === '';
      const where = (type: SearchedType) => conditionOf(dialect, type, filters);
      const part = sort === undefined ? window : { offset: 0, limit: isListed ? 0 : ALL };
      const { totals, hits } = yield* words.find({ types, text, where, ...part, isDivided });
      const shown = sort === undefined ? hits : yield* inOrder(dialect, request, hits);
      return {
        results: yield* documentsOf(dialect, shown),
        total: types.reduce((sum, type) => sum + totals[type], 0),
        totals,
      };
    },
  };
}

/** Documents of one type whose words are put in. */
interface WordsRequest {
  readonly type: SearchedType;
  readonly documents: readonly Document[];
  readonly merging: Merging;
}

/** Keeps the words of documents, whose labels are there. */
export function* putWords(
  { dialect, words }: { readonly dialect: Dialect; readonly words: WordIndex },
  { type, documents, merging }: WordsRequest,
): Steps<void> {
  yield* words.putMany(type, yield* searchedDocuments(dialect, type, documents), merging);
}

interface Hit {
  readonly type: SearchedType;
  readonly id: number;
}

/** The window of the records that match, in the order of a field. */
function* inOrder(dialect: Dialect, request: SearchRequest, hits: readonly Hit[]): Steps<readonly Hit[]> {
  const { types, text, filters = {}, sort, window } = request;
  if (sort === undefined) return hits;
  const idsOf = (type: SearchedType) => hits.filter((hit) => hit.type === type).map(({ id }) => id);
  const among = text.trim() === '' ? undefined : new Map(types.map((type) => [type, idsOf(type)]));
  const end = window.offset + window.limit;
  return (yield* sortedHits(dialect, { types, filters, sort, among, first: end })).slice(window.offset, end);
}

function* searchedDocuments(
  dialect: Dialect,
  type: SearchedType,
  documents: readonly Document[],
): Steps<SearchedDocument[]> {
  const rows = yield* all<{ to_id: number; naming: number }>(
    `SELECT to_id, count(*) AS naming FROM links WHERE to_type = ? AND to_id IN (${dialect.numbersOf}) GROUP BY to_id`,
    type,
    JSON.stringify(documents.map(({ id }) => id)),
  );
  const counts = new Map(rows.map(({ to_id, naming }) => [to_id, naming]));
  return documents.map((document) => searchedDocument(document, counts.get(document.id) ?? 0));
}

function* documentsOf({ numbersOf }: Dialect, hits: readonly Hit[]): Steps<string[]> {
  const types = SEARCHED_TYPES.filter((type) => hits.some((hit) => hit.type === type));
  const rows = yield* allTogether<{ id: number; document: string }>(
    types.map((type) => ({
      sql: `SELECT id, document FROM ${type} WHERE id IN (${numbersOf})`,
      parameters: [JSON.stringify(hits.filter((hit) => hit.type === type).map(({ id }) => id))],
    })),
  );
  const documents = new Map(
    types.flatMap((type, index) => (rows[index] ?? []).map(({ id, document }) => [`${type} ${id}`, document])),
  );
  return hits.map(({ type, id }) => {
    const document = documents.get(`${type} ${id}`);
    if (document === undefined) throw new Error(`The index holds ${type} ${id}, which is not there`);
    return document;
  });
}
