import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RECORD_TYPES, type RecordType } from '../../src/contract/entities/index.ts';
import { relations } from '../../src/contract/relations.ts';
import type { RowInput } from '../../src/store/port/records.ts';
import { aCompany, anEvent, anInvestor, aPerson, aRound } from '../support/builders.ts';
import { type Console, startConsole, type Visitor } from '../support/console.ts';

const PORTFOLIO = Array.from({ length: 130 }, (_, index) => `Portfolio ${index + 1}`);
const UNKNOWN = 'Nobody Known';
const TARGETS = { companies: 'Acme', people: 'Ada Example', investors: 'Example Capital', events: 'ExampleCon 2025' };
const slugOf = (name: string): string => name.toLowerCase().replaceAll(' ', '-');

let service: Console;
let owner: Visitor;
beforeAll(async () => {
  service = await startConsole([
    aCompany({ tags: Array.from({ length: 70 }, (_, index) => `tag ${index}`) }),
    aPerson(),
    anInvestor(),
    anEvent(),
    ...PORTFOLIO.map((name) => aCompany({ name })),
    anInvestor({ name: 'Large Capital', portfolio: [...PORTFOLIO, UNKNOWN], portfolio_count: 235 }),
  ]);
  owner = await service.person();
});
afterAll(() => service.close());

/** A page without insignificant markup: its text and link targets. */
async function read(path: string): Promise<{ text: string; links: Map<string, string> }> {
  const html = (await owner.get(path)).text;
  const links = [...html.matchAll(/<a href="([^"]*)"[^>]*>(.*?)<\/a>/gs)].map(
    ([, to = '', inner = '']) => [to, inner.replaceAll(/<[^>]*>/g, '')] as const,
  );
  const main = /<main[\s\S]*<\/main>/.exec(html)?.[0] ?? '';
  return { text: main.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' '), links: new Map(links) };
}

