import { afterAll, beforeAll, expect, test } from 'vitest';
import { dayText } from '../../src/contract/day-text.ts';
import { aCompany, anEvent, anInvestor, aPerson, aRound } from '../support/builders.ts';
import { answerTo, type Console, startConsole } from '../support/console.ts';

const DAYS = dayText('2024-11-12', '2024-11-15');
const byEditors = (...fields: readonly string[]) => ({
  sources: [{ source: 'web3-bi editors@0.1.0:data/raw/editors.ndjson', as_of: '2026-01-01', fields }],
});

const company = (name: string, fields: object = {}) =>
  aCompany({
    name,
    slug: name.toLowerCase().replaceAll(' ', '-'),
    total_funding_usd: null,
    tags: [],
    chains: [],
    ...fields,
  });

const role = (organization: string, title: string, fields: object = {}) => ({
  ...{ organization, title, role_type: 'executive', start_date: null, end_date: null, is_current: null },
  ...fields,
});

const round = (fields: object) =>
  aRound({
    ...{ company: 'Orvane', announced_date: '2021-03-01', amount_usd: '5000000.00', investors: ['Lead Fund'] },
    ...fields,
  });

let service: Console;
beforeAll(async () => {
  service = await startConsole(
    [
      company('Orvane', {
        chains: ['Ethereum', 'Base'],
        tags: ['DEX', 'DeFi'],
        company_stage: 'public',
        ...byEditors('company_stage'),
      }),
      company('Tessvale', { tags: ['Stablecoin'], chains: ['Solana'], ...byEditors('chains') }),
      company('Veldin Labs', { tags: ['Layer 2'], ...byEditors('tags') }),
      company('Bolta', { status: 'acquired', company_stage: 'acquired', acquired_by: 'Orvane' }),
      company('Mirrowe'),
      anInvestor({ name: 'Lead Fund', slug: 'lead-fund', investor_type: 'hedge_fund' }),
      anInvestor({ name: 'Join Fund', slug: 'join-fund', investor_type: null }),
      anInvestor({ name: 'Sequora Capital', slug: 'sequora-capital', investor_type: null }),
      anInvestor({ name: 'Sequora Capital Asia', slug: 'sequora-capital-asia', investor_type: null }),
      aPerson({
        ...{ name: 'Ada Quill', slug: 'ada-quill', events: ['Chainmeet 7'], angel_investments: null },
        roles: [
          role('Orvane', 'Co-founder and CEO', { role_type: 'founder' }),
          role('Tessvale', 'Former CTO', { is_current: false }),
          role('Mirrowe Labs', 'Vice President'),
        ],
      }),
      aPerson({ name: 'Ben Stope', slug: 'ben-stope', headline: 'Analyst', roles: [], events: [] }),
      anEvent({
        ...{ name: 'Chainmeet 7', slug: 'chainmeet-7', start_date: '2024-11-12', end_date: '2024-11-15' },
        location_json: { city: 'Bogotá', country: 'Colombia' },
      }),
      anEvent({ name: 'Basewalk 1', slug: 'basewalk-1', location_json: { city: 'Paris', country: 'France' } }),
      round({ ...{ name: 'Orvane Series A', stage: 'series_a', lead_investors: ['Lead Fund'] } }),
      round({ name: 'Orvane Series B', stage: 'series_b', announced_date: '2023-02-01', lead_investors: [] }),
      round({
        ...{ company: 'Mirrowe', name: 'Mirrowe Series A', stage: 'series_a', lead_investors: [] },
        investors: ['Sequora Capital', 'Lead Fund'],
      }),
    ],
    { publicPages: true },
  );
});
afterAll(() => service.close());

const ADA = 'Ada Quill is on record as';
const ROLES = 'Co-founder and CEO of Orvane, Former CTO of Tessvale and Vice President of Mirrowe Labs';
const SERIES_A = `the Series A of Orvane, ${dayText('2021-03-01')}, $5M`;

