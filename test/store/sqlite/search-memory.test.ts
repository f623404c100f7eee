import { afterEach, beforeEach, expect, test } from 'vitest';
import { createRecordSearch } from '../../../src/store/records/record-search.ts';
import { createOnRecord } from '../../../src/store/records/sample-count.ts';
import type { SearchedDocument, SearchIndex } from '../../../src/store/search/search-index.ts';
import { openSqlite, type Sqlite } from '../../../src/store/sqlite/driver.ts';
import { migrations } from '../../../src/store/sqlite/migrations/index.ts';
import { createProgramRunner } from '../../../src/store/sqlite/runner.ts';
import { DELETIONS_TABLE, GRAMS_TABLE, searchTables } from '../../../src/store/sqlite/search/postings-table.ts';
import { createSearchIndex } from '../../../src/store/sqlite/search/sqlite-search-index.ts';
import { createPostingsCache } from '../../../src/store/sqlite/search/term-postings.ts';

let statements: string[] = [];
let database: Sqlite;
let index: SearchIndex;
beforeEach(() => {
  database = openSqlite(':memory:', { verbose: (sql) => void statements.push(String(sql)) });
  for (const step of migrations) database.exec(step);
  index = createSearchIndex(database, ['companies']);
});
afterEach(() => void database.close());

const documentOf = (id: number, name: string, overview = ''): SearchedDocument => ({
  ...{ id, names: [name], slug: `company-${id}`, tickers: [], domain: null, handles: [], keywords: [], headline: '' },
  ...{ overview, related: [], rank: 0 },
});
const idsOf = (text: string): number[] =>
  index.find({ types: ['companies'], text, offset: 0, limit: 10 }).hits.map(({ id }) => id);
const statementsOf = (text: string): number => {
  statements = [];
  idsOf(text);
  return statements.length;
};

const TEXTS = ['opensea', 'opnesea', 'ocean lending', 'oecan lendign', 'op', 'lendingg oc', 'solanna', 'zzqxv'];

test('a search that comes again asks the database only whether anything has changed', () => {
  const fullText = createSearchIndex(database);
  const search = createRecordSearch(fullText, createOnRecord(fullText));
  const run = createProgramRunner(database);
  const insert = database.prepare("INSERT INTO companies (id, slug, version, document) VALUES (?, ?, 1, '{}')");
  for (const document of [
    documentOf(1, 'OpenSea', 'A marketplace on the ocean'),
    documentOf(2, 'Ocean', 'Lending on Solana'),
  ]) {
    insert.run(document.id, document.slug);
    index.putMany('companies', [document]);
  }
  const pageOf = (text: string) => run(search({ types: ['companies'], text, window: { offset: 0, limit: 10 } }));
  for (const text of TEXTS) {
    const page = pageOf(text);
    statements = [];
    expect(pageOf(text)).toEqual(page);
    expect([text, statements.length]).toEqual([text, 1]);
  }
});

test('posting lists and typos of words that many queries share are read for the first of them', () => {
  index.putMany('companies', [documentOf(1, 'OpenSea', 'Lending on Solana')]);
  const tables = [searchTables('companies').lists, DELETIONS_TABLE, GRAMS_TABLE];
  const readsOf = (text: string): number => {
    statementsOf(text);
    return statements.filter((sql) => tables.some((table) => sql.includes(table))).length;
  };
  for (const words of [
    ['lending', 'solana'],
    ['lendign', 'solnaa'],
  ]) {
    expect(readsOf(words.join(' '))).toBeGreaterThan(1);
    expect(readsOf(words.toReversed().join(' '))).toBe(0);
  }
});

test('what was found before a change is not found after it, and again after a rollback', () => {
  index.putMany('companies', [documentOf(1, 'OpenSea')]);
  const before = TEXTS.map(idsOf);
  expect(() =>
    database.transaction(() => {
      index.remove('companies', [1]);
      index.putMany('companies', [documentOf(2, 'Ocean Lending')]);
      expect(TEXTS.map(idsOf)).toEqual([[], [], [2], [2], [], [2], [], []]);
      throw new Error('Back');
    })(),
  ).toThrow('Back');
  expect(TEXTS.map(idsOf)).toEqual(before);
  index.putMany('companies', [documentOf(3, 'Opnesea')]);
  expect(idsOf('opnesea')).toEqual([3]);
});

test('a long query of misspelt words looks for far typos no more than a short one does', () => {
  const names = Array.from({ length: 12 }, (_, index) => `meridian${String.fromCharCode(97 + index).repeat(3)}`);
  for (const [place, name] of names.entries()) index.putMany('companies', [documentOf(place + 1, name)]);
  const misspelt = names.map((name) => `${name.slice(0, 4)}zz${name.slice(6)}`);
  const farOf = (): number => statements.filter((sql) => sql.includes(GRAMS_TABLE)).length;
  const short = statementsOf(misspelt.slice(0, 3).join(' '));
  const far = farOf();
  expect(statementsOf(misspelt.slice(3).join(' '))).toBeLessThan(2 * short);
  expect(farOf()).toBeLessThanOrEqual(far);
});

test('no posting lists are kept beyond the bound of all, neither of one word nor of several', () => {
  const cache = createPostingsCache().forReader();
  const postings = () => ({ byField: [], isFrequent: true, wasRead: false, upTo: [] });
  const known = [1, 2, 3].map(postings);
  const kept = () => [1, 2, 3].filter((term) => cache.get(term) !== undefined);
  cache.set(1, known[0], 30_000_000);
  cache.set(2, known[1], 30_000_000);
  expect(kept()).toEqual([2]);
  cache.set(3, known[2], 50_000_000);
  expect(kept()).toEqual([2]);
  cache.grow(known[1], 30_000_000);
  expect(kept()).toEqual([]);
});