describe('a reference on the page of a record', () => {
  test.each(relations)(
    'is a link with its name where it is one of ours, and its name otherwise: $name',
    async (one) => {
      const { from, field, to, keys } = one;
      const type = to[0] as keyof typeof TARGETS;
      const isList = field !== 'company' && field !== 'acquired_by';
      const value = isList ? [TARGETS[type], UNKNOWN].map((name) => ({ [keys.name]: name })) : TARGETS[type];
      const name = `With ${one.name.replace('.', ' ')}`;
      const input = { name, slug: slugOf(name).replaceAll('_', '-'), ...(from === 'rounds' && { company: 'Acme' }) };
      await service.store.records.putAll([{ type: from, input: { ...input, [field]: value } } as RowInput]);
      const { text, links } = await read(`/account/data/${from}/${input.slug}`);
      expect(links.get(`/account/data/${type}/${slugOf(TARGETS[type])}`)).toBe(TARGETS[type]);
      // Of an investor without a record, the rounds that name it are found.
      const addresses = [...links].filter(([, text]) => text === UNKNOWN).map(([address]) => address);
      const rounds = `/account/data?type=rounds&amp;${new URLSearchParams({ investor: UNKNOWN })}`;
      expect(addresses).toEqual(from === 'rounds' && isList ? [rounds] : []);
      expect(text.includes(UNKNOWN)).toBe(isList);
      expect(text).not.toMatch(/, (companies|people|investors|events), \d/);
    },
  );

  test('is a line of text in the form, and may be typed there for a new record', async () => {
    await service.store.records.putAll([aRound({ name: 'Edited', slug: 'edited' })]);
    expect((await owner.get('/account/data/rounds/edited/edit')).text).toMatch(
      /<input id="company" name="company"[^>]* value="Acme"[^>]* required/,
    );
    expect((await owner.get('/account/data/rounds/new')).text).not.toContain('Only the fields you change');
    const refused = await owner.post('/account/data/rounds/new', { name: 'Typed', company: '' });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('id="company-fault"');
    const made = await owner.post('/account/data/rounds/new', { name: 'Typed', company: 'Acme' });
    expect((await read(made.headers.get('location') ?? '')).links.get('/account/data/companies/acme')).toBe('Acme');
  });

  test('takes money as people write it, and says above the form what is wrong in it', async () => {
    await owner.get('/account/data/rounds/new');
    const typed = { name: 'Dollars', company: 'Acme', amount_usd: '$1,250,000', valuation_usd: '12.5' };
    const made = await owner.post('/account/data/rounds/new', typed);
    expect([made.status, made.headers.get('location')]).toEqual([303, '/account/data/rounds/dollars?done=saved']);
    const { json = '' } = (await service.store.records.get('rounds', 'dollars')) ?? {};
    expect(JSON.parse(json)).toMatchObject({ amount_usd: '1250000.00', valuation_usd: '12.50' });
    await owner.get('/account/data/rounds/new');
    const wrong = { ...typed, name: 'Euros', amount_usd: '5M EUR', sources: '', 'sources.0.as_of': '2024' };
    const { status, text } = await owner.post('/account/data/rounds/new', wrong);
    expect(status).toBe(400);
    expect(text).toMatch(
      /To correct:.*<a href="#amount_usd">Amount \(USD\) must be US dollars, such as[^<]*<.*<a href="#sources\.0\.source">/s,
    );
    expect(text).toMatch(/id="amount_usd-fault">Amount \(USD\) must be US dollars/);
    const far = await owner.post('/account/data/rounds/new', {
      ...typed,
      announced_date: 'May',
      month_only: ',as_of,x',
    });
    expect(far.text).toMatch(/id="announced_date-fault".*value="as_of" checked.*id="month_only-fault"/s);
    expect(far.text).toContain(
      'id="month_only-fault">Known to the month, item 2: must be one of announced_date, as_of',
    );
    expect(text).toContain('id="sources.0.source-fault">Source is required');
    const place = await owner.post('/account/data/people/new', { name: 'A', 'location_json.city': 'x'.repeat(201) });
    expect(place.text).toMatch(/href="#location_json\.city">City .*id="location_json\.city-fault">City /s);
  });

  test.each(RECORD_TYPES)(
    'is in a section of the form, and no two fields of a form share a label: %s',
    async (type) => {
      const slug = `all-${type}`;
      const input = { name: `All ${type}`, slug, ...(type === 'rounds' && { company: 'Acme' }) };
      await service.store.records.putAll([{ type, input } as RowInput]);
      const { text } = await owner.get(`/account/data/${type}/${slug}/edit`);
      // In a row of a list, a label is of its column; the legend of the row is its own.
      const labels = [...text.matchAll(/<(?:label for="(?![^"]*\.\d)[^"]*"|legend[^>]*)>([^<]*)</g)].map(
        ([, label]) => label,
      );
      expect(labels.length).toBeGreaterThan(8);
      expect(new Set(labels).size).toBe(labels.length);
      const main = /<main[\s\S]*<\/main>/.exec(text)?.[0] ?? '';
      expect([...main.matchAll(/<h2>([^<]*)</g)].map(([, title]) => title)).toEqual(
        expect.arrayContaining(['Main facts', 'Name and description', 'Sources']),
      );
    },
  );

  test('has no input in the form if it follows the rounds on record, and is shown there', async () => {
    const [company, investor, person] = ['Followed', 'Following Capital', 'Following Angel'];
    const before = [aCompany({ name: company }), anInvestor({ name: investor }), aPerson({ name: person })];
    await service.store.records.putAll(before);
    const read = async (type: RecordType, name: string) =>
      JSON.parse((await service.store.records.get(type, slugOf(name)))?.json ?? '{}') as Record<string, unknown>;
    const all = [
      ['companies', company],
      ['investors', investor],
      ['people', person],
    ] as const;
    const blank = await Promise.all(all.map(([type, name]) => read(type, name)));
    const investors = [investor, person];
    const round = {
      company,
      amount_usd: '1.00',
      stage: 'seed',
      announced_date: '2025-01-01',
      month_only: ['announced_date'],
    };
    await service.store.records.putAll([aRound({ name: 'Follow', ...round, investors, lead_investors: investors })]);
    for (const [index, [type, name]] of all.entries()) {
      const followed = await read(type, name);
      const changed = Object.keys(followed).filter(
        (field) => field !== 'updated_at' && JSON.stringify(followed[field]) !== JSON.stringify(blank[index]?.[field]),
      );
      expect(changed.length).toBeGreaterThan(0);
      const { text } = await owner.get(`/account/data/${type}/${slugOf(name)}/edit`);
      expect(changed.filter((field) => text.includes(`name="${field}"`))).toEqual([]);
      expect(text).toMatch(/From its funding rounds.*rounds\/new/s);
    }
    expect((await owner.get('/account/data/companies/followed/edit')).text).toMatch(/Known funding<\/dt><dd>\$1</);
  });

  test('stands beside a stage that reads as it does on the page of the record', async () => {
    await service.store.records.putAll([aRound({ name: 'Staged', slug: 'staged', stage: 'series_b' })]);
    expect((await read('/account/data/rounds/staged')).text).toContain(' Series B ');
    expect((await owner.get('/account/data/rounds/staged/edit')).text).toMatch(/<option[^>]* selected>Series B</);
  });

  test('is its name in the preview of an import', async () => {
    await service.store.records.putAll([aRound({ name: 'Moved', slug: 'moved' })]);
    await owner.get('/account/import');
    const content = 'name,slug,company\nMoved,moved,Portfolio 1\n';
    const { text } = await owner.upload('/account/import', { type: 'rounds' }, { name: 'a.csv', content });
    expect(text.replaceAll(/<[^>]*>/g, '')).toContain('Company Acme → Portfolio 1');
  });

  test('and a long text that differs only at its end is a change', async () => {
    const overview = 'The same words again and again. '.repeat(4);
    await service.store.records.putAll([aCompany({ name: 'Wordy', slug: 'wordy', overview: `${overview}Then.` })]);
    await owner.get('/account/import');
    const content = `name,slug,overview\nWordy,wordy,${overview}Now.\n`;
    const { text } = await owner.upload('/account/import', { type: 'companies' }, { name: 'a.csv', content });
    expect(text.replaceAll(/<[^>]*>/g, '')).toMatch(
      /Overview The same words .*… → another text with the same beginning/,
    );
  });
});

