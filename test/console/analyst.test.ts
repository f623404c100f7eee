import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aCompany, anEvent, anInvestor, aPerson, aRound } from '../support/builders.ts';
import { type Console, startConsole } from '../support/console.ts';

const HTML = { headers: { accept: 'text/html' } };
const NOW = new Date('2026-11-26T12:00:00Z');
const YEARS = ['2021', '2021', '2023', '2026', '2026'];

const ROWS = [
  aCompany({
    name: 'Acme',
    tagline: 'Wallet company on Base',
    overview: 'Acme is a wallet company on Base. It also lends.',
    tags: ['DeFi'],
    total_funding_usd: null,
  }),
  aCompany({ name: 'Coin', tags: ['NFT'], total_funding_usd: null }),
  anInvestor({
    name: 'Seed Fund',
    slug: 'seed-fund',
    tagline: 'Fund in Bern, with known investments since 2021: DeFi',
    funding_stages: ['seed', 'series_a'],
  }),
  ...YEARS.map((year, index) =>
    aRound({
      name: `Acme ${index}`,
      company: 'Acme',
      stage: index === 0 ? 'seed' : 'series_a',
      amount_usd: `${index + 1}000000.00`,
      announced_date: `${year}-03-01`,
      lead_investors: index < 2 ? ['Seed Fund'] : [],
      investors: ['Seed Fund', 'Nobody Known'],
    }),
  ),
  aRound({
    name: 'Coin Sale',
    company: 'Coin',
    stage: 'initial_coin_offering',
    amount_usd: '9000000.00',
    investors: [],
  }),
  aRound({ name: 'Coin B', company: 'Coin', stage: 'series_b', amount_usd: '1000000.00', investors: [] }),
  aPerson({ name: 'Ada', headline: 'Author of EIP-1', overview: 'Ada is an author of EIP-1.', tags: ['Ethereum'] }),
  aPerson({
    name: 'Grace',
    headline: 'Author of EIP-1',
    overview: 'Grace is an author of EIP-1 and EIP-11.',
    tags: ['Ethereum'],
  }),
  aPerson({ name: 'Joan', headline: 'Author of EIP-11', tags: ['Ethereum'] }),
  aPerson({ name: 'Mary', roles: [{ organization: 'Acme', title: 'Founder' }], events: [{ name: 'Con' }] }),
  aPerson({ name: 'Hedy', headline: 'Speaker at Con', events: [{ name: 'Con' }] }),
  anEvent({ name: 'Con', slug: 'con' }),
];

let service: Console;
beforeAll(async () => {
  service = await startConsole(ROWS, { publicPages: true });
  service.setNow(NOW);
});
afterAll(() => service.close());

async function read(path: string): Promise<{ html: string; text: string }> {
  const response = await fetch(service.url + path, HTML);
  expect(response.status, path).toBe(200);
  const html = (await response.text()).replaceAll('&amp;', '&');
  return { html, text: html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ') };
}

const csv = async (query: string): Promise<string> => (await fetch(`${service.url}/search?${query}&format=csv`)).text();

describe('whom to ask for money', () => {
  test('is said of each investor: leads, the rounds of twelve months, the median round and the stages', async () => {
    const cards = await read('/search?type=investors');
    expect(cards.text).toMatch(
      / Seed Fund Fund in Bern · DeFi 2 led · 2 in the last 12 months on record · median round \$3M · Seed to Series A 5 rounds /,
    );
    const table = await read('/search?type=investors&view=table');
    expect(table.text).toMatch(
      / Name Rounds ↓ Rounds led Last 12 months .*Median round Stages .*Seed Fund 5 2 2 .*\$3M Seed.* Last 12 months: rounds since 1 Mar 2025, /,
    );
    expect(await csv('type=investors&columns=rounds_last_year,median_round_usd')).toMatch(/,2,3000000\.00,\n$/);
    expect((await read('/investors/seed-fund')).text).toMatch(
      / Rounds 5 2 of them led Last 12 months on record 2 since 1 Mar 2025, latest 1 Mar 2026 /,
    );
  });

  test('is a ranking of those who led lately, in the sector that the list is of', async () => {
    const { html } = await read('/search?type=investors&tag=DeFi');
    const rankings = [...html.matchAll(/<a href="(\/search\/aggregate\?[^"]*lead_investor[^"]*)">(.*?)<\/a>/g)];
    expect(rankings.map(([, , words]) => words)).toEqual(['at any stage', 'Seed', 'Series A', 'Series B']);
    const [, to = ''] = rankings[0] ?? [];
    expect(Object.fromEntries(new URLSearchParams(to.replace(/^.*\?/, '')))).toEqual({
      ...{ of: 'rounds', group_by: 'lead_investor', from: '2024-03-01', tag: 'DeFi' },
    });
    expect((await read(to)).text).toContain('Funding rounds by lead investor');
  });

  test('leads from each year of an investor to the rounds of that year', async () => {
    const { html } = await read('/investors/seed-fund');
    const bars = [...html.matchAll(/<a href="([^"]*)"><svg [^>]*><title>(\d{4}): /g)].map(([, to = '', year]) => ({
      to,
      year,
    }));
    expect(bars.map(({ year }) => year)).toEqual(['2021', '2023', '2026']);
    for (const { to, year } of bars) {
      const rounds = YEARS.filter((each) => each === year).length;
      expect((await read(to)).text, to).toMatch(
        new RegExp(` Year ${year} .* Investor Seed Fund .* ${rounds} (funding )?rounds? on record`),
      );
    }
  });
});

