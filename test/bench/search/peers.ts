import type { Database } from 'better-sqlite3';
import MiniSearch from 'minisearch';
import type { SearchedDocument } from '../../../src/store/search/search-index.ts';

/** Another engine over one type's documents, with its usual settings. */
export interface Peer {
  find(text: string, limit: number): { id: number; score: number }[];
}

interface Fields {
  id: number;
  name: string;
  keywords: string;
  headline: string;
  related: string;
  overview: string;
}

const FIELDS = ['name', 'keywords', 'headline', 'related', 'overview'] as const;
/** Reading any text as a query is the least a peer needs. */
const WORDS = /[\p{L}\p{N}]+/gu;
const WORD = /[\p{L}\p{N}]/u;

/** FTS5 with its own tokenizer, weights by field, ordered by rank; the last word may be unfinished. */
export function createFts5Peer(
  database: Database,
  table: string,
  documents: readonly SearchedDocument[],
): Peer & { count(text: string): number } {
  database.exec(
    `CREATE VIRTUAL TABLE ${table} USING fts5(${FIELDS.join()}, tokenize = "porter unicode61 remove_diacritics 2")`,
  );
  const insert = database.prepare(`INSERT INTO ${table} (rowid, ${FIELDS.join()}) VALUES (?, ?, ?, ?, ?, ?)`);
  database.transaction(() => {
    for (const { id, ...rest } of documents.map(fieldsOf))
      insert.run(BigInt(id), ...FIELDS.map((field) => rest[field]));
  })();
  const find = database.prepare<[string, number], { id: number; score: number }>(
    `SELECT rowid AS id, -bm25(${table}, 10, 5, 3, 2, 1) AS score FROM ${table} WHERE ${table} MATCH ? ORDER BY bm25(${table}, 10, 5, 3, 2, 1) LIMIT CAST(? AS INTEGER)`,
  );
  const count = database.prepare<[string], number>(`SELECT count(*) FROM ${table} WHERE ${table} MATCH ?`).pluck();
  return {
    find: (text, limit) => (WORD.test(text) ? find.all(expressionOf(text), limit) : []),
    count: (text) => count.get(expressionOf(text)) ?? 0,
  };
}

const expressionOf = (text: string): string => `${(text.match(WORDS) ?? []).map((word) => `"${word}"`).join(' ')} *`;

export function createMiniSearchPeer(documents: readonly SearchedDocument[]): Peer {
  const engine = new MiniSearch<Fields>({ fields: [...FIELDS] });
  engine.addAll(documents.map(fieldsOf));
  const boost = { name: 10, keywords: 5, headline: 3, related: 2 };
  return {
    find: (text, limit) =>
      engine
        .search(text, { boost, prefix: true, fuzzy: 0.2, combineWith: 'AND' })
        .slice(0, limit)
        .map(({ id, score }) => ({ id: Number(id), score })),
  };
}

function fieldsOf(document: SearchedDocument): Fields {
  return {
    id: document.id,
    name: [...document.names, document.slug, ...document.tickers, document.domain ?? ''].join(' '),
    keywords: document.keywords.join(' '),
    headline: document.headline,
    related: document.related.join(' '),
    overview: document.overview,
  };
}
