import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aCompany, anInvestor, aRound } from '../support/builders.ts';
import { type Console, startConsole } from '../support/console.ts';

let service: Console;
beforeAll(async () => {
  service = await startConsole(
    [
      aCompany({ tags: ['DeFi'], location_json: { country: 'Germany' }, year_founded: 2015 }),
      aCompany({ name: 'Other', tags: ['Gaming'], location_json: { country: 'France' }, year_founded: 2005 }),
      anInvestor({ name: 'Paradigm' }),
      aRound({ stage: 'seed', amount_usd: '5000000.00', announced_date: '2024-05-01', investors: ['Paradigm'] }),
    ],
    { publicPages: true },
  );
});
afterAll(() => service.close());

async function read(
  path: string,
): Promise<{ status: number; said: string; links: Record<string, string>; text: string }> {
  const response = await fetch(service.url + path, { headers: { Accept: 'text/html' } });
  const html = await response.text();
  const notice = /<div class="notice warn"[\s\S]*?<\/div>/.exec(html)?.[0] ?? '';
  const plain = (part: string): string =>
    part
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim();
  const links = [...notice.matchAll(/<a href="([^"]*)"[^>]*>(.*?)<\/a>/g)].map(([, to = '', text = '']) => [
    plain(text),
    to.replaceAll('&amp;', '&'),
  ]);
  return { status: response.status, said: plain(notice), links: Object.fromEntries(links), text: plain(html) };
}

describe('a filter that cannot be', () => {
  test.each([
    ['type=companies&country=Germny', 'Country', '“Germny”', { Germany: 'type=companies&country=Germany' }],
    [
      'type=companies&country=France|Germny',
      'Country',
      '“Germny”',
      { Germany: 'type=companies&country=France%7CGermany' },
    ],
    [
      'type=rounds&funding_stage=serie_a',
      'Funding stage',
      '“serie_a”',
      { 'Series A': 'type=rounds&funding_stage=series_a' },
    ],
    ['type=rounds&stage=serie_a', 'Funding stage', '“serie_a”', { 'Series A': 'type=rounds&funding_stage=series_a' }],
    ['type=rounds&investor=paradgm', 'Investor', '“paradgm”', { Paradigm: 'type=rounds&investor=Paradigm' }],
    ['type=rounds&from=2024-13-45', 'Date from', '“2024-13-45”', { '2024': 'type=rounds&from=2024' }],
    ['type=rounds&from=2024-02-31', 'Date from', '“2024-02-31”', { '2024-02': 'type=rounds&from=2024-02' }],
    ['type=companies&founded_from=abc', 'Founded from', '“abc”', {}],
    ['type=companies&funding_min=$1,000,000,000,000,000', 'Funding at least', '“$1,000,000,000,000,000”', {}],
    ['type=companies&funding_min=1000000000000000', 'Funding at least', 'must be at most 999999999999999', {}],
    [
      'type=companies&funding_min=5+million',
      'Funding at least',
      '“5 million”',
      { $5M: 'type=companies&funding_min=5000000' },
    ],
    [
      'type=companies&founded_from=2020&founded_to=2010',
      'Founded from',
      '2020 is after 2010',
      {
        '2010 to 2020': 'type=companies&founded_from=2010&founded_to=2020',
      },
    ],
    [
      'type=companies&verified=maybe',
      'Verified',
      '“maybe”',
      { Yes: 'type=companies&verified=true', No: 'type=companies&verified=false' },
    ],
    ['type=people&investor=Paradigm', 'Investor', 'people', { Rounds: 'type=rounds&investor=Paradigm' }],
    ['type=rounds&led=true', 'Led', 'Investor', {}],
    [
      'type=companies&min_funding=5',
      'min_funding',
      'unknown to this page',
      { 'Funding at least': 'type=companies&funding_min=5' },
    ],
    ['type=company', 'kind', '“company”', { Companies: 'type=companies' }],
    ['type=grants', 'kind', '“grants”', { Grants: 'type=rounds&funding_stage=grant' }],
    ['type=companies&sort=foo', 'sort', '“foo”', {}],
    ['type=companies&tag=%7C', 'Tag', '|', {}],
    [`query=${'x'.repeat(300)}`, 'Query', '200 characters', {}],
  ] as const)(
    'is said by its label, named as the address has it, and leads to what can be: %s',
    async (query, label, wrong, fixes) => {
      const { status, said, links } = await read(`/search?${query}`);
      expect(status).toBe(400);
      expect(said).toContain(label);
      expect(said).toContain(wrong);
      const parameter = new URLSearchParams(query.split('&').at(query.includes('founded_to') ? 1 : -1) ?? '')
        .keys()
        .next();
      expect(said).toContain(`${parameter.value}=`);
      const sorted = (to = ''): string => [...new URL(to, service.url).searchParams].map(String).toSorted().join('&');
      for (const [text, to] of Object.entries(fixes))
        expect([text, sorted(links[text])]).toEqual([text, sorted(`/search?${to}`)]);
      for (const to of Object.values(links)) expect([to, (await read(to)).status]).toEqual([to, 200]);
    },
  );

  test('is left out of the list, which has what the others ask for, and of which this is said', async () => {
    const { said, text } = await read('/search?type=companies&country=Germny&tag=Gaming');
    expect(said).toContain('Shown below without it.');
    expect(text).toMatch(/1 company .* Other /);
    expect(text).not.toContain('Acme');
    expect(text).toContain('All filters');
  });

  test('stands beside others that cannot be, each with its own words', async () => {
    const { status, said, text } = await read('/search?type=companies&country=Germny&founded_from=abc&tag=Gamng');
    expect(status).toBe(400);
    for (const wrong of ['“Germny”', '“abc”', '“Gamng”', 'Shown below without them.']) expect(said).toContain(wrong);
    expect(text).toContain('Acme');
  });

  test('is in the form as it was typed', async () => {
    const html = await (await fetch(`${service.url}/search?type=companies&country=Germny`)).text();
    expect(html).toMatch(/<select id="f-country"[^>]*>.*<option selected>Germny</);
  });

  test('is refused for a file, which nobody would see to be of something else', async () => {
    const file = await fetch(`${service.url}/search?type=companies&country=Germny&format=csv`);
    expect([file.status, (await file.text()).includes('Acme')]).toEqual([400, false]);
  });

  test('of a page in the console is refused alike', async () => {
    const member = await service.person();
    const { status, text } = await member.get('/account/data?type=companies&country=Germny');
    expect([status, text.includes('“Germny”')]).toEqual([400, true]);
    expect(text).toContain('<a href="/account/data?type=companies&amp;country=Germany"');
  });

  test('of an aggregate is said in the same words', async () => {
    const { status, said, links, text } = await read('/search/aggregate?of=companies&group_by=tag&country=Germny');
    expect([status, said]).toEqual([400, expect.stringMatching(/Country.*“Germny”.*country=Germny/)]);
    expect(links['Germany']).toBe('/search/aggregate?of=companies&group_by=tag&country=Germany');
    expect(text).toContain('Gaming');
  });
});

test('a view that a list does not have is refused by its name', async () => {
  const { status, said } = await read('/search?type=rounds&view=map');
  expect([status, said]).toEqual([
    400,
    expect.stringMatching(/^View : must be one of cards, table, chart\..* view=map /),
  ]);
});

test('another name of a filter that is accepted is not said to have no effect', async () => {
  const { status, said, text } = await read('/search?type=rounds&stage=seed');
  expect([status, said]).toEqual([200, '']);
  expect(text).toContain('Acme');
});
