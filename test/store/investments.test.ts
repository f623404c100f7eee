import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RecordAction } from '../../src/contract/changes.ts';
import type { InputFields } from '../../src/contract/input.ts';
import { relatedLists } from '../../src/contract/relations.ts';
import { openStore } from '../../src/store/open.ts';
import { OPERATOR } from '../../src/store/port/audit.ts';
import type { Store } from '../../src/store/store.ts';
import { createRandom } from '../bench/search/random.ts';
import { anInvestor, aPerson, aRound } from '../support/builders.ts';
import { engine } from '../support/databases.ts';
import { isLong, isSecondEngine } from '../support/length.ts';

let store: Store;
let url = '';
beforeEach(async () => {
  ({ url } = await engine.newDatabase());
  store = await openStore(url, () => new Date());
});
afterEach(() => store.close());

type Type = 'investors' | 'people';
const get = async (type: Type, slug: string) => {
  const found = await store.records.get(type, slug);
  return JSON.parse(found?.json ?? '{}');
};
const counts = async (slug = 'alpha') => {
  const { investments_count, lead_count, portfolio_count, first_investment_date, last_investment_date, month_only } =
    await get('investors', slug);
  return [investments_count, lead_count, portfolio_count, first_investment_date, last_investment_date, month_only];
};
const change = (action: RecordAction, type: Type | 'rounds', target: string, input?: InputFields) =>
  store.records.change({ action, type, target, ...(input && { input }), author: OPERATOR });
const round = (slug: string, date: string | null, investors: string[], leads: string[] = [], more: object = {}) =>
  aRound({
    name: slug,
    slug,
    company: { name: `Company ${slug[0]}` },
    stage: 'seed',
    announced_date: date,
    investors: investors.map((name) => ({ name })),
    lead_investors: leads.map((name) => ({ name })),
    ...more,
  });
/** Rounds that list a record, without grants. */
const funded = async (type: Type, slug: string): Promise<number> => {
  const list = relatedLists.find(({ of, name }) => of === type && name === 'rounds');
  const { id } = await get(type, slug);
  const { results } = await store.records.related(list as never, id, { offset: 0, limit: 100 });
  return results.filter((json) => JSON.parse(json as string).stage !== 'grant').length;
};
const listed = async (type: Type, slug: string): Promise<number> => {
  const list = relatedLists.find(({ of, name }) => of === type && name === 'rounds');
  const { id } = await get(type, slug);
  return (await store.records.related(list as never, id, { offset: 0, limit: 1 })).total;
};

