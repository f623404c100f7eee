import { afterAll, beforeAll, expect, test } from 'vitest';
import { aCompany, anEvent, anInvestor, aPerson, aRound } from '../support/builders.ts';
import { type Console, startConsole } from '../support/console.ts';

const TAGS = ['DeFi', 'defi', 'NFT', 'Exchange', 'DEX', 'Layer 2', 'L2', 'not: a tag', 'A|B'];
const COUNTRIES = ['Germany', 'DE', 'Europe', 'United States', 'Atlantis'];
const STATUSES = ['active', 'acquired', 'closed', null];
const of = <Value>(values: readonly Value[], index: number): Value => values[index % values.length] as Value;
const MANY = Array.from({ length: 30 }, (_, index) => index);

const ROWS = [
  ...MANY.map((index) =>
    aCompany({
      name: `Company ${index}`,
      tagline: 'Settles payments',
      tags: [of(TAGS, index), of(TAGS, index * 2)],
      chains: [of(['Ethereum', 'ETH', 'Solana'], index)],
      location_json: { country: of(COUNTRIES, index), city: of(['Berlin', 'Lisbon'], index) },
      status: of(STATUSES, index),
      year_founded: of([2017, 2020, 2021, null], index),
      founders: [{ name: `Person ${index}` }],
    }),
  ),
  ...MANY.map((index) =>
    anInvestor({
      name: `Investor ${index}`,
      investor_type: of(['venture_capital', 'angel', null], index),
      focus: [of(TAGS, index)],
      location_json: { country: of(COUNTRIES, index) },
    }),
  ),
  // A company of the name of an investor, and an investor without a record.
  aCompany({ name: 'Investor 1', slug: 'investor-1-labs' }),
  ...MANY.map((index) =>
    aPerson({
      name: `Person ${index}`,
      roles: [{ organization: `Company ${index % 4}`, title: 'Engineer' }],
      events: [{ name: `Event ${index % 3}` }],
      location_json: { country: of(COUNTRIES, index) },
    }),
  ),
  ...MANY.map((index) =>
    anEvent({
      name: `Event ${index}`,
      event_type: of(['conference', 'hackathon'], index),
      start_date: `${2020 + (index % 4)}-12-30`,
      // Lasts into the next year.
      end_date: `${2021 + (index % 4)}-01-02`,
      location_json: { country: of(COUNTRIES, index), city: of(['Berlin', 'Lisboa', 'Lisbon'], index) },
    }),
  ),
  ...MANY.map((index) =>
    aRound({
      name: `Round ${index}`,
      company: `Company ${index}`,
      stage: of(['seed', 'series_a', 'grant', null], index),
      announced_date: of(['2021-12-31', '2022-01-01', '2022-06-05', null], index),
      lead_investors: [{ name: of(['Investor 0', 'Investor 2', 'Nobody Known'], index) }],
      investors: [{ name: of(['Investor 0', 'Investor 3'], index) }],
    }),
  ),
  aRound({ name: 'Of the company', company: 'Company 1', lead_investors: [{ name: 'Investor 1 Labs' }] }),
];

let service: Console;
beforeAll(async () => {
  service = await startConsole(ROWS);
});
afterAll(() => service.close());

interface Value {
  readonly href: string;
  readonly text: string;
  readonly records: number;
}

const plain = (html: string): string => html.replaceAll('&amp;', '&').replaceAll('&#39;', "'");
const numberIn = (text = ''): number => Number(text.replaceAll(',', ''));

/** The facets of a page by their titles, with the values that lead somewhere. */
function facetsIn(html: string): ReadonlyMap<string, readonly Value[]> {
  const sections = [...html.matchAll(/<section class="facet"><h2>(.*?)<\/h2>(.*?)<\/section>/gs)];
  const valuesOf = (section: string): Value[] =>
    [...section.matchAll(/<li><a href="([^"]*)"[^>]*>(.*?) <span>(.*?)<\/span>/gs)].map(
      ([, href = '', text = '', records]) => ({ href: plain(href), text: plain(text), records: numberIn(records) }),
    );
  return new Map(sections.map(([, title = '', section = '']) => [title, valuesOf(section)]));
}

const totalIn = (html: string): number => numberIn(/<p class="muted found"><strong>([\d,]+)/.exec(html)?.[1]);

async function createReader(): Promise<(path: string) => Promise<string>> {
  let visitor = await service.person();
  let read = 0;
  return async (path) => {
    read += 1;
    // Pages are limited for each person.
    if (read % 100 === 0) visitor = await service.person();
    const { status, text } = await visitor.get(path);
    expect(status, path).toBe(200);
    return text;
  };
}

const LISTS = [
  ['', ['Tag', 'Chain', 'Country']],
  ['tag=DeFi', ['Tag', 'Chain', 'Country']],
  ['type=companies', ['Tag', 'Chain', 'Country', 'Status', 'Founded']],
  ['type=companies&query=payments', ['Tag', 'Chain', 'Country', 'Status', 'Founded']],
  ['type=companies&founded_from=2020&founded_to=2020', ['Tag', 'Chain', 'Country', 'Status', 'Founded']],
  ['type=investors', ['Investor type', 'Tag', 'Country']],
  ['type=people', ['Event', 'Country']],
  ['type=people&company=company-1', ['Event', 'Country', 'Organisation']],
  ['type=events', ['Year', 'Event type', 'Country', 'City']],
  ['type=rounds', ['Year', 'Funding stage', 'Lead investor', 'Tag', 'Chain', 'Country']],
  ['type=rounds&funding_stage=grant', ['Year', 'Lead investor', 'Tag', 'Chain', 'Country']],
  ['type=rounds&from=2022&to=2022&investor=investor-2&led=true', ['Year', 'Funding stage', 'Lead investor', 'Tag']],
] as const;

