import { RECORD_TYPES, type RecordType } from '../../contract/entities/index.ts';
import { nearestValues } from '../../contract/facets.ts';
import type { FilterName, Filters } from '../../contract/filters.ts';
import { relations } from '../../contract/relations.ts';
import { type Sort, usualSort } from '../../contract/sorts.ts';
import type { AnswerIndex } from '../answers/answer-index.ts';
import type { Author } from '../port/audit.ts';
import type { Found, SearchRequest } from '../port/records.ts';
import type {
  Merging,
  Ranked,
  SearchAnswer,
  SearchedDocument,
  SearchRequest as WordRequest,
} from '../search/search-index.ts';
import { knownBy, rankOf, searchedDocument } from '../search/searched-document.ts';
import type { Dialect } from '../sql/dialect.ts';
import { all, allTogether, atOnce, type Steps } from '../sql/steps.ts';
import { conditionOf, type ResolvedFilters, unknownCondition } from './conditions.ts';
import { coveredUntil } from './covered.ts';
import type { Document } from './document.ts';
import { clearLabels, setLabels } from './label-table.ts';
import { resolveFilters } from './resolve-filters.ts';
import { sortedHits } from './sorted.ts';

/** An engine's index of the words of records. */
export interface WordIndex {
  putMany(type: RecordType, documents: readonly SearchedDocument[], merging: Merging): Steps<void>;
  remove(type: RecordType, id: number): Steps<void>;
  /** Keeps records under other ranks; an engine without it ranks a record when it is put. */
  rerank?(type: RecordType, ranked: readonly Ranked[], merging: Merging): Steps<void>;
  /** Does a part of what was left for later; false when nothing is left. */
  settle(): Steps<boolean>;
  find(request: WordRequest<RecordType>): Steps<SearchAnswer<RecordType>>;
}

/** What has changed in the records, when it is all written. */
interface RecordChanges {
  /** Records that are new or changed. */
  readonly put: readonly Document[];
  /** Records that are deleted, for now or for good. */
  readonly removed: readonly SearchedPlace[];
  /** Records that another number of records may name now, by which they rank. */
  readonly named: readonly SearchedPlace[];
  /** Records whose documents are as before, and whose links are not. */
  readonly relinked: readonly SearchedPlace[];
}

/** A searched record by its type and number. */
export interface SearchedPlace {
  readonly type: RecordType;
  readonly id: number;
}

/** Keeps a read model of the records up to date, within the transaction that changes them. */
export interface RecordIndexing {
  update(changes: RecordChanges, merging: Merging): Steps<void>;
  /** Does a part of what was left for later; false when nothing is left. */
  settle(): Steps<boolean>;
  /**
   * The position of the changes so far in the change log, where there is one. It is kept as what the author's key has
   * written, so that its next reads can ask for it.
   */
  position(author: Author): Steps<number | undefined>;
}

/** All by which records are found: the index of their words, the labels that filters ask for, and the facts that are counted. It is a function of the records. */
export interface RecordIndex extends RecordIndexing {
  /** Looks up what the values of filters mean. Throws `invalid_parameter` for one that means nothing. */
  resolve(types: readonly RecordType[], given: Filters): Steps<ResolvedFilters>;
  /** Within one moment: a record that goes in between must not leave a gap in the answer. */
  find(request: SearchRequest): Steps<Found>;
}

/** More than any type can hold. */
const ALL = 2 ** 31;

export function createRecordIndex(dialect: Dialect, words: WordIndex, answers: AnswerIndex): RecordIndex {
  const nearest = (all: readonly RecordType[], name: string) => namesLike({ dialect, words }, all, name);
  const resolve: RecordIndex['resolve'] = (types, given) => resolveFilters(dialect, { types, given, nearest });
  return {
    resolve,
    update: function* update({ put, removed, named }, merging) {
      for (const type of RECORD_TYPES) {
        const documents = put.filter((document) => document.type === type);
        if (documents.length > 0) {
          yield* putWords({ dialect, words }, { type, documents, merging });
          yield* setLabels(dialect, type, documents);
        }
        for (const id of idsOf(type, removed)) {
          yield* words.remove(type, id);
          yield* clearLabels(dialect, type, id);
        }
        const done = new Set([...documents.map(({ id }) => id), ...idsOf(type, removed)]);
        const ids = idsOf(type, named).filter((id) => !done.has(id));
        if (ids.length > 0 && words.rerank) yield* words.rerank(type, yield* ranksOf(dialect, type, ids), merging);
      }
      yield* answers.putAll(put);
      for (const { type, id } of removed) yield* answers.remove(type, id);
    },
    settle: words.settle,
    position: () => atOnce(() => undefined),
    find: function* find(request) {
      const { types, text, filters: given = {}, window, isDivided } = request;
      const isListed = text.trim() === '';
      const sort = request.sort ?? (isListed ? usualSort(types) : undefined);
      const filters = yield* resolve(types, given);
      const where = (type: RecordType) => conditionOf(dialect, type, filters);
      const part = sort === undefined ? window : { offset: 0, limit: isListed ? 0 : ALL };
      const { totals, hits, reach } = yield* words.find({ types, text, where, ...part, isDivided });
      const shown = sort === undefined ? hits : yield* inOrder(dialect, { ...request, filters, sort }, hits);
      return {
        results: yield* documentsOf(dialect, shown),
        total: types.reduce((sum, type) => sum + totals[type], 0),
        totals,
        isTyped: reach === 'typed',
        unknown: yield* unknownOf({ dialect, words }, { types, text, filters }),
        covered: yield* coveredUntil(dialect, types),
      };
    },
  };
}

