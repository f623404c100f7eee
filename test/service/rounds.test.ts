import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aCompany, anEvent, anInvestor, aPerson, aRound } from '../support/builders.ts';
import { readsAfterChanges, startService, type TestService } from '../support/service.ts';

const PARADE = { name: 'Parade Capital', slug: 'parade' };

let service: TestService;
beforeAll(async () => {
  service = await startService([
    aCompany({
      name: 'Alpha',
      tags: ['DeFi', 'Wallet'],
      chains: ['Ethereum'],
      location_json: { country: 'United States' },
      as_of: '2025-01-01',
    }),
    aCompany({
      name: 'Beta',
      tags: ['DeFi'],
      chains: ['Polygon'],
      location_json: { country: 'Germany' },
      as_of: '2026-02-03',
    }),
    aCompany({ name: 'Gamma', tags: ['Decentralized Exchange'], chains: ['BNB Chain'] }),
    aCompany({ name: 'Delta' }),
    anInvestor({ ...PARADE, portfolio: ['Gamma'], lead_count: 2 }),
    anInvestor({ name: 'Quiet Fund', slug: 'quiet', lead_count: 5 }),
    aPerson({ name: 'Ann Angel', angel_investments: 3, roles: [{ organization: 'Beta', title: 'CEO' }] }),
    aPerson({ name: 'Bob Angel', angel_investments: 9 }),
    anEvent({ name: 'Con', start_date: '2025-05-01' }),
    aRound({
      name: 'Alpha Seed',
      company: 'Alpha',
      stage: 'seed',
      amount_usd: '2000000.00',
      announced_date: '2022-03-01',
      investors: ['Parade Capital', 'Nobody Ventures', 'Quiet Fund'],
      lead_investors: ['Parade Capital'],
    }),
    aRound({
      name: 'Alpha Series A',
      company: 'Alpha',
      stage: 'series_a',
      amount_usd: '9000000.00',
      announced_date: '2024-03-01',
      valuation_usd: '90000000.00',
      investors: ['Quiet Fund'],
    }),
    aRound({
      name: 'Beta Seed',
      company: 'Beta',
      stage: 'seed',
      announced_date: '2023-06-01',
      valuation_usd: '100000000.00',
      investors: ['Parade Capital', 'Ann Angel', 'Quiet Fund'],
    }),
    aRound({ name: 'Beta Bridge', company: 'Beta', amount_usd: '500000.00', announced_date: '2023-09-01' }),
  ]);
});
afterAll(() => service.close());

const { ask, noteChange } = readsAfterChanges(() => service);
const names = async (path: string): Promise<string[]> =>
  (await ask(path)).data.results.map((record: any) => record.name).sort();

test('a question is answered in a sentence as well, whichever fields are asked for, on the first page', async () => {
  const sentence = async (query: string) => (await ask(`search?${query}`)).data.sentence;
  expect(await sentence('type=all&query=how much was raised in 2022')).toBe(
    'The total amount is $2M, in 1 round on record in 2022.',
  );
  const latest = 'The latest round of Beta on record is the funding round: $500K, 1 Sep 2023.';
  expect(await sentence('type=all&query=latest round of Beta&fields=name')).toBe(latest);
  expect(await sentence('type=all&query=how much was raised in 2022&page=2')).toBeUndefined();
  expect(await sentence('type=all&query=Beta')).toBeUndefined();
});

