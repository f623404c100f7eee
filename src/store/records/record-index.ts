import { RECORD_TYPES, type RecordType } from '../../contract/entities/index.ts';
import type { Filters } from '../../contract/filters.ts';
import type { AnswerIndex } from '../answers/answer-index.ts';
import type { Author } from '../port/audit.ts';
import type { SearchPage, SearchRequest } from '../port/records.ts';
import type {
  Merging,
  Ranked,
  SearchAnswer,
  SearchedDocument,
  IndexRequest as WordRequest,
} from '../search/search-index.ts';
import type { Sentence } from '../sentences/sentence.ts';
import type { Dialect } from '../sql/dialect.ts';
import { atOnce, type SqlProgram } from '../sql/program.ts';
import type { ResolvedFilters } from './conditions.ts';
import { createCovered } from './covered.ts';
import type { Document } from './document.ts';
import { clearFacets, setFacets, setOwnFacets } from './facet-table.ts';
import { compactPending, isBuilding, notePending, PENDING_REASONS } from './pending.ts';
import { createReadings } from './readings.ts';
import { resolveGiven, searchRecords } from './record-search.ts';
import { putWords, ranksOf } from './searched.ts';

/** An engine's index of the words of records. */
export interface WordIndex {
  putMany(type: RecordType, documents: readonly SearchedDocument[], merging: Merging): SqlProgram<void>;
  remove(type: RecordType, ids: readonly number[], merging: Merging): SqlProgram<void>;
  /** Keeps records under other ranks. */
  rerank(type: RecordType, ranked: readonly Ranked[], merging: Merging): SqlProgram<void>;
  /** Does a part of what was left for later; false when nothing is left. */
  compact(): SqlProgram<boolean>;
  find(request: WordRequest<RecordType>): SqlProgram<SearchAnswer<RecordType>>;
  /** Builds the index anew beside the one that is there; see `IndexBuild`. */
  readonly build: WordBuild;
}

/** The steps of a build, each for a transaction of its own. */
interface WordBuild {
  begin(types?: readonly RecordType[]): SqlProgram<void>;
  add(type: RecordType, documents: readonly (SearchedDocument | Ranked)[]): SqlProgram<void>;
  write(): SqlProgram<boolean>;
  finish(): SqlProgram<void>;
}

/** What has changed in the records, when it is all written. */
interface RecordChanges {
  /** Records that are new or changed. */
  readonly put: readonly Document[];
  /** Other companies, changed only in what they raised, which neither is searched nor do rounds have it of their company. */
  readonly retold: readonly Document[];
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
  /**
   * Unless it is `now`, records that others name are ranked once they are settled; `deferred` has new and changed records found then
   * too.
   */
  update(changes: RecordChanges, when: Merging | 'deferred'): SqlProgram<void>;
  /**
   * The position of the changes so far in the change log, where there is one. It is kept as what the author's key has
   * written, so that its next reads can ask for it.
   */
  position(author: Author): SqlProgram<number | undefined>;
}

/** All by which records are found: the index of their words, the labels that filters ask for, and the facts that are counted. It is a function of the records. */
export interface RecordIndex extends RecordIndexing {
  /** Does a part of what was left for later; false when nothing is left. */
  compact(): SqlProgram<boolean>;
  /** Looks up what the values of filters mean. Throws `invalid_parameter` for one that means nothing. */
  resolve(types: readonly RecordType[], given: Filters): SqlProgram<ResolvedFilters>;
  /**
   * Within one moment: a record that goes in between must not leave a gap in the answer.
   * @param sentence gives the text as a sentence, where it may be one
   */
  find(request: SearchRequest, sentence?: () => Sentence): SqlProgram<SearchPage>;
}

/** Records looked at in one transaction: other writers wait meanwhile. */
const SETTLED = 400;

export function createRecordIndex(dialect: Dialect, words: WordIndex, answers: AnswerIndex): RecordIndex {
  const searcher = { dialect, words, covered: createCovered(dialect), readings: createReadings(dialect) };
  const resolve: RecordIndex['resolve'] = (types, given) => resolveGiven({ dialect, words }, types, given);
  return {
    resolve,
    update: function* update({ put, retold, removed, named }, when) {
      const isDeferred = when === 'deferred';
      const merging = when === 'now' ? 'now' : 'later';
      const changed = put as readonly Document[] as readonly SearchedPlace[];
      if (yield* isBuilding())
        yield* notePending(dialect, isDeferred ? removed : [...changed, ...named, ...removed], 'changed');
      if (isDeferred) yield* notePending(dialect, changed, 'deferred');
      // A batch of an import names what the next one names again.
      if (when !== 'now') yield* notePending(dialect, named, 'named');
      for (const type of RECORD_TYPES) {
        const documents = put.filter((document) => document.type === type);
        if (documents.length > 0) yield* setFacets(dialect, type, documents);
        const gone = idsOf(type, removed);
        if (gone.length > 0) yield* words.remove(type, gone, merging);
        for (const id of gone) yield* clearFacets(dialect, type, id);
        if (documents.length > 0 && !isDeferred) yield* putWords({ dialect, words }, { type, documents, merging });
        if (when !== 'now') continue;
        const done = new Set([...documents.map(({ id }) => id), ...gone]);
        const ids = idsOf(type, named).filter((id) => !done.has(id));
        if (ids.length > 0) yield* words.rerank(type, yield* ranksOf(dialect, type, ids), merging);
      }
      yield* setOwnFacets(dialect, 'companies', retold);
      yield* answers.putAll([...put, ...retold]);
      for (const { type, id } of removed) yield* answers.remove(type, id);
    },
    compact: function* compact() {
      // What changes while an index is built is for that one.
      const reasons = (yield* isBuilding()) ? [] : PENDING_REASONS;
      for (const reason of reasons) if (yield* compactPending({ dialect, words }, reason, SETTLED)) return true;
      return yield* words.compact();
    },
    position: () => atOnce(() => undefined),
    find: (request, sentence) => searchRecords(searcher, request, sentence),
  };
}

const idsOf = (type: RecordType, places: readonly SearchedPlace[]): number[] =>
  places.filter((place) => place.type === type).map(({ id }) => id);
