import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aCompany, anInvestor, aPerson, aRound } from '../support/builders.ts';
import { answerTo, type Console, startConsole } from '../support/console.ts';

const round = (company: string, day: string, fields: object = {}) =>
  aRound({
    ...{ name: `${company} ${day}`, company, announced_date: day, stage: 'series_a', amount_usd: '5000000.00' },
    ...{ lead_investors: ['Lead Fund'], investors: ['Lead Fund', 'Join Fund'], ...fields },
  });

const ROWS = [
  aCompany({ name: 'Acme', slug: 'acme', year_founded: 2019, total_employees: null, total_funding_usd: null }),
  aCompany({
    ...{ name: 'Bolt', slug: 'bolt', status: 'closed', total_funding_usd: null, founders: [{ name: 'Ada' }] },
    location_json: { country: 'Germany' },
    tagline: `Exchange on ${'Ethereum, '.repeat(18)}based in San Francisco`,
  }),
  aCompany({ name: 'Idle', slug: 'idle', year_founded: null, total_employees: null, total_funding_usd: null }),
  anInvestor({
    ...{ name: 'Lead Fund', slug: 'lead-fund', website: 'https://lead.example/' },
    location_json: { country: 'Germany' },
  }),
  anInvestor({ name: 'Join Fund', slug: 'join-fund' }),
  aPerson({
    name: 'Ada',
    slug: 'ada',
    overview: 'Ada is a founder of Bolt.',
    roles: [
      { organization: 'Acme', title: 'CTO', is_current: false },
      { organization: 'Bolt', title: 'Founder' },
    ],
  }),
  round('Acme', '2021-03-01', { valuation_usd: '90000000.00' }),
  round('Acme', '2022-03-01', { amount_usd: null }),
  round('Bolt', '2021-05-01', { amount_usd: '7000000.00', lead_investors: ['Join Fund'] }),
  round('Bolt', '2021-06-01', { amount_usd: '2000000.00', stage: 'seed' }),
  // Sentences are of investors with a record alone.
  round('Named', '2020-02-01', {
    stage: 'series_b',
    lead_investors: ['Name Alone'],
    investors: ['Name Alone', 'Join Fund', 'Other Name'],
  }),
  round('Named', '2020-01-01', { stage: 'series_b', lead_investors: [], investors: ['Name Alone', 'Join Fund'] }),
  round('Equal', '2018-03-01', { stage: 'strategic', amount_usd: '6000000.00', lead_investors: [], investors: [] }),
  ...['2019-01-01', '2019-02-01'].map((date) =>
    round('Granted', date, { stage: 'grant', amount_usd: '1500.00', lead_investors: [], investors: ['Giver'] }),
  ),
  round('Tied', '2018-05-01', { stage: 'seed', amount_usd: '6000000.00', lead_investors: [], investors: [] }),
];

let service: Console;
/** Answers questions: one service reads a limited number of pages to an address. */
let answering: Console;
beforeAll(async () => {
  service = await startConsole(ROWS, { publicPages: true });
  answering = await startConsole(ROWS, { publicPages: true });
});
afterAll(async () => {
  await service.close();
  await answering.close();
});

async function read(path: string, { url } = service): Promise<{ html: string; text: string }> {
  const html = await (await fetch(url + path, { headers: { accept: 'text/html' } })).text();
  return { html, text: html.replaceAll(/<[^>]*>/g, '').replaceAll(/\s+/g, ' ') };
}

test('a list of rounds says what they raised, as far as it is known', async () => {
  const { text } = await read('/search?type=rounds');
  expect(text).toMatch(/8 rounds on record, .* to 1 Mar 2022 · \$36M in 7 of known amount/);
  expect((await read('/search?type=rounds&company=Bolt')).text).toMatch(
    /2 of the 8 rounds on record, .* · \$9M in all/,
  );
  expect((await read('/search?type=rounds&company=Bolt&from=2021-01-01&to=2021-12-31')).text).toContain(
    '2 of the 3 rounds on record in 2021, a sample of what was announced',
  );
});

