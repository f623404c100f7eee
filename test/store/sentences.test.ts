import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NAMED_TYPES, type RecordType } from '../../src/contract/entities/index.ts';
import { aggregateAskedFor } from '../../src/contract/sentence-calls.ts';
import { openStore } from '../../src/store/open.ts';
import type { ParsedQuery, SearchRequest } from '../../src/store/port/records.ts';
import type { Store } from '../../src/store/store.ts';
import { ofAnyCharacters } from '../support/any-characters.ts';
import { aCompany, anEvent, anInvestor, aPerson, aRound } from '../support/builders.ts';
import { engine } from '../support/databases.ts';

const TODAY = new Date('2026-11-21T12:00:00.000Z');

describe(`sentences on ${engine.name}`, () => {
  let store: Store;
  beforeAll(async () => {
    store = await openStore((await engine.newDatabase()).url, () => TODAY);
    await store.records.putAll([
      aCompany({
        name: 'Zorblend',
        tags: ['Lending'],
        chains: ['Ethereum'],
        year_founded: 2021,
        founders: ['Ada Quill'],
      }),
      aCompany({
        name: 'Zorbplay',
        aliases: ['Overtime'],
        tags: ['Gaming'],
        location_json: { city: 'Berlin', country: 'Germany' },
      }),
      aCompany({ name: 'Zorbvault', tags: ['Custody', 'Real World Assets'], year_founded: 2016, total_employees: 250 }),
      aCompany({
        name: 'Zorb Labs',
        location_json: { city: 'Zug' },
        tagline: 'Bridges by companies of Quorum partners in Germany',
      }),
      aCompany({ name: 'Zorbhaven', location_json: { city: 'New Haven' } }),
      // Named like a word of sentences.
      aCompany({ name: 'Backed', location_json: { city: 'Palo Alto' } }),
      aPerson({
        name: 'Bo Dealer',
        angel_investments: 9,
        tags: ['Gaming'],
        roles: [{ organization: 'Quorum Partners', title: 'Partner' }],
      }),
      aPerson({
        name: 'Ada Quill',
        angel_investments: 2,
        events: ['Zorbcon Austin'],
        roles: [{ organization: 'Zorblend', title: 'Founder' }],
      }),
      anInvestor({
        name: 'Quorum Partners',
        investor_type: 'venture_capital',
        investments_count: 2,
        focus: ['Custody'],
      }),
      anInvestor({ name: 'Founders Sprocket', founders: ['Bo Dealer'] }),
      anEvent({
        name: 'Zorbcon Lisbon',
        start_date: '2026-03-10',
        location_json: { city: 'Lisbon', country: 'Portugal' },
      }),
      anEvent({
        name: 'Zorbcon Austin',
        start_date: '2025-06-01',
        location_json: { city: 'Austin', country: 'US' },
        event_type: 'conference',
      }),
      anEvent({ name: 'November 2019', start_date: '2019-11-05' }),
      aRound({
        name: 'Zorblend Series A',
        company: 'Zorblend',
        stage: 'series_a',
        amount_usd: '60000000.00',
        announced_date: '2026-02-15',
        investors: ['Quorum Partners'],
        lead_investors: ['Quorum Partners'],
      }),
      aRound({
        name: 'Zorbvault Seed',
        company: 'Zorbvault',
        stage: 'seed',
        amount_usd: '2000000.00',
        announced_date: '2023-05-01',
        investors: ['Quorum Partners', 'Founders Sprocket'],
      }),
    ]);
  });
  afterAll(() => store.close());

  const find = async (text: string, types: readonly RecordType[] = NAMED_TYPES, more: Partial<SearchRequest> = {}) => {
    const found = await store.records.search({ types, text, window: { offset: 0, limit: 10 }, ...more });
    return { ...found, names: found.results.map((json) => (JSON.parse(json) as { name: string }).name) };
  };

  const VENTURE = 'venture_capital|corporate_venture_capital|exchange_arm';

  const ALL = ['Zorblend', 'Zorbvault', 'Zorbplay', 'Zorb Labs', 'Zorbhaven', 'Backed'];

  const FOUNDED = ['Zorblend', 'Zorbvault', 'Zorbplay', 'Zorb Labs', 'Zorbhaven', 'Backed'];

  const READ: readonly (readonly [string, Partial<ParsedQuery>, readonly string[]])[] = [
    [
      "companies that aren't backed by Founders Sprocket",
      { filters: { investor: 'not:Founders Sprocket' } },
      ['Zorblend'],
    ],
    ['companies by founding year', { type: 'companies', text: '', group_by: ['year_founded'] }, ALL],
    ['how many companies were founded each year', { type: 'companies', text: '', group_by: ['year_founded'] }, ALL],
    [
      'which stage does Quorum Partners invest in most',
      { type: 'rounds', filters: { investor: 'Quorum Partners' }, group_by: ['stage'] },
      ['Zorblend Series A', 'Zorbvault Seed'],
    ],
    ["rounds that weren't led by Quorum Partners", { filters: { investor: 'not:Quorum Partners', led: true } }, []],
    [
      'three latest rounds',
      { type: 'rounds', text: '', sort: '-announced_date' },
      ['Zorblend Series A', 'Zorbvault Seed'],
    ],
    [
      'January vs February 2026 rounds',
      { filters: { from: '2026-01-01', to: '2026-02-28' }, group_by: ['month'] },
      ['Zorblend Series A'],
    ],
    [
      'mega seed rounds',
      { type: 'rounds', filters: { funding_stage: 'seed', funding_min: 100_000_000 }, text: '' },
      [],
    ],
    [
      'partners of Quorum Partners and Zorblend',
      { type: 'people', filters: { company: 'Quorum Partners|Zorblend' }, text: 'partner' },
      ['Bo Dealer'],
    ],
    ['top ten rounds of 2023', { type: 'rounds', text: '', sort: '-amount_usd' }, ['Zorbvault Seed']],
    ['M&A deals in 2023', { type: 'rounds', filters: { funding_stage: 'm_and_a' } }, []],
    ['rounds excluding seed', { type: 'rounds', filters: { funding_stage: 'not:seed|grant' } }, ['Zorblend Series A']],
    [
      'rounds in the 2020s',
      { filters: { from: '2020-01-01', to: '2029-12-31' } },
      ['Zorblend Series A', 'Zorbvault Seed'],
    ],
    [
      'the 5 largest rounds',
      { type: 'rounds', text: '', sort: '-amount_usd' },
      ['Zorblend Series A', 'Zorbvault Seed'],
    ],
    [
      'Quorum Partners custody deals',
      { type: 'rounds', filters: { investor: 'Quorum Partners', tag: 'custody' } },
      ['Zorbvault Seed'],
    ],
    ['rounds in spring 2023', { filters: { from: '2023-03-01', to: '2023-05-31' } }, ['Zorbvault Seed']],
    ['Runden im Sommer 2023', { filters: { from: '2023-06-01', to: '2023-08-31' } }, []],
    ['2023年春季的融资', { filters: { from: '2023-03-01', to: '2023-05-31' } }, ['Zorbvault Seed']],
    ['rounds in May 23', { filters: { from: '2023-05-01', to: '2023-05-31' } }, ['Zorbvault Seed']],
    [
      'rounds in the twelve months to June 2023',
      { filters: { from: '2022-07-01', to: '2023-06-30' }, ignored: [] },
      ['Zorbvault Seed'],
    ],
    ['rounds in the year ending May 2023', { filters: { from: '2022-06-01', to: '2023-05-31' } }, ['Zorbvault Seed']],
    ['rounds year to date', { filters: { from: '2026-01-01', to: '2026-11-21' }, ignored: [] }, ['Zorblend Series A']],
    ['quando é a próxima Zorbcon?', { type: 'events', filters: { from: '2026-11-21' } }, []],
    ['rounds of the last twelve months', { filters: { from: '2025-11-21', to: '2026-11-21' } }, ['Zorblend Series A']],
    [
      'rounds 2023 vs 2024',
      { type: 'rounds', filters: { from: '2023-01-01', to: '2024-12-31' }, group_by: ['year'] },
      ['Zorbvault Seed'],
    ],
    ['2025 vs 2026', { type: 'rounds', filters: { from: '2025-01-01' }, group_by: ['year'] }, ['Zorblend Series A']],
    ['rounds around $2.2m', { filters: { funding_min: 1_760_000, funding_max: 2_640_000 } }, ['Zorbvault Seed']],
    [
      'Runden von etwa 50 Mio. Dollar',
      { filters: { funding_min: 40_000_000, funding_max: 60_000_000 } },
      ['Zorblend Series A'],
    ],
    ['mega rounds', { type: 'rounds', filters: { funding_min: 100_000_000 }, text: '' }, []],
    ['Silicon Valley companies', { type: 'companies', filters: { city: 'Silicon Valley' }, text: '' }, ['Backed']],
    ['Bay Area companies', { type: 'companies', filters: { city: 'Bay Area' }, text: '' }, ['Backed']],
    [
      'partners at Quorum Partners',
      { type: 'people', filters: { company: 'Quorum Partners' }, text: 'partner' },
      ['Bo Dealer'],
    ],
    [
      'who else did the seed of Zorbvault',
      { type: 'rounds', filters: { company: 'Zorbvault', funding_stage: 'seed' } },
      ['Zorbvault Seed'],
    ],
    [
      'who co-led the Series A of Zorblend',
      { type: 'rounds', filters: { company: 'Zorblend', funding_stage: 'series_a' }, text: '' },
      ['Zorblend Series A'],
    ],
    ['companies that announced funding in 2023', { filters: { from: '2023-01-01', to: '2023-12-31' } }, ['Zorbvault']],
    ["rounds in Q1 '26", { filters: { from: '2026-01-01', to: '2026-03-31' } }, ['Zorblend Series A']],
    ["deals in '23", { filters: { from: '2023-01-01', to: '2023-12-31' } }, ['Zorbvault Seed']],
    ['H1 23 rounds', { filters: { from: '2023-01-01', to: '2023-06-30' } }, ['Zorbvault Seed']],
    ['early 2023 seed rounds', { filters: { from: '2023-01-01', to: '2023-04-30' } }, []],
    ['mid-2023 rounds', { filters: { from: '2023-05-01', to: '2023-08-31' } }, ['Zorbvault Seed']],
    ['Runden Ende 2025', { filters: { from: '2025-09-01', to: '2025-12-31' } }, []],
    ['2026年初的融资', { filters: { from: '2026-01-01', to: '2026-04-30' } }, ['Zorblend Series A']],
    ['rounds from 05/2023 to 6/2023', { filters: { from: '2023-05-01', to: '2023-06-30' } }, ['Zorbvault Seed']],
    ['rounds since feb', { filters: { from: '2026-02-01' } }, ['Zorblend Series A']],
    ['rounds this year vs last year', { filters: { from: '2025-01-01', to: '2026-12-31' } }, ['Zorblend Series A']],
    ['rounds under half a million', { filters: { funding_max: 499_999 } }, []],
    ['rounds over a million in 2023', { filters: { funding_min: 1_000_001 } }, ['Zorbvault Seed']],
    ['rounds of at least a hundred million', { filters: { funding_min: 100_000_000 } }, []],
    ['A rounds in 2026', { filters: { funding_stage: 'series_a' } }, ['Zorblend Series A']],
    ['companies that raised a b round', { filters: { funding_stage: 'series_b' } }, []],
    ['debt rounds', { type: 'rounds', filters: { funding_stage: 'debt_financing|post_ipo_debt' } }, []],
    ['lending investment in 2026', { type: 'rounds', filters: { tag: 'lending' } }, ['Zorblend Series A']],
    ['avg seed size in 2023', { type: 'rounds', filters: { funding_stage: 'seed' }, text: '' }, ['Zorbvault Seed']],
    ['hey pls which lending companies raised in 2026?', { filters: { tag: 'lending' }, text: '' }, ['Zorblend']],
    [
      'single largest seed',
      { type: 'rounds', filters: { funding_stage: 'seed' }, sort: '-amount_usd' },
      ['Zorbvault Seed'],
    ],
    ['when is the next Zorbcon', { type: 'events', filters: { from: '2026-11-21' }, text: 'Zorbcon' }, []],
    ['zug companies', { type: 'companies', filters: { city: 'zug' }, text: '' }, ['Zorb Labs']],
    ['Nordic startups', { type: 'companies', filters: { country: 'Nordic' }, text: '' }, []],
    ['DACH companies', { type: 'companies', filters: { country: 'DACH' }, text: '' }, ['Zorbplay']],
    [
      'portfolio overlap between Quorum Partners and Founders Sprocket',
      { type: 'companies', filters: { investor: 'all:Quorum Partners|Founders Sprocket' }, text: '' },
      ['Zorbvault'],
    ],
    [
      'which people did the most deals',
      { type: 'people', filters: {}, text: '', sort: '-angel_investments' },
      ['Bo Dealer', 'Ada Quill'],
    ],
    [
      'rounds of 2026, largest first',
      { type: 'rounds', filters: { from: '2026-01-01', to: '2026-12-31' }, text: '', sort: '-amount_usd' },
      ['Zorblend Series A'],
    ],
    [
      'Which companies raised more than $50M?',
      { type: 'companies', filters: { funding_min: 50_000_001 } },
      ['Zorblend'],
    ],
    [
      'companies that raised 8 figures',
      { filters: { funding_min: 10_000_000, funding_max: 99_999_999 } },
      ['Zorblend'],
    ],
    ['seven-figure seed rounds', { filters: { funding_min: 1_000_000, funding_max: 9_999_999 } }, ['Zorbvault Seed']],
    ['sub-$5M seed rounds', { filters: { funding_max: 4_999_999 } }, ['Zorbvault Seed']],
    ['companies that raised over 10m', { filters: { funding_min: 10_000_001 } }, ['Zorblend']],
    ['companies that raised between 1 and 5 million', { filters: { funding_max: 5_000_000 } }, ['Zorbvault']],
    ['companies with more than 100 employees', { filters: { employees_min: 101 } }, ['Zorbvault']],
    ['companies with more than 250 employees', { filters: { employees_min: 251 } }, []],
    ['companies with fewer than 250 employees', { filters: { employees_max: 249 } }, []],
    ['companies with at most 250 employees', { filters: { employees_max: 250 } }, ['Zorbvault']],
    ['companies with 250 or fewer employees', { filters: { employees_max: 250 } }, ['Zorbvault']],
    ['companies with 200-300 employees', { filters: { employees_min: 200, employees_max: 300 } }, ['Zorbvault']],
    ['investors with at least 2 investments', { filters: { investments_min: 2 } }, ['Quorum Partners']],
    ['Investoren mit mehr als 100 Investitionen', { filters: { investments_min: 101 } }, []],
    ['investors of Zorblend', { type: 'investors', filters: { company: 'Zorblend' } }, ['Quorum Partners']],
    ['who invested in Zorblend?', { type: 'investors', filters: { company: 'Zorblend' } }, ['Quorum Partners']],
    [
      'who invested in Zorblend in 2026?',
      { type: 'rounds', filters: { company: 'Zorblend', from: '2026-01-01', to: '2026-12-31' } },
      ['Zorblend Series A'],
    ],
    ['Zorblend investors', { type: 'investors', filters: { company: 'Zorblend' } }, ['Quorum Partners']],
    ['founder of Zorblend', { type: 'people', filters: { company: 'Zorblend' } }, ['Ada Quill']],
    ['Zorblend funding rounds', { type: 'rounds', filters: { company: 'Zorblend' } }, ['Zorblend Series A']],
    ['rounds > $2M', { filters: { funding_min: 2_000_001 } }, ['Zorblend Series A']],
    ['rounds >= $2M', { filters: { funding_min: 2_000_000 } }, ['Zorblend Series A', 'Zorbvault Seed']],
    [
      'investors in common between Zorblend and Zorbvault',
      { type: 'investors', filters: { company: 'all:Zorblend|Zorbvault' } },
      ['Quorum Partners'],
    ],
    [
      'investors of Zorbvault that also backed Zorblend',
      { type: 'investors', filters: { company: 'all:Zorbvault|Zorblend' } },
      ['Quorum Partners'],
    ],
    ['next Zorbcon', { type: 'events', filters: { from: '2026-11-21' }, text: 'Zorbcon' }, []],
    [
      'rounds not led by Quorum Partners',
      { type: 'rounds', filters: { investor: 'not:Quorum Partners', led: true } },
      [],
    ],
    ['rounds under $2M', { filters: { funding_max: 1_999_999 } }, []],
    ['rounds over the next 3 months', { filters: { from: '2026-11-21', to: '2027-02-21' } }, []],
    ['companies in Bhutan', { filters: { country: 'Bhutan' }, text: '' }, []],
    [
      'private token sales in 2023',
      {
        type: 'rounds',
        filters: { funding_stage: 'private_token_sale', from: '2023-01-01', to: '2023-12-31' },
        text: '',
      },
      [],
    ],
    // One of its words has no meaning alone.
    ['companies in real world assets', { filters: { tag: 'real world assets' }, text: '' }, ['Zorbvault']],
    ['corporate VCs', { type: 'investors', filters: { investor_type: 'corporate_venture_capital' }, text: '' }, []],
    [
      'series A or later rounds',
      { filters: { funding_stage: 'series_a|series_b|series_c|series_d|series_e|series_f|series_g|series_h' } },
      ['Zorblend Series A'],
    ],
    [
      'companies with a seed or earlier round',
      { filters: { funding_stage: 'pre_seed|seed' }, ignored: ['with', 'a', 'round'] },
      ['Zorbvault'],
    ],
    [
      'early stage rounds in 2023',
      {
        type: 'rounds',
        filters: { funding_stage: 'pre_seed|seed|pre_series_a|series_a', from: '2023-01-01', to: '2023-12-31' },
      },
      ['Zorbvault Seed'],
    ],
    [
      "Zorbvault's seed round investors",
      {
        type: 'rounds',
        filters: { company: 'Zorbvault', funding_stage: 'seed' },
        group_by: ['investor'],
        ignored: [],
      },
      ['Zorbvault Seed'],
    ],
    ['Series C rounds', { filters: { funding_stage: 'series_c' }, text: '' }, []],
    ['events in Lisboa', { filters: { city: 'Lisboa' } }, ['Zorbcon Lisbon']],
    ['Events in München', { filters: { city: 'München' } }, []],
    ['里斯本的活动', { filters: { city: '里斯本' } }, ['Zorbcon Lisbon']],
    [
      'Who led the Series A of Zorblend?',
      { type: 'rounds', filters: { company: 'Zorblend', funding_stage: 'series_a' } },
      ['Zorblend Series A'],
    ],
    [
      'Which investors do Zorblend and Zorbvault have in common?',
      { type: 'investors', filters: { company: 'all:Zorblend|Zorbvault' } },
      ['Quorum Partners'],
    ],
    ['日本的投资机构', { type: 'investors', filters: { country: '日本' } }, []],
    ['新加坡的公司', { type: 'companies', filters: { country: '新加坡' } }, []],
    ['top 5 rounds of 2026', { filters: { from: '2026-01-01', to: '2026-12-31' }, text: '' }, ['Zorblend Series A']],
    ['new companies in new haven', { filters: { city: 'new haven' }, ignored: ['new'] }, ['Zorbhaven']],
    [
      'companies that raised a seed since 2026',
      { filters: { funding_stage: 'seed', from: '2026-01-01' }, text: '' },
      [],
    ],
    ['companies that raised in 2023', { filters: { from: '2023-01-01', to: '2023-12-31' }, text: '' }, ['Zorbvault']],
    ['companies whose last round was before 2024', { filters: { last_round_before: '2023-12-31' } }, ['Zorbvault']],
    ['Firmen, deren letzte Runde 2023 war', { filters: { last_round_after: '2023-01-01' } }, ['Zorbvault']],
    ['companies founded by Ada Quill', { type: 'companies', filters: { founder: 'Ada Quill' } }, ['Zorblend']],
    ['companies Ada Quill founded', { type: 'companies', filters: { founder: 'Ada Quill' } }, ['Zorblend']],
    ['which companies did Ada Quill found?', { type: 'companies', filters: { founder: 'Ada Quill' } }, ['Zorblend']],
    ['what has Ada Quill founded', { type: 'companies', filters: { founder: 'Ada Quill' } }, ['Zorblend']],
    ['companies founded by Bo Dealer', { type: 'companies', filters: { founder: 'Bo Dealer' } }, []],
    ['funds founded by Bo Dealer', { type: 'investors', filters: { founder: 'Bo Dealer' } }, ['Founders Sprocket']],
    ['empresas fundadas por Ada Quill', { type: 'companies', filters: { founder: 'Ada Quill' } }, ['Zorblend']],
    ['von Ada Quill gegründete Unternehmen', { type: 'companies', filters: { founder: 'Ada Quill' } }, ['Zorblend']],
    ['entreprises fondées par Ada Quill', { type: 'companies', filters: { founder: 'Ada Quill' } }, ['Zorblend']],
    ['Ada Quill创立的公司', { type: 'companies', filters: { founder: 'Ada Quill' } }, ['Zorblend']],
    [
      'companies founded by Ada Quill since 2021',
      { type: 'companies', filters: { founder: 'Ada Quill', founded_from: 2021 } },
      ['Zorblend'],
    ],
    [
      'average deal size of Quorum Partners',
      { type: 'rounds', filters: { investor: 'Quorum Partners' }, text: '' },
      ['Zorblend Series A', 'Zorbvault Seed'],
    ],
    [
      'Quorum Partners rounds in 2023',
      { type: 'rounds', filters: { investor: 'Quorum Partners', from: '2023-01-01', to: '2023-12-31' } },
      ['Zorbvault Seed'],
    ],
    [
      'top 10 countries by number of rounds',
      { type: 'rounds', filters: {}, group_by: ['country'], text: '' },
      ['Zorblend Series A', 'Zorbvault Seed'],
    ],
    [
      'companies Quorum Partners and Founders Sprocket both invested in',
      { type: 'companies', filters: { investor: 'all:Quorum Partners|Founders Sprocket' }, text: '' },
      ['Zorbvault'],
    ],
    ['venture firms in Germany', { type: 'investors', filters: { country: 'Germany' } }, []],
    ['where does Ada Quill work now?', { filters: {}, text: 'Ada Quill' }, ['Ada Quill', 'Zorblend']],
    ['recently founded companies', { type: 'companies', sort: '-year_founded' }, FOUNDED],
    ['countries by number of companies', { type: 'companies', filters: {}, group_by: ['country'], text: '' }, ALL],
    [
      'stages by year',
      { type: 'rounds', filters: {}, group_by: ['stage', 'year'] },
      ['Zorblend Series A', 'Zorbvault Seed'],
    ],
    ['companies founded in Berlin', { filters: { city: 'Berlin' } }, ['Zorbplay']],
    [
      'angel investors by number of deals',
      { type: 'people', filters: {}, sort: '-angel_investments' },
      ['Bo Dealer', 'Ada Quill'],
    ],
    ['companies founded after 2020', { filters: { founded_from: 2021 } }, ['Zorblend']],
    ['companies founded before 2020', { filters: { founded_to: 2019 } }, ['Zorbvault']],
    ['Show me lending companies', { filters: { tag: 'lending' }, text: '' }, ['Zorblend']],
    ['companies on Ethereum', { filters: { chain: 'Ethereum' } }, ['Zorblend']],
    ['which companies are based in Berlin', { filters: { city: 'Berlin' } }, ['Zorbplay']],
    ['startups in Germany', { filters: { country: 'Germany' } }, ['Zorbplay']],
    ['companies backed by Founders Sprocket', { filters: { investor: 'Founders Sprocket' } }, ['Zorbvault']],
    [
      'companies backed by Quorum Partners and Founders Sprocket',
      { filters: { investor: 'all:Quorum Partners|Founders Sprocket' } },
      ['Zorbvault'],
    ],
    [
      'companies backed by Quorum Partners or Founders Sprocket',
      { filters: { investor: 'Quorum Partners|Founders Sprocket' } },
      ['Zorblend', 'Zorbvault'],
    ],
    [
      'rounds led by Founders Sprocket or Quorum Partners',
      { filters: { investor: 'Founders Sprocket|Quorum Partners', led: true } },
      ['Zorblend Series A'],
    ],
    ['companies backed by Quorum', { filters: { investor: 'Quorum Partners' } }, ['Zorblend', 'Zorbvault']],
    [
      'Unternehmen finanziert von Quorum Partners oder Founders Sprocket',
      { filters: { investor: 'Quorum Partners|Founders Sprocket' } },
      ['Zorblend', 'Zorbvault'],
    ],
    ['companies not backed by Founders Sprocket', { filters: { investor: 'not:Founders Sprocket' } }, ['Zorblend']],
    [
      'companies that raised, but not from Founders Sprocket',
      { filters: { investor: 'not:Founders Sprocket' } },
      ['Zorblend'],
    ],
    ['companies led by Quorum Partners', { filters: { investor: 'Quorum Partners', led: true } }, ['Zorblend']],
    ['rounds since 2026', { type: 'rounds', filters: { from: '2026-01-01' } }, ['Zorblend Series A']],
    ['rounds in 2026 Q1', { filters: { from: '2026-01-01', to: '2026-03-31' } }, ['Zorblend Series A']],
    ['rounds in 2026-Q1', { filters: { from: '2026-01-01', to: '2026-03-31' } }, ['Zorblend Series A']],
    ['rounds in Q1 2026', { filters: { from: '2026-01-01', to: '2026-03-31' } }, ['Zorblend Series A']],
    ['rounds last year or this year', { type: 'rounds' }, ['Zorblend Series A']],
    [
      'seed rounds in 2023',
      { filters: { funding_stage: 'seed', from: '2023-01-01', to: '2023-12-31' } },
      ['Zorbvault Seed'],
    ],
    [
      'funding rounds on 15 February 2026',
      { filters: { from: '2026-02-15', to: '2026-02-15' } },
      ['Zorblend Series A'],
    ],
    ['events in Europe', { type: 'events', filters: { country: 'Europe' } }, ['Zorbcon Lisbon']],
    [
      'conferences last year',
      { type: 'events', filters: { event_type: 'conference|summit', from: '2025-01-01', to: '2025-12-31' } },
      ['Zorbcon Austin'],
    ],
    ['Who founded Zorblend?', { type: 'people', filters: { company: 'Zorblend' } }, ['Ada Quill']],
    ['people who worked at Zorblend', { type: 'people', filters: { company: 'Zorblend' } }, ['Ada Quill']],
    [
      '¿Qué empresas recaudaron más de 50 millones de dólares?',
      { type: 'companies', filters: { funding_min: 50_000_001 } },
      ['Zorblend'],
    ],
    ['empresas fundadas después de 2020', { filters: { founded_from: 2021 } }, ['Zorblend']],
    [
      'Quais empresas captaram mais de 50 milhões de dólares?',
      { type: 'companies', filters: { funding_min: 50_000_001 }, text: '' },
      ['Zorblend'],
    ],
    ['empresas fundadas depois de 2020', { filters: { founded_from: 2021 } }, ['Zorblend']],
    ['empresas fundadas pela Ada Quill', { type: 'companies', filters: { founder: 'Ada Quill' } }, ['Zorblend']],
    ['empresas alemãs', { type: 'companies', filters: { country: 'Germany' }, text: '' }, ['Zorbplay']],
    ['empresas no Brasil', { type: 'companies', filters: { country: 'Brasil' }, text: '' }, []],
    [
      'eventos no Brasil em março de 2026',
      { filters: { country: 'Brasil', from: '2026-03-01', to: '2026-03-31' } },
      [],
    ],
    ['eventos em Portugal', { type: 'events', filters: { country: 'Portugal' } }, ['Zorbcon Lisbon']],
    ['eventos en Portugal', { type: 'events', filters: { country: 'Portugal' } }, ['Zorbcon Lisbon']],
    ['Welche Firmen wurden nach 2020 gegründet?', { type: 'companies', filters: { founded_from: 2021 } }, ['Zorblend']],
    ['Unternehmen mit mehr als 100 Mitarbeitern', { filters: { employees_min: 101 } }, ['Zorbvault']],
    [
      'Veranstaltungen in Europa im März 2026',
      { filters: { country: 'Europa', from: '2026-03-01', to: '2026-03-31' } },
      ['Zorbcon Lisbon'],
    ],
    [
      'Quelles entreprises ont levé plus de 50 millions ?',
      { type: 'companies', filters: { funding_min: 50_000_001 } },
      ['Zorblend'],
    ],
    [
      'les tours menés par Quorum Partners',
      { type: 'rounds', filters: { investor: 'Quorum Partners', led: true } },
      ['Zorblend Series A'],
    ],
    ['événements en mars 2026', { filters: { from: '2026-03-01', to: '2026-03-31' } }, ['Zorbcon Lisbon']],
    ['2020年以后成立的公司', { type: 'companies', filters: { founded_from: 2021 } }, ['Zorblend']],
    ['融资超过5000万美元的公司', { type: 'companies', filters: { funding_min: 50_000_001 } }, ['Zorblend']],
    ['Zorblend的创始人是谁？', { type: 'people' }, ['Ada Quill']],
    ['who spoke at Zorbcon Austin', { type: 'people', filters: { event: 'Zorbcon Austin' } }, ['Ada Quill']],
    ['speakers at Zorbcon Austin', { type: 'people', filters: { event: 'Zorbcon Austin' } }, ['Ada Quill']],
    [
      'founders who spoke at Zorbcon Austin',
      { type: 'people', filters: { event: 'Zorbcon Austin' }, text: 'founder' },
      ['Ada Quill'],
    ],
    [
      'angel investors who spoke at Zorbcon Austin',
      { type: 'people', filters: { event: 'Zorbcon Austin', investments_min: 1 } },
      ['Ada Quill'],
    ],
    [
      'which rounds did Quorum join in 2026',
      { type: 'rounds', filters: { investor: 'Quorum Partners', from: '2026-01-01', to: '2026-12-31' } },
      ['Zorblend Series A'],
    ],
    [
      'rounds with Quorum Partners and Founders Sprocket',
      { type: 'rounds', filters: { investor: 'all:Quorum Partners|Founders Sprocket' } },
      ['Zorbvault Seed'],
    ],
    [
      'rounds where both Quorum Partners and Founders Sprocket took part',
      { type: 'rounds', filters: { investor: 'all:Quorum Partners|Founders Sprocket' } },
      ['Zorbvault Seed'],
    ],
    [
      'investments by Quorum Partners',
      { type: 'rounds', filters: { investor: 'Quorum Partners' } },
      ['Zorblend Series A', 'Zorbvault Seed'],
    ],
    [
      'most recent Series A',
      { type: 'rounds', filters: { funding_stage: 'series_a' }, sort: '-announced_date' },
      ['Zorblend Series A'],
    ],
    [
      'Series A over $50M',
      { type: 'rounds', filters: { funding_stage: 'series_a', funding_min: 50_000_001 } },
      ['Zorblend Series A'],
    ],
    [
      'lending founded after 2020',
      { type: 'companies', filters: { tag: 'lending', founded_from: 2021 } },
      ['Zorblend'],
    ],
    [
      'token sales in 2026',
      { filters: { funding_stage: 'initial_coin_offering|public_token_sale|private_token_sale' } },
      [],
    ],
    [
      'Zorblend Series A investors',
      { type: 'rounds', filters: { company: 'Zorblend', funding_stage: 'series_a' } },
      ['Zorblend Series A'],
    ],
    [
      'who participated in the Series A of Zorblend',
      { type: 'rounds', filters: { company: 'Zorblend', funding_stage: 'series_a' } },
      ['Zorblend Series A'],
    ],
    [
      'Series A of Zorblend',
      { type: 'rounds', filters: { company: 'Zorblend', funding_stage: 'series_a' } },
      ['Zorblend Series A'],
    ],
    [
      'Quorum Partners 2023 deals',
      { type: 'rounds', filters: { investor: 'Quorum Partners', from: '2023-01-01', to: '2023-12-31' } },
      ['Zorbvault Seed'],
    ],
    [
      'Zorblend seed investments in 2023',
      {
        type: 'rounds',
        filters: { investor: 'Zorblend', funding_stage: 'seed', from: '2023-01-01', to: '2023-12-31' },
      },
      [],
    ],
    ['lending platforms on Ethereum', { filters: { tag: 'lending', chain: 'Ethereum' } }, ['Zorblend']],
    ['Ethereum ecosystem lending projects', { filters: { chain: 'Ethereum', tag: 'lending' } }, ['Zorblend']],
    ['next events in Lisbon', { type: 'events', filters: { from: '2026-11-21', city: 'Lisbon' } }, []],
    ['próximos eventos en Lisboa', { type: 'events', filters: { from: '2026-11-21', city: 'Lisboa' } }, []],
    ['rounds in the last quarter of 2025', { filters: { from: '2025-10-01', to: '2025-12-31' } }, []],
    [
      'Welche Unternehmen hat Quorum Partners 2026 finanziert?',
      { type: 'companies', filters: { investor: 'Quorum Partners', from: '2026-01-01', to: '2026-12-31' } },
      ['Zorblend'],
    ],
    [
      'In welche Firmen hat Quorum Partners investiert?',
      { type: 'companies', filters: { investor: 'Quorum Partners' } },
      ['Zorblend', 'Zorbvault'],
    ],
    ['哪些公司获得了Quorum Partners的投资', { filters: { investor: 'Quorum Partners' } }, ['Zorblend', 'Zorbvault']],
    ['deutsche Firmen', { type: 'companies', filters: { country: 'Germany' }, text: '' }, ['Zorbplay']],
    ['empresas alemanas', { type: 'companies', filters: { country: 'Germany' }, text: '' }, ['Zorbplay']],
    ['entreprises allemandes', { type: 'companies', filters: { country: 'Germany' }, text: '' }, ['Zorbplay']],
    ['startups basées à Berlin', { filters: { city: 'Berlin' }, text: '' }, ['Zorbplay']],
    ['people with more than 5 angel investments', { type: 'people', filters: { investments_min: 6 } }, ['Bo Dealer']],
    [
      'investors with fewer than 3 deals',
      { filters: { investments_max: 2 }, text: '' },
      ['Quorum Partners', 'Founders Sprocket'],
    ],
    [
      'investors with at least 2 rounds',
      { filters: { investments_min: 2 }, text: '', ignored: ['with'] },
      ['Quorum Partners'],
    ],
    [
      'the last 3 rounds of Zorblend',
      { type: 'rounds', filters: { funding_stage: 'except:grant', company: 'Zorblend' }, text: '' },
      ['Zorblend Series A'],
    ],
    [
      'most frequent co-investors of Quorum in 2023',
      {
        type: 'rounds',
        filters: { investor: 'Quorum Partners', from: '2023-01-01', to: '2023-12-31' },
        group_by: ['investor'],
      },
      ['Zorbvault Seed'],
    ],
    [
      "what's the average seed",
      { type: 'rounds', filters: { funding_stage: 'seed' }, text: '', ignored: ['what', 'the', 'average'] },
      ['Zorbvault Seed'],
    ],
    [
      'lending funding over time',
      { type: 'rounds', filters: expect.objectContaining({ tag: 'lending' }), group_by: ['year'] },
      ['Zorblend Series A'],
    ],
    [
      'funding trend of lending',
      { type: 'rounds', filters: expect.objectContaining({ tag: 'lending' }), group_by: ['year'] },
      ['Zorblend Series A'],
    ],
    ...[
      'who does Quorum Partners co-invest with?',
      'Quorum Partners co-investors',
      'coinversores de Quorum Partners',
      'Co-Investoren von Quorum Partners',
      'qui investit avec Quorum Partners',
      'Quorum Partners的共同投资者',
    ].map(
      (text) =>
        [
          text,
          { type: 'rounds', filters: { investor: 'Quorum Partners' }, group_by: ['investor'], text: '' },
          ['Zorblend Series A', 'Zorbvault Seed'],
        ] as const,
    ),
    ...['which VCs invest most often with Quorum Partners', 'VCs that often invest alongside Quorum Partners'].map(
      (text) =>
        [
          text,
          {
            type: 'rounds',
            filters: { investor: 'Quorum Partners', investor_type: VENTURE },
            group_by: ['investor'],
            text: '',
          },
          ['Zorblend Series A', 'Zorbvault Seed'],
        ] as const,
    ),
    ...[
      'which investors led rounds of Zorblend since 2025',
      'investors who led the Series A of Zorblend',
      'quels investisseurs ont mené la Série A de Zorblend',
      'qué inversores lideraron la serie A de Zorblend',
      'welche Investoren haben die Series A von Zorblend angeführt',
    ].map(
      (text) =>
        [
          text,
          { type: 'rounds', filters: expect.objectContaining({ company: 'Zorblend' }), group_by: ['lead_investor'] },
          ['Zorblend Series A'],
        ] as const,
    ),
    [
      'which VCs invest in Ethereum startups',
      {
        type: 'rounds',
        filters: { funding_stage: 'except:grant', chain: 'Ethereum', investor_type: VENTURE },
        group_by: ['investor'],
      },
      ['Zorblend Series A'],
    ],
    [
      'who invested in lending on Ethereum in 2026',
      {
        type: 'rounds',
        filters: expect.objectContaining({ tag: 'lending', chain: 'Ethereum', from: '2026-01-01' }),
        group_by: ['investor'],
      },
      ['Zorblend Series A'],
    ],
    ...["Quorum Partners' companies", "Quorum Partners's startups", 'qué empresas financió Quorum Partners'].map(
      (text) =>
        [
          text,
          { type: 'companies', filters: { investor: 'Quorum Partners' }, text: '' },
          ['Zorblend', 'Zorbvault'],
        ] as const,
    ),
    ['wer hat Zorblend finanziert', { type: 'investors', filters: { company: 'Zorblend' } }, ['Quorum Partners']],
    [
      'Quorum Partners的投资组合',
      { type: 'companies', filters: { investor: 'Quorum Partners' } },
      ['Zorblend', 'Zorbvault'],
    ],
    [
      'most common co-investors of Founders Sprocket',
      { type: 'rounds', filters: { investor: 'Founders Sprocket' } },
      ['Zorbvault Seed'],
    ],
    [
      'rounds where Quorum and Founders Sprocket participated',
      { type: 'rounds', filters: { investor: 'all:Quorum Partners|Founders Sprocket' } },
      ['Zorbvault Seed'],
    ],
    [
      'quels fonds ont investi dans des projets Ethereum',
      { type: 'rounds', filters: expect.objectContaining({ chain: 'Ethereum' }), group_by: ['investor'] },
      ['Zorblend Series A'],
    ],
    ['top angels', { type: 'people', sort: '-angel_investments' }, ['Bo Dealer', 'Ada Quill']],
    ['recently updated people', { type: 'people', sort: '-updated_at' }, ['Bo Dealer', 'Ada Quill']],
    [
      'total lending funding in 2025 vs 2026',
      {
        type: 'rounds',
        filters: { tag: 'lending', from: '2025-01-01', to: '2026-12-31', funding_stage: 'except:grant' },
      },
      ['Zorblend Series A'],
    ],
    [
      'funding in 2023',
      { type: 'rounds', filters: { from: '2023-01-01', to: '2023-12-31', funding_stage: 'except:grant' }, text: '' },
      ['Zorbvault Seed'],
    ],
    [
      'is Zorblend backed by Quorum Partners',
      { type: 'rounds', filters: { company: 'Zorblend', investor: 'Quorum Partners' } },
      ['Zorblend Series A'],
    ],
    ['who leads the most rounds', { type: 'investors', sort: '-lead_count' }, ['Quorum Partners', 'Founders Sprocket']],
    [
      'biggest seed rounds of all time',
      { filters: { funding_stage: 'seed' }, sort: '-amount_usd', text: '' },
      ['Zorbvault Seed'],
    ],
    [
      'Sprocket rounds',
      { type: 'rounds', filters: { funding_stage: 'except:grant' }, text: 'Sprocket' },
      ['Zorbvault Seed'],
    ],
    [
      'Quorum rounds',
      { type: 'rounds', filters: { investor: 'Quorum Partners' } },
      ['Zorblend Series A', 'Zorbvault Seed'],
    ],
    ['top founders by number of investments', { type: 'people', sort: '-angel_investments' }, ['Ada Quill']],
    ['投资超过1笔的投资机构', { type: 'investors', filters: { investments_min: 2 } }, ['Quorum Partners']],
    [
      'did Quorum Partners ever invest in Zorblend?',
      { type: 'rounds', filters: { investor: 'Quorum Partners', company: 'Zorblend' } },
      ['Zorblend Series A'],
    ],
    ['employees of Zorblend', { type: 'people', filters: { company: 'Zorblend' } }, ['Ada Quill']],
    ['who is behind Zorbvault', { filters: {}, text: 'Zorbvault' }, ['Zorbvault']],
    [
      'von Quorum Partners angeführte Runden',
      { type: 'rounds', filters: { investor: 'Quorum Partners', led: true } },
      ['Zorblend Series A'],
    ],
    [
      'rounds without a lead investor',
      { type: 'rounds', filters: { led: false, funding_stage: 'except:grant' } },
      ['Zorbvault Seed'],
    ],
    [
      'seed rounds nobody led since 2023',
      { type: 'rounds', filters: { led: false, from: '2023-01-01' } },
      ['Zorbvault Seed'],
    ],
    ['rounds not led by anyone in 2026', { type: 'rounds', filters: { led: false, from: '2026-01-01' } }, []],
    [
      'rounds that Quorum Partners joined but did not lead',
      { type: 'rounds', filters: { investor: 'Quorum Partners', led: false } },
      [],
    ],
    [
      'rounds Founders Sprocket did not lead but joined',
      { type: 'rounds', filters: { investor: 'Founders Sprocket', led: false } },
      [],
    ],
    [
      'rounds that Founders Sprocket did not lead',
      { type: 'rounds', filters: { investor: 'not:Founders Sprocket', led: true } },
      ['Zorblend Series A'],
    ],
    [
      'Founders Sprocket 没有领投的轮次',
      { type: 'rounds', filters: { investor: 'not:Founders Sprocket', led: true } },
      ['Zorblend Series A'],
    ],
    ['companies that Founders Sprocket did not back', { filters: { investor: 'not:Founders Sprocket' } }, ['Zorblend']],
    ['quorum partners vc portfolio', { filters: { investor: 'quorum partners' } }, ['Zorblend', 'Zorbvault']],
    ['lending on Ethereum', { type: 'companies', filters: { tag: 'lending', chain: 'Ethereum' } }, ['Zorblend']],
    [
      'Zorblend 和 Zorbvault 的共同投资者',
      { type: 'investors', filters: { company: 'all:Zorblend|Zorbvault' } },
      ['Quorum Partners'],
    ],
    [
      '投资过Zorblend和Zorbvault的机构有哪些',
      { type: 'investors', filters: { company: 'all:Zorblend|Zorbvault' } },
      ['Quorum Partners'],
    ],
    [
      'companies founded in 2021 that raised in 2026',
      { filters: { founded_from: 2021, founded_to: 2021, from: '2026-01-01', to: '2026-12-31' } },
      ['Zorblend'],
    ],
    [
      'deals done by Founders Sprocket',
      { type: 'rounds', filters: { investor: 'Founders Sprocket' } },
      ['Zorbvault Seed'],
    ],
    ['companies in zug', { filters: { city: 'zug' }, text: '' }, ['Zorb Labs']],
    ['德国的游戏', { type: 'companies', filters: { tag: '游戏', country: '德国' } }, ['Zorbplay']],
    ['2026年最大的五轮融资', { type: 'rounds', sort: '-amount_usd', text: '' }, ['Zorblend Series A']],
    [
      'custody companies with the most employees',
      { filters: { tag: 'custody' }, sort: '-total_employees' },
      ['Zorbvault'],
    ],
    ['who led the fewest rounds', { type: 'investors', sort: 'lead_count' }, ['Quorum Partners', 'Founders Sprocket']],
    ['Portfolio von Quorum Partners', { filters: { investor: 'Quorum Partners' } }, ['Zorblend', 'Zorbvault']],
    ['Quorum Partners portfolio companies', { filters: { investor: 'Quorum Partners' } }, ['Zorblend', 'Zorbvault']],
    ['companies that have not raised since 2024', { filters: { last_round_before: '2023-12-31' } }, ['Zorbvault']],
    [
      "companies that haven't raised in the last 2 years",
      { filters: { last_round_before: '2024-11-20' } },
      ['Zorbvault'],
    ],
    [
      'raised a seed in 2023 and nothing since',
      { filters: { funding_stage: 'seed', from: '2023-01-01', to: '2023-12-31', last_round_before: '2023-12-31' } },
      ['Zorbvault'],
    ],
    [
      'companies that raised a seed but never a Series A',
      { filters: { funding_stage: 'seed|not:series_a' } },
      ['Zorbvault'],
    ],
    ['companies without a seed round', { filters: { funding_stage: 'not:seed' } }, ['Zorblend']],
    ['which companies did Founders Sprocket fund', { filters: { investor: 'Founders Sprocket' } }, ['Zorbvault']],
    ['what has Founders Sprocket backed', { filters: { investor: 'Founders Sprocket' } }, ['Zorbvault']],
    ['who funds Zorblend', { type: 'investors', filters: { company: 'Zorblend' } }, ['Quorum Partners']],
    ['Zorblend employees', { type: 'people', filters: { company: 'Zorblend' } }, ['Ada Quill']],
    [
      'Quorum Partners领投的融资',
      { type: 'rounds', filters: { investor: 'Quorum Partners', led: true } },
      ['Zorblend Series A'],
    ],
    [
      'investors who led rounds of Zorblend',
      { type: 'rounds', filters: { company: 'Zorblend' } },
      ['Zorblend Series A'],
    ],
    [
      'common investors of Zorblend and Zorbvault',
      { type: 'investors', filters: { company: 'all:Zorblend|Zorbvault' } },
      ['Quorum Partners'],
    ],
    [
      "who are Zorbvault's investors?",
      { type: 'investors', filters: { company: 'Zorbvault' } },
      ['Quorum Partners', 'Founders Sprocket'],
    ],
    [
      "Quorum Partners' deals",
      { type: 'rounds', filters: { investor: 'Quorum Partners' } },
      ['Zorblend Series A', 'Zorbvault Seed'],
    ],
    ['deals in 2023', { type: 'rounds', filters: { from: '2023-01-01', to: '2023-12-31' } }, ['Zorbvault Seed']],
    [
      'rounds without Founders Sprocket',
      { filters: { investor: 'not:Founders Sprocket', funding_stage: 'except:grant' } },
      ['Zorblend Series A'],
    ],
    [
      'combien a levé Zorbvault en 2023',
      { type: 'rounds', filters: { company: 'Zorbvault', from: '2023-01-01' } },
      ['Zorbvault Seed'],
    ],
    ['Zorblend的创始人', { type: 'people', filters: { company: 'Zorblend' } }, ['Ada Quill']],
    ['A轮融资', { type: 'rounds', filters: { funding_stage: 'series_a' }, text: '' }, ['Zorblend Series A']],
    ['种子轮融资', { type: 'rounds', filters: { funding_stage: 'seed' }, text: '' }, ['Zorbvault Seed']],
    ['lending companies but not gaming', { type: 'companies', filters: { tag: 'lending|not:gaming' } }, ['Zorblend']],
    [
      'companies backed by Quorum Partners but not by Founders Sprocket',
      { type: 'companies', filters: { investor: 'Quorum Partners|not:Founders Sprocket' } },
      ['Zorblend'],
    ],
    [
      'rounds by Founders Sprocket & Quorum Partners',
      { type: 'rounds', filters: { investor: 'all:Founders Sprocket|Quorum Partners' }, text: '' },
      ['Zorbvault Seed'],
    ],
    ['companies that raised money', { type: 'companies', filters: { funding_min: 1 } }, ['Zorblend', 'Zorbvault']],
    ['lending companies with funding', { filters: { tag: 'lending', funding_min: 1 } }, ['Zorblend']],
    ['which custody has raised money', { type: 'companies', filters: { funding_min: 1 } }, ['Zorbvault']],
    ['已融资的公司', { type: 'companies', filters: { funding_min: 1 } }, ['Zorblend', 'Zorbvault']],
    ['companies that raised the most', { type: 'companies', filters: {}, sort: '-total_funding_usd' }, ALL],
    [
      'entreprises qui ont levé des fonds en 2023',
      { type: 'companies', filters: { from: '2023-01-01', to: '2023-12-31' } },
      ['Zorbvault'],
    ],
    ['entreprises levé dès 2024', { type: 'companies', filters: { from: '2024-01-01' } }, ['Zorblend']],
    ['lending companies ranked by funding', { filters: { tag: 'lending' }, sort: '-total_funding_usd' }, ['Zorblend']],
    ['Zorbvault最近一轮融资', { type: 'rounds', filters: { company: 'Zorbvault' } }, ['Zorbvault Seed']],
    ['Zorbvault 的融资', { type: 'rounds', filters: { company: 'Zorbvault' } }, ['Zorbvault Seed']],
    [
      'rounds by Quorum Partners since 2024',
      { type: 'rounds', filters: { investor: 'Quorum Partners', from: '2024-01-01' } },
      ['Zorblend Series A'],
    ],
    [
      'rounds by Quorum since 2024',
      { type: 'rounds', filters: { investor: 'Quorum Partners', from: '2024-01-01' } },
      ['Zorblend Series A'],
    ],
    [
      'Quorum Partners rounds since 2024',
      { type: 'rounds', filters: { investor: 'Quorum Partners', from: '2024-01-01' } },
      ['Zorblend Series A'],
    ],
    [
      'Quorum Partners seed investments 2023',
      { type: 'rounds', filters: { investor: 'Quorum Partners', funding_stage: 'seed', from: '2023-01-01' } },
      ['Zorbvault Seed'],
    ],
    ['who spoke at Zorbcon Lisbon', { type: 'people', filters: { event: 'Zorbcon Lisbon' } }, []],
    ['speakers at Zorbcon Lisbon', { type: 'people', filters: { event: 'Zorbcon Lisbon' } }, []],
    ['rounds by Zorblend', { type: 'rounds', filters: { company: 'Zorblend' } }, ['Zorblend Series A']],
    [
      'rounds by Zorblend since 2024',
      { type: 'rounds', filters: { company: 'Zorblend', from: '2024-01-01' } },
      ['Zorblend Series A'],
    ],
  ];

  test('takes what an investor raised for none of what it invested', async () => {
    const roundsOf = async (verb: string) =>
      (await find(`how much did Quorum Partners ${verb} since 2020`, ['rounds'])).names;
    expect(await roundsOf('invest')).toContain('Zorblend Series A');
    expect(await roundsOf('raise')).toEqual([]);
  });

  test('leaves no word of co-investors unread, and takes a form of `mis à jour` for no order', async () => {
    for (const text of ['Quorum Partners co-investors', 'most frequent co-investors of Quorum Partners'])
      expect((await find(text)).understood?.ignored).toEqual([]);
    expect((await find('entreprises mises à jour depuis 2020')).understood).not.toHaveProperty('sort');
    expect((await find('entreprises récemment mises à jour')).understood).toMatchObject({ sort: '-updated_at' });
  });

  test.each([
    ['investors that never led a round', { type: 'investors', unstated: ['never led a round'] }, 'never'],
    [
      'investors in Zorblend that did not lead',
      { type: 'rounds', filters: { company: 'Zorblend' }, unstated: ['did not lead'] },
      'that',
    ],
    ['top events', { type: 'events', filters: {}, unstated: ['top'] }, 'top'],
    ['top founders', { type: 'people', filters: {}, unstated: ['top'] }, 'top'],
    ['rounds with a single investor', { filters: {}, unstated: ['single investor'] }, 'with'],
    ['companies with two rounds in 2026', { filters: { from: '2026-01-01' }, unstated: ['two rounds'] }, 'with'],
    ['who founded more than one company', { filters: {}, unstated: ['one company'] }, 'who'],
    ['investors with one investment', { filters: {}, unstated: ['one investment'] }, 'with'],
    ['gaming companies with a token', { filters: { tag: 'gaming' }, unstated: ['with token'] }, 'token'],
    ['rounds in the first week of May 2023', { filters: { from: '2023-05-01', to: '2023-05-31' }, text: '' }, 'first'],
    ['companies with grants only', { filters: { funding_stage: 'grant' } }, 'only'],
    ['companies raising now', { type: 'companies', filters: {}, unstated: ['raising now'] }, 'raising'],
    ['solo founders', { filters: {}, unstated: ['solo founders'] }, 'solo'],
    ['rounds in winter 2023', { type: 'rounds', unstated: ['winter'] }, 'winter'],
  ])('%s: no filter is about it, which is said', async (text, understood, ignored) => {
    const found = await find(text);
    expect(found).toMatchObject({ understood, isTyped: false });
    expect(found.understood?.ignored).toContain(ignored);
  });

  test('the round that a question is about is shown where another led it, without the one that is asked for', async () => {
    const found = await find('did Quorum Partners lead the seed of Zorbvault');
    expect(found).toMatchObject({ names: ['Zorbvault Seed'], isTyped: false, understood: { type: 'rounds' } });
    expect(found.understood?.ignored).toContain('Quorum Partners');
  });

  test.each(READ)('%s', async (text, understood, names) => {
    const found = await find(text);
    expect(found).toMatchObject({ understood, names, isTyped: true });
  });

  test.each([
    ['how are Zorbvault and Quorum Partners connected', { connect: ['Zorbvault', 'Quorum Partners'], filters: {} }],
    ['cómo están conectados Zorbvault y Nadie Zyx', { connect: ['Zorbvault', 'Nadie Zyx'] }],
    ['number of companies per country', { type: 'companies', group_by: ['country'], text: '' }],
    ['top 5 investors by number of rounds', { type: 'investors', sort: '-investments_count', ignored: [] }],
    ['people', { type: 'people', filters: {}, text: '' }],
    ['how many rounds by year', { type: 'rounds', group_by: ['year'], text: '' }],
    ['Runden pro Quartal', { type: 'rounds', group_by: ['quarter'], text: '' }],
    [
      'most active investors in 2022',
      { type: 'rounds', group_by: ['investor'], filters: { from: '2022-01-01', to: '2022-12-31' }, ignored: [] },
    ],
    ['most active seed investors', { type: 'investors', group_by: ['investor'] }],
    [
      'investors that backed companies in 2023',
      {
        type: 'rounds',
        group_by: ['investor'],
        filters: { from: '2023-01-01', to: '2023-12-31' },
      },
    ],
    ['investors in custody', { type: 'investors', group_by: ['investor'], filters: { tag: 'custody' } }],
    ['who backs lending startups', { type: 'rounds', group_by: ['investor'], filters: { tag: 'lending' } }],
    ['investors in German startups', { type: 'rounds', group_by: ['investor'], filters: { country: 'Germany' } }],
    [
      'who should I pitch a Series A lending company to',
      { type: 'rounds', group_by: ['investor'], filters: { funding_stage: 'series_a', tag: 'lending' } },
    ],
    [
      'who led Series A rounds in lending',
      { type: 'rounds', group_by: ['lead_investor'], filters: { funding_stage: 'series_a', tag: 'lending' } },
    ],
    ['top cities', { type: 'companies', group_by: ['city'], text: '' }],
    ['cities with the most VCs', { type: 'investors', group_by: ['city'], text: '' }],
    ['top 5 sectors', { type: 'rounds', group_by: ['tag'], text: '' }],
    ['who led the most rounds in 2022', { type: 'rounds', group_by: ['lead_investor'] }],
    ['who spoke at the most conferences', { type: 'people', group_by: ['speaker'], filters: {} }],
    ['people who spoke at most events in 2025', { type: 'people', group_by: ['speaker'] }],
    ['which sectors raised the most in 2025', { type: 'rounds', group_by: ['tag'], text: '' }],
    ['total raised by lending companies per year', { type: 'companies', group_by: ['year'] }],
    ['lending companies by chain', { type: 'companies', group_by: ['chain'], filters: { tag: 'lending' } }],
    ['top sectors by funding', { type: 'rounds', group_by: ['tag'], sort: '-amount_usd', text: '' }],
    ['yearly funding of lending companies', { type: 'companies', group_by: ['year'], filters: { tag: 'lending' } }],
    ['countries with the most companies', { type: 'companies', group_by: ['country'], text: '' }],
    ['rounds by year and stage', { type: 'rounds', group_by: ['year', 'stage'], text: '' }],
    ['financiación por país', { type: 'rounds', group_by: ['country'], text: '' }],
    ['Anzahl der Firmen nach Ländern', { type: 'companies', group_by: ['country'], text: '' }],
    ['levées de fonds par secteur', { type: 'rounds', group_by: ['tag'], text: '' }],
    ['按年份统计融资轮数', { type: 'rounds', group_by: ['year'], text: '' }],
    ['每个国家的公司数量', { type: 'companies', group_by: ['country'], text: '' }],
    ['各赛道融资总额', { type: 'rounds', group_by: ['tag'], text: '' }],
  ])('names what another call answers: %s', async (text, understood) => {
    expect((await find(text)).understood).toMatchObject(understood);
  });

  test.each([
    'Quorum and Founders Sprocket co-investments',
    'deals that Quorum and Founders Sprocket did together',
    'rounds where Quorum Partners and Founders Sprocket both invested',
    'rounds with both Quorum Partners and Founders Sprocket',
  ])('reads what two investors funded together: %s', async (text) => {
    expect(await find(text)).toMatchObject({
      names: ['Zorbvault Seed'],
      isTyped: true,
      understood: { type: 'rounds' },
    });
  });

  test.each([
    'what else did the backers of Zorbvault fund',
    'companies backed by the investors of Zorbvault',
    'portfolio companies of investors in Zorbvault',
  ])('lists the investors first of which others are asked for: %s', async (text) => {
    expect(await find(text)).toMatchObject({
      names: expect.arrayContaining(['Quorum Partners', 'Founders Sprocket']),
      isTyped: false,
      understood: { type: 'investors', filters: { company: 'Zorbvault' }, unstated: [text] },
    });
  });

  test('takes a ticker for no country without a preposition', async () => {
    expect((await find('ETH events in Lisbon')).understood?.filters).toEqual({ city: 'Lisbon' });
  });

  test('ignores words as they were typed', async () => {
    expect(await find('Zorbcon 2019')).toMatchObject({ understood: { text: 'Zorbcon', ignored: ['2019'] } });
  });

  test('finds nothing that an unknown firm led, and names those like it', async () => {
    for (const text of [
      'seed rounds led by Quorum Partnerz Group',
      'companies backed by Quorum Zyxwv',
      'portfolio of Quorum Zyxwv',
    ]) {
      const { total, understood } = await find(text);
      expect([total, understood?.nearest?.[0]], text).toEqual([0, 'Quorum Partners']);
    }
    expect((await find('rounds led by Zyxwvut')).understood?.nearest).toEqual([]);
    const founded = await find('companies founded by Ada Quillmore');
    expect([founded.total, founded.understood?.nearest]).toEqual([0, ['Ada Quill']]);
    expect((await find('companies founded by Ada Quil')).understood?.filters).toEqual({ founder: 'Ada Quill' });
  });

  test('leaves a name, a misspelt name and plain words as they are', async () => {
    for (const text of ['Founders Sprocket', 'zorb labs', 'Foundres Sprocket', 'lending ethereum'])
      expect([text, (await find(text)).understood]).toEqual([text, undefined]);
    expect((await find('foundres sprocket')).names[0]).toBe('Founders Sprocket');
  });

  test('marks what it could read only in part', async () => {
    const texts: readonly (readonly [string, Partial<ParsedQuery>])[] = [
      ['companies founded by women in Berlin', { filters: { city: 'Berlin' } }],
      [
        'people who invested in Zorblend',
        { type: 'rounds', filters: { company: 'Zorblend', funding_stage: 'except:grant' } },
      ],
      ['events with more than 1000 attendees', { type: 'events', filters: {} }],
      [
        'seed rounds thrice in 2023',
        { filters: { funding_stage: 'seed', from: '2023-01-01', to: '2023-12-31' }, text: '' },
      ],
    ];
    for (const [text, understood] of texts)
      expect(await find(text), text).toMatchObject({ understood, isTyped: false });
    // A name or place that nothing has is not left out.
    expect(await find('seed rounds of Zyxwv in 2023')).toMatchObject({ total: 0 });
  });

  test('drops the words of a question and finds the rest, the name first', async () => {
    const found = await find('What is the total funding of Zorbvault?');
    expect(found.names[0]).toBe('Zorbvault');
    expect(found.understood).toEqual({
      filters: {},
      text: 'Zorbvault',
      ignored: ['What', 'is', 'the', 'total', 'funding', 'of'],
    });
  });

  test('marks the companies of either year where those of both are asked for', async () => {
    const { names, isTyped } = await find('companies with rounds in both 2022 and 2023');
    expect([names, isTyped]).toEqual([['Zorbvault'], false]);
  });

  test.each([
    'is Quorum Partners an investor in Zorblend',
    'was Quorum Partners an investor of Zorblend?',
    'are Quorum Partners investors in Zorblend',
    'ist Quorum Partners ein Investor von Zorblend',
    'es Quorum Partners inversor de Zorblend',
    'Quorum Partners est un investisseur de Zorblend',
    'Quorum Partners é investidor da Zorblend',
  ])('lists the rounds that answer whether one party funded another: %s', async (text) => {
    const { understood, names } = await find(text);
    expect(understood).toMatchObject({
      type: 'rounds',
      filters: { investor: 'Quorum Partners', company: 'Zorblend' },
      text: '',
    });
    expect(understood).not.toHaveProperty('group_by');
    expect(names).toEqual(['Zorblend Series A']);
  });

  test.each([
    'how much has Zorbvault raised to date',
    'how much money has Zorbvault raised so far',
    'Zorbvault total funding',
    'cuánto ha recaudado Zorbvault hasta la fecha',
    'wie viel hat Zorbvault bisher eingesammelt',
    "combien Zorbvault a levé jusqu'à présent",
    'quanto a Zorbvault captou até hoje',
    'Zorbvault总共融资多少',
  ])('finds the company, whose record has the total: %s', async (text) => {
    const found = await find(text);
    expect(found.names[0]).toBe('Zorbvault');
    expect(found.understood).toMatchObject({ filters: {}, text: 'Zorbvault' });
  });

  test.each(['companies that raised in 2026 without a lead', 'companies that raised in 2026, excluding those it led'])(
    'say that they are not wholly read where they leave something out in other words: %s',
    async (text) => {
      const found = await find(text);
      expect(found.isTyped).toBe(false);
      expect(found.understood?.ignored.join(' ')).toMatch(/without|excluding/);
    },
  );

  test.each([
    ['companies led by Wibblefish or Quorum Partners', ['Zorblend'], 'Wibblefish'],
    ['seed in Wakanda', ['Zorbvault'], 'Wakanda'],
    ['companies with more than 100 employees in Germany', ['Zorbplay'], 'more than 100 employees'],
    ['speakers about gaming', ['Bo Dealer'], 'speakers'],
    ['people in gaming who speak', ['Bo Dealer'], 'speak'],
    ['top people in gaming', ['Bo Dealer'], 'top'],
    ['investors that lead rounds', ['Quorum Partners', 'Founders Sprocket'], 'lead'],
  ])('says what it left out and marks the answer: %s', async (text, names, left) => {
    const found = await find(text);
    expect(found).toMatchObject({ names, isTyped: false });
    expect(found.understood?.ignored).toContain(left);
  });

  test.each<[text: string, understood: Partial<ParsedQuery>, unknown: object]>([
    ['lending companies in Wakanda', { filters: { tag: 'lending' }, text: 'Wakanda' }, {}],
    ['lending companies in Bhutan', { filters: { tag: 'lending', country: 'Bhutan' } }, { country: 1 }],
    [
      'companies in Germany backed by Quorum Partners',
      { filters: { country: 'Germany', investor: 'Quorum Partners' } },
      { country: 2, investor: 1 },
    ],
    ['gaming companies in Germany that were acquired', { filters: { tag: 'gaming', country: 'Germany' } }, {}],
    ['investors in Bhutan that fund custody', { filters: { country: 'Bhutan' } }, { country: 1 }],
    ['German custody', { type: 'companies', filters: { tag: 'custody', country: 'Germany' } }, { country: 1 }],
  ])('lists none elsewhere or of another sector, and counts those of which it is unknown: %s', async (...asked) => {
    const [text, understood, unknown] = asked;
    expect(await find(text)).toMatchObject({ total: 0, understood, unknown });
  });

  test.each([
    ['not Wakandan lending companies', 'not Wakandan lending companies'],
    ['lending companies with no funding', 'with no funding'],
    ['companies that raised in 2026 without a lead', 'without a lead'],
    ['which company has the most investors', 'the most investors'],
    ['lending companies that raised in 2021 and again in 2026', 'in 2026'],
    ['lending companies not led by Quorum Partners', 'not led by Quorum Partners'],
    ['people at Zorblend who are not founders', 'not founders'],
    ['how much did companies without investors raise', 'without investors raise'],
  ])('lists nothing for a negation that no filter expresses: %s', async (text, unstated) => {
    const found = await find(text);
    expect(found).toMatchObject({ total: 0, understood: { filters: {}, unstated: [unstated] } });
    expect(aggregateAskedFor(found.understood ?? {})).toBeUndefined();
  });

  test('reads a misspelt investor beside its portfolio', async () => {
    const found = await find('Quorm Partners portfolio');
    expect(found).toMatchObject({ names: ['Zorblend', 'Zorbvault'], isTyped: false });
    expect(found.understood).toMatchObject({ type: 'companies', filters: { investor: 'Quorum Partners' }, text: '' });
  });

  test('lists no rounds of a company that shares a word with the name that no record has', async () => {
    expect(await find('Zzyzx Series rounds')).toMatchObject({ total: 0, understood: { nearest: [] } });
  });

  test.each(['rounds of Zzyzx', 'Zzyzx rounds', 'investors of Zzyzx', 'Zzyzx portfolio'])(
    'says that no record has the name in %s',
    async (text) => {
      expect(await find(text)).toMatchObject({ total: 0, understood: { text: 'Zzyzx', nearest: [] } });
    },
  );

  test.each([
    ['which event had the most speakers', { of: 'people', group_by: ['event'], measure: undefined }],
    ['events by number of speakers', { of: 'people', group_by: ['event'], measure: undefined }],
    ['which company has raised the most rounds', { of: 'rounds', group_by: ['company'], measure: undefined }],
    ['total raised by companies in 2026', { of: 'rounds', group_by: ['year'], measure: 'sum' }],
  ])('of %s is answered by an aggregate', async (text, asked) => {
    expect(aggregateAskedFor((await find(text)).understood ?? {})).toMatchObject(asked);
  });

  test('finds those that are compared, whatever is asked of them', async () => {
    const found = await find('compare Quorum Partners and Founders Sprocket: which invested in more');
    expect(found.names.slice(0, 2).toSorted()).toEqual(['Founders Sprocket', 'Quorum Partners']);
    expect(found).toMatchObject({ isTyped: false, understood: { filters: {} } });
  });

  test('marks other names than the one that a word for a type may belong to', async () => {
    expect(await find('zorb protocol')).toMatchObject({ isTyped: false, understood: { text: 'zorb' } });
    expect(await find('zorb protocol', NAMED_TYPES, { window: { offset: 1, limit: 1 } })).toMatchObject({
      isTyped: false,
    });
    expect(await find('zorbplay protocol')).toMatchObject({ names: ['Zorbplay'], isTyped: true });
    expect(await find('zorb companies')).toMatchObject({ isTyped: true });
  });

  test('finds nothing, rather than what it was not asked for', async () => {
    const found = await find('companies with fewer than 20 employees in Bhutan');
    expect(found).toMatchObject({ names: [], understood: { filters: { employees_max: 19, country: 'Bhutan' } } });
  });

  test('finds any of the words where no record has all, and marks that', async () => {
    const both = await find('Please compare Zorbplay and Zorbvault');
    expect(both.names.slice(0, 2).sort()).toEqual(['Zorbplay', 'Zorbvault']);
    const one = await find('Please compare Zorbplay and Wibblefish');
    expect(one).toMatchObject({ names: ['Zorbplay'], isTyped: false });
  });

  test('never answers for another day or amount than was asked for', async () => {
    for (const text of ['companies that raised money in July 2026', 'events in November 2026', 'rounds over $900M'])
      expect([text, (await find(text)).names]).toEqual([text, []]);
    expect((await find('November 2026')).names).toEqual([]);
  });

  test('goes without a fact that few records have, and says so', async () => {
    const found = await find('gaming companies founded after 2020');
    expect(found).toMatchObject({ names: ['Zorbplay'], isTyped: false, understood: { filters: { tag: 'gaming' } } });
    expect(found.understood?.ignored).toContain('after 2020');
  });

  test('orders the rounds of a period by their valuations', async () => {
    expect((await find('largest valuations 2023')).understood).toMatchObject({
      type: 'rounds',
      filters: { from: '2023-01-01', to: '2023-12-31' },
      sort: '-valuation_usd',
    });
  });

  test('lists the rounds of a company whose angel investors are asked for, without grants', async () => {
    for (const text of ['angel investors in Zorbvault', 'people who invested in Zorbvault'])
      expect(await find(text), text).toMatchObject({
        names: ['Zorbvault Seed'],
        isTyped: false,
        understood: { type: 'rounds', filters: { company: 'Zorbvault', funding_stage: 'except:grant' } },
      });
    expect(await find('angel investors from Zorbvault')).toMatchObject({ understood: { type: 'people' } });
    expect(await find('angel investors in Germany')).toMatchObject({ understood: { filters: { country: 'Germany' } } });
  });

  test('reads misspelt function words and investors, and marks what it read', async () => {
    const read: readonly (readonly [string, ParsedQuery['filters']])[] = [
      ['companys backed by Quorm Partners', { investor: 'Quorum Partners' }],
      ['seed ronuds led by Quorum Partnerz', { funding_stage: 'seed', investor: 'Quorum Partners', led: true }],
      ['Unternemen finanziert von Quorum Partners', { investor: 'Quorum Partners' }],
    ];
    for (const [text, filters] of read)
      expect(await find(text), text).toMatchObject({ isTyped: false, understood: { filters } });
  });

  test('finds whose fact is asked for where no field has it, and says what it did not use', async () => {
    const found = await find('total value locked of Zorblend');
    expect(found.names[0]).toBe('Zorblend');
    expect(found.understood).toMatchObject({ text: 'Zorblend', ignored: expect.arrayContaining(['locked']) });
  });

  test('keeps filters that are given, and the type', async () => {
    const found = await find('which companies are lending', ['people', 'companies'], { filters: { founded_to: 2000 } });
    expect(found.total).toBe(0);
    expect((await find('Who are the founders of Zorblend?', ['companies'])).names[0]).toBe('Zorblend');
  });

  test('pages hold every record once', async () => {
    const page = (offset: number) => find('show me all companies', NAMED_TYPES, { window: { offset, limit: 3 } });
    const pages = [await page(0), await page(3), await page(6)];
    expect(new Set(pages.flatMap(({ names }) => names)).size).toBe(6);
    expect(pages.map(({ total }) => total)).toEqual([6, 6, 6]);
  });

  test('are read in any form, whatever stands in them', async () => {
    const word = fc.constantFrom(
      ...'who companies led by backed in since 2023 $50M million between and 去年 融资 nach mit über plus de q1 2026 not or - > € Zorblend'.split(
        ' ',
      ),
    );
    const text = fc.oneof(
      ofAnyCharacters(300),
      fc.array(word, { maxLength: 40 }).map((some) => some.join(' ')),
    );
    await fc.assert(
      fc.asyncProperty(text, async (some) => {
        const { results, total } = await find(some);
        expect(results.length).toBe(Math.min(10, total));
      }),
      { numRuns: 200 },
    );
  });

  test.each([
    ['who companies since 2023 '.repeat(400)],
    ['的公司'.repeat(3_300)],
    ['1,000,'.repeat(1_600)],
    ["l'".repeat(5_000)],
    ['$'.repeat(10_000)],
    ['vor '.repeat(2_500)],
    ['15 march '.repeat(1_100)],
  ])('of ten thousand characters are read in a moment: %.20s', { timeout: 5_000 }, async (text) => {
    expect((await find(text)).results.length).toBeLessThanOrEqual(10);
  });
});