describe('a sentence that asks for a total', () => {
  const answer = async (query: string) => (await ask(`search?${query}`)).data.answer;

  test('has the aggregate as its answer, on the first page', async () => {
    expect(await answer('type=all&query=how much was raised in 2022')).toMatchObject({
      asked: { of: 'rounds', group_by: ['year'], measure: ['sum'], from: '2022-01-01', to: '2022-12-31' },
      columns: ['year', 'sum_amount_usd', 'count'],
      rows: [[2022, '2000000.00', 1]],
      groups: 1,
      covered: { records: 1, known: 1, sum: '2000000.00' },
    });
    expect(await answer('type=all&query=how much was raised in 2022&page=2')).toBeUndefined();
    expect(await answer('type=all&query=rounds of Alpha')).toBeUndefined();
  });

  test('is answered for the type and the filters that are given beside it', async () => {
    const asked = 'type=rounds&query=how much was raised since 2022';
    expect(await answer(asked)).toMatchObject({ covered: { records: 4, sum: '11500000.00' } });
    const ofGermany = await answer(`${asked}&country=Germany`);
    expect(ofGermany).toMatchObject({ asked: { country: 'Germany' }, covered: { records: 2, sum: '500000.00' } });
    // Rounds have no year of founding.
    expect(await answer('type=companies&query=how much was raised since 2022&founded_from=2000')).toBeUndefined();
  });

  test('is answered of what it names alone, among records of every type', async () => {
    const ofBeta = { asked: { company: expect.stringMatching(/^beta$/i) }, covered: { records: 2, sum: '500000.00' } };
    for (const type of ['all', 'rounds', 'companies'])
      expect([type, await answer(`type=${type}&query=how much did Beta raise since 2022`)]).toMatchObject([
        type,
        ofBeta,
      ]);
    // The keywords are no filter of an aggregate.
    expect(await answer('type=companies&query=how much did Nobody raise since 2022')).toBeUndefined();
    expect(await answer('type=investors&query=how much did Parade Capital invest in 2023')).toBeUndefined();
    for (const type of ['all', 'rounds'])
      for (const asked of ['how much did Beta raise in 2001', 'Beta rounds in 2001'])
        expect([type, (await ask(`search?type=${type}&query=${asked}`)).data]).toMatchObject([
          type,
          { totalResults: 0 },
        ]);
  });
});

describe('rounds', () => {
  test('are a type of search, the newest first, and no part of all', async () => {
    const { data } = await ask('search?type=rounds');
    expect(data.results.map((round: any) => round.announced_date)).toEqual([
      '2024-03-01',
      '2023-09-01',
      '2023-06-01',
      '2022-03-01',
    ]);
    expect(data).toMatchObject({ totals: { rounds: 4 }, covered: '2024-03-01', unknown: {} });
    expect((await ask('search?type=all&query=alpha')).data.totals).not.toHaveProperty('rounds');
  });

  test('are found by their company, stage and investors, also those without a record', async () => {
    expect(await names('search?type=rounds&query=alpha%20series%20a')).toEqual(['Alpha Series A']);
    expect(await names('search?type=rounds&query=nobody')).toEqual(['Alpha Seed']);
  });

  test('go and come back with a deletion', async () => {
    const key = await service.newKey({ level: 'delete' });
    const send = async (method: string, path: string) =>
      noteChange(await fetch(`${service.url}/api/v1/${path}`, { method, headers: { Authorization: `Bearer ${key}` } }));
    await send('DELETE', 'rounds/beta-bridge');
    expect(await names('rounds?company=beta')).toEqual(['Beta Seed']);
    await send('POST', 'rounds/beta-bridge/restore');
    expect(await names('rounds?company=beta')).toEqual(['Beta Bridge', 'Beta Seed']);
    const coveredUntil = async () => (await ask('rounds')).data.covered;
    const before = await coveredUntil();
    await send('DELETE', 'rounds/alpha-series-a');
    expect([before, await coveredUntil()]).toEqual(['2024-03-01', '2023-09-01']);
    await send('POST', 'rounds/alpha-series-a/restore');
    expect(await coveredUntil()).toBe('2024-03-01');
    await send('DELETE', 'companies/beta');
    expect(await names('rounds?tag=defi')).toEqual(['Alpha Seed', 'Alpha Series A']);
    await send('POST', 'companies/beta/restore');
    expect(await names('rounds?tag=defi')).toHaveLength(4);
  });
});

