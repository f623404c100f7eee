import type { Database } from 'better-sqlite3';
import { RECORD_TYPES, type RecordType } from '../../../contract/entities/index.ts';
import { cached, createCache } from '../../cached.ts';
import type { QueryMatches, ScoredDocument } from '../../search/matches.ts';
import { parseQuery, TEXT_LENGTH_MAX } from '../../search/query.ts';
import type { Correction, Term } from '../../search/query-plan.ts';
import { findMatches } from '../../search/relaxations.ts';
import type {
  IndexRequest,
  IndexResult,
  Merging,
  SearchHit,
  SearchIndex,
  SortOrder,
} from '../../search/search-index.ts';
import { mapBeginning, mapWhole } from '../database.ts';
import { createIndexBuild } from './bulk-build.ts';
import { createIndexWriter, type IndexWriter } from './index-writer.ts';
import {
  DELETIONS_TABLE,
  EPOCH_TYPE,
  GRAMS_TABLE,
  INFIXES_TABLE,
  SIZES_TABLE,
  searchTables,
  TERMS_TABLE,
} from './postings-table.ts';
import { createRowBudget } from './row-budget.ts';
import { compareKeys } from './sorted-records.ts';
import { createTermDictionaryReader, type TermDictionaryReader } from './term-dictionary-reader.ts';
import { createTermDictionaryWriter } from './term-dictionary-writer.ts';
import { createPostingsCache } from './term-postings.ts';
import { createTypeSearcher, type TypeSearcher } from './type-searcher.ts';

/**
 * The search index of some types, in a migrated database.
 * @example
 * import { openDatabase } from '../database.ts';
 * import { createSearchIndex } from './sqlite-search-index.ts';
 *
 * export async function findMisspelt(): Promise<number | undefined> {
 *   const { database } = await openDatabase(':memory:');
 *   const index = createSearchIndex(database, ['companies']);
 *   const texts = { tickers: [], domain: null, handles: [], keywords: [], headline: '', overview: '', related: [] };
 *   index.putMany('companies', [{ id: 7, names: ['Acme Wallet'], slug: 'acme-wallet', rank: 0, ...texts }]);
 *   const { hits } = index.find({ types: ['companies'], text: 'acme walet', offset: 0, limit: 10 });
 *   database.close();
 *   return hits[0]?.id;
 * }
 */
export function createSearchIndex(database: Database, types: readonly RecordType[] = RECORD_TYPES): SearchIndex {
  const termWriter = createTermDictionaryWriter(database, {
    refresh: () => {
      for (const writer of writers.values()) writer.refresh();
    },
    isUsed: (term, fields) => [...writers.values()].some((writer) => writer.hasPostings(term, fields)),
  });
  const dictionary = cachedTermDictionary(createTermDictionaryReader(database));
  const writers = new Map<RecordType, IndexWriter>(
    types.map((type) => [type, createIndexWriter(database, type, termWriter)]),
  );
  const shadow = createShadowTables(database, types);
  const postingsCache = createPostingsCache();
  const budget = createRowBudget();
  const searchers = new Map<RecordType, TypeSearcher>(
    types.map((type) => [type, createTypeSearcher(database, type, { postingsCache, budget })]),
  );
  const findEpoch = database.prepare<[string], number>(`SELECT documents FROM ${SIZES_TABLE} WHERE type = ?`).pluck();
  const readEpoch = (): number | undefined => findEpoch.get(EPOCH_TYPE);
  const consistently = createSnapshot(database);
  const searcherOf = (type: RecordType): TypeSearcher => known(searchers, type);

  /** Returns the items for which `apply` is false. */
  const change = <Item>(
    { type, merging }: { readonly type: RecordType; readonly merging: Merging },
    items: Iterable<Item>,
    apply: (writer: IndexWriter, item: Item) => unknown,
  ): Item[] => {
    const writer = known(writers, type);
    writer.begin(merging);
    const left = [...items].filter((item) => apply(writer, item) === false);
    writer.flush();
    return left;
  };

  const matchesOf = (
    { types, text, where, namedIds, relaxations }: IndexRequest,
    epoch: number | undefined,
  ): QueryMatches | undefined => {
    if (text.trim() === '') return undefined;
    dictionary.begin(epoch);
    const stages = types.map((type) => searcherOf(type).under(where?.(type), epoch, namedIds));
    return findMatches(parseQuery(text.slice(0, TEXT_LENGTH_MAX)), { dictionary, searchers: stages }, relaxations);
  };

  return {
    putMany(type, documents, merging = 'now') {
      if (merging === 'later') mapBeginning(database);
      return change({ type, merging }, documents, (writer, document) => writer.put(document)).map(({ id }) => id);
    },
    rerank: (type, ranked, merging = 'now') => change({ type, merging }, ranked, (writer, one) => writer.rerank(one)),
    remove: (type, ids, merging = 'now') => change({ type, merging }, ids, (writer, id) => writer.remove(id)),
    compact() {
      termWriter.begin();
      const isLeft = [...writers.values()].some((writer) => writer.compact()) || termWriter.compact();
      // Readers cache blocks by key, and keys may have changed.
      if (isLeft) termWriter.flush('later');
      const isMore = isLeft || shadow.dropReplaced();
      if (!isMore) mapWhole(database);
      return isMore;
    },
    find: (request) =>
      consistently(() => {
        const epoch = readEpoch();
        const matched = { epoch, found: matchesOf(request, epoch), searcherOf };
        return request.order ? sortTypes(request, request.order, matched) : mergeTypes(request, matched);
      }),
    bound: budget.set,
    epoch: readEpoch,
    touch() {
      termWriter.begin();
      termWriter.flush('later');
    },
    build: createIndexBuild(database, { types, shadow }, termWriter),
  };
}

