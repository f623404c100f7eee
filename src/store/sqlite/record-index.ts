import { SEARCHED_TYPES, type SearchedType } from '../../contract/entities/index.ts';
import type { Found, SearchRequest } from '../port/records.ts';
import type { Document } from '../records/document.ts';
import type { Merging } from '../search/search-index.ts';
import { searchedDocument } from '../search/searched-document.ts';
import { conditionOf } from './conditions.ts';
import type { Sqlite } from './database.ts';
import { createLabelTable } from './labels.ts';
import { createSqliteSearchIndex } from './search/sqlite-search-index.ts';
import { sortedHits } from './sorted.ts';

/** All by which records are found: the index of their words and the labels that filters ask for. */
export interface RecordIndex {
  /** Keeps what is to be found of these documents, new or changed. */
  putAll(documents: readonly Document[], merging: Merging): void;
  remove(type: SearchedType, id: number): void;
  /** Does a part of what was left for later; false when nothing is left. */
  settle(): boolean;
  find(request: SearchRequest): Found;
}

/** More than any type can hold. */
const ALL = 2 ** 31;

export function createRecordIndex(database: Sqlite): RecordIndex {
  const words = createSqliteSearchIndex<SearchedType>(database, SEARCHED_TYPES);
  const labels = createLabelTable(database);
  const naming = database
    .prepare<[string, number], number>('SELECT count(*) FROM links WHERE to_type = ? AND to_id = ?')
    .pluck();
  const byId = Object.fromEntries(
    SEARCHED_TYPES.map((type) => [
      type,
      database.prepare<[number], string>(`SELECT document FROM ${type} WHERE id = ?`).pluck(),
    ]),
  );

  const documentOf = (type: SearchedType, id: number): string => {
    const document = byId[type]?.get(id);
    if (document === undefined) throw new Error(`The index holds ${type} ${id}, which is not there`);
    return document;
  };

  /** The first hits in the order of a field, among the records that match. */
  const sorted = (
    { types, text, filters = {}, sort, window }: SearchRequest,
    ids: () => Map<SearchedType, number[]>,
  ) => {
    if (sort === undefined) return undefined;
    const among = text.trim() === '' ? undefined : ids();
    const first = window.offset + window.limit;
    return sortedHits(database, { types, filters, sort, among, first }).slice(window.offset, first);
  };

  // One transaction for all that is read: a record that goes in between must not leave a gap in the answer.
  const find = database.transaction((request: SearchRequest): Found => {
    const { types, text, filters = {}, sort, window } = request;
    const isListed = text.trim() === '';
    const where = (type: SearchedType) => conditionOf(type, filters);
    const part = sort === undefined ? window : { offset: 0, limit: isListed ? 0 : ALL };
    const { totals, hits } = words.find({ types, text, where, ...part });
    const ids = () =>
      new Map(types.map((type) => [type, hits.filter((hit) => hit.type === type).map((hit) => hit.id)]));
    const shown = sorted(request, ids) ?? hits;
    return {
      results: shown.map((hit) => documentOf(hit.type, hit.id)),
      total: types.reduce((sum, type) => sum + totals[type], 0),
      totals,
    };
  });

  return {
    putAll: (documents, merging) => {
      for (const type of SEARCHED_TYPES) {
        const some = documents.filter((document) => document.type === type);
        if (some.length === 0) continue;
        words.putMany(
          type,
          some.map((document) => searchedDocument(document, naming.get(type, document.id) ?? 0)),
          merging,
        );
        for (const document of some) labels.set(document);
      }
    },
    remove: (type, id) => {
      words.remove(type, id);
      labels.clear(type, id);
    },
    settle: words.settle,
    find: (request) => find(request),
  };
}