describe('filters', () => {
  test.each([
    ['companies?tag=wallets|dex', ['Alpha', 'Gamma']],
    ['companies?tag=all:DeFi|Wallet', ['Alpha']],
    ['companies?tag=not:wallet', ['Beta', 'Gamma']],
    ['companies?tag=defi|not:wallet', ['Beta']],
    ['companies?tag=all:defi|wallet|not:dex', ['Alpha']],
    ['companies?investor=Parade%20Capital|not:Quiet%20Fund', ['Gamma']],
    ['rounds?investor=Parade%20Capital|not:Nobody%20Ventures', ['Beta Seed']],
    ['rounds?investor=all:Parade%20Capital|Quiet%20Fund|not:Ann%20Angel', ['Alpha Seed']],
    ['rounds?investor=Parade%20Capital|not:Quiet%20Fund&led=true', ['Alpha Seed']],
    ['rounds?investor=not:Nobody%20Ventures&led=true', ['Alpha Seed', 'Alpha Series A', 'Beta Seed']],
    ['rounds?investor=not:Quiet%20Fund&led=true', ['Alpha Seed']],
    ['rounds?led=false', ['Alpha Series A', 'Beta Bridge', 'Beta Seed']],
    ['rounds?investor=Quiet%20Fund&led=false', ['Alpha Seed']],
    ['companies?country=USA', ['Alpha']],
    ['companies?country=not:US', ['Beta']],
    ['companies?country=except:US', ['Beta', 'Delta', 'Gamma']],
    ['rounds?company=Alpha&funding_stage=except:seed', ['Alpha Series A']],
    ['companies?country=de|US', ['Alpha', 'Beta']],
    ['companies?chain=ETH|Matic', ['Alpha', 'Beta']],
    ['companies?chain=BSC', ['Gamma']],
    ['companies?investor=parade', ['Alpha', 'Beta', 'Gamma']],
    ['companies?investor=parade&led=true', ['Alpha']],
    ['companies?investor=all:Parade%20Capital|Nobody%20Ventures', ['Alpha']],
    ['companies?investor=not:Nobody%20Ventures', ['Beta']],
    ['companies?investor=Ann%20Angel', ['Beta']],
    ['companies?funding_stage=Series%20A', ['Alpha']],
    ['companies?funding_stage=all:seed|series_a', ['Alpha']],
    ['companies?last_round_after=2024-01-01', ['Alpha']],
    ['companies?last_round_before=2023-12-31', ['Beta']],
    ['companies?from=2024-01-01', ['Alpha']],
    ['companies?from=2023-01-01&to=2023-12-31', ['Beta']],
    ['companies?funding_stage=seed&from=2022-01-01&to=2022-12-31', ['Alpha']],
    ['companies?funding_stage=seed&from=2023-01-01', ['Beta']],
    ['companies?funding_stage=seed|not:series_a&from=2022-01-01', ['Beta']],
    ['companies?funding_stage=seed|not:series_a&to=2022-12-31', []],
    ['companies?investor=parade|not:Ann%20Angel&from=2022-01-01', ['Alpha']],
    ['companies?funding_stage=seed&last_round_after=2024-01-01', ['Alpha']],
    ['companies?investor=parade&from=2023-01-01', ['Beta']],
    ['companies?investor=parade&led=true&from=2022-01-01', ['Alpha']],
    ['companies?investor=parade&led=true&from=2023-01-01', []],
    ['companies?investor=all:Parade%20Capital|Ann%20Angel&funding_stage=seed&to=2023-12-31', ['Beta']],
    ['companies?investor=not:Nobody%20Ventures&from=2023-01-01', ['Beta']],
    ['companies?funding_stage=all:seed|series_a&from=2022-01-01', ['Alpha']],
    ['companies?updated_since=2026-01-01', ['Beta']],
    ['people?company=beta', ['Ann Angel']],
    ['rounds?investor=quiet', ['Alpha Seed', 'Alpha Series A', 'Beta Seed']],
    ['rounds?investor=1', ['Alpha Seed', 'Beta Seed']],
    ['rounds?investor=nobody%20ventures', ['Alpha Seed']],
    ['rounds?company=Alpha&from=2023-01-01', ['Alpha Series A']],
    ['rounds?tag=wallet', ['Alpha Seed', 'Alpha Series A']],
    ['rounds?country=germany&funding_max=1000000', ['Beta Bridge']],
    ['rounds?funding_min=2000000&to=2023-01-01', ['Alpha Seed']],
    ['events?from=2025-01-01&to=2025-12-31', ['Con']],
  ])('of %s', async (path, expected) => expect(await names(path)).toEqual(expected));

  test.each([
    ['companies?tag=walet', 'the nearest are Wallet'],
    ['companies?funding_stage=sead', 'the nearest are seed'],
    ['rounds?investor=Parad%20Capital', 'similar names are Parade Capital'],
    ['rounds?from=2024-01-01&to=2023-01-01', 'from must not be after to'],
    ['companies?led=true', 'give both'],
    ['companies?investor=parade&led=false', 'led=false is for rounds'],
    ['rounds?status=closed', 'rounds have country, city, tag'],
    ['rounds?led=true', 'led is for use with investor, investor_type or investor_country; give both'],
    ['rounds?investor_type=angle', 'the nearest are angel'],
    ['companies?investor_type=angel', 'it is for investors, rounds'],
    ['companies?tag=not:', 'tag must be 1 to 20 values'],
    ['companies?tag=defi|not:', 'tag must be 1 to 20 values'],
    ['companies?tag=defi|not:nosuch', 'tag: no record has this value'],
    ['events?tag=nosuch', 'tag: no record has this value; no events have one'],
  ])('400 %s', async (path, message) => {
    const { status, error } = await ask(path);
    expect([status, error]).toEqual([400, expect.stringContaining(message)]);
  });

  test('of a period count companies without a round as unknown', async () => {
    expect((await ask('companies?from=2024-01-01')).data.unknown).toEqual({ from: 2 });
  });

  test('say with several filters how many records state each field at all', async () => {
    const coverageOf = async (query: string) => (await ask(`search?type=companies&${query}`)).data.coverage;
    expect(await coverageOf('country=US&chain=eth')).toEqual({
      country: { known: 2, records: 4 },
      chain: { known: 3, records: 4 },
    });
    expect(await coverageOf('country=US')).toBeUndefined();
    expect(await coverageOf('country=except:US&tag=except:dex')).toBeUndefined();
  });

  test('tell what they leave out only because it is unknown', async () => {
    expect((await ask('companies?country=US')).data.unknown).toEqual({ country: 2 });
    expect((await ask('companies?country=US&tag=defi')).data.unknown).toEqual({});
    expect((await ask('companies?country=not:US&tag=dex')).data).toMatchObject({
      totalResults: 0,
      unknown: { country: 1 },
    });
    expect((await ask('search?type=companies&query=delta&chain=eth')).data.unknown).toEqual({ chain: 1 });
    expect((await ask('rounds?funding_min=1')).data.unknown).toEqual({ funding_min: 1 });
    expect((await ask('rounds?valuation_min=1')).data.unknown).toEqual({ valuation_min: 2 });
    expect(await names('rounds?valuation_min=95000000')).toEqual(['Beta Seed']);
    expect(await names('rounds?valuation_max=95000000')).toEqual(['Alpha Series A']);
    // Gamma is known to be funded by its investor's record.
    expect((await ask('companies?investor=parade')).data.unknown).toEqual({ investor: 1 });
    expect((await ask('rounds?investor=not:Nobody%20Ventures&led=true')).data.unknown).toEqual({ led: 1 });
    expect((await ask('rounds?investor=not:Quiet%20Fund&led=true&from=2023')).data.unknown).toEqual({ led: 3 });
    expect((await ask('companies?investor=parade&tag=dex')).data.unknown).toEqual({});
    const [gamma, delta] = ['gamma', 'delta'].map((name) => `search?type=companies&query=${name}&investor=parade`);
    expect((await ask(gamma as string)).data.unknown).toEqual({});
    expect((await ask(delta as string)).data.unknown).toEqual({ investor: 1 });
  });
});