test('a line that is too long ends with a whole phrase', async () => {
  const { text } = await read('/search?type=companies&show=all');
  expect(text).toContain('Ethereum, Ethereum…');
  expect(text).not.toContain('based');
});

test('a round in a list has the tile of its company', async () => {
  const tileIn = async (path: string, of: string) =>
    new RegExp(`<b class="(tile-mark hue-\\d+)" aria-hidden="true">(\\w+)</b>(?:(?!<b ).)*href="/${of}"`, 's')
      .exec((await read(path)).html)
      ?.slice(1);
  const tile = await tileIn('/search?type=companies', 'companies/bolt');
  expect(tile?.[1]).toBe('B');
  expect(await tileIn('/', 'rounds/bolt-2021-05-01')).toEqual(tile);
});

describe('the answer above a list', () => {
  test.each([
    [
      'who raised the most in 2021',
      'Bolt raised the most in 2021: $9M in 2 known rounds (the company has since closed).',
    ],
    ['who led the most rounds', 'Lead Fund led the most rounds on record: 3 of its 4.'],
    ['who led the most seed rounds', 'Lead Fund led the most seed rounds on record: 1.'],
    [
      'most active investors in 2021',
      'Lead Fund and Join Fund took part in the most rounds on record in 2021: 3 each.',
    ],
    // Grants are not raised.
    ['how much did Granted raise', 'Granted received $3,000, in 2 grants on record.'],
    ['who gives the most grants', 'Giver gave the most grants on record: 2.'],
    ['who received the most grants', 'Granted received the most grants on record: 2.'],
    ['which project received the largest grant', 'Granted received the largest grant on record: $1,500.'],
    ['which foundation gives the biggest grants', 'Giver gave the largest grant on record: $1,500.'],
    ['top grant recipients', 'Granted received the grants of the largest total on record: $3,000 in 2 known grants.'],
    ['how much did Acme raise in 2021', 'Acme raised $5M in 2021, in 1 round on record.'],
    ['how much did Bolt raise', 'Bolt raised $9M, in 2 rounds on record.'],
    ['how much did Acme raise', 'Acme raised $5M, in 1 of the 2 rounds on record whose amount is known.'],
    ['how much has Bolt raised', 'Bolt raised $9M in 2 rounds of known amount.'],
    ['Bolt融资多少', 'Bolt raised $9M in 2 rounds of known amount.'],
    ['cuánto ha recaudado Bolt', 'Bolt raised $9M in 2 rounds of known amount.'],
    ['wie viel Kapital hat Bolt', 'Bolt raised $9M in 2 rounds of known amount.'],
    ['combien Bolt', 'Bolt raised $9M in 2 rounds of known amount.'],
    ['quanto a Bolt captou', 'Bolt raised $9M in 2 rounds of known amount.'],
    [
      'largest round of 2021',
      'The largest round on record in 2021 is the Series A of Bolt: $7M, 1 May 2021, led by Join Fund.',
    ],
    [
      'largest round of 2018',
      'The largest rounds on record in 2018 are the strategic round of Equal and the seed round of Tied: $6M each.',
    ],
    ['latest round of 2018', 'The latest round on record in 2018 is the seed round of Tied: $6M, 1 May 2018.'],
    ['which year had the most rounds', '2021 comes first: 3 of the 8 rounds on record.'],
    [
      'which stage raised the most in 2021',
      'Series A has the largest total on record in 2021: $12M in 2 known rounds.',
    ],
    [
      'which country raised the most in 2021',
      'Germany has the largest total on record in 2021: $9M in 2 known rounds; of $5M the country is not known.',
    ],
    ['average round', 'The average amount is $5.14M, in 7 of the 8 rounds on record whose amount is known.'],
    ['median round', 'The median amount is $5M, in 7 of the 8 rounds on record whose amount is known.'],
    ['median round in 2021', 'The median amount is $5M, in 3 rounds on record in 2021.'],
    [
      'total raised in rounds led by Join Fund in 2021',
      'The total amount is $7M, in 1 round led by Join Fund on record in 2021. What one investor paid is on no record: amounts are those of whole rounds.',
    ],
    [
      'Acme valuation',
      'The last valuation of Acme on record is $90M, in its Series A of 1 Mar 2021; no later round on record states a valuation.',
    ],
    ['highest valuation', 'The highest valuation on record is $90M, of Acme in its Series A of 1 Mar 2021.'],
    ['highest valuation of Acme', 'The highest valuation of Acme on record is $90M, in its Series A of 1 Mar 2021.'],
    ['how many rounds with a valuation over $50M', '1 round at a valuation of more than $50M on record.'],
    ['Bolt valuation', 'No valuation of Bolt is known: none of its 2 rounds on record states one.'],
    ['when was Acme founded', 'Acme was founded in 2019.'],
    ['website of Lead Fund', 'Website of Lead Fund: https://lead.example/'],
    ['twitter of Acme', 'X (Twitter) of Acme: no source on record states it.'],
    ['how many employees has Acme', 'No source on record states of Acme how many employees it has.'],
    ['did funding fall in 2021', 'On record: $14M in 3 known rounds of 2021, after $10M in 2 known rounds of 2020.'],
    [
      'how much was raised each month in 2021',
      'On record in 2021: $14M in all, the most in one month in May 2021: $7M.',
    ],
    ['funding in 2018 vs 2021', 'On record: $14M in 3 known rounds of 2021, after $12M in 2 known rounds of 2018.'],
    [
      'funding in 2018 vs May 2021',
      'On record: $7M in 1 known round of May 2021, after $12M in 2 known rounds of 2018.',
    ],
    [
      'how much did Acme and Granted raise',
      'The total amount is $5M, in 1 of the 2 rounds of Acme or Granted on record whose amount is known.',
    ],
    ['who raised more, Acme or Granted', 'Acme: $5M in 1 known round on record, and none is known of Granted.'],
    ['rounds in 2020 vs 2021', 'On record: 3 rounds of 2021, after 2 rounds of 2020.'],
    ['how many rounds in 2018 and 2021', 'On record: 3 rounds of 2021, after 2 rounds of 2018.'],
    ['funding in 2018 and 2021', 'On record: $14M in 3 known rounds of 2021, after $12M in 2 known rounds of 2018.'],
    ['rounds in May 2021 vs May 2018', 'On record: 1 round of May 2021, after 1 round of May 2018.'],
    [
      'H1 2021 vs H1 2018 funding',
      'On record: $14M in 3 known rounds of H1 2021, after $12M in 2 known rounds of H1 2018.',
    ],
    [
      'funding in 2018 vs 2020 vs 2022',
      'On record: $0 in 0 known rounds of 2022, $10M in 2 known rounds of 2020 and $12M in 2 known rounds of 2018.',
    ],
    ['who raised more, Acme or Bolt', 'Bolt raised more than Acme: $9M in 2 known rounds against $5M.'],
    [
      'Lead Fund vs Join Fund deals in 2020',
      'Join Fund: 2 rounds on record in 2020, and none is on record of Lead Fund.',
    ],
    [
      'compare funding of Acme and Bolt and Idle',
      'Bolt raised more than Acme: $9M in 2 known rounds against $5M, and none is known of Idle.',
    ],
    ['Acme vs Idle funding in 2021', 'Acme: $5M in 1 known round on record in 2021, and none is known of Idle.'],
    ['number of rounds Bolt vs Idle', 'Bolt: 2 rounds on record, and none is on record of Idle.'],
    ['Lead Fund vs Join Fund deals in 2021', 'Lead Fund and Join Fund are equal in rounds on record in 2021: 3 each.'],
    ['Lead Fund vs Join Fund deals', 'Join Fund took part in more rounds on record than Lead Fund: 6 against 4.'],
    ['first round of Bolt', 'The first round of Bolt on record is the Series A: $7M, 1 May 2021, led by Join Fund.'],
    ['is Bolt still active', 'Bolt is closed.'],
    ['how many investors are on record', '2 investors on record.'],
    ['total grants each year', 'On record: $3,000 in 2 known grants of 2019.'],
    [
      'which company in Germany raised the most in 2021',
      'Bolt raised the most in Germany in 2021: $9M in 2 known rounds (the company has since closed).',
    ],
    ['largest grant', 'The largest grants on record are one to Granted and one to Granted: $1,500 each.'],
    [
      'latest round of Bolt',
      'The latest round of Bolt on record is the seed round: $2M, 1 Jun 2021, led by Lead Fund.',
    ],
    ['average round of Bolt', 'The average amount is $4.5M, in 2 rounds of Bolt on record.'],
    ['who founded Bolt', 'On record as founder of Bolt: Ada (Founder).'],
    ['who led the Series A of Bolt', 'Join Fund led the Series A of Bolt, 1 May 2021, $7M.'],
    ['did Join Fund invest in Bolt', 'Yes: Join Fund is named in 2 rounds of Bolt on record.'],
    ['¿Ha invertido Join Fund en Bolt?', 'Yes: Join Fund is named in 2 rounds of Bolt on record.'],
    ['did Bolt raise a seed round', 'Yes: the seed round of Bolt is on record, 1 Jun 2021, $2M, led by Lead Fund.'],
    ['did Bolt raise a Series C', 'No Series C of Bolt is on record.'],
    ['Hat Bolt eine Serie C eingesammelt?', 'No Series C of Bolt is on record.'],
    ['number of seed rounds in 2021', '1 seed round on record in 2021.'],
    ['¿Cuántas rondas hubo en 2021?', '3 rounds on record in 2021.'],
    ['2021年有多少轮融资', '3 rounds on record in 2021.'],
    ['德国有多少家公司', '1 company in Germany on record.'],
    // What is summed of investors is no money.
    ['total deals of investors', undefined],
    // Known funding is of all years.
    ['how many companies raised more than $1M in 2021', undefined],
    [
      'how many investors does Bolt have',
      '2 investors in Bolt on record; its rounds may name people, and others without a record, too.',
    ],
    ['who is the CTO of Acme', 'On record as former CTO of Acme: Ada (CTO, formerly).'],
    ['who is the CFO of Acme', 'No CFO of Acme is on record.'],
    ['CEO of Bolt', 'No CEO of Bolt is on record.'],
    ['dragons of Bolt', undefined],
    [
      'second largest round',
      'The second largest rounds on record are the strategic round of Equal and the seed round of Tied: $6M each.',
    ],
    ['second most active investor', 'Lead Fund took part in the second most rounds on record: 4.'],
    ['smallest seed round', 'The smallest seed round on record is that of Bolt: $2M, 1 Jun 2021, led by Lead Fund.'],
    ['quand Acme a-t-elle été fondée', 'Acme was founded in 2019.'],
    ['cuándo se fundó Acme', 'Acme was founded in 2019.'],
    ['Acme什么时候成立', 'Acme was founded in 2019.'],
    ['Ist Bolt noch aktiv?', 'Bolt is closed.'],
    ['what is the status of Bolt', 'Bolt is closed.'],
    ['how many people work at Acme', 'No source on record states of Acme how many employees it has.'],
    ['last seed round', 'The latest seed round on record is that of Bolt: $2M, 1 Jun 2021, led by Lead Fund.'],
    // Another one may be the first of a part that is not read.
    ['top investors of dragons', undefined],
    [
      'earliest investor in Bolt',
      'The first round of Bolt on record is the Series A: $7M, 1 May 2021, led by Join Fund.',
    ],
    ['how old is Acme', 'Acme was founded in 2019.'],
    ['was Acme founded before 2021', 'Acme was founded in 2019.'],
    ['was Acme started in 2011?', 'Acme was founded in 2019.'],
    ['is Bolt dead', 'Bolt is closed.'],
    ['was Bolt bought', 'No source on record states an acquisition of Bolt.'],
    ['is Bolt worth more than $1B', 'No valuation of Bolt is known: none of its 2 rounds on record states one.'],
    ['Wie viele Runden hat Acme abgeschlossen?', '2 rounds of Acme on record.'],
    ['qui a mené la série A de Bolt', 'Join Fund led the Series A of Bolt, 1 May 2021, $7M.'],
    ['Combien de tours a fait Acme ?', '2 rounds of Acme on record.'],
    ['Wann wurde Acme gegründet?', 'Acme was founded in 2019.'],
    ["Combien d'employés a Acme ?", 'No source on record states of Acme how many employees it has.'],
    ['did Lead Fund lead the seed round of Bolt', 'Yes: Lead Fund led the seed round of Bolt, 1 Jun 2021, $2M.'],
    ['how many companies were founded in 2019', '1 company founded in 2019 on record.'],
    ['how many investors led more than 1 round', '1 investor with 2 or more rounds led on record.'],
    ['how many Series A rounds over $4M in 2021', '2 Series A rounds of more than $4M on record in 2021.'],
    ['how many companies in Germany raised in 2021', '1 company in Germany with a round on record in 2021.'],
    ['how many acquired or closed companies in Germany', '1 acquired or closed company in Germany on record.'],
    ['how many grants did Granted receive', '2 grants to Granted on record.'],
    ['how many rounds did Lead Fund lead', '3 rounds led by Lead Fund on record.'],
    [
      'which stage raised the most in Germany',
      'Series A has the largest total in Germany on record: $7M in 1 known round.',
    ],
    [
      'companies that raised the most in seed rounds in 2021',
      'Bolt raised the most in seed rounds in 2021: $2M in 1 known round (the company has since closed).',
    ],
    [
      'largest seed round of 2021',
      'The largest seed round on record in 2021 is that of Bolt: $2M, 1 Jun 2021, led by Lead Fund.',
    ],
    ['how many rounds were there in 2021', '3 rounds on record in 2021.'],
    ['rounds by year', 'On record: 8 rounds in all, the most in one year in 2021: 3.'],
  ])('to “%s” is “%s”', async (query, answer) => {
    expect(await answerTo(answering, query)).toBe(answer);
  });

  test.each([
    'rounds',
    'Acme',
    'companies',
    'cities with the most VCs',
    'investors with more than 2 deals',
    '¿Lideró Lead Fund la Serie A de Bolt?',
    // The figures of investors are of all their rounds.
    'top investors in Acme',
    'who is the CTO of Bolt',
    'how much TVL does Acme have',
  ])('is none for “%s”, which a list answers', async (query) => {
    expect(await answerTo(answering, query)).toBeUndefined();
  });

  test('is on the first page alone', async () => {
    expect((await read('/search?query=largest+round+of+2021&page=2')).html).not.toContain('class="answer"');
  });
});

