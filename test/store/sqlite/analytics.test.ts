import { afterEach, describe, expect, test } from 'vitest';
import { isMoney, MEASURED_FIELD, type Measure } from '../../../src/contract/aggregate.ts';
import { MEASURES } from '../../../src/contract/aggregate-rows.ts';
import { CONNECTION_KINDS, type ConnectionsData } from '../../../src/contract/connections.ts';
import { RECORD_TYPES, type RecordType } from '../../../src/contract/entities/index.ts';
import { type FilterName, type Filters, hasFilter } from '../../../src/contract/filters.ts';
import { openStore } from '../../../src/store/open.ts';
import type { AggregateRequest, RecordRef } from '../../../src/store/port/analytics.ts';
import { OPERATOR } from '../../../src/store/port/audit.ts';
import type { RowInput } from '../../../src/store/port/records.ts';
import type { Store } from '../../../src/store/store.ts';
import { aCompany, anEvent, anInvestor, aPerson, aRound } from '../../support/builders.ts';
import { newSqlite } from '../../support/databases.ts';
import { isLong } from '../../support/length.ts';
import {
  type Export,
  type Exported,
  groupsOf,
  type NaivePath,
  naiveEdges,
  naiveGroups,
  naiveOverlap,
  naivePaths,
  rankOf,
} from '../../support/naive-analytics.ts';

/** Numbers that are the same in every run: a small generator of George Marsaglia's xorshift kind. */
function createRandom(seed: number) {
  let state = seed;
  const below = (limit: number): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % limit;
  };
  const one = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item;
  const some = <Item>(items: readonly Item[], most: number): Item[] =>
    Array.from({ length: below(most + 1) }, () => one(items));
  const maybe = <Item>(item: Item): Item | null => (below(4) === 0 ? null : item);
  return { below, one, some, maybe };
}
type Random = ReturnType<typeof createRandom>;

const COUNTRIES = ['France', 'Japan', 'Brazil'];
const STAGES = ['seed', 'series_a', 'grant', 'strategic'];
const slugs = (kind: string, count: number): string[] => Array.from({ length: count }, (_, n) => `${kind}-${n}`);
const COMPANIES = slugs('company', 14);
const INVESTORS = slugs('investor', 9);
const PEOPLE = slugs('person', 12);
const EVENTS = slugs('event', 6);
const ROUNDS = slugs('round', 30);

const dateOf = ({ below }: Random): string =>
  `${2019 + below(4)}-${String(1 + below(12)).padStart(2, '0')}-${String(1 + below(28)).padStart(2, '0')}`;
const moneyOf = ({ below, one }: Random): string =>
  `${one([1, 250_000, 3_000_000_000])}${below(1_000)}.${10 + below(90)}`;
/** Records by slug, and names without a record. */
const named = (random: Random, of: readonly string[], most: number) =>
  random.some([...of, ...of, 'Nobody Known', 'nobody known'], most).map((name) => ({ name }));

function rowOf(random: Random, type: RecordType, slug: string): RowInput {
  const { below, one, some, maybe } = random;
  const common = { name: slug.toUpperCase(), slug, as_of: maybe(dateOf(random)) };
  const location_json = maybe({ city: one(['Paris', 'Kyoto']), country: maybe(one(COUNTRIES)) });
  switch (type) {
    case 'companies':
      return aCompany({
        ...common,
        location_json,
        tags: some(['DeFi', 'defi', 'Gaming', 'NFT'], 3),
        chains: some(['Ethereum', 'Solana'], 2),
        year_founded: maybe(2010 + below(5)),
        founders: named(random, PEOPLE, 1),
        team: named(random, PEOPLE, 1),
        investors: named(random, [...INVESTORS, ...PEOPLE], 1),
      });
    case 'investors':
      return anInvestor({
        ...common,
        location_json,
        focus: some(['DeFi', 'Infra'], 2),
        investor_type: maybe(one(['venture_capital', 'angel'])),
        investments_count: maybe(below(50)),
        portfolio: named(random, COMPANIES, 2),
        founders: named(random, PEOPLE, 1),
      });
    case 'people':
      return aPerson({
        ...common,
        location_json,
        roles: named(random, [...COMPANIES, ...INVESTORS], 2).map(({ name }) => ({
          organization: name,
          start_date: maybe(dateOf(random)),
        })),
        events: named(random, EVENTS, 1),
      });
    case 'events':
      return anEvent({
        ...common,
        location_json,
        start_date: maybe(dateOf(random)),
        event_type: maybe(one(['conference', 'hackathon'])),
        organizers: named(random, [...COMPANIES, ...PEOPLE], 1),
        speakers: named(random, PEOPLE, 3),
        sponsors: named(random, INVESTORS, 1),
      });
    default:
      return aRound({
        ...common,
        company: one([...COMPANIES, 'Company Unknown']),
        announced_date: maybe(dateOf(random)),
        stage: maybe(one(STAGES)),
        amount_usd: maybe(moneyOf(random)),
        lead_investors: named(random, INVESTORS, 2),
        investors: named(random, [...INVESTORS, ...PEOPLE, 'company-3'], 4),
        sources: [{ source: one(['https://a.example', EDITORS]), as_of: null, fields: ['amount_usd'] }],
      });
  }
}

