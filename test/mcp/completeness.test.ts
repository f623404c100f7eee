import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aCompany, anEvent, anInvestor, aPerson, aRound } from '../support/builders.ts';
import { connectTo } from '../support/mcp-server.ts';
import { startService, type TestService } from '../support/service.ts';

/** What the tools tell a model of how complete an answer is, and how to ask better. */
const TEN = Array.from({ length: 10 }, (_, index) => `Fund ${index}`);

let service: TestService;
let mcp: Client;
beforeAll(async () => {
  service = await startService([
    aCompany({ name: 'Alpha', tags: ['DeFi'] }),
    aCompany({ name: 'Beta', tags: ['Wallet'], total_employees: 40 }),
    anInvestor({ name: 'Fund 0' }),
    anInvestor({ name: 'Fund 1' }),
    anInvestor({ name: 'Giver' }),
    aPerson({ name: 'Ann', roles: [{ organization: 'Alpha', title: 'CEO', as_of: '2018-11-02' }] }),
    ...Array.from({ length: 11 }, (_, index) =>
      aRound({ name: `Small ${index}`, company: 'Gamma', announced_date: '2020-01-01', investors: ['Fund 0'] }),
    ),
    anEvent({ name: 'Undated' }),
    anEvent({ name: 'Con', start_date: '2025-06-30', end_date: '2025-07-03' }),
    aRound({ name: 'Beta C', company: 'Beta', stage: 'series_c', announced_date: '2026-01-01', investors: TEN }),
    aRound({ name: 'Beta B', company: 'Beta', stage: 'series_b', announced_date: '2025-09-01' }),
    ...['2025-01-05', '2026-01-05'].map((announced_date) =>
      aRound({
        name: `Grant ${announced_date}`,
        company: 'Alpha',
        stage: 'grant',
        announced_date,
        investors: ['Giver'],
      }),
    ),
    aRound({
      name: 'Alpha Seed',
      company: 'Alpha',
      stage: 'seed',
      amount_usd: '1000000.00',
      announced_date: '2024-02-01',
      announcement: null,
      sources: [{ source: 'web3-bi editors@0.1.0:rounds.ndjson', as_of: '2025-06', fields: ['amount_usd'] }],
    }),
    aRound({ name: 'Beta Series A', company: 'Beta', stage: 'series_a', announced_date: '2025-02-01' }),
  ]);
  mcp = await connectTo(service);
});
afterAll(async () => {
  await mcp.close();
  await service.close();
});

const call = async (name: string, args: Record<string, unknown>) => {
  const result = (await mcp.callTool({ name, arguments: args })) as any;
  return { isError: result.isError, data: result.structuredContent, text: result.content[0].text as string };
};

describe('an argument', () => {
  test.each([
    ['search', { type: 'companies', tag: 'Unicorn' }, 'all are DeFi, Wallet'],
    ['search', { type: 'rounds', funding_stage: 'IPO' }, 'all are pre_seed, angel, seed'],
    ['search', { type: 'rounds', sort: '-popularity' }, 'sort must be one of name, -name'],
    ['search', { type: 'rounds', fields: ['tags'] }, 'they have type, id, name, slug, aliases, company'],
    ['aggregate', { of: 'rounds', group_by: ['planet'] }, 'group_by.0 must be one of year, quarter'],
    ['aggregate', { of: 'rounds', group_by: ['year'], order: 'popularity' }, '-group last first'],
  ])('of %s that is wrong is answered with the right ones: %j', async (tool, args, expected) => {
    const { isError, text } = await call(tool, args);
    expect(isError).toBe(true);
    expect(text).toContain(expected);
    expect(text).not.toContain('/api/v1');
  });

  test('funding_stage may be called stage, as a filter and as a group, and the other way round', async () => {
    const byStage = await call('search', { type: 'companies', stage: 'seed' });
    expect(byStage.data.results.map(({ name }: any) => name)).toEqual(['Alpha']);
    const filtered = { group_by: ['funding_stage'], stage: 'series_a' };
    expect((await call('aggregate', { of: 'rounds', ...filtered })).data).toMatchObject({
      columns: ['stage', 'count'],
      rows: [['series_a', 1]],
    });
    const grouped = await call('aggregate', { of: 'companies', group_by: ['stage'] });
    expect(grouped.data.columns).toEqual(['funding_stage', 'count']);
    expect((await call('search', { type: 'rounds', stage: 'seed', funding_stage: 'seed' })).isError).toBe(true);
  });

  test('fields with one wrong name answers with the others, and says which fields there are', async () => {
    const items = ['alpha', 'beta'].map((id) => ({ type: 'companies', id }));
    const { data, text } = await call('get_entity', { items, fields: ['tags', 'employee_count'] });
    expect(data.entities.map(({ record }: any) => record.tags)).toEqual([['DeFi'], ['Wallet']]);
    expect(data.notes).toEqual([expect.stringContaining('No field employee_count: did you mean total_employees')]);
    expect(text).toContain('No field employee_count');
    expect((await call('get_entity', { items, fields: ['employee_count'] })).isError).toBe(true);
  });

  test('fields shows what is unknown as null, as full does', async () => {
    const { data } = await call('search', { type: 'rounds', fields: ['investors'], stage: 'seed' });
    expect(data.results[0].investors).toBeNull();
  });
});

