import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { NamedType, RecordType } from '../../src/contract/entities/index.ts';
import { relatedLists } from '../../src/contract/relations.ts';
import type { ImportReport } from '../../src/store/import/report.ts';
import { openStore } from '../../src/store/open.ts';
import { OPERATOR } from '../../src/store/port/audit.ts';
import type { Store } from '../../src/store/store.ts';
import { aCompany, anEvent, anInvestor, aPerson, aRound } from '../support/builders.ts';
import { engine } from '../support/databases.ts';
import { importText, ndjson } from '../support/importing.ts';

let store: Store;
let seconds = 0;
beforeEach(async () => {
  const { url } = await engine.newDatabase();
  // The clock advances on each call, so that times are distinct.
  store = await openStore(url, () => {
    seconds += 1;
    return new Date(Date.UTC(2026, 10, 21) + seconds * 1_000);
  });
});
afterEach(() => store.close());

const get = async (type: RecordType, idOrSlug: string | number) => {
  const found = await store.records.get(type, String(idOrSlug));
  return found && JSON.parse(found.json);
};
const slugsFor = async (text: string, types: readonly RecordType[] = ['companies']) => {
  const { results } = await store.records.search({ types, text, window: { offset: 0, limit: 20 } });
  return results.map((json) => JSON.parse(json).slug);
};
const matched = (type: NamedType, ...rows: object[]) => importText(store, type, ndjson(...rows));
/** The line, the likeliest record, the reason and what becomes of rows. */
const shown = (rows: ImportReport['matches']['joined']) =>
  rows.map(({ line, options: [first], choice }) => [line, first?.slug, first?.rule, choice]);
const open = () => store.duplicates.list({ limit: 50 });
const pairs = async () =>
  (await open()).map(({ rule, score, records }) => [...records.map(({ slug }) => slug), rule, score]);
/** All records as they are, without what each write sets anew. */
const everything = async () => {
  const all: unknown[] = [];
  for (const type of ['companies', 'people', 'investors', 'events', 'rounds'] as const)
    for await (const json of store.records.walk(type)) all.push({ ...JSON.parse(json), updated_at: '' });
  return all;
};

const UNISWAP = {
  name: 'Uniswap',
  slug: 'uniswap',
  website: 'https://uniswap.org',
  twitter: 'https://x.com/Uniswap',
  github: 'https://github.com/Uniswap',
  chains: ['Ethereum'],
  token_symbols: ['UNI'],
};