test('results that are only like what was asked for say so', async () => {
  const [typed] = (await ask('search?type=companies&query=alpha')).data.results;
  const [like] = (await ask('search?type=companies&query=alpah')).data.results;
  expect([typed.approximate, like.name, like.approximate]).toEqual([undefined, 'Alpha', true]);
});

test.each([
  ['rounds?sort=-amount_usd', 'Alpha Series A'],
  ['rounds?sort=-valuation_usd', 'Beta Seed'],
  ['rounds?sort=announced_date', 'Alpha Seed'],
  ['companies?sort=-last_round_date', 'Alpha'],
  ['investors?sort=-lead_count', 'Quiet Fund'],
  ['people?sort=-angel_investments', 'Bob Angel'],
])('%s puts %s first', async (path, first) => expect((await ask(path)).data.results[0].name).toBe(first));

describe('related lists', () => {
  test('of investors have their rounds, and those they invested with', async () => {
    expect(await names('investors/parade/rounds')).toEqual(['Alpha Seed', 'Beta Seed']);
    const { data } = await ask('investors/parade/co_investors');
    expect(data).toMatchObject({ totalResults: 2, known: true });
    expect(data.results.map(({ slug, count, latest_round }: any) => [slug, count, latest_round.slug])).toEqual([
      ['quiet', 2, 'beta-seed'],
      ['ann-angel', 1, 'beta-seed'],
    ]);
  });

  test('of companies have those that are like them, and why', async () => {
    const { data } = await ask('companies/alpha/similar?fields=tags');
    expect(data.results).toEqual([
      expect.objectContaining({
        slug: 'beta',
        tags: ['DeFi'],
        reasons: {
          tags: ['DeFi'],
          chains: [],
          investors: expect.arrayContaining([expect.objectContaining({ slug: 'quiet' })]),
        },
      }),
    ]);
  });

  test('of companies put the field of business before chains, which are not enough alone, and have ten', async () => {
    const own = await startService([
      aCompany({ name: 'Swap', tags: ['Exchange'], chains: ['Ink', 'Base'] }),
      aCompany({ name: 'Maker', tags: ['Tools'], chains: ['Ink', 'Base'] }),
      aCompany({ name: 'Other', tags: ['Exchange'], chains: ['Base'] }),
      ...Array.from({ length: 11 }, (_, index) =>
        aCompany({ name: `Dapp ${index}`, tags: ['Tools'], chains: ['Base'] }),
      ),
    ]);
    const similar = async (slug: string) =>
      ((await (await own.get(`/api/v1/companies/${slug}/similar`)).json()) as any).data;
    expect((await similar('swap')).results.map(({ slug }: any) => slug)).toEqual(['other']);
    expect(await similar('maker')).toMatchObject({ totalResults: 10 });
    await own.close();
  });

  test('of companies put one of the same business before one of another that shares a rarer tag', async () => {
    const own = await startService([
      aCompany({ name: 'Asked', tags: ['Lending', 'DeFi', 'Governance'] }),
      aCompany({ name: 'Lender', tags: ['Lending', 'DeFi'] }),
      aCompany({ name: 'Gallery', tags: ['NFT', 'Art', 'Auctions', 'DeFi', 'Governance'] }),
      ...Array.from({ length: 6 }, (_, index) => aCompany({ name: `Loan ${index}`, tags: ['Lending', 'Tools'] })),
      ...Array.from({ length: 9 }, (_, index) => aCompany({ name: `Swap ${index}`, tags: ['DeFi', 'Exchange'] })),
    ]);
    const { data } = (await (await own.get('/api/v1/companies/asked/similar')).json()) as any;
    const [first, second] = data.results.map(({ slug }: any) => slug);
    expect([first, second]).toEqual(['lender', 'gallery']);
    await own.close();
  });

  test('of companies put one of the same first tag before those that share more of the others', async () => {
    const own = await startService([
      aCompany({ name: 'Asked', tags: ['Exchange', 'Wallet', 'Bridge'], chains: ['Base', 'Ink'] }),
      aCompany({ name: 'Venue', tags: ['Exchange'] }),
      aCompany({ name: 'Router', tags: ['Bridge', 'Wallet'], chains: ['Base', 'Ink'] }),
      ...Array.from({ length: 40 }, (_, index) => aCompany({ name: `Maker ${index}`, tags: ['Tools'] })),
    ]);
    const { data } = (await (await own.get('/api/v1/companies/asked/similar')).json()) as any;
    expect(data.results[0]).toMatchObject({ slug: 'venue', reasons: { tags: ['Exchange'], chains: [] } });
    await own.close();
  });

  test('say when an empty one is unknown', async () => {
    expect((await ask('companies/delta/people')).data).toMatchObject({ totalResults: 0, known: false });
    expect((await ask('companies/alpha/rounds')).data.known).toBe(true);
  });
});

