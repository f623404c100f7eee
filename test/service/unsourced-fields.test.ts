import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aCompany, anInvestor, aPerson, aRound } from '../support/builders.ts';
import { startService, type TestService } from '../support/service.ts';

/** How an answer names the fields that only the editors of the data set state. */
const EDITORS = 'web3-bi editors@0.1.0:data/raw/editors.ndjson';

const ledBy = (name: string) => ({
  company: 'Led',
  announced_date: '2021-05-06',
  amount_usd: '1000000.00',
  investors: [name],
  lead_investors: [name],
});

/** Rounds with a page, some of which does not state who led. */
const leads = (year: string, areUnsourced: readonly boolean[]) =>
  areUnsourced.map((isUnsourced, index) =>
    aRound({
      ...ledBy('First'),
      name: `Led ${year} ${index}`,
      sources: [
        { source: 'https://example.com/led', as_of: '2021', fields: ['company', 'investors', 'amount_usd'] },
        { source: isUnsourced ? EDITORS : 'https://example.com/lead', as_of: '2025', fields: ['lead_investors'] },
      ],
    }),
  );

/** Where and since when, stated by the editors alone. */
const placed = {
  location_json: { city: 'Bern', country: 'Switzerland' },
  year_founded: 2018,
  sources: [
    { source: EDITORS, as_of: '2025', fields: ['location_json', 'year_founded'] },
    { source: 'https://example.com/telling', as_of: '2025-01-01', fields: ['name', 'tags'] },
  ],
};

let service: TestService;
beforeAll(async () => {
  service = await startService([
    aRound({
      name: 'Partly',
      company: 'Monad',
      investors: ['Fund'],
      lead_investors: ['Fund'],
      sources: [
        { source: 'https://example.com/partly', as_of: '2025-06-01', fields: ['company', 'investors'] },
        { source: EDITORS, as_of: '2025', fields: ['lead_investors', 'investors'] },
      ],
    }),
    aRound({ name: 'Sourced', company: 'Monad' }),
    anInvestor({
      ...{ name: 'First', location_json: { country: 'Germany' }, year_founded: 2018 },
      sources: [{ source: EDITORS, as_of: '2025', fields: ['location_json', 'year_founded'] }],
    }),
    aCompany({
      ...{ name: 'Telling', tagline: 'Wallet, based in Bern, Switzerland', ...placed },
      overview: 'Telling is a wallet. It was founded in 2018. It raised $1 million in June 2018.',
    }),
    aCompany({
      ...{ name: 'Silent', tagline: 'Wallet of Bern Labs', ...placed },
      overview: 'Silent is a wallet. It raised $1 million in June 2018.',
    }),
    ...leads('2021', [false, false, true, true]),
    aRound({
      ...ledBy('Second'),
      name: 'Whole',
      announcement: null,
      sources: [{ source: EDITORS, as_of: '2025', fields: ['company', 'lead_investors', 'amount_usd'] }],
    }),
    ...['Second', 'Third'].map((name) => aRound({ ...ledBy(name), name: `By ${name}` })),
    aPerson({
      name: 'Ada',
      roles: [{ organization: 'Monad', title: 'CEO', as_of: '2025-01-01' }],
      sources: [{ source: EDITORS, as_of: '2025', fields: ['name', 'roles'] }],
    }),
  ]);
});
afterAll(async () => {
  await service.close();
});

const read = async (path: string): Promise<any> => ((await (await service.get(`/api/v1/${path}`)).json()) as any).data;
const partly = async (fields: string) => (await read(`search?type=rounds&query=partly&fields=${fields}`)).results[0];
const linesOf = async (path: string) => (await (await service.get(`/api/v1/${path}`)).text()).trimEnd().split('\n');

test('a record, a list and a search name them', async () => {
  expect(await read('rounds/partly')).toMatchObject({ unsourced: null, unsourced_fields: ['lead_investors'] });
  expect(await read('rounds/sourced')).toMatchObject({ unsourced_fields: [] });
  expect((await read('people')).results).toMatchObject([{ unsourced_fields: ['name', 'roles'] }]);
  const found = await read('search?type=rounds&query=partly');
  expect(found.results).toMatchObject([{ unsourced_fields: ['lead_investors'] }]);
});

test('a text is among them where it states one of them', async () => {
  const { results } = await read('search?type=companies&query=telling');
  expect(results).toMatchObject([{ unsourced_fields: ['tagline', 'overview', 'location_json', 'year_founded'] }]);
  expect(await read('companies/telling?fields=tagline')).toMatchObject({ unsourced_fields: ['tagline'] });
  expect(await read('companies/silent')).toMatchObject({ unsourced_fields: ['location_json', 'year_founded'] });
});

test('a record of some fields names those among them', async () => {
  expect(await partly('lead_investors,unsourced')).toMatchObject({
    unsourced: null,
    unsourced_fields: ['lead_investors'],
  });
  expect(await partly('investors')).not.toHaveProperty('unsourced_fields');
  expect(await partly('unsourced_fields')).toMatchObject({ unsourced_fields: ['lead_investors'] });
  expect(await read('people/ada?fields=roles')).toMatchObject({ unsourced_fields: ['roles'] });
});