test('a list of rounds says where sources may have cut the investors, and a table of them which columns it has', async () => {
  const investors = Array.from({ length: 10 }, (_, index) => `Fund ${index}`);
  const own = await startConsole([aCompany({ name: 'Acme' }), aRound({ name: 'Seed', company: 'Acme', investors })], {
    publicPages: true,
  });
  const html = await (await fetch(`${own.url}/search?type=rounds`, HTML)).text();
  expect(html).toMatch(/data-label="Investors"[^>]*>10\+</);
  const table = await fetch(`${own.url}/search/aggregate?of=rounds&group_by=year&group_by=investor`, HTML);
  expect(await table.text()).toContain('The 5 largest of 10 columns are shown; the CSV has all.');
  await own.close();
});

describe('the funding of a company', () => {
  test('states token sales apart from equity, in lists too', async () => {
    expect((await read('/companies/coin')).text).toMatch(/Known funding \$10M in 2 rounds, \$9M in token sales /);
    const { text } = await read('/search?type=companies');
    expect(text).toMatch(/Coin .*\$10M known .* \$9M in token sales /);
    expect(text).not.toMatch(/Acme [^$]*\$15M known [^$]*token/);
  });

  test('is exported without the columns that no row fills', async () => {
    const [head = ''] = (await csv('type=companies')).split('\n');
    expect(head.split(',')).toEqual(expect.arrayContaining(['name', 'tags', 'tagline']));
    expect(head.split(',')).not.toEqual(expect.arrayContaining(['investors']));
    expect(head).not.toMatch(/team|founders/);
    const [chosen] = (await csv('type=companies&columns=team')).split('\n');
    expect(chosen).toBe('type,id,name,slug,team,unsourced_fields');
  });
});

test('an overview does not repeat the line below the name', async () => {
  const { text } = await read('/people/ada');
  expect(text).not.toContain('Ada is an author');
  expect((await read('/people/grace')).text).toContain('Overview Grace is an author of EIP-1 and EIP-11.');
});