test.each(LISTS)('each count beside %s is the total of the list that it leads to', async (list, facets) => {
  const read = await createReader();
  const found = facetsIn(await read(`/account/data?${list}`));
  expect([...found.keys()]).toEqual(expect.arrayContaining([...facets]));
  const chosen = new URLSearchParams(list);
  const counts = [...found].flatMap(([facet, values]) => values.map((value) => ({ facet, ...value })));
  for (const { facet, href, text, records } of counts) {
    const address = new URL(href, service.url);
    // A value beside a chosen one of its facet is an alternative, and a chosen one leads to the list without it.
    const isFurther = [...address.searchParams].some(([, value]) => value.includes('|'));
    const isTakenOut = [...chosen.keys()].some((name) => !address.searchParams.has(name));
    if (!isFurther && !isTakenOut) expect(totalIn(await read(href)), `${facet} ${text}`).toBe(records);
  }
});

test('a search for a tag or a chain leads to the companies with it, the best funded first', async () => {
  const member = await service.person();
  for (const [query, name, value] of [
    ['nft', 'tag', 'NFT'],
    ['Solana', 'chain', 'Solana'],
  ]) {
    const { text } = await member.get(`/account/data?query=${query}`);
    expect(text).toContain(`type=companies&amp;${name}=${value}">Companies with the ${name} ${value}, by known`);
  }
  expect((await member.get('/account/data?query=company')).text).not.toContain('Companies with the');
});

test('a value is chosen by each of its spellings, and taken out by its link', async () => {
  const html = await (await createReader())('/account/data?type=companies&country=DE|US');
  const chosen = [...html.matchAll(/<a href="([^"]*)" aria-current="true">(.*?) <span>/g)];
  const inCountries = chosen.filter(([, to = '']) => /country=(DE|US)(&|$)/.test(plain(to)));
  expect(inCountries.map(([, , text]) => text).toSorted()).toEqual(['Germany', 'United States']);
});

test('values that as many records have are in the order of the alphabet', async () => {
  const own = await startConsole(
    ['zeta', 'Apex', 'alpha', 'Zoo'].map((chain) => aCompany({ name: `On ${chain}`, chains: [chain] })),
    { publicPages: true },
  );
  const html = await (await fetch(`${own.url}/search?type=companies&values=chain`)).text();
  const values = [...html.matchAll(/<li><a href="[^"]*">(\w+) <span>1</g)].map(([, text]) => text);
  expect(values).toEqual(['alpha', 'Apex', 'zeta', 'Zoo']);
  await own.close();
});

test('a span of dates has no years beside it, one of which would replace it', async () => {
  const read = await createReader();
  const facets = facetsIn(await read('/account/data?type=rounds&from=2021-12-01&to=2022-03-31'));
  expect([...facets.keys()]).toEqual(['Funding stage', 'Lead investor', 'Tag', 'Chain', 'Country']);
});

test('a year and a lead investor are one filter each, which is taken out as a whole', async () => {
  const read = await createReader();
  const path = '/account/data?type=rounds&from=2022-01-01&to=2022-12-31&investor=investor-2&led=true';
  const html = await read(path);
  const chips = /<ul class="chips">.*?<\/ul>/s.exec(html)?.[0] ?? '';
  const links = [...chips.matchAll(/<a href="([^"]*)">(.*?)<span/g)].map(([, to = '', text]) => [text, plain(to)]);
  expect(links).toEqual([
    ['Year 2022', '/account/data?type=rounds&investor=investor-2&led=true&funding_stage=except%3Agrant'],
    ['Led by Investor 2', '/account/data?type=rounds&from=2022-01-01&to=2022-12-31&funding_stage=except%3Agrant'],
  ]);
  expect(html).toContain('<title>Rounds, Year 2022, Led by Investor 2 ');
  const years = facetsIn(html).get('Year') ?? [];
  const [taken] = years.filter(({ text }) => text === '2022');
  expect(taken?.href).not.toMatch(/from|to=/);
  expect(years.filter(({ text }) => text === '2021')[0]?.href).toContain('from=2021&to=2021');
});

test('a lead investor that is excluded is one filter, too', async () => {
  const html = await (await createReader())('/account/data?type=rounds&investor=not:investor-2&led=true');
  const chips = /<ul class="chips">.*?<\/ul>/s.exec(html)?.[0] ?? '';
  expect(chips.match(/<a href="[^"]*">[^<]*/g)).toEqual([
    '<a href="/account/data?type=rounds&amp;funding_stage=except%3Agrant">Lead investor not investor-2',
  ]);
});

test('an investor who only took part is not replaced by one who led', async () => {
  const read = await createReader();
  const facets = facetsIn(await read('/account/data?type=rounds&investor=investor-3'));
  expect([...facets.keys()]).not.toContain('Lead investor');
});
