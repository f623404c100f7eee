import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPERATOR } from '../../src/store/port/audit.ts';
import { aCompany, anEvent, anInvestor, aPerson, aRound } from '../support/builders.ts';
import { type Console, startConsole } from '../support/console.ts';

const HTML = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };
const BYTES_MAX = 30_000;
const PAGES_MAX = 120;

const ROWS = [
  aCompany({
    name: 'Acme',
    slug: 'acme',
    tags: ['DeFi'],
    status: 'acquired',
    status_as_of: '2025-02-01',
    status_source: 'https://news.example/bought',
    status_since: '2025-01',
    acquired_by: 'Other',
    token_contracts: [{ symbol: 'ACM', chain: 'Base', address: '0x0a' }],
    tagline: 'Wallets <b>that</b> people understand',
    website: 'https://acme.example',
    total_funding_usd: null,
    sources: [
      { source: `github.com/example/facts@${'ab12'.repeat(3)}:data/acme.yaml`, as_of: '2026-10', fields: ['website'] },
    ],
  }),
  aCompany({
    name: 'Other',
    slug: 'other',
    tags: ['Wallets', 'DeFi'],
    location_json: { city: 'Lisbon', country: 'Portugal' },
  }),
  aPerson({ name: 'Ada Example', slug: 'ada-example', roles: [{ organization: 'Acme', title: 'Founder' }] }),
  anInvestor({
    name: 'Example Capital',
    slug: 'example-capital',
    fund_size_usd: '1000000.00',
    tagline: 'A fund',
    overview: 'It is in Lisbon. Companies include Zebra Labs. It is new.',
    as_of: '2021-03-01',
    sources: [{ source: 'https://capital.example', as_of: '2021-03-01', fields: ['fund_size_usd'] }],
  }),
  aPerson({ name: 'Grace Example', slug: 'grace-example', roles: [{ organization: 'Acme', title: 'Engineer' }] }),
  anEvent({
    name: 'ExampleCon 2025',
    slug: 'examplecon-2025',
    series_slug: 'examplecon',
    aliases: ['ExampleCon', 'XC25'],
    as_of: '2020-01-02',
  }),
  anEvent({ name: 'ExampleCon 2024', slug: 'examplecon-2024', series_slug: 'examplecon' }),
  aRound({
    name: 'Acme Seed',
    slug: 'acme-seed',
    company: 'Acme',
    announced_date: '2022-03-01',
    stage: 'seed',
    amount_usd: '3000000.00',
    lead_investors: ['Example Capital'],
    investors: ['Example Capital', 'No Record Partners'],
    valuation_usd: '30000000.00',
    announcement: 'https://news.example/acme',
  }),
  aRound({
    name: 'Acme Grant',
    slug: 'acme-grant',
    company: 'Acme',
    announced_date: '2023-01-01',
    stage: 'grant',
    stage_raw: 'Season 2',
    amount_usd: '5000.00',
    investors: ['Grant Foundation'],
  }),
  anInvestor({
    name: 'Grant Foundation',
    slug: 'grant-foundation',
    investments_count: 0,
    first_investment_date: '2023-01-01',
  }),
  // More than a page reads, so that they are counted by aggregates.
  ...Array.from({ length: 12 }, (_, index) =>
    aRound({
      name: `Grant ${index}`,
      company: index === 0 ? 'No Record Labs' : 'Other',
      announced_date: `${2021 + (index % 2) * 2}-05-01`,
      stage: 'grant',
      amount_usd: null,
      investors: ['Grant Foundation'],
    }),
  ),
  aRound({ name: 'Acme Later', slug: 'acme-later', company: 'Acme', announced_date: '2024-05-01', amount_usd: null }),
];

let open: Console;
let shut: Console;
beforeAll(async () => {
  [open, shut] = await Promise.all([startConsole(ROWS, { publicPages: true }), startConsole(ROWS)]);
});
afterAll(() => Promise.all([open.close(), shut.close()]));

/** Of an address, a service sends so many pages a minute only. */
async function startAnew(): Promise<void> {
  await open.close();
  open = await startConsole(ROWS, { publicPages: true });
}