/** Runs statements in one snapshot; within a caller's transaction they are already. */
function createSnapshot(database: Database): <Result>(read: () => Result) => Result {
  const begin = database.prepare('BEGIN');
  const commit = database.prepare('COMMIT');
  return (read) => {
    if (database.inTransaction) return read();
    begin.run();
    try {
      return read();
    } finally {
      commit.run();
    }
  };
}

function known<Value>(values: Map<RecordType, Value>, type: RecordType): Value {
  const value = values.get(type);
  if (value === undefined) throw new Error(`Search has no type of this name: ${type}`);
  return value;
}

export type ShadowTables = ReturnType<typeof createShadowTables>;

function createShadowTables(database: Database, types: readonly RecordType[]) {
  const tablesOf = (some: readonly RecordType[]): string[] => some.flatMap((type) => Object.values(searchTables(type)));
  const tables = [TERMS_TABLE, DELETIONS_TABLE, GRAMS_TABLE, INFIXES_TABLE, ...tablesOf(types)];
  let created: readonly string[] = tables;
  const of = (table: string): string => `${table}_built`;
  const replaced = (table: string): string => `${table}_replaced`;
  const names = database.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck();
  const definitions = database.prepare<[string], { readonly type: 'table' | 'index'; readonly sql: string }>(
    'SELECT type, sql FROM sqlite_schema WHERE tbl_name = ? AND sql IS NOT NULL ORDER BY type DESC',
  );
  return {
    of,
    /** Recreates the tables of some types, or all including the dictionary, also after an interrupted build. */
    create(some?: readonly RecordType[]): void {
      created = some === undefined ? tables : tablesOf(some);
      // SQLite indexes keep their names when tables are renamed, so each needs a unique name.
      const stamp = Math.floor(Math.random() * Number.MAX_SAFE_INTEGER).toString(36);
      for (const table of tables) {
        database.exec(`DROP TABLE IF EXISTS ${of(table)}; DROP TABLE IF EXISTS ${replaced(table)}`);
        if (!created.includes(table)) continue;
        for (const [place, { type, sql }] of definitions.all(table).entries()) {
          const made =
            type === 'table'
              ? sql.replace(/^CREATE TABLE \S+/, `CREATE TABLE ${of(table)}`)
              : sql.replace(/INDEX \S+ ON \S+/, `INDEX ${table}_${place}_${stamp} ON ${of(table)}`);
          database.exec(made);
        }
      }
    },
    /** Swaps it with the live tables, which are kept beside it. */
    swap(): void {
      const rename = (from: string, to: string) => database.exec(`ALTER TABLE ${from} RENAME TO ${to}`);
      for (const table of created) {
        rename(table, replaced(table));
        rename(of(table), table);
      }
    },
    /** Drops one replaced table, which takes time proportional to its size. False if none is left. */
    dropReplaced(): boolean {
      const there = new Set(names.all());
      const left = tables.map(replaced).find((table) => there.has(table));
      if (left !== undefined) database.exec(`DROP TABLE ${left}`);
      return left !== undefined;
    },
  };
}

/** A match among those of all types. */
interface Candidate extends ScoredDocument {
  /** Index of the type in the request. */
  readonly type: number;
  /** Rank among the matches of its type. */
  readonly position: number;
}

interface Matched {
  readonly epoch: number | undefined;
  /** Undefined for a list, which has no text. */
  readonly found: QueryMatches | undefined;
  searcherOf(type: RecordType): TypeSearcher;
}

