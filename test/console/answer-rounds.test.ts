import { afterAll, beforeAll, expect, test } from 'vitest';
import { aCompany, anInvestor, aPerson, aRound } from '../support/builders.ts';
import { answerTo, type Console, startConsole } from '../support/console.ts';

const round = (
  company: string,
  day: string,
  leads: readonly string[],
  others: readonly string[],
  fields: object = {},
) =>
  aRound({
    ...{ name: `${company} ${day}`, company, announced_date: day, stage: 'seed', amount_usd: '1000000.00' },
    ...{ lead_investors: leads, investors: [...leads, ...others], ...fields },
  });

const UNSOURCED = {
  announcement: null,
  sources: [{ source: 'web3-bi editors@0.1.0:data/raw/editors.ndjson', as_of: '2026', fields: ['company'] }],
};

let service: Console;
beforeAll(async () => {
  service = await startConsole(
    [
      aCompany({ name: 'Orvane', slug: 'orvane' }),
      aCompany({ name: 'Lumipay', slug: 'lumipay' }),
      anInvestor({ name: 'Lead Fund', slug: 'lead-fund' }),
      anInvestor({ name: 'Join Fund', slug: 'join-fund' }),
      aPerson({ name: 'Ada Quill', slug: 'ada-quill' }),
      aPerson({ name: 'Ben Marsh', slug: 'ben-marsh' }),
      round('Orvane', '2021-03-01', ['Lead Fund'], ['Ada Quill', 'Name Alone']),
      round('Orvane', '2022-03-01', ['Lead Fund'], ['Ada Quill', 'Ben Marsh'], { amount_usd: '5000000.00' }),
      round('Orvane', '2022-05-01', [], ['Join Fund'], { stage: 'series_a', valuation_usd: '2000000000.00' }),
      round('Lumipay', '2021-05-01', ['Join Fund'], []),
      round('Lumipay', '2012-05-01', ['Join Fund'], [], { stage: 'grant', amount_usd: null }),
      aCompany({ name: 'Cove', slug: 'cove' }),
      aCompany({ name: 'Cove Bay', slug: 'cove-bay' }),
      aCompany({ name: 'Dellmar', slug: 'dellmar' }),
      round('Cove Bay', '2015-03-01', [], [], { stage: 'strategic', amount_usd: '3000000.00', ...UNSOURCED }),
      round('Dellmar', '2015-05-01', [], [], { stage: 'strategic' }),
      aCompany({ name: 'Tessvale', slug: 'tessvale' }),
      round('Tessvale', '2014-05-01', [], [], { stage: 'angel', amount_usd: null }),
      round('Cove', '2014-03-01', [], [], { stage: 'series_b', ...UNSOURCED }),
      round('Lone Pine', '2014-05-01', [], [], { stage: 'series_b' }),
      aCompany({ name: 'Marlow', slug: 'marlow' }),
      round('Marlow', '2013-03-01', [], [], { stage: 'pre_seed', amount_usd: '500000.00' }),
      round('Marlow', '2013-05-01', [], [], { stage: 'series_d', amount_usd: '500000.00', ...UNSOURCED }),
    ],
    { publicPages: true },
  );
});
afterAll(() => service.close());

const ANGELS =
  'On record as angel investors in Orvane: Ada Quill and Ben Marsh; 1 other name in its rounds may be of a person, too.';
const LEADS_OF_2022 =
  '1 investor led the 1 round on record in 2022 that names one, of 2; people and names without a record count as investors.';