describe('an answer about rounds or events', () => {
  test('says of how many on record it is a part, if it is ordered or of a period', async () => {
    const largest = await call('search', { type: 'rounds', sort: '-amount', tag: 'DeFi' });
    expect(largest.data.sample).toBe('A sample: 15 funding rounds (grants aside) are on record, announced ones only.');
    expect(largest.text).toContain(largest.data.sample);
    const year = await call('search', { type: 'rounds', from: '2024', to: '2024' });
    expect(year.text).toContain('A sample: 1 funding round (grants aside) is on record from 2024-01-01 to 2024-12-31');
    const sentence = await call('search', { query: 'largest rounds in 2024' });
    expect(sentence.text).toContain('is on record from 2024-01-01 to 2024-12-31');
    const table = await call('search', { type: 'events', from: '2025', detail: 'csv' });
    expect(table.data.sample).toBe('A sample: 1 event is on record from 2025-01-01, announced ones only.');
    const named = await call('search', { query: 'Alpha', type: 'rounds' });
    expect(named.data.sample).toBeUndefined();
  });

  test('says so of totals', async () => {
    const { data, text } = await call('aggregate', {
      of: 'rounds',
      group_by: ['year'],
      from: '2025',
      stage: 'series_a',
    });
    expect(data.covered).toMatchObject({ records: 1, on_record: 3 });
    expect(text).toContain('A sample: 3 funding rounds (grants aside) are on record from 2025-01-01');
    const ofCompanies = await call('aggregate', { of: 'companies', group_by: ['tag'] });
    expect(ofCompanies.data.covered.on_record).toBeUndefined();
  });
});

describe('a concise answer', () => {
  test('refers to an organization by its slug alone, and states the coverage of a period once', async () => {
    const { data } = await call('search', { type: 'people', query: 'Ann' });
    expect(data.results[0].roles).toEqual([
      { organization: 'Alpha', organization_slug: 'alpha', title: 'CEO', as_of: '2018-11-02' },
    ]);
    const full = await call('search', { type: 'people', query: 'Ann', detail: 'full' });
    expect(full.data.results[0].roles[0]).toMatchObject({ organization_type: 'companies', organization_id: 1 });
    const ofPeriod = await call('search', { type: 'events', from: '2025', to: '2025' });
    expect(ofPeriod.text).toContain('Known, whatever the filters: from 1 of 2. ');
  });
});

test('fields are those of the records of a list as well', async () => {
  const given = { type: 'companies', id: 'beta', include: ['rounds'], fields: ['announced_date'] };
  const { data } = await call('get_entity', given);
  const [{ record }] = data.entities;
  expect(record).toMatchObject({ name: 'Beta', related: { rounds: { totalResults: 3 } } });
  expect(record).not.toHaveProperty('announced_date');
  expect(record.related.rounds.results[0]).toMatchObject({ name: 'Beta C', announced_date: '2026-01-01' });
  expect((await call('get_entity', { ...given, include: [] })).isError).toBe(true);
});

test('what only the editors of the data set state is marked, in sums too, and can be left out', async () => {
  const ask = (more: object) => call('aggregate', { of: 'rounds', group_by: ['year'], ...more });
  const summed = await ask({ measure: ['sum'] });
  expect(summed.data.covered).toMatchObject({ sum: 1_000_000, unsourced: { records: 1, sum: 1_000_000 } });
  expect(summed.text).toContain(
    'Only the editors of the data set state all $1M, without a page; the filter sourced leaves that out.',
  );
  expect(summed.data.covered.unsourced_by_row).toContain(1_000_000);
  expect(summed.text).toMatch(/\nyear [^\n]* unsourced\n(.*\n)*.* \| \$1M(\n|$)/);
  const ofPlaces = await ask({ group_by: ['country'], measure: ['sum'] });
  expect(ofPlaces.text).toMatch(/; \d+ have no group, \$1M in all( \(the last row\))?[.,;]/);
  const counted = await ask({});
  expect(counted.data.covered.unsourced).toEqual({ records: 1 });
  expect(counted.text).toContain('Only the editors of the data set state 1 of the 17 rounds, without a page');
  expect((await ask({ sourced: true })).data.covered.unsourced).toBeUndefined();
  const { data } = await call('search', { type: 'rounds', sourced: false });
  expect(data.results).toEqual([expect.objectContaining({ name: 'Alpha Seed', unsourced: true })]);
});

