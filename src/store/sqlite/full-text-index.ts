import { RECORD_TYPES, type RecordType } from '../../contract/entities/index.ts';
import type { FullTextIndex } from '../records/record-index.ts';
import { atOnce } from '../sql.ts';
import { mapBeginning, mapWhole } from './database.ts';
import type { Sqlite } from './driver.ts';
import { createSqliteSearchIndex } from './search/sqlite-search-index.ts';

export function createFullTextIndex(database: Sqlite): FullTextIndex {
  const index = createSqliteSearchIndex<RecordType>(database, RECORD_TYPES);
  return {
    putMany: (type, documents, merging) =>
      atOnce(() => {
        if (merging === 'later') mapBeginning(database);
        index.putMany(type, documents, merging);
      }),
    rerank: (type, ranked, merging) => atOnce(() => index.rerank(type, ranked, merging)),
    remove: (type, ids, merging) => atOnce(() => index.remove(type, ids, merging)),
    compact: () =>
      atOnce(() => {
        const isLeft = index.compact();
        if (!isLeft) mapWhole(database);
        return isLeft;
      }),
    find: (request) => atOnce(() => index.find(request)),
    epoch: () => atOnce(index.epoch),
    touch: () => atOnce(index.touch),
    build: {
      begin: (types) => atOnce(() => index.build.begin(types)),
      add: (type, documents) => atOnce(() => index.build.add(type, documents)),
      write: () => atOnce(() => index.build.write()),
      finish: () => atOnce(() => index.build.finish()),
    },
  };
}
