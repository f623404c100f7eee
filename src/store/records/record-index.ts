import { RECORD_TYPES, type RecordType } from '../../contract/entities/index.ts';
import type { Filters } from '../../contract/filters.ts';
import type { Vocabulary } from '../../contract/vocabulary-response.ts';
import type { RecordRef } from '../port/analytics.ts';
import type { Author } from '../port/audit.ts';
import type { SearchPage, SearchRequest } from '../port/records.ts';
import type { Merging, SearchIndex } from '../search/search-index.ts';
import type { LazySentence } from '../sentences/sentence.ts';
import { atOnce, type SqlProgram } from '../sql.ts';
import { type AnalyticsIndex, createAnalyticsIndex } from '../sqlite/analytics/analytics-index.ts';
import type { Sqlite } from '../sqlite/driver.ts';
import { createSearchIndex } from '../sqlite/search/sqlite-search-index.ts';
import type { ResolvedFilters } from './conditions.ts';
import type { Document } from './document.ts';
import { clearFacets, setFacets, setOwnFacets } from './facets.ts';
import { compactPending, isBuilding, markPending, PENDING_REASONS, putText, ranksOf } from './pending-indexing.ts';
import { createRecordSearch } from './record-search.ts';
import { resolveFilters } from './resolve-filters.ts';
import { createOnRecord, type OnRecord } from './sample-count.ts';
import { createVocabulary } from './vocabulary.ts';

/** Read access to the read model. It may lag behind writes, and every read is of one snapshot. */
export interface ReadModel {
  /**
   * Runs a program in one snapshot.
   * @param atLeast change-log position that the snapshot must include, if the model follows a log; by default the newest at
   *   the time of the call
   * @throws ServiceError `unavailable` if the model does not reach the position in time
   */
  read<Result>(program: (model: SearchModel) => SqlProgram<Result>, atLeast?: number): Promise<Result>;
}

export type SearchModel = ReturnType<typeof createSearchModel>;

export function createSearchModel(database: Sqlite) {
  const fullText = createSearchIndex(database);
  const analytics = createAnalyticsIndex(fullText);
  return { fullText, analytics, index: createRecordIndex(fullText, analytics) };
}

/** Changes of records in a transaction, after they are written. */
interface RecordChanges {
  readonly put: readonly Document[];
  /** Other records with changes in computed fields only, which are neither searched nor inherited by rounds. */
  readonly recomputed: readonly Document[];
  /** Deleted records, softly or permanently. */
  readonly removed: readonly RecordRef[];
  /** Records whose number of references, and so rank, may have changed. */
  readonly named: readonly RecordRef[];
  /** Records with changed links and unchanged documents. */
  readonly relinked: readonly RecordRef[];
}

/** Maintains a read model in the transaction of the change. */
export interface RecordIndexing {
  /**
   * Applies changes. Unless `now`, referenced records are ranked during compaction; with `deferred`, new and changed
   * records are searchable only after compaction; removed ones are gone at once.
   */
  update(changes: RecordChanges, when: Merging): SqlProgram<void>;
  /** Change-log position of the changes, if there is a log. Stored as the key's last write, which its reads must include. */
  position(author: Author): SqlProgram<number | undefined>;
}

/** The complete read model: search index, facets and facts. A function of the records. */
export interface RecordIndex extends RecordIndexing {
  /** Does a part of the deferred work. False if nothing is left. */
  compact(): SqlProgram<boolean>;
  /**
   * Resolves filter values.
   * @throws ServiceError `invalid_parameter` for one that matches nothing
   */
  resolve(types: readonly RecordType[], given: Filters): SqlProgram<ResolvedFilters>;
  /**
   * Runs a search. Requires a snapshot, because a record deleted in between would leave a gap.
   * @param sentence the text as a sentence, if it may be one
   * @param rowsMax bound of the rows that it reads besides posting lists; by default none
   * @throws LongSearch if it would read more
   */
  find(request: SearchRequest, sentence?: LazySentence, rowsMax?: number): SqlProgram<SearchPage>;
  readonly onRecord: OnRecord;
  /** Filter values and coverage: the same object until a record changes. */
  vocabulary(): SqlProgram<Vocabulary>;
}

/** Records per compaction transaction, to bound the time that other writers wait. */
const SETTLED = 400;

function createRecordIndex(fullText: SearchIndex, analytics: AnalyticsIndex): RecordIndex {
  const onRecord = createOnRecord(fullText);
  const find = createRecordSearch(fullText, onRecord);
  return {
    resolve: (types, given) => resolveFilters(fullText, types, given),
    *update({ put, recomputed, removed, named }, when) {
      const isDeferred = when === 'deferred';
      const changed = put as readonly Document[] as readonly RecordRef[];
      fullText.touch();
      if (yield* isBuilding())
        yield* markPending([...(isDeferred ? [] : changed), ...(when === 'now' ? named : []), ...removed], 'changed');
      if (isDeferred) yield* markPending(changed, 'deferred');
      // Successive batches of an import reference the same records.
      if (when !== 'now') yield* markPending(named, 'named');
      for (const type of RECORD_TYPES) {
        const documents = put.filter((document) => document.type === type);
        if (documents.length > 0) yield* setFacets(type, documents);
        const others = recomputed.filter((document) => document.type === type);
        yield* setOwnFacets(type, others);
        const removedIds = idsOf(type, removed);
        if (removedIds.length > 0) fullText.remove(type, removedIds, when);
        yield* clearFacets(type, removedIds);
        if (documents.length > 0 && !isDeferred) yield* putText(fullText, type, documents, when);
        if (when !== 'now') continue;
        const done = new Set([...documents.map(({ id }) => id), ...removedIds]);
        const ids = idsOf(type, named).filter((id) => !done.has(id));
        if (ids.length > 0) fullText.rerank(type, yield* ranksOf(type, ids), when);
      }
      yield* analytics.putAll([...put, ...recomputed]);
      yield* analytics.removeAll(removed);
    },
    *compact() {
      // Changes during a build are applied by the build.
      const reasons = (yield* isBuilding()) ? [] : PENDING_REASONS;
      for (const reason of reasons) if (yield* compactPending(fullText, reason, SETTLED)) return true;
      return fullText.compact();
    },
    position: () => atOnce(() => undefined),
    find,
    onRecord,
    vocabulary: createVocabulary(fullText),
  };
}

const idsOf = (type: RecordType, records: readonly RecordRef[]): number[] =>
  records.filter((record) => record.type === type).map(({ id }) => id);