const GRANTS = ['Zeltrix grant', 'Quorvand grant', 'Quorvex grant', 'Tamsin grant'];
const BOTH_GRANTS = GRANTS.slice(0, 2);

const YEAR_2025 = { from: '2025-01-01', to: '2025-12-31' };

describe(`sentences about grants, ends and adjectives of countries on ${engine.name}`, () => {
  let store: Store;
  beforeAll(async () => {
    store = await openStore((await engine.newDatabase()).url, () => TODAY);
    const germany = { city: 'Berlin', country: 'Germany' };
    await store.records.putAll([
      aCompany({ name: 'Quorvex', tags: ['Lending'], status: 'closed', token_symbols: ['QRV'] }),
      aCompany({ name: 'Quorvand', tags: ['Lending', 'Payments'], location_json: germany, total_employees: 5 }),
      aCompany({ name: 'Lumen', chains: ['Lumen'] }),
      // A part of names.
      anEvent({ name: 'Ventures' }),
      aCompany({ name: 'Zeltrix', tags: ['Gaming'], status: 'active', overview: 'What is a QRVx?' }),
      aCompany({ name: 'Tamsin', location_json: { city: 'London', country: 'United Kingdom' } }),
      aCompany({ name: 'Usher', location_json: { city: null, country: 'United States' }, total_employees: 50 }),
      anInvestor({ name: 'Zeltrix Foundation' }),
      anInvestor({ name: 'Havel Grants', investor_type: 'dao' }),
      anInvestor({ name: 'Lumen Foundation', investor_type: 'ecosystem_fund' }),
      anInvestor({ name: 'Havel Ventures', location_json: germany }),
      aRound({
        name: 'Quorvand grant',
        company: 'Quorvand',
        stage: 'grant',
        amount_usd: '9000.00',
        announced_date: '2024-02-01',
        investors: ['Zeltrix Foundation'],
      }),
      aRound({
        name: 'Zeltrix grant',
        company: 'Zeltrix',
        stage: 'grant',
        amount_usd: '70000.00',
        announced_date: '2025-02-01',
        investors: ['Havel Ventures'],
      }),
      aRound({
        name: 'Quorvex grant',
        company: 'Quorvex',
        stage: 'grant',
        amount_usd: '20.00',
        announced_date: '2019-05-01',
        investors: ['Lumen Foundation'],
      }),
      aRound({
        name: 'Tamsin grant',
        company: 'Tamsin',
        stage: 'grant',
        amount_usd: '5.00',
        announced_date: '2018-05-01',
        investors: ['Havel Grants'],
      }),
      aRound({ name: 'Lumen Seed', company: 'Lumen', stage: 'seed', announced_date: '2020-05-01' }),
      aRound({ name: 'Quorvand Seed', company: 'Quorvand', stage: 'seed', announced_date: '2025-05-01' }),
      // Ends in a word without a meaning.
      anInvestor({ name: 'Jolt Crypto', overview: 'Reports the TVL.', portfolio: ['Tamsin'] }),
      aPerson({ name: 'Ines Vale', roles: [{ organization: 'Quorvand', title: 'CEO' }] }),
      aPerson({ name: 'Ulf Brand', roles: [{ organization: 'Quorvand', title: 'Engineer' }] }),
      aPerson({ name: 'Pia Lund', roles: [{ organization: 'Zeltrix', title: 'Co-founder' }] }),
      aPerson({ name: 'Fay Holt', roles: [{ organization: 'Usher', title: 'Former CTO' }] }),
      aPerson({ name: 'Gil Tane', roles: [{ organization: 'Usher', title: 'Founder' }], angel_investments: 3 }),
      aPerson({ name: 'Omar Thane', roles: [{ organization: 'Quorvex', title: 'Engineer' }] }),
      aCompany({ name: 'Marlin Gate', tags: ['Maps', 'Charts'], overview: 'Its latest funding rounds are not known.' }),
      aCompany({
        name: 'Marlin Post',
        status: 'acquired',
        tags: ['Maps', 'Charts'],
        overview: 'Compare Lumen and Zeltrix and others.',
      }),
    ]);
  });
  afterAll(() => store.close());

  type Found = [text: string, filters: ParsedQuery['filters'], names: readonly string[]];

  test.each<Found>([
    ['which companies has Jolt Crypto invested in', { investor: 'Jolt Crypto' }, ['Tamsin']],
    ['companies that shut down', { status: 'closed' }, ['Quorvex']],
    ['closed companies', { status: 'closed' }, ['Quorvex']],
    ['active companies', { status: 'active' }, ['Zeltrix']],
    ['companies that are still active', { status: 'active' }, ['Zeltrix']],
    ['angel investors', { investments_min: 1 }, ['Gil Tane']],
    ['founders who are angel investors too', { investments_min: 1 }, ['Gil Tane']],
    ['companies in the United States', { country: 'United States' }, ['Usher']],
    ['rounds without grants in 2025', { funding_stage: 'except:grant', ...YEAR_2025 }, ['Quorvand Seed']],
    ...[
      'rounds in 2025, grants aside',
      '2025 rounds, grants excluded',
      'rounds in 2025 minus grants',
      'non-grant rounds in 2025',
      'rondas de 2025, subvenciones excluidas',
      'levées de 2025, subventions exclues',
      'Finanzierungsrunden 2025, Zuschüsse ausgenommen',
      'rodadas de 2025, subvenções excluídas',
      '2025年的融资，赠款除外',
    ].map((text): Found => [text, { funding_stage: 'except:grant', ...YEAR_2025 }, ['Quorvand Seed']]),
    [
      'rounds in 2025, Series A and Series B rounds excluded',
      { funding_stage: 'not:series_a|series_b|grant', ...YEAR_2025 },
      ['Quorvand Seed'],
    ],
    ['geschlossene Unternehmen', { status: 'closed' }, ['Quorvex']],
    ['empresas cerradas', { status: 'closed' }, ['Quorvex']],
    ['已关闭的公司', { status: 'closed' }, ['Quorvex']],
    ["subventions d'Havel Ventures", { funding_stage: 'grant', investor: 'Havel Ventures' }, ['Zeltrix grant']],
    ["l'équipe de Quorvand", { company: 'Quorvand' }, ['Ines Vale', 'Ulf Brand']],
    ['defunct lending companies', { status: 'closed', tag: 'lending' }, ['Quorvex']],
    ['german companies', { country: 'Germany' }, ['Quorvand']],
    ['companies in the uk', { country: 'United Kingdom' }, ['Tamsin']],
    ['companies in the U.S.', { country: 'U S' }, ['Usher']],
    ['us companies', { country: 'United States' }, ['Usher']],
    ['companies not in the us', { country: 'not:United States' }, ['Quorvand', 'Tamsin']],
    [
      'smallest grants',
      { funding_stage: 'grant' },
      ['Tamsin grant', 'Quorvex grant', 'Quorvand grant', 'Zeltrix grant'],
    ],
    ['german investors', { country: 'Germany' }, ['Havel Ventures']],
    ['largest grants', { funding_stage: 'grant' }, GRANTS],
    ['grants in 2024', { funding_stage: 'grant', from: '2024-01-01', to: '2024-12-31' }, ['Quorvand grant']],
    ['companies funded in 2025', { from: '2025-01-01', to: '2025-12-31' }, ['Quorvand']],
    ['grants of $5-80k', { funding_stage: 'grant', funding_min: 5000, funding_max: 80_000 }, BOTH_GRANTS],
    [
      'grants between 5k and 10k',
      { funding_stage: 'grant', funding_min: 5000, funding_max: 10_000 },
      ['Quorvand grant'],
    ],
    ['grants over 50k in 2025', { funding_stage: 'grant', funding_min: 50_001 }, ['Zeltrix grant']],
    [
      'grants from the Zeltrix Foundation',
      { funding_stage: 'grant', investor: 'Zeltrix Foundation' },
      ['Quorvand grant'],
    ],
    ['latest funding rounds', { funding_stage: 'except:grant' }, ['Quorvand Seed', 'Lumen Seed']],
    ['average size of grants', { funding_stage: 'grant' }, GRANTS],
    ['rounds of Quorvand', { company: 'Quorvand', funding_stage: 'except:grant' }, ['Quorvand Seed']],
    ['companies that raised a seed and a grant', { funding_stage: 'all:seed|grant' }, ['Quorvand']],
    ['rounds in 2019 or 2020', { from: '2019-01-01', to: '2020-12-31' }, ['Lumen Seed']],
    ['fundraising in May 2025', { from: '2025-05-01', to: '2025-05-31' }, ['Quorvand Seed']],
    ['rounds of Tamsin', { company: 'Tamsin' }, ['Tamsin grant']],
    ['first round of Quorvand', { company: 'Quorvand', funding_stage: 'except:grant' }, ['Quorvand Seed']],
    ['last round of Quorvand', { company: 'Quorvand', funding_stage: 'except:grant' }, ['Quorvand Seed']],
    ['what did Havel Ventures invest in', { investor: 'Havel Ventures' }, ['Zeltrix']],
    ['companies that are both lending and payments', { tag: 'all:lending|payments' }, ['Quorvand']],
    ['lending payments companies', { tag: 'all:lending|payments' }, ['Quorvand']],
    ['companies tagged gaming', { tag: 'gaming' }, ['Zeltrix']],
    ['who gave grants to Zeltrix', { funding_stage: 'grant', company: 'Zeltrix' }, ['Zeltrix grant']],
    ['is Quorvex bankrupt', { status: 'closed' }, ['Quorvex']],
    ['2025年最大的融资', { from: '2025-01-01', to: '2025-12-31', funding_stage: 'except:grant' }, ['Quorvand Seed']],
    ["fonds d'investissement en Allemagne", { country: 'Allemagne' }, ['Havel Ventures']],
    [
      'largest companies by employees',
      {},
      ['Usher', 'Quorvand', 'Quorvex', 'Lumen', 'Zeltrix', 'Tamsin', 'Marlin Gate', 'Marlin Post'],
    ],
    ['youngest companies in Germany', { country: 'Germany' }, ['Quorvand']],
    ['Zuschüsse von Zeltrix', { funding_stage: 'grant', investor: 'Zeltrix|Zeltrix Foundation' }, ['Quorvand grant']],
    ['subventions de Havel Ventures', { funding_stage: 'grant', investor: 'Havel Ventures' }, ['Zeltrix grant']],
    ['Unternehmen, die Havel Ventures finanziert hat', { investor: 'Havel Ventures' }, ['Zeltrix']],
    ['Lumen grants', { funding_stage: 'grant', investor: 'Lumen|Lumen Foundation' }, ['Quorvex grant']],
    ['Lumen Foundation grants', { funding_stage: 'grant', investor: 'Lumen Foundation' }, ['Quorvex grant']],
    ['Lumen 的资助', { funding_stage: 'grant', investor: 'Lumen|Lumen Foundation' }, ['Quorvex grant']],
    ['Havel Grants 2018', { investor: 'Havel Grants', from: '2018-01-01', to: '2018-12-31' }, ['Tamsin grant']],
    ['Zeltrix grants', { funding_stage: 'grant', company: 'Zeltrix' }, ['Zeltrix grant']],
    ['最新融资', { funding_stage: 'except:grant' }, ['Quorvand Seed', 'Lumen Seed']],
    ['Tamsin 的投资者', { company: 'Tamsin' }, ['Jolt Crypto']],
    ['seed 2025', { funding_stage: 'seed', from: '2025-01-01', to: '2025-12-31' }, ['Quorvand Seed']],
    ['seed-rounds of Quorvand', { funding_stage: 'seed', company: 'Quorvand' }, ['Quorvand Seed']],
    ['关于借贷公司', { tag: '借贷' }, ['Quorvand', 'Quorvex']],
    ['Havel Ventures investments in 2025', { investor: 'Havel Ventures' }, ['Zeltrix grant']],
    ['grants between jan and mar 2024', { from: '2024-01-01', to: '2024-03-31' }, ['Quorvand grant']],
    ['grants in nov-feb 2025', { from: '2024-11-01', to: '2025-02-28' }, ['Zeltrix grant']],
    ['grants in february and march 2024', { from: '2024-02-01', to: '2024-03-31' }, ['Quorvand grant']],
    ['grants to Zeltrix', { funding_stage: 'grant', company: 'Zeltrix' }, ['Zeltrix grant']],
    ['grants from Zeltrix', { funding_stage: 'grant', investor: 'Zeltrix|Zeltrix Foundation' }, ['Quorvand grant']],
    [
      'which companies got grants from Zeltrix',
      { funding_stage: 'grant', investor: 'Zeltrix|Zeltrix Foundation' },
      ['Quorvand'],
    ],
  ])('%s', async (text, filters, names) => {
    const found = await store.records.search({ types: NAMED_TYPES, text, window: { offset: 0, limit: 10 } });
    expect(found).toMatchObject({ isTyped: true, understood: { filters } });
    expect(found.results.map((json) => (JSON.parse(json) as { name: string }).name)).toEqual(names);
  });

  test('are closer with one of two tags than with none, and no exact match', async () => {
    const found = await store.records.search({
      types: NAMED_TYPES,
      text: 'lending gaming companies in Germany',
      window: { offset: 0, limit: 5 },
    });
    expect(found).toMatchObject({
      isTyped: false,
      understood: { filters: { tag: 'lending|gaming', country: 'Germany' } },
    });
    expect(found.results.map((json) => JSON.parse(json).name)).toEqual(['Quorvand']);
  });

  const read = async (text: string) => {
    const found = await store.records.search({ types: NAMED_TYPES, text, window: { offset: 0, limit: 10 } });
    return { ...found, names: found.results.map((json) => (JSON.parse(json) as { name: string }).name) };
  };

  test('finds the people of a company for a title there, those with the title alone if there are any', async () => {
    expect(await read('CEO of Quorvand')).toMatchObject({
      names: ['Ines Vale'],
      isTyped: true,
      understood: { type: 'people', filters: { company: 'Quorvand' }, text: 'CEO' },
    });
    expect(await read('chief executive officer of Quorvand')).toMatchObject({ names: ['Ines Vale'], isTyped: true });
    expect(await read('Quorvex cto')).toMatchObject({
      names: ['Omar Thane'],
      isTyped: false,
      understood: { filters: { company: 'Quorvex' }, ignored: ['CTO'] },
    });
  });

  test('finds the founders of a company, or else its people, and says so', async () => {
    expect(await read('who founded Zeltrix')).toMatchObject({ names: ['Pia Lund'], isTyped: true });
    for (const text of ['who founded Quorvex', 'Quorvex founders', 'fundadores de Quorvex', 'Quorvex的创始人'])
      expect(await read(text), text).toMatchObject({
        names: ['Omar Thane'],
        isTyped: false,
        understood: { type: 'people', filters: { company: 'Quorvex' } },
      });
  });

  test('reads other titles, and only these of people for whom no company is named', async () => {
    expect(await read('engineers at Quorvand')).toMatchObject({ names: ['Ulf Brand'], isTyped: true });
    expect(await read('who runs Quorvand')).toMatchObject({ names: ['Ines Vale'], understood: { text: 'CEO' } });
    expect(await read('CEOs of lending companies')).toMatchObject({
      names: ['Ines Vale'],
      isTyped: false,
      understood: { type: 'people', text: 'CEO', ignored: ['of', 'lending', 'companies'] },
    });
  });

  test('finds former people of a company by their title', async () => {
    for (const text of ['ex-Usher people', 'people formerly at Usher', 'former employees of Usher'])
      expect(await read(text), text).toMatchObject({ names: ['Fay Holt'], isTyped: true });
    expect(await read('ex-Usher founders')).toMatchObject({
      names: ['Fay Holt'],
      isTyped: false,
      understood: { filters: { company: 'Usher' }, text: 'former', ignored: ['founders'] },
    });
  });

  test('finds no grants of an unknown giver whose name begins with that of another', async () => {
    for (const text of ['grants from Lumen Ventures', 'projects that received grants from Lumen Ventures']) {
      const { total, understood } = await read(text);
      expect([total, understood?.filters], text).toEqual([0, { funding_stage: 'grant' }]);
      expect(understood?.nearest, text).toBeDefined();
    }
  });

  test('lists acquired companies for acquisitions, whose day no record has', async () => {
    for (const text of ['acquisitions in 2024', 'latest acquisitions', '2024年的收购'])
      expect(await read(text), text).toMatchObject({
        names: ['Marlin Post'],
        understood: { type: 'companies', filters: { status: 'acquired' } },
      });
  });

  test('does not take a part of an unknown funder for a company', async () => {
    const { understood, isTyped } = await read('grants from Havel Ventures Usher');
    expect({ understood, isTyped }).toMatchObject({
      understood: { filters: { funding_stage: 'grant', investor: 'Havel Ventures' }, ignored: ['Usher'] },
      isTyped: false,
    });
    expect(understood?.filters).not.toHaveProperty('company');
  });

  test('finds all that a comparison names, and those like one without that one', async () => {
    expect((await read('Quorvex vs Tamsin')).names.slice(0, 2).toSorted()).toEqual(['Quorvex', 'Tamsin']);
    // A record that has every word of it is no comparison.
    expect((await read('Lumen和Zeltrix的区别')).names.slice(0, 2).toSorted()).toEqual(['Lumen', 'Zeltrix']);
    expect((await read('compare Lumen and Zeltrix')).names.slice(0, 2).toSorted()).toEqual(['Lumen', 'Zeltrix']);
    for (const text of [
      'Tamsin competitors',
      'companies like Tamsin',
      'alternatives to Tamsin',
      'Konkurrenten von Tamsin',
      'competidores de Tamsin',
    ])
      expect(await read(text)).toMatchObject({
        names: [],
        total: 0,
        isTyped: true,
        understood: { text: 'Tamsin', list: 'similar', list_of: { type: 'companies', slug: 'tamsin', name: 'Tamsin' } },
      });
    expect(await read('competitors of Marlin Gate')).toMatchObject({
      names: ['Marlin Post'],
      total: 1,
      totals: { companies: 1 },
      understood: { list_of: { name: 'Marlin Gate' } },
    });
    const page = { types: NAMED_TYPES, text: 'competitors of Marlin Gate', window: { offset: 1, limit: 1 } };
    expect(await store.records.search(page)).toMatchObject({ total: 1, results: [] });
  });

  test('lists the rounds of a company that has none of the stage, and says so', async () => {
    expect(await read('when did Quorvand raise its series c')).toMatchObject({
      names: ['Quorvand Seed'],
      isTyped: false,
      understood: {
        filters: { company: 'Quorvand', funding_stage: 'except:grant' },
        ignored: ['when', 'did', 'its', 'series c'],
      },
    });
    expect((await read('when did Lumen raise its seed')).understood?.filters).toEqual({
      company: 'Lumen',
      funding_stage: 'seed',
    });
  });

  test('says that a name is not read which is a preposition as well', async () => {
    expect(await read('companies of Tamsin and Near')).toMatchObject({
      isTyped: false,
      understood: { ignored: expect.arrayContaining(['Near']) },
    });
    expect((await read('how much did Near raise')).understood).toMatchObject({ text: 'Near' });
  });

  test('marks what no filter expresses', async () => {
    expect(await read('rounds that were both a seed and a grant')).toMatchObject({ isTyped: false });
    expect(await read('most funded company of 2025')).toMatchObject({ isTyped: false });
    expect(await read('rounds in 2018 or 2020')).toMatchObject({ isTyped: false });
    expect(await read('angel investors of Quorvand')).toMatchObject({ isTyped: false });
    expect(await read('companies in London or Abu Dhabi')).toMatchObject({
      names: ['Tamsin'],
      isTyped: false,
      understood: { filters: { city: 'London' }, ignored: ['Abu Dhabi'] },
    });
  });

  test.each([
    ['companies whose latest round is a seed', 'latest', ['Quorvand', 'Lumen']],
    ['companies whose most recent round was a seed', 'most recent', ['Quorvand', 'Lumen']],
    ['companies funded only by Jolt Crypto', 'only', ['Tamsin']],
    ['active companies in Germany', 'active', ['Quorvand']],
  ])('names what no filter expresses, or no record has: %s', async (text, left, names) => {
    const found = await read(text);
    expect(found).toMatchObject({ names, isTyped: false });
    expect(found.understood?.ignored.join(' ')).toContain(left);
  });

  test('leaves grants out of rounds under an amount in a year, also if there are no others', async () => {
    expect(await read('rounds under 1M in 2024')).toMatchObject({
      total: 0,
      understood: { filters: { funding_stage: 'except:grant', funding_max: 999_999 } },
    });
  });

  test('lists the companies whose founders are asked for by what companies are, which people are not', async () => {
    for (const text of [
      'founders of lending companies in Germany',
      'who are the founders of lending startups in Germany',
    ])
      expect((await read(text)).understood, text).toMatchObject({
        type: 'companies',
        filters: { tag: 'lending', country: 'Germany' },
      });
    expect((await read('founders in Germany')).understood).toMatchObject({
      type: 'companies',
      filters: { country: 'Germany' },
    });
  });

  test('takes a status for that of the record named beside it, also where another one mentions it', async () => {
    expect(await read('was Marlin Post acquired')).toMatchObject({ names: ['Marlin Post'], isTyped: true });
    for (const text of ['was Zeltrix acquired', 'has Zeltrix been acquired']) {
      const { names, isTyped, understood } = await read(text);
      expect([names[0], isTyped, understood?.filters], text).toEqual(['Zeltrix', false, {}]);
      expect(understood?.ignored).toContain('acquired');
    }
  });

  test('finds the name in what is asked of it', async () => {
    expect(await read('total raised by Tamsin')).toMatchObject({ names: ['Tamsin', 'Jolt Crypto'] });
  });

  test('finds the company of which a number of employees or its end is asked, not its people and rounds', async () => {
    for (const text of ['how many people work at Quorvand', 'was Quorvand closed in 2025', 'was Quorvand hacked'])
      expect((await read(text)).names[0], text).toBe('Quorvand');
  });

  test('marks an order of records whose type is not said', async () => {
    expect(await read('which reports the most')).toMatchObject({ isTyped: false });
  });

  test('finds no people elsewhere for those of a place', async () => {
    const { total, unknown, understood } = await read('CEOs in London');
    expect({ total, unknown, understood }).toMatchObject({
      total: 0,
      unknown: { city: 1 },
      understood: { type: 'people', filters: { city: 'London' }, text: 'CEO' },
    });
  });

  test('keeps places and dates of rounds and events, where none matches as well', async () => {
    for (const [text, filters] of [
      ['seed rounds in Bhutan', { funding_stage: 'seed', country: 'Bhutan' }],
      ['Lending events in Bhutan in 2031', { country: 'Bhutan', from: '2031-01-01', to: '2031-12-31' }],
    ] as const)
      expect(await read(text)).toMatchObject({ total: 0, understood: { filters } });
  });

  test('does not list everything for a question of which nothing is known', async () => {
    expect(await read('how is the market today')).toMatchObject({ total: 0 });
  });

  test('lists nothing where no condition could be read, and says so', async () => {
    for (const [text, left] of [
      ['companies without an investor', 'without an investor'],
      ['events with more than 1000 attendees', 'attendees'],
    ] as const)
      expect(await read(text), text).toMatchObject({ total: 0, understood: { unstated: [left] } });
  });

  test('lists nothing by a revenue, which no filter is about, nor companies by a valuation, and says so', async () => {
    expect(await read('Unternehmen mit Umsatz über 5 Millionen')).toMatchObject({
      total: 0,
      understood: { filters: {}, unstated: ['Umsatz'] },
    });
    const narrowed = await read('closed companies with a valuation over 1B');
    expect(narrowed).toMatchObject({ names: ['Quorvex'], isTyped: false, understood: { unstated: ['valuation'] } });
  });

  test('finds the record of which a fact is asked that no field has, and says so, also where a text has the words', async () => {
    for (const [text, unstated, name] of [
      ['Tamsin revenue', 'revenue', 'Tamsin'],
      ['Umsatz Tamsin', 'Umsatz', 'Tamsin'],
      ['price of Tams', 'price', 'Tams'],
      ['TVL of Jolt Crypto', 'TVL', 'Jolt Crypto'],
    ] as const)
      expect(await read(text), text).toMatchObject({
        isTyped: false,
        understood: { filters: {}, text: name, unstated: [unstated] },
      });
  });

  test('lists the rounds of a company whose valuation is asked, newest first', async () => {
    for (const text of ['valuation of Tamsin', 'Tamsin valuation', 'how much is Tamsin worth', 'Bewertung von Tamsin'])
      expect(await read(text), text).toMatchObject({
        isTyped: true,
        understood: { type: 'rounds', filters: { company: 'Tamsin' }, text: '', sort: '-announced_date' },
      });
    expect(await read('highest valuation of Tamsin')).toMatchObject({
      understood: { type: 'rounds', filters: { company: 'Tamsin' }, sort: '-valuation_usd' },
    });
    expect(await read('companies that raised the least')).toMatchObject({ understood: { sort: 'total_funding_usd' } });
    expect(await read('rounds worth more than $1 million')).toMatchObject({
      understood: { filters: { funding_min: 1_000_001 } },
    });
  });

  test('ranks nothing by what no filter is about', async () => {
    for (const [text, left] of [
      ['female founders', 'female'],
      ['companies with the highest revenue', 'revenue'],
    ] as const) {
      const { understood } = await read(text);
      expect([text, understood?.sort, understood?.unstated]).toEqual([text, undefined, [left]]);
      expect(understood?.filters, text).not.toHaveProperty('funding_min');
    }
  });

  test('ranks companies by what they raised in a period, which their rounds state', async () => {
    const { understood } = await read('companies that raised the most in 2021');
    expect(understood).toMatchObject({ type: 'companies', group_by: ['company'], sort: '-total_funding_usd' });
    expect(aggregateAskedFor(understood ?? {})).toEqual({
      of: 'rounds',
      group_by: ['company'],
      measure: 'sum',
      filters: { funding_stage: 'except:grant', from: '2021-01-01', to: '2021-12-31' },
    });
  });

  test('says that nothing can be filtered by a condition that no record states, even if texts have its words', async () => {
    for (const [text, word] of [
      ['hacked lending', 'hacked'],
      ['lending profitable since 2019', 'profitable'],
      ['gehackte Lending', 'gehackte'],
      ['companies with the most followers', 'followers'],
      ['which startups will raise next', 'will raise'],
      ['what did Quorvand raise before its Series D', 'before its Series D'],
    ] as const)
      expect(await read(text), text).toMatchObject({ isTyped: false, understood: { unstated: [word] } });
  });

  test('finds a record of which a question asks a place that it does not have', async () => {
    expect(await read('is Quorvand based in Germany')).toMatchObject({ names: ['Quorvand'], isTyped: true });
    const other = await read('is Tamsin based in Germany');
    expect(other).toMatchObject({ isTyped: false, understood: { filters: {}, text: 'Tamsin' } });
    expect(other.names[0]).toBe('Tamsin');
  });

  test('refuses a negated period beside other conditions, which it does not exclude', async () => {
    for (const [text, left] of [
      ['rounds not in 2019 led by Havel Ventures', 'not in 2019'],
      ['companies not founded in 2019 in Berlin', 'not founded'],
    ] as const)
      expect(await read(text), text).toMatchObject({ total: 0, understood: { filters: {}, unstated: [left] } });
    expect(await read('people at Quorvand but not at Havel Ventures')).toMatchObject({
      understood: { filters: { company: 'Quorvand|not:Havel Ventures' } },
    });
    expect(await read('non-German investors')).toMatchObject({ understood: { filters: { country: 'not:Germany' } } });
    expect(await read('nicht-deutsche Investoren')).toMatchObject({
      understood: { filters: { country: 'not:Germany' } },
    });
  });

  test('reads no record that others are compared with as the one that is asked for', async () => {
    for (const [text, left] of [
      ['companies with more funding than Quorvand', 'than Quorvand'],
      ['companies founded before Lumen', 'before Lumen'],
      ['companies that raised more than Lumen in 2020', 'more than Lumen'],
    ] as const) {
      const { isTyped, understood } = await read(text);
      expect([text, isTyped, understood?.unstated, understood?.text]).toEqual([text, false, [left], '']);
    }
  });

  test('reads `closed` as an end or as a round, by what follows, and numbers as words', async () => {
    expect(await read('companies that closed')).toMatchObject({ understood: { filters: { status: 'closed' } } });
    expect(await read('lending closed in 2023')).toMatchObject({
      names: ['Quorvex'],
      isTyped: false,
      understood: { filters: { status: 'closed', tag: 'lending' } },
    });
    expect(await read('rounds that closed in 2025')).toMatchObject({
      understood: { type: 'rounds', filters: { from: '2025-01-01', to: '2025-12-31' }, text: '' },
    });
    expect(await read('companies that closed a seed in 2025')).toMatchObject({
      understood: { filters: { funding_stage: 'seed', from: '2025-01-01', to: '2025-12-31' } },
    });
    expect(await read('investors with at least two investments')).toMatchObject({
      understood: { filters: { investments_min: 2 } },
    });
    expect(await read('North American companies')).toMatchObject({
      understood: { filters: { country: 'North America' } },
    });
  });

  test('finds the one record of which a question asks a fact, which is no filter', async () => {
    for (const [text, left] of [
      ['how many employees did Tamsin have in 2019', '2019'],
      ['Tamsin revenue 2021', '2021'],
    ] as const) {
      const { names, isTyped, understood } = await read(text);
      expect([text, names[0], isTyped, understood?.filters]).toEqual([text, 'Tamsin', false, {}]);
      expect(understood?.ignored).toContain(left);
    }
    expect(await read('when did Tamsin raise in 2021')).toMatchObject({ understood: { type: 'rounds' } });
  });

  test('counts portfolio companies by investments, and says so', async () => {
    expect(await read('investors with more than 3 portfolio companies')).toMatchObject({
      isTyped: false,
      understood: { filters: { investments_min: 4 } },
    });
  });

  test('does not take a number of something else for money', async () => {
    const { understood } = await read('companies with 5k users');
    expect(understood?.filters ?? {}).not.toHaveProperty('funding_min');
  });

  test('finds what a question names by its ticker', async () => {
    const found = await store.records.search({
      types: NAMED_TYPES,
      text: 'what is $QRV',
      window: { offset: 0, limit: 10 },
    });
    expect(found).toMatchObject({ isTyped: true, understood: { text: 'QRV', ignored: ['what', 'is'] } });
    expect(found.results.map((json) => (JSON.parse(json) as { name: string }).name)).toEqual(['Quorvex']);
  });

  test('lists the rounds of `latest investments` by date', async () => {
    const found = await store.records.search({
      types: NAMED_TYPES,
      text: 'latest investments in Quorvand',
      window: { offset: 0, limit: 10 },
    });
    expect(found.understood).toMatchObject({ type: 'rounds', sort: '-announced_date' });
    expect(found.results.map((json) => (JSON.parse(json) as { slug: string }).slug)).toEqual(['quorvand-seed']);
  });
});

