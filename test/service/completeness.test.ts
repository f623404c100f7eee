import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aCompany, anEvent, anInvestor, aPerson, aRound } from '../support/builders.ts';
import { startService, type TestService } from '../support/service.ts';

/** As many names as sources list of a round at most. */
const TEN = Array.from({ length: 10 }, (_, index) => `Fund ${index}`);

let service: TestService;
beforeAll(async () => {
  service = await startService([
    aCompany({ name: 'Monad' }),
    aCompany({ name: 'Beta' }),
    aCompany({ name: 'Stated', total_funding_usd: '5000000.00', funding_stage: 'seed' }),
    anInvestor({ name: 'Fund 0' }),
    aRound({
      name: 'Monad Seed',
      company: 'Monad',
      stage: 'seed',
      amount_usd: '19000000.00',
      announced_date: '2022-02-14',
    }),
    aRound({
      name: 'Monad round',
      company: 'Monad',
      amount_usd: '225000000.00',
      announced_date: '2024-05-21',
      investors: TEN,
    }),
    aRound({
      name: 'Monad strategic',
      company: 'Monad',
      stage: 'undisclosed',
      announced_date: '2023-01-10',
      investors: TEN.slice(1),
    }),
    aRound({
      name: 'Monad grant',
      company: 'Monad',
      stage: 'grant',
      amount_usd: '1000.00',
      announced_date: '2025-01-01',
    }),
    aRound({
      name: 'Long',
      company: 'Stated Elsewhere',
      amount_usd: '3000000.00',
      investors: [...TEN, 'A', 'B', 'C'],
      lead_investors: ['A'],
      announcement: null,
      sources: [{ source: 'web3-bi editors@0.1.0:rounds.ndjson', as_of: '2025-06', fields: ['amount_usd'] }],
    }),
    aCompany({ name: 'Stated Elsewhere', total_funding_usd: null }),
    aRound({
      name: 'Led apart',
      company: 'Stated Elsewhere',
      amount_usd: '1000000.00',
      investors: [...TEN, 'A'],
      lead_investors: ['A'],
    }),
    anInvestor({ name: 'Giver', portfolio: ['Granted', 'Granted Too', 'Backed'] }),
    aCompany({ name: 'Backed' }),
    aCompany({ name: 'Granted', tags: ['granted'] }),
    aCompany({ name: 'Granted Too', tags: ['granted'] }),
    aRound({
      name: 'Granted Seed',
      company: 'Granted',
      stage: 'seed',
      announced_date: '2024-01-01',
      investors: ['Fund 0'],
    }),
    ...['Granted', 'Granted Too'].map((company) =>
      aRound({ name: `${company} Grant`, company, stage: 'grant', announced_date: '2025-01-01', investors: ['Giver'] }),
    ),
    aRound({
      name: 'Fund Grant',
      company: 'Granted Too',
      stage: 'grant',
      announced_date: '2025-01-01',
      investors: ['Fund 0'],
    }),
    anEvent({ name: 'EthCC 2025', start_date: '2025-06-30', end_date: '2025-07-03' }),
    anEvent({ name: 'One Day', start_date: '2025-07-01' }),
    anEvent({ name: 'Later', start_date: '2025-07-10', end_date: '2025-07-11' }),
    anInvestor({ name: 'Paradigm', aliases: ['para'], founders: ['Fred Founder'] }),
    aPerson({ name: 'Pat Partner', roles: [{ organization: 'Paradigm', title: 'Partner' }] }),
    aPerson({ name: 'Fred Founder' }),
    ...['Sam Speaker', 'Sue Speaker', 'Third Speaker', 'Fourth Speaker'].map((name) => aPerson({ name })),
    anEvent({ name: 'Small', start_date: '2019-01-01', speakers: ['Sam Speaker', 'Sue Speaker'] }),
    anEvent({
      name: 'Large',
      start_date: '2024-01-01',
      speakers: ['Sam Speaker', 'Sue Speaker', 'Third Speaker', 'Fourth Speaker'],
    }),
    aPerson({ name: 'Una Unlisted', roles: [{ organization: 'Nowhere Labs' }] }),
    aRound({ name: 'Led', company: 'Beta', investors: ['Paradigm'], lead_investors: ['Paradigm'] }),
    aRound({ name: 'Led by another', company: 'Beta', investors: ['Paradigm', 'Fund 0'], lead_investors: ['Fund 0'] }),
    aRound({ name: 'Lead unstated', company: 'Beta', investors: ['Paradigm', 'Fund 0'] }),
    aRound({ name: 'Nobody stated', company: 'Beta' }),
  ]);
});
afterAll(() => service.close());

