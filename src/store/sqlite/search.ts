import type { SearchedType } from '../../contract/entities/index.ts';
import { SEARCHED_TYPES } from '../../contract/entities/index.ts';
import { foldName } from '../../contract/names.ts';
import type { Document } from '../records/document.ts';
import { COLUMN_WEIGHTS, queryWords, searchedText } from '../search/text.ts';
import type { Found, SearchRequest } from '../store.ts';
import type { Sqlite } from './database.ts';

/** The full-text index over the documents. */
export interface SearchIndex {
  putAll(documents: readonly Document[]): void;
  remove(type: SearchedType, id: number): void;
  find(request: SearchRequest): Found;
}

interface Hit {
  readonly document: string;
  readonly id: number;
  readonly exact: number;
  readonly score: number;
}

export function createSearchIndex(database: Sqlite): SearchIndex {
  const byType = Object.fromEntries(SEARCHED_TYPES.map((type) => [type, createTypeIndex(database, type)])) as Record<
    SearchedType,
    ReturnType<typeof createTypeIndex>
  >;
  return {
    putAll: (documents) => {
      for (const document of documents) byType[document.type as SearchedType].put(document);
    },
    remove: (type, id) => byType[type].remove(id),
    find: ({ types, text, window }) => {
      const match = matchOf(text);
      const parts = types.map((type) => {
        const index = byType[type];
        const total = match === null ? index.countAll() : index.count(match);
        const last = window.offset + window.limit;
        const hits = match === null ? index.list(last) : index.search(match, foldName(text), last);
        return { type, total, hits };
      });
      const merged = parts
        .flatMap((part) => part.hits)
        .sort((left, right) => right.exact - left.exact || left.score - right.score);
      return {
        results: merged.slice(window.offset, window.offset + window.limit).map((hit) => hit.document),
        total: parts.reduce((sum, part) => sum + part.total, 0),
        totals: Object.fromEntries(parts.map((part) => [part.type, part.total])),
      };
    },
  };
}

function createTypeIndex(database: Sqlite, type: SearchedType) {
  const remove = database.prepare(`DELETE FROM ${type}_text WHERE rowid = ?`);
  const add = database.prepare(
    `INSERT INTO ${type}_text (rowid, names, keywords, headline, overview, related) VALUES (CAST(? AS INTEGER), ?, ?, ?, ?, ?)`,
  );
  const matching = `FROM ${type}_text JOIN ${type} ON ${type}.id = ${type}_text.rowid WHERE ${type}_text MATCH ? AND deleted_at IS NULL`;
  const search = database.prepare<[string, string, string, number], Hit>(
    `SELECT document, ${type}.id AS id,
       EXISTS (SELECT 1 FROM record_keys WHERE type = ? AND key = ? AND record_keys.id = ${type}.id) AS exact,
       bm25(${type}_text, ${COLUMN_WEIGHTS.join(', ')}) AS score
     ${matching} ORDER BY exact DESC, score, ${type}.id LIMIT ?`,
  );
  const count = database.prepare<[string], number>(`SELECT count(*) ${matching}`).pluck();
  const list = database.prepare<[number], Hit>(
    `SELECT document, id, 0 AS exact, 0 AS score FROM ${type} WHERE deleted_at IS NULL ORDER BY id LIMIT ?`,
  );
  const countAll = database.prepare<[], number>(`SELECT count(*) FROM ${type} WHERE deleted_at IS NULL`).pluck();
  return {
    remove: (id: number): void => void remove.run(id),
    put: (document: Document): void => {
      const text = searchedText(document);
      remove.run(document.id);
      add.run(document.id, text.names, text.keywords, text.headline, text.overview, text.related);
    },
    search: (match: string, key: string, last: number): Hit[] =>
      // The statement's parameters stand in the order of its text: type, key, match, last.
      search.all(type, key, match, last),
    count: (match: string): number => count.get(match) ?? 0,
    list: (last: number): Hit[] => list.all(last),
    countAll: (): number => countAll.get() ?? 0,
  };
}

/** The full-text expression of a query: every word, the last perhaps unfinished, or all of them as one name. */
function matchOf(text: string): string | null {
  const words = queryWords(text);
  if (words.length === 0) return null;
  const quoted = words.map((word) => `"${word}"`);
  const together = `"${foldName(text)}" *`;
  return `(${quoted.join(' AND ')} *) OR ${together}`;
}