test('a value of many items is on the page whole', async () => {
  const { text } = await read('/account/data/companies/acme');
  for (let index = 0; index < 70; index += 1) expect(text).toContain(` tag ${index} `);
});

describe('a list of a record', () => {
  const PATH = '/account/data/investors/large-capital';

  test('has one place on the page of the record, with its counts labelled as what they are', async () => {
    const { text, links } = await read(PATH);
    expect(text).toContain('130 companies. Sources state 235.');
    // A time may have these digits as well.
    expect(text.match(/\b235\b/g)).toHaveLength(1);
    expect(text).not.toContain('through the API');
    expect(text.split('Portfolio Show')).toHaveLength(2);
    expect(text).toContain(UNKNOWN);
    expect([...links.values()].some((name) => name.startsWith('Show all 130'))).toBe(true);
  });

  test('is whole in pages, each name a link', async () => {
    const [path = ''] = [...(await read(PATH)).links].find(([, name]) => name.startsWith('Show all')) ?? [];
    const seen = new Set<string>();
    let pages = 0;
    for (let next: string | undefined = path; next !== undefined; pages += 1) {
      const { links, text }: Awaited<ReturnType<typeof read>> = await read(next);
      expect(text).toContain('Portfolio of Large Capital');
      for (const [to, name] of links) if (name.startsWith('Portfolio ')) seen.add(`${name} ${to}`);
      next = [...links].find(([, name]) => name === 'Next')?.[0].replaceAll('&amp;', '&');
    }
    expect(pages).toBe(3);
    expect((await read(path)).text).toContain('Page 1 2 3 Next');
    expect(seen).toEqual(new Set(PORTFOLIO.map((name) => `${name} /account/data/companies/${slugOf(name)}`)));
  });

  test('200 past its end, 404 for a record that is not there or a list that its type does not have', async () => {
    expect((await owner.get(`${PATH}/portfolio?page=99`)).status).toBe(200);
    expect((await owner.get('/account/data/investors/nobody/portfolio')).status).toBe(404);
    expect((await owner.get(`${PATH}/rounds-of-nobody`)).status).toBe(404);
  });

  test('needs a plan, as the page of the record does', async () => {
    const visitor = await service.person({ account: 'without', plan: 'none' });
    expect((await visitor.get(`${PATH}/portfolio`)).status).toBe(403);
  });
});

test('what is a list of things is told part by part on the page of a record', async () => {
  const token_contracts = [{ symbol: 'LST', chain: 'Base', address: '0xaa' }];
  const input = {
    name: 'Listed',
    token_contracts,
    former_names: [{ name: 'Once', as_of: '2020' }],
    see_also: ['listed-two'],
    status: 'acquired',
  };
  await service.store.records.putAll([aCompany(input)]);
  const { text, links } = await read('/account/data/companies/listed');
  expect(links.get('/account/data/companies/listed-two')).toBe('listed-two');
  for (const told of ['LST on Base 0xaa', 'Once, as of 2020', ' Acquired ']) expect(text).toContain(told);
});