async function read(path: string, service = open): Promise<{ status: number; html: string; text: string }> {
  const response = await fetch(service.url + path, HTML);
  const html = await response.text();
  return { status: response.status, html, text: html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ') };
}

describe('the first page', () => {
  test('tells a browser what is held here, and how to come in', async () => {
    const { html, text } = await read('/');
    expect(text).toMatch(
      /Companies 2 People 2 Investors 2 Events 2 Rounds 2 to 1 May 2024 Grants 13 to 1 May 2023 What is covered .* Newest rounds/,
    );
    expect(text).toMatch(/What an agent asks, and gets search .*Acme.* announcement https:\/\/news\.example\/acme/);
    expect(html).toContain('href="/search?type=rounds&amp;funding_stage=grant"');
    expect(text).toMatch(
      /announced each year\? .*2022: \$3M.*Which rounds were the largest since 2023\? .*Acme Later Undisclosed · 1 May 2024 /,
    );
    expect(text).toContain(`${open.url}/api/v1/search`);
    expect(text).toMatch(
      /Newest rounds .*Company Date Stage .*Acme Wallets .* understand 1 May 2024 – Undisclosed .*Acme Wallets .* understand 1 Mar 2022 Seed \$3M at \$30M valuation Example Capital/,
    );
    expect(html).toContain('<a href="/rounds/acme-later">1 May 2024</a>');
    expect(text).toContain('Below each year, the number of its rounds; 2024 is to 1 May.');
    expect(text).toMatch(
      /web3-bi Menu Companies People Investors Events Rounds Aggregate Connections Coverage Docs Account/,
    );
    expect(html.match(/>Create a key</g)).toHaveLength(1);
    expect(html).toContain(`<link rel="canonical" href="${open.url}/"`);
    expect(html).toContain('property="og:title"');
  });

  test('states what each way in allows and costs', async () => {
    const { text } = await read('/');
    expect(text).toMatch(
      /What it costs .*These pages .* 120 pages a minute Open to everybody On your machine .* open source npx web3-bi-mcp mcp Not on npm yet: from a clone after npm ci /,
    );
    expect(text).toContain('1,000 requests a day and 30,000 a month for each key Ask the operator of this service');
    expect(text).toMatch(/A person, at a terminal .*npx web3-bi-mcp search defi .*Not on npm yet.*What it costs/);
    expect(text).not.toContain('A wallet');
    expect((await read('/', shut)).text).toMatch(/What it costs (?!.*These pages).*On your machine/);
    const seller = await startConsole([], { publicPages: true, selling: {} });
    expect((await read('/', seller)).text).toMatch(
      /A wallet Requests of search, aggregate or connections, without an account; events are not sold 0\.01 USD a request, in USDC/,
    );
    await seller.close();
  });

  test('is JSON for a program', async () => {
    const response = await fetch(open.url);
    expect(response.headers.get('vary')).toMatch(/accept/i);
    expect(await response.json()).toMatchObject({ openapi: `${open.url}/api/v1/openapi.json`, mcp: `${open.url}/mcp` });
  });

  test('shows no record where the pages are off', async () => {
    expect((await read('/', shut)).text).not.toMatch(/companies 1|Acme/);
  });
});

describe('the page of a record', () => {
  test('shows a company with its rounds, drawn and as a table, and who led', async () => {
    const { html, text } = await read('/companies/acme');
    // One known amount is no history.
    expect(html).not.toContain('class="bars"');
    // Grants come after the rounds, whatever their date.
    expect(text).toMatch(/1 Mar 2022 Seed \$3M .*1 Jan 2023 Season 2 \$5,000/);
    expect(text).toContain('No Record Partners');
    expect(html).toContain('<a href="/investors/example-capital">Example Capital</a>');
    expect(html).toContain(`href="https://github.com/example/facts/blob/${'ab12'.repeat(3)}/data/acme.yaml"`);
    expect(text).toContain(`${open.url}/companies/acme`);
  });

  test('draws the rounds of a company where they are in time', async () => {
    const round = { company: 'Acme', stage: null, amount_usd: '1000000.00', announced_date: '2021-02-15' };
    const own = await startConsole(
      [
        aCompany(),
        aRound({ ...round, name: 'A', stage: 'seed', valuation_usd: '9000000.00' }),
        aRound({ ...round, name: 'B', announced_date: '2025-06-15' }),
        aRound({ ...round, name: 'C', announced_date: '2025-08-15', amount_usd: null }),
        aRound({ ...round, name: 'D', announced_date: null }),
        aRound({ ...round, name: 'E', announced_date: '2023-06-15', stage: 'grant' }),
      ],
      { publicPages: true },
    );
    const { html, text } = await read('/companies/acme', own);
    expect(html).toMatch(/<svg class="bars"[^>]*role="img"[^>]*aria-label="[^"]+"/);
    const bars = [...html.matchAll(/<svg x="([\d.]+)%"[^>]*><title>(.*?)<\/title>/g)].map(([, x, title]) => [
      Number(x),
      title,
    ]);
    expect(bars).toEqual([
      [expect.closeTo(2.5, -1), 'Seed, 15 Feb 2021: $1,000,000 at $9M'],
      [expect.closeTo(89, -1), 'Round, 15 Jun 2025: $1,000,000'],
      [expect.closeTo(92, -1), 'Round, 15 Aug 2025: amount undisclosed'],
    ]);
    expect(html).toMatch(/<text[^>]*>\$1M<\/text><text[^>]*>Seed at \$9M<\/text>/);
    expect(text).toMatch(/ 2021 2022 2023 2024 2025 /);
    expect(text).toContain('4 rounds, 1 grant; 3 rounds in the chart. A short mark is');
    await own.close();
  });

  test('names the backers of a company, those who led first, and the largest of its latest rounds', async () => {
    const day = { announced_date: '2025-06-15', investors: ['Busy Fund'] };
    const own = await startConsole(
      [
        ...['Zorblend', 'Quent', 'Tamsin'].map((name) => aCompany({ name })),
        ...['Busy Fund', 'Rare Lead'].map((name) => anInvestor({ name, portfolio: [] })),
        aRound({ ...day, name: 'Small', company: 'Zorblend', amount_usd: '2000000.00' }),
        aRound({ ...day, name: 'Large', company: 'Zorblend', amount_usd: '9000000.00', lead_investors: ['Rare Lead'] }),
        ...['Quent', 'Tamsin'].map((company) => aRound({ ...day, name: `${company} Seed`, company })),
      ],
      { publicPages: true },
    );
    const { text } = await read('/search?query=zorblend', own);
    expect(text).toMatch(/Backers of Zorblend .*Rare Lead investor .*Busy Fund investor /);
    expect((await read('/companies/zorblend', own)).text).toMatch(/Latest round \$9M 15 Jun 2025, led by Rare Lead/);
    await own.close();
  });

  test('does not count the rounds of a chart that has all of them, whatever the grants', async () => {
    const own = await startConsole(
      [
        aCompany(),
        ...['2021-01-01', '2022-01-01'].map((announced_date) =>
          aRound({ name: announced_date, company: 'Acme', announced_date, amount_usd: '1000000.00' }),
        ),
        aRound({ name: 'Given', company: 'Acme', stage: 'grant', announced_date: '2023-06-15' }),
      ],
      { publicPages: true },
    );
    const { html, text } = await read('/companies/acme', own);
    expect(html).toContain('class="bars"');
    expect(text).toContain('2 rounds, 1 grant. Rounds that were never announced');
    await own.close();
  });

  test('writes no amount across a taller bar', async () => {
    const rounds = Array.from({ length: 11 }, (_, index) =>
      aRound({
        name: `Round ${index}`,
        company: 'Acme',
        announced_date: `2021-06-${10 + index}`,
        amount_usd: `${1_010_000 * (index + 1)}.00`,
      }),
    );
    const own = await startConsole([aCompany(), ...rounds], { publicPages: true });
    const { html } = await read('/companies/acme', own);
    expect([...html.matchAll(/<text x="50%"[^>]*>(\$.*?)</g)].map(([, amount]) => amount)).toEqual(['$11.1M']);
    await own.close();
  });

  test('draws rounds evenly where some are too near in time, so that each has its amount, stage and month', async () => {
    const round = { company: 'Acme', amount_usd: '1000000.00' };
    const own = await startConsole(
      [
        aCompany(),
        aRound({ ...round, name: 'A', stage: 'seed', announced_date: '2021-02-15' }),
        aRound({ ...round, name: 'B', stage: 'series_a', announced_date: '2025-06-15', amount_usd: '8000000.00' }),
        aRound({ ...round, name: 'C', stage: null, announced_date: '2025-08-15', amount_usd: '9000000.00' }),
      ],
      { publicPages: true },
    );
    const { html, text } = await read('/companies/acme', own);
    expect(text).toContain(' Feb 2021 Seed Jun 2025 Series A Aug 2025 Round Seed, 15 Feb 2021: $1,000,000 ');
    for (const amount of ['$1M', '$8M', '$9M']) expect(html).toMatch(new RegExp(`<text[^>]*>\\${amount}</text>`));
    const places = [...html.matchAll(/<svg x="([\d.]+)%"/g)].map(([, place]) => Number(place));
    expect(places.map((place, index) => Math.round(place - (places[index - 1] ?? 0)))).toEqual([12, 33, 33]);
    await own.close();
  });

  test('leads from the investors, not from the givers of grants, to investors that no round names', async () => {
    const round = { company: 'Acme', investors: ['Example Capital'] };
    const own = await startConsole(
      [
        aCompany(),
        anInvestor({ portfolio: ['Acme'] }),
        anInvestor({ name: 'Silent Partners', portfolio: ['Acme'] }),
        anInvestor({ name: 'Grant Foundation' }),
        aRound(round),
        aRound({ ...round, name: 'Grant', stage: 'grant', investors: ['Grant Foundation'] }),
      ],
      { publicPages: true },
    );
    const { text } = await read('/companies/acme', own);
    expect(text).toMatch(/Investors Show all 2 .*Example Capital 1 round Grant givers GF Grant Foundation 1 grant/);
    await own.close();
  });

  test('has one count of each thing, and the source of each fact', async () => {
    const { html, text } = await read('/companies/acme');
    expect(text).toMatch(
      /Known funding \$3M in 2 rounds, amount known for 1 .*Latest round 1 May 2024 .*Investors 2 Grants \$5,000 1 grant from Grant Foundation .*2 rounds, 1 grant\. /,
    );
    expect(text).toMatch(
      /Investors .*Example Capital Led 1 round .*No Record Partners 1 round Grant givers .*Grant Foundation 1 grant /,
    );
    expect(text).toMatch(
      /Token contracts ACM on Base 0x0a .*Status Acquired in Jan 2025, as of 1 Feb 2025, news\.example\/bought Acquired by Other /,
    );
    // The source of a status is dated, and not what happened.
    expect(text).not.toMatch(/Timeline|1 Feb 2025 Acquired| Stage Acquired/);
    expect(text).toMatch(
      /1 May 2024 Round Undisclosed .*1 Mar 2022 Seed \$3M at \$30M valuation Example Capital \+ 1 other news\.example 1 grant /,
    );
    expect(text).toMatch(/Sources .*2026-10 Website example\/facts: data\/acme\.yaml/);
    expect(html).toContain('href="/search?type=companies&amp;tag=DeFi"');
  });

  test('names the parameters of its address that it does not have', async () => {
    for (const path of ['/', '/companies/acme', '/companies/acme/rounds', '/coverage', '/search'])
      expect([path, (await read(`${path}?since=2022&utm_source=x`)).text]).toEqual([
        path,
        expect.stringContaining('since is unknown to this page; it has no effect.'),
      ]);
    expect((await read('/companies/acme/rounds?page=1&ref=x')).text).not.toContain('no effect');
    expect((await read('/search?type=rounds&year=2022')).text).toContain(
      'year is unknown to this page; it has no effect. year=2022 Did you mean Date from',
    );
    expect((await read('/search/aggregate?of=rounds&group_by=year&year=2022')).text).toContain(
      'year is unknown to this page; it has no effect. Periods are asked for by from and to, such as from=2021',
    );
  });

  test('says in words what is not known, and what a list lacks', async () => {
    const own = await startConsole(
      [
        aCompany({
          name: 'Listed',
          slug: 'listed',
          company_stage: 'public',
          status: 'active',
          status_as_of: '2026-01-01',
          total_funding_usd: null,
          sources: [
            {
              source: 'web3-bi editors@0.1.0:data/raw/editors.ndjson',
              as_of: '2025',
              fields: ['website', 'year_founded'],
            },
          ],
          year_founded: 2011,
        }),
        anInvestor({ name: 'Many Capital', slug: 'many-capital' }),
        aRound({
          name: 'Listed Series E (2018)',
          slug: 'listed-e',
          company: 'Listed',
          announced_date: '2018-10-30',
          stage: 'series_e',
          amount_usd: null,
          lead_investors: [],
          investors: ['Many Capital', ...Array.from({ length: 9 }, (_, index) => `Fund ${index}`)],
        }),
      ],
      { publicPages: true },
    );
    const company = (await read('/companies/listed', own)).text;
    expect(company).toMatch(
      /Known funding Undisclosed .*Stage Public Latest round Series E 30 Oct 2018 Investors 10\+ /,
    );
    expect(company).toMatch(/There may be more: sources list 10 investors of a round at most, beside its leads\./);
    expect(company).toMatch(
      /Founded † 2011 .*Sources .* †: unsourced, .*Website, Founded web3-bi editors, without a page/,
    );
    expect(company).not.toMatch(/may be cut|Timeline| Active /);
    const round = await read('/rounds/listed-e', own);
    expect(round.text).toMatch(/Amount Undisclosed Stage Series E .*There may be more: sources list 10 investors/);
    expect(round.text).not.toMatch(/may be cut|this round(?!’s)/);
    expect((await read('/investors/many-capital', own)).text).toContain('Counts are lower bounds');
    expect((await read('/search?type=companies', own)).text).toMatch(/Listed .*Public · last round/);
    await own.close();
  });

  test('counts all grants of an investor, each year of them, and the companies that have no record', async () => {
    const { text } = await read('/investors/grant-foundation');
    expect(text).toMatch(
      /Grants \$5,000 13 grants Companies funded 3 .*Grants by year .*2021: grants 6 .*2022: grants 0 /,
    );
    expect(text).toMatch(/2023: grants 7 .*13 grants\. .*Portfolio 2 of the 3 companies funded have a record here\./);
    expect((await read('/investors/grant-foundation/rounds')).text).toContain('Grants of Grant Foundation 13 grants. ');
    const giver = await read('/investors/grant-foundation');
    expect(giver.text).toMatch(/What it funds Companies by what they do, of which each may have several tags\. Tag /);
    expect(giver.text).toMatch(/Facts .*First grant /);
    expect(giver.text).toMatch(/Grants Show all 13 of Grants Company Date Programme Amount /);
    expect(giver.text).not.toMatch(/Counts are lower bounds|First round|Rounds led|median round|Given by/);
    expect((await read('/search?type=investors')).text).toMatch(/Grant Foundation 13 grants /);
    const found = await read('/search?type=rounds&query=acme+grant&view=cards');
    expect(found.text).toContain('Acme Grant');
    expect((await read('/rounds/acme-grant')).text).toMatch(
      /Acme Grant grant Grant to Acme .*Amount \$5,000 .*Given by Grant Foundation .*1 Jan 2023 Season 2 \$5,000/,
    );
  });

  test('leads from a round to its company and the other rounds, and names its source once', async () => {
    const { html, text } = await read('/rounds/acme-seed');
    expect(text).toMatch(
      /Funding of Acme .*Amount \$3M Stage Seed Announced 1 Mar 2022 Led by Example Capital .*history of Acme/,
    );
    expect(html).toContain('Funding of <a href="/companies/acme">Acme</a>');
    expect(html).toContain('href="/rounds/acme-grant"');
    expect(html).toMatch(/Led by<\/dt><dd[^>]*><a href="\/investors\/example-capital">/);
    expect(text).toMatch(/Source news\.example /);
    const facts = text.slice(text.indexOf('Facts'), text.indexOf('Use this record'));
    expect(facts).not.toContain('news.example');
  });

  test('leads from a person to colleagues, and from an event to other editions', async () => {
    const person = await read('/people/ada-example');
    expect(person.html).toMatch(/Colleagues.*href="\/people\/grace-example"/);
    expect(person.text).toMatch(/Role Founder, Acme .*Colleagues 1 .*Grace Example Engineer, Acme/);
    const { text } = await read('/events/examplecon-2025');
    expect(text).toMatch(/Editions on record 2 .*Aliases XC25 Series ExampleCon /);
    const table = await read('/search?type=events&view=table&columns=series_slug');
    expect(table.text).toContain(' Series ExampleCon 2025 ExampleCon ');
    expect((await read('/events/examplecon-2025')).html).toMatch(/Editions by year.*href="\/events\/examplecon-2024"/);
  });

  test('counts every colleague of a person, and folds those after the first', async () => {
    const team = Array.from({ length: 12 }, (_, index) =>
      aPerson({
        name: `Teammate ${index}`,
        slug: `teammate-${index}`,
        roles: [{ organization: 'Acme', title: 'CEO' }],
      }),
    );
    const own = await startConsole([aCompany({ name: 'Acme', slug: 'acme' }), ...team], { publicPages: true });
    const { text, html } = await read('/people/teammate-0', own);
    expect(text).toMatch(/Role CEO, Acme .*Colleagues 11 .*Show all 11 /);
    expect(new Set(html.match(/href="\/people\/teammate-\d+"/g)).size).toBe(11);
    await own.close();
  });

  test('shows the roles and co-founders of a person, and when and where the events are', async () => {
    const own = await startConsole(
      [
        aCompany({
          ...{ name: 'Acme', slug: 'acme', founders: ['Ada Example'] },
          location_json: { city: 'Singapore', country: 'Singapore' },
        }),
        aPerson({ name: 'Cy Example', roles: [{ organization: 'Acme', title: 'Engineer' }] }),
        aPerson({
          name: 'Ada Example',
          slug: 'ada',
          headline: 'Author of EIP-1; speaker at MeetCon',
          roles: [{ organization: 'Acme', title: 'CEO', start_date: '2019-01-01', as_of: '2026-01-01' }],
          events: ['MeetCon 2024', 'MeetCon 2031'],
        }),
        aPerson({ name: 'Bo Example', roles: [{ organization: 'Acme', title: 'Co-founder & CTO' }] }),
        ...['2024', '2025', '2031'].map((year) =>
          anEvent({
            name: `MeetCon ${year}`,
            slug: `meetcon-${year}`,
            series_slug: 'meetcon',
            start_date: `${year}-05-30`,
            end_date: `${year}-06-01`,
            location_json: { city: 'Singapore', country: 'Singapore' },
            event_type: 'conference',
          }),
        ),
        ...['2020', '2022'].map((edition) =>
          anEvent({ name: `MeetCon ${edition}`, series_slug: 'meetcon', start_date: null, edition }),
        ),
      ],
      { publicPages: true },
    );
    const { text } = await read('/people/ada', own);
    // Whoever reads on finds the role of the key figures in the line of the name.
    expect(text).toContain('Author of EIP-1, CEO of Acme; speaker at MeetCon');
    expect(text).toMatch(
      /Role CEO, Acme role as of 1 Jan 2026 Events spoken at 2 2024 to 2031 Co-founders 1 Colleagues 1 /,
    );
    expect(text).toMatch(/Organisation Role Time Acme CEO 1 Jan 2019 –, as of 1 Jan 2026 /);
    expect(text).toMatch(
      /Co-founders Founders of the same organisations\. .*Bo Example Co-founder &amp; CTO, Acme .*Cy Example/,
    );
    const founder = await read('/people/bo-example', own);
    expect(founder.text).toMatch(/Role Co-founder &amp; CTO, Acme /);
    // Of the company, its founders come before whoever was stored first.
    expect((await read('/companies/acme', own)).text).toMatch(/People .*Ada Example .*Bo Example .*Cy Example /);
    expect(text).toMatch(/MeetCon 2024 30 May\s–\s1 Jun 2024 Singapore /);
    const event = await read('/events/meetcon-2024', own);
    expect(event.text).toMatch(
      /Date 30 May\s–\s1 Jun 2024 Place Singapore Speakers 1 Editions on record 5 Followed by /,
    );
    expect(event.text).toMatch(/the newest first\. .*MeetCon 2031 .*MeetCon 2025 .*MeetCon 2022 .*MeetCon 2020 /);
    expect(event.html).toMatch(/Followed by<\/dt><dd[^>]*><a href="\/events\/meetcon-2025">/);
    expect((await read('/events/meetcon-2031', own)).text).toContain('MeetCon 2031 event upcoming');
    for (const path of ['/search?type=companies', '/companies/acme']) {
      const { text: shown } = await read(path, own);
      expect([path, shown]).toEqual([path, expect.stringMatching(/\bSingapore\b(?!, Singapore)/)]);
      expect([path, shown.includes('Singapore, Singapore')]).toEqual([path, false]);
    }
    await own.close();
  });

  test('says what is not known of a record, and shows what is beside one with nothing related', async () => {
    expect((await read('/companies/other')).text).toContain('states Other’s people or year of foundation.');
    const own = await startConsole(
      [
        aCompany({ name: 'Bare', slug: 'bare', tags: ['DeFi'], total_funding_usd: null }),
        aCompany({ name: 'Funded', tags: ['DeFi'], total_funding_usd: '5000000.00' }),
        aRound({ name: 'Bare Round', slug: 'bare-round', company: 'Elsewhere', announced_date: null }),
        aRound({ name: 'Backed Round', company: 'Nowhere', investors: ['Some Fund'] }),
        anEvent({ name: 'PastCon', slug: 'pastcon', start_date: '2020-05-01', overview: 'PastCon is a conference.' }),
        anEvent({ name: 'YearCon 2020', edition: '2020', start_date: null, overview: 'YearCon 2020 is a conference.' }),
      ],
      { publicPages: true },
    );
    expect((await read('/rounds/bare-round', own)).text).toContain(
      'states this round’s amount, date, stage, valuation, lead investor or investors.',
    );
    expect((await read('/search?type=rounds', own)).html).toMatch(/data-label="Investors"[^>]*>–</);
    const { html, text } = await read('/companies/bare', own);
    expect(text).toMatch(
      /Facts Tags DeFi .*No source on record states Bare’s funding, people, country or year of foundation\. .*DeFi companies with known funding Show all F Funded \$5M known .*Sources .*Use this record/,
    );
    expect(html).toContain('href="/search?type=companies&amp;tag=DeFi&amp;funding_min=1"');
    expect((await read('/events/pastcon', own)).html).toContain('<meta name="description" content="PastCon was a ');
    expect((await read('/events/pastcon', own)).text).toMatch(
      /PastCon was a conference\. .*states PastCon’s place or speakers/,
    );
    expect((await read('/events/yearcon-2020', own)).text).not.toContain('Not on record');
    expect((await read('/events/yearcon-2020', own)).text).toMatch(
      /YearCon 2020 was a conference\. .*Sources None is stated: added on this instance, \d+ \w+ \d{4}/,
    );
    await own.close();
  });

  test('compares a round with the earlier ones of its company, and dates it by its announcement alone', async () => {
    const { text } = await read('/rounds/acme-later');
    expect(text).toMatch(
      /Compared with earlier rounds Since the round before 2 years 2 months after Seed of Mar 2022 Raised up to this round \$3M in 2 rounds, amount known for 1 /,
    );
    expect(text).not.toContain('Last seen');
    expect((await read('/rounds/acme-seed')).text).not.toContain('Compared with earlier');
  });

  test('of a founder agrees with that of the company, and of a round states how its valuation compares', async () => {
    const own = await startConsole(
      [
        anEvent({ name: 'Meet', start_date: null }),
        aPerson({
          ...{ name: 'Fay', slug: 'fay', events: [{ name: 'Meet' }] },
          roles: [{ organization: 'Dual', organization_type: 'companies', title: 'Founder' }],
        }),
        anInvestor({ name: 'Known Fund', slug: 'known-fund', fund_size_usd: '1234567.00' }),
        anInvestor({ name: 'Dual', slug: 'dual', year_founded: 2014, founders: ['Fay'] }),
        aCompany({ name: 'Dual', slug: 'dual', year_founded: 2014, founders: ['Fay'] }),
        ...[2021, 2022].map((year) =>
          aRound({
            ...{ name: `Dual ${year}`, slug: `dual-${year}`, company: 'Dual', announced_date: `${year}-05-01` },
            ...{ amount_usd: '2000000.00', valuation_usd: `${(year - 2020) * 10}000000.00` },
            investors: ['Known Fund', 'Name Alone', `Other ${year}`],
          }),
        ),
      ],
      { publicPages: true },
    );
    const company = await read('/companies/dual', own);
    const { text } = await read('/people/fay', own);
    expect(company.text).toMatch(/ Investors 4 /);
    expect(text).toContain('its backers include Known Fund and 3 more.');
    expect(text.match(/Founded Dual/g)).toHaveLength(1);
    expect(text).toContain('No date Spoke at Meet');
    expect((await read('/rounds/dual-2022', own)).text).toContain('Valuation 2 times the $10M of May 2021 ');
    // An amount that the short form would round is in full.
    expect((await read('/investors/known-fund', own)).text).toContain('Fund size (USD) $1,234,567 ');
    await own.close();
  });

  test('leads to whole lists, which anybody may read too', async () => {
    const owner = await read('/investors/example-capital');
    expect(owner.text).toContain('Acme Acquired · Seed, $3M, 1 Mar 2022, led ');
    expect(owner.text).toMatch(/Newest source 1 Mar 2021 older than two years .*Fund size \(USD\) \$1M \(as of 2021\)/);
    expect(owner.text).toMatch(/ Latest round 1 Mar 2022 none on record since 1 May 2023 /);
    expect(owner.text).not.toContain('12 months');
    const list = await read('/investors/example-capital/rounds');
    expect(list.text).toMatch(/Rounds of Example Capital .*Acme 1 Mar 2022 Seed/);
    expect(list.html).toContain('href="/rounds/acme-seed"');
    expect((await read('/investors/nobody/rounds')).status).toBe(404);
    expect((await read('/investors/example-capital/rounds', shut)).status).toBe(404);
  });

  test('lists the rounds of a company in a table, and its grants in another after them', async () => {
    const { html, text } = await read('/companies/acme/rounds');
    expect(text).toMatch(
      /Rounds and grants of Acme 2 rounds, 1 grant\. Rounds that no source here names are missing\. Sort and filter CSV JSON Funding rounds: 2 Round Date Amount Led by Source /,
    );
    expect(text).toMatch(
      /Acme Later 1 May 2024 Undisclosed – – Acme Seed 1 Mar 2022 \$3M at \$30M valuation Example Capital news\.exam/,
    );
    expect(text).toMatch(/Grants: 1 Grant Date Amount Given by Source Acme Grant 1 Jan 2023 \$5,000 Grant Foundation/);
    expect(html).toContain('<a href="/rounds/acme-grant">Acme Grant</a>');
    expect(html).toContain('href="/search?type=rounds&amp;company=acme&amp;view=table"');
  });

  test('gives a list as a file, of which no search gives the same', async () => {
    const response = await fetch(`${open.url}/companies/acme/investors?format=csv`);
    expect(response.headers.get('content-disposition')).toContain('acme-investors.csv');
    expect(await response.text()).toMatch(/^type,id,name,slug[^\n]*\ninvestors,\d+,Example Capital,example-capital/);
    const json = await (await fetch(`${open.url}/companies/acme/rounds?format=json`)).json();
    expect(json.map(({ name }: { name: string }) => name).sort()).toEqual(['Acme Grant', 'Acme Later', 'Acme Seed']);
  });

  test('lists the rounds of a person, and none of a company with the same slug', async () => {
    const own = await startConsole(
      [
        ...[aPerson, aCompany].map((make) => make({ name: 'Alex', slug: 'alex' })),
        aRound({ name: 'By the person', investors: [{ name: 'Alex', type: 'people', slug: 'alex' }] }),
        aRound({ name: 'By the company', investors: [{ name: 'Alex', type: 'companies', slug: 'alex' }] }),
        aRound({ name: 'A grant', stage: 'grant', investors: [{ name: 'Alex', type: 'people', slug: 'alex' }] }),
      ],
      { publicPages: true },
    );
    const { html, text } = await read('/people/alex/rounds', own);
    expect(html).toContain('href="/rounds/by-the-person"');
    expect(text).toMatch(/of Alex 1 round, 1 grant\. .* Funding rounds: 1 .*Grants: 1 Company Date Programme /);
    expect(html).not.toContain('by-the-company');
    await own.close();
  });

  test('shows the rounds before more grants than it has room for, and says how many those are', async () => {
    const date = (month: number): string => `2023-${String(month).padStart(2, '0')}-01`;
    const own = await startConsole(
      [
        aCompany({ name: 'Granted', slug: 'granted' }),
        aRound({ name: 'Granted seed', company: 'Granted', stage: 'seed', announced_date: date(1) }),
        ...Array.from({ length: 20 }, (_, index) =>
          aRound({
            name: `Grant ${index}`,
            company: 'Granted',
            stage: 'grant',
            announced_date: date(1 + (index % 12)),
            amount_usd: `${1 + index}000.00`,
          }),
        ),
      ],
      { publicPages: true },
    );
    const { text } = await read('/companies/granted', own);
    expect(text).toMatch(/ Show all 21 1 round, 20 grants.* 1 Jan 2023 Seed .* The 14 largest of 20 grants .*\$20K /);
    expect(text).not.toMatch(/ \$6,000 /);
    await own.close();
  });

  test('of a sentence that asks for totals is on its page, with the way to more', async () => {
    const { html, text } = await read('/search?query=number+of+companies+per+country');
    expect(text).toMatch(/ Companies by country Open in Aggregate 2 companies\..* Portugal 1 .* 2 companies /);
    expect(html).toContain('href="/search/aggregate?of=companies&amp;group_by=country&amp;measure=count&amp;top=10"');
    const sums = await read('/search?query=total+raised+by+companies+in+2022');
    expect(sums.text).toMatch(
      / The total amount is \$3M , in 1 round on record in 2022\..* Total amount by quarter Open in Aggregate /,
    );
    expect(sums.text).not.toContain('ignoring');
    const ofStage = await read('/search?query=total+raised+by+companies+in+2022&type=rounds&funding_stage=series_b');
    expect(ofStage.text).not.toContain('The total amount is $3M');
    const ranked = await read('/search?query=most+active+investors+in+2022');
    expect(ranked.text).toMatch(
      /in the most rounds on record in 2022: 1 each\. Read as rounds by investor in 2022 .*Rounds by investor Open in Aggregate /,
    );
    expect(ranked.text).not.toMatch(/ignoring|investors on record|nearest|Investors \d/);
    // No list of investors is of who led at a stage: it would be in the order of all their rounds.
    const led = await read('/search?query=who+led+the+most+seed+rounds');
    expect(led.text).toMatch(
      /Read as rounds by lead investor .*Rounds by lead investor Open in Aggregate .*Example Capital 1 /,
    );
    expect(led.text).not.toMatch(/investors on record|nearest|Investors \d/);
    expect(led.text).not.toContain('Counts are lower bounds');
    // Who is asked about invested in all of these rounds.
    const beside = await read('/search?query=co-investors+of+Example+Capital');
    expect(beside.text).toMatch(/ Rounds by investor Open in Aggregate .* Beside the largest No Record Partners 1 /);
    const funding = await read('/search?query=funding+in+2022');
    expect(funding.text).toMatch(/ Total amount by quarter .* 2022-Q1 \$3M 1 /);
    expect(funding.text).not.toContain('ignoring');
  });

  test('says to when rounds are on record where none matches', async () => {
    expect((await read('/search?type=rounds&from=2030-01-01')).text).toContain(
      'Funding rounds are on record to 1 May 2024: nothing later is known here. Try fewer filters.',
    );
    const { html, text } = await read('/search?type=companies&tag=DeFi&status=closed');
    expect(text).toMatch(/No company matches Try fewer filters\. Without Status Closed: \d+ All companies /);
    expect(html).toContain('<a href="/search?type=companies&amp;tag=DeFi" class="button small">Without Status');
    const alone = await read('/search?type=companies&tag=DeFi&status=closed&founded_from=2030');
    expect(alone.text).toMatch(/ Try fewer filters\. Only Tag DeFi: \d+ All companies /);
    expect(alone.html).toContain('<a href="/search?type=companies&amp;tag=DeFi" class="button small">Only Tag');
    const other = await read('/search?type=events&query=acme');
    expect(other.text).toMatch(/ No event matches “acme” Did you mean Acme company .*\? Try a shorter text /);
    expect(other.html).toContain('Did you mean <a href="/companies/acme">');
    // Who led is asked only of an investor.
    const led = await read('/search?type=rounds&investor=example-capital&led=true&from=2030-01-01');
    expect(led.text).toContain(
      'No funding round matches None is on record. That is no proof of absence: sources name only some investors of a round.',
    );
    const withoutInvestor = /href="\/search(?:\/aggregate)?\?(?![^"]*investor=)[^"]*led=true/;
    expect(led.html).not.toMatch(withoutInvestor);
    const counted = await read('/search/aggregate?of=rounds&group_by=year&investor=example-capital&led=true');
    expect(counted.html).toContain('Led<span class="sr">; take it out');
    expect(counted.html).not.toMatch(withoutInvestor);
  });

  test('leads to the documentation from a query about the service or its words, and from no other', async () => {
    const own = await startConsole([aCompany({ name: 'Pricing', slug: 'pricing' }), aCompany({ name: 'Docker Hub' })], {
      publicPages: true,
    });
    const linkOf = async (at: Console, query: string) => {
      const html = await (await fetch(`${at.url}/search?${new URLSearchParams({ query })}`)).text();
      const [, href] = /About this service, not its records\? <a href="([^"]*)"/.exec(html) ?? [];
      return href;
    };
    const asked = [
      ...['help', 'pricing', 'api key', 'what is a unicorn', 'how do I pay', 'what counts as VC?', 'is it free'],
      ...['self-host in Docker', 'sign in', 'can I download the data', 'what does unsourced mean'],
    ];
    for (const query of asked)
      expect(await linkOf(open, query), query).toBe(`/docs/find?${new URLSearchParams({ query })}`);
    const others = ['key', 'data', 'unicorns', 'what is Acme', 'how much funding', 'api companies', 'wallet', ''];
    for (const query of others) expect(await linkOf(open, query), query).toBeUndefined();
    // A record has the name, but not only the word.
    expect([await linkOf(own, 'pricing'), await linkOf(own, 'docker')]).toEqual([undefined, '/docs/find?query=docker']);
    await own.close();
  });

  test('says where no filter is about what a sentence asks for, instead of advising fewer of them', async () => {
    const { text } = await read('/search?query=companies+with+revenue+over+1B');
    expect(text).toContain('Nothing is listed Nothing can be filtered, ordered or counted by “revenue”.');
    expect(text).not.toContain('fewer filters');
    expect(text).not.toContain('Narrow by');
    // Below the amount, and in no column of its own.
    const valued = await read('/search?query=rounds+by+valuation');
    expect(valued.text).toContain(' at $30M valuation ');
    expect(valued.text).not.toMatch(/Source Valuation/);
    // The record is there by its name, although a word beside it is not read.
    expect((await read('/search?query=Acme+TVL')).text).toMatch(/ records? for “Acme” alone /);
    const { text: unfunded } = await read('/search?query=companies+with+no+funding');
    expect(unfunded).toMatch(/ Read as companies (?!ignoring).* counted by “with no funding”\./);
    expect(unfunded).toMatch(/ Nothing is listed .* Without it: companies /);
    const offers = [
      'companies with a solo founder',
      'companies that are profitable',
      'profitable and audited companies',
    ];
    for (const query of offers) {
      const { text: offered } = await read(`/search?${new URLSearchParams({ query })}`);
      expect(offered).toMatch(/ Without it: companies All /);
    }
    const inTab = await read('/search?query=companies+with+no+funding&type=companies&sort=name');
    expect(inTab.html).toMatch(/Without it: <a href="\/search\?query=companies&amp;type=companies&amp;sort=name"/);
    const listed = await read('/search?query=DeFi+companies+besides+Acme');
    expect(listed.text).toContain('Read as companies');
    expect(listed.text).toContain('Nothing can be filtered, ordered or counted by “besides Acme”.');
    expect(listed.html).toContain('href="/companies/acme"');
  });

  test('can be taken along as JSON', async () => {
    const { html } = await read('/companies/acme');
    expect(html).toContain('href="/companies/acme.json"');
    const json = await (await fetch(`${open.url}/companies/acme.json`)).json();
    expect(json).toMatchObject({ type: 'companies', slug: 'acme', website: 'https://acme.example' });
    expect(json).toMatchObject({ investors_count: 2, funding_stages: ['seed', 'grant'] });
  });

  test('says what texts say, and does not run it', async () => {
    const { html } = await read('/companies/acme');
    expect(html).toContain('Wallets &lt;b>that&lt;/b> people understand');
  });

  test.each(['/people/ada-example', '/investors/example-capital', '/events/examplecon-2025', '/rounds/acme-seed'])(
    'is there for every type: %s',
    async (path) => {
      expect(await read(path)).toMatchObject({ status: 200, html: expect.stringContaining('</h1>') });
    },
  );

  test('is small, needs no script, and is kept by a browser until it changes', async () => {
    const first = await fetch(`${open.url}/companies/acme`, HTML);
    const html = await first.text();
    expect(Buffer.byteLength(html)).toBeLessThan(BYTES_MAX);
    expect(html).not.toMatch(/<script(?![^>]*src="\/assets\/pages\.js)/);
    expect(first.headers.get('cache-control')).toBe('public, max-age=60');
    // A key that somebody typed stays in no cache.
    const pasted = await fetch(`${open.url}/search?query=mk_${'a1'.repeat(24)}Z`, HTML);
    expect([pasted.status, pasted.headers.get('cache-control')]).toEqual([200, 'no-store']);
    const etag = first.headers.get('etag') ?? '';
    const again = await fetch(`${open.url}/companies/acme`, { headers: { ...HTML.headers, 'if-none-match': etag } });
    expect(again.status).toBe(304);
  });

  test('leads from a former address to the present one', async () => {
    const change = { action: 'merge', type: 'events', author: OPERATOR } as const;
    await open.store.records.change({ ...change, target: 'examplecon-2025', input: { slug: 'examplecon' } });
    const moved = await fetch(`${open.url}/events/examplecon-2025`, { ...HTML, redirect: 'manual' });
    expect([moved.status, moved.headers.get('location')]).toEqual([301, '/events/examplecon']);
  });

  test('404 as a page that leads on', async () => {
    const { status, text } = await read('/companies/nobody');
    expect([status, text]).toEqual([404, expect.stringContaining('There is no company “nobody”')]);
    expect((await read('/companies/acme-labs')).html).toContain('href="/search?query=acme+labs"');
    expect((await read('/companies/acme-corp')).text).toMatch(
      /There is no company “acme corp” Did you mean this one\? .*Acme .*Search for “acme corp” All companies /,
    );
    // A typo that another type has as a word, and one in the first word of a name.
    await open.store.records.putAll([aCompany({ name: 'Ethereal' }), aPerson({ name: 'Etheral Smith' })]);
    for (const [path, nearest] of [
      ['/companies/etheral', /Did you mean one of these\? .*Ethereal company .*Etheral Smith person /],
      ['/events/exmaplecon', /Did you mean one of these\? .*ExampleCon 2025 event /],
      ['/companies/acme-corp/rounds', /Did you mean this one\? .*Acme company /],
    ] as const) {
      const misspelt = await read(path);
      expect([path, misspelt.status, misspelt.text]).toEqual([path, 404, expect.stringMatching(nearest)]);
    }
    for (const [path, name] of [
      ['companies/acme-protocol-v4', 'Acme'],
      ['people/ada-exampel', 'Ada Example'],
      ['people/ada-example-phd', 'Ada Example'],
      ['investors/exmaple-capital', 'Example Capital'],
      ['investors/example-capital-management', 'Example Capital'],
      ['events/examplecon-2031', 'ExampleCon 2025'],
      ['rounds/acme-sed', 'Acme Seed'],
    ] as const)
      for (const [at, who] of [
        ['', undefined],
        ['/account/data', await open.person()],
      ] as const) {
        const html = (await (who === undefined ? read(`/${path}`) : who.get(`${at}/${path}`))) as Record<
          string,
          unknown
        >;
        const shown = String(html['html'] ?? html['text']);
        expect([path, at, html['status'], shown.includes(`<a href="${at}/${path.replace(/\/.*/, '/')}`)]).toEqual([
          path,
          at,
          404,
          true,
        ]);
        expect(shown).toMatch(new RegExp(`Did you mean.*>${name}<`, 's'));
      }
    const moved = await fetch(`${open.url}/people/adaexample/companies`, { ...HTML, redirect: 'manual' });
    expect([moved.status, moved.headers.get('location')]).toEqual([302, '/people/ada-example/companies']);
  });

  test.each([
    ['/events/xc25', '/events/examplecon'],
    ['/companies/example-capital', '/investors/example-capital'],
    ['/people/adaexample', '/people/ada-example'],
    // Of investors that rounds name and that have no record, the rounds are all there is.
    ['/investors/no-record-partners', '/search?type=rounds&investor=No+Record+Partners'],
    ['/investors/norecordpartners/portfolio', '/search?type=rounds&investor=No+Record+Partners'],
  ])('leads from a name to the only record, or else to the rounds, that have it: %s', async (path, to) => {
    const { status, headers } = await fetch(open.url + path, { ...HTML, redirect: 'manual' });
    expect([status, headers.get('location')]).toEqual([302, to]);
  });

  test('links an investor without a record to the rounds that name it', async () => {
    for (const path of ['/companies/acme', '/rounds/acme-seed'])
      expect((await read(path)).html).toContain(
        '<a href="/search?type=rounds&amp;investor=No+Record+Partners">No Record Partners</a>',
      );
    expect((await read('/search?type=rounds&investor=No+Record+Partners')).text).toMatch(/ 1 of the 2 rounds .* Acme /);
    expect((await read('/investors/no-such-partners')).status).toBe(404);
  });

  test('has an address without what a form leaves empty', async () => {
    for (const [path, to] of [
      ['/search?query=&type=companies&tag=&chain=Base', '/search?type=companies&chain=Base'],
      ['/search/aggregate?group_by=year&group_by=&of=rounds', '/search/aggregate?group_by=year&of=rounds'],
      ['/search?query=', '/search'],
      ['/account/requests?status=&key=2', '/account/requests?key=2'],
    ] as const) {
      const { status, headers } = await fetch(open.url + path, { ...HTML, redirect: 'manual' });
      expect([status, headers.get('location')]).toEqual([302, to]);
    }
  });

  test('404 at an address without a page: as a page for a browser, as JSON for a program', async () => {
    for (const path of ['/companies/acme', '/nothing', '/docs/nothing']) {
      const { status, text } = await read(path, shut);
      expect([status, text]).toEqual([404, expect.stringContaining('There is no page at this address')]);
      const response = await fetch(shut.url + path);
      expect([response.status, await response.json()]).toMatchObject([404, { code: 'not_found' }]);
    }
    const garbled = await read('/companies/%E0%A4%A');
    expect([garbled.status, garbled.text]).toEqual([
      400,
      expect.stringMatching(/400 This cannot be read .*a value mistyped.*Search and/),
    ]);
    const policy = (await fetch(`${open.url}/companies/%E0%A4%A`, HTML)).headers.get('content-security-policy');
    expect(policy).toBe((await fetch(`${open.url}/nothing`, HTML)).headers.get('content-security-policy'));
    const below = await fetch(`${shut.url}/api/nothing`, HTML);
    expect([below.status, await below.json()]).toMatchObject([404, { code: 'not_found' }]);
  });
});

