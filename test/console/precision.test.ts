import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aCompany, anInvestor, aRound } from '../support/builders.ts';
import { type Console, startConsole } from '../support/console.ts';

const MONTH = { announced_date: '2021-03-01', as_of: '2021-03-01', month_only: ['announced_date', 'as_of'] };
const FUNDS = ['One Capital', 'Two Capital'];

let site: Console;
let key = '';
beforeAll(async () => {
  site = await startConsole(
    [
      aCompany({ name: 'Monthly' }),
      aCompany({ name: 'Daily' }),
      ...FUNDS.map((name) => anInvestor({ name })),
      aRound({ name: 'Monthly Seed', company: 'Monthly', stage: 'seed', investors: FUNDS, ...MONTH }),
      aRound({ name: 'Daily Seed', company: 'Daily', stage: 'seed', ...MONTH }),
      aCompany({ name: 'Later', slug: 'later', company_stage: 'closed', status: 'closed' }),
      aRound({ name: 'Later Series A', company: 'Later', stage: 'series_a', announced_date: '2014-03-01' }),
      aRound({ name: 'Later Round', company: 'Later', stage: null, announced_date: '2025-03-01' }),
      aRound({ name: 'Daily Series A', company: 'Daily', stage: 'series_a', announced_date: '2021-03-01' }),
      aRound({
        name: 'Monthly grant',
        company: 'Monthly',
        stage: 'grant',
        amount_usd: '1750.00',
        amount_raw: '1,000 ARB',
        ...MONTH,
      }),
      ...['300.00', '700.00'].map((amount_usd) =>
        aRound({
          ...{ name: `Later grant of ${amount_usd}`, company: 'Later', stage: 'grant', amount_usd },
          announced_date: '2025-03-02',
        }),
      ),
    ],
    { publicPages: true },
  );
  await site.store.accounts.create('analyst', 'api_access');
  key = (await site.store.keys.create({ account: 'analyst', name: 'test', level: 'write', expires_at: null })).secret;
});
afterAll(() => site.close());

/** Later reads ask for the position of the last change. */
let changedAt = '0';
const call = async (path: string, init: { method?: string; body?: string } = {}): Promise<any> => {
  const headers = {
    Authorization: `Bearer ${key}`,
    'Content-Type': 'application/json',
    'X-At-Least': changedAt,
  };
  const response = await fetch(`${site.url}/api/v1/${path}`, { ...init, headers });
  changedAt = response.headers.get('x-change') ?? changedAt;
  return ((await response.json()) as any).data;
};
const page = async (path: string): Promise<string> =>
  (await (await fetch(site.url + path, { headers: { accept: 'text/html' } })).text()).replace(/<[^>]*>/g, ' ');

test('the investors of a company have a plus in a list, too, where a round may have more', async () => {
  const listed = Array.from({ length: 10 }, (_, index) => `Listed ${index}`);
  const own = await startConsole(
    [
      aCompany({ name: 'Cut' }),
      aCompany({ name: 'Whole' }),
      aRound({ name: 'Cut A', company: 'Cut', investors: listed }),
      aRound({ name: 'Whole A', company: 'Whole', investors: listed.slice(0, 3) }),
    ],
    { publicPages: true },
  );
  const html = await (
    await fetch(`${own.url}/search?type=companies&view=table`, { headers: { accept: 'text/html' } })
  ).text();
  const text = html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
  expect(text).toMatch(/ 10\+ .*\+: there may be more/);
  expect(await (await fetch(`${own.url}/companies/cut`, { headers: { accept: 'text/html' } })).text()).toContain('10+');
  await own.close();
});