const EDITORS = 'web3-bi editors@0.1.0:rounds.ndjson';

const SLUGS: Readonly<Record<RecordType, readonly string[]>> = {
  companies: COMPANIES,
  investors: INVESTORS,
  people: PEOPLE,
  events: EVENTS,
  rounds: ROUNDS,
};

/** Records in any order, of which some are written again and some are deleted and some of those restored. */
async function fill(store: Store, random: Random): Promise<void> {
  const rows = RECORD_TYPES.flatMap((type) => SLUGS[type].map((slug) => rowOf(random, type, slug)));
  const shuffled = rows.map((row) => [random.below(1_000), row] as const).sort(([one], [other]) => one - other);
  await store.records.putAll(shuffled.map(([, row]) => row));
}

async function change(store: Store, random: Random, type = random.one(RECORD_TYPES)): Promise<void> {
  const slug = random.one(SLUGS[type]);
  const isThere = (await store.records.get(type, slug)) !== undefined;
  if (isThere && random.below(3) === 0)
    await store.records.change({ action: 'delete', type, target: slug, author: OPERATOR });
  else if (isThere) await store.records.upsertMany([rowOf(random, type, slug)]);
  else if (random.below(2) === 0)
    await store.records.change({ action: 'restore', type, target: slug, author: OPERATOR });
  else await store.records.putAll([rowOf(random, type, slug)]);
}

async function rename(store: Store, random: Random): Promise<void> {
  const type = random.one(RECORD_TYPES);
  const target = random.one(SLUGS[type]);
  if ((await store.records.get(type, target)) === undefined) return;
  const input = { name: `Renamed ${random.below(100)}` };
  await store.records.change({ action: 'merge', type, target, author: OPERATOR, input });
}

/** Any question about all records or some. */
function anAggregate(random: Random): AggregateRequest {
  const { below, one } = random;
  const of = one(RECORD_TYPES);
  const names = groupsOf(of);
  const groups = [...new Set([one(names), ...(below(2) === 0 ? [one(names)] : [])])];
  const measures = [...new Set([one(measuresOf(of)), one(measuresOf(of))])];
  const by = one(['measure', 'group'] as const);
  const column = below(by === 'measure' ? measures.length : groups.length);
  const isDescending = by === 'measure' || below(2) === 0;
  const filters = one<Filters>([
    {},
    {},
    { updated_since: `${2019 + below(4)}-06-01` },
    hasFilter(of, 'country') ? { country: { mode: one(['any', 'none', 'except']), values: [one(COUNTRIES)] } } : {},
  ]);
  return { of, groups, measures, order: { by, column, isDescending }, top: 1 + below(30), filters };
}

async function exportOf(store: Store): Promise<Export> {
  const all: Record<string, Exported[]> = {};
  for (const type of RECORD_TYPES) {
    all[type] = [];
    for await (const json of store.records.walk(type)) all[type].push(JSON.parse(json) as Exported);
  }
  return all;
}

const opened: Store[] = [];
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
});
async function open(url?: string): Promise<Store> {
  const store = await openStore(url ?? (await newSqlite()).url);
  opened.push(store);
  return store;
}

const measuresOf = (type: RecordType): readonly Measure[] =>
  type === 'people' || type === 'events' ? ['count'] : MEASURES;

/** The rows of an answer by their groups, records as `type id`. */
function byGroup(all: Export, rows: readonly (readonly unknown[])[], groups: number): Map<string, string[]> {
  const shown = (cell: any): unknown =>
    cell !== null && typeof cell === 'object'
      ? `${cell.type} ${all[cell.type]?.find(({ slug }) => slug === cell.slug)?.id}`
      : cell;
  return new Map(rows.map((row) => [JSON.stringify(row.slice(0, groups).map(shown)), row.slice(groups).map(String)]));
}

const byCount = { by: 'measure', column: 0, isDescending: true } as const;