test('CSV has them in its last column, whatever the others', async () => {
  expect(await linesOf('search?type=rounds&query=partly&format=csv&fields=lead_investors,unsourced')).toEqual([
    'type,id,name,slug,lead_investors,unsourced,unsourced_fields',
    expect.stringMatching(/^rounds,\d+,Partly,partly,Fund,,lead_investors$/),
  ]);
  expect(await linesOf('people?format=csv')).toEqual([
    expect.stringMatching(/,unsourced_fields$/),
    expect.stringMatching(/,name\|roles$/),
  ]);
  // Of a sentence it has fewer columns, and no others are named.
  expect(await linesOf('search?type=all&query=investors+in+Germany&format=csv')).toEqual([
    expect.stringMatching(/,location_json\.country,(?!.*year_founded).*,as_of,unsourced_fields$/),
    expect.stringMatching(/,Germany,.*,location_json$/),
  ]);
});

test('they follow an edit, and cannot be written', async () => {
  const headers = { Authorization: `Bearer ${await service.newKey({ level: 'write' })}` };
  const patch = (body: object) =>
    service.get('/api/v1/people/ada', {
      method: 'PATCH',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  const change = await patch({ roles: [{ organization: 'Monad', title: 'CTO' }] });
  const after = { 'X-At-Least': change.headers.get('x-change') ?? '0' };
  expect(await (await service.get('/api/v1/people/ada', { headers: after })).json()).toMatchObject({
    data: { unsourced_fields: ['name'] },
  });
  expect((await patch({ unsourced_fields: [] })).status).toBe(400);
});

describe('rounds by who led them', () => {
  const byLead = (query = '') => read(`aggregate?of=rounds&from=2021&to=2021&group_by=lead_investor${query}`);

  test('count as unsourced where only the editors state who led', async () => {
    const { rows, covered } = await byLead();
    expect(rows.map(([of, count]: any) => [of.name ?? of, count])).toEqual([
      ['First', 4],
      ['Second', 2],
      ['Third', 1],
    ]);
    expect(covered).toMatchObject({ unsourced: { records: 3, leads: 2 }, unsourced_by_row: [2, 1, 0] });
    const sums = await byLead('&measure=sum');
    expect(sums.covered).toMatchObject({
      unsourced: { records: 3, leads: 2, sum: '3000000.00' },
      unsourced_by_row: ['2000000.00', '1000000.00', '0.00'],
    });
    const { covered: byYear } = await read('aggregate?of=rounds&from=2021&to=2021&group_by=year');
    expect(byYear).toMatchObject({ unsourced: { records: 1 }, unsourced_by_row: [1] });
  });

  test('are left out by sourced, in aggregates and searches, but not if nobody asks who led', async () => {
    expect((await byLead('&sourced=true')).rows.map(([, count]: any) => count)).toEqual([2, 1, 1]);
    expect((await byLead('&sourced=false')).rows.map(([, count]: any) => count)).toEqual([2, 1]);
    const namesOf = async (query: string) =>
      (await read(`search?type=rounds&from=2021&to=2021&sort=name${query}`)).results.map(({ name }: any) => name);
    const ofFirst = '&investor=First&led=true';
    expect(await namesOf(`${ofFirst}&sourced=true`)).toEqual(['Led 2021 0', 'Led 2021 1']);
    expect(await namesOf(`${ofFirst}&sourced=false`)).toEqual(['Led 2021 2', 'Led 2021 3']);
    expect(await namesOf('&investor=First&sourced=true')).toHaveLength(4);
    expect(await namesOf('&sourced=false')).toEqual(['Whole']);
    const byYear = await read(
      'aggregate?of=rounds&from=2021&to=2021&group_by=year&investor=First&led=true&sourced=true',
    );
    expect(byYear.rows).toEqual([[2021, 2]]);
  });

  test('are answered with how many leads are unsourced', async () => {
    const { answer } = await read(`search?type=all&query=${encodeURIComponent('who led the most rounds in 2021')}`);
    expect(answer.covered).toMatchObject({ unsourced: { leads: 2 } });
  });

  test('are counted in the record of the investor, which follows a change of a round', async () => {
    expect(await read('investors/first')).toMatchObject({ lead_count: 4, unsourced_lead_count: 2 });
    const sources = [{ source: 'https://example.com/lead', as_of: '2025', fields: ['lead_investors'] }];
    const change = await service.get('/api/v1/rounds/led-2021-3', {
      method: 'PATCH',
      headers: {
        Authorization: `Bearer ${await service.newKey({ level: 'write' })}`,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({ sources }),
    });
    const after = { 'X-At-Least': change.headers.get('x-change') ?? '0' };
    expect(await (await service.get('/api/v1/investors/first', { headers: after })).json()).toMatchObject({
      data: { lead_count: 4, unsourced_lead_count: 1 },
    });
  });
});
