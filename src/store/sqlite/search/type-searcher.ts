import type { Database, Statement } from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import { cached, createCache } from '../../cached.ts';
import { KEY, type Matches, parseSizes, type RankedDocuments } from '../../search/matches.ts';
import {
  createNameMatcher,
  DOCUMENTS_PER_KEY_MAX,
  type KeyLookup,
  type KeyRow,
  NAME_PREFIX_MATCHES_MAX,
} from '../../search/name-matcher.ts';
import type { RecordCondition, SortOrder } from '../../search/search-index.ts';
import { createSearcher, type Searcher } from '../../search/searcher.ts';
import { isIn, membersOf } from '../bitmaps.ts';
import { createConditionSets } from './condition-sets.ts';
import type { SetTools } from './dense-matches.ts';
import { createPostingsTable, SIZES_TABLE, searchTables } from './postings-table.ts';
import type { RowBudget } from './row-budget.ts';
import { createSetEvaluator } from './set-expression.ts';
import { countBits, hasBit, type Layout, layoutOf, setOfDocIds } from './sets.ts';
import { createSorter, type Selection } from './sorted-records.ts';
import { createRuns, withRuns } from './sorted-run.ts';
import { matchesOf } from './term-matching.ts';
import { createPostingsReader, type PostingsCache } from './term-postings.ts';
import { createWeightedPostingsReader } from './weighted-postings.ts';

/** Cached record ids, about 1 MB. */
const IDS_MAX = 8_192;
/** Cached keys; a key has at most `DOCUMENTS_PER_KEY_MAX` documents. */
const KEYS_MAX = 2_048;

export type TypeSearcher = ReturnType<typeof createTypeSearcher>;

export function createTypeSearcher(
  database: Database,
  type: string,
  { postingsCache, budget }: { readonly postingsCache: PostingsCache; readonly budget: RowBudget },
) {
  const tables = searchTables(type);
  const runs = createRuns(database, tables.lists);
  const terms = createPostingsReader(withRuns(createPostingsTable(database, tables.lists), runs), postingsCache);
  const tools: SetTools = { reader: createWeightedPostingsReader(terms), evaluator: createSetEvaluator() };
  const keys = createKeyLookup(database, type);
  const nameMatcher = createNameMatcher(keys);
  const conditions: ConditionFilter = createConditionFilter(database, type, budget);
  const ids = createIds(database, tables.documents);
  const sort = createSorter(database, type, budget);
  const sizes = database.prepare<[string], { documents: number; steps: string }>(
    `SELECT documents, steps FROM ${SIZES_TABLE} WHERE type = ?`,
  );
  let state: State | undefined;

  /** Reloaded when the index changed: by us, another process, or a rollback. */
  const readState = (epoch: number | undefined): State => {
    if (state !== undefined && state.epoch === epoch) return state;
    const { documents, steps } = parseSizes(sizes.get(type));
    state = { epoch, documents, layout: layoutOf(steps) };
    runs.refresh();
    terms.clear();
    keys.clear();
    ids.clear();
    conditions.clear();
    return state;
  };

  const under = (
    condition: RecordCondition | undefined,
    epoch: number | undefined,
    namedIds: readonly number[] = [],
  ): Searcher => {
    const { documents, layout } = readState(epoch);
    const filter = condition && ((matching: Uint32Array) => conditions.keep(matching, condition));
    return createSearcher({
      terms,
      nameMatcher,
      named: namedIds.length === 0 ? [] : conditions.docIdsOf(namedIds),
      documents: () => documents,
      match: (termMatches, nameMatches) => matchesOf(tools, { termMatches, nameMatches, documents, layout, filter }),
    });
  };

  return {
    /** The searcher under a condition on the type's table, for an index epoch; `namedIds` match as by their name. */
    under,
    /** Every record, in static order. */
    everything(condition: RecordCondition | undefined, epoch: number | undefined): RankedDocuments {
      return conditions.everything(condition, readState(epoch).documents);
    },
    /** The first records by a field, and the number of all: matches of a text, or what satisfies a condition, indexed or not. */
    sorted({ matches, condition, ...request }: SortedMatches, epoch: number | undefined) {
      const { documents: size, layout } = readState(epoch);
      const selection = matches
        ? conditions.selectDocuments(matches.docIds(), layout)
        : condition && conditions.select(condition);
      const total = selection?.total ?? size + conditions.countUnindexed();
      return { total, records: sort({ ...request, selection, size }) };
    },
    idOf: ids.of,
  };
}

