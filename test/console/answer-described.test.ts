import { afterAll, beforeAll, expect, test } from 'vitest';
import { dayText } from '../../src/contract/day-text.ts';
import { aCompany, anEvent, anInvestor, aPerson, aRound } from '../support/builders.ts';
import { answerTo, type Console, startConsole } from '../support/console.ts';

const DAYS = dayText('2024-11-12', '2024-11-15');
const EDITORS = 'web3-bi editors@0.1.0:data/raw/editors.ndjson';
const byEditors = (...fields: readonly string[]) => ({ sources: [{ source: EDITORS, as_of: '2026-01-01', fields }] });

const raised = (company: string, amount: string, fields: object = {}) =>
  aRound({
    ...{ name: `${company} round`, company, announced_date: '2021-03-01', stage: 'seed', amount_usd: amount },
    ...{ lead_investors: ['Lead Fund'], investors: ['Lead Fund'], ...fields },
  });

let service: Console;
beforeAll(async () => {
  service = await startConsole(
    [
      aCompany({
        ...{ name: 'Orvane', slug: 'orvane', tagline: 'Exchange on Base', year_founded: 2012, tags: ['Gaming'] },
        ...{ location_json: { country: 'India' }, founders: ['Ada Quill', 'Ned Lowe'] },
        ...{ token_symbols: ['ORV'], chains: ['Base'], total_funding_usd: null },
      }),
      aCompany({
        ...{
          name: 'Lumipay',
          slug: 'lumipay',
          tagline: 'Wallet, founded in 2011',
          year_founded: 2011,
          tags: ['Wallet'],
        },
        ...{ total_funding_usd: null, location_json: { country: 'France' }, ...byEditors('year_founded') },
      }),
      aCompany({ name: 'Tessvale', slug: 'tessvale', tags: ['Wallet'], total_funding_usd: null, year_founded: 2012 }),
      anInvestor({
        name: 'Lead Fund',
        slug: 'lead-fund',
        investor_type: 'venture_capital',
        fund_size_usd: '400000000.00',
        location_json: { city: 'Berlin', country: 'Germany' },
      }),
      anInvestor({ name: 'Join Fund', slug: 'join-fund', location_json: null }),
      aPerson({ name: 'Ada Quill', slug: 'ada-quill', headline: 'Founder of Orvane' }),
      anEvent({
        ...{
          name: 'Chainmeet 6',
          slug: 'chainmeet-6',
          event_type: 'meetup',
          aliases: ['Chainmeet'],
          start_date: '2023-05-06',
        },
        ...{ end_date: null, location_json: null },
      }),
      anEvent({
        aliases: ['Chainmeet'],
        ...{
          name: 'Chainmeet 7',
          slug: 'chainmeet-7',
          event_type: 'conference',
          start_date: '2024-11-12',
          end_date: '2024-11-15',
        },
        location_json: { city: 'Bangkok', country: 'Thailand' },
      }),
      raised('Orvane', '5000000.00', { valuation_usd: '1000000000.00', investors: ['Lead Fund', 'Join Fund'] }),
      raised('Lumipay', '9000000.00', { announcement: null, ...byEditors('company') }),
    ],
    { publicPages: true },
  );
});
afterAll(() => service.close());