test(`lists those of a type where what is named is of another, on ${engine.name}`, async () => {
  const store = await openStore((await engine.newDatabase()).url, () => TODAY);
  await store.records.putAll([aCompany({ name: 'Ethmeet' }), anEvent({ name: 'Ethmeet Oslo' })]);
  for (const text of ['events by Ethmeet', 'Ethmeet events']) {
    const { results } = await store.records.search({ types: NAMED_TYPES, text, window: { offset: 0, limit: 9 } });
    expect(results.map((json) => (JSON.parse(json) as { name: string }).name)).toEqual(['Ethmeet Oslo']);
  }
  await store.close();
});

test(`an order comes before a name of the same word, on every page, on ${engine.name}`, async () => {
  const store = await openStore((await engine.newDatabase()).url, () => TODAY);
  await store.records.putAll([
    aCompany({ name: 'TOP' }),
    aPerson({ name: 'Bo Dealer', angel_investments: 9 }),
    aPerson({ name: 'Ada Quill', angel_investments: 2 }),
  ]);
  const find = async (text: string, offset = 0): Promise<string[]> => {
    const { results } = await store.records.search({ types: NAMED_TYPES, text, window: { offset, limit: 1 } });
    return results.map((json) => (JSON.parse(json) as { name: string }).name);
  };
  expect([await find('top angels'), await find('top angels', 1)]).toEqual([['Bo Dealer'], ['Ada Quill']]);
  expect(await find('top')).toEqual(['TOP']);
  await store.close();
});

