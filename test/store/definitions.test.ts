import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { company } from '../../src/contract/entities/company.ts';
import { COMPANY_FIELD, type Filters } from '../../src/contract/filters.ts';
import { openStore } from '../../src/store/open.ts';
import { INHERITED } from '../../src/store/records/facets.ts';
import { fundingOf } from '../../src/store/records/funding.ts';
import { rankedBy } from '../../src/store/search/searched-document.ts';
import type { Store } from '../../src/store/store.ts';
import { aCompany } from '../support/builders.ts';
import { engine } from '../support/databases.ts';
import { isPostgres } from '../support/empty-database.ts';
import { isSecondEngine } from '../support/length.ts';

const open: Store[] = [];
afterEach(async () => {
  for (const store of open.splice(0)) await store.close();
});
// Files of one worker share modules: those that run later must not get the definitions that were changed here.
afterAll(() => void vi.resetModules());

const opened = async (opening: Promise<Store>): Promise<Store> => {
  const store = await opening;
  open.push(store);
  return store;
};

type Definitions = typeof import('../../src/contract/filters.ts') &
  typeof import('../../src/contract/fields.ts') &
  typeof import('../../src/contract/entities/company.ts') &
  typeof import('../../src/contract/entities/round.ts');

/** The program as a later version, whose definitions were changed by a recipe: its modules are loaded anew. */
async function versionWith(change: (definitions: Definitions) => void): Promise<(url: string) => Promise<Store>> {
  vi.resetModules();
  const filters = await import('../../src/contract/filters.ts');
  const company = await import('../../src/contract/entities/company.ts');
  const round = await import('../../src/contract/entities/round.ts');
  change({ ...filters, ...(await import('../../src/contract/fields.ts')), ...company, ...round });
  const now = (): Date => new Date();
  // Not by openStore, which loads an engine when it is called: it would be one of the last version that was made.
  const { openSqliteStore } = await import('../../src/store/sqlite/store.ts');
  const { openPostgresStore } = await import('../../src/store/postgres/store.ts');
  return (url) => (isPostgres ? openPostgresStore(url, now) : openSqliteStore(url.slice('sqlite:'.length), now));
}

const withTokenFilter = ({ filters, FILTER_NAMES }: Definitions): void => {
  const token = { fields: ['token_symbols'], test: 'facet', kind: 'city', schema: z.string().optional() };
  Object.assign(filters, { token });
  (FILTER_NAMES as string[]).push('token');
};

const window = { offset: 0, limit: 10 };
const ofToken = async ({ records }: Store, token: string): Promise<number> =>
  (
    await records.search({
      types: ['companies'],
      text: '',
      filters: { token: { mode: 'any', values: [token] } } as Filters,
      window,
    })
  ).total;
const withText = async ({ records }: Store, text: string): Promise<number> =>
  (await records.search({ types: ['companies'], text, window })).total;

/** More than one transaction of a rebuild. */
const MANY = 250;
const many = Array.from({ length: MANY }, (_, number) =>
  aCompany({ name: `Number ${number}`, token_symbols: ['NUM'] }),
);

