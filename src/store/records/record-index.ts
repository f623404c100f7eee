import { RECORD_TYPES, type RecordType } from '../../contract/entities/index.ts';
import { nearestValues } from '../../contract/facets.ts';
import type { FilterName, Filters } from '../../contract/filters.ts';
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
import type { Dialect } from '../sql/dialect.ts';
import { allTogether, atOnce, type Steps } from '../sql/steps.ts';
import { conditionOf, type ResolvedFilters, unknownCondition } from './conditions.ts';
import { coveredUntil } from './covered.ts';
import type { Document } from './document.ts';
import { clearLabels, setLabels } from './label-table.ts';
import { isBuilding, notePending, REASONS, settlePending } from './pending.ts';
import { resolveFilters } from './resolve-filters.ts';
import { putWords, ranksOf } from './searched.ts';
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
  /** Builds the index anew beside the one that is there, for an engine that can; see `IndexBuild`. */
  readonly build?: WordBuild;
}

/** The steps of a build, each for a transaction of its own. */
interface WordBuild {
  begin(): Steps<void>;
  add(type: RecordType, documents: readonly SearchedDocument[]): Steps<void>;
  write(): Steps<boolean>;
  finish(): Steps<void>;
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
  /** `deferred` has new and changed records found once they are settled, where the engine can build an index. */
  update(changes: RecordChanges, when: Merging | 'deferred'): Steps<void>;
  /**
   * The position of the changes so far in the change log, where there is one. It is kept as what the author's key has
   * written, so that its next reads can ask for it.
   */
  position(author: Author): Steps<number | undefined>;
}

/** All by which records are found: the index of their words, the labels that filters ask for, and the facts that are counted. It is a function of the records. */
export interface RecordIndex extends RecordIndexing {
  /** Does a part of what was left for later; false when nothing is left. */
  settle(): Steps<boolean>;
  /** Looks up what the values of filters mean. Throws `invalid_parameter` for one that means nothing. */
  resolve(types: readonly RecordType[], given: Filters): Steps<ResolvedFilters>;
  /** Within one moment: a record that goes in between must not leave a gap in the answer. */
  find(request: SearchRequest): Steps<Found>;
}

/** Records looked at in one transaction: other writers wait meanwhile. */
const SETTLED = 400;
/** More than any type can hold. */
const ALL = 2 ** 31;

export function createRecordIndex(dialect: Dialect, words: WordIndex, answers: AnswerIndex): RecordIndex {
  const nearest = (all: readonly RecordType[], name: string) => namesLike({ dialect, words }, all, name);
  const resolve: RecordIndex['resolve'] = (types, given) => resolveFilters(dialect, { types, given, nearest });
  return {
    resolve,
    update: function* update({ put, removed, named }, when) {
      const isDeferred = when === 'deferred' && words.build !== undefined;
      const merging = when === 'now' ? 'now' : 'later';
      const pending: readonly SearchedPlace[] = [...(put as readonly Document[] as readonly SearchedPlace[]), ...named];
      if (words.build && (yield* isBuilding()))
        yield* notePending(isDeferred ? removed : [...pending, ...removed], 'changed');
      if (isDeferred) yield* notePending(pending, 'deferred');
      for (const type of RECORD_TYPES) {
        const documents = put.filter((document) => document.type === type);
        if (documents.length > 0) yield* setLabels(dialect, type, documents);
        for (const id of idsOf(type, removed)) {
          yield* words.remove(type, id);
          yield* clearLabels(dialect, type, id);
        }
        if (isDeferred) continue;
        if (documents.length > 0) yield* putWords({ dialect, words }, { type, documents, merging });
        const done = new Set([...documents.map(({ id }) => id), ...idsOf(type, removed)]);
        const ids = idsOf(type, named).filter((id) => !done.has(id));
        if (ids.length > 0 && words.rerank) yield* words.rerank(type, yield* ranksOf(dialect, type, ids), merging);
      }
      yield* answers.putAll(put);
      for (const { type, id } of removed) yield* answers.remove(type, id);
    },
    settle: function* settle() {
      // What changes while an index is built is for that one.
      const reasons = words.build && !(yield* isBuilding()) ? REASONS : [];
      for (const reason of reasons) if (yield* settlePending({ dialect, words }, reason, SETTLED)) return true;
      return yield* words.settle();
    },
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