/** Maps document ids to record ids, cached because top-ranked records recur on most pages. */
function createIds(database: Database, documents: string): { of(docId: number): number; clear(): void } {
  const find = database.prepare<[number], number>(`SELECT id FROM ${documents} WHERE ordinal = ?`).pluck();
  const known = createCache<number, number>(IDS_MAX);
  const idOf = (docId: number): number => find.get(docId) ?? 0;
  return { of: (docId) => cached(known, docId, idOf), clear: () => known.clear() };
}

interface SortedMatches {
  /** Undefined for a list. */
  readonly matches: Matches | undefined;
  readonly condition: RecordCondition | undefined;
  readonly order: SortOrder;
  readonly end: number;
}

interface State {
  epoch: number | undefined;
  documents: number;
  layout: Layout;
}

/** Looks up names, cached because the same names and words are asked for again and again. */
function createKeyLookup(database: Database, type: string): KeyLookup & { clear(): void } {
  const { keys } = searchTables(type);
  const equal = database.prepare<[string], KeyRow>(
    `SELECT ordinal AS docId, kind FROM ${keys} WHERE key = ? LIMIT ${DOCUMENTS_PER_KEY_MAX}`,
  );
  const between = database
    // As one row, because many small rows cost more to fetch than to find.
    .prepare<[string, string], string>(
      `SELECT json_group_array(ordinal) FROM (
        SELECT ordinal FROM ${keys} WHERE key > ? AND key < ? AND kind <= ${KEY.alias} LIMIT ${NAME_PREFIX_MATCHES_MAX + 1}
      )`,
    )
    .pluck();
  const knownEqual = createCache<string, readonly KeyRow[]>(KEYS_MAX);
  const knownBetween = createCache<string, readonly number[]>(KEYS_MAX);
  return {
    equal: (key) => cached(knownEqual, key, () => equal.all(key)),
    between: (after, before) =>
      cached(knownBetween, `${after}\0${before}`, () => JSON.parse(between.get(after, before) ?? '[]') as number[]),
    clear() {
      knownEqual.clear();
      knownBetween.clear();
    },
  };
}

/** Up to this many records are tested one by one; beyond, the sets of the condition are read. */
const TESTED_MAX = 2_000;
const STATEMENTS_MAX = 32;
const EVERYTHING_SCORE = 0;
const NO_LIMIT = -1;
const NO_ID = 0;

/** Applies conditions on the type's table to document ids. */
type ConditionFilter = ReturnType<typeof createConditionFilter>;