describe('the page of duplicates', () => {
  test('asks about a pair, merges it, takes that back and keeps it apart', async () => {
    await service.store.records.putAll([
      aCompany({
        ...{ name: 'Doubled', slug: 'doubled', website: 'https://doubled.example' },
        total_funding_usd: '5000000.00',
      }),
      aCompany({ name: 'Doubled Labs', slug: 'doubled-labs', website: 'https://app.doubled.example' }),
    ]);
    const { text: before } = await read('/account/duplicates');
    expect(before).toMatch(/Nothing was compared yet .* Compare all records/);
    await owner.post('/account/duplicates/scan', {});
    const [pair] = await service.store.duplicates.list({ type: 'companies', limit: 1 });
    const decide = async (fields: Readonly<Record<string, string>>) => {
      const { status, headers } = await owner.post(`/account/duplicates/${pair?.id}`, fields);
      return [status, headers.get('location')];
    };
    const { text, links } = await read('/account/duplicates');
    expect(text).toContain('1 pair company Same website and a similar name: doubled.example 97% likely');
    expect(text).toMatch(/Compare again Compared 20/);
    expect(links.get('/account/data/companies/doubled-labs')).toBe('Doubled Labs');
    expect(links.get(`/account/duplicates/${pair?.id}`)).toBe('Compare Doubled and Doubled Labs');
    const { text: compared } = await read(`/account/duplicates/${pair?.id}`);
    expect(compared).toMatch(
      / Merge, keep A: Doubled Merge, keep B: Doubled Labs Keep both .* Name Doubled Doubled Labs the kept record’s /,
    );
    // Fields that follow rounds have no input in forms, but differ.
    expect(compared).toContain(' Known funding ');
    const merge = `/account/duplicates?done=merge&pair=${pair?.id}`;
    expect(await decide({ keep: 'doubled-labs' })).toEqual([303, merge]);
    expect((await read(merge)).text).toContain('Doubled is merged into Doubled Labs . Undo the merge');
    expect((await read('/account/data/companies/doubled')).text).toContain('Doubled Labs');
    expect((await read('/account/duplicates?state=merged&type=people')).text).toContain('No pair of people was merged');
    const { text: merged } = await read('/account/duplicates?state=merged&type=companies');
    expect(merged).toMatch(/Undo the merge D Doubled merged .* Doubled Labs kept /);
    expect(await decide({ action: 'undo' })).toEqual([303, '/account/duplicates?done=undo']);
    expect(await decide({ action: 'reject' })).toEqual([303, '/account/duplicates?done=reject']);
    expect((await read('/account/duplicates')).text).toMatch(/No open pair known All records were compared 20/);
    expect((await decide({ action: 'other' }))[0]).toBe(400);
  });

  test('lets those decide who may delete, and those read who may write', async () => {
    const reader = await service.person({ role: 'member', level: 'read' });
    expect((await reader.get('/account/duplicates')).status).toBe(403);
    const writer = await service.person({ role: 'member', level: 'write' });
    expect((await writer.get('/account/duplicates')).status).toBe(200);
    expect((await writer.post('/account/duplicates/1', { action: 'reject' })).status).toBe(403);
  });
});

test('history and audit log show which fields a change was of, and nothing that a source said which is withheld since', async () => {
  const { records, claims } = service.store;
  const { id } = JSON.parse((await records.get('companies', 'portfolio-7'))?.json ?? '');
  const claim = { type: 'companies' as const, key: 'seven', as_of: '2026-11-01', url: 'https://list.example/seven' };
  const fields = { tagline: 'Said by a list', twitter: 'https://x.com/said_by_a_list' };
  await claims.apply({
    from: { source: 'list', trust: 'aggregator', isRestricted: true, origin: 'list.example' },
    claims: [{ ...claim, fields, record: id }],
    ...{ seenAt: '2026-11-21T12:00:00.000Z', forgetBefore: null, changesMax: 9, isDryRun: false },
  });
  const author = { account: 'acme', keyId: null, requestId: null, address: null };
  const input = { tagline: 'Written by a person' };
  await records.change({ action: 'merge', type: 'companies', target: String(id), input, author });
  await claims.withholdRestricted([]);
  for (const path of [`/account/data/companies/${id}`, '/account/audit?type=companies']) {
    const { text } = await owner.get(path);
    expect([path, /said.by.a.list/i.test(text), /Changed<.*Tagline/s.test(text)]).toEqual([path, false, true]);
  }
});