describe(`a database of other definitions on ${engine.name}`, () => {
  test('is found by a filter that came later, whatever was kept before, and opens at once again', async () => {
    const database = await engine.newDatabase();
    const store = await opened(openStore(database.url));
    await store.records.putAll(many);
    await store.records.putAll([aCompany({ name: 'Uniswap', token_symbols: ['UNI'] })]);
    const author = { account: 'operator', keyId: null, requestId: null, address: null };
    await store.records.change({ action: 'delete', type: 'companies', target: 'number-1', author });

    const openLater = await versionWith(withTokenFilter);
    const stores = await Promise.all([1, 2, 3].map(() => opened(openLater(database.url))));
    for (const later of stores)
      expect([await ofToken(later, 'uni'), await ofToken(later, 'num')]).toEqual([1, MANY - 1]);

    // What is searched on PostgreSQL is a file of each version, and nothing in the database.
    if (isPostgres) return;
    await database.execute("DELETE FROM labels WHERE value = 'uni'");
    const again = await opened(openLater(database.url));
    expect([await ofToken(again, 'uni'), await ofToken(again, 'num')]).toEqual([0, MANY - 1]);
  });

  test.skipIf(isSecondEngine).each([
    [
      'each such field was a label of its own',
      `DELETE FROM labels WHERE field = '';
        DELETE FROM label_values WHERE field = '';
        INSERT INTO labels (type, field, value, id)
        SELECT 'companies', 'status', '', id FROM companies WHERE slug <> 'uniswap'`,
    ],
    [
      'a label named them otherwise',
      `UPDATE labels SET value = ' status ' WHERE field = '';
        DELETE FROM label_values WHERE field = '';
        INSERT INTO label_values (type, field, value, shown, records)
        SELECT type, field, value, '', count(*) FROM labels WHERE field = '' GROUP BY type, value`,
    ],
  ])('counts whose field is unknown, also where %s', async (_, former) => {
    const database = await engine.newDatabase();
    const store = await opened(openStore(database.url));
    await store.records.putAll(many);
    await store.records.putAll([aCompany({ name: 'Uniswap', status: 'active' })]);
    // Files of an index are made anew by each version.
    if (!isPostgres) {
      await database.execute(former);
      await database.execute("UPDATE search_definitions SET value = '{}' WHERE name = 'current'");
    }
    const again = await opened(openStore(database.url));
    const filters = { status: { mode: 'any', values: ['active'] } } as Filters;
    const page = await again.records.search({ types: ['companies'], text: '', filters, window });
    expect([page.total, page.unknown]).toEqual([1, { status: MANY }]);
    const named = await again.records.search({ types: ['companies'], text: 'number', filters, window });
    expect([named.total, named.unknown]).toEqual([0, { status: MANY }]);
  });

  test.skipIf(isSecondEngine)(
    'is found by words of a field that is searched since, and keeps the words it had',
    async () => {
      const database = await engine.newDatabase();
      const store = await opened(openStore(database.url));
      await store.records.putAll([aCompany({ name: 'Uniswap', funding_stage_raw: 'Bootstrappedish' })]);
      expect(await withText(store, 'bootstrappedish')).toBe(0);
      const openLater = await versionWith(({ company }) => {
        (company.searched.headline as string[]).push('funding_stage_raw');
      });
      const later = await opened(openLater(database.url));
      expect([await withText(later, 'bootstrappedish'), await withText(later, 'uniswap')]).toEqual([1, 1]);
    },
  );

  test('opens for two versions at once: the one that began last is right', async () => {
    const database = await engine.newDatabase();
    const store = await opened(openStore(database.url));
    await store.records.putAll(many);
    const openLater = await versionWith(withTokenFilter);
    const openOther = await versionWith(({ FILTER_NAMES }) => void FILTER_NAMES.pop());
    await Promise.all([openLater, openOther].map((openVersion) => opened(openVersion(database.url))));
    expect(await ofToken(await opened(openLater(database.url)), 'num')).toBe(MANY);
  });
});

test.skipIf(isSecondEngine)('a record may name one other record or none, where its entity says so', async () => {
  const openLater = await versionWith(({ round, reference }) => {
    const record = round.record.extend({ company: reference.nullable() }).meta({ id: 'FundingRound' });
    Object.assign(round, { record });
  });
  const { records } = await opened(openLater((await engine.newDatabase()).url));
  const author = { account: 'operator', keyId: null, requestId: null, address: null };
  const companyOf = async (change: {
    action: 'create' | 'merge';
    target?: string;
    input: object;
  }): Promise<unknown> => {
    const { json } = await records.change({ ...change, type: 'rounds', author });
    return (JSON.parse(json) as { company: unknown }).company;
  };
  await records.putAll([aCompany({ name: 'Uniswap' })]);
  expect(await companyOf({ action: 'create', input: { name: 'Nobody Seed' } })).toBeNull();
  const named = await companyOf({ action: 'merge', target: '1', input: { company: 'Uniswap' } });
  expect(named).toEqual({ name: 'Uniswap', type: 'companies', id: 1, slug: 'uniswap' });
  expect(await companyOf({ action: 'merge', target: '1', input: { company: null } })).toBeNull();
});

test.skipIf(isSecondEngine)(
  'what a company raised is neither searched, nor ranked by, nor had by its rounds, so that rounds have nothing read again',
  () => {
    const read = [
      ...Object.values(company.searched).flat(),
      ...rankedBy('companies'),
      ...INHERITED.map((field) => field.slice(COMPANY_FIELD.length)),
    ];
    expect(read.filter((field) => field !== null && field in fundingOf([]))).toEqual([]);
  },
);
