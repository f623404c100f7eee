import type { Database } from 'better-sqlite3';
import type { QueryMatches } from '../../search/matches.ts';
import { mergeTypes } from '../../search/merge-types.ts';
import { parseQuery, TEXT_LENGTH_MAX } from '../../search/query.ts';
import { findMatches } from '../../search/relaxations.ts';
import type { IndexRequest, Merging, SearchIndex } from '../../search/search-index.ts';
import { createIndexBuild } from './bulk-build.ts';
import { cachedVocabulary } from './cached-vocabulary.ts';
import { createIndexWriter, type IndexWriter } from './index-writer.ts';
import { createPostingsCache } from './postings-cache.ts';
import { EPOCH_TYPE, SIZES_TABLE } from './search-tables.ts';
import { createShadowTables } from './shadow-tables.ts';
import { createVocabularyWriter } from './term-dictionary.ts';
import { createTypeSearcher, type TypeSearcher } from './type-searcher.ts';
import { createVocabularyReader } from './vocabulary-reader.ts';

/**
 * The search index of some types, in a migrated database.
 * @example
 * import { openDatabase } from '../database.ts';
 * import { createSqliteSearchIndex } from './sqlite-search-index.ts';
 *
 * export async function findMisspelt(): Promise<number | undefined> {
 *   const { database } = await openDatabase(':memory:');
 *   const index = createSqliteSearchIndex(database, ['companies']);
 *   const texts = { tickers: [], domain: null, keywords: [], headline: '', overview: '', related: [] };
 *   index.putMany('companies', [{ id: 7, names: ['Acme Wallet'], slug: 'acme-wallet', rank: 0, ...texts }]);
 *   const { hits } = index.find({ types: ['companies'], text: 'acme walet', offset: 0, limit: 10 });
 *   database.close();
 *   return hits[0]?.id;
 * }
 */
export function createSqliteSearchIndex<Type extends string>(
  database: Database,
  types: readonly Type[],
): SearchIndex<Type> {
  const vocabularyWriter = createVocabularyWriter(database, {
    refresh: () => {
      for (const writer of writers.values()) writer.refresh();
    },
    isUsed: (term, fields) => [...writers.values()].some((writer) => writer.hasPostings(term, fields)),
  });
  const vocabulary = cachedVocabulary(createVocabularyReader(database));
  const writers = new Map<Type, IndexWriter>(
    types.map((type) => [type, createIndexWriter(database, type, vocabularyWriter)]),
  );
  const shadow = createShadowTables(database, types);
  const postingsCache = createPostingsCache();
  const searchers = new Map<Type, TypeSearcher>(
    types.map((type) => [type, createTypeSearcher(database, type, postingsCache)]),
  );
  const readEpoch = database.prepare<[string], number>(`SELECT documents FROM ${SIZES_TABLE} WHERE type = ?`).pluck();
  const consistently = createSnapshot(database);

  const change = (type: Type, merging: Merging, work: (writer: IndexWriter) => void) => {
    const writer = known(writers, type);
    writer.begin(merging);
    work(writer);
    writer.flush();
  };

  const matchesOf = (
    { types, text, where, namedIds, relaxations }: IndexRequest<Type>,
    epoch: number | undefined,
  ): QueryMatches => {
    const conditions = types.map((type) => where?.(type));
    const asked = types.map((type) => known(searchers, type));
    if (text.trim() === '')
      return {
        matches: asked.map((searcher, index) => searcher.everything(conditions[index], epoch)),
        relaxation: 'typed',
      };
    const query = parseQuery(text.slice(0, TEXT_LENGTH_MAX));
    vocabulary.begin(epoch);
    const stages = asked.map((searcher, index) => searcher.under(conditions[index], epoch, namedIds));
    return findMatches(query, { vocabulary, searchers: stages }, relaxations);
  };

  return {
    put: (type, document) => change(type, 'now', (writer) => writer.put(document)),
    putMany: (type, documents, merging = 'now') =>
      change(type, merging, (writer) => {
        for (const document of documents) writer.put(document);
      }),
    rerank: (type, ranked, merging = 'now') =>
      change(type, merging, (writer) => {
        for (const one of ranked) writer.rerank(one);
      }),
    remove: (type, ids, merging = 'now') =>
      change(type, merging, (writer) => {
        for (const id of ids) writer.remove(id);
      }),
    compact() {
      vocabularyWriter.begin();
      const isLeft = [...writers.values()].some((writer) => writer.compact()) || vocabularyWriter.compact();
      // Readers cache blocks by key, and keys may have changed.
      if (isLeft) vocabularyWriter.flush('now');
      return isLeft || shadow.dropReplaced();
    },
    find: (request) =>
      consistently(() => {
        const idOf = (type: Type, docId: number): number => known(searchers, type).idOf(docId);
        const epoch = readEpoch.get(EPOCH_TYPE);
        return mergeTypes(request, matchesOf(request, epoch), { epoch, idOf });
      }),
    epoch: () => readEpoch.get(EPOCH_TYPE),
    touch() {
      vocabularyWriter.begin();
      vocabularyWriter.flush('later');
    },
    build: createIndexBuild(database, { types, shadow }, vocabularyWriter),
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

function known<Type extends string, Value>(values: Map<Type, Value>, type: Type): Value {
  const value = values.get(type);
  if (value === undefined) throw new Error(`Search has no type of this name: ${type}`);
  return value;
}
