import { SEARCHED_TYPES, type SearchedType } from '../../contract/entities/index.ts';
import type { WordIndex } from '../records/record-index.ts';
import type { Sqlite } from './database.ts';
import { createSqliteSearchIndex } from './search/sqlite-search-index.ts';

/** The index of words, which answers at once: its steps are none. */
export function createWords(database: Sqlite): WordIndex {
  const index = createSqliteSearchIndex<SearchedType>(database, SEARCHED_TYPES);
  return {
    putMany: function* putMany(type, documents) {
      index.putMany(type, documents);
    },
    remove: function* remove(type, id) {
      index.remove(type, id);
    },
    find: function* find(request) {
      return index.find(request);
    },
  };
}