test.each([
  ['is Orvane a DEX', 'Yes: Orvane is on record under DEX.'],
  ['Is Orvane an exchange?', 'Yes: Orvane is on record under DEX.'],
  ['is Orvane a wallet', 'No source on record says so of Orvane: its tags are DEX and DeFi.'],
  ['is Mirrowe a wallet', 'No source on record says so of Mirrowe.'],
  ['is Tessvale a stablecoin', 'Tessvale is on record under Stablecoin.'],
  ['is Tessvale a stablecoin company', 'Yes: Tessvale is on record under Stablecoin.'],
  ['is Veldin Labs a layer 2', 'Veldin Labs is on record under Layer 2, unsourced.'],
  ['is Orvane a scam', undefined],
  ['is Orvane on Base', 'Yes: Orvane is on Base.'],
  ['is Tessvale live on Solana?', 'Yes: Tessvale is on Solana, unsourced.'],
  ['has Orvane launched on Solana', 'No source on record says so of Orvane: on record on Ethereum and Base.'],
  ['does Mirrowe run on Solana', 'No source on record says so of Mirrowe.'],
  ['is Orvane on holiday', undefined],
  ['is Lead Fund a hedge fund', 'Yes: Lead Fund is on record among hedge funds.'],
  ['is Lead Fund a VC', 'Lead Fund is on record among hedge funds.'],
  ['is Lead Fund an accelerator', 'No: Lead Fund is on record among hedge funds.'],
  ['is Join Fund an accelerator', 'No source on record says so of Join Fund.'],
  ['is Orvane public', 'Yes: Orvane is on record as publicly listed, unsourced.'],
  ['is Tessvale listed', 'No source on record says so of Tessvale.'],
  ['is Bolta public', 'No source on record says so of Bolta: Bolta was acquired by Orvane.'],
  ['is Orvane an angel investor', undefined],
  ['is Ben Stope an angel investor', 'No source on record says so of Ben Stope.'],
  ['did Ada Quill found Orvane', `Yes: ${ADA} Co-founder and CEO of Orvane.`],
  ['is Ada Quill the CEO of Orvane', `Yes: ${ADA} Co-founder and CEO of Orvane.`],
  ['is Ada Quill the CTO of Orvane', `No source on record says so of Ada Quill: on record as ${ROLES}.`],
  ['is Ada Quill the CTO of Tessvale', `${ADA} Former CTO of Tessvale.`],
  ['did Ada Quill work at Tessvale', `Yes: ${ADA} Former CTO of Tessvale.`],
  ['did Ada Quill work at Mirrowe', `${ADA} Vice President of Mirrowe Labs.`],
  ['is Ada Quill president of Mirrowe Labs', `No source on record says so of Ada Quill: on record as ${ROLES}.`],
  ['did Ben Stope found Orvane', 'Ben Stope: Analyst.'],
  ['did Ada Quill speak at Chainmeet 7', 'Yes: Ada Quill is on record as a speaker of Chainmeet 7.'],
  ['did Ada Quill speak at Chainmeet', 'Yes: Ada Quill is on record as a speaker of Chainmeet 7.'],
  [
    'did Ada Quill speak at Basewalk 1',
    'No source on record says so of Ada Quill: on record as a speaker of Chainmeet 7.',
  ],
  ['was Chainmeet 7 in Bogota', `Yes: Chainmeet 7 in Bogotá, Colombia, ${DAYS}.`],
  ['was Chainmeet 7 in Colombia', `Yes: Chainmeet 7 in Bogotá, Colombia, ${DAYS}.`],
  ['was Chainmeet 7 in Paris', `No: Chainmeet 7 in Bogotá, Colombia, ${DAYS}.`],
  ['was Chainmeet 7 in trouble', undefined],
  ['Chainmeet 7 date', `Chainmeet 7: ${DAYS}, Bogotá, Colombia.`],
  ['what is the date of Chainmeet 7?', `Chainmeet 7: ${DAYS}, Bogotá, Colombia.`],
  ['where does Ben Stope work', 'Ben Stope: Analyst.'],
  ['are there any events in Paris', 'Yes: 1 event in Paris on record.'],
  ['are there hedge funds in France', 'No investors in France that are hedge funds on record.'],
  ['has any company raised over 8 million', 'Yes: 1 company with more than $8M of known funding on record.'],
  [
    "who led Orvane's last round",
    `The latest round of Orvane on record is the Series B: $5M, ${dayText('2023-02-01')}; no lead investor of it is on record.`,
  ],
  ['was Bolta bought by Orvane', 'Yes: Bolta was acquired by Orvane.'],
  ['was Bolta sold to Orvane', 'Yes: Bolta was acquired by Orvane.'],
  ['is Bolta owned by Tessvale', 'No: Bolta was acquired by Orvane.'],
  ['was Orvane acquired by Tessvale', 'No source on record states an acquisition of Orvane.'],
  ['was Unlisted Firm acquired by Orvane', '1 company acquired by Orvane on record: Bolta.'],
  ['who owns Bolta', 'Bolta was acquired by Orvane.'],
  ['who did Tessvale acquire', 'No company acquired by Tessvale is on record.'],
  ['companies acquired by Lead Fund', 'No company acquired by Lead Fund is on record.'],
  ['has Orvane raised more than 8 million', 'Yes: Orvane raised $10M in 2 rounds of known amount.'],
  [
    'has Orvane raised over $500M',
    'No source on record says so of Orvane: it raised $10M in 2 rounds of known amount.',
  ],
  ['has Tessvale raised over $5M', 'No source on record says so of Tessvale: no amount of its rounds is known.'],
  ['did Orvane raise in 2022', 'No round of Orvane is on record in 2022.'],
  ["did Lead Fund lead Orvane's Series A", `Yes: Lead Fund led ${SERIES_A}.`],
  ["did Join Fund lead Orvane's Series A", `No source on record says so of Join Fund: Lead Fund led ${SERIES_A}.`],
  [
    "did Lead Fund lead Orvane's Series B",
    `No lead investor is on record of the Series B of Orvane, ${dayText('2023-02-01')}, $5M; Lead Fund took part.`,
  ],
  [
    'did Sequora invest in Mirrowe',
    `Yes: Sequora Capital took part in the Series A of Mirrowe, ${dayText('2021-03-01')}, $5M.`,
  ],
  ['did Sequora invest in Orvane', 'No round of Orvane with Sequora Capital or Sequora Capital Asia is on record.'],
  [
    'did Lead Fund and Sequora Capital ever invest together',
    'Yes: Lead Fund and Sequora Capital took part in 1 round together on record.',
  ],
  ['is Bolta bankrupt', 'Bolta is acquired.'],
  [
    'did Lead Fund and Join Fund both invest in Orvane',
    'No round of Orvane with both Lead Fund and Join Fund is on record.',
  ],
])('whether %s: %s', async (query, expected) => {
  expect(await answerTo(service, query)).toBe(expected);
});
