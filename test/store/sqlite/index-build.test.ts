import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStore } from '../../../src/store/open.ts';
import { OPERATOR } from '../../../src/store/port/audit.ts';
import type { RowInput } from '../../../src/store/port/records.ts';
import { buildIfCheaper } from '../../../src/store/records/index-build.ts';
import { createSearchModel } from '../../../src/store/records/record-index.ts';
import type { SqlProgram } from '../../../src/store/sql.ts';
import { openSqlite } from '../../../src/store/sqlite/driver.ts';
import { createProgramRunner } from '../../../src/store/sqlite/runner.ts';
import type { Store } from '../../../src/store/store.ts';
import { aCompany, anInvestor } from '../../support/builders.ts';
import { newSqlite, type SqliteDatabase } from '../../support/databases.ts';

/** More than an index follows at once, and as many again as it is built anew for. */
const ROWS = 6_400;
const BATCH = 400;
const numbered = (number: number): RowInput => aCompany({ name: `Number ${number}`, slug: `number-${number}` });

let database: SqliteDatabase;
let open: Store[] = [];
const opened = async (): Promise<Store> => {
  const store = await openStore(database.url);
  open.push(store);
  return store;
};
beforeEach(async () => {
  database = await newSqlite();
});
afterEach(async () => {
  for (const store of open) await store.close();
  open = [];
});

async function importMany({ records }: Store): Promise<void> {
  for (let start = 0; start < ROWS; start += BATCH)
    await records.upsertMany(Array.from({ length: BATCH }, (_, place) => numbered(start + place)));
}

async function find({ records }: Store, text: string): Promise<{ total: number; slugs: string[] }> {
  const { total, results } = await records.search({ types: ['companies'], text, window: { offset: 0, limit: 5 } });
  return { total, slugs: results.map((json) => (JSON.parse(json) as { slug: string }).slug) };
}
const change = ({ records }: Store, action: 'delete' | 'merge', number: number, input?: object): Promise<unknown> =>
  records.change({ action, type: 'companies', target: `number-${number}`, author: OPERATOR, ...(input && { input }) });

test('rows of a large import are found when it ends, as they are then, and what is deleted meanwhile is never found', async () => {
  const [importing, serving] = [await opened(), await opened()];
  await importMany(importing);
  await change(serving, 'delete', 7);
  await change(serving, 'delete', ROWS - 7);
  expect(await find(serving, 'number 7')).toMatchObject({ slugs: expect.not.arrayContaining(['number-7']) });
  await change(serving, 'merge', ROWS - 8, { name: 'Renamed at once' });
  expect(await find(serving, 'renamed')).toEqual({ total: 1, slugs: [`number-${ROWS - 8}`] });

  const settled = importing.compactIndex().then(() => 'settled');
  let number = 10;
  do {
    // The live index serves and follows changes while another one is built.
    await change(serving, 'delete', number);
    await change(serving, 'merge', ROWS - 1 - number, { name: `Meanwhile ${number}` });
    expect(await find(serving, 'meanwhile')).toMatchObject({ total: number - 9 });
    await serving.records.upsertMany([anInvestor({ name: `Fund ${number}`, portfolio: [{ slug: 'number-5000' }] })]);
    number += 1;
  } while ((await Promise.race([settled, Promise.resolve('under way')])) === 'under way');
  expect(number).toBeGreaterThan(12);

  for (const store of [serving, await opened()]) {
    expect(await find(store, 'meanwhile')).toMatchObject({ total: number - 10 });
    expect(await find(store, 'number')).toMatchObject({ total: ROWS - 3 - 2 * (number - 10) });
    // The record with many references ranks first.
    expect((await find(store, 'number')).slugs[0]).toBe('number-5000');
    expect(await find(store, `number ${ROWS - 7}`)).toMatchObject({
      slugs: expect.not.arrayContaining([`number-${ROWS - 7}`]),
    });
  }
});