test('rounds of one day have the same order in every list', async () => {
  const sameDay = ['One', 'Two', 'Three'].map((name) =>
    aRound({ name, company: 'Alpha', announced_date: '2025-01-02', investors: ['Day Fund'] }),
  );
  const other = await startService([aCompany({ name: 'Alpha' }), anInvestor({ name: 'Day Fund' }), ...sameDay]);
  const listed = async (path: string): Promise<string[]> => {
    const { results } = (await (await other.get(`/api/v1/${path}`)).json()).data;
    return results.map(({ name }: { name: string }) => name);
  };
  const inOrder = await listed('search?type=rounds&investor=day-fund&sort=-announced_date');
  expect(inOrder.toSorted()).toEqual(['One', 'Three', 'Two']);
  expect(await listed('investors/day-fund/rounds')).toEqual(inOrder);
  expect(await listed('companies/alpha/rounds')).toEqual(inOrder);
  await other.close();
});

test('a list refuses a filter that it does not have', async () => {
  const refused = await Promise.all(['companies?speaker=x', 'companies/alpha/rounds?stage=seed'].map(ask));
  expect(refused.map(({ status }) => status)).toEqual([400, 400]);
  expect((await ask('companies/alpha/rounds?utm_source=x')).status).toBe(200);
});

test('the vocabulary is whole: a parameter that would restrict it is refused', async () => {
  for (const name of ['type', 'limit'])
    expect((await ask(`vocabulary?${name}=1`)).error).toBe(`${name}: not known here`);
});

