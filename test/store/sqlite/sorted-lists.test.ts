import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RECORD_TYPES } from '../../../src/contract/entities/index.ts';
import type { Filters } from '../../../src/contract/filters.ts';
import { isSortedBy, SORTED_FIELDS, type SortedField } from '../../../src/contract/sorts.ts';
import { indexSchema } from '../../../src/store/index-replication/index-file.ts';
import { openStore } from '../../../src/store/open.ts';
import { OPERATOR } from '../../../src/store/port/audit.ts';
import { openSqlite } from '../../../src/store/sqlite/driver.ts';
import { migrations } from '../../../src/store/sqlite/migrations/index.ts';
import type { Store } from '../../../src/store/store.ts';
import { aCompany, anInvestor } from '../../support/builders.ts';

/** Many enough that a text matches more companies than are tested one by one, and fewer than a filter does. */
const RECORDS = 4_400;
const FIELDS = ['name', 'year_founded', 'total_employees', 'total_funding_usd', 'investments_count'] as const;
interface Fields extends Readonly<Record<SortedField, string | number | null>> {
  readonly id: number;
  readonly type: string;
  readonly location_json: { readonly country: string } | null;
}

let store: Store;
let records: Fields[];

beforeAll(async () => {
  store = await openStore('sqlite::memory:');
  // Few values and many unknown ones, so that pages begin and end within equal keys.
  const founded = (at: number) => (at % 3 === 0 ? null : 2010 + (at % 7));
  await store.records.putAll(
    Array.from({ length: RECORDS }, (_, at) => {
      const country = ['Germany', 'France'][at % 5];
      const location_json = country === undefined ? null : { country };
      const named = {
        name: `${at % 10 < 7 ? 'Example' : 'Plain'} ${at % 40} ${at}`,
        year_founded: founded(at),
        location_json,
      };
      if (at % 4 === 0) return anInvestor(named);
      const total_funding_usd = at % 5 === 0 ? `${(at % 11) * 1_000_000}.00` : null;
      return aCompany({ ...named, total_employees: at % 2 === 0 ? at % 9 : null, total_funding_usd });
    }),
  );
  await store.records.change({ action: 'delete', type: 'companies', target: '5', author: OPERATOR });
  const { results } = await store.records.search({
    types: ['companies', 'investors'],
    text: '',
    window: { offset: 0, limit: RECORDS },
  });
  records = results.map((json) => JSON.parse(json) as Fields);
});
afterAll(() => store.close());

const keyOf = (record: Fields, field: SortedField): string | number | null => {
  const value = record[field] ?? null;
  if (value === null || field === 'name') return value && String(value).toLowerCase();
  return Number(value);
};

/** Unknown last, then by type and id. */
function sorted(some: readonly Fields[], field: SortedField, isDescending: boolean): Fields[] {
  return some.toSorted((left, right) => {
    const [one, other] = [keyOf(left, field), keyOf(right, field)];
    const byPlace = left.type.localeCompare(right.type) || left.id - right.id;
    if (one === other) return byPlace;
    if (one === null || other === null) return one === null ? 1 : -1;
    return (one < other ? -1 : 1) * (isDescending ? -1 : 1);
  });
}

const inGermany: Filters = { country: { mode: 'any', values: ['Germany'] } };
const isGerman = ({ location_json }: Fields) => location_json?.country === 'Germany';

const aFilter = fc.constantFrom<readonly [Filters, (record: Fields) => boolean]>(
  [{}, () => true],
  // Narrow and wide, on the field of the order and on another one.
  [{ founded_from: 2016 }, ({ year_founded }) => Number(year_founded) >= 2016],
  [{ founded_from: 2010 }, ({ year_founded }) => Number(year_founded) >= 2010],
  [{ founded_from: 2030 }, () => false],
  [inGermany, isGerman],
  [{ ...inGermany, founded_from: 2012 }, (record) => isGerman(record) && Number(record.year_founded) >= 2012],
  [{ country: { mode: 'except', values: ['Germany'] } }, (record) => !isGerman(record)],
);
const someTypes = fc.constantFrom(['companies'] as const, ['investors'] as const, ['companies', 'investors'] as const);

test('lists have one order and one total, whatever filters and pages ask of them', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.option(fc.record({ field: fc.constantFrom(...FIELDS), isDescending: fc.boolean() }), { nil: undefined }),
      aFilter,
      someTypes,
      fc.nat(RECORDS),
      fc.integer({ min: 1, max: 30 }),
      fc.constantFrom('', 'example'),
      async (sort, [filters, passes], types, offset, limit, named) => {
        fc.pre(sort === undefined || types.some((type) => isSortedBy(type, sort.field)));
        // Without a sort, a text orders what it matches by relevance.
        const text = sort === undefined ? '' : named;
        const request = { types, text, filters, sort, window: { offset, limit } };
        const { results, total } = await store.records.search(request);
        const among = records.filter((record) => types.some((type) => type === record.type) && passes(record));
        const matched = text === '' ? among : among.filter(({ name }) => String(name).startsWith('Example'));
        const inOrder = sort === undefined ? matched : sorted(matched, sort.field, sort.isDescending);
        const expected = inOrder.slice(offset, offset + limit);
        expect([total, ...results.map((json) => (JSON.parse(json) as Fields).id)]).toEqual([
          matched.length,
          ...expected.map(({ id }) => id),
        ]);
      },
    ),
    { numRuns: 150 },
  );
});