test('a chart is a view of a list, which keeps its filters and leads to the records again', async () => {
  const { html, text } = await read('/search?type=rounds&funding_stage=seed&view=chart');
  expect(text).toMatch(/ 1 of the 2 rounds on record.* Cards Table CSV JSON Rounds by year .* 2022 1 /);
  expect(html).toContain('<a href="/search?type=rounds&amp;funding_stage=seed" class="button small">Table</a>');
  const { html: aggregate } = await read('/search/aggregate?of=rounds&group_by=year&funding_stage=seed');
  expect(aggregate).toContain('<a href="/search?type=rounds&amp;funding_stage=seed" class="button small">List</a>');
  const { html: words } = await read('/search?type=rounds&query=acme&view=chart');
  expect(words).toContain('href="/rounds/acme-seed"');
});

test('the aggregate page has stages in their order, and no bars of its table where a chart has them', async () => {
  const round = { company: 'Acme', amount_usd: '1000000.00' };
  const stages = ['series_a', 'series_a', 'seed'] as const;
  const own = await startConsole(
    [
      aCompany(),
      ...[2021, 2022].flatMap((year) =>
        stages.map((stage, index) =>
          aRound({ ...round, name: `R${year}-${index}`, stage, announced_date: `${year}-0${index + 1}-15` }),
        ),
      ),
    ],
    { publicPages: true },
  );
  const crossed = await read('/search/aggregate?of=rounds&group_by=year&group_by=stage', own);
  expect(crossed.text).toMatch(/ Year Seed Series A Total 2022 1 2 3 2021 1 2 3 /);
  const byYear = await read('/search/aggregate?of=rounds&group_by=year', own);
  expect(byYear.html).toMatch(/<svg class="bars"(?!.*<progress)/s);
  expect((await read('/search/aggregate?of=rounds&group_by=stage', own)).html).toContain('<progress');
  await own.close();
});

