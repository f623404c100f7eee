import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RECORD_TYPES } from '../../src/contract/entities/index.ts';
import { FILTER_NAMES } from '../../src/contract/filters.ts';
import { isSortedBy, SORTED_FIELDS } from '../../src/contract/sorts.ts';
import { aCompany, anEvent, anInvestor, aPerson, aRound } from '../support/builders.ts';
import { startService, type TestService } from '../support/service.ts';

const OF_EDITORS = {
  announcement: null,
  sources: [{ source: 'web3-bi editors@0.1.0:rounds.ndjson', as_of: '2025-06', fields: ['amount_usd'] }],
};

let service: TestService;
beforeAll(async () => {
  service = await startService([
    aCompany({
      name: 'Alpha Chain',
      tags: ['DeFi', 'Lending'],
      founders: ['Ada Alpha', 'Nemo Unrecorded'],
      chains: ['Solana'],
      year_founded: 2018,
      total_employees: 10,
      status: 'acquired',
      status_since: '2022-03-09',
      acquired_by: 'Nemo Holdings',
      location_json: { city: 'Zürich', country: 'Switzerland' },
    }),
    aCompany({
      name: 'Beta Pay',
      tags: ['Payments'],
      chains: ['Ethereum', 'Solana'],
      year_founded: 2021,
      total_employees: 200,
      location_json: { city: 'Paris', country: 'France' },
      status: 'closed',
      status_since: '2022-11',
    }),
    aCompany({
      name: 'gamma dex',
      tags: ['defi', 'DEX'],
      chains: ['Arbitrum'],
      status: 'acquired',
      status_since: '2021',
      acquired_by: 'Alpha Chain',
    }),
    aRound({
      name: 'Alpha round',
      company: 'Alpha Chain',
      stage: 'seed',
      amount_usd: '3000000.00',
      announced_date: '2019-01-01',
    }),
    anInvestor({ name: 'Beta Backers', portfolio: ['Beta Pay'] }),
    aRound({
      name: 'Beta round',
      company: 'Beta Pay',
      investors: ['Alpha Capital'],
      stage: 'series_a',
      amount_usd: '20000000.00',
      announced_date: '2022-01-01',
      ...OF_EDITORS,
    }),
    anInvestor({
      name: 'Alpha Capital',
      focus: ['DeFi'],
      investor_type: 'venture_capital',
      funding_stages: ['seed', 'series_a'],
      investments_count: 12,
    }),
    aPerson({ name: 'Ada Alpha', events: ['AlphaCon'], location_json: { city: null, country: 'France' } }),
    anEvent({
      name: 'AlphaCon',
      event_type: 'conference',
      start_date: '2025-05-01',
      location_json: { city: 'Paris', country: 'France' },
    }),
    anEvent({ name: 'Alpha Hack', event_type: 'hackathon', start_date: '2024-02-01' }),
  ]);
});
afterAll(() => service.close());

const ask = async (path: string) => {
  const response = await service.get(path);
  const body = (await response.json()) as any;
  return { status: response.status, body, names: body.data?.results.map((record: any) => record.name) as string[] };
};