test('the vocabulary tells what filters can be given, and how much is known', async () => {
  const { data } = await ask('vocabulary');
  expect(data.tags[0]).toEqual({ value: 'DeFi', count: 6, types: { companies: 2, rounds: 4 } });
  expect(data.stages).toContainEqual({ value: 'seed', count: 4, types: { companies: 2, rounds: 2 } });
  expect(data.countries.map(({ value }: any) => value).sort()).toEqual(['Germany', 'United States']);
  expect(data.coverage.companies).toMatchObject({
    records: 4,
    known: { country: 2, tag: 3, investor: 2 },
    covered: '2026-02-03',
  });
});

test('filters that no record can satisfy are told, and none of a database without records', async () => {
  const { filters, groups } = await service.store.records.coverageGaps();
  expect(filters).toEqual([
    'city',
    'event',
    'founder',
    'acquirer',
    'founded_from',
    'founded_to',
    'employees_min',
    'employees_max',
    'investor_type',
    'status',
    'status_from',
    'status_to',
    'event_type',
    'verified',
    'sourced',
  ]);
  expect(groups).toEqual([
    'city',
    'year_founded',
    'status',
    'investor_type',
    'focus',
    'event',
    'event_type',
    'organizer',
    'speaker',
  ]);
  const empty = await startService([]);
  expect(await empty.store.records.coverageGaps()).toEqual({ filters: [], groups: [] });
  await empty.close();
});