test('lists begin with the right records, however far apart these are among all in that order', async () => {
  // Of French companies no funding is known, so they come after all others.
  const filters: Filters = { country: { mode: 'any', values: ['France'] }, founded_from: 2015 };
  const passes = ({ type, location_json, year_founded }: Fields): boolean =>
    type === 'companies' && location_json?.country === 'France' && Number(year_founded) >= 2015;
  const expected = sorted(records.filter(passes), 'total_funding_usd', false).slice(0, 3);
  for (const isDescending of [false, true]) {
    const sort = { field: 'total_funding_usd', isDescending } as const;
    const request = { types: ['companies'], text: '', filters, sort, window: { offset: 0, limit: 3 } } as const;
    const { results, total } = await store.records.search(request);
    expect(results.map((json) => (JSON.parse(json) as Fields).id)).toEqual(expected.map(({ id }) => id));
    expect(total).toBe(records.filter(passes).length);
  }
});

test('pages of several types by name have each record once, whatever the scripts of the names', async () => {
  const named = await openStore('sqlite::memory:');
  // UTF-8 and UTF-16 order emoji and full-width letters differently.
  const names = ['😀 One', 'Ａ Two', '𝒜 Three', '中文 Four', '\ufffd Five', 'z Six'];
  await named.records.putAll(names.flatMap((name) => [aCompany({ name }), anInvestor({ name: `${name} Capital` })]));
  for (const isDescending of [false, true]) {
    const namesOf = async (offset: number, limit: number): Promise<string[]> => {
      const sort = { field: 'name', isDescending } as const;
      const request = { types: ['companies', 'investors'], text: '', sort, window: { offset, limit } } as const;
      const { results } = await named.records.search(request);
      return results.map((json) => (JSON.parse(json) as { name: string }).name);
    };
    const pages = await Promise.all(names.map((_, page) => namesOf(page * 2, 2)));
    expect(new Set(pages.flat()).size).toBe(names.length * 2);
    expect(pages.flat()).toEqual(await namesOf(0, names.length * 2));
  }
  await named.close();
});

test('counts every record of a sorted list, and of others only those in the index, while a build takes many', async () => {
  const built = await openStore('sqlite::memory:');
  const name = (at: number) => ({ name: `Example ${at}`, location_json: { country: 'Germany' } });
  const many = Array.from({ length: RECORDS }, (_, at) => aCompany(name(at)));
  await built.records.upsertMany(many, undefined, 1_000_000);
  const list = { types: ['companies'], text: '', window: { offset: 0, limit: 5 } } as const;
  const sort = { field: 'name', isDescending: true } as const;
  let isDone = false;
  const building = built.compactIndex().then(() => {
    isDone = true;
  });
  for (let written = RECORDS; !isDone; await setTimeout(10)) {
    await built.records.putAll([aCompany(name(written++))]);
    expect((await built.records.search({ ...list, sort })).total).toBe(written);
    const { total, results } = await built.records.search({ ...list, filters: inGermany });
    expect(results).toHaveLength(Math.min(total, list.window.limit));
  }
  await building;
  await built.close();
});

test('a filter that was read before follows the changes of records', async () => {
  const request = {
    types: ['companies'],
    text: '',
    filters: inGermany,
    window: { offset: 0, limit: RECORDS },
  } as const;
  const named = async (): Promise<string[]> =>
    (await store.records.search(request)).results.map((json) => (JSON.parse(json) as { slug: string }).slug);
  const [first = '', ...others] = await named();
  const change = { type: 'companies', target: first, author: OPERATOR } as const;
  await store.records.change({ ...change, action: 'delete' });
  expect(await named()).toEqual(others);
  await store.records.change({ ...change, action: 'restore' });
  expect(await named()).toEqual([first, ...others]);
  await store.records.change({ ...change, action: 'merge', input: { location_json: { country: 'France' } } });
  expect(await named()).toEqual(others);
  await store.records.change({ ...change, action: 'merge', input: { location_json: { country: 'Germany' } } });
  expect(await named()).toEqual([first, ...others]);
});

test('every sort of a type has the index in whose order it is read', async () => {
  for (const type of RECORD_TYPES)
    for (const field of SORTED_FIELDS.filter((each) => isSortedBy(type, each)))
      await expect(
        store.records.search({
          types: [type],
          text: '',
          sort: { field, isDescending: true },
          window: { offset: 0, limit: 1 },
        }),
      ).resolves.toBeDefined();
});

test('an index file beside PostgreSQL has every index of the records', () => {
  const indexesOf = (sql: string): unknown[] => {
    const database = openSqlite(':memory:');
    database.exec(sql);
    const tables = JSON.stringify(RECORD_TYPES);
    const names =
      "SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name IN (SELECT value FROM json_each(?)) ORDER BY name";
    return database.prepare(names).pluck().all(tables);
  };
  const indexes = indexesOf(migrations.join(';'));
  expect(indexes.length).toBeGreaterThan(RECORD_TYPES.length);
  expect(indexesOf(indexSchema().sql)).toEqual(indexes);
});