describe('an import that matches', () => {
  test.each([
    ['domain', { name: 'Uniswap Labs', website: 'https://app.uniswap.org/', total_employees: 90 }],
    ['handle', { name: 'Uniswap Protocol', twitter: '@uniswap', total_employees: 90 }],
    ['organisation', { name: 'UNISWAP', github: 'uniswap', total_employees: 90 }],
    ['name and ticker', { name: 'Uniswap Protocol', token_symbols: ['UNI'], total_employees: 90 }],
    ['name and chain', { name: 'uniswap', chains: ['Ethereum'], total_employees: 90 }],
    ['name', { name: 'Uniswap', total_employees: 90 }],
    ['name', { name: 'Uniswap, Inc.', total_employees: 90 }],
    [
      'same domain and handle',
      { name: 'Hayden Books', website: 'https://uniswap.org', twitter: 'uniswap', total_employees: 90 },
    ],
  ])('joins a row by %s, says so, and keeps its name as an alias', async (rule, row) => {
    await store.records.putAll([aCompany({ ...UNISWAP, sources: [{ source: 'a', fields: ['name'] }] })]);
    const report = await matched('companies', row);
    expect(report).toMatchObject({ created: 0, updated: 1 });
    expect(shown(report.matches.joined)).toEqual([[1, 'uniswap', rule, 'join:uniswap']]);
    expect(report.matches).toMatchObject({ doubtful: [], counts: { joined: { [rule]: 1 }, doubtful: {} } });
    const kept = await get('companies', 'uniswap');
    expect(kept).toMatchObject({ id: 1, name: 'Uniswap', total_employees: 90, sources: [{ source: 'a' }] });
    expect(kept.aliases).toEqual(/uniswap$/i.test(row.name) ? [] : [row.name]);
    expect(await matched('companies', row)).toMatchObject({ unchanged: 1 });
    expect(await open()).toEqual([]);
  });

  test.each([
    ['same name, other domain', { name: 'Uniswap', website: 'https://uniswap-games.example' }],
    ['same name', { name: 'Uniswap Protocol' }],
    ['similar name', { name: 'Uniswap Labs' }],
    ['same domain', { name: 'Hayden Books', website: 'https://uniswap.org' }],
    ['same handle', { name: 'Unicorn Swapping', twitter: 'uniswap' }],
    ['same organisation', { name: 'Permit Two', github: 'https://github.com/uniswap' }],
  ])('leaves a row apart for %s, and asks about it once', async (rule, row) => {
    await store.records.putAll([aCompany(UNISWAP)]);
    const report = await matched('companies', row);
    expect(report).toMatchObject({ created: 1, updated: 0 });
    expect(shown(report.matches.doubtful)).toEqual([[1, 'uniswap', rule, 'add']]);
    expect(await pairs()).toEqual([['uniswap', expect.any(String), rule, expect.any(Number)]]);
    expect(await matched('companies', row)).toMatchObject({ created: 0, unchanged: 1 });
    expect(await pairs()).toHaveLength(1);
    expect(await get('companies', 'uniswap')).toMatchObject({ aliases: [], website: 'https://uniswap.org' });
  });

  test('joins rows of one file to each other, people by account or company, and events by day', async () => {
    expect(
      await matched('companies', { name: 'Lido', website: 'lido.fi' }, { name: 'Lido Finance', website: 'lido.fi' }),
    ).toMatchObject({ created: 1, updated: 1 });
    await store.records.putAll([
      aPerson({
        name: 'Ada Example',
        github: 'https://github.com/ada',
        roles: [{ organization: 'Lido', title: 'CTO' }],
      }),
      anEvent({ name: 'ExampleCon 2025', start_date: '2025-05-05' }),
    ]);
    const people = await matched(
      'people',
      { name: 'Ada E. Example', github: 'ada' },
      { name: 'Ada Example', slug: 'ada-of-lido', roles: [{ organization: 'Lido' }] },
      { name: 'Ada Example', roles: [{ organization: 'Elsewhere' }] },
    );
    expect(shown(people.matches.joined).map(([, , rule]) => rule)).toEqual(['account', 'name and context']);
    expect(shown(people.matches.doubtful)).toEqual([[3, 'ada-example', 'same name', 'add']]);
    const events = await matched('events', { name: 'examplecon 2025', start_date: '2025-05-05', venue: 'Hall 1' });
    expect(events).toMatchObject({ created: 0, updated: 1, matches: { joined: [], doubtful: [] } });
    const later = [{ start_date: '2025-05-09' }, { start_date: '2026-05-05' }];
    const editions = await matched('events', ...later.map((given) => ({ name: 'ExampleCon 2025', ...given })));
    expect(editions.matches?.doubtful.map(({ line }) => line)).toEqual([1]);
  });
});