async function expectGroups(store: Store, all: Export, of: RecordType, groups: readonly string[]): Promise<void> {
  const measures = measuresOf(of);
  const ask = (some: readonly Measure[], top: number) =>
    store.records.aggregate({ of, groups, measures: some, order: byCount, top, filters: {} });
  const counted = await ask(['count'], 100_000);
  const data = await ask(measures, 100_000);
  // What was grouped for one question is there for the next.
  expect(await ask(measures, 99_999)).toEqual(data);
  expect(counted.rows).toEqual(data.rows.map((row) => row.slice(0, groups.length + 1)));
  expect(await ask(['count'], 99_999)).toEqual(counted);
  const expected = naiveGroups(all, all[of] ?? [], { groups, measures });
  const found = byGroup(all, data.rows, groups.length);
  expect(Object.fromEntries([...found].sort()), `${of} by ${groups}`).toEqual(Object.fromEntries([...expected].sort()));
  expect(data.groups).toBe(expected.size);
  expect(data.covered.records).toBe(all[of]?.length);
  const field = MEASURED_FIELD[of] ?? '';
  const known = (all[of] ?? []).map((record) => record[field]).filter((amount) => amount != null);
  const cents = known.reduce((sum: number, amount) => sum + Math.round(Number(amount) * 100), 0);
  const sum = isMoney(field) ? (cents / 100).toFixed(2) : cents / 100;
  expect(data.covered.sum, `sum of ${of}`).toBe(known.length === 0 ? undefined : sum);
  const unsourced = (all[of] ?? []).flatMap((record) => {
    if (of === 'companies')
      return record['unsourced_funding_usd'] == null ? [] : { ...record, [field]: record['unsourced_funding_usd'] };
    return (record['sources'] as { source: string }[])[0]?.source === EDITORS ? record : [];
  });
  const unsourcedCents = unsourced.reduce((total, record) => total + Math.round(Number(record[field] ?? 0) * 100), 0);
  expect(data.covered.unsourced, `unsourced of ${of}`).toEqual(
    unsourced.length === 0 ? undefined : { records: unsourced.length, sum: (unsourcedCents / 100).toFixed(2) },
  );
  const unsourcedGroups = naiveGroups(all, unsourced, { groups, measures: ['sum'] });
  const unsourcedRows = [...found.keys()].map((key) => unsourcedGroups.get(key)?.[0].replace('null', '0.00') ?? '0.00');
  expect(data.covered.unsourced_by_row, `unsourced by ${groups}`).toEqual(
    unsourced.length === 0 ? undefined : unsourcedRows,
  );
  if (of === 'rounds')
    expect(counted.covered.unsourced_by_row?.every(Number.isInteger)).toBe(unsourced.length === 0 ? undefined : true);
  expect(data.covered.overlapping).toBe(naiveOverlap(all, all[of] ?? [], groups));
  if (data.covered.grants_by_row === undefined) return;
  const grants = naiveGroups(all, all[of]?.filter(({ stage }) => stage === 'grant') ?? [], { groups, measures });
  expect(data.covered.grants_by_row).toEqual([...found.keys()].map((key) => Number(grants.get(key)?.[0] ?? 0)));
}