/** Combines matches of several types by score: totals, and one page. */
function mergeTypes({ types, where, offset, limit, isInterleaved }: IndexRequest, matched: Matched): IndexResult {
  const { epoch, found, searcherOf } = matched;
  const ranked = found?.matches ?? types.map((type) => searcherOf(type).everything(where?.(type), epoch));
  const result = { totals: totalsOf(types, ranked), relaxation: found?.relaxation ?? 'typed', epoch };
  // Spreading these objects would cost as much as the rest of the page.
  const candidates = (type: number, from: number, count: number): Candidate[] =>
    ranked[type].page(from, count).map(({ docId, score }, position) => ({ docId, score, type, position }));
  const toHit = ({ type, docId, score }: Candidate): SearchHit => ({
    type: types[type],
    id: searcherOf(types[type]).idOf(docId),
    score,
  });
  if (types.length === 1) return { ...result, hits: candidates(0, offset, limit).map(toHit) };
  // One type may fill every page so far, so the first matches of each are needed.
  const first = types.flatMap((_, type) => candidates(type, 0, offset + limit));
  const ordered = first.sort(isInterleaved ? roundRobin : byScore);
  return { ...result, hits: ordered.slice(offset, offset + limit).map(toHit) };
}

const UNSCORED = 0;

/** Combines matches of several types by a field: totals, and one page. */
function sortTypes(
  { types, where, offset, limit }: IndexRequest,
  orderOf: (type: RecordType) => SortOrder,
  { epoch, found, searcherOf }: Matched,
): IndexResult {
  const end = offset + limit;
  const sorted = types.map((type, index) => {
    const request = { matches: found?.matches[index], condition: where?.(type), order: orderOf(type), end };
    return searcherOf(type).sorted(request, epoch);
  });
  const hits = sorted.flatMap(({ records }, index) =>
    records.map(({ id, key }) => ({ type: types[index], id, key, score: UNSCORED })),
  );
  // Each type is sorted; the sort is stable, so equal keys keep the order of types.
  const [first] = types;
  if (types.length > 1 && first !== undefined)
    hits.sort((left, right) => compareKeys(left, right, orderOf(first).isDescending));
  const relaxation = found?.relaxation ?? 'typed';
  return { totals: totalsOf(types, sorted), hits: hits.slice(offset, end), relaxation, epoch };
}

const totalsOf = (
  types: readonly RecordType[],
  counted: readonly { readonly total: number }[],
): IndexResult['totals'] =>
  Object.fromEntries(types.map((type, index) => [type, counted[index].total])) as Record<RecordType, number>;

/** The sort is stable, so ties keep the order of types. */
const byScore = (one: Candidate, other: Candidate): number => other.score - one.score;

/**
 * Round-robin: the best match of each type, then the second of each; each round is ordered by score. Any part of the
 * list is divided evenly among the types with matches left, and begins with the best match.
 */
const roundRobin = (one: Candidate, other: Candidate): number => one.position - other.position || byScore(one, other);

/** Cached look-ups of each kind; each has up to 64 terms. */
const CACHED_MAX = 512;

/** Cached look-ups of few terms. */
const CHEAP_MAX = 4_096;

/** Caches the look-ups of a search until the index changes: they recur across relaxations and queries. */
function cachedTermDictionary(dictionary: TermDictionaryReader): TermDictionaryReader {
  const near = createCache<string, Correction[]>(CACHED_MAX);
  const far = createCache<string, Correction[]>(CACHED_MAX);
  const containing = createCache<string, number[]>(CACHED_MAX);
  const terms = createCache<string, Term | false>(CHEAP_MAX);
  const stems = createCache<string, Term[]>(CHEAP_MAX);
  const prefixes = createCache<string, number[]>(CHEAP_MAX);
  let known: number | undefined;

  return {
    begin(epoch) {
      dictionary.begin(epoch);
      if (known === epoch) return;
      for (const cache of [near, far, containing, terms, stems, prefixes]) cache.clear();
      known = epoch;
    },
    find: (term) => cached(terms, term, () => dictionary.find(term) ?? false) || undefined,
    ofStem: (stem, limit) => cached(stems, `${limit} ${stem}`, () => dictionary.ofStem(stem, limit)),
    withPrefix: (prefix, limit) => cached(prefixes, `${limit} ${prefix}`, () => dictionary.withPrefix(prefix, limit)),
    oneTypo: (word) => cached(near, word, dictionary.oneTypo),
    containing: (text, limit) => cached(containing, `${limit} ${text}`, () => dictionary.containing(text, limit)),
    someTypos: (word, isUnfinished) =>
      cached(far, isUnfinished ? `${word}*` : word, () => dictionary.someTypos(word, isUnfinished)),
  };
}