describe('an answer by investor', () => {
  test('is at least, as sources list ten at most, and shows grants apart', async () => {
    const { data, text } = await call('aggregate', { of: 'rounds', group_by: ['investor'] });
    expect(data.covered).toMatchObject({ may_be_cut: 1, grants: 2 });
    const counted = '2 of the 17 rounds are grants; 15 without them (funding_stage except:grant)';
    expect([text, data.sample]).toEqual(Array.from({ length: 2 }, () => expect.stringMatching(/^2 of the 17 rounds/)));
    expect(text).toContain(counted);
    expect((await call('search', { type: 'rounds' })).text).toContain(`Found 17: ${counted}`);
    expect(text).toContain(
      'By investor there may be more: sources list 10 investors of a round at most, beside its leads, as in 1 of',
    );
    expect(text).toContain(
      'investor | count | grants\nFund 0 (investors/fund-0) | 12 | 0\nGiver (investors/giver) | 2 | 2\n',
    );
    const led = await call('aggregate', { of: 'rounds', group_by: ['lead_investor'], funding_stage: 'except:grant' });
    expect(led.data.covered.grants_by_row).toBeUndefined();
    // Sources list every lead.
    expect([led.data.covered.may_be_cut, led.text]).toEqual([undefined, expect.not.stringContaining('may be more')]);
    expect((await call('search', { type: 'rounds', investor: 'Fund 0', led: true })).text).not.toContain('may be more');
    const ofYears = await call('aggregate', { of: 'rounds', group_by: ['year'] });
    expect(ofYears.data.covered.may_be_cut).toBeUndefined();
    expect(ofYears.text).toContain('year | count | grants\n2020 | 11 | 0\n');
    expect((await call('aggregate', { of: 'rounds', group_by: ['stage'] })).text).toContain('stage | count\n');
  });

  test('says so of searches and lists', async () => {
    const shared = await call('search', { type: 'companies', investor: 'all:Fund 0|Fund 1' });
    expect(shared.text).toContain('By investor there may be more: sources list 10');
    const { data } = await call('get_entity', {
      type: 'investors',
      id: 'fund-0',
      include: ['co_investors', 'portfolio', 'people'],
    });
    const { related } = data.entities[0].record;
    expect(related.co_investors.note).toContain('may be more');
    expect(related.portfolio.note).toContain('may be more');
    const beta = await call('get_entity', { type: 'companies', id: 'beta', include: ['investors', 'rounds'] });
    expect(beta.data.entities[0].record.related.investors).toMatchObject({
      named: 10,
      note: expect.stringContaining('named: '),
    });
    expect(beta.text).toContain('"investors_may_be_cut":true');
  });

  test('says how many of those that lack a fact are grants', async () => {
    const { text } = await call('search', { type: 'rounds', company: 'Alpha', valuation_min: 1 });
    expect(text).toContain('3 for valuation_min (2 of them grants).');
    expect(text).toMatch(/Known, whatever the filters: .*valuation_min 0 of \d+ \(2 of them grants\)/);
  });

  test('explains approximate', async () => {
    expect((await call('search', { query: 'Alpah', type: 'companies' })).text).toContain('Approximate: no record');
  });
});

describe('get_entity with several lists', () => {
  test('has the first entries of each, and how to read one by itself', async () => {
    const lists = { type: 'investors', id: 'fund-0', include: ['rounds', 'portfolio'] };
    const { related } = (await call('get_entity', lists)).data.entities[0].record;
    expect(related.rounds.results).toHaveLength(10);
    const { next } = related.rounds;
    expect(next).toMatchObject({ include: ['rounds'], page: 1 });
    const alone = (await call('get_entity', next)).data.entities[0].record.related.rounds;
    expect(alone.results).toHaveLength(alone.totalResults);
    expect(alone.next).toBeUndefined();
  });

  test('has the lists reduced by fields, too', async () => {
    const asked = { type: 'investors', id: 'fund-0', include: ['co_investors'], fields: ['name'] };
    const [first] = (await call('get_entity', asked)).data.entities[0].record.related.co_investors.results;
    expect(Object.keys(first)).toEqual(['type', 'id', 'name', 'slug', 'count', 'latest_round']);
    expect(Object.keys(first.latest_round)).toEqual(['slug', 'announced_date']);
  });

  test('lists the funding rounds of a company before its grants, the newest first', async () => {
    const { data } = await call('get_entity', { type: 'companies', id: 'alpha', include: ['rounds'] });
    const { results } = data.entities[0].record.related.rounds;
    expect(results.map(({ name }: any) => name)).toEqual(['Alpha Seed', 'Grant 2026-01-05', 'Grant 2025-01-05']);
  });

  test('says of when the role of a person is', async () => {
    const { data } = await call('get_entity', { type: 'companies', id: 'alpha', include: ['people'] });
    expect(data.entities[0].record.related.people.results[0]).toMatchObject({ role: 'CEO', role_as_of: '2018-11-02' });
  });
});