describe('what an investor is said to have invested in', () => {
  test('follows the rounds on record: their number, leads, companies, first and last date', async () => {
    await store.records.putAll([
      anInvestor({ name: 'Alpha' }),
      aPerson({ name: 'Ann Angel' }),
      round('a1', '2024-03-05', ['Alpha', 'Ann Angel']),
      round('a2', '2025-02-01', ['Alpha'], ['Alpha'], { month_only: ['announced_date'] }),
      round('b1', null, [], ['Alpha']),
      round('c1', '2026-01-01', ['Alpha'], [], { stage: 'grant' }),
    ]);
    expect(await counts()).toEqual([3, 2, 2, '2024-03-05', '2025-02-01', ['last_investment_date']]);
    expect((await get('people', 'ann-angel')).angel_investments).toBe(1);
    await store.records.putAll([round('b2', '2025-02-01', ['Alpha', 'Ann Angel'])]);
    expect(await counts()).toEqual([4, 2, 2, '2024-03-05', '2025-02-01', []]);
    expect((await get('people', 'ann-angel')).angel_investments).toBe(await listed('people', 'ann-angel'));
  });

  test.each([
    ['is deleted', (slug: string) => change('delete', 'rounds', slug)],
    ['no longer lists it', (slug: string) => store.records.putAll([round(slug, '2025-02-01', ['Beta'])])],
    [
      'is changed not to list it',
      (slug: string) => change('merge', 'rounds', slug, { lead_investors: [], investors: ['Beta'] }),
    ],
    ['becomes a grant', (slug: string) => change('merge', 'rounds', slug, { stage: 'grant' })],
  ])('falls where a round %s', async (_, leave) => {
    await store.records.putAll([
      anInvestor({ name: 'Alpha' }),
      anInvestor({ name: 'Beta' }),
      round('a1', '2024-03-05', ['Alpha']),
      round('b1', '2025-02-01', [], ['Alpha']),
    ]);
    await leave('b1');
    expect(await counts()).toEqual([1, null, 1, '2024-03-05', '2024-03-05', []]);
    await change('delete', 'rounds', 'a1');
    expect(await counts()).toEqual([null, null, null, null, null, []]);
    await change('restore', 'rounds', 'a1');
    expect(await counts()).toEqual([1, null, 1, '2024-03-05', '2024-03-05', []]);
  });

  test('keeps what is stated beyond them, until more are on record', async () => {
    await store.records.putAll([
      anInvestor({ name: 'Alpha', investments_count: 3, last_investment_date: '2025-06-01' }),
      round('a1', '2024-03-05', ['Alpha']),
      round('b1', '2025-02-01', ['Alpha']),
    ]);
    expect(await counts()).toEqual([3, null, 2, '2024-03-05', '2025-06-01', []]);
    await change('delete', 'rounds', 'a1');
    expect(await counts()).toEqual([3, null, 1, '2025-02-01', '2025-06-01', []]);
    await store.records.putAll(['c1', 'c2', 'c3'].map((slug) => round(slug, '2026-01-01', ['Alpha'])));
    expect(await counts()).toEqual([4, null, 2, '2025-02-01', '2026-01-01', []]);
    await change('delete', 'rounds', 'c3');
    expect((await counts())[0]).toBe(3);
  });

  test('is not stated as less', async () => {
    await store.records.putAll([
      anInvestor({ name: 'Alpha' }),
      round('a1', '2024-03-05', ['Alpha']),
      round('a2', '2025-02-01', ['Alpha']),
    ]);
    await expect(change('merge', 'investors', 'alpha', { investments_count: 1 })).rejects.toThrow(
      'investments_count follows the known rounds, of which more are on record; state 2 or more, or change those',
    );
    await expect(change('merge', 'investors', 'alpha', { last_investment_date: '2025-01-31' })).rejects.toThrow(
      'last_investment_date follows the known rounds, of which more are on record; state 2025-02-01 or a later day, or change those',
    );
    await change('merge', 'investors', 'alpha', { investments_count: 9, first_investment_date: '2020-01-01' });
    expect(await counts()).toEqual([9, null, 1, '2020-01-01', '2025-02-01', []]);
    await change('merge', 'investors', 'alpha', { investments_count: null, first_investment_date: null });
    expect(await counts()).toEqual([2, null, 1, '2024-03-05', '2025-02-01', []]);
    const again = await store.records.upsertMany([
      { type: 'investors', input: { name: 'Alpha', slug: 'alpha', investments_count: 1 } },
    ]);
    expect(again).toMatchObject([{ change: 'unchanged' }]);
  });

  test('follows rounds that named it before it was on record, and its restored record those that came meanwhile', async () => {
    await store.records.putAll([round('a1', '2024-03-05', ['Alpha'])]);
    await store.records.putAll([anInvestor({ name: 'Alpha' })]);
    expect((await counts())[0]).toBe(1);
    await change('delete', 'investors', 'alpha');
    await store.records.putAll([round('b1', '2025-03-05', [], ['Alpha'])]);
    await change('restore', 'investors', 'alpha');
    expect(await counts()).toEqual([2, 1, 2, '2024-03-05', '2025-03-05', []]);
  });

  test('is computed at the end of a large import, also where it was cut off', async () => {
    const rows = Array.from({ length: 2_100 }, (_, index) =>
      round(`d${index}`, '2024-03-05', index % 2 === 0 ? ['Alpha'] : ['Beta'], []),
    );
    await store.records.putAll([anInvestor({ name: 'Alpha' }), anInvestor({ name: 'Beta' })]);
    await store.records.upsertMany(rows);
    await store.compactIndex();
    expect([(await counts())[0], (await counts('beta'))[0]]).toEqual([1_050, 1_050]);
    await store.records.upsertMany(
      rows.map((row) => ({ ...row, input: { ...row.input, investors: [{ name: 'Beta' }] } })),
    );
    await store.close();
    store = await openStore(url, () => new Date());
    expect([(await counts())[0], (await counts('beta'))[0]]).toEqual([null, 2_100]);
    expect(await listed('investors', 'beta')).toBe(2_100);
  });

  // What is counted is the same code over both engines.
  test.each(isLong ? [1, 2, 3] : [1])(
    'is the number of rounds that list it, after any changes (seed %d)',
    async (seed) => {
      const random = createRandom(seed);
      const some = (names: readonly string[]): string[] => names.filter(() => random.below(3) === 0);
      const names = ['Alpha', 'Beta', 'Gamma', 'Delta'];
      await store.records.putAll([...names.map((name) => anInvestor({ name })), aPerson({ name: 'Ann Angel' })]);
      const drawn = (): InputFields => ({
        company: { name: `Company ${random.below(3)}` },
        stage: random.pick(['seed', 'series_a', 'grant']),
        announced_date: random.pick(['2024-03-05', '2025-02-01', null]),
        investors: some([...names, 'Ann Angel', 'Late']).map((name) => ({ name })),
        lead_investors: some(names).map((name) => ({ name })),
      });
      let merged: number | undefined;
      const steps: Record<string, () => Promise<unknown>> = {
        create: () => change('create', 'rounds', '', { name: 'Round', ...drawn() }),
        merge: () => change('merge', 'rounds', String(1 + random.below(20)), drawn()),
        delete: () => change('delete', 'rounds', String(1 + random.below(20))),
        restore: () => change('restore', 'rounds', String(1 + random.below(20))),
        import: async () => {
          const rows = [1, 2, 3].map(() => aRound({ slug: `round-${random.below(20)}`, ...drawn() }));
          await store.records.upsertMany(rows);
          await store.compactIndex();
        },
        leave: () => change('delete', 'investors', '4'),
        comeBack: () => change('restore', 'investors', '4'),
        rename: () => change('merge', 'investors', '3', { name: random.pick(['Gamma', 'Gamma Two']) }),
        come: () => store.records.putAll([anInvestor({ name: 'Late', slug: 'late' })]),
        join: async () => {
          const pair = { type: 'investors', keep: 'alpha', other: 'beta' } as const;
          merged = (await store.duplicates.mergeChosen(pair, OPERATOR)).id;
        },
        part: async () => merged !== undefined && (await store.duplicates.undo(merged, OPERATOR)),
      };
      for (let step = 0; step < (isSecondEngine ? 40 : 100); step += 1) {
        const action = random.pick(Object.keys(steps));
        // What is not there cannot be changed.
        await steps[action]?.().catch(() => {});
        for (const type of ['investors', 'people'] as const)
          for await (const json of store.records.walk(type)) {
            const { slug, investments_count, angel_investments } = JSON.parse(json);
            const counted = (type === 'people' ? angel_investments : investments_count) ?? 0;
            expect([step, action, slug, counted]).toEqual([step, action, slug, await funded(type, slug)]);
          }
      }
    },
  );
});
