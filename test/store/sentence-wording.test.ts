import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NAMED_TYPES } from '../../src/contract/entities/index.ts';
import { aggregateAskedFor } from '../../src/contract/sentence-calls.ts';
import { openStore } from '../../src/store/open.ts';
import type { ParsedQuery } from '../../src/store/port/records.ts';
import type { Store } from '../../src/store/store.ts';
import { aCompany, anInvestor, aRound } from '../support/builders.ts';
import { engine } from '../support/databases.ts';

const TODAY = new Date('2026-11-21T12:00:00.000Z');
const ROUNDS = { funding_stage: 'except:grant' };
const YEARS = ['2019', '2020', '2022'].map((year) => ({ from: `${year}-01-01`, to: `${year}-12-31` }));
const HALVES = [
  { from: '2021-01-01', to: '2021-06-30' },
  { from: '2021-07-01', to: '2021-12-31' },
];
const IN_2021 = { from: '2021-01-01', to: '2021-12-31' };

describe(`sentences in other words on ${engine.name}`, () => {
  let store: Store;
  beforeAll(async () => {
    store = await openStore((await engine.newDatabase()).url, () => TODAY);
    await store.records.putAll([
      aCompany({ name: 'Orvane', tags: ['Gaming'], chains: ['Solana'], location_json: { country: 'India' } }),
      aCompany({ name: 'Lumipay', tags: ['Wallet'], location_json: { country: 'France' } }),
      aCompany({ name: 'Tessvale', tags: ['Layer 1'] }),
      // `non US` resembles this name.
      aCompany({ name: 'Nolus' }),
      anInvestor({ name: 'Firstcap', investor_type: 'venture_capital' }),
      anInvestor({ name: 'Secondcap Partners' }),
      anInvestor({ name: 'Thirdcap Capital' }),
      aRound({
        ...{ name: 'Orvane Seed', company: 'Orvane', stage: 'seed', amount_usd: '4000000.00' },
        ...{ announced_date: '2021-02-01', investors: ['Firstcap', 'Secondcap Partners', 'Thirdcap Capital'] },
      }),
    ]);
  });
  afterAll(() => store.close());

  const read = async (text: string): Promise<ParsedQuery | undefined> =>
    (await store.records.search({ types: NAMED_TYPES, text, window: { offset: 0, limit: 10 } })).understood;

  test.each([
    ['how much venture capital was raised in 2021', IN_2021],
    ['how much did VCs invest in crypto in 2021', IN_2021],
    ['how much did investors put into gaming in 2021', { ...IN_2021, tag: 'gaming' }],
    ['how much money went to gaming', { tag: 'gaming' }],
    ['how much has been invested in gaming', { tag: 'gaming' }],
    ['how much was raised in France', { country: 'France' }],
    ['how much funding did France receive', { country: 'France' }],
    ['how much capital did gaming attract in 2021', { ...IN_2021, tag: 'gaming' }],
    ['how much was raised by Indian startups', { country: 'India' }],
    ['how much did VCs invest in Orvane', { company: 'Orvane' }],
    ['venture capital investment in gaming', { tag: 'gaming' }],
    ['crypto VC funding in 2021', IN_2021],
    ['how much crypto VC money in 2021', IN_2021],
    ['crypto vc funding in France', { country: 'France' }],
    ['funding raised by Indian web3 startups', { country: 'India' }],
    ['total crypto funding to date', {}],
    ['¿Cuánto capital de riesgo se invirtió en 2021?', IN_2021],
    ['Wie viel Wagniskapital wurde 2021 investiert?', IN_2021],
    ['combien les VC ont investi en 2021', IN_2021],
    ['quanto foi investido em 2021', IN_2021],
    ['total raised in 2021 and 2023', { from: '2021-01-01', to: '2023-12-31' }],
    ['was more raised in 2021 or 2022', { from: '2021-01-01', to: '2022-12-31' }],
    ['how did funding change from 2021 to 2022', { from: '2021-01-01', to: '2022-12-31' }],
  ])('“%s” asks for a sum of rounds', async (text, filters) => {
    const understood = await read(text);
    expect(understood).toMatchObject({ type: 'rounds', filters: { ...ROUNDS, ...filters }, text: '' });
    expect(understood?.unstated).toBeUndefined();
    expect(aggregateAskedFor(understood ?? {})).toMatchObject({ of: 'rounds', measure: 'sum' });
  });

  test.each([
    ['how much did Firstcap invest in 2021', { type: 'rounds', filters: { investor: 'Firstcap', ...IN_2021 } }],
    ['which VC invested the most in 2021', { group_by: ['investor'] }],
    ['total raised by Indian startups', { type: 'companies', filters: { country: 'India' } }],
    [
      'how often has Firstcap invested with Secondcap Partners',
      { type: 'rounds', filters: { investor: 'all:Firstcap|Secondcap Partners' } },
    ],
    ['is Secondcap an investor in Orvane', { filters: { investor: 'Secondcap Partners', company: 'Orvane' } }],
    ["who are Orvane's biggest investors", { type: 'investors', filters: { company: 'Orvane' } }],
    ['how many deals did Firstcap do in 2021', { type: 'rounds', filters: { investor: 'Firstcap', ...IN_2021 } }],
    ['which is older, Orvane or Lumipay', { text: 'Orvane Lumipay', ignored: ['vs'] }],
    ['was Orvane founded before Lumipay', { text: 'Orvane Lumipay', ignored: ['vs'] }],
    ['first investors in Orvane', { type: 'rounds', sort: 'announced_date' }],
    ['when did Orvane raise money', { type: 'rounds', filters: { company: 'Orvane' } }],
    ['Firmen wie Orvane', { list: 'similar' }],
    ['empresas como Orvane', { list: 'similar' }],
    ['entreprises comme Orvane', { list: 'similar' }],
    ['how many wallets are there', { type: 'companies', filters: { tag: 'wallets' } }],
    ['which blockchain ecosystem attracted the most funding', { group_by: ['chain'] }],
    ['most popular sectors among Firstcap investments', { filters: { investor: 'Firstcap' }, group_by: ['tag'] }],
    [
      'what share of rounds in 2021 were gaming',
      { filters: { ...IN_2021, tag: 'gaming' }, group_by: ['tag'], share: true },
    ],
    [
      'how much of 2021 funding went to gaming',
      { filters: { ...IN_2021, tag: 'gaming' }, share: true, ignored: ['funding'] },
    ],
    [
      'what percentage of rounds in 2021 were led by Firstcap',
      { filters: { ...IN_2021, investor: 'Firstcap', led: true }, group_by: ['lead_investor'], share: true },
    ],
    ["gaming's share of funding in 2021", { filters: { ...IN_2021, tag: 'gaming' }, share: true }],
    ['market share of Orvane', { unstated: ['market share'] }],
    ['funding in the first half of 2021 vs the second half', { periods: HALVES, group_by: ['quarter'] }],
    ['rounds in 2019, 2020 and 2022', { group_by: ['year'], periods: YEARS }],
    ['US vs Europe funding in 2021', { group_by: ['country'], compared: true }],
    ['France vs India funding', { group_by: ['country'] }],
    ['how many unicorns are there', { type: 'rounds', group_by: ['company'] }],
    ['was Firstcap CEO of Orvane', { text: 'Firstcap' }],
    ['fund size of Firstcap', { text: 'Firstcap', ignored: ['fund', 'size', 'of'] }],
    ['VCs that have not invested since 2023', { filters: { last_round_before: '2022-12-31' } }],
    ['investors with no deals since 2022', { type: 'investors', filters: { last_round_before: '2021-12-31' } }],
    ['investors who last invested after 2020', { type: 'investors', filters: { last_round_after: '2021-01-01' } }],
    ['who has the largest portfolio', { type: 'investors', unstated: ['by number portfolio companies'] }],
    ['non-US games', { filters: { country: 'not:United States', tag: 'games' } }],
    [
      'US-based lead investors of Indian startups',
      { filters: { country: 'United States' }, unstated: ['investors of Indian'] },
    ],
    ['does Orvane have a token', { text: 'Orvane' }],
    ['Gaming公司有多少', { type: 'companies', filters: { tag: 'Gaming' }, ignored: ['有'] }],
  ])('“%s” is read as another wording', async (text, understood) => {
    expect(await read(text)).toMatchObject(understood);
  });

  const VENTURE = 'venture_capital|corporate_venture_capital|exchange_arm';

  test.each<[text: string, understood: Partial<ParsedQuery>]>([
    ['VC deals in France', { type: 'rounds', filters: { ...ROUNDS, country: 'France', investor_type: VENTURE } }],
    ['number of VC rounds in 2021', { type: 'rounds', filters: { ...ROUNDS, ...IN_2021, investor_type: VENTURE } }],
    ['VC investors of Orvane', { type: 'investors', filters: { company: 'Orvane', investor_type: VENTURE } }],
    ['VCs vs hedge funds', { type: 'investors', filters: { investor_type: `${VENTURE}|hedge_fund` } }],
    ['Firstcap seed leads', { type: 'rounds', filters: { investor: 'Firstcap', led: true, funding_stage: 'seed' } }],
    [
      'which companies did Firstcap back at seed',
      { type: 'rounds', filters: { investor: 'Firstcap', funding_stage: 'seed' } },
    ],
    ['companies backed by Firstcap that raised a seed', { type: 'companies' }],
    ['total raised by Firstcap portfolio', { type: 'companies', sort: '-total_funding_usd' }],
    ['most popular sectors among Firstcap investments', { type: 'rounds', group_by: ['tag'] }],
  ])('%s', async (text, understood) => expect(await read(text)).toMatchObject(understood));

  test.each<[text: string, understood: Partial<ParsedQuery>]>([
    ['Firstcap gaming 2021', { type: 'rounds', filters: { investor: 'Firstcap', tag: 'gaming', ...IN_2021 } }],
    ['Thirdcap Capital 2021', { type: 'rounds', filters: { investor: 'Thirdcap Capital', ...IN_2021 } }],
    ['Firstcap 2021', { type: 'rounds', filters: { investor: 'Firstcap', ...IN_2021 } }],
    ['Firstcap seed 2021', { type: 'rounds', filters: { investor: 'Firstcap', funding_stage: 'seed', ...IN_2021 } }],
    ['most funded blockchain companies', { type: 'companies', filters: {}, sort: '-total_funding_usd' }],
    ['how much was raised by blockchain companies in 2021', { type: 'rounds', filters: { ...ROUNDS, ...IN_2021 } }],
    ['top 10 gaming deals', { type: 'rounds', filters: { ...ROUNDS, tag: 'gaming' }, sort: '-amount_usd' }],
    ['how many deals with VCs in 2021', { type: 'rounds', filters: { ...ROUNDS, ...IN_2021, investor_type: VENTURE } }],
    ['top dealmakers 2021', { type: 'rounds', filters: { ...ROUNDS, ...IN_2021 }, group_by: ['investor'] }],
    ['how often does Firstcap lead', { type: 'rounds', filters: { investor: 'Firstcap', led: true } }],
    ['investors by lead count', { type: 'investors', sort: '-lead_count' }],
    ['companies with Firstcap as investor', { type: 'companies', filters: { investor: 'Firstcap' } }],
    ['how much did VCs invest per year', { type: 'rounds', group_by: ['year'] }],
    ['how much did VCs invest in each sector in 2021', { type: 'rounds', group_by: ['tag'] }],
    ['Wie viel haben VCs in Gaming investiert', { type: 'rounds', filters: { ...ROUNDS, tag: 'Gaming' } }],
    ['did Orvane acquire any company in 2021', { type: 'companies', filters: { status: 'acquired' } }],
    ['which funds are like Firstcap', { type: 'rounds', filters: { investor: 'Firstcap' }, group_by: ['investor'] }],
    ['similar VCs to Firstcap', { type: 'rounds', filters: { investor: 'Firstcap' }, group_by: ['investor'] }],
    ['latest Firstcap deal', { type: 'rounds', filters: { investor: 'Firstcap' }, sort: '-announced_date' }],
    ['latest gaming deal', { type: 'rounds', filters: { ...ROUNDS, tag: 'gaming' }, sort: '-announced_date' }],
    ['which sectors are hot right now', { type: 'rounds', group_by: ['tag'], sort: '-amount_usd' }],
    ['hottest categories', { type: 'rounds', group_by: ['tag'], sort: '-amount_usd' }],
    ['sectors by funding in 2021', { type: 'rounds', filters: { ...ROUNDS, ...IN_2021 }, group_by: ['tag'] }],
    [
      'how much did Firstcap grant in 2021',
      { type: 'rounds', filters: { investor: 'Firstcap', funding_stage: 'grant' } },
    ],
    ['who acquired the most companies', { type: 'companies', filters: { status: 'acquired' } }],
    ['top crypto acquirers', { type: 'companies', filters: { status: 'acquired' } }],
    [
      'Firstcap vs Thirdcap Capital gaming',
      { type: 'rounds', filters: { tag: 'gaming', investor: 'Firstcap|Thirdcap Capital' } },
    ],
    [
      'compare Firstcap and Thirdcap Capital in 2021',
      { type: 'rounds', filters: { ...IN_2021, investor: 'Firstcap|Thirdcap Capital' } },
    ],
    ['rounds by VCs in 2021', { type: 'rounds', filters: { investor_type: VENTURE, ...IN_2021 } }],
  ])('is of rounds or companies as meant: %s', async (text, understood) =>
    expect(await read(text)).toMatchObject(understood),
  );

  test.each(['who was the first investor in Firstcap', 'when did Firstcap raise money'])(
    'no round is of what an investor raised itself: %s',
    async (text) => {
      const understood = await read(text);
      expect(understood?.unstated).toEqual([text]);
      expect(understood?.filters).toEqual({});
    },
  );

  test('words of a record are no deals', async () => {
    for (const text of ['Orvane gaming', 'Lumipay 2021']) expect((await read(text))?.type).toBeUndefined();
  });

  test.each([
    ['how much did hedge funds invest in 2021', { ...IN_2021, investor_type: 'hedge_fund' }],
    ['how much did French VCs invest in 2021', { ...IN_2021, investor_country: 'France', investor_type: VENTURE }],
  ])('one sum is asked for, not that of each: %s', async (text, filters) => {
    const asked = aggregateAskedFor((await read(text)) ?? {});
    expect(asked).toMatchObject({ of: 'rounds', group_by: ['year'], measure: 'sum', filters });
  });
});