test.each([
  ['what does Orvane do', 'Orvane: Exchange on Base.'],
  ['What is Lumipay?', 'Lumipay: Wallet, founded in 2011 (unsourced).'],
  ['was ist Orvane', 'Orvane: Exchange on Base.'],
  ['Was macht Orvane?', 'Orvane: Exchange on Base.'],
  ['¿Qué hace Orvane?', 'Orvane: Exchange on Base.'],
  ["c'est quoi Orvane", 'Orvane: Exchange on Base.'],
  ['Orvane是什么', 'Orvane: Exchange on Base.'],
  ['wie alt ist Orvane', 'Orvane was founded in 2012.'],
  ['où était Chainmeet 7', `Chainmeet 7: Bangkok, Thailand, ${DAYS}.`],
  ['combien de wallets', '2 companies in wallets on record.'],
  ['有多少wallet', '2 companies in wallet on record.'],
  ['who is Ada Quill', 'Ada Quill: Founder of Orvane.'],
  ["what is Ada Quill's role", 'Ada Quill: Founder of Orvane.'],
  ['when is Chainmeet 7', `Chainmeet 7: ${DAYS}, Bangkok, Thailand.`],
  ['when did Chainmeet 7 start', `Chainmeet 7: ${DAYS}, Bangkok, Thailand.`],
  ['when does Chainmeet 7 start', `Chainmeet 7: ${DAYS}, Bangkok, Thailand.`],
  ['when did Orvane start', 'Orvane was founded in 2012.'],
  ['when did Orvane launch', 'Orvane was founded in 2012.'],
  ['when did Chainmeet 7 take place', `Chainmeet 7: ${DAYS}, Bangkok, Thailand.`],
  ['when was the first Chainmeet', `Chainmeet 6: ${dayText('2023-05-06')}.`],
  ['last Chainmeet', `Chainmeet 7: ${DAYS}, Bangkok, Thailand.`],
  ['where was Chainmeet 7', `Chainmeet 7: Bangkok, Thailand, ${DAYS}.`],
  ['what is the token of Orvane', 'Token symbols of Orvane: ORV'],
  ['which chain is Orvane on', 'Chains of Orvane: Base'],
  ['does Orvane have a token', 'Token symbols of Orvane: ORV'],
  ['chain of ORV', undefined],
  ['website of ORV', 'Website of Orvane: no source on record states it.'],
  ['ORV contract address', 'Token contracts of Orvane: no source on record states it.'],
  ['is Orvane on Base', 'Yes: Orvane is on Base.'],
  ['is Lumipay a French company', 'Yes: Lumipay is in France.'],
  ['where is Lead Fund based', 'Lead Fund is based in Berlin, Germany.'],
  ['where is Join Fund based', 'No source on record states of Join Fund where it is based.'],
  ['which is older, Orvane or Lumipay', 'Lumipay was founded first: in 2011 (unsourced), Orvane in 2012.'],
  ['was Orvane founded before Tessvale', 'Orvane and Tessvale were both founded in 2012.'],
  [
    'Orvane vs Lumipay',
    'Lumipay has more known funding than Orvane: $9M (unsourced) against $5M; without what is unsourced, Orvane comes first: $5M.',
  ],
  ['is Orvane bigger than Tessvale', 'Orvane has known funding of $5M; no amount is known of Tessvale.'],
  [
    'top VCs in Germany',
    'Lead Fund took part in the most rounds on record of investors in Germany that are venture capital firms or corporate venture arms or exchange arms: 2.',
  ],
  ['did Orvane raise in 2021', 'Yes: 1 round of Orvane on record in 2021.'],
  ['what year did Orvane start', 'Orvane was founded in 2012.'],
  ['compare Lead Fund and Join Fund', 'Lead Fund took part in more rounds on record than Join Fund: 2 against 1.'],
  [
    'compare Lead Fund and Join Fund in gaming',
    'Lead Fund and Join Fund are equal in rounds in gaming on record: 1 each.',
  ],
  ['Orvane vs Lumipay volume', undefined],
  ['Orvane vs Lumipay age', 'Year founded: Orvane 2012 and Lumipay 2011 (unsourced).'],
  ['Orvane vs Lumipay employees', undefined],
  ['Orvane vs Lumipay location', 'Head office: Orvane India and Lumipay France.'],
  ['Orvane vs Tessvale tokens', 'Tokens: Orvane ORV and Tessvale not on record.'],
  ['Orvane vs Lumipay last round', 'Last round: Orvane 1 Mar 2021 and Lumipay 1 Mar 2021.'],
  ['which has more companies, Base or Solana', undefined],
  ['founders of gaming companies', 'Founders on record: Orvane (Ada Quill and Ned Lowe).'],
  ['founders in Germany', undefined],
  [
    'were there more gaming or wallet rounds in 2021',
    'Gaming and Wallet are equal in rounds on record in 2021: 1 each (together 1 unsourced).',
  ],
  ['gaming vs wallets 2021', 'Gaming and Wallet are equal in rounds on record in 2021: 1 each (together 1 unsourced).'],
  ['did Join Fund invest in Orvane', 'Yes: Join Fund took part in the seed round of Orvane, 1 Mar 2021, $5M.'],
  ['did Join Fund invest in Lumipay', 'No round of Lumipay with Join Fund is on record.'],
  ['is Join Fund an investor in Lumipay', 'No round of Lumipay with Join Fund is on record.'],
  ['has Lead Fund ever led a seed round', 'Yes: Lead Fund led 2 seed rounds on record.'],
  ['does Lead Fund invest in gaming', 'Yes: 1 company in gaming backed by Lead Fund on record.'],
  ['how often has Lead Fund invested with Join Fund', '1 round with Lead Fund and Join Fund on record.'],
  ['how many wallets are there', '2 companies in wallets on record.'],
  ['what share of rounds in 2021 were gaming', 'Rounds in gaming are 50% of the 2 rounds on record in 2021: 1.'],
  [
    'what percentage of funding went to French companies',
    'Rounds in France have 64.3% of the known total on record: $9M ($9M unsourced) of $14M ($9M unsourced).',
  ],
  ['what share of events are meetups', 'Events of type meetup are 50% of the 2 events on record: 1.'],
  [
    'what percentage of 2021 funding went to gaming',
    'Rounds in gaming have 35.7% of the known total on record in 2021: $5M of $14M ($9M unsourced).',
  ],
  [
    'India vs Europe funding in 2021',
    'Europe has a larger total on record in 2021 than India: $9M in 1 known round (unsourced) against $5M; without what is unsourced, India comes first: $5M.',
  ],
  [
    'how many rounds in India vs Europe in 2021',
    'India and Europe are equal in rounds on record in 2021: 1 each (together 1 unsourced).',
  ],
  ['in how many countries did Lead Fund invest', 'The 2 companies backed by Lead Fund on record are in 2 countries.'],
  ['how many unicorns are there', '1 company raised the 1 round at a valuation of $1B or more on record.'],
  ['what is the fund size of Lead Fund', 'Fund size (USD) of Lead Fund: $400M'],
  ['was Ada Quill CEO of Orvane', 'Ada Quill: Founder of Orvane.'],
  // The order of these is by amounts.
  ['which round had the most investors', undefined],
  ['what is gaming', undefined],
] as const)('the answer to “%s” is “%s”', async (question, sentence) => {
  expect(await answerTo(service, question)).toBe(sentence);
});

test('what is unsourced of records side by side has its mark', async () => {
  const page = await fetch(`${service.url}/search?query=Orvane+vs+Lumipay`, { headers: { accept: 'text/html' } });
  const text = (await page.text()).replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
  expect(text).toMatch(
    /Known funding \$5M \$9M \(unsourced\) .*Founded 2012 2011 † .*†: unsourced, stated by the editors alone\./,
  );
});

test('the figures below a share call it no whole', async () => {
  const question = 'what+percentage+of+2021+funding+went+to+gaming';
  const page = await fetch(`${service.url}/search?query=${question}`, { headers: { accept: 'text/html' } });
  expect((await page.text()).replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')).not.toContain('100%');
});

test('a question for what an investor raised is a page, which says that it is no company', async () => {
  const response = await fetch(`${service.url}/search?query=how+much+did+Join+Fund+raise`, {
    headers: { accept: 'text/html' },
  });
  expect(response.status).toBe(200);
  expect(await response.text()).toContain('company Join Fund');
});
