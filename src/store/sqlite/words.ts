import { SEARCHED_TYPES, type SearchedType } from '../../contract/entities/index.ts';
import type { WordIndex } from '../records/record-index.ts';
import { atOnce } from '../sql/steps.ts';
import type { Sqlite } from './database.ts';
import { createSqliteSearchIndex } from './search/sqlite-search-index.ts';

/** The index of words, which answers at once. */
export function createWords(database: Sqlite): WordIndex {
  const index = createSqliteSearchIndex<SearchedType>(database, SEARCHED_TYPES);
  return {
    putMany: (type, documents) => atOnce(() => index.putMany(type, documents)),
    remove: (type, id) => atOnce(() => index.remove(type, id)),
    find: (request) => atOnce(() => index.find(request)),
  };
}