test('the paths between two are summed up in a sentence, without addresses', async () => {
  const { text } = await read('/search?query=how+is+Lead+Fund+connected+to+Acme');
  expect(text).toMatch(
    /Lead Fund took part in all 2 rounds of Acme on record.*Rounds with both.*Acme.*1 Mar 2022.*Choose other records/,
  );
  expect(text).not.toMatch(/companies\/acme|investors\/lead-fund|portfolio/);
  const through = await read('/search?query=how+is+Lead+Fund+connected+to+Ada');
  expect(through.text).toMatch(
    /Lead Fund and Ada are 2 steps apart, through Acme\..*Through Acme.*Further paths.*Through Bolt/,
  );
});

test('people of a company stand with their role at it, and those who left as such', async () => {
  const { text } = await read('/companies/acme');
  expect(text).toMatch(/People.*AdaFormer: CTO/);
  expect((await read('/companies/bolt')).text).toMatch(/People.*AdaFounder/);
});

test('the page of a round says what no source states of it', async () => {
  const { text } = await read('/rounds/acme-2022-03-01');
  expect(text).toContain('No source on record states this round’s amount or valuation.');
  expect((await read('/rounds/acme-2021-03-01')).text).not.toContain('No source on record');
});

test('rounds of an investor lead to the company and to the round, and its portfolio has one order', async () => {
  for (const path of ['/investors/lead-fund', '/investors/lead-fund/rounds']) {
    const { html } = await read(path);
    expect(html).toMatch(
      /href="\/companies\/acme">Acme<\/a>.*href="\/rounds\/acme-2022-03-01">1 Mar 2022<\/a>.*Series A/,
    );
  }
  for (const path of ['/investors/lead-fund', '/investors/lead-fund/portfolio'])
    expect((await read(path)).text).toMatch(
      /known funding first\..*BBoltClosed · Seed.*AAcmeSeries A, Undisclosed, 1 Mar 2022, led · 1 more round \(led\) · \$5M known funding/,
    );
});