/** Changes a record; later reads ask for the position of the last change. */
let changedAt = '0';
let key = '';
const patch = async (path: string, body: object): Promise<number> => {
  key ||= await service.newKey({ level: 'write' });
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const response = await service.get(`/api/v1/${path}`, { method: 'PATCH', body: JSON.stringify(body), headers });
  changedAt = response.headers.get('x-change') ?? changedAt;
  return response.status;
};
const record = async (path: string): Promise<any> =>
  ((await (await service.get(`/api/v1/${path}`, { headers: { 'X-At-Least': changedAt } })).json()) as any).data;

describe('the funding of a company', () => {
  test('says how many rounds it rests on, of how many, and of when the stage and the last of them are', async () => {
    expect(await record('companies/monad')).toMatchObject({
      total_funding_usd: '244000000.00',
      disclosed_rounds: 2,
      known_rounds: 3,
      funding_stage: 'seed',
      funding_stage_date: '2022-02-14',
      last_round_date: '2024-05-21',
    });
  });

  test('rests on no known round where a source states only the sum', async () => {
    const stated = await record('companies/stated');
    expect(stated).toMatchObject({ total_funding_usd: '5000000.00', disclosed_rounds: null, known_rounds: null });
    expect(stated.funding_stage_date).toBeNull();
  });

  test('follows a change of a round, and cannot be written', async () => {
    expect(await patch('rounds/monad-strategic', { amount_usd: '1000000.00' })).toBe(200);
    expect(await record('companies/monad')).toMatchObject({ total_funding_usd: '245000000.00', disclosed_rounds: 3 });
    expect(await patch('companies/monad', { known_rounds: 9 })).toBe(400);
  });
});

test('records that lack a fact are counted with how many of them are grants, unless a stage is given', async () => {
  const led = await record('search?type=rounds&company=Monad&valuation_min=1');
  expect(led).toMatchObject({
    ...{ unknown: { valuation_min: 4 }, unknown_grants: { valuation_min: 1 } },
    coverage: { valuation_min: { known: 0, grants: 4 } },
  });
  const ofAll = await record('search?type=rounds&valuation_min=1');
  expect(ofAll.unknown_grants).toEqual({ valuation_min: 4 });
  const seed = await record('search?type=rounds&company=Monad&valuation_min=1&funding_stage=except:grant');
  expect(seed).toMatchObject({ unknown: { valuation_min: 3 } });
  expect(seed).not.toHaveProperty('unknown_grants');
});

test('a round, and its part of the funding of its company, is unsourced while only the editors of the data set state it', async () => {
  expect(await record('rounds/led-apart')).toMatchObject({ unsourced: null });
  expect(await record('rounds/long')).toMatchObject({ unsourced: true });
  const company = { total_funding_usd: '4000000.00', unsourced_funding_usd: '3000000.00' };
  expect(await record('companies/stated-elsewhere')).toMatchObject(company);
  const announcement = 'https://example.com/round';
  await patch('rounds/long', { announcement });
  expect(await record('rounds/long')).toMatchObject({ unsourced: null });
  expect(await record('companies/stated-elsewhere')).toMatchObject({ ...company, unsourced_funding_usd: null });
  await patch('rounds/long', { announcement: null });
  expect(await record('rounds/long')).toMatchObject({ unsourced: true });
  // An edit of all that the editors state is the word of who edits.
  await patch('rounds/long', { amount_usd: '1000.00' });
  expect(await record('rounds/long')).toMatchObject({ unsourced: null, sources: [] });
  expect(await patch('rounds/long', { unsourced: true })).toBe(400);
});

describe('the investors of a round', () => {
  test('may be cut where as many are listed as sources list at most', async () => {
    expect(await record('rounds/monad-round')).toMatchObject({ investors_may_be_cut: true });
    expect(await record('rounds/led-apart')).toMatchObject({ investors_may_be_cut: true });
    expect(await record('rounds/monad-strategic')).toMatchObject({ investors_may_be_cut: null });
    expect(await record('rounds/long')).toMatchObject({ investors_may_be_cut: null });
  });

  test('are marked as they change', async () => {
    await patch('rounds/monad-round', { investors: TEN.slice(2) });
    expect(await record('rounds/monad-round')).toMatchObject({ investors_may_be_cut: null });
    await patch('rounds/monad-round', { investors: TEN });
    expect(await record('rounds/monad-round')).toMatchObject({ investors_may_be_cut: true });
  });
});

const found = async (query: string): Promise<string[]> =>
  (await record(`search?${query}`)).results.map(({ name }: any) => name).sort();