describe('a choice', () => {
  const of = (choices: Readonly<Record<number, string>>, rows: readonly object[], unsure?: 'join' | 'leave-out') =>
    importText(store, 'companies', ndjson(...rows), { chosen: ({ row }) => choices[row], unsure });

  test('joins a row, adds it or leaves it out, whatever the rules say, and asks no more about it', async () => {
    await store.records.putAll([aCompany(UNISWAP)]);
    const rows = [
      { name: 'Uniswap', total_employees: 90 },
      { name: 'Hayden Books', website: 'https://uniswap.org' },
    ];
    expect(await of({ 1: 'leave-out', 2: 'leave-out' }, rows)).toMatchObject({ created: 0, updated: 0, leftOut: 2 });
    expect(await of({ 1: 'add', 2: 'join:uniswap' }, rows)).toMatchObject({ created: 1, updated: 1, leftOut: 0 });
    expect(await get('companies', 'uniswap-2')).toMatchObject({ total_employees: 90, website: null });
    expect(await get('companies', 'uniswap')).toMatchObject({ name: 'Uniswap', aliases: ['Hayden Books'] });
    expect(await open()).toEqual([]);
    // The record that the row made is the one that it is about from then on.
    expect(await matched('companies', ...rows)).toMatchObject({ created: 0, updated: 0, unchanged: 2 });
  });

  test('for all unsure rows is one of three, and one that a row does not have is refused', async () => {
    await store.records.putAll([aCompany(UNISWAP)]);
    const rows = [{ name: 'Uniswap Labs', total_employees: 90 }];
    expect(await of({}, rows, 'leave-out')).toMatchObject({ created: 0, leftOut: 1 });
    expect((await of({ 1: 'join:other' }, rows)).errors).toEqual([
      {
        line: 1,
        field: null,
        message: 'the choice for this row is one of join:uniswap, add, leave-out',
      },
    ]);
    expect(await of({}, rows, 'join')).toMatchObject({ created: 0, updated: 1 });
  });
});

describe('a scan', () => {
  test('leaves out companies of one name of which one names the other as another', async () => {
    await store.records.putAll([
      aCompany({ name: 'Voyager', slug: 'voyager', see_also: ['voyager-online'] }),
      aCompany({ name: 'Voyager', slug: 'voyager-online' }),
      aCompany({ name: 'Voyager', slug: 'voyager-three' }),
    ]);
    await store.duplicates.scan(['companies'], OPERATOR);
    expect((await pairs()).map(([one, other]) => [one, other])).toEqual([
      ['voyager', 'voyager-three'],
      ['voyager-online', 'voyager-three'],
    ]);
  });

  test('says what the records of a pair share: the account, the website, or which of them has the alias', async () => {
    await store.records.putAll([
      aPerson({ name: 'Joao Carlos', aliases: ['Joao Tavares'] }),
      aPerson({ name: 'Joao Tavares' }),
      aPerson({ name: 'Ada Example', github: 'https://github.com/ada' }),
      aPerson({ name: 'Cheng Qian', github: 'https://github.com/Ada' }),
      aCompany({ ...UNISWAP, slug: 'one' }),
      aCompany({ name: 'Hayden Books', slug: 'two', website: 'https://uniswap.org' }),
      aCompany({ name: 'Meson', slug: 'meson', website: 'https://meson.example' }),
      aCompany({ name: 'Meson Network', slug: 'meson-network', website: 'https://other.example' }),
      aCompany({ name: 'Quantum', slug: 'quantum' }),
      aCompany({ name: 'Quantum', slug: 'quantum-two' }),
    ]);
    await store.duplicates.scan(['people', 'companies'], OPERATOR);
    expect((await open()).map(({ reason }) => reason)).toEqual([
      'Same account: ada on GitHub',
      'Same name: “Joao Tavares” is an alias of Joao Carlos',
      'Same name',
      'Same website: uniswap.org',
      'Same name, other website: Meson and Meson Network',
    ]);
    expect(await store.duplicates.count({})).toBe(5);
    expect(await store.duplicates.count({ type: 'people' })).toBe(2);
    expect(await store.duplicates.count({ state: 'merged' })).toBe(0);
  });

  test('asks about events of one name where neither date nor edition tells them apart', async () => {
    const edition = (slug: string, given: object) => anEvent({ name: 'ExampleCon', slug, start_date: null, ...given });
    await store.records.putAll([
      edition('first', { edition: '2024' }),
      edition('second', { edition: '2025' }),
      edition('second-again', { edition: '2025' }),
    ]);
    await store.duplicates.scan(['events'], OPERATOR);
    expect(await pairs()).toEqual([['second', 'second-again', 'same name', 55]]);
  });

  test('finds pairs with reason and score, the likeliest first, and asks about each once', async () => {
    await store.records.putAll([
      aCompany(UNISWAP),
      aCompany({ name: 'Uniswap Labs', slug: 'uniswap-labs', website: 'https://app.uniswap.org' }),
      aCompany({ name: 'Quantum', slug: 'quantum', website: 'https://quantum.example' }),
      aCompany({ name: 'Quantum', slug: 'quantum-two', website: 'https://other.example' }),
      aCompany({ name: 'Alone', slug: 'alone', website: 'https://alone.example' }),
    ]);
    expect(await store.duplicates.scan(['companies'], OPERATOR)).toBe(2);
    expect(await pairs()).toEqual([
      ['uniswap', 'uniswap-labs', 'domain', 97],
      ['quantum', 'quantum-two', 'same name, other domain', 35],
    ]);
    const [, quantum] = await open();
    await store.duplicates.reject(quantum?.id ?? 0, OPERATOR);
    expect(await store.duplicates.scan(['companies'], OPERATOR)).toBe(1);
    await store.records.putAll([aCompany({ slug: 'uniswap-labs', name: 'Labs', website: 'https://labs.example' })]);
    expect(await store.duplicates.scan(['companies'], OPERATOR)).toBe(0);
    expect(await store.duplicates.list({ state: 'rejected', limit: 5 })).toHaveLength(1);
  });
});