test.each([
  ['angel investors in Orvane', ANGELS],
  ['Orvane angels', ANGELS],
  ['how many angels invested in Orvane', ANGELS],
  ["Orvane's angel investors", ANGELS],
  ['inversores ángeles de Orvane', ANGELS],
  ['angel investors in Lumipay', 'No person is on record among the investors in Lumipay, of 1 round.'],
  ['how many investors led a round in 2022', LEADS_OF_2022],
  ['how many lead investors were there in 2022', LEADS_OF_2022],
  ['wie viele Investoren haben 2022 Runden angeführt', LEADS_OF_2022],
  [
    'how many investors invested in 2021',
    '4 investors took part in the 2 rounds on record in 2021; people and names without a record count as investors.',
  ],
  ['how many rounds did Lead Fund lead', '2 rounds led by Lead Fund on record.'],
  ['did Lead Fund invest in 2016', 'No round with Lead Fund is on record in 2016.'],
  ['has Lead Fund led a Series A', 'No Series A round led by Lead Fund is on record.'],
  ['have Lead Fund and Join Fund invested together', 'No round with both Lead Fund and Join Fund is on record.'],
  ['does Lead Fund own a stake in Orvane', 'Yes: Lead Fund is named in 2 rounds of Orvane on record.'],
  ["is Orvane in Lead Fund's portfolio", 'Yes: Lead Fund is named in 2 rounds of Orvane on record.'],
  ["is Lumipay part of Lead Fund's portfolio", 'No round of Lumipay with Lead Fund is on record.'],
  ['did Orvane close a seed round', 'Yes: 2 seed rounds of Orvane on record.'],
  ['has Orvane done a Series B', 'No Series B of Orvane is on record.'],
  ['did Orvane raise anything in 2021', 'Yes: 1 round of Orvane on record in 2021.'],
  ['has Lumipay raised anything in 2012', 'No funding round of Lumipay is on record in 2012, beside 1 grant.'],
  [
    'second round of Orvane',
    'The second round of Orvane on record is the seed round: $5M, 1 Mar 2022, led by Lead Fund.',
  ],
  ["Orvane's 3rd round", 'The third round of Orvane on record is the Series A: $1M, 1 May 2022.'],
  ['fourth round of Orvane', undefined],
  ['first Series A', 'The first Series A round on record is that of Orvane: $1M, 1 May 2022.'],
  ['first Series B of Orvane', undefined],
  ['is Orvane a unicorn', 'The last valuation of Orvane on record is $2B, in its Series A of 1 May 2022.'],
  ['is Lumipay a unicorn', 'No valuation of Lumipay is known: its only round on record states none.'],
  ['Orvane Lumipay funding comparison', 'Orvane raised more than Lumipay: $7M in 3 known rounds against $1M.'],
  ['how big was the Series A of Orvane', 'The Series A of Orvane on record is $1M, 1 May 2022.'],
  ["size of Lumipay's seed round", 'The seed round of Lumipay on record is $1M, 1 May 2021, led by Join Fund.'],
  ['how big was the angel round of Tessvale', 'No amount of the angel round of Tessvale, 1 May 2014 is on record.'],
  ['Orvane funding', 'Orvane raised $7M in 3 rounds of known amount.'],
  ['Orvane raised', 'Orvane raised $7M in 3 rounds of known amount.'],
  ['Join Fund funding', undefined],
  ['how much VC money went into seed rounds in 2021', 'The total amount is $2M, in 2 seed rounds on record in 2021.'],
  [
    'average seed round 2021 vs 2022',
    'Seed rounds on record: $5M on average of 1 known round of 2022, after $1M on average of 2 known rounds of 2021.',
  ],
  [
    'Cove Bay vs Dellmar funding',
    'Cove Bay raised more than Dellmar: $3M in 1 known round (unsourced) against $1M; without what is unsourced, Dellmar comes first: $1M.',
  ],
  [
    'number of rounds Cove Bay vs Dellmar',
    'Cove Bay and Dellmar are equal in rounds on record: 1 each (together 1 unsourced).',
  ],
  [
    'who raised the most in 2014',
    'Cove and Lone Pine raised the most in 2014: $1M in 1 known round each (together $1M unsourced).',
  ],
  ['which company raised the most in 2013', 'Marlow raised the most in 2013: $1M in 2 known rounds ($500K unsourced).'],
  [
    'which company raised the most at pre-seed in 2013',
    'Marlow raised the most in pre-seed rounds in 2013: $500K in 1 known round.',
  ],
  [
    'Cove Bay vs Dellmar vs Lumipay funding',
    'Cove Bay raised more than Lumipay and Dellmar: $3M in 1 known round (unsourced) against $1M and $1M; without what is unsourced, Lumipay and Dellmar come first: $1M each.',
  ],
  [
    'largest strategic round without Cove Bay',
    'The largest strategic round on record (company not Cove Bay) is that of Dellmar: $1M, 1 May 2015.',
  ],
  ['who led the Series C of Orvane', 'No Series C of Orvane is on record.'],
  ['how often did Lead Fund invest in Orvane', '2 rounds of Orvane with Lead Fund on record.'],
  ['wie viele Runden gab es 2022', '2 rounds on record in 2022.'],
  [
    'when did Lead Fund invest in Orvane',
    'Lead Fund took part in the seed round (1 Mar 2022) and the seed round (1 Mar 2021) of Orvane.',
  ],
  ['in which round did Join Fund invest in Orvane', 'Join Fund took part in the Series A (1 May 2022) of Orvane.'],
  ['which stage has the highest average round', 'Seed has the highest average on record: $2.33M, of 3 known rounds.'],
  [
    'did anyone lead the Series A of Orvane',
    'No lead investor is on record of the Series A of Orvane, 1 May 2022, $1M.',
  ],
  ['best year for seed rounds', '2021 comes first: 2 of the 3 seed rounds on record.'],
  ['which year was best for crypto funding', '2022 has the largest total on record: $6M in 2 known rounds.'],
])('the answer to “%s” is “%s”', async (query, answer) => {
  expect(await answerTo(service, query)).toBe(answer);
});

test('a comparison has the longest name that stands in it, not a record named like its first word', async () => {
  const query = new URLSearchParams({ query: 'Orvane vs Cove Bay vs Dellmar' });
  const page = await fetch(`${service.url}/search?${query}`, { headers: { accept: 'text/html' } });
  const [heads = ''] = /<thead>.*?<\/thead>/s.exec(await page.text()) ?? [];
  expect(heads.match(/(?<=<th scope="col">)[^<]+/g)).toEqual(['Company', 'Orvane', 'Cove Bay', 'Dellmar']);
});