describe('a date of which only the month is known', () => {
  test('is marked in the round and in what a company computes from it, unless a day is as new', async () => {
    expect(await call('rounds/monthly-seed')).toMatchObject(MONTH);
    expect(await call('companies/monthly')).toMatchObject({
      last_round_date: '2021-03-01',
      month_only: ['funding_stage_date', 'last_round_date'],
    });
    expect(await call('companies/daily')).toMatchObject({ funding_stage: 'series_a', month_only: [] });
  });

  test('is no day of a connection, and marked in a shared round', async () => {
    const { paths } = await call('connections?from=companies/monthly&to=investors/one-capital');
    expect(paths[0].edges[0]).toMatchObject({ date: null, record: { slug: 'monthly-seed' } });
    const { results } = await call('investors/one-capital/co_investors');
    expect(results[0].latest_round).toMatchObject({
      slug: 'monthly-seed',
      announced_date: MONTH.announced_date,
      month_only: MONTH.month_only,
    });
  });

  test('is a month on pages', async () => {
    for (const path of ['/rounds/monthly-seed', '/companies/monthly', '/search?type=rounds&company=Monthly']) {
      expect(await page(path), path).toContain('Mar 2021');
      expect(await page(path), path).not.toMatch(/1 Mar 2021|2021-03-01/);
    }
  });

  test('is found by the days of its month, and is a day once one is written', async () => {
    expect((await call('search?type=rounds&company=Monthly&from=2021-03&to=2021-03')).totalResults).toBe(2);
    await call('rounds/monthly-seed', {
      method: 'PATCH',
      body: JSON.stringify({ announced_date: '2021-03-09', as_of: '2021-03-09' }),
    });
    expect(await call('rounds/monthly-seed')).toMatchObject({ announced_date: '2021-03-09', month_only: [] });
    expect(await call('companies/monthly')).toMatchObject({ month_only: [] });
  });
});

describe('a grant in tokens', () => {
  test('states them beside what its source converts them to', async () => {
    expect(await call('rounds/monthly-grant')).toMatchObject({ amount_usd: '1750.00', amount_raw: '1,000 ARB' });
    expect(await page('/companies/monthly')).toMatch(/Grants\s+≈ \$1,750/);
    expect(await page('/search?type=rounds&funding_stage=grant')).toMatch(/Monthly .*Mar 2021 .*≈ \$1,750/s);
    expect(await page('/rounds/monthly-grant')).toMatch(/≈ \$1,750\s+paid as 1,000 ARB/);
    expect(await page('/search?type=rounds&funding_stage=grant')).toContain('≈ $2,750 in all');
    expect(await page('/search?type=rounds&funding_stage=grant&company=Later')).toContain(' $1,000 in all');
  });

  test('comes after a larger one of the same day', async () => {
    expect(await page('/companies/later')).toMatch(/\$700\b.*\$300\b/s);
  });
});

test('a stage of a round before the last one has its year in a table, and is said not to be that of the last', async () => {
  const table = await page('/search?type=companies&view=table');
  expect(table.replace(/\s+/g, ' ')).toMatch(/ Name Stage (?=.*Closed ).*Later .*Series A in 2014 1 Mar 2025 /);
  expect(await page('/search?type=companies&funding_stage=series_a')).toContain('the list shows that of the latest');
});

test('aggregates and empty lists name the month where no round on record states the day', async () => {
  const seed = { company: 'Own', stage: 'seed', amount_usd: '1000000.00' };
  const own = await startConsole(
    [
      aCompany({ name: 'Own' }),
      aRound({ ...seed, name: 'A', announced_date: '2020-02-03' }),
      aRound({ ...seed, name: 'B', ...MONTH }),
      aRound({ ...seed, name: 'C', ...MONTH }),
      aRound({ ...seed, name: 'D', stage: 'series_a', announced_date: '2021-03-01' }),
      aRound({ ...seed, name: 'E', stage: 'grant', ...MONTH }),
    ],
    { publicPages: true },
  );
  const read = async (query: string): Promise<string> => {
    const response = await fetch(`${own.url}/search${query}`, { headers: { accept: 'text/html' } });
    return (await response.text()).replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
  };
  expect(await read('?type=rounds&funding_stage=grant&from=2025&to=2030')).toContain(
    'on record to Mar 2021: nothing later',
  );
  expect(await read('?type=rounds&funding_stage=grant&from=2021-03-02&to=2021-03')).not.toContain('nothing later');
  const byYear = '/aggregate?of=rounds&group_by=year&measure=sum';
  const ofSeed = await read(`${byYear}&funding_stage=seed`);
  expect(ofSeed).toContain('3 rounds, 3 Feb 2020 to Mar 2021, a sample');
  expect(ofSeed).toMatch(/ to Mar (?!2021)/);
  expect(await read(`${byYear}&from=2021`)).toContain('3 rounds, 1 Mar 2021, a sample');
  expect(await read('?type=rounds&funding_stage=seed&view=chart')).toContain('3 Feb 2020 to Mar 2021');
  await own.close();
});