describe('the search of the pages', () => {
  test('offers the questions of the first page where nothing is asked for, and nowhere else', async () => {
    const offeredAt = async (path: string) => {
      const [, html = ''] = /<main\b(.*?)<nav class="kinds"|<main\b/s.exec((await read(path)).html) ?? [];
      return [...html.matchAll(/href="(\/search\?query=[^"]*)"[^>]*>([^<]*)</g)].map(([, to, text]) => [to, text]);
    };
    const offered = await offeredAt('/search');
    expect(offered.length).toBeGreaterThanOrEqual(3);
    expect(offered.length).toBeLessThanOrEqual(4);
    const { html } = await read('/');
    for (const [to, text] of offered) expect(html).toContain(`<a href="${to}">${text}</a>`);
    for (const [to = ''] of offered) expect((await read(to)).text).toMatch(/ Read as | by year /);
    expect(await offeredAt('/search?query=Acme')).toEqual([]);
  });

  beforeAll(startAnew);

  test('offers names: those that begin with the text, those that most sources list first, then those with such a word', async () => {
    const address = `${open.url}/search/names?query=exam`;
    const response = await fetch(address);
    const names = (await response.json()) as { name: string; kind: string; path: string }[];
    expect(names[0]).toEqual({ name: 'Example Capital', kind: 'investor', path: '/investors/example-capital' });
    const order = names.map(({ name }) => name);
    expect(order.slice(1, 3).toSorted()).toEqual(['ExampleCon 2024', 'ExampleCon 2025']);
    expect(order.slice(3).toSorted()).toEqual(['Ada Example', 'Grace Example']);
    const etag = response.headers.get('etag') ?? '';
    expect((await fetch(address, { headers: { 'if-none-match': etag } })).status).toBe(304);
    for (const none of ['e', 'funding rounds in 2022', ''])
      expect(await (await fetch(`${open.url}/search/names?query=${encodeURIComponent(none)}`)).json()).toEqual([]);
  });

  test('finds what the API finds, by kind', async () => {
    const all = await read('/search?query=acme');
    expect(all.text).toMatch(
      /Everything 6 Companies 1 People 2 Investors 0 Events 0 Rounds 2 Grants 1 .*Tag DeFi 1 .*, among the 6 matches.* 6 records that mention this word /,
    );
    expect(all.text).toMatch(
      / Acme company .*Ada Example person .*Rounds of Acme .*Acme Seed .*Other matches .*Acme Grant grant /,
    );
    // Of one that invests, its latest round, which its page would not reach.
    expect((await read('/search?query=example+capital')).text).toMatch(/ Rounds with Example Capital .*Acme Seed /);
    for (const [sentence, records] of [
      ['total raised by Acme', /among the (\d+) matches.* \1 records that mention this word /],
      [
        'compare Acme and Ada',
        /among the (\d+) matches.*\1 records , the nearest to these words, which no record has /,
      ],
    ] as const)
      expect((await read(`/search?query=${encodeURIComponent(sentence)}`)).text).toMatch(records);
    const people = await read('/search?query=acme&type=people');
    expect(people.text).toMatch(/Everything 6 .*Rounds 2 Grants 1 2 people .*Ada Example/);
    const rounds = await read('/search?query=acme&type=rounds');
    expect(rounds.text).toMatch(/Rounds 2 Grants 1 .* 2 rounds (?!.*grant )/);
  });

  test('lists rounds and grants apart, as kinds of their own', async () => {
    for (const address of ['/search?type=rounds', '/search?type=rounds&funding_stage=except:grant']) {
      const { text } = await read(address);
      expect(text).toMatch(
        / Rounds · web3-bi .*Everything 23 .*Rounds 2 Grants 13 (?!.*Only)(?!.*Grant \d).* 2 rounds .*Acme .* 1 May 2024 Undisclosed .*Acme .* 1 Mar 2022 Seed \$3M at \$30M valuation Example Capital 2 news\.example /,
      );
    }
    const rows = await fetch(`${open.url}/search?type=rounds&format=csv`, HTML);
    expect((await rows.text()).trim().split('\n')).toHaveLength(3);
    const json = await fetch(`${open.url}/search?type=rounds&format=json`, HTML);
    expect(json.headers.get('content-disposition')).toBe('attachment; filename=rounds.json');
    expect(await json.json()).toMatchObject([{ type: 'rounds', name: 'Acme Later' }, { stage: 'seed' }]);
    const grants = await read('/search?type=rounds&funding_stage=grant');
    expect(grants.text).toMatch(/ Grants · web3-bi .*Rounds 2 Grants 13 (?!.*Narrow by funding stage).* 13 grants /);
    expect(grants.html).toContain('href="/search?type=rounds&amp;funding_stage=grant&amp;view=chart"');
    expect(grants.text).toMatch(/ Company Date ↓ Programme Amount Given by .*Season 2 \$5,000 Grant Foundation /);
    // The newest round says nothing of how recent the grants are.
    expect(grants.text).toMatch(/ 13 grants +· grants to 1 May 2023 /);
    const { text: byYear } = await read('/search/aggregate?of=rounds&kind=grants');
    expect(byYear).toContain('Grants on record to 1 May 2023.');
    const { text: none } = await read('/search?type=rounds&funding_stage=grant&from=2031');
    expect(none).toContain('Grants are on record to 1 May 2023: nothing later is known here.');
    expect(none).not.toContain('Funding rounds are on record');
    const seeds = await read('/search?type=rounds&funding_stage=seed');
    expect(seeds.text).toMatch(/Rounds 1 Grants .*Only Funding stage Seed.* 1 of the 2 rounds on record/);
  });

  test('a tab keeps the stage that a sentence asks for, and the words state the stage that is listed', async () => {
    const companies = await read('/search?query=companies+that+raised+a+seed+in+2022');
    expect(companies.html).toContain('href="/search?query=companies+that+raised+a+seed+in+2022&amp;type=rounds"');
    const rounds = await read('/search?query=companies+that+raised+a+seed+in+2022&type=rounds');
    expect(rounds.text).toMatch(/Rounds 1 Grants (?!\d).*Funding stage Seed.* 1 funding round on record/);
    const grants = await read('/search?query=companies+that+raised+a+seed+in+2022&type=rounds&funding_stage=grant');
    expect(grants.text).not.toContain('Funding stage Seed');
    expect(grants.html).toContain('href="/search?query=companies+that+raised+a+seed+in+2022&amp;type=rounds"');
  });

  test('named companies stand side by side if a sentence compares them', async () => {
    const { text } = await read('/search?query=compare+Acme+and+Other');
    expect(text).toMatch(
      /Side by side Company Acme Other Page companies\/acme companies\/other .*Known funding \$3M .*Tags .*Wallets, DeFi/,
    );
    expect((await read('/search?query=Acme+and+Other')).text).not.toContain('Side by side');
  });

  test('the paths between two records stand in place of a list if a sentence asks for them', async () => {
    const { text } = await read('/search?query=how+is+Ada+Example+connected+to+Example+Capital');
    expect(text).toMatch(
      /Read as paths between Ada Example and Example Capital .* through Acme \. Through Acme .*role Founder Acme .*round Acme Seed · 1 Mar 2022 · Example Capital led a round of Acme .* Paths use only records on file, and each step shows one record even where several prove it; sources name only some investors/,
    );
    expect(text).not.toContain('Sort');
    const none = await read('/search?query=how+is+Ada+Example+connected+to+ExampleCon+2024');
    expect(none.text).toMatch(/No path is on record No path: ExampleCon 2024 has no known .*Ada Example person/);
    expect(none.text).not.toContain('Sort');
    expect((await read('/search?query=how+is+Ada+connected+to+Nobody')).text).not.toContain('Read as paths');
  });

  test('a page of its own connects two records, each by its address, its name, or one that is nearly it', async () => {
    const { text, html } = await read('/companies/acme');
    expect(text).toContain('Connection to another record');
    expect(html).toContain('name="from" value="companies/acme"');
    const start = await read('/search/connections');
    const examples = [...start.html.matchAll(/href="(\/search\/connections\?from=[^"]*)">([^<]* and [^<]*)</g)];
    expect(examples.length).toBeGreaterThan(0);
    expect(start.text).toMatch(/For example: Example Capital and Acme Example Capital took part in .* of Acme/);
    for (const [, to = ''] of examples)
      expect((await read(to.replaceAll('&amp;', '&'))).text).toMatch(/How is .* connected to [^…]*\?/);
    expect(start.text).toContain('on record; rounds and roles with their sources.');
    const found = await read('/search/connections?from=companies%2Facme&to=Example+Capital');
    expect(found.text).toMatch(/How is Acme connected to Example Capital\? .*Example Capital took part in .* of Acme/);
    const unclear = await read('/search/connections?from=companies%2Facme&to=Exampel+Capital');
    expect(unclear.text).toMatch(/Which record is “Exampel Capital”\? Example Capital investor/);
    expect(unclear.html).toContain('to=investors%2Fexample-capital');
    expect((await read('/search/connections?from=Acme&to=Zzyzx+Qwv')).text).toContain('No record has a name like');
  });

  test('of several records that a name may mean, those whose own name has it come first, and of these those of its words', async () => {
    const own = await startConsole(
      [
        ...['Alpha', 'Beta', 'Gamma', 'Delta', 'Epsilon'].map((name) => aCompany({ name, aliases: [`${name} Zed`] })),
        aCompany({ name: 'Echo', aliases: ['Zedd'] }),
        ...['Zedd', 'Zedekiah', 'Old Zed'].map((name) => aPerson({ name })),
      ],
      { publicPages: true },
    );
    const choicesOf = async (name: string) => {
      const { html } = await read(`/search/connections?to=${name}`, own);
      return [...html.matchAll(/connections\?from=&amp;to=[^"]*">([^<]*)</g)].map(([, text]) => text);
    };
    expect((await choicesOf('zed')).slice(0, 3)).toEqual(['Old Zed', 'Zedd', 'Zedekiah']);
    expect(await choicesOf('zed')).toHaveLength(5);
    // Both have the name, one as a further name.
    expect(await choicesOf('Zedd')).toEqual(['Zedd', 'Echo']);
    await own.close();
  });

  test('two records that one company stands between both invested in it only if it raised from both', async () => {
    const round = { announced_date: '2025-06-15', lead_investors: [] };
    const own = await startConsole(
      [
        ...['Zorblend', 'Quent', 'Tamsin'].map((name) => aCompany({ name })),
        ...['Busy Fund', 'Rare Lead', 'Late Fund'].map((name) => anInvestor({ name, portfolio: [] })),
        aRound({ ...round, name: 'Zorblend A', company: 'Zorblend', investors: ['Busy Fund'] }),
        aRound({ ...round, name: 'Zorblend B', company: 'Zorblend', investors: ['Rare Lead'] }),
        // Zorblend invests beside Late Fund.
        aRound({ ...round, name: 'Quent A', company: 'Quent', investors: ['Late Fund', 'Zorblend'] }),
        // Newer rounds of each, with others who took part in both.
        ...Array.from({ length: 10 }, (_, n) => anInvestor({ name: `Bridge ${n}`, portfolio: [] })),
        ...['Busy Fund', 'Rare Lead'].flatMap((name, end) =>
          Array.from({ length: 10 }, (_, n) => {
            const investors = [name, `Bridge ${n}`];
            return aRound({
              ...{ name: `Tamsin ${end} ${n}`, company: n % 2 ? `T${end}${n}` : `S${end}${n}` },
              ...{ announced_date: '2026-01-01', lead_investors: [], investors },
            });
          }),
        ),
      ],
      { publicPages: true },
    );
    const between = async (to: string): Promise<string> =>
      (await read(`/connections?from=Busy+Fund&to=${to}`, own)).text;
    // The path through what is named stands first, with the round of each step.
    expect(await between('Rare+Lead')).toMatch(
      /Busy Fund and Rare Lead both invested in Zorblend ?\. Through Zorblend .*Zorblend A .*Zorblend B .*Further paths Through Bridge /,
    );
    expect(await between('Late+Fund')).toMatch(/Busy Fund and Late Fund are 2 steps apart, through Zorblend /);
    await own.close();
  });

  test('lists the grants under their name where nothing else matches', async () => {
    const { text } = await read('/search?type=rounds&query=acme+grant');
    expect(text).toMatch(/Grants 1 .* 1 grant .*Acme .* 1 Jan 2023 Season 2 \$5,000/);
    expect((await read('/search?type=rounds&funding_stage=grant')).text).toContain('Number of grants with each value');
    expect((await read('/search?query=grants+in+2023')).text).toMatch(/ Read as grants Year 2023 ; take it out /);
    const both = await read('/search?query=rounds+of+2021+to+2024');
    expect(both.text).toMatch(/Rounds 2 Grants 13 .*2 rounds on record.*Acme .* 1 May 2024 Undisclosed /);
  });

  test('begins with some records of each kind, and has the rounds on the pages after the other records', async () => {
    const { html, text } = await read('/search');
    expect(text).toMatch(/Everything 23 .*Rounds 2 Grants 13 .*Tag DeFi 16 .*Number of records with .* 23 records /);
    expect(text).toMatch(
      / Search and browse 2 companies, .* and 13 grants\. .* rounds over 100M in 2024 .* Companies by known funding All companies .*Acme .*People .* All people .*Ada .*Investors .* All investors .*Events .* All events .*Rounds the latest All rounds .*Acme Later .*Grants the largest All grants /,
    );
    expect(html).not.toContain('rel="next"');
    expect((await read('/search?sort=-total_funding_usd')).text).toMatch(
      / 23 records .* · rounds and grants come last Sort /,
    );
    expect((await read('/search?page=2')).text).toMatch(/Grant \d+ grant .*Previous/);
  });

  test.each([
    ['/search?page=999', 'page=2'],
    ['/search?type=people&view=table&page=90071992', 'type=people&amp;view=table'],
    ['/investors/grant-foundation/rounds?page=3', '/investors/grant-foundation/rounds?page=1'],
  ])('says that there is no such page, and leads to the last one: %s', async (path, last) => {
    const { html, text } = await read(path);
    expect(text).toMatch(/There is no page [\d,]+ The list ends on page [12] \./);
    expect(html).toContain(last);
    expect(html).not.toMatch(/class="record-name"|class="related"|<table/);
  });

  test('counts the values of a result, each with the address that narrows it', async () => {
    const { html, text } = await read('/search?type=companies&show=all');
    // Without keywords, the companies with the most funding come first.
    expect(text).toMatch(/Acme .*\$3M known .*Other/);
    expect(html).toContain('<option value="-total_funding_usd" selected>');
    expect(text).toMatch(/Tag DeFi 2 Wallets 1 .*Number of companies with each value; /);
    expect(html).toContain('href="/search?type=companies&amp;tag=DeFi&amp;show=all"');
    const narrowed = await read('/search?type=companies&tag=Wallets');
    expect(narrowed.text).toMatch(/Only Tag Wallets .* 1 company /);
    expect(narrowed.html).toContain('href="/search?type=companies&amp;tag=Wallets%7CDeFi"');
    expect((await read('/search?type=companies&query=other')).text).toMatch(/Tag DeFi 1 Wallets 1 /);
  });

  test('lists the companies with known funding, and leads to all of them and back', async () => {
    const named = ['Funded', 'Also Funded', 'Bare'].map((name, index) =>
      aCompany({ name, tags: ['DeFi'], total_funding_usd: index < 2 ? `${index + 1}000000.00` : null }),
    );
    const own = await startConsole([...named, aPerson({ name: 'Ada' })], { publicPages: true });
    const { html, text } = await read('/search?type=companies', own);
    expect(html).toContain('<title>Companies with known funding · web3-bi</title>');
    expect(text).toMatch(/Companies 3 People 1 .*Tag DeFi 2 .* 2 companies with known funding · Show all 3 /);
    expect(text).not.toMatch(/ Only | Bare /);
    expect(html).toContain('href="/search?type=companies&amp;funding_min=1&amp;tag=DeFi"');
    // What is typed is searched in all companies, and so are other kinds.
    expect(html).toMatch(/<input type="hidden" name="type" value="companies"\/><button type="submit"/);
    expect(html).toContain('href="/search?type=people"');
    const all = await read('/search?type=companies&show=all', own);
    expect(all.text).toMatch(/Tag DeFi 3 .* 3 companies · Show those with known funding .* Bare /);
    expect(all.html).toContain('href="/search?type=companies&amp;tag=DeFi&amp;show=all"');
    expect((await read('/search?type=companies&tag=DeFi', own)).text).toContain(' 3 companies ');
    const rows = await fetch(`${own.url}/search?type=companies&format=csv`, HTML);
    expect(await rows.text()).not.toContain('bare');
    await own.close();
  });

  test('lists all values of a filter that has more than fit beside the result, each with its address', async () => {
    const chains = Array.from({ length: 120 }, (_, index) => `Chain ${index}`);
    const own = await startConsole(
      [aCompany({ name: 'Many', tags: ['DeFi'], chains }), aCompany({ name: 'One', chains: ['Chain 7'] })],
      { publicPages: true },
    );
    const { html } = await read('/search?type=companies&tag=DeFi', own);
    const address = /href="([^"]*values=chain)"[^>]*>All 120</.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const all = await read(address, own);
    expect(all.html).toContain('<title>Companies, Tag DeFi, by chain · web3-bi</title>');
    expect(all.text).toMatch(/Only Tag DeFi .*Back to the companies Chain 120 values, .*Chain 0 1 .*Page 1 2 Next/);
    expect(all.html).toContain('href="/search?type=companies&amp;tag=DeFi&amp;chain=Chain+7"');
    expect((await read(`${address}&page=2`, own)).html.match(/chain=Chain/g)).toHaveLength(20);
    expect(Buffer.byteLength(all.html)).toBeLessThan(BYTES_MAX);
    // Too many for a select.
    expect(html).toMatch(/<input id="f-chain"[^>]*list="f-chain-values"[^>]*>.*<option>Chain 0<.*<\/datalist>/);
    await own.close();
  });

  test('begins a list of events with the next one, and says in which order a list is', async () => {
    const dates = ['2024-05-01', '2031-01-01', null, '2030-06-02', '2025-03-01', '2030-06-01'];
    const events = dates.map((date) => anEvent({ name: `Con ${date}`, start_date: date, series_slug: null }));
    const past = Array.from({ length: 18 }, (_, index) => anEvent({ name: `Old ${index}`, start_date: '2010-01-01' }));
    const people = [aPerson({ name: 'Ada' })];
    const own = await startConsole([...events, ...past, ...people], { publicPages: true });
    own.setNow(new Date('2030-06-01T12:00:00Z'));
    const first = await read('/search?type=events', own);
    expect(first.html).toContain('<option value>Upcoming, then the latest</option>');
    expect(first.text).toMatch(
      /Con 2030-06-01 .*Con 2030-06-02 .*Con 2031-01-01 .*Con 2025-03-01 .*Con 2024-05-01 .*Old /,
    );
    expect(first.text).toContain(' 24 events · events to 1 Jan 2031 ');
    expect(first.text).toMatch(/ 2030 C Con 2030-.* 2031 C Con 2031-/);
    expect(first.html.match(/class="record-name"/g)).toHaveLength(20);
    const second = await read('/search?type=events&page=2', own);
    expect(second.text).toMatch(/Old .*Con null /);
    expect(second.html.match(/class="record-name"/g)).toHaveLength(4);
    expect((await read('/search?type=events&starts_before=2026-01-01', own)).text).toMatch(/Con 2025.*Con 2024/);
    own.setNow(new Date('2031-01-02T12:00:00Z'));
    expect((await read('/search?type=events', own)).text).toContain(
      ' none is upcoming: the last on record begins on 1 Jan 2031 ',
    );
    expect((await read('/search?type=events', own)).html).toContain('<option value>Past events, latest first</option>');
    const inPlace = await read('/search?type=people&country=isle%20of%20man', own);
    expect(inPlace.html).toContain('<title>People, Country Isle of Man · web3-bi</title>');
    expect((await read('/search?type=people', own)).html).toContain(
      '<option value="-angel_investments" selected>Angel investments, most first</option>',
    );
    expect((await read('/search?type=people&query=ada', own)).html).toContain(
      '<option value>Best match first</option>',
    );
    const rounds = await read('/search?type=rounds');
    expect(rounds.html).toContain('<option value="-announced_date" selected>Announced date, latest first</option>');
    expect(rounds.html).not.toContain('Best match first');
    await own.close();
  });

  test('says in words how it read a sentence, and what is left out for want of a fact', async () => {
    const { text } = await read('/search?query=wallets+companies+in+portugal');
    expect(text).toMatch(/Read as companies Tag Wallets .* Country Portugal .* 1 company /);
    const known = await read('/search?type=companies&country=Portugal');
    expect(known.text).toContain('Not counted, though some may match: 1 whose country is not known.');
  });

  test('links to companies like the one found, if the sentence asks for them', async () => {
    const { html, text } = await read('/search?query=acme+competitors');
    expect(text).toMatch(
      /Read as similar to Acme What they share with Acme .*None is on record\. Nothing on record is similar to Acme\./,
    );
    const [, address = ''] = /href="([^"]*#similar)"/.exec(html) ?? [];
    expect(address).toMatch(/companies\/acme#similar$/);
    expect((await read(address.replace(/#.*/, ''))).html).toContain('<section class="card" id="people">');
  });

  test('says that it lists companies like the one that a sentence names, where there are any', async () => {
    const shared = { tags: ['lending', 'margin trading'], chains: ['Base'] };
    const own = await startConsole(
      ['Alphalend', 'Betalend', 'Gammalend'].map((name) => aCompany({ ...shared, name, slug: name.toLowerCase() })),
      { publicPages: true },
    );
    const { html, text } = await read('/search?query=alternatives+to+alphalend', own);
    expect(text).toMatch(
      /Read as similar to Alphalend What they share with Alphalend 2 companies similar to Alphalend /,
    );
    expect(html).toContain('similar to <a href="/companies/alphalend">Alphalend</a>');
    expect(html.match(/Alphalend/g)).toHaveLength(3);
    expect(text).not.toContain('ignoring');
    await own.close();
  });

  test('names the periods that are compared, and says that the list also has what is between them', async () => {
    const between = 'The list also has what was announced between Q1 2024 and Q1 2025.';
    const days = ['2024-02-01', '2024-08-01', '2025-02-01'];
    const rounds = days.map((day) =>
      aRound({ name: `Near ${day}`, company: 'Near', amount_usd: '1000000.00', announced_date: day }),
    );
    const own = await startConsole([aCompany({ name: 'Near', slug: 'near' }), ...rounds], { publicPages: true });
    const { text } = await read('/search?query=Q1+2024+vs+Q1+2025+funding', own);
    expect(text).toContain(`Read as rounds Q1 2024 and Q1 2025 ; take it out × Amount (USD), largest first ${between}`);
    const adjacent = await read('/search?query=2024+vs+Q1+2025+funding', own);
    expect(adjacent.text).toMatch(
      /Read as rounds 2024 and Q1 2025 ; take it out × Amount \(USD\), largest first Total/,
    );
    await own.close();
  });

  test('says which values a filter leaves out', async () => {
    for (const [tag, words] of [
      ['DeFi|not:Wallets', 'Tag DeFi but not Wallets'],
      ['not:DeFi|Wallets', 'Tag not DeFi or Wallets'],
    ])
      expect((await read(`/search?type=companies&tag=${tag}`)).text).toContain(` ${words} `);
  });

  test('leads a keyboard past the values of a result to its records', async () => {
    const { html } = await read('/search?type=companies');
    expect(html).toMatch(/href="#found"(.|\n)*<div id="found"/);
  });

  test('lists a sentence that is wholly filters like a list with these filters, and says in which order', async () => {
    const { html, text } = await read('/search?query=defi+companies');
    expect(text).toMatch(/Read as companies Tag DeFi .* 2 companies .*Acme .*\$3M known .*Other/);
    expect(html).toContain('<option value="-total_funding_usd" selected>');
    const rows = await fetch(`${open.url}/search?query=defi+companies&format=csv`, HTML);
    expect(await rows.text()).toMatch(/\n[^\n]*acme[^\n]*\n[^\n]*other[^\n]*\n$/);
    const updated = await fetch(`${open.url}/search?query=recently+updated&type=companies&format=csv`, HTML);
    expect(await updated.text()).toMatch(/^[^\n]*,updated_at,unsourced_fields\n/);
    expect((await read('/search?query=rounds+of+Zzyzx')).text).toContain('No record has this name.');
  });

  test('takes the name that other searches have for the query, and names what it does not know', async () => {
    const { headers, status } = await fetch(`${open.url}/search?q=acme&type=people`, { ...HTML, redirect: 'manual' });
    expect([status, headers.get('location')]).toEqual([301, '/search?query=acme&type=people']);
    const other = await fetch(`${open.url}/aggregate?of=rounds`, { ...HTML, redirect: 'manual' });
    expect([other.status, other.headers.get('location')]).toEqual([301, '/search/aggregate?of=rounds']);
    expect((await read('/search?query=acme')).text).not.toContain('unknown to this page');
    expect((await read('/search?query=acme&chian=Base')).text).toContain('chian is unknown to this page');
    const known = '/search/aggregate?of=rounds&group_by=year&measure=sum&top=10&kind=all&tag=DeFi';
    expect((await read(known)).text).not.toContain('unknown to this page');
    expect((await read(`${known}&by=year&per=year`)).text).toContain('by, per are unknown to this page');
  });

  test('lists a kind of record at its name', async () => {
    const { headers } = await fetch(`${open.url}/investors?country=Portugal`, { ...HTML, redirect: 'manual' });
    expect(headers.get('location')).toBe('/search?type=investors&country=Portugal');
  });

  test('is a table with the columns and the order that are asked for, and marks the words', async () => {
    const { html, text } = await read(
      '/search?type=rounds&view=table&columns=stage&columns=amount_usd&sort=-amount_usd',
    );
    expect(text).toMatch(/Sort .*Name Stage Amount ↓ .*Acme Seed Seed \$3M .*Acme Later Undisclosed /);
    expect(html).toContain('aria-sort="descending"');
    expect(html).toContain('<option value="-amount_usd" selected>Amount (USD), largest first</option>');
    expect((await read('/search?query=acm')).html).toContain('<mark>Acme</mark>');
    // As the form of filters sends them.
    const usual = 'announced_date,company,stage,amount_usd,lead_investors,investors,announcement';
    expect((await read(`/search?type=rounds&columns=${usual}`)).text).toMatch(/ Company Date ↓ Stage Amount /);
  });

  test('shows the field of its order, and takes no question word for a part of the query', async () => {
    const investor = anInvestor({ name: 'Leading Capital', investments_count: 5, lead_count: 3 });
    const company = aCompany({ name: 'Old', year_founded: 2011 });
    const own = await startConsole([investor, company], { publicPages: true });
    const led = await read('/search?query=which+investors+led+the+most+rounds', own);
    expect(led.text).toMatch(/Rounds led, most first .*Leading Capital 3 led of 5 rounds/);
    expect((await read('/search?type=companies&sort=year_founded', own)).text).toContain('founded 2011');
    expect((await read('/search?type=companies', own)).text).not.toContain('founded 2011');
    await own.close();
  });

  test('shows the sentence that matches where name and tagline do not', async () => {
    const { html } = await read('/search?query=zebra');
    expect(html).toContain('>Companies include <mark>Zebra</mark> Labs.</p>');
    expect((await read('/search?query=example+capital')).text).not.toContain('Companies include');
  });

  test.each([
    ['/search', 'Search and browse'],
    ['/search?type=rounds&investor=example-capital&led=true', 'Rounds, Led by Example Capital'],
    ['/search?type=rounds&funding_min=10000001', 'Rounds, Funding > $10M'],
    ['/search?query=acme', 'acme'],
  ])('has a title of its own: %s is %s', async (path, title) => {
    expect((await read(path)).html).toContain(`<title>${title} · web3-bi</title>`);
  });

  test('says of which day the newest round is, and so do aggregates', async () => {
    for (const path of ['/search', '/search?query=acme', '/search/aggregate'])
      expect((await read(path)).text).toMatch(/funding rounds (on record )?to 1 May 2024/i);
  });

  test('offers the values of a filter, and both bounds of a field together, in words', async () => {
    const { html, text } = await read('/search?type=companies');
    expect(html).toMatch(/<select id="f-tag" [^>]*><option value>Any<\/option><option>DeFi<\/option>/);
    const chosen = await read('/search?type=companies&tag=wallets');
    expect(chosen.html).toMatch(/<select id="f-tag".*<option selected>Wallets<\/option>/);
    expect((await read('/search?type=companies&country=not:Portugal')).html).toContain(
      '<option value="not:Portugal" selected>not Portugal</option>',
    );
    expect(html).toMatch(
      /<input id="f-investor"[^>]*list="f-investor-values"[^>]*>.*<option>Example Capital<\/option>/,
    );
    // Who only gave grants would find no company.
    expect(html).not.toContain('<option>Grant Foundation</option>');
    expect(text).toMatch(/Funding, US\$ Funding, at least Funding, at most .*Founded Founded, from Founded, to /);
    const narrowed = await read('/search?type=companies&funding_min=1000');
    expect(narrowed.text).toMatch(/Not counted, though some may match: \d+ whose funding is not known\./);
    const inPeriod = await read('/search?type=companies&funding_min=1000&from=2020-01-01&country=Portugal');
    expect(inPeriod.text).toContain('The funding of companies is of all years');
    expect(inPeriod.html).toContain(
      '/search?type=rounds&amp;country=Portugal&amp;funding_min=1000&amp;from=2020-01-01"',
    );
    expect(narrowed.text).not.toContain('of all years');
    const large = await read('/search?type=rounds&funding_min=1000');
    expect(large.text).toMatch(/some may match: \d+ whose amount is not known\./);
    const founded = await read('/search?type=companies&founded_from=2000&founded_to=2020');
    expect(founded.text).toMatch(/some may match: \d+ whose year founded is not known\./);
    // A company has no date of its own.
    const raised = await read('/search?type=companies&from=2022');
    expect(raised.text).toMatch(/some may match: \d+ with no round on record whose date is known\./);
    expect((await read('/search?type=grants')).text).toContain(
      'Kind : there is no kind of record called “grants”. type=grants Choose Grants',
    );
  });

  test('gives its rows as CSV', async () => {
    const response = await fetch(`${open.url}/search?type=companies&tag=Wallets&columns=tags&format=csv`, HTML);
    expect(response.headers.get('content-type')).toContain('text/csv');
    expect(await response.text()).toBe(
      'type,id,name,slug,tags,unsourced_fields\ncompanies,2,Other,other,Wallets|DeFi,\n',
    );
  });

  test('says what is wrong with a filter, and has its form all the same', async () => {
    const { status, text } = await read('/search?type=companies&founded_from=2020&founded_to=2010');
    expect(status).toBe(400);
    expect(text).toContain('Founded from : 2020 is after 2010, where the range ends. founded_from=2020');
    expect(text).toContain('All filters');
  });

  test('shows what was typed as text, and is not listed', async () => {
    const { html } = await read('/search?query=%22%3E%3Cscript%3Ealert(1)%3C/script%3E');
    expect(html).not.toContain('<script>alert');
    expect(html).toContain('<meta name="robots" content="noindex"');
  });
});

test('a table of people has their roles with titles, and lists that end with how many more there are', async () => {
  const { text } = await read('/search?type=people&view=table');
  expect(text).toMatch(/Name Roles Ada Example Founder, Acme Grace Example Engineer, Acme/);
  const own = await startConsole([aCompany({ name: 'Wide', tags: ['Infrastructure', 'Developer Tools', 'DeFi'] })], {
    publicPages: true,
  });
  expect((await read('/search?type=companies&view=table&columns=tags', own)).text).toContain('Infrastructure +2');
  await own.close();
});

describe('what stands beside a record', () => {
  const STAGES = ['seed', 'series_a', 'series_b', 'series_c', null];
  const rounds = STAGES.map((stage, index) =>
    aRound({
      name: `Acme round ${index}`,
      slug: `acme-${index}`,
      company: 'Acme',
      stage,
      announced_date: `202${index}-02-01`,
      lead_investors: index === 1 ? ['Late Capital'] : [],
      investors: ['Early Capital', ...(index > 0 ? ['Late Capital'] : [])],
    }),
  );
  const investors = ['Early Capital', 'Late Capital'].map((name) =>
    anInvestor({
      name,
      overview: `${name} has taken part in funding rounds since 2020, and has led some of them. Companies: Acme, an exchange.`,
    }),
  );
  const SPEAKERS = ['Ada', 'Bea', 'Cem', 'Dee'];
  const eventOn = (name: string, start_date: string, series_slug?: string, speakers: readonly string[] = []) =>
    anEvent({ name, start_date, series_slug, speakers });
  const rows = [
    ...[aCompany({ name: 'Acme', slug: 'acme', tags: ['DeFi'] }), ...investors, ...rounds],
    ...[eventOn('Main 2025', '2025-06-10', 'main', SPEAKERS), eventOn('Main 2024', '2025-06-05', 'main')],
    eventOn('Main 2026', '2026-06-10', 'main'),
    ...[eventOn('Side Day', '2025-06-09'), eventOn('Summer Day', '2025-07-09'), eventOn('Far Day', '2025-08-01')],
    ...SPEAKERS.map((name, index) =>
      aPerson({
        name,
        events: ['Main 2025'],
        roles:
          index === 3
            ? []
            : [
                {
                  organization: ['Acme', 'Early Capital', 'Elsewhere'][index],
                  title: index === 1 ? 'Founder' : 'Speaker',
                },
              ],
      }),
    ),
  ];
  let service: Console;
  beforeAll(async () => {
    service = await startConsole(rows, { publicPages: true });
  });
  afterAll(() => service.close());

  test('investors of a round have the other rounds of its company that they took part in', async () => {
    const { text } = await read('/rounds/acme-1', service);
    expect(text).toMatch(/Investors 2 .*Late Capital Lead · also in Series B 2022, Series C 2023 and 1 more/);
    expect(text).toMatch(/Early Capital also in Seed 2020, Series B 2022 and 2 more/);
  });

  test('an investor has the tags of its companies, and the stages and countries of its rounds, each with its list', async () => {
    const { html, text } = await read('/investors/early-capital', service);
    expect(text).toMatch(/What it funds .*Tag DeFi 1 Stage .*Seed 1/);
    expect(html).toContain('/search?type=rounds&amp;investor=early-capital&amp;funding_stage=seed');
    const late = await read('/investors/late-capital', service);
    expect(late.text).not.toContain('What it funds');
    expect(late.text).toContain('funding rounds since 2020, and has led 1 of them. Companies');
  });

  test('an event has the organisations of its speakers, and the events nearest to it but other editions', async () => {
    const { text } = await read('/events/main-2025', service);
    expect(text).toMatch(
      /Organisations and projects of the speakers 3 organisations and projects, known of 3 of the 4 speakers\. .*Acme 1 speaker .*Elsewhere 1 speaker/,
    );
    expect(text).toMatch(
      /Around the same time .*Side Day 9 Jun 2025 – 1 day earlier Summer Day 9 Jul 2025 – 29 days later(?!.*(Far Day|Main 2024))/,
    );
    expect(text).toMatch(/Speakers 4 Editions on record 3 Followed by Main 2026 /);
    expect(text).toMatch(/Speakers Founders \(1\) come first, by .* B Bea Founder, Early Capital A Ada /);
    expect((await read('/events/far-day', service)).text).toMatch(/Around the same time .*Summer Day/);
    // One whose speakers no source names has the founders at the last edition before it.
    expect((await read('/events/main-2026', service)).text).toMatch(
      /states Main 2026’s place or speakers\. .*Founders who spoke at Main 2025 All 4 speakers .*Bea Founder, Early Capital /,
    );
    expect((await read('/events/main-2024', service)).text).not.toContain('Founders who spoke');
  });

  test('a search for a series has its editions, the newest first, and one for who spoke most has nothing else', async () => {
    for (const path of ['/search?query=main', '/search?type=events&query=main'])
      expect((await read(path, service)).text).toMatch(
        /3 editions of Main are on record, 2025 to 2026; the newest is Main 2026 .*Editions of Main .*Main 2026 .*Main 2025 .*Main 2024/,
      );
    const most = await read('/search?query=who+spoke+at+most+events', service);
    expect(most.text).toMatch(/Events by speaker .*Ada 1/);
    expect(most.text).not.toContain('Sort');
  });
});

test('the full list of speakers begins with founders, and has all of its pages where they are too many to order', async () => {
  const founder = aPerson({ name: 'Zed', events: ['small'], roles: [{ organization: 'Acme', title: 'Founder' }] });
  const many = Array.from({ length: 501 }, (_, index) => aPerson({ name: `Speaker ${index}`, events: ['big'] }));
  const events = [anEvent({ name: 'Small', slug: 'small' }), anEvent({ name: 'Big', slug: 'big' })];
  const other = aPerson({ name: 'Ann', events: ['small', 'big'] });
  const third = aPerson({ name: 'Bob', slug: 'bob', events: ['small'] });
  const own = await startConsole([...events, other, founder, third, ...many], { publicPages: true });
  try {
    const small = await read('/events/small/speakers', own);
    expect(small.text).toMatch(/Founders come first.* Zed .* Ann /);
    expect((await read('/people/bob', own)).text).toMatch(
      /Others at Small All 3 speakers .* Zed Founder, Acme .* Ann /,
    );
    const last = await read('/events/big/speakers?page=11', own);
    expect(last.html.match(/href="\/people\/[^"]+"/g)).toHaveLength(502 - 10 * 48);
    expect(last.text).not.toContain('Founders come first');
  } finally {
    await own.close();
  }
});

test('people of an organisation are listed by their role, and by how new the source of it is', async () => {
  const at = (name: string, title: string, role: object = {}) =>
    aPerson({ name, slug: name.toLowerCase(), roles: [{ organization: 'Acme', title, is_current: true, ...role }] });
  const rows = [
    aCompany({ name: 'Acme', slug: 'acme' }),
    at('Eng', 'Engineer', { as_of: '2020-01-01' }),
    at('Was', 'CEO', { is_current: false }),
    at('Dev', 'Developer', { as_of: '2025-01-01' }),
    at('Cto', 'CTO'),
    at('Own', 'Founder'),
  ];
  const own = await startConsole(rows, { publicPages: true });
  try {
    const order = ['own', 'cto', 'dev', 'eng', 'was'];
    for (const path of ['/companies/acme', '/companies/acme/people', '/people/own']) {
      const { html } = await read(path, own);
      const [, listed = ''] = html.split(path === '/people/own' ? '>Colleagues</h2>' : '<main');
      const slugs = [...listed.matchAll(/<li>.*?href="\/people\/(\w+)"/g)].map(([, slug]) => slug);
      expect(slugs, path).toEqual(order.slice(path === '/people/own' ? 1 : 0));
    }
    expect((await read('/companies/acme/people', own)).text).toContain('Founders come first, then those who lead it');
  } finally {
    await own.close();
  }
});

test('an aggregate counts its groups without the records that have no value', async () => {
  const own = await startConsole(
    [
      ...Array.from({ length: 12 }, (_, index) => aCompany({ name: `Of ${index}`, tags: [`Tag ${index}`] })),
      aCompany({ name: 'Of two', tags: ['Tag 0', 'Tag 1'] }),
      aCompany({ name: 'Untagged', tags: [], year_founded: 2011 }),
    ],
    { publicPages: true },
  );
  const { html } = await read('/search/aggregate?of=companies&group_by=year_founded', own);
  expect(html).toContain('<a href="/search?type=companies&amp;founded_from=2011&amp;founded_to=2011">2011</a>');
  const { text } = await read('/search/aggregate?of=companies&group_by=tag&top=10', own);
  expect(text).toMatch(/14 companies\. For 1 no tag is known\. The first 10 of 12 tags are shown\./);
  const both = await read('/search/aggregate?of=companies&group_by=tag&measure=sum,count&top=5', own);
  expect(both.text).toMatch(/The first 5 of 12 tags are shown\./);
  const columns = await read('/search/aggregate?of=companies&group_by=year_founded,tag', own);
  expect(columns.text).toMatch(/The 5 largest of 12 columns are shown/);
  await own.close();
});

test('a chart names the year before the last as the others, beside which the last says where it ends', async () => {
  const years = Array.from({ length: 14 }, (_, index) => 2013 + index);
  const own = await startConsole(
    years.map((year) => aRound({ name: `Of ${year}`, company: 'Acme', announced_date: `${year}-06-09` })),
    { publicPages: true },
  );
  const { html } = await read('/search?type=rounds&view=chart', own);
  const classOf = (year: number) =>
    new RegExp(`<text( class="[^"]*")? x="[^"]*" y="[^"]*">${year} *</text>`).exec(html);
  expect(html).toContain('>to 9 Jun<');
  expect(classOf(2025)?.[1]).toBe(classOf(2023)?.[1]);
  expect(classOf(2025)).not.toBeNull();
  await own.close();
});

test('an aggregate of pairs has in each cell each measure that may be added, and otherwise a row for each pair', async () => {
  await startAnew();
  const asked = '/search/aggregate?of=rounds&group_by=year,stage';
  const both = await read(`${asked}&measure=sum,count`);
  expect(both.text).toContain('Total amount and number of funding rounds by year and stage');
  expect(both.text).toMatch(/ 2022 \$3M 1 round – \$3M 1 round /);
  expect((await read(`${asked}&measure=sum`)).text).toMatch(/ 2022 \$3M – \$3M /);
  const all = await read(`${asked}&measure=sum,count,median`);
  expect(all.text).toMatch(/ 2022 Seed \$3M 1 \$3M /);
});

describe('the coverage page', () => {
  beforeAll(startAnew);

  test('counts each kind, grants apart, from its first day to its last', async () => {
    const { html, text } = await read('/coverage');
    expect(text).toMatch(
      /Rounds 2 0% 1 Mar 2022 1 May 2024 Announcement Grants 13 0% 1 May 2021 1 May 2023 Announcement Companies 2 /,
    );
    expect(html).toContain('href="/search?type=rounds&amp;funding_stage=grant"');
    expect((await read('/')).html).toContain('href="/coverage"');
  });

  test('shows how many records have a field', async () => {
    const { text } = await read('/coverage');
    expect(text).toMatch(/Country 1 50% City 1 50% Tag 2 100% .*Status 1 50% Status since 1 50% People /);
    expect(text).toMatch(/Rounds Field .* Amount \(USD\) 1 50% .*Lead investor 1 50%/);
    // A count of 0 may be that of leads that no source states.
    expect(text).not.toContain('Rounds led');
  });

  test('says what is not held', async () => {
    const { text } = await read('/coverage');
    expect(text).toMatch(
      /Limits of the data .*People No country, city, tag, talk at an event or angel investments\. .*Not all rounds are announced\./,
    );
    expect(text).toContain(
      'Counts by investor are lower bounds: sources list 10 investors of a round at most, beside its leads, often the first by alphabet.',
    );
  });

  test('compares kinds by their dates, and says how recent, how well valued and how well sourced the rounds are', async () => {
    const editors = [{ source: 'web3-bi editors@0.1.0:data/raw/editors.ndjson', as_of: '2026', fields: ['company'] }];
    const own = await startConsole(
      [
        aRound({ name: 'New', company: 'One', announced_date: '2026-02-01', valuation_usd: '9000000.00' }),
        aRound({ name: 'Old', company: 'One', announced_date: '2020-02-01', announcement: null, sources: editors }),
        // A source of this year does not make an old grant a recent one.
        aRound({ name: 'Paid', company: 'One', stage: 'grant', announced_date: '2020-02-01', as_of: '2026-02-01' }),
        aRound({ name: 'Undated', company: 'One', stage: 'grant', announced_date: null, as_of: '2026-02-01' }),
      ],
      { publicPages: true },
    );
    own.setNow(new Date('2026-11-26T12:00:00Z'));
    const { text } = await read('/coverage', own);
    expect(text).toMatch(/Rounds 2 50% 1 Feb 2020 1 Feb 2026 Announcement Grants 2 0% .* Announcement , 1 without/);
    expect(text).toContain('1 of 2 funding rounds were announced in the last two years, the newest on 1 Feb 2026');
    expect(text).toContain(
      'The valuation is known for 1 of all 2. For 1 there is no page to check them by, only the word of our editors.',
    );
    expect((await read('/search?type=rounds', own)).text).toMatch(/One 1 Feb 2020 .*unsourced /);
    await own.close();
  });

  test('leads to the sources of the shipped records, each with licence and date, where a record cites one', async () => {
    const source = `github.com/ethereum/EIPs@${'ab12'.repeat(3)}:EIPS/eip-1.md`;
    const cites = { sources: [{ source, as_of: '2026-08', fields: ['name'] }] };
    const own = await startConsole([aPerson({ name: 'Ada Example', ...cites })], { publicPages: true });
    expect((await read('/coverage', own)).html).toContain('href="/coverage/sources"');
    expect((await read('/coverage')).html).not.toContain('/coverage/sources');
    const { html, text } = await read('/coverage/sources', own);
    expect(text).toMatch(/Ethereum Improvement Proposals CC0-1\.0 22 Aug 2026 \d+ People /);
    expect(html).toContain('<a href="https://github.com/ethereum/EIPs" rel="nofollow">');
    // That the editors changed a fact lately makes no fact newer.
    expect(text).toMatch(/MIT Edited on 23 Nov 2026 [\d,]+ Companies/);
    expect((await read('/coverage', own)).text).toContain('sources up to 25 Sep 2026');
    await own.close();
  });

  test('says in every list how much of the known funding of a company has no source page', async () => {
    const source = `web3-bi editors@${'ab12'.repeat(3)}:rounds.json`;
    const unsourced = { announcement: null, sources: [{ source, as_of: '2026-01', fields: ['amount_usd'] }] };
    const own = await startConsole(
      [
        ...['Plain', 'Sold'].map((name) => aCompany({ name, slug: name.toLowerCase(), total_funding_usd: null })),
        aPerson({ name: 'Pat', slug: 'pat', roles: [{ organization: 'Sold', title: 'Founder' }] }),
        aRound({ name: 'Plain seed', company: 'Plain', amount_usd: '3000000.00' }),
        aRound({ name: 'Plain sale', company: 'Plain', amount_usd: '1000000.00', ...unsourced }),
        anInvestor({ name: 'Giver', slug: 'giver' }),
        aRound({ name: 'Sold seed', company: 'Sold', amount_usd: '1000000.00', investors: ['Giver'] }),
        aRound({
          name: 'Sold sale',
          company: 'Sold',
          amount_usd: '7000000.00',
          announced_date: '2024-01-01',
          ...unsourced,
        }),
      ],
      { publicPages: true },
    );
    const lists = await Promise.all(['/search', '/search?type=companies&view=table'].map((path) => read(path, own)));
    expect((await read('/', own)).text).toMatch(/largest since .*Sold sale \$7M [^P]*unsourced/);
    const landing = await read('/', own);
    const part = 'Only the editors of the data set state $8M of the $12M, without a page ( leave that out ).';
    expect(landing.text).toMatch(/Below each year, the number of its rounds[^.]*\. Only the editors/);
    expect(landing.text).toContain(part);
    expect(landing.html).toMatch(/2024[^:<]*: \$7M in 1 round, \$7M of it unsourced/);
    const byYear = await read('/search/aggregate?of=rounds&group_by=year&measure=sum', own);
    expect(byYear.text).toContain(part);
    expect(byYear.html).toMatch(/<title>2024\n\$7M \(unsourced\)/);
    const crossed = '/search/aggregate?of=rounds&group_by=company|year';
    expect((await read(`${crossed}&measure=sum`, own)).text).toMatch(
      /†: how much of it is unsourced\. Company .*Sold \$1M \$7M †\$7M \$8M †\$7M Plain \$4M †\$1M – \$4M †\$1M/,
    );
    expect((await read(crossed, own)).text).not.toContain('†');
    expect((await read('/search/aggregate?of=rounds&group_by=year&measure=sum&sourced=true', own)).text).not.toContain(
      'Only the editors',
    );
    expect((await read('/search?query=Sold+vs+Plain+funding', own)).text).toContain(
      'Sold raised more than Plain : $8M in 2 known rounds ($7M unsourced) against $4M ($1M unsourced); without what is unsourced, Plain comes first: $3M.',
    );
    for (const { text } of lists) expect(text).toMatch(/(?=.*Plain)Sold [^P]*\$8M [^P]*unsourced/);
    for (const { text } of lists) expect(text).toMatch(/Plain [^S]*\$4M [^S]*\$1M of it unsourced/);
    const sold = await read('/companies/sold', own);
    expect(sold.text).toContain('Known funding $8M in 2 rounds, $7M of it unsourced');
    expect(sold.text).toMatch(/Latest round \$7M 1 Jan 2024, unsourced /);
    expect(byYear.html).toMatch(/<rect class="key-0 unsourced"/);
    expect(landing.html).toMatch(/<rect class="key-0 unsourced"/);
    expect((await read('/rounds/sold-sale', own)).text).toMatch(/Amount \$7M unsourced Announced 1 Jan 2024 unsourced/);
    expect((await read('/investors/giver', own)).text).toMatch(
      / Sold .*\$1M.* · \$8M known funding, \$7M of it unsourced/,
    );
    const pat = (await read('/people/pat', own)).text;
    expect(pat).toContain('of Sold is $8M ($7M of it unsourced)');
    expect(pat).toContain('Role Founder, Sold $8M known funding ($7M of it unsourced)');
    expect(pat).toMatch(/ Founder \$8M \$7M of it unsourced /);
    expect((await read('/search?type=people', own)).text).toContain('$8M known funding, $7M of it unsourced');
    await own.close();
  });

  test('shows the facts of a round without investors in the main column', async () => {
    const round = { name: 'Lone ICO', slug: 'lone-ico', company: 'Lone', lead_investors: [], investors: [] };
    const own = await startConsole([aCompany({ name: 'Lone', slug: 'lone' }), aRound(round)], { publicPages: true });
    const { html } = await read('/rounds/lone-ico', own);
    expect(html).not.toContain('aria-label="Facts"');
    expect(html).toMatch(/<div class="profile"><div>.*<h2>Sources<.*<aside aria-label="Use and sources">/s);
    await own.close();
  });

  test('says of a role that only an old source states what somebody was', async () => {
    const overview = 'Olga Old is a senior engineer of Acme, according to the archive of Devcon. Spoke at Devcon 4.';
    const own = await startConsole(
      [
        aCompany({ name: 'Acme', slug: 'acme' }),
        ...['2018-11-02', '2026-01-01'].map((day, index) =>
          aPerson({
            ...{ name: `Olga ${index}`, slug: `olga-${index}`, overview: overview.replace('Old', String(index)) },
            roles: [{ organization: 'Acme', title: 'Senior Engineer', as_of: day }],
          }),
        ),
      ],
      { publicPages: true },
    );
    expect((await read('/people/olga-0', own)).text).toContain(
      'Olga 0 was a senior engineer of Acme as of 2018, according to the archive of Devcon.',
    );
    expect((await read('/people/olga-1', own)).text).toContain('Olga 1 is a senior engineer of Acme, according to');
    await own.close();
  });

  test('labels a bar below the label of a higher one beside it', async () => {
    const round = { company: 'Near', stage: 'series_d' } as const;
    const own = await startConsole(
      [
        aCompany({ name: 'Near', slug: 'near' }),
        aRound({ ...round, name: 'Near B', amount_usd: '25000000.00', announced_date: '2013-12-12' }),
        aRound({ ...round, name: 'Near D', amount_usd: '108000000.00', announced_date: '2017-08-10' }),
        aRound({
          ...{ ...round, name: 'Near E', amount_usd: '300000000.00', announced_date: '2018-10-30' },
          valuation_usd: '8000000000.00',
        }),
      ],
      { publicPages: true },
    );
    expect((await read('/companies/near', own)).html).toMatch(/<g class="height"><text[^>]*>\$108M</);
    await own.close();
  });

  test('labels no bar of a chart where a higher one has no room for a label, and none over the axis', async () => {
    const millions = [2790, 1350, 2290, 1480, 852, 552, 438, 333, 941, 351, 477, 491];
    const rounds = millions.map((amount, index) => {
      const month = String(index + 1).padStart(2, '0');
      const amounts = { amount_usd: `${amount}000000.00`, announced_date: `2022-${month}-28` };
      return aRound({ name: `Near ${month}`, company: 'Near', stage: 'series_d', ...amounts });
    });
    const own = await startConsole([aCompany({ name: 'Near', slug: 'near' }), ...rounds], { publicPages: true });
    const { html } = await read('/search/aggregate?of=rounds&group_by=month&measure=sum&from=2022&to=2022', own);
    const labels = [...html.matchAll(/<g class="height( at-\d)?([^"]*)"><text x="([^"]*)"[^>]*>([^<]*)</g)];
    const onPhone = labels.flatMap(([, width, ...label]) => (width === undefined ? [label] : []));
    expect(onPhone).toEqual([
      [' start', '0%', '$2.79B'],
      ['', '50%', '$2.29B'],
      [' start', '0%', '$1.48B'],
    ]);
    const inOrder = millions
      .toSorted((one, other) => other - one)
      .map((amount) => (amount < 1000 ? `$${amount}M` : `$${amount / 1000}B`));
    for (const at of [1, 2, 3]) {
      const shown = labels.filter(([, width = ' at-0']) => Number(width.slice(4)) <= at).map((label) => label[4]);
      expect(new Set(shown)).toEqual(new Set(inOrder.slice(0, shown.length)));
    }
    await own.close();
  });

  test('draws bars beside figures in proportion to them', async () => {
    const own = await startConsole(
      [
        ...['Wide', 'Narrow', 'Thin'].map((name) => aCompany({ name, slug: name.toLowerCase() })),
        aRound({ name: 'Wide A', company: 'Wide', amount_usd: '29400000000.00' }),
        aRound({ name: 'Narrow A', company: 'Narrow', amount_usd: '200000000.00' }),
        aRound({ name: 'Thin A', company: 'Thin', amount_usd: '99000000.00' }),
      ],
      { publicPages: true },
    );
    const { html } = await read('/search/aggregate?of=rounds&group_by=company&measure=sum', own);
    expect([...html.matchAll(/<progress value="(\d+)" max="(\d+)"/g)].map(([, ...parts]) => parts.map(Number))).toEqual(
      [
        [1000, 1000],
        [7, 1000],
        [3, 1000],
      ],
    );
    await own.close();
  });

  test('draws the amounts of a company that have no source page apart from the others', async () => {
    const source = `web3-bi editors@${'ab12'.repeat(3)}:rounds.json`;
    const own = await startConsole(
      [
        aCompany({ name: 'Drawn', slug: 'drawn', total_funding_usd: null }),
        aRound({ name: 'Drawn seed', company: 'Drawn', amount_usd: '1000000.00', announced_date: '2023-01-01' }),
        aRound({
          ...{ name: 'Drawn sale', company: 'Drawn', amount_usd: '7000000.00', announced_date: '2024-06-01' },
          ...{ announcement: null, sources: [{ source, as_of: '2026-01', fields: ['amount_usd'] }] },
        }),
      ],
      { publicPages: true },
    );
    const company = (await read('/companies/drawn', own)).html;
    expect(company).toMatch(/<rect class="key-0"[^>]*>.*<rect class="key-0 unsourced".*swatch key-0 unsourced/s);
    expect((await read('/rounds/drawn-sale', own)).html).toMatch(
      /<rect class="key-2 unsourced".* this round, unsourced</s,
    );
    await own.close();
  });

  test('says of a role once what of it and of the funding beside it is unsourced', async () => {
    const editors = `web3-bi editors@${'ab12'.repeat(3)}:roles.json`;
    const aPersonAt = (name: string, organization: string, source: string) =>
      aPerson({
        ...{ name, slug: name.toLowerCase(), headline: null },
        ...{ roles: [{ organization, title: 'CEO', as_of: '2025-06-01' }] },
        ...{ sources: [{ source, as_of: '2025-06-01', fields: ['roles'] }] },
      });
    const unsourced = { announcement: null, sources: [{ source: editors, as_of: '2026-01', fields: ['amount_usd'] }] };
    const own = await startConsole(
      [
        ...['Guess', 'Mixed', 'Known'].map((name) => aCompany({ name, total_funding_usd: null })),
        aRound({ name: 'One', company: 'Guess', amount_usd: '7000000.00', ...unsourced }),
        aRound({ name: 'Two', company: 'Mixed', amount_usd: '7000000.00', ...unsourced }),
        aRound({ name: 'Three', company: 'Mixed', amount_usd: '1000000.00', announced_date: '2024-01-01' }),
        aRound({ name: 'Four', company: 'Known', amount_usd: '1000000.00' }),
        aPersonAt('Ann', 'Guess', editors),
        aPersonAt('Ben', 'Mixed', editors),
        aPersonAt('Cid', 'Known', editors),
        aPersonAt('Dan', 'Guess', 'https://example.org/team'),
      ],
      { publicPages: true },
    );
    const roleOf = async (slug: string) =>
      / Role CEO, .*?(?= Colleagues | Overview )/.exec((await read(`/people/${slug}`, own)).text);
    const notes = await Promise.all(['ann', 'ben', 'cid', 'dan'].map(async (slug) => String(await roleOf(slug))));
    expect(notes.map((note) => note.replace(/^ Role CEO, \w+ /, ''))).toEqual([
      '$7M known funding, role as of 1 Jun 2025 (both unsourced)',
      '$8M known funding ($7M of it unsourced), role as of 1 Jun 2025 (unsourced)',
      '$1M known funding, role as of 1 Jun 2025 (unsourced)',
      '$7M known funding (unsourced), role as of 1 Jun 2025',
    ]);
    await own.close();
  });

  test('marks roles that only the editors state, on the page of the person and in lists of people', async () => {
    const editors = `web3-bi editors@${'ab12'.repeat(3)}:roles.json`;
    const aPersonOf = (name: string, title: string, source: string, fields: object = {}) =>
      aPerson({
        ...{ name, headline: null, roles: [{ organization: 'Cited', title }], events: ['Meet'] },
        ...{ sources: [{ source, as_of: null, fields: ['roles'] }], ...fields },
      });
    const own = await startConsole(
      [
        aCompany({ name: 'Cited', slug: 'cited' }),
        anEvent({ name: 'Meet', slug: 'meet' }),
        aPersonOf('Ann', 'CEO', editors, {
          roles: [{ organization: 'Cited', title: 'CEO', as_of: '2025-06-01' }],
          sources: [{ source: editors, as_of: '2025-06-01', fields: ['roles'] }],
        }),
        aPersonOf('Ben', 'Founder', editors, { headline: 'Founder of Cited; speaker at Meet' }),
        aPersonOf('Cid', 'Founder', 'https://news.example/cid'),
        aPersonOf('Dan', 'Head of Data', editors),
      ],
      { publicPages: true },
    );
    const team = (await read('/companies/cited', own)).text;
    expect(team).toMatch(/ Ben Founder of Cited \(unsourced\) /);
    expect(team).toMatch(/ Cid Founder .* Ann CEO \(as of 2025, unsourced\) .* Dan Head of Data \(unsourced\) /);
    const speakers = (await read('/events/meet', own)).text;
    expect(speakers).toMatch(/ Ben Founder, Cited \(unsourced\) .* Cid Founder, Cited A Ann person D Dan person /);
    const found = (await read('/search?type=people', own)).text;
    expect(found).toMatch(/ Ben Founder of Cited \(unsourced\) /);
    expect(found).toMatch(/ Cid Founder of Cited 1 event D Dan Head of Data of Cited \(unsourced\) /);
    const ann = (await read('/people/ann', own)).text;
    expect(ann).toMatch(/ Role CEO, Cited role as of 1 Jun 2025 \(unsourced\) /);
    expect(ann).toMatch(/ Ben Founder, Cited \(unsourced\) /);
    const dan = (await read('/people/dan', own)).text;
    expect(dan).toMatch(
      / Role Head of Data, Cited role \(unsourced\) .* Roles .* Cited Head of Data unsourced Events /,
    );
    expect((await read('/people/cid', own)).text).toMatch(/ Role Founder, Cited Events /);
    await own.close();
  });

  test('marks what the texts of a record state if only the editors do', async () => {
    const editors = { source: 'web3-bi editors@0.1.0:data/raw/editors.ndjson', as_of: '2025-01-01' };
    const EVE = 'Eve is a CEO of Told. Author of ERC-1 for Ethereum, which the wallets of many other people use today.';
    const own = await startConsole(
      [
        aCompany({
          ...{ name: 'Told', slug: 'told', tagline: 'Wallet, based in Bern; announced: seed round, May 2024' },
          ...{ location_json: { city: 'Bern' }, year_founded: 2018, total_funding_usd: null },
          overview: 'Told is a wallet of many people. It was founded in 2018. It announced a seed round in May 2024.',
          sources: [{ ...editors, fields: ['location_json', 'year_founded'] }],
        }),
        aPerson({
          ...{ name: 'Eve', slug: 'eve', headline: 'CEO of Told; author of ERC-1', overview: EVE },
          roles: [{ organization: 'Told', organization_type: 'companies', title: 'CEO', as_of: '2025-01-01' }],
          sources: [{ ...editors, fields: ['roles'] }],
        }),
      ],
      { publicPages: true },
    );
    const { html, text } = await read('/companies/told', own);
    expect(html).toContain('<p class="lead">Wallet, based in Bern †</p>');
    expect(text).toContain('Told is a wallet of many people. It was founded in 2018 †. It announced a seed round');
    expect(html).toMatch(/name="description" content="[^"]*founded in 2018 \(unsourced\)\./);
    expect((await read('/people/eve', own)).text).toMatch(
      / CEO of Told †; author of ERC-1 .* Eve is a CEO of Told †\. /,
    );
    expect((await read('/search?query=told&type=companies', own)).text).toContain('based in Bern (unsourced)');
    await own.close();
  });

  test('marks leads that only the editors state of a round that has a page, in every list', async () => {
    const source = `web3-bi editors@${'ab12'.repeat(3)}:leads.json`;
    const own = await startConsole(
      [
        aCompany({ name: 'Cited', slug: 'cited', total_funding_usd: null }),
        anInvestor({ name: 'Guess', slug: 'guess' }),
        aPerson({
          ...{ name: 'Guesser', roles: [{ organization: 'Cited', title: 'CEO', as_of: '2025-06-01' }] },
          sources: [{ source, as_of: '2025-06-01', fields: ['roles'] }],
        }),
        aRound({
          ...{ name: 'Cited round', slug: 'cited-round', company: 'Cited', amount_usd: '9000000.00' },
          ...{ lead_investors: ['Guess'], investors: ['Guess'], announced_date: '2024-05-01', stage: null },
          sources: [
            { source: 'https://news.example/cited', as_of: null, fields: ['amount_usd', 'investors'] },
            { source, as_of: '2026-01', fields: ['lead_investors'] },
          ],
        }),
      ],
      { publicPages: true },
    );
    const note = '†: unsourced, stated by the editors alone.';
    expect((await read('/', own)).text).toMatch(/largest since .*\$9M · 1 May 2024 · led by Guess \(unsourced\)/);
    for (const path of ['/search?type=rounds', '/companies/cited', '/investors/guess']) {
      const { text } = await read(path, own);
      expect(text).toMatch(/ \$9M Guess †/);
      expect(text).toContain(note);
    }
    const without = await read('/search?type=rounds&columns=amount_usd&view=table', own);
    expect(without.text).not.toContain(note);
    expect((await read('/companies/cited', own)).text).toContain('1 May 2024, led by Guess (unsourced)');
    expect((await read('/search?query=who+led+the+round+of+Cited', own)).text).toContain(
      'Guess (unsourced) led the funding round of Cited',
    );
    expect((await read('/search?query=CEO+of+Cited', own)).text).toContain(
      'On record as CEO of Cited : Guesser (CEO, as of 2025, unsourced).',
    );
    expect((await read('/search?query=did+Guess+lead+the+round+of+Cited', own)).text).toContain(
      'Yes: Guess led the funding round of Cited , 1 May 2024, $9M; that it led is unsourced.',
    );
    expect((await read('/search/connections?from=companies%2Fcited&to=investors%2Fguess', own)).text).toMatch(
      /took part in the only round of Cited on record \(\$9M\) ?, and led it \(unsourced\)/,
    );
    await own.close();
  });

  test('is counted again after a record has changed', async () => {
    const own = await startConsole(ROWS.slice(0, 1), { publicPages: true });
    expect((await read('/coverage', own)).text).toMatch(/Companies 1 .*Tag 1 100% /);
    const change = { action: 'merge', type: 'companies', author: OPERATOR } as const;
    await own.store.records.change({ ...change, target: 'acme', input: { tags: [] } });
    await own.store.records.change({ ...change, action: 'create', input: { name: 'New' } });
    expect((await read('/coverage', own)).text).toMatch(/Companies 2 .*Companies No .*tag,/);
    await own.close();
  });

  test('is not there where pages are not public', async () => {
    expect((await read('/coverage', shut)).status).toBe(404);
  });
});

describe('the aggregates of the pages', () => {
  test('draw groups in time, with a table, and lead to the records of a group', async () => {
    const byStage = '/search/aggregate?of=rounds&group_by=year&group_by=stage&measure=sum';
    const { html, text } = await read(`${byStage}&kind=all`);
    expect(text).toContain('Total amount of rounds and grants by year and stage');
    expect((await read('/search/aggregate?of=companies&group_by=tag')).html).toContain('class="share"');
    expect(html).toMatch(/<svg class="bars"[^>]*role="img"[^>]*aria-label="[^"]+"/);
    // On a phone the head of the table, which names the series too, is hidden.
    expect(html).toMatch(/<ul class="legend">.*Seed<\/li>/);
    expect(text).toMatch(/Year Seed Grant Not known Total .*2022 \$3M – – \$3M/);
    expect(html).toContain('href="/search?type=rounds&amp;funding_stage=seed"');
    // Grants are left out unless asked for; rounds of an unknown stage are not.
    const { text: rounds } = await read(byStage);
    expect(rounds).toContain(
      '2 rounds, 1 Mar 2022 to 1 May 2024, a sample of what was announced, $3M in all. For 1 no amount is known.',
    );
    expect(rounds).toMatch(/Total amount of funding rounds by year and stage .* Year Seed Not known Total /);
    expect((await read('/search/aggregate?of=rounds&group_by=stage&measure=median')).text).toContain(
      ' For 1 no amount is known. The median is of the 1 with one.',
    );
    expect((await read(`${byStage}&kind=grants`)).text).toMatch(
      /Total amount of grants by year and stage .* 13 grants/,
    );
    // A table of pairs has as many rows as fit, whatever number is asked for.
    expect(html).not.toMatch(/<select[^>]* name="top"/);
    const several = await read('/search/aggregate?of=rounds&group_by=year&measure=sum,average,median');
    expect(several.html).toMatch(/<select[^>]* name="top"/);
    expect(several.text).toMatch(
      /Total, average and median of funding rounds by year .* The bars show the total amount\./,
    );
    const otherName = await read('/search/aggregate?of=rounds&group_by=year&group_by=funding_stage');
    expect(otherName.text).toContain('Funding rounds by year and stage');
    expect((await read(`${byStage}&funding_stage=not:seed`)).text).toMatch(
      /^(?!.* of Funding rounds Grants ).* 13 rounds/,
    );
    const csv = await fetch(`${open.url}/search/aggregate?of=companies&group_by=tag&format=csv`, HTML);
    expect(await csv.text()).toBe('tag,count\nDeFi,2\nWallets,1\n');
  });

  test('name what is counted: grants, years of founding, and a number beside an amount', async () => {
    const grants = await read('/search/aggregate?of=rounds&group_by=year&measure=sum|count&funding_stage=grant');
    expect(grants.text).toMatch(
      /Total amount and number of grants by year Grants on record to .* 13 grants, \w{3} 20\d\d to \w{3} 20\d\d[.,]/,
    );
    const companies = await read('/search/aggregate?of=companies&group_by=year_founded');
    expect(companies.text).toMatch(/Companies by founding year .* no founding year is known\./);
    const rounds = await read('/search/aggregate?of=investors&group_by=country&measure=sum');
    expect(rounds.text).toMatch(/A round counts once for each of its investors\. .* Country Total rounds Count /);
  });

  test('begin anew for a type without the group, and say what cannot be asked', async () => {
    expect((await read('/search/aggregate?of=events&group_by=stage')).text).toContain('Events by year');
    expect((await read('/search/aggregate?of=rounds&group_by=year&measure=largest')).text).toContain('measure');
  });
});

describe('what every site is asked for', () => {
  test('an icon, rules for robots, and a map with the records', async () => {
    expect((await fetch(`${open.url}/favicon.ico`)).headers.get('content-type')).toBe('image/svg+xml');
    expect(await (await fetch(`${open.url}/robots.txt`)).text()).toContain('Disallow: /account');
    expect(await (await fetch(`${open.url}/sitemap.xml`)).text()).toContain(`<loc>${open.url}/companies/acme</loc>`);
    expect(await (await fetch(`${open.url}/sitemap.xml`)).text()).toContain(`<loc>${open.url}/coverage</loc>`);
    expect(await (await fetch(`${shut.url}/sitemap.xml`)).text()).not.toMatch(/acme|coverage/);
  });
});

test('a service without records and accounts says what to do first', async () => {
  const own = await startConsole([], { publicPages: true });
  for (const path of ['/', '/search', '/search?query=acme', '/search/aggregate', '/coverage'])
    expect([path, (await read(path, own)).text]).toEqual([path, expect.stringContaining('web3-bi data add')]);
  const before = await read('/account/sign-in', own);
  expect(before.text).toMatch(/no account yet.*terminal or log.*web3-bi account invite NAME/);
  expect(before.html).not.toContain('type="password"');
  await own.person();
  expect((await read('/account/sign-in', own)).text).not.toContain('no account yet');
  await own.close();
});

test('one address may open so many pages a minute, and is told what to use instead', async () => {
  const own = await startConsole([], { publicPages: true });
  const statuses = await Promise.all(
    Array.from({ length: PAGES_MAX + 1 }, async () => (await read('/search', own)).status),
  );
  expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  const refused = await fetch(`${own.url}/search`, HTML);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^([1-5]?\d|60)$/)]);
  const wait = refused.headers.get('retry-after');
  expect(refused.headers.get('refresh')).toBe(wait);
  const told = await refused.text();
  expect(told).toMatch(/signed in may open 300; programs use the API/);
  expect(told).toContain(`It works again in <strong>${wait} seconds</strong>; this page is then asked for by itself`);
  expect(told).toContain('href="/docs/limits"');
  expect(told).toMatch(/href="\/search" class="button primary">Try again</);
  const file = await fetch(`${own.url}/companies/acme.json`, HTML);
  expect([file.status, await file.json()]).toEqual([429, expect.objectContaining({ code: 'burst_limit_exceeded' })]);
  await own.close();
});