test('when many records are named, their order follows, beside changes, as in an index that is built anew', async () => {
  const [importing, serving] = [await opened(), await opened()];
  await importMany(importing);
  await importing.compactIndex();
  for (let start = 0; start < ROWS; start += 1_600)
    await importing.records.upsertMany(
      Array.from({ length: BATCH }, (_, place) =>
        anInvestor({
          name: `Fund ${start + place}`,
          portfolio: Array.from({ length: 4 }, (_, next) => ({ slug: `number-${start + 4 * place + next}` })),
        }),
      ),
    );
  const settled = importing.compactIndex().then(() => 'settled');
  let number = 10;
  do {
    await change(serving, 'delete', number);
    await change(serving, 'merge', ROWS - 1 - number, { name: `Meanwhile only${number}` });
    await serving.records.upsertMany([anInvestor({ name: `Fund of ${number}`, portfolio: [{ slug: 'number-5000' }] })]);
    number += 1;
  } while ((await Promise.race([settled, Promise.resolve('under way')])) === 'under way');

  const answersOf = (store: Store): Promise<Awaited<ReturnType<typeof find>>[]> =>
    Promise.all(
      ['number', 'number 50', 'meanwhile', 'fund', `only${ROWS}`, 'nmuber 7'].map((text) => find(store, text)),
    );
  const followed = await answersOf(serving);
  expect(followed[0]?.slugs[0]).toBe('number-5000');
  await database.execute("UPDATE search_definitions SET value = '{}' WHERE name = 'current'");
  expect(await answersOf(await opened())).toEqual(followed);
});

test('a large import whose process ends before the index has its rows is completed by the next start', async () => {
  const importing = await opened();
  await importMany(importing);
  expect((await find(importing, 'number')).total).toBeLessThan(ROWS);
  expect(await find(await opened(), 'number')).toMatchObject({ total: ROWS });
});

test('a build that was cut off is made anew by the next start', async () => {
  const store = await opened();
  await store.records.putAll([numbered(1), numbered(2)]);
  await database.execute(`INSERT INTO search_definitions (name, value) VALUES ('build', '{"id":"another","at":1}');
    CREATE TABLE search_terms_built (id INTEGER); CREATE TABLE search_grams_replaced (key INTEGER); DELETE FROM companies_search_lists`);
  expect(await find(await opened(), 'number')).toEqual({ total: 2, slugs: ['number-1', 'number-2'] });
  const beside = (await database.tables()).filter((name) => /_(?:built|replaced)$/.test(name));
  expect(beside).toEqual([]);
});

test('a build that too much has overtaken is left off, and everything is built by the next one', async () => {
  const store = await opened();
  await importMany(store);
  const connection = openSqlite(database.url.replace('sqlite:', ''));
  const [runProgram, { fullText }] = [createProgramRunner(connection), createSearchModel(connection)];
  /** Builds, with a change before each transaction that may wait long: the one that begins a build and the one that ends it. */
  const build = (before: () => Promise<unknown>): Promise<boolean> => {
    const transaction = async <Result>(_: unknown, program: SqlProgram<Result>): Promise<Result> =>
      connection.transaction(() => runProgram(program))();
    return buildIfCheaper(
      {
        query: async (program) => runProgram(program),
        transaction,
        relaxedTransaction: transaction,
        longTransaction: async (written, program) => {
          await before();
          return transaction(written, program);
        },
      },
      fullText,
      0,
    );
  };
  let renamed = 0;
  const rename = (): Promise<unknown> => {
    renamed += 1;
    return change(store, 'merge', renamed, { name: `Meanwhile ${renamed}` });
  };
  expect(await build(rename)).toBe(false);
  expect(renamed).toBe(2);
  expect(await find(store, 'meanwhile')).toMatchObject({ total: 2 });

  expect(await build(async () => {})).toBe(true);
  expect(await find(store, 'meanwhile')).toMatchObject({ total: 2 });
  expect(await find(store, 'number')).toMatchObject({ total: ROWS - 2 });
  connection.close();
});