describe('an aggregate', () => {
  test('is what a naive computation over the export gives, for every group, before and after changes', async () => {
    for (const seed of [11, 42]) {
      const random = createRandom(seed);
      const store = await open();
      await fill(store, random);
      for (let turn = 0; turn < 2; turn += 1) {
        const all = await exportOf(store);
        for (const of of RECORD_TYPES) {
          for (const group of groupsOf(of)) {
            await expectGroups(store, all, of, [group]);
            const other = random.one(groupsOf(of));
            if (other !== group) await expectGroups(store, all, of, [group, other]);
          }
        }
        for (let count = 0; count < 25; count += 1) await change(store, random);
      }
    }
  });

  test('is the same after changes of one type as a naive computation, for every group of every type', async () => {
    const random = createRandom(23);
    const store = await open();
    await fill(store, random);
    for (const type of RECORD_TYPES) {
      for (let count = 0; count < 6; count += 1) await change(store, random, type);
      const all = await exportOf(store);
      for (const of of RECORD_TYPES) for (const group of groupsOf(of)) await expectGroups(store, all, of, [group]);
    }
  });

  test('follows any history of changes to what a process computes that has just started', async () => {
    for (const seed of isLong ? [3, 19] : [3]) {
      const random = createRandom(seed);
      const { url } = await newSqlite();
      const store = await open(url);
      await fill(store, random);
      for (let turn = 0; turn < 8; turn += 1) {
        // What has been asked before is followed.
        for (let count = 0; count < 40; count += 1) await store.records.aggregate(anAggregate(random));
        for (let count = 0; count < 5; count += 1) await change(store, random);
        await rename(store, random);
        const fresh = await open(url);
        for (let count = 0; count < 60; count += 1) {
          const request = anAggregate(random);
          const expected = await fresh.records.aggregate(request);
          expect(await store.records.aggregate(request), JSON.stringify(request)).toEqual(expected);
        }
      }
      const all = await exportOf(store);
      for (const of of RECORD_TYPES) for (const group of groupsOf(of)) await expectGroups(store, all, of, [group]);
    }
  });

  test('follows a company to the rounds that inherit its values, and more changes than are worth following', async () => {
    const store = await open();
    const rounds = Array.from({ length: 6_000 }, (_, n) =>
      aRound({ name: `r${n}`, slug: `r-${n}`, company: `Company ${n % 3}`, amount_usd: `${n}.00` }),
    );
    const companies = (tags: readonly string[]) =>
      tags.map((tag, n) => aCompany({ name: `Company ${n}`, slug: `company-${n}`, tags: [tag, 'All'] }));
    const expectAll = async () => {
      const all = await exportOf(store);
      await expectGroups(store, all, 'rounds', ['tag']);
      await expectGroups(store, all, 'rounds', ['tag', 'company']);
    };
    await store.records.putAll([...companies(['DeFi', 'NFT', 'DeFi']), ...rounds.slice(0, 300)]);
    await expectAll();
    await store.records.putAll(companies(['NFT', 'NFT', 'Gaming']));
    await expectAll();
    await store.records.putAll(rounds);
    await expectAll();
  });

  test('puts groups in order: largest first, unknown amounts after known ones, a group without a value last', async () => {
    const store = await open();
    await store.records.putAll([
      aRound({ name: 'a', stage: 'seed', amount_usd: '5.00' }),
      aRound({ name: 'b', stage: 'seed', amount_usd: '10.01' }),
      aRound({ name: 'c', stage: 'series_a', amount_usd: '100.00' }),
      aRound({ name: 'd', stage: 'grant' }),
      aRound({ name: 'e', amount_usd: '999.00' }),
    ]);
    const request = {
      of: 'rounds',
      groups: ['stage'],
      measures: ['sum', 'average', 'median'],
      top: 10,
      filters: {},
    } as const;
    const bySum = await store.records.aggregate({ ...request, order: byCount });
    expect(bySum).toEqual({
      columns: ['stage', 'sum_amount_usd', 'average_amount_usd', 'median_amount_usd'],
      rows: [
        ['series_a', '100.00', '100.00', '100.00'],
        ['seed', '15.01', '7.51', '7.51'],
        ['grant', null, null, null],
        [null, '999.00', '999.00', '999.00'],
      ],
      groups: 4,
      covered: {
        records: 5,
        on_record: 4,
        known: 4,
        unknown: 1,
        sum: '1114.01',
        average: '278.50',
        median: '55.01',
        ungrouped: 1,
        ungrouped_sum: '999.00',
        from: null,
        to: null,
        grants: 1,
        known_by_row: [1, 2, 0, 1],
      },
    });
    const smallest = await store.records.aggregate({ ...request, order: { ...byCount, isDescending: false } });
    expect(smallest.rows.map(([stage]) => stage)).toEqual(['seed', 'series_a', 'grant', null]);
    const byName = await store.records.aggregate({
      ...request,
      order: { by: 'group', column: 0, isDescending: true },
      top: 2,
    });
    expect(byName.rows.map(([stage]) => stage)).toEqual(['series_a', 'seed']);
  });

  test('counts only what passes the filters, and says whose fields are unknown', async () => {
    const store = await open();
    const random = createRandom(5);
    await fill(store, random);
    const filters = {
      country: { mode: 'any', values: ['france', 'japan'] },
      founded_from: 2011,
      founded_to: 2014,
    } as const;
    const isPlaced = ({ location_json }: Exported) => ['France', 'Japan'].includes(location_json?.country ?? '');
    let matched = 0;
    const isFounded = ({ year_founded: year }: Exported) => year !== null && year >= 2011 && year <= 2014;
    for (let turn = 0; turn < 4; turn += 1) {
      const all = await exportOf(store);
      const request = { of: 'companies', measures: ['count'], order: byCount, top: 100, filters } as const;
      const data = await store.records.aggregate({ ...request, groups: ['tag'] });
      const companies = all['companies'] ?? [];
      const matching = companies.filter((each) => isPlaced(each) && isFounded(each));
      matched += matching.length;
      const expected = naiveGroups(all, matching, { groups: ['tag'], measures: ['count'] });
      expect(Object.fromEntries(byGroup(all, data.rows, 1))).toEqual(Object.fromEntries(expected));
      const unplaced = companies.filter((each) => isFounded(each) && each.location_json?.country == null).length;
      const undated = companies.filter((each) => isPlaced(each) && each['year_founded'] === null).length;
      expect(data.covered.left_out ?? {}).toEqual({
        ...(unplaced > 0 && { country: unplaced }),
        ...(undated > 0 && { founded_from: undated, founded_to: undated }),
      });
      for (let count = 0; count < 25; count += 1) await change(store, random);
    }
    expect(matched).toBeGreaterThan(0);
  });

  test('of rounds by investor is of the investors of a kind alone, as a naive computation over the export has it', async () => {
    const store = await open();
    const random = createRandom(31);
    await fill(store, random);
    let counted = 0;
    for (let turn = 0; turn < 3; turn += 1) {
      const all = await exportOf(store);
      const ofKind = (all['investors'] ?? []).filter((each) => each['investor_type'] === 'venture_capital');
      const isOfKind = ({ type, id }: Exported) => type === 'investors' && ofKind.some((each) => each.id === id);
      for (const groups of [['investor'], ['lead_investor'], ['stage', 'investor'], ['lead_investor', 'investor']]) {
        const isByLeads = groups.includes('lead_investor');
        const rounds = (all['rounds'] ?? []).flatMap((each) => {
          const leads = each['lead_investors'].filter(isOfKind);
          const others = each['investors'].filter(isOfKind);
          const matching = isByLeads ? leads : [...leads, ...others];
          return matching.length === 0 ? [] : { ...each, lead_investors: leads, investors: others };
        });
        const filters: Filters = { investor_type: { mode: 'any', values: ['venture_capital'] } };
        const request = { of: 'rounds', groups, order: byCount, top: 1_000, filters } as const;
        const data = await store.records.aggregate({ ...request, measures: MEASURES });
        const expected = naiveGroups(all, rounds, { groups, measures: MEASURES });
        expect(Object.fromEntries(byGroup(all, data.rows, groups.length))).toEqual(Object.fromEntries(expected));
        expect([data.groups, data.covered.records]).toEqual([expected.size, rounds.length]);
        expect(data.covered.overlapping).toBe(naiveOverlap(all, rounds, groups));
        counted += rounds.length;
      }
      for (let count = 0; count < 25; count += 1) await change(store, random);
    }
    expect(counted).toBeGreaterThan(0);
  });

  test('counts what a search with the same filters finds, for every value and mode of a filter', async () => {
    const store = await open();
    const random = createRandom(8);
    await fill(store, random);
    const values: Readonly<Partial<Record<FilterName, readonly string[]>>> = {
      country: ['France', 'JP', 'Brazil'],
      city: ['paris', 'Kyoto'],
      tag: ['defi', 'Gaming', 'NFT', 'Infra'],
      chain: ['ETH', 'Solana'],
      funding_stage: ['seed', 'Series A', 'grant'],
      investor_type: ['angel', 'VC'],
      event_type: ['hackathon'],
    };
    const choices = Object.entries(values).flatMap(([name, some]) =>
      (['any', 'all', 'none', 'except'] as const).flatMap((mode) => [
        ...some.map((value): Filters => ({ [name]: { mode, values: [value] } })),
        { [name]: { mode, values: some } } as Filters,
      ]),
    );
    let counted = 0;
    for (let turn = 0; turn < 2; turn += 1) {
      for (const of of RECORD_TYPES) {
        const byTwo: Filters = { verified: false, country: { mode: 'none', values: ['France'] } };
        const seeded: Filters = { from: '2020-01-01', funding_stage: { mode: 'any', values: ['seed'] } };
        const investors = (['any', 'none', 'except'] as const).map((mode) => ({
          investor: { mode, values: [INVESTORS[0] as string] },
        }));
        const backed: Filters = { to: '2021-06-30', ...investors[0] };
        const periods: readonly Filters[] = [{ from: '2020-06-01', to: '2021-06-30' }, seeded, backed, ...investors];
        const flags = [true, false].flatMap((value): Filters[] => [{ verified: value }, { sourced: value }]);
        for (const filters of [...choices, ...flags, byTwo, ...periods]) {
          if (!(Object.keys(filters) as FilterName[]).every((name) => hasFilter(of, name))) continue;
          const request = {
            of,
            groups: groupsOf(of).slice(0, 1),
            measures: ['count'],
            order: byCount,
            top: 1,
          } as const;
          const { covered } = await store.records.aggregate({ ...request, filters });
          const window = { offset: 0, limit: 1 };
          const page = await store.records.search({ types: [of], text: '', filters, window });
          const { total: records, unknown, unknownGrants } = page;
          const { left_out = {}, left_out_grants } = covered;
          expect({ of, filters, records: covered.records, left_out, left_out_grants }).toEqual({
            ...{ of, filters, records, left_out: unknown },
            left_out_grants: unknownGrants,
          });
          counted += covered.records;
        }
      }
      for (let count = 0; count < 25; count += 1) await change(store, random);
    }
    expect(counted).toBeGreaterThan(0);
  });

  test('remembers nothing past a change that touches no group', async () => {
    const store = await open();
    await store.records.putAll([aCompany({ name: 'Alpha' }), aRound({ name: 'a', company: 'Alpha' })]);
    const request = { measures: ['count'], order: byCount, top: 1 } as const;
    const names = async () =>
      (await store.records.aggregate({ ...request, of: 'rounds', groups: ['company'], filters: {} })).rows;
    const updated = async () => {
      const filters = { updated_since: '2025-01-01' };
      return (await store.records.aggregate({ ...request, of: 'companies', groups: ['tag'], filters })).rows;
    };
    expect([await names(), await updated()]).toMatchObject([[[{ name: 'Alpha' }, 1]], []]);
    const change = { action: 'merge', type: 'companies', target: 'alpha', author: OPERATOR } as const;
    await store.records.change({ ...change, input: { name: 'Beta', as_of: '2025-06-01' } });
    expect([await names(), await updated()]).toMatchObject([[[{ name: 'Beta' }, 1]], [[null, 1]]]);
  });

  test('counts each linked record once while a list of them grows', async () => {
    const store = await open();
    const names = Array.from({ length: 2_000 }, (_, n) => `Fund ${n}`);
    const groups = async () => {
      const request = { of: 'rounds', groups: ['investor'], measures: ['count'], order: byCount, top: 1 } as const;
      const { rows, groups } = await store.records.aggregate({ ...request, filters: {} });
      return [rows[0]?.[1], groups];
    };
    const put = async (slug: string, count: number) =>
      store.records.putAll([aRound({ name: slug, slug, investors: names.slice(0, count).map((name) => ({ name })) })]);
    await put('small', 3);
    // Follows all changes at the end, when the lists have been moved.
    const byStage = async () => expectGroups(store, await exportOf(store), 'rounds', ['stage', 'investor']);
    await byStage();
    for (let count = 1_992; count <= 2_000; count += 1) {
      await put('large', count);
      expect(await groups()).toEqual([2, count]);
    }
    await byStage();
  });

  test('shows what another process has written', async () => {
    const { url } = await newSqlite();
    const [one, other] = [await open(url), await open(url)];
    const count = async (store: Store): Promise<number> => {
      const request = {
        of: 'companies',
        groups: ['tag'],
        measures: ['count'],
        order: byCount,
        top: 1,
        filters: {},
      } as const;
      return (await store.records.aggregate(request)).covered.records;
    };
    expect(await count(other)).toBe(0);
    await one.records.putAll([aCompany({ name: 'A' }), aCompany({ name: 'B' })]);
    expect([await count(one), await count(other)]).toEqual([2, 2]);
  });

  test('is derived when a database of an earlier version is opened', async () => {
    const database = await newSqlite();
    const earlier = await openStore(database.url);
    await fill(earlier, createRandom(9));
    await earlier.close();
    await database.execute("DELETE FROM record_facts; DELETE FROM search_definitions WHERE name = 'current'");
    const store = await open(database.url);
    await expectGroups(store, await exportOf(store), 'rounds', ['investor', 'tag']);
  });

  test('chooses medians among many amounts', async () => {
    const store = await open();
    const { below } = createRandom(3);
    // Of many different amounts, of four and of one.
    const stages = { seed: 1_000_000_000, strategic: 4, grant: 1 };
    const rows = Object.entries(stages).flatMap(([stage, amounts]) =>
      Array.from({ length: 1_601 }, (_, n) =>
        aRound({
          name: `r${n}`,
          slug: `r-${stage}-${n}`,
          company: 'None',
          amount_usd: `${below(amounts)}.00`,
          stage,
        }),
      ),
    );
    await store.records.putAll(rows);
    const all = await exportOf(store);
    await expectGroups(store, all, 'rounds', ['stage']);
  });

  test('groups by two lists of names that are both long', async () => {
    const store = await open();
    const named = (kind: string, n: number) => [{ name: `${kind} ${n % 600}` }, { name: `${kind} ${n % 7}` }];
    const rows = Array.from({ length: 900 }, (_, n) =>
      aRound({
        name: `r${n}`,
        slug: `r-${n}`,
        company: `Company ${n}`,
        amount_usd: `${n}.00`,
        investors: named('Fund', n),
      }),
    );
    await store.records.putAll(rows);
    await expectGroups(store, await exportOf(store), 'rounds', ['company', 'investor']);
  });
});