test('rounds say how many of them are grants, unless a stage is given', async () => {
  const granted = await startService([
    aRound({ name: 'Acme Seed', company: 'Acme', stage: 'seed', announced_date: '2024-02-01' }),
    aRound({ name: 'Acme Grant', company: 'Acme', stage: 'grant', announced_date: '2024-03-01' }),
    aRound({ name: 'Base Grant', company: 'Base', stage: 'grant', announced_date: '2023-03-01' }),
  ]);
  const grantsOf = async (path: string): Promise<unknown> => {
    const { data } = (await (await granted.get(`/api/v1/${path}`)).json()) as any;
    return data.grants ?? data.covered.grants;
  };
  expect([
    await grantsOf('search?type=rounds'),
    await grantsOf('search?type=rounds&from=2024-01-01'),
    // Without grants
    await grantsOf('search?type=all&query=rounds%20in%202024'),
    await grantsOf('search?type=rounds&funding_stage=grant'),
    await grantsOf('search?type=rounds&to=2023-12-31'),
    await grantsOf('aggregate?of=rounds&group_by=year'),
    await grantsOf('aggregate?of=rounds&group_by=company&funding_stage=seed'),
  ]).toEqual([2, 1, undefined, undefined, 1, 2, undefined]);
  await granted.close();
});

test('a search that finds nothing in a period says what there is without it', async () => {
  const withoutDatesOf = async (path: string): Promise<unknown> => (await ask(`search?${path}`)).data.without_dates;
  const { totalResults, results } = (await ask('search?type=rounds&company=beta&sort=-date')).data;
  const expected = { records: totalResults, latest: (results[0] as { announced_date: string }).announced_date };
  expect(await withoutDatesOf('type=rounds&company=beta&to=2001-01-01')).toEqual(expected);
  const sentence = `type=all&query=${encodeURIComponent('how much did Beta raise in 2001')}`;
  expect(await withoutDatesOf(sentence)).toMatchObject({ latest: expected.latest });
  for (const path of ['company=beta&from=2001-01-01', 'to=2001-01-01', 'query=zzzzqq&to=2001-01-01'])
    expect([path, await withoutDatesOf(`type=rounds&${path}`)]).toEqual([path, undefined]);
});

test('a search that finds nothing says how many match with one filter less', async () => {
  const without = async (path: string): Promise<unknown> => (await ask(`search?type=${path}`)).data.without_filters;
  expect(await without('companies&chain=polygon&tag=decentralized exchange')).toEqual({
    chain: (await names('search?type=companies&tag=decentralized exchange')).length,
    tag: (await names('search?type=companies&chain=polygon')).length,
  });
  // An investor goes with the role, and the company that is asked about stays.
  expect(await without('rounds&investor=quiet&led=true&funding_stage=series_a')).toEqual({ investor: 1 });
  expect(await without('rounds&company=beta&funding_stage=series_a')).toEqual({ funding_stage: 2 });
  expect(await without('companies&founded_from=1800&founded_to=1801')).toBeUndefined();
  expect(await without('companies&chain=polygon&country=germany')).toBeUndefined();
});

test('a search of a period or in an order says how many are on record there, and no other', async () => {
  const onRecordOf = async (path: string): Promise<unknown> => (await ask(`search?${path}`)).data.on_record;
  const all = await onRecordOf('type=rounds&sort=-amount_usd');
  const since = await onRecordOf('type=rounds&from=2023-01-01&funding_min=900000000');
  expect(all).toBe((await ask('search?type=rounds&funding_stage=except:grant')).data.totalResults);
  expect(since).toBe((await ask('search?type=rounds&funding_stage=except:grant&from=2023-01-01')).data.totalResults);
  expect(Number(since)).toBeLessThan(Number(all));
  for (const path of [
    'type=rounds',
    'type=rounds&funding_min=1',
    'type=companies&sort=name',
    'type=companies&from=2023-01-01',
  ])
    expect([path, await onRecordOf(path)]).toEqual([path, undefined]);
});