describe('filters', () => {
  test.each([
    ['companies', 'country=switzerland', ['Alpha Chain']],
    ['companies', 'country=756', ['Alpha Chain']],
    ['companies', 'founder=ada-alpha', ['Alpha Chain']],
    ['companies', 'founder=Nemo Unrecorded', ['Alpha Chain']],
    ['companies', 'founder=not:ada-alpha', []],
    ['companies', 'city=zurich', ['Alpha Chain']],
    ['companies', 'tag=DEFI', ['Alpha Chain', 'gamma dex']],
    ['companies', 'tag=exchange', ['gamma dex']],
    ['companies', 'tag=all:exchange|defi', ['gamma dex']],
    ['companies', 'tag=all:exchange|payments', []],
    ['companies', 'chain=solana', ['Alpha Chain', 'Beta Pay']],
    ['companies', 'chain=solana&tag=defi', ['Alpha Chain']],
    ['companies', 'status=closed', ['Beta Pay']],
    ['companies', 'status=defunct', ['Beta Pay']],
    ['companies', 'acquirer=alpha-chain', ['gamma dex']],
    ['companies', 'acquirer=Nemo Holdings|Alpha Chain', ['Alpha Chain', 'gamma dex']],
    ['companies', 'acquirer=not:Nemo Holdings', ['gamma dex']],
    ['companies', 'status_from=2022', ['Beta Pay', 'Alpha Chain']],
    ['companies', 'status_from=2021-01-01&status_to=2021', ['gamma dex']],
    ['companies', 'status_from=2022-11&status_to=2022-11-30', ['Beta Pay']],
    ['companies', 'status_from=2021-02', ['Beta Pay', 'Alpha Chain']],
    ['companies', 'status_to=2022-03&status=acquired', ['Alpha Chain', 'gamma dex']],
    ['companies', 'founded_from=2019', ['Beta Pay']],
    ['companies', 'founded_to=2018', ['Alpha Chain']],
    ['companies', 'founded_from=2018&founded_to=2021', ['Alpha Chain', 'Beta Pay']],
    ['companies', 'employees_min=11', ['Beta Pay']],
    ['companies', 'employees_max=10', ['Alpha Chain']],
    ['companies', 'funding_min=3000000', ['Alpha Chain', 'Beta Pay']],
    ['companies', 'funding_min=3000001', ['Beta Pay']],
    ['companies', 'funding_min=3.000001M', ['Beta Pay']],
    ['companies', 'funding_min=3,000,001', ['Beta Pay']],
    ['companies', 'funding_min=%243,000,000', ['Alpha Chain', 'Beta Pay']],
    ['companies', 'funding_min=3e6', ['Alpha Chain', 'Beta Pay']],
    ['companies', 'funding_min=3.000001e6', ['Beta Pay']],
    ['companies', 'funding_max=3000000', ['Alpha Chain']],
    ['companies', 'funding_stage=series_a', ['Beta Pay']],
    ['companies', 'verified=false', ['Alpha Chain', 'Beta Pay', 'gamma dex']],
    ['companies', 'verified=true', []],
    ['investors', 'funding_stage=seed', ['Alpha Capital']],
    ['investors', 'tag=defi', ['Alpha Capital']],
    ['investors', 'investor_type=angel', []],
    ['investors', 'last_round_after=2022', ['Alpha Capital']],
    ['investors', 'last_round_before=2021', []],
    ['investors', 'last_round_after=2022-01-01&last_round_before=2022&tag=defi', ['Alpha Capital']],
    ['investors', 'investments_min=12&investments_max=12', ['Alpha Capital']],
    ['investors', 'company=beta-pay', ['Alpha Capital', 'Beta Backers']],
    ['investors', 'company=Alpha Chain', []],
    ['investors', 'company=not:beta-pay', []],
    ['investors', 'company=all:beta-pay|alpha-chain', []],
    ['people', 'country=France', ['Ada Alpha']],
    ['people', 'event=alphacon', ['Ada Alpha']],
    ['people', 'event=Alpha Hack', []],
    ['events', 'event_type=conference', ['AlphaCon']],
    ['events', 'starts_after=2025-01-01', ['AlphaCon']],
    ['events', 'starts_before=2024-12-31', ['Alpha Hack']],
    ['events', 'starts_before=2024', ['Alpha Hack']],
    ['events', 'from=2025&to=2025', ['AlphaCon']],
    ['events', 'from=2024-02&to=2024-02', ['Alpha Hack']],
    ['events', 'from=2024-Q1&to=2024-q1', ['Alpha Hack']],
    ['events', 'from=2024-Q2&to=2025-04', []],
    ['companies', 'last_round_after=2019&last_round_before=2021', ['Alpha Chain']],
    ['rounds', 'sourced=false', ['Beta round']],
    ['rounds', 'investor_type=VC', ['Beta round']],
    ['rounds', 'investor_type=VC&led=true', []],
    ['rounds', 'investor_type=except:VC', ['Alpha round']],
    ['rounds', 'sourced=true', ['Alpha round']],
    ['rounds', 'sourced=true&company=beta-pay', []],
  ])('of %s: %s', async (type, query, expected) => {
    for (const path of [`/api/v1/${type}?${query}`, `/api/v1/search?type=${type}&${query}`]) {
      const { status, body, names } = await ask(path);
      expect(status).toBe(200);
      expect([...names].sort()).toEqual([...expected].sort());
      expect(body.data.totalResults).toBe(expected.length);
    }
  });

  test.each([
    ['status_from=2022', 'status', { closed: 1, acquired: 1 }],
    ['status_from=2022-11&status_to=2022-11-30', 'status', { closed: 1 }],
    ['status_from=2021-02&status=closed', 'tag', { Payments: 1 }],
    ['status_to=2021', 'status', { acquired: 1 }],
  ])('of the date of a status count what they list: %s by %s', async (query, group_by, expected) => {
    const response = await service.get(`/api/v1/aggregate?of=companies&group_by=${group_by}&${query}`);
    const body = (await response.json()) as any;
    expect(Object.fromEntries(body.data.rows)).toEqual(expected);
  });

  test('of who acquired a company find what the acquirer lists', async () => {
    const { body, names } = await ask('/api/v1/companies/alpha-chain/acquisitions');
    expect(names).toEqual(['gamma dex']);
    expect(body.data.results[0]).toMatchObject({
      status_since: '2021',
      acquired_by: { name: 'Alpha Chain', type: 'companies', slug: 'alpha-chain' },
    });
    expect((await ask('/api/v1/companies/gamma-dex/acquisitions')).names).toEqual([]);
  });

  test('are combined with the text, with exact totals', async () => {
    const { names, body } = await ask('/api/v1/search?type=all&query=alpha&country=France');
    expect([...names].sort()).toEqual(['Ada Alpha', 'AlphaCon']);
    expect(body.data.totals).toEqual({ companies: 0, people: 1, investors: 0, events: 1 });
  });

  test('of a search of all types leave out the types that do not know them', async () => {
    expect((await ask('/api/v1/search?type=all&starts_after=2020-01-01')).body.data.totals).toEqual({
      companies: 0,
      people: 0,
      investors: 0,
      events: 2,
    });
  });

  test.each([
    ['/api/v1/events?founded_from=2020', 'founded_from does not apply to events; it is for companies, investors'],
    ['/api/v1/search?type=people&event_type=meetup', 'event_type does not apply to people; it is for events'],
    ['/api/v1/companies?founded_from=old', 'founded_from must be a whole number'],
    ['/api/v1/companies?funding_min=1000000000000000', 'funding_min must be at most 999999999999999'],
    ['/api/v1/companies?funding_min=3,00', 'funding_min must be a whole number of US dollars, such as 1000000 or 1M'],
    ['/api/v1/rounds?valuation_min=ten', 'valuation_min must be a whole number of US dollars, such as 1000000 or 1M'],
    ['/api/v1/companies?funding_min=ten', 'funding_min must be a whole number of US dollars, such as 1000000 or 1M'],
    ['/api/v1/events?starts_after=2024-13-01', 'starts_after must be a date, month, quarter or year, as 2024-01-31'],
    ['/api/v1/events?from=2023-02-29', 'from must be a date, month, quarter or year'],
    ['/api/v1/events?from=2024-Q5', 'from must be a date, month, quarter or year'],
    ['/api/v1/events?from=2025&to=2024-12', 'from must not be after to'],
    ['/api/v1/companies?verified=maybe', 'verified must be true or false'],
    ['/api/v1/aggregate?of=rounds&group_by=place', 'group_by must be one of year, quarter, month'],
    ['/api/v1/companies?sort=drop', 'sort must be one of name, -name,'],
    ['/api/v1/companies?sort=-funding', 'sort must be -total_funding_usd, or one of name,'],
    ['/api/v1/companies?sort=name;drop%20table%20companies', 'sort must be one of name, -name,'],
    ['/api/v1/search?type=all&sort=(select%201)', 'sort must be one of name, -name,'],
    ['/api/v1/companies?fields=name,nosuch', 'fields: nosuch is not a field of companies'],
  ])('400 %s', async (path, message) => {
    const { status, body } = await ask(path);
    expect([status, body.code]).toEqual([400, 'invalid_parameter']);
    expect(body.error).toContain(message);
    expect(body.errors).toHaveLength(1);
  });
});