const keyOfPath = (all: Export, { nodes, edges }: ConnectionsData['paths'][number]): string => {
  const key = ({ type, slug }: { type: string; slug: string }): string =>
    `${type} ${all[type]?.find((each) => each['slug'] === slug)?.id}`;
  return JSON.stringify([nodes.map(key), edges.map(({ kind, date, record }) => [kind, date, key(record)])]);
};
const keyOfNaive = ({ nodes, edges }: NaivePath): string =>
  JSON.stringify([nodes, edges.map(({ kind, date, record }) => [kind, date, record])]);

function compareRanks(one: NaivePath, other: NaivePath): number {
  const [left, right] = [rankOf(one), rankOf(other)];
  const place = left.findIndex((value, index) => value !== right[index]);
  return place < 0 ? 0 : (left[place] as number) - (right[place] as number);
}

/** Whether a path is the first over its records; the direct ones all are. */
function isBestOfItsRecords(): (path: NaivePath | undefined) => boolean {
  const known = new Set<string>();
  return (path) => {
    const key = path?.nodes.join('|') ?? '';
    const isFirst = path?.edges.length === 1 || !known.has(key);
    known.add(key);
    return isFirst;
  };
}

describe('connections', () => {
  test('are the best of all paths that there are, of every kind and between all types', async () => {
    const random = createRandom(77);
    const store = await open();
    await fill(store, random);
    let found = 0;
    for (let turn = 0; turn < 3; turn += 1) {
      const all = await exportOf(store);
      const edges = naiveEdges(all);
      const places = RECORD_TYPES.flatMap((type) => (all[type] ?? []).map(({ id }) => ({ type, id })));
      for (let count = 0; count < 60; count += 1) {
        const [from, to] = [random.one(places), random.one(places)];
        if (from === to) continue;
        const kinds = random.below(2) === 0 ? CONNECTION_KINDS : [random.one(CONNECTION_KINDS)];
        const [hopsMax, limit] = [1 + random.below(4), 1 + random.below(8)];
        const data = await store.records.connect({ from, to, hopsMax, limit, kinds });
        const ends = { from: `${from.type} ${from.id}`, to: `${to.type} ${to.id}` };
        const every = naivePaths(edges, { ...ends, hopsMax, kinds }).sort(compareRanks);
        const byKey = new Map(every.map((path) => [keyOfNaive(path), path]));
        const expected = every.filter(isBestOfItsRecords());
        const paths = data.paths.map((path) => byKey.get(keyOfPath(all, path)));
        expect(data.complete).toBe(true);
        expect(paths).not.toContain(undefined);
        expect(new Set(paths).size).toBe(paths.length);
        expect(paths.filter(isBestOfItsRecords())).toEqual(paths);
        expect(paths.map((path) => rankOf(path as NaivePath))).toEqual(expected.slice(0, limit).map(rankOf));
        found += paths.length;
      }
      for (let count = 0; count < 25; count += 1) await change(store, random);
    }
    expect(found).toBeGreaterThan(100);
  });

  test('lead through rounds with a page before newer ones that only the editors state', async () => {
    const store = await open();
    const round = (name: string, announced_date: string, source: string) =>
      aRound({
        ...{ name, company: `${name} Labs`, announced_date, lead_investors: [] },
        investors: [name.slice(0, 5) === 'Paged' ? 'Sourced' : 'Stated', name.endsWith('A') ? 'One' : 'Other'],
        sources: [{ source, as_of: null, fields: ['name', 'company', 'announced_date', 'investors'] }],
      });
    await store.records.putAll([
      ...['One', 'Other', 'Sourced', 'Stated'].map((name) => anInvestor({ name, portfolio: [] })),
      ...['Paged A', 'Paged B'].map((name) => round(name, '2020-01-01', 'https://a.example')),
      ...['Told A', 'Told B'].map((name) => round(name, '2025-01-01', EDITORS)),
    ]);
    const [[from], [to]] = await Promise.all(['One', 'Other'].map((name) => store.records.named(name)));
    const { paths } = await store.records.connect({
      ...{ from: from as RecordRef, to: to as RecordRef },
      ...{ hopsMax: 2, limit: 5, kinds: CONNECTION_KINDS },
    });
    expect(paths.map(({ nodes }) => nodes[1]?.name)).toEqual(['Sourced', 'Stated']);
  });

  test('say that the search was cut when one record is connected with very many', async () => {
    const store = await open();
    const crowd = Array.from({ length: 400 }, (_, n) => ({ name: `p${n}` }));
    await store.records.putAll([
      ...crowd.map(({ name }) => aPerson({ name })),
      aPerson({ name: 'Far Away' }),
      aCompany({ name: 'Elsewhere' }),
      aPerson({ name: 'Far Off', roles: [{ organization: 'Elsewhere', title: 'Founder' }] }),
      ...slugs('con', 12).map((slug) => anEvent({ name: slug, slug, speakers: crowd })),
    ]);
    const [from] = await store.records.named('p0');
    const reasons = {
      'far away': { reason: 'No path: Far Away has no known rounds, roles or events.', advice: null },
      'far off': {
        reason: 'No path found among those of up to 4 hops that were tried.',
        advice: 'kinds tries fewer',
      },
    };
    for (const [name, why] of Object.entries(reasons)) {
      const [to] = await store.records.named(name);
      const ends = { from, to } as Pick<Parameters<Store['records']['connect']>[0], 'from' | 'to'>;
      const data = await store.records.connect({ ...ends, hopsMax: 4, limit: 1, kinds: CONNECTION_KINDS });
      expect(data).toEqual({ paths: [], ...why, complete: false });
    }
  });

  test('say of no record that it has no connection where the search was cut before one', async () => {
    const store = await open();
    const roles = [{ organization: 'Busy', title: 'Partner' }];
    await store.records.putAll([anInvestor({ name: 'Busy' }), aPerson({ name: 'Partner', roles })]);
    await store.records.putAll(slugs('held', 2_600).map((slug) => aCompany({ name: slug, slug, investors: ['Busy'] })));
    await store.records.putAll([aPerson({ name: 'Far Away' })]);
    const [[from], [to]] = [await store.records.named('busy'), await store.records.named('far away')];
    const ends = { from, to } as Pick<Parameters<Store['records']['connect']>[0], 'from' | 'to'>;
    const { reason } = await store.records.connect({ ...ends, hopsMax: 4, limit: 1, kinds: ['role'] });
    expect(reason).toBe('No path: Far Away has no known connection of the kind role.');
  });

  test('are looked for further where none is found within the first bound', async () => {
    const store = await open();
    const crowd = slugs('fund', 8);
    await store.records.putAll([
      aRound({ name: 'Meeting', company: 'Shared', investors: ['Busy', 'Quiet'] }),
      aRound({ name: 'Near Seed', company: 'Near', investors: ['Busy'] }),
      aRound({ name: 'Far Seed', company: 'Far', investors: ['Quiet', 'Other'] }),
      ...['Near', 'Far', 'Shared'].map((name) => aCompany({ name })),
      ...['Busy', 'Quiet', 'Other', ...crowd].map((name) => anInvestor({ name })),
      ...slugs('deal', 600).map((name) => aRound({ name, slug: name, company: name, investors: ['Busy', ...crowd] })),
    ]);
    const [[from], [to]] = [await store.records.named('near'), await store.records.named('far')];
    const ends = { from, to } as Pick<Parameters<Store['records']['connect']>[0], 'from' | 'to'>;
    const data = await store.records.connect({ ...ends, hopsMax: 3, limit: 5, kinds: CONNECTION_KINDS });
    expect(data.paths.map(({ nodes }) => nodes.map(({ name }) => name))).toEqual([['Near', 'Busy', 'Quiet', 'Far']]);
    expect(data.complete).toBe(true);
  });

  test('cut those by way of an event first', async () => {
    const store = await open();
    const events = slugs('con', 12).map((name) => ({ name }));
    await store.records.putAll([
      ...events.map(({ name }) => anEvent({ name, slug: name })),
      ...Array.from({ length: 400 }, (_, n) => aPerson({ name: `p${n}`, events })),
      anInvestor({ name: 'Between Fund' }),
      aPerson({ name: 'Far Away' }),
      aRound({ name: 'Near Round', company: 'Near', investors: ['p0', 'Between Fund'] }),
      aRound({ name: 'Far Round', company: 'Far', investors: ['Between Fund', 'Far Away'] }),
    ]);
    const [from] = await store.records.named('p0');
    const [to] = await store.records.named('far away');
    const ends = { from, to } as Pick<Parameters<Store['records']['connect']>[0], 'from' | 'to'>;
    const data = await store.records.connect({ ...ends, hopsMax: 2, limit: 5, kinds: CONNECTION_KINDS });
    expect(data.complete).toBe(false);
    expect(data.paths.map(({ edges }) => edges.map(({ record }) => record.name))).toEqual([
      ['Near Round', 'Far Round'],
    ]);
  });
});