test('an aggregate says what its filters left out only because it is unknown', async () => {
  const leftOut = async (filters: string) =>
    (await ask(`aggregate?of=rounds&group_by=company&${filters}`)).data.covered.left_out;
  expect(await leftOut('funding_stage=not:grant')).toEqual({ funding_stage: 1 });
  expect(await leftOut('funding_stage=seed&funding_min=1')).toEqual({ funding_stage: 1, funding_min: 1 });
  expect(await leftOut('from=2023-01-01')).toBeUndefined();
});

describe('CSV', () => {
  test('has the fields of a type that is read in a sentence', async () => {
    const csvOf = async (query: string) =>
      (await (await service.get(`/api/v1/search?format=csv&${query}`)).text()).split('\n').slice(0, 2);
    const sentence = 'type=all&query=seed%20rounds%20in%202022';
    expect(await csvOf(sentence)).toEqual([
      'type,id,name,slug,company,announced_date,stage,amount_usd,valuation_usd,lead_investors,investors,investors_may_be_cut,announcement,unsourced,amount_raw,month_only,as_of,unsourced_fields',
      'rounds,1,Alpha Seed,alpha-seed,Alpha,2022-03-01,seed,2000000.00,,Parade Capital,Parade Capital|Nobody Ventures|Quiet Fund,,,,,,,',
    ]);
    expect(await csvOf(`${sentence}&fields=amount_usd`)).toEqual([
      'type,id,name,slug,amount_usd,unsourced_fields',
      'rounds,1,Alpha Seed,alpha-seed,2000000.00,',
    ]);
    expect((await ask(`search?${sentence}&fields=amount_usd`)).data.results[0].amount_usd).toBe('2000000.00');
  });

  test.each([
    { path: 'search?type=rounds&format=csv' },
    { path: 'rounds?format=csv' },
    { path: 'rounds', accept: 'text/csv' },
    { path: 'rounds', accept: 'text/*' },
    { path: 'rounds', accept: 'application/json;q=0.5, text/csv' },
  ])('is given for %j', async ({ path, accept = '*/*' }) => {
    const response = await service.get(`/api/v1/${path}`, { headers: { Accept: accept } });
    expect([response.status, response.headers.get('content-type'), response.headers.get('x-total-count')]).toEqual([
      200,
      'text/csv; charset=utf-8',
      '4',
    ]);
    const lines = (await response.text()).split('\n');
    expect(lines).toHaveLength(6);
    expect(lines[0]).toMatch(/^type,id,name,slug,.*announced_date,stage,/);
    expect(lines[4]).toContain('Parade Capital|Nobody Ventures|Quiet Fund');
  });

  test.each(['text/csv;q=0.5, application/json', 'text/csv;q=0, */*', 'text/html, */*;q=0.1', 'application/*'])(
    'is not given to who prefers or accepts JSON only: %s',
    async (accept) => {
      const { headers } = await service.get('/api/v1/rounds', { headers: { Accept: accept } });
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    },
  );

  test('has the columns that are asked for, and more rows than JSON', async () => {
    const text = await (
      await service.get('/api/v1/search?type=companies&sort=name&limit=200&format=csv&fields=location_json,tags')
    ).text();
    expect(text.split('\n').slice(0, 2)).toEqual([
      'type,id,name,slug,location_json.city,location_json.country,tags,unsourced_fields',
      'companies,1,Alpha,alpha,,United States,DeFi|Wallet,',
    ]);
    expect((await ask('search?type=companies&limit=51')).error).toBe('limit must be at most 50');
    expect((await ask('companies?limit=101')).status).toBe(400);
  });
});