describe('the figures of a record', () => {
  test('have the last known valuation of a company with its round', async () => {
    const { html, text } = await read('/companies/acme');
    expect(text).toContain('Last known valuation$90MSeries A, 1 Mar 2021');
    expect(html).toMatch(/Last known valuation<\/dt><dd><a href="\/rounds\/acme-2021-03-01">/);
    expect((await read('/companies/bolt')).text).not.toContain('valuation');
  });

  test('have the role of a person at the organisation with the most known funding, and name an only founder', async () => {
    const { text } = await read('/people/ada');
    expect(text).toMatch(/RoleFounder, Bolt\$9M known funding/);
    expect(text).toContain('Ada is the founder of Bolt.');
  });
});

test('of an investor without a record, what the rounds that name it say', async () => {
  const signedIn = await service.person();
  const moved = await signedIn.get('/account/data/investors/name-alone');
  expect([moved.status, moved.headers.get('location')]).toEqual([303, '/account/data?type=rounds&investor=Name+Alone']);
  const { text } = await read('/investors/name-alone');
  expect(text).toContain(
    'Name Alone has no record here, but is named in 2 rounds on record since 1 Jan 2020, in 1 of them as lead: of Named.' +
      'Co-investors: Join Fund (2 rounds) and Other Name.',
  );
  expect(text).toMatch(/2 of the 8 rounds/);
  const { html } = await read('/investors/name-alone');
  expect(html).toMatch(/<a href="\/search\?type=rounds&amp;investor=Other\+Name">Other Name</);
  expect((await read('/investors/other-name')).text).toContain('named in 1 round on record, of 1 Feb 2020: of Named.');
  // Who led it leads there, with or without a record.
  expect((await read('/rounds/named-2020-02-01')).html).toMatch(
    /Led by<\/dt><dd[^>]*><a href="\/search\?type=rounds&amp;investor=Name\+Alone">/,
  );
  for (const other of ['investor=lead-fund', 'investor=Name+Alone&from=2020-01-15', 'investor=Name+Alone|Other+Name'])
    expect((await read(`/search?type=rounds&${other}`)).text).not.toContain('has no record here');
  expect((await signedIn.get('/account/data/investors/nobody')).status).toBe(404);
});

test('a total by a group that some rounds lack says how many, where their row is not shown', async () => {
  const { text } = await read('/aggregate?of=rounds&group_by=country&measure=sum&top=1');
  expect(text).toMatch(/in all\. For \d no amount is known\. Of \d the country is not known, \$\d+M in all\./);
  const all = await read('/aggregate?of=rounds&group_by=country&measure=sum&top=9');
  expect(all.text).not.toContain('the country is not known');
});

test('years between those that are compared are not drawn', async () => {
  // One address may open so many pages a minute.
  const own = await startConsole(ROWS, { publicPages: true });
  const years = async (query: string) => {
    const { html } = await read(`/search?${new URLSearchParams({ query })}`, own);
    return [...html.matchAll(/<title>(\d{4})/g)].map(([, year]) => year);
  };
  expect(await years('funding in 2018 vs 2021')).toEqual(['2018', '2021']);
  expect(await years('funding by year')).toContain('2019');
  await own.close();
});