describe('a merge', () => {
  const rows = [
    aCompany({ ...UNISWAP, tags: ['DEX'], sources: [{ source: 'first', fields: ['name'] }], as_of: '2025-01-01' }),
    aCompany({
      name: 'Universal Swap',
      slug: 'universal-swap',
      aliases: ['USwap'],
      tagline: 'Swaps',
      tags: ['dex', 'DeFi'],
      website: 'https://universal-swap.example',
      sources: [{ source: 'second', fields: ['tagline'] }],
      as_of: '2026-01-01',
      founders: [{ name: 'Ada Example' }],
    }),
    aPerson({ roles: [{ organization: 'Universal Swap', title: 'CTO' }] }),
    anInvestor({ portfolio: [{ name: 'USwap' }] }),
    aRound({
      name: 'Seed',
      slug: 'seed',
      company: 'Uniswap',
      amount_usd: '1000000.00',
      stage: 'seed',
      announced_date: '2020-01-01',
    }),
    aRound({
      name: 'A',
      slug: 'a',
      company: 'universal-swap',
      amount_usd: '5000000.00',
      stage: 'series_a',
      announced_date: '2021-01-01',
    }),
  ];
  beforeEach(() => store.records.putAll(rows));
  const mergeBoth = () =>
    store.duplicates.mergeChosen({ type: 'companies', keep: 'uniswap', other: 'universal-swap' }, OPERATOR);

  test('fills what is unknown, unites lists, and keeps what the other was called', async () => {
    await mergeBoth();
    expect(await get('companies', 'uniswap')).toMatchObject({
      name: 'Uniswap',
      website: 'https://uniswap.org',
      tagline: 'Swaps',
      aliases: ['USwap', 'Universal Swap'],
      tags: ['DEX', 'DeFi'],
      sources: [{ source: 'first' }, { source: 'second' }],
      as_of: '2026-01-01',
      founders: [{ name: 'Ada Example', type: 'people', slug: 'ada-example' }],
      total_funding_usd: '6000000.00',
      funding_stage: 'series_a',
    });
  });

  test('leads references, old address, number and name to the record that stays', async () => {
    const gone = (await get('companies', 'universal-swap')).id;
    await mergeBoth();
    const led = { id: 1, slug: 'uniswap' };
    expect(await get('companies', 'universal-swap')).toMatchObject(led);
    expect(await get('companies', gone)).toMatchObject(led);
    expect((await get('people', 'ada-example')).roles).toMatchObject([
      { organization_id: 1, organization_slug: 'uniswap' },
    ]);
    expect((await get('investors', 'example-capital')).portfolio).toMatchObject([{ name: 'USwap', ...led }]);
    expect((await get('rounds', 'a')).company).toMatchObject(led);
    expect(await slugsFor('universal swap')).toEqual(['uniswap']);
    const rounds = relatedLists.find(({ of, name }) => of === 'companies' && name === 'rounds');
    const related = await store.records.related(rounds as never, 1, { offset: 0, limit: 5 });
    expect(related.total).toBe(2);
    await store.records.putAll([aRound({ name: 'B', slug: 'b', company: 'Universal Swap' })]);
    expect((await get('rounds', 'b')).company).toMatchObject(led);
  });

  test('counts the rounds of both once each, and keeps a larger number and the day that is stated', async () => {
    const of = (month: string, led: string[], investors: string[], stage = 'seed') =>
      aRound({
        company: { name: `C${month}` },
        announced_date: `2024-${month}-05`,
        stage,
        lead_investors: led.map((name) => ({ name })),
        investors: investors.map((name) => ({ name })),
      });
    const dated = { first_investment_date: '2024-02-05', last_investment_date: '2024-03-05' };
    await store.records.putAll([
      anInvestor({ name: 'Alpha Capital', investments_count: 2, lead_count: 1, portfolio_count: 40, ...dated }),
      anInvestor({
        name: 'Alpha Cap',
        investments_count: 2,
        lead_count: 1,
        portfolio_count: 2,
        first_investment_date: '2024-01-01',
        last_investment_date: '2024-02-01',
        month_only: ['first_investment_date', 'last_investment_date'],
      }),
      of('01', ['Alpha Cap'], []),
      of('02', [], ['Alpha Cap', 'Alpha Capital']),
      of('03', ['Alpha Capital'], ['Alpha Capital']),
      of('04', [], ['Alpha Cap'], 'grant'),
    ]);
    const before = await everything();
    const { id } = await store.duplicates.mergeChosen(
      { type: 'investors', keep: 'alpha-capital', other: 'alpha-cap' },
      OPERATOR,
    );
    expect(await get('investors', 'alpha-capital')).toMatchObject({
      investments_count: 3,
      lead_count: 2,
      portfolio_count: 40,
      first_investment_date: '2024-01-01',
      last_investment_date: '2024-03-05',
      month_only: ['first_investment_date'],
    });
    await store.duplicates.undo(id, OPERATOR);
    expect(await everything()).toEqual(before);
  });

  test('is kept by what is imported again, and by time', async () => {
    await mergeBoth();
    const before = await everything();
    const again = { name: 'Universal Swap', slug: 'universal-swap', website: 'https://universal-swap.example' };
    expect(await importText(store, 'companies', ndjson(again))).toMatchObject({ unchanged: 1, created: 0 });
    expect(await everything()).toEqual(before);
    expect(await store.records.getDeleted('companies', 'universal-swap')).toBeUndefined();
    seconds += 60 * 24 * 3_600;
    await store.records.putAll([aCompany({ name: 'Other', slug: 'other' })]);
    await store.records.change({ action: 'delete', type: 'companies', target: 'other', author: OPERATOR });
    const [pair] = await store.duplicates.list({ state: 'merged', limit: 5 });
    await store.duplicates.undo(pair?.id ?? 0, OPERATOR);
    expect(await get('companies', 'universal-swap')).toMatchObject({ name: 'Universal Swap', tagline: 'Swaps' });
  });

  test('is taken back exactly, with history', async () => {
    const before = await everything();
    const { id, state } = await mergeBoth();
    expect(state).toBe('merged');
    await store.duplicates.undo(id, OPERATOR);
    expect(await everything()).toEqual(before);
    expect(await slugsFor('universal swap')).toEqual(['universal-swap']);
    expect(await slugsFor('uniswap')).toEqual(['uniswap']);
    expect(await pairs()).toEqual([['uniswap', 'universal-swap', 'chosen', 100]]);
    const actions = (await store.audit.list({ type: 'companies', limit: 10 })).map(({ action }) => action);
    expect(actions).toEqual(['duplicates.undo', 'duplicates.merge', 'duplicates.merge']);
    await store.duplicates.merge(id, OPERATOR, 'universal-swap');
    expect(await get('companies', 'uniswap')).toMatchObject({ slug: 'universal-swap', name: 'Universal Swap' });
  });

  test('has what a source states of the other record said of the one that stays, until it is taken back', async () => {
    const from = { source: 'list', trust: 'curated', isRestricted: false, origin: 'list.example' } as const;
    const stated = { name: 'Universal Swap', tagline: 'Swaps', total_employees: 7 };
    const take = async (fields: object) => {
      const claim = { type: 'companies' as const, key: 'us', fields: { ...stated, ...fields }, as_of: '2026-11-01' };
      const claims = [{ ...claim, url: 'https://list.example/us', record: 2 }];
      const batch = { from, claims, seenAt: '2026-11-21T12:00:00.000Z', forgetBefore: null, changesMax: 99 };
      return store.claims.apply({ ...batch, isDryRun: false });
    };
    await take({});
    const before = await everything();
    const { id } = await mergeBoth();
    expect(await take({ total_employees: 8 })).toEqual([{ key: 'us', change: 'updated' }]);
    expect(await get('companies', 'uniswap')).toMatchObject({ name: 'Uniswap', total_employees: 8, id: 1 });
    await take({ total_employees: 7 });
    await store.duplicates.undo(id, OPERATOR);
    expect(await store.claims.keys('list')).toEqual(new Map([['us', 2]]));
    expect((await everything()).slice(1)).toEqual(before.slice(1));
    expect(await get('companies', 'uniswap')).toMatchObject({ name: 'Uniswap', tagline: null });
    await take({ total_employees: 9 });
    expect(await get('companies', 'universal-swap')).toMatchObject({ total_employees: 9 });
  });

  test('keeps what was changed after it when it is taken back', async () => {
    const { id } = await mergeBoth();
    const input = { tagline: 'Ours', tags: ['DEX', 'DeFi', 'AMM'] };
    await store.records.change({ action: 'merge', type: 'companies', target: '1', input, author: OPERATOR });
    await store.duplicates.undo(id, OPERATOR);
    expect(await get('companies', 'uniswap')).toMatchObject({ ...input, aliases: [], total_funding_usd: '1000000.00' });
    expect(await get('companies', 'universal-swap')).toMatchObject({
      tagline: 'Swaps',
      total_funding_usd: '5000000.00',
    });
  });

  test('of merged records is taken back in the order that it was done', async () => {
    await store.records.putAll([aCompany({ name: 'Third', slug: 'third' })]);
    const before = await everything();
    const first = await mergeBoth();
    const second = await store.duplicates.mergeChosen({ type: 'companies', keep: 'third', other: 'uniswap' }, OPERATOR);
    for (const slug of ['uniswap', 'universal-swap', '1', '2'])
      expect(await get('companies', slug)).toMatchObject({ slug: 'third' });
    await expect(store.duplicates.undo(first.id, OPERATOR)).rejects.toMatchObject({ code: 'invalid_parameter' });
    await store.duplicates.undo(second.id, OPERATOR);
    await store.duplicates.undo(first.id, OPERATOR);
    expect(await everything()).toEqual(before);
  });

  test('is refused for what is no pair, or decided already', async () => {
    const { id } = await mergeBoth();
    await expect(store.duplicates.merge(id, OPERATOR)).rejects.toMatchObject({ code: 'invalid_parameter' });
    await expect(store.duplicates.reject(999, OPERATOR)).rejects.toMatchObject({ code: 'not_found' });
    await expect(mergeBoth()).rejects.toMatchObject({ code: 'invalid_parameter' });
  });
});