test(`reads sectors, chains, halves of years and misspelt names by the records, on ${engine.name}`, async () => {
  const store = await openStore((await engine.newDatabase()).url, () => TODAY);
  await store.records.putAll([
    aCompany({
      name: 'Orvane',
      aliases: ['Orvane Labs'],
      tags: ['Wallet'],
      chains: ['Bitcoin'],
      year_founded: 2019,
      status: 'closed',
    }),
    aCompany({ name: 'Brixol', tags: ['Wallet'], chains: ['Solana', 'Ethereum'], year_founded: 2016 }),
    aCompany({ name: 'Talune', tags: ['Layer 2', 'DeFi'], chains: ['Solana', 'Ethereum', 'Base'], status: 'active' }),
    aCompany({ name: 'Solana', chains: ['Solana'], overview: 'Closed wallets.' }),
    anInvestor({ name: 'Merrow Partners' }),
    anInvestor({ name: 'Acme Ventures' }),
    anInvestor({ name: 'Brixol Capital' }),
    aPerson({ name: 'Ada Quill', angel_investments: 2, roles: [{ organization: 'Orvane', title: 'Founder' }] }),
    aPerson({ name: 'Cy Brand', roles: [{ organization: 'Brixol', title: 'Founder' }] }),
    anEvent({ name: 'Zorbcon', start_date: '2024-06-01', location_json: { city: 'Porto', country: 'Portugal' } }),
    aRound({
      name: 'Orvane Seed',
      company: 'Orvane',
      stage: 'seed',
      announced_date: '2022-03-01',
      investors: ['Merrow Partners'],
    }),
    aRound({
      name: 'Brixol Seed',
      company: 'Brixol',
      stage: 'seed',
      announced_date: '2022-09-01',
      investors: ['Merrow Partners'],
    }),
  ]);
  const read = async (text: string) => {
    const found = await store.records.search({ types: NAMED_TYPES, text, window: { offset: 0, limit: 9 } });
    return { ...found, names: found.results.map((json) => (JSON.parse(json) as { name: string }).name) };
  };
  for (const [text, understood] of [
    ['tagged DeFi and Layer 2', { type: 'companies', filters: { tag: 'all:DeFi|Layer 2' } }],
    ['tagged Wallet or L2s', { type: 'companies', filters: { tag: 'Wallet|L2s' } }],
    ['Merrow Partners and Acme Ventures both fund', { filters: { investor: 'all:Merrow Partners|Acme Ventures' } }],
  ] as const)
    expect((await read(text)).understood, text).toMatchObject(understood);
  const both = { names: ['Brixol'], understood: { filters: { chain: 'all:Solana|Ethereum|not:Base' } } };
  expect(await read('companies on both Solana and Ethereum but not Base')).toMatchObject(both);
  for (const [text, names] of [
    ['deals where both Merrow Partners and Acme Ventures participated', []],
    ['which deals did Merrow Partners join in 2022', ['Brixol Seed', 'Orvane Seed']],
    ["Merrow Partners' latest deal", ['Brixol Seed', 'Orvane Seed']],
    ['what was the last investment by Merrow Partners', ['Brixol Seed', 'Orvane Seed']],
    ['wallets on Bitcoin backed by Merrow Partners', ['Orvane']],
    ['seed led by Merrow Partners', []],
    ['closed wallets', ['Orvane']],
    ['oldest wallets', ['Brixol', 'Orvane']],
    ['companies that are no longer active', ['Orvane']],
    ['wallet but not Solana', ['Orvane']],
    ['people who are both investors and founders', ['Ada Quill']],
    ['investors who are also founders', ['Ada Quill']],
    ['first half of 2022 seed', ['Orvane Seed']],
    ['H2 2022 seed rounds', ['Brixol Seed']],
    ['Seed-Runden im zweiten Halbjahr 2022', ['Brixol Seed']],
    ['2022年上半年的种子轮', ['Orvane Seed']],
    ['wallets that closed', ['Orvane']],
    ['export all companies founded in 2019 as CSV', ['Orvane']],
    ['inversores en común de Orvane y Brixol', ['Merrow Partners']],
  ] as const)
    expect(await read(text), text).toMatchObject({ names, isTyped: true });
  for (const [text, name] of [
    ['Orvone Labs rounds', 'Orvane Seed'],
    ['founders of Brixool', 'Cy Brand'],
    ['Brixool funding', 'Brixol'],
    ['is Solana in France', 'Solana'],
  ] as const)
    expect(await read(text), text).toMatchObject({ names: expect.arrayContaining([name]), isTyped: false });
  for (const [text, understood] of [
    ['companies on Solna', { type: 'companies', filters: { chain: 'Solana' } }],
    ['Solna wallets', { filters: { chain: 'Solana', tag: 'wallets' }, text: '' }],
    [
      'seed deals since the merge',
      { type: 'rounds', filters: { funding_stage: 'seed' }, unstated: ['since the merge'] },
    ],
    ['seed rounds led by two investors', { filters: { funding_stage: 'seed' }, unstated: ['two investors'] }],
    ['rounds larger than €10m', { filters: {}, unstated: ['€ 10m'] }],
    ['rounds with undisclosed amount', { filters: {}, unstated: ['undisclosed'] }],
    ['events in Portgal', { type: 'events', filters: { country: 'Portugal' } }],
    ['walet companies', { type: 'companies', filters: { tag: 'Wallet' } }],
    ['merow partners rounds', { type: 'rounds', filters: { investor: 'merrow partners' } }],
    ['Orvane alumni', { type: 'people', filters: { company: 'Orvane' }, ignored: ['former'] }],
    ['merrow partnrs rounds 2022', { type: 'rounds', filters: { investor: 'merrow partners', from: '2022-01-01' } }],
    ['companies founded in the second half of 2019', { filters: { founded_from: 2019, founded_to: 2019 } }],
    ['companies that share investors with Orvane', { filters: {}, text: 'Orvane' }],
    ['companies using Orvane', { filters: {}, text: 'Orvane' }],
    ['wallets without a token', { filters: {}, unstated: ['without a token'] }],
    ['investors who have not backed a wallet company', { filters: {} }],
  ] as const)
    expect(await read(text), text).toMatchObject({ isTyped: false, understood });
  expect((await read("Solana's seed rounds")).understood?.filters).toEqual({
    company: 'Solana',
    funding_stage: 'seed',
  });
  // A word of sentences in a misspelt name.
  expect((await read('brixool capital')).names[0]).toBe('Brixol Capital');
  expect(await read('how many investors does Orvane have')).toMatchObject({
    names: ['Merrow Partners'],
    isTyped: true,
  });
  expect(await read('which city hosted the most events in 2024')).toMatchObject({ understood: { group_by: ['city'] } });
  expect(await read('who invested in Orvane besides Acme Ventures')).toMatchObject({
    isTyped: false,
    names: ['Merrow Partners'],
    understood: { type: 'investors', filters: { company: 'Orvane' }, unstated: ['besides Acme Ventures'] },
  });
  // The records to leave out are of the list itself, which no filter is about.
  for (const [text, filters, excluded] of [
    ['investors other than Acme Ventures in Berlin', { city: 'Berlin' }, 'other than Acme Ventures'],
    ['DeFi companies besides Orvane and Brixol', { tag: 'DeFi' }, 'besides Orvane and Brixol'],
  ] as const)
    expect(await read(text), text).toMatchObject({ understood: { filters, unstated: [excluded] } });
  expect(await read('women who are founders')).toMatchObject({ isTyped: false, understood: { unstated: ['women'] } });
  expect((await read('which is older, Orvane or Brixol')).names.slice(0, 2).toSorted()).toEqual(['Brixol', 'Orvane']);
  await store.close();
});