describe('sort', () => {
  test.each([
    ['companies', 'sort=name', ['Alpha Chain', 'Beta Pay', 'gamma dex']],
    ['companies', 'sort=-name', ['gamma dex', 'Beta Pay', 'Alpha Chain']],
    ['companies', 'sort=-total_funding_usd', ['Beta Pay', 'Alpha Chain', 'gamma dex']],
    ['companies', 'sort=total_funding_usd', ['Alpha Chain', 'Beta Pay', 'gamma dex']],
    ['companies', 'sort=-year_founded&chain=solana', ['Beta Pay', 'Alpha Chain']],
    ['events', 'sort=start_date', ['Alpha Hack', 'AlphaCon']],
  ])('of %s by %s', async (type, query, expected) => {
    expect((await ask(`/api/v1/${type}?${query}`)).names).toEqual(expected);
  });

  test('of a text keeps to what matches, over all types and pages', async () => {
    const { names: all } = await ask('/api/v1/search?type=all&query=alpha&sort=name');
    expect(all).toEqual(['Ada Alpha', 'Alpha Capital', 'Alpha Chain', 'Alpha Hack', 'AlphaCon']);
    const pages = await Promise.all(
      [1, 2, 3].map((page) => ask(`/api/v1/search?type=all&query=alpha&sort=name&limit=2&page=${page}`)),
    );
    expect(pages.flatMap((page) => page.names)).toEqual(all);
  });

  test('of a text by a field that some types lack puts them last', async () => {
    expect((await ask('/api/v1/search?type=all&query=alpha&sort=-investments_count')).names[0]).toBe('Alpha Capital');
  });
});