describe('what no record has', () => {
  test('is said of a group, and left out of the arguments of a flag', async () => {
    const { text } = await call('aggregate', { of: 'events', group_by: ['organizer'] });
    expect(text).toContain('No record states organizer.');
    const { filters, groups } = await service.store.records.coverageGaps();
    expect(filters).toContain('verified');
    expect(groups).toContain('organizer');
    expect(groups).not.toContain('year');
  });
});

describe('an answer without records', () => {
  test.each([
    [{ type: 'people', event: 'Con' }, 'speakers of most events are on no record'],
    [{ type: 'people', event: 'Con', company: 'Beta' }, 'speakers of most events are on no record'],
    [{ type: 'people', company: 'Beta' }, 'sources name only some people of a company'],
    [{ type: 'rounds', company: 'Beta', investor: 'Giver' }, 'sources name only some investors of a round'],
  ])('says why it is no proof: %j', async (given, expected) => {
    const { text } = await call('search', given);
    expect(text).toContain(`No records match. That is no proof of absence: ${expected}.`);
  });

  test('says how many match with one filter less', async () => {
    const { text } = await call('search', { type: 'rounds', company: 'Beta', funding_stage: 'series_d' });
    expect(text).toMatch(/^No records match\..* With one filter less: \d+ without the filter funding_stage\./);
  });

  test.each([
    ['компании из Германии', true],
    ['한국 블록체인 기업', true],
    ['日本のブロックチェーン企業', true],
    ['Beta Zzyzx – «nichts»', false],
    ['没有这样的公司', false],
  ])('says so if sentences are not read in the script of the query: %s', async (query, isSaid) => {
    const { text } = await call('search', { query, type: 'events' });
    expect(text).toContain('No records match.');
    expect(text.includes('Sentences are read in English, Spanish, German')).toBe(isSaid);
  });
});

describe('an answer about grants', () => {
  test('is no sample of the other rounds, and all givers are known', async () => {
    for (const period of [{}, { from: '2025' }, { sort: '-amount_usd' }]) {
      const { text } = await call('search', { type: 'rounds', funding_stage: 'grant', investor: 'Giver', ...period });
      expect(text).toMatch(/^Found 2/);
      expect(text).not.toMatch(/A sample|at least/);
    }
    const counted = { of: 'rounds', group_by: ['year'], funding_stage: 'grant', from: '2025' };
    expect((await call('aggregate', counted)).text).not.toContain('A sample');
  });
});

describe('a period', () => {
  test('leaves records out once, and is wrong once', async () => {
    const { text } = await call('search', { type: 'events', from: '2025', to: '2025' });
    expect(text).toContain('the fact is unknown: 1 for from and to.');
    expect((await call('search', { type: 'events', from: 'soon' })).text.match(/must be a date/g)).toHaveLength(1);
  });
});

test('a list by number of employees shows the number', async () => {
  const { data } = await call('search', { type: 'companies', employees_max: 50 });
  expect(data.results).toMatchObject([{ name: 'Beta', total_employees: 40 }]);
});

test('a ranking by what was raised in a period lists no companies by what they raised ever', async () => {
  const { text } = await call('search', { query: 'which company raised the most in 2024' });
  expect(text).toMatch(
    /^Alpha raised the most in 2024: \$1M in .*\nFound 1; .*\nAnswer: .*\ncompany \| sum_amount_usd .*\nAlpha \(companies\/alpha\) \| 1000000 \| 1/,
  );
  expect(text).not.toMatch(/Approximate|Records:|"slug"/);
});

test('grants to a company are its grants, also where a period has none', async () => {
  const { text } = await call('search', { query: 'grants to Alpha in 2024' });
  expect(text).toMatch(/^No records match\. .*Without the dates, 2 grants match; the latest is of 2026-01-05\./);
});