test('a name that begins with a word of sentences is that of its record, and no part of another', async () => {
  const store = await openStore((await engine.newDatabase()).url, () => TODAY);
  await store.records.putAll([
    ...['The Tessel', 'Tessellate', 'World Brixol Union', 'Bridge'].map((name) => aCompany({ name, tags: ['Bridge'] })),
    ...['Syndicate', 'Orvane', 'Talune', 'Talune Labs', 'Solvex'].map((name) => aCompany({ name })),
    aCompany({ name: 'Spanner', tags: ['Bridge'], chains: ['Solvex'] }),
    anInvestor({ name: 'Orvane Labs' }),
    anInvestor({ name: 'Quorum Partners', focus: ['Bridge'] }),
    ...['The Tessel', 'Tessellate', 'Bridge', 'Syndicate', 'Orvane'].map((company) =>
      aRound({
        name: `${company} Seed`,
        company,
        stage: 'seed',
        announced_date: '2022-03-01',
        investors: ['Quorum Partners'],
      }),
    ),
  ]);
  const read = async (text: string) => {
    const found = await store.records.search({ types: NAMED_TYPES, text, window: { offset: 0, limit: 9 } });
    return { ...found, names: found.results.map((json) => (JSON.parse(json) as { name: string }).name) };
  };
  expect(await read('how much did The Tessel raise in 2022')).toMatchObject({
    names: ['The Tessel Seed'],
    understood: { filters: { company: 'The Tessel' }, text: '', ignored: ['how', 'much', 'did'] },
  });
  // Its name is a tag, too.
  expect((await read('how much did Bridge raise')).names).toEqual(['Bridge Seed']);
  expect(await read('when did Bridge last raise')).toMatchObject({ understood: { filters: { company: 'Bridge' } } });
  expect(await read('who invested in Bridge')).toMatchObject({ understood: { filters: { company: 'Bridge' } } });
  expect(await read('who invested in bridge')).toMatchObject({ understood: { filters: { tag: 'bridge' } } });
  expect(await read('who invested in Bridge companies')).toMatchObject({ understood: { filters: { tag: 'Bridge' } } });
  // The name of a chain before a noun is that of the chain.
  expect(await read("Solvex's bridge companies")).toMatchObject({
    names: ['Spanner'],
    understood: { filters: { chain: 'Solvex', tag: 'bridge' } },
  });
  // Or a kind of investor.
  expect(await read('how much did Syndicate raise')).toMatchObject({ names: ['Syndicate Seed'], isTyped: true });
  // The form of a firm, which the record of the company lacks: another record has it, or none.
  for (const [text, company, form] of [
    ['how much did Orvane Labs raise', 'Orvane', 'Labs'],
    ['how much did The Tessel Foundation raise', 'The Tessel', 'Foundation'],
  ] as const)
    expect(await read(text), text).toMatchObject({
      names: [`${company} Seed`],
      isTyped: false,
      understood: { filters: { company }, text: '', ignored: ['how', 'much', 'did', form] },
    });
  expect(await read('how much did Talune Labs raise')).toMatchObject({
    names: [],
    understood: { type: 'rounds', filters: { company: 'Talune Labs' } },
  });
  // A filter by it would be refused.
  expect(await read('how much did Quorum Partners raise')).toMatchObject({
    names: [],
    understood: { type: 'rounds', filters: {}, unstated: ['company Quorum Partners'] },
  });
  const { understood } = await read('how much did World Brixol Union raise');
  expect(understood).toMatchObject({ filters: { company: 'World Brixol Union' }, text: '' });
  expect(understood).not.toHaveProperty('nearest');
  await store.close();
});