test.each(["' OR 1=1--", '"; DROP TABLE companies; --', '%', '_', "x') OR ('a'='a"])(
  '400 for the filter value %s, which is text that no record has',
  async (value) => {
    const before = (await ask('/api/v1/companies')).body.data.totalResults;
    for (const name of ['country', 'city', 'tag', 'chain']) {
      const { status, body } = await ask(`/api/v1/companies?${name}=${encodeURIComponent(value)}`);
      expect([status, body.code]).toEqual([400, 'invalid_parameter']);
    }
    expect((await ask('/api/v1/companies')).body.data.totalResults).toBe(before);
  },
);

test('every filter and sort of every type is answered', async () => {
  const values: Record<string, string> = {
    verified: 'false',
    sourced: 'false',
    funding_stage: 'seed',
    investor_type: 'dao',
    event_type: 'week',
    starts_after: '2020-01-01',
    starts_before: '2020-01-01',
  };
  for (const type of RECORD_TYPES) {
    for (const name of FILTER_NAMES)
      expect([200, 400]).toContain((await ask(`/api/v1/${type}?${name}=${values[name] ?? 5}`)).status);
    for (const field of SORTED_FIELDS) {
      const isKnown = isSortedBy(type, field);
      expect((await ask(`/api/v1/${type}?sort=-${field}`)).status).toBe(isKnown ? 200 : 400);
    }
  }
});

test('a sort by a field that the type does not have is refused, and names those it has', async () => {
  const { status, body } = await ask('/api/v1/people?sort=-investments_count');
  expect([status, body.error, body.errors[0].location]).toEqual([
    400,
    'sort: people cannot be sorted by investments_count; did you mean -angel_investments? they can by name, angel_investments, updated_at',
    'query.sort',
  ]);
  expect((await ask('/api/v1/search?type=people&sort=start_date')).status).toBe(400);
  expect((await ask('/api/v1/search?type=all&sort=start_date')).status).toBe(200);
});