describe('a person of whom little is known', () => {
  test('has the others of the same standards, and of the field', async () => {
    const { text } = await read('/people/ada');
    expect(text).toMatch(/Authors of the same standards G Grace EIP-1 Others with the tag Ethereum Show all .*Joan /);
    expect((await read('/people/joan')).text).toMatch(/Authors of the same standards G Grace EIP-11 /);
  });

  test('has the organisation, and who else was at the event', async () => {
    const { html, text } = await read('/people/mary');
    expect(text).toMatch(
      /Role Founder, Acme \$15M known funding .* Roles .*Known funding Time Acme Wallet company on Base Founder \$15M Series A · last round Mar 2026 /,
    );
    expect(text).toMatch(/Others at Con All 2 speakers H Hedy Speaker at Con /);
    expect(html).toContain('href="/events/con/speakers"');
  });

  test('has a timeline of what they founded, raised, invested in and spoke at, and who took part in the same rounds', async () => {
    const own = await startConsole(
      [
        aCompany({ name: 'Acme', founders: ['Mary'], year_founded: 2019, overview: 'Acme lends. It is in Bern.' }),
        aCompany({ name: 'Coin' }),
        aPerson({
          ...{ name: 'Mary', overview: 'Mary founded Acme. Spoke at Con. Angel investor.', events: [{ name: 'Con' }] },
          roles: [{ organization: 'Acme', title: 'Founder' }],
        }),
        aRound({ name: 'Acme A', company: 'Acme', stage: 'series_a', announced_date: '2021-03-01' }),
        aRound({
          ...{ name: 'Coin Seed', company: 'Coin', stage: 'seed', amount_usd: '2000000.00' },
          ...{ announced_date: '2023-03-01', lead_investors: ['Seed Fund'], investors: ['Mary', 'Seed Fund'] },
        }),
        anEvent({ name: 'Con', slug: 'con', start_date: '2020-05-01', end_date: '2020-05-03' }),
      ],
      { publicPages: true },
    );
    const text = (await (await fetch(`${own.url}/people/mary`, HTML)).text())
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ');
    expect(text).toMatch(
      / 1 Mar 2023 Invested in Coin , Seed , \$2M, led by Seed Fund 1 Mar 2021 Funding of Acme , Series A 1 May 2020 Spoke at Con 2019 Founded Acme /,
    );
    expect(text).toMatch(/Overview Mary founded Acme\. Acme lends\. /);
    expect(text).toMatch(/Invested with Others in these rounds: .* Seed Fund Led 1 round /);
    // What the timeline tells is not listed again.
    expect(text).not.toMatch(/Events spoken at Event|Angel rounds Round/);
    const list = await (await fetch(`${own.url}/search?type=people`, HTML)).text();
    expect(list).toContain('Last backed Coin (1 Mar 2023)');
    await own.close();
  });

  test('is found by what people are known as, the most frequent first', async () => {
    const { html, text } = await read('/search?type=people');
    expect(text).toMatch(
      / Known as Author 3 Founder 1 Speaker 1 Event Con 2 .* M Mary Founder of Acme · Wallet company on Base, \$15M known funding 1 event H Hedy Speaker at Con /,
    );
    expect(html).toContain('href="/search?query=author&type=people"');
    const authors = await read('/search?query=author&type=people');
    expect(authors.text).toMatch(/ 3 people /);
    expect(authors.text).toMatch(/ Known as Author 3 Founder 1 Speaker 1 /);
    // What is chosen is taken out by its own link.
    expect(authors.html).toContain('<a href="/search?type=people" aria-current="true">Author');
    expect((await read('/search?query=ada&type=people')).text).not.toContain('Known as');
  });
});

describe('the page of aggregates', () => {
  test('takes filters', async () => {
    const { html } = await read('/search/aggregate?of=rounds&group_by=year&measure=sum');
    const form = /<details class="refine">.*?<\/form>/s.exec(html)?.[0] ?? '';
    expect(form).toContain('<input type="hidden" name="group_by" value="year"/>');
    expect(form).toMatch(/<select id="f-tag" name="tag">.*<option>DeFi<\/option>.*<option>NFT<\/option>/);
    const { text } = await read('/search/aggregate?of=rounds&group_by=year&measure=sum&tag=NFT');
    expect(text).toMatch(/Tag NFT ; take it out × .*Change filters .* 2 rounds, a sample/);
  });

  test('draws years without records, and adds no values of which a record has several', async () => {
    const years = await read('/search/aggregate?of=rounds&group_by=year');
    const drawn = [...years.html.matchAll(/<title>(\d{4})/g)].map(([, year]) => Number(year));
    expect(drawn).toEqual(Array.from({ length: drawn.length }, (_, index) => (drawn[0] ?? 0) + index));
    expect(drawn).toContain(2022);
    const { html } = await read('/search/aggregate?of=rounds&group_by=year&group_by=investor');
    expect(html).not.toContain('class="bars"');
    expect(html).not.toMatch(/<th[^>]*>Total</);
  });

  test('names what is no group of any kind', async () => {
    const { text } = await read('/search/aggregate?of=rounds&group_by=bogus&group_by=year');
    expect(text).toContain('group_by=bogus is unknown to this page; it has no effect.');
    expect((await read('/search/aggregate?of=rounds&group_by=speaker')).text).not.toContain('no effect');
  });

  test('crosses a group with the years, the latest last, and leads to the rounds of a tag', async () => {
    const { html, text } = await read('/search/aggregate?of=rounds&group_by=tag&group_by=year&from=2021');
    expect(text).toMatch(/ Tag 2021 2023 .*2026 .*Total DeFi 2 1 .*2 .*5 /);
    expect(html).toMatch(/href="\/search\?type=rounds&from=2021[^"]*&tag=DeFi"/);
    expect(html).toMatch(/href="\/search\?type=rounds&from=2026-01-01&to=2026-12-31"/);
  });
});
