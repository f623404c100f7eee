import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SearchedDocument, SearchIndex } from '../../../src/store/search/search-index.ts';
import { openSqlite, type Sqlite } from '../../../src/store/sqlite/driver.ts';
import { migrations } from '../../../src/store/sqlite/migrations/index.ts';
import { createSqliteSearchIndex } from '../../../src/store/sqlite/search/sqlite-search-index.ts';

let statements: string[] = [];
let database: Sqlite;
let index: SearchIndex<'companies'>;
beforeEach(() => {
  database = openSqlite(':memory:', { verbose: (sql) => void statements.push(String(sql)) });
  for (const step of migrations) database.exec(step);
  index = createSqliteSearchIndex(database, ['companies']);
});
afterEach(() => void database.close());

const documentOf = (id: number, name: string, overview = ''): SearchedDocument => ({
  ...{ id, names: [name], slug: `company-${id}`, tickers: [], domain: null, keywords: [], headline: '' },
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
  index.put('companies', documentOf(1, 'OpenSea', 'A marketplace on the ocean'));
  index.put('companies', documentOf(2, 'Ocean', 'Lending on Solana'));
  for (const text of TEXTS) {
    const found = idsOf(text);
    expect([text, statementsOf(text), idsOf(text)]).toEqual([text, 3, found]);
  }
});

test('words that many queries share are looked up for the first of them', () => {
  index.put('companies', documentOf(1, 'OpenSea', 'Lending on Solana'));
  const first = statementsOf('lending solana');
  expect(statementsOf('solana lending')).toBeLessThan(first / 2);
});

test('what was found before a change is not found after it, and again after a rollback', () => {
  index.put('companies', documentOf(1, 'OpenSea'));
  const before = TEXTS.map(idsOf);
  expect(() =>
    database.transaction(() => {
      index.remove('companies', [1]);
      index.put('companies', documentOf(2, 'Ocean Lending'));
      expect(TEXTS.map(idsOf)).toEqual([[], [], [2], [2], [], [2], [], []]);
      throw new Error('Back');
    })(),
  ).toThrow('Back');
  expect(TEXTS.map(idsOf)).toEqual(before);
  index.put('companies', documentOf(3, 'Opnesea'));
  expect(idsOf('opnesea')).toEqual([3]);
});

test('a long query of misspelt words asks no more than a short one does', () => {
  const names = Array.from({ length: 12 }, (_, index) => `meridian${String.fromCharCode(97 + index).repeat(3)}`);
  for (const [place, name] of names.entries()) index.put('companies', documentOf(place + 1, name));
  const misspelt = names.map((name) => `${name.slice(0, 4)}zz${name.slice(6)}`);
  const short = statementsOf(misspelt.slice(0, 3).join(' '));
  expect(statementsOf(misspelt.slice(3).join(' '))).toBeLessThanOrEqual(short);
});