describe('a period', () => {
  test('has the events that last into it, in searches, lists and aggregates', async () => {
    const period = 'from=2025-07-01&to=2025-07-02';
    expect(await found(`type=events&${period}`)).toEqual(['EthCC 2025', 'One Day']);
    expect((await record(`events?${period}`)).results).toHaveLength(2);
    expect((await record(`aggregate?of=events&group_by=year&${period}`)).rows).toEqual([[2025, 2]]);
    expect(await found('type=events&from=2025-07-03')).toEqual(['EthCC 2025', 'Later']);
    expect(await found('type=events&from=2025-07-04&to=2025-07-09')).toEqual([]);
    expect(await found('type=events&starts_after=2025-07-01')).toEqual(['Later', 'One Day']);
  });

  test('has them where a sentence names it', async () => {
    expect(await found('type=events&query=events%20in%20July%202025')).toEqual(['EthCC 2025', 'Later', 'One Day']);
  });
});

describe('the filter company of people', () => {
  test('is of any organisation: investors, and those without a record', async () => {
    expect(await found('type=people&company=Paradigm')).toEqual(['Fred Founder', 'Pat Partner']);
    expect(await found('type=people&company=paradigm')).toEqual(['Fred Founder', 'Pat Partner']);
    expect(await found('type=people&company=Nowhere%20Labs')).toEqual(['Una Unlisted']);
    const { columns, rows } = await record('aggregate?of=people&group_by=organization&company=Paradigm');
    expect([columns[0], rows.length]).toEqual(['organization', 2]);
    expect((await service.get('/api/v1/search?type=rounds&company=Fund%200')).status).toBe(400);
  });
});

describe('rounds that an investor led', () => {
  test('leave out those of the investor whose leads nobody states, and say how many', async () => {
    const { results, unknown, coverage } = await record('search?type=rounds&investor=Paradigm&led=true');
    expect(results.map(({ name }: any) => name)).toEqual(['Led']);
    expect(unknown).toMatchObject({ led: 1 });
    expect(coverage).toMatchObject({ led: { known: 4 } });
    const { covered } = await record('aggregate?of=rounds&group_by=company&investor=Paradigm&led=true');
    expect(covered.left_out).toEqual(unknown);
    expect((await record('search?type=rounds&investor=Paradigm')).unknown).not.toHaveProperty('led');
  });
});

describe('grants are no investments', () => {
  test('of a company in the filter company of investors, unless the stage is asked for', async () => {
    expect(await found('type=investors&company=Granted')).toEqual(['Fund 0']);
    expect(await found('type=investors&company=all:Granted|Granted%20Too')).toEqual([]);
    expect(await record('companies/granted/investors')).toMatchObject({ totalResults: 1 });
    // A portfolio says that it invested, where it gave no grant.
    expect(await found('type=investors&company=Backed')).toEqual(['Giver']);
    expect(await record('companies/backed/investors')).toMatchObject({ totalResults: 1 });
  });

  test('but count in the filter investor of companies, as in its portfolio and in groups', async () => {
    const all = ['Granted', 'Granted Too'];
    expect(await found('type=companies&investor=Fund%200&tag=granted')).toEqual(all);
    expect(await found('type=companies&investor=Fund%200&from=2025&tag=granted')).toEqual(['Granted Too']);
    expect(await found('type=companies&investor=Giver')).toEqual(['Backed', ...all]);
    expect(await found('type=companies&investor=Giver&from=2025')).toEqual(all);
    const since = await record('search?type=companies&investor=Giver&from=2025');
    const none = await record('search?type=companies&last_round_after=2000');
    // Found by a grant, a company is not left out as well, though its last round is not known.
    expect([since.totalResults, since.unknown.from]).toEqual([all.length, none.unknown.last_round_after - 1]);
    expect((await record('search?type=rounds&investor=Giver')).totalResults).toBe(2);
    const { rows } = await record('aggregate?of=companies&group_by=investor&tag=granted');
    expect(rows).toContainEqual([expect.objectContaining({ name: 'Fund 0' }), all.length]);
  });
});

describe('connections', () => {
  const connect = async (from: string, to: string): Promise<any> =>
    (await record(`connections?from=${from}&to=${to}&hops_max=3`)).paths;

  test('prefer the smaller event, and say how many spoke at it', async () => {
    const paths = await connect('people/sam-speaker', 'people/sue-speaker');
    expect(paths.map(({ edges }: any) => edges[0].label)).toEqual(['speaker, speaker', 'speaker, speaker among 4']);
  });

  test('are no detours between two whom a round connects', async () => {
    const [direct, ...others] = await connect('investors/paradigm', 'Beta');
    expect(direct.hops).toBe(1);
    expect(others.every(({ hops }: any) => hops === 1)).toBe(true);
  });

  test('take an alias as a slug, and say what is like an unknown one', async () => {
    expect(await connect('investors/para', 'Beta')).not.toEqual([]);
    const refusal = async (from: string) =>
      ((await (await service.get(`/api/v1/connections?from=${from}&to=Beta`)).json()) as any).error;
    expect(await refusal('investors/paradgm')).toMatch(/^no such record: .*no investors of this slug; the nearest are/);
    expect(await refusal('Paradgm')).toMatch(/^no such record: .*; the nearest are investors\/paradigm/);
  });
});