/** What finds records. */
interface Finder {
  readonly dialect: Dialect;
  readonly words: WordIndex;
}

/** Names looked through for the nearest. */
const NEAR_MAX = 20;

/** Names of records that are like a text. */
function* namesLike({ dialect, words }: Finder, types: readonly RecordType[], text: string): Steps<string[]> {
  const { hits } = yield* words.find({ types, text, offset: 0, limit: NEAR_MAX });
  const names = (yield* documentsOf(dialect, hits)).map((json) => (JSON.parse(json) as Document).name);
  return nearestValues(text, names);
}

interface UnknownRequest extends Pick<SearchRequest, 'types' | 'text'> {
  readonly filters: ResolvedFilters;
}

/** How many records each filter left out only because they do not say what it asks for. */
function* unknownOf({ dialect, words }: Finder, request: UnknownRequest): Steps<Found['unknown']> {
  const { types, text, filters } = request;
  const unknown: Partial<Record<FilterName, number>> = {};
  for (const each of Object.keys(filters.given)) {
    const name = each as FilterName;
    const asked = types.filter((type) => unknownCondition(dialect, type, { filters, name }) !== undefined);
    if (asked.length === 0) continue;
    const where = (type: RecordType) => unknownCondition(dialect, type, { filters, name });
    const { totals } = yield* words.find({ types: asked, text, where, offset: 0, limit: 0 });
    const count = asked.reduce((sum, type) => sum + totals[type], 0);
    if (count > 0) unknown[name] = count;
  }
  return unknown;
}

/** Documents of one type whose words are put in. */
interface WordsRequest {
  readonly type: RecordType;
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

const idsOf = (type: RecordType, places: readonly SearchedPlace[]): number[] =>
  places.filter((place) => place.type === type).map(({ id }) => id);

/** The window of the records that match, in the order of a field. */
function* inOrder(
  dialect: Dialect,
  request: Omit<SearchRequest, 'filters'> & { readonly filters: ResolvedFilters; readonly sort: Sort },
  hits: readonly SearchedPlace[],
): Steps<readonly SearchedPlace[]> {
  const { types, text, filters, sort, window } = request;
  const among = text.trim() === '' ? undefined : new Map(types.map((type) => [type, idsOf(type, hits)]));
  const end = window.offset + window.limit;
  return (yield* sortedHits(dialect, { types, filters, sort, among, first: end })).slice(window.offset, end);
}

function* searchedDocuments(
  dialect: Dialect,
  type: RecordType,
  documents: readonly Document[],
): Steps<SearchedDocument[]> {
  const ids = documents.map(({ id }) => id);
  const counts = yield* namingCounts(dialect, type, ids);
  return documents.map((document) => searchedDocument(document, counts.get(document.id) ?? 0));
}

function* ranksOf(dialect: Dialect, type: RecordType, ids: readonly number[]): Steps<Ranked[]> {
  const counts = yield* namingCounts(dialect, type, ids);
  const known = knownBy(type);
  const rows = yield* all<Document>(
    `SELECT ${['id', ...known.map((field) => `${dialect.field(type, field, 'number')} AS ${field}`)].join(', ')}
      FROM ${type} WHERE id IN (${dialect.numbersOf}) AND deleted_at IS NULL`,
    JSON.stringify(ids),
  );
  return rows.map((row) => ({ id: row.id, rank: rankOf(row, counts.get(row.id) ?? 0) }));
}

/** How many links of records that are not deleted lead to some records. */
function* namingCounts({ numbersOf }: Dialect, type: RecordType, ids: readonly number[]): Steps<Map<number, number>> {
  const rows = yield* all<{ to_id: number; naming: number }>(
    `SELECT to_id, count(*) AS naming FROM links
      WHERE to_type = ? AND to_id IN (${numbersOf}) AND (${isFromLive(type)}) GROUP BY to_id`,
    type,
    JSON.stringify(ids),
  );
  return new Map(rows.map(({ to_id, naming }) => [to_id, naming]));
}

/** A deleted record keeps its links; few are deleted, and they have an index. */
function isFromLive(to: RecordType): string {
  const leading = relations.filter((relation) => (relation.to as readonly RecordType[]).includes(to));
  const froms = [...new Set(leading.map(({ from }) => from))];
  const conditions = froms.map((from) => {
    const names = leading.filter((relation) => relation.from === from).map(({ name }) => `'${name}'`);
    return `relation IN (${names.join()}) AND from_id NOT IN (SELECT id FROM ${from} WHERE deleted_at IS NOT NULL)`;
  });
  return conditions.length === 0 ? '1 = 0' : conditions.join(' OR ');
}

function* documentsOf({ numbersOf }: Dialect, hits: readonly SearchedPlace[]): Steps<string[]> {
  const types = RECORD_TYPES.filter((type) => hits.some((hit) => hit.type === type));
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