function createConditionFilter(database: Database, type: string, budget: RowBudget) {
  const { documents } = searchTables(type);
  const statements = new LRUCache<string, Statement<unknown[], number>>({ max: STATEMENTS_MAX });
  const prepare = (sql: string) => cached(statements, sql, () => database.prepare<unknown[], number>(sql).pluck());
  const sets = createConditionSets(database, type, budget);
  const inOrder = database
    .prepare<[], [id: number, docId: number]>(`SELECT id, ordinal FROM ${documents} ORDER BY ordinal`)
    .raw();

  const page = 'ORDER BY ordinal LIMIT CAST(? AS INTEGER) OFFSET CAST(? AS INTEGER)';
  const pageOfAll = `SELECT ordinal FROM ${documents} ${page}`;
  const pageOfFew = `SELECT ordinal FROM ${documents} WHERE id IN (SELECT value FROM json_each(?)) ${page}`;

  // Outer, so that the ids stand at the places of the documents.
  const idsOfDocuments = database
    .prepare<[string], string>(
      `SELECT json_group_array(document.id) FROM json_each(?) AS given LEFT JOIN ${documents} AS document ON document.ordinal = given.value`,
    )
    .pluck();

  function docIdsOf(ids: readonly number[], limit: number = NO_LIMIT, offset: number = 0): number[] {
    budget.take(ids.length);
    return prepare(pageOfFew).all(JSON.stringify(ids), limit, offset);
  }

  function recordIdsOf(docIds: Uint32Array): number[] {
    budget.take(docIds.length);
    return JSON.parse(idsOfDocuments.get(`[${docIds.join()}]`) ?? '[]') as number[];
  }

  /** Document ids of a page of records, which are tested in order until the page is full. */
  function pageOfMany(records: Uint32Array, offset: number, limit: number): number[] {
    const found: number[] = [];
    let passed = 0;
    for (const [id, docId] of inOrder.iterate()) {
      budget.take(1);
      if (!isIn(records, id) || passed++ < offset) continue;
      if (found.push(docId) === limit) break;
    }
    return found;
  }

  return {
    /** Document ids whose records satisfy the condition, in order. */
    keep(docIds: Uint32Array, condition: RecordCondition): Uint32Array {
      if (docIds.length <= TESTED_MAX) {
        // Column names in the condition resolve to the type's table first, as in a plain SELECT. The unary + stops SQLite
        // from enumerating the whole condition for each tested record.
        const sql = `SELECT document.ordinal FROM json_each(?) AS given CROSS JOIN ${documents} AS document ON document.ordinal = given.value
          WHERE EXISTS (SELECT 1 FROM ${type} WHERE ${type}.id = +document.id AND (${condition.sql}))`;
        return Uint32Array.from(prepare(sql).all(`[${docIds.join()}]`, ...condition.parameters));
      }
      const records = sets.indexed(condition);
      if (countBits(records) < docIds.length) return common(docIds, Uint32Array.from(docIdsOf(membersOf(records))));
      const ids = recordIdsOf(docIds);
      return docIds.filter((_, index) => isIn(records, ids[index] ?? NO_ID));
    },
    selectDocuments(docIds: Uint32Array, layout: Layout): Selection {
      const set = setOfDocIds(docIds);
      const has = (_id: number, docId: number): boolean => docId >= 0 && hasBit(set, layout, docId);
      return { total: docIds.length, ids: () => recordIdsOf(docIds), has };
    },
    /** Document ids of records, in order. */
    docIdsOf: (ids: readonly number[]): number[] => docIdsOf(ids),
    /** All records that satisfy the condition, of so many in the index, in static order. */
    everything(condition: RecordCondition | undefined, size: number): RankedDocuments {
      const records = condition && sets.indexed(condition);
      const total = records === undefined ? size : countBits(records);
      const pageOf = (offset: number, limit: number): number[] => {
        if (limit === 0 || offset >= total) return [];
        if (records === undefined) return prepare(pageOfAll).all(limit, offset);
        // To look up all n of N records reads n; to test them in order until a page is full reads about its end × N / n.
        const isNarrow = total ** 2 <= (offset + limit) * size;
        if (!isNarrow) return pageOfMany(records, offset, limit);
        return docIdsOf(membersOf(records), limit, offset);
      };
      return {
        total,
        page: (offset, limit) => pageOf(offset, limit).map((docId) => ({ docId, score: EVERYTHING_SCORE })),
      };
    },
    /** The records that satisfy a condition, whether indexed or not. */
    select(condition: RecordCondition): Selection {
      const records = sets.all(condition);
      return { total: countBits(records), ids: () => membersOf(records), has: (id) => isIn(records, id) };
    },
    countUnindexed: sets.countUnindexed,
    clear: () => sets.clear(),
  };
}

function common(one: Uint32Array, other: Uint32Array): Uint32Array {
  const kept = new Uint32Array(one.length);
  let length = 0;
  let place = 0;
  for (const docId of one) {
    while (place < other.length && other[place] < docId) place++;
    if (other[place] === docId) kept[length++] = docId;
  }
  return kept.subarray(0, length);
}
