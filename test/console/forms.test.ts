import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RECORD_TYPES, type RecordType } from '../../src/contract/entities/index.ts';
import { aCompany, aPerson } from '../support/builders.ts';
import { type Console, startConsole, type Visitor } from '../support/console.ts';

/** More items than a form has rows. */
const MANY = 45;
const SOURCES = [
  { source: 'https://acme.example/about', as_of: '2026-10', fields: ['overview', 'tags'] },
  { source: 'https://list.example', as_of: null, fields: ['a label, with a comma', 'website'] },
];
const ROLES = [
  { organization: 'Acme', title: 'Founder', role_type: 'founder', start_date: '2021-05-01', is_current: true },
  { organization: 'Nobody Known', title: null, is_current: false },
];

let service: Console;
let owner: Visitor;
beforeAll(async () => {
  service = await startConsole([
    aCompany({
      sources: SOURCES,
      former_names: [{ name: 'Once', as_of: '2020' }],
      tagline: 'A line\nthat breaks',
    }),
    aCompany({
      name: 'Wide',
      sources: Array.from({ length: MANY }, (_, index) => ({ source: `s${index}`, fields: [] })),
    }),
    aPerson({ roles: ROLES }),
    {
      type: 'rounds',
      input: { name: 'Acme A', company: 'Acme', amount_usd: '50000000.00', valuation_usd: '1234.50', investors: ['B'] },
    },
  ]);
  owner = await service.person();
});
afterAll(() => service.close());

const unescaped = (text: string): string =>
  text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

/** What a browser would send of the form of a page, as it stands there. */
function filled(html: string): Record<string, string> {
  const sent: [string, string][] = [];
  const main = /<main[\s\S]*<\/main>/.exec(html)?.[0] ?? '';
  const control = /<input([^>]*)>|<textarea([^>]*)>([^<]*)<\/textarea>|<select([^>]*)>([\s\S]*?)<\/select>/g;
  for (const [, input, area, text = '', select, options = ''] of main.matchAll(control)) {
    const attributes = input ?? area ?? select ?? '';
    const attribute = (name: string): string | undefined => new RegExp(` ${name}="([^"]*)"`).exec(attributes)?.[1];
    const name = attribute('name');
    const isLeftOut = attribute('type') === 'checkbox' && !/ checked/.test(attributes);
    if (name === undefined || name === 'form_token' || isLeftOut) continue;
    const chosen = /<option([^>]*) selected/.exec(options)?.[1] ?? '';
    const value =
      select === undefined ? (area === undefined ? attribute('value') : text) : / value="([^"]*)"/.exec(chosen)?.[1];
    sent.push([name, unescaped(value ?? '')]);
  }
  const names = [...new Set(sent.map(([name]) => name))];
  // A browser repeats a name; the service joins its values.
  return Object.fromEntries(
    names.map((name) => [
      name,
      sent
        .filter(([one]) => one === name)
        .map(([, one]) => one)
        .join(','),
    ]),
  );
}

const stored = async (type: RecordType, slug: string): Promise<Record<string, unknown>> =>
  JSON.parse((await service.store.records.get(type, slug))?.json ?? '{}');

const rowsOf = (form: Readonly<Record<string, string>>, list: string): number =>
  new Set(Object.keys(form).flatMap((name) => new RegExp(`^${list}\\.(\\d+)\\.`).exec(name)?.[1] ?? [])).size;

describe('a list of objects in the form of a record', () => {
  const PATH = '/account/data/companies/acme/edit';

  test('is rows of inputs with one to add, and no JSON', async () => {
    const { text } = await owner.get(PATH);
    const form = filled(text);
    expect(form).toMatchObject({
      'sources.0.source': 'https://acme.example/about',
      'sources.0.as_of': '2026-10',
      'sources.0.fields': 'overview, tags',
      'sources.2.source': '',
      'former_names.0.name': 'Once',
      'token_contracts.0.symbol': '',
    });
    expect([rowsOf(form, 'sources'), rowsOf(form, 'token_contracts')]).toEqual([3, 1]);
    expect(text).not.toMatch(/JSON|\[\{|\[ *&quot;/);
  });

  test.each([
    ['companies', 'acme'],
    ['companies', 'wide'],
    ['people', 'ada-example'],
    ['rounds', 'acme-a'],
  ] as const)('is what it was if the form is sent as it is shown: %s %s', async (type, slug) => {
    const before = await stored(type, slug);
    const { text } = await owner.get(`/account/data/${type}/${slug}/edit`);
    const { status } = await owner.post(`/account/data/${type}/${before['id']}/edit`, filled(text));
    expect(status).toBe(303);
    expect(await stored(type, slug)).toEqual(before);
  });

  test('changes in the rows that were changed, and keeps of the others what no input shows', async () => {
    const path = '/account/data/people/ada-example/edit';
    const [acme, unknown] = (await stored('people', 'ada-example'))['roles'] as Record<string, unknown>[];
    const form = filled((await owner.get(path)).text);
    expect(form).toMatchObject({ 'roles.0.role_type': 'founder', 'roles.0.is_current': 'true' });
    const sent = { ...form, 'roles.0.title': 'Chair', 'roles.2.organization': 'Wide', 'roles.2.is_current': '' };
    expect((await owner.post(path, sent)).status).toBe(303);
    const { roles } = await stored('people', 'ada-example');
    expect(acme).toMatchObject({ organization_slug: 'acme', organization_id: expect.any(Number) });
    expect(roles).toEqual([
      { ...acme, title: 'Chair' },
      unknown,
      expect.objectContaining({ organization: 'Wide', organization_slug: 'wide', is_current: null, title: null }),
    ]);
    // Another organisation is linked anew, and a row without text is gone.
    const next = filled((await owner.get(path)).text);
    const blank = Object.fromEntries(
      Object.keys(next)
        .filter((name) => /^roles\.1\./.test(name))
        .map((name) => [name, '']),
    );
    await owner.post(path, { ...next, ...blank, 'roles.0.organization': 'Wide' });
    const after = (await stored('people', 'ada-example'))['roles'] as Record<string, unknown>[];
    expect(after.map(({ organization_slug: slug, title }) => [slug, title])).toEqual([
      ['wide', 'Chair'],
      ['wide', null],
    ]);
  });

  test('keeps a value with commas in a row of which another value is changed', async () => {
    const form = filled((await owner.get(PATH)).text);
    await owner.post(PATH, { ...form, 'sources.1.as_of': '2026-11' });
    expect((await stored('companies', 'acme'))['sources']).toEqual([SOURCES[0], { ...SOURCES[1], as_of: '2026-11' }]);
  });

  test('has another row, or one less, with all that was typed, and nothing is saved by that', async () => {
    const before = await stored('companies', 'acme');
    const form = filled((await owner.get(PATH)).text);
    const typed = { ...form, tagline: 'Not saved yet', 'sources.2.source': 'https://third.example' };
    const more = await owner.post(PATH, { ...typed, add: 'sources' });
    expect(more.status).toBe(200);
    expect(more.text).not.toContain('role="alert"');
    const longer = filled(more.text);
    expect(longer).toMatchObject(typed);
    expect(rowsOf(longer, 'sources')).toBe(4);
    const less = filled((await owner.post(PATH, { ...longer, remove: 'sources.0' })).text);
    expect(rowsOf(less, 'sources')).toBe(3);
    expect([less['sources.0.source'], less['sources.1.source'], less['tagline']]).toEqual([
      'https://list.example',
      'https://third.example',
      'Not saved yet',
    ]);
    expect(await stored('companies', 'acme')).toEqual(before);
    // The last row, too.
    const none = filled((await owner.post(PATH, { ...form, remove: 'former_names.0' })).text);
    expect([none['former_names.0.name'], rowsOf(none, 'former_names')]).toEqual(['', 1]);
    expect((await owner.post(PATH, none)).status).toBe(303);
    expect((await stored('companies', 'acme'))['former_names']).toEqual([]);
  });

  test('says beside the input what is wrong in a row, and leads there from above the form', async () => {
    const { text: fresh } = await owner.get('/account/data/companies/new');
    const rows = { 'sources.0.as_of': '2026', 'sources.2.source': 'x'.repeat(501), 'token_contracts.1.symbol': 'ACM' };
    const sent = { ...filled(fresh), name: 'Faulty', ...rows };
    const { status, text } = await owner.post('/account/data/companies/new', sent);
    expect(status).toBe(400);
    expect(text).toContain('<a href="#sources.0.source">Sources, row 1: Source is required</a>');
    expect(text).toContain('id="sources.0.source-fault">Source is required<');
    expect(text).toContain('<a href="#token_contracts.0.chain">Token contracts, row 1: Chain is required</a>');
    expect(text).toContain('id="sources.1.source-fault">Source must be at most 500 characters<');
    expect(text).toMatch(/<input id="sources\.1\.source"[^>]* aria-invalid="true"/);
    expect(text).toMatch(/<details[^>]* open[^>]*><summary><h2>Sources</);
  });

  test('keeps what is beyond its rows', async () => {
    const path = '/account/data/companies/wide/edit';
    const { text } = await owner.get(path);
    const form = filled(text);
    const shown = rowsOf(form, 'sources') - 1;
    expect(shown).toBeLessThan(MANY);
    expect(text).toContain(`${MANY - shown} more are not shown here and stay as they are`);
    await owner.post(path, { ...form, 'sources.0.source': 'first' });
    const names = ((await stored('companies', 'wide'))['sources'] as { source: string }[]).map(({ source }) => source);
    expect(names).toEqual(['first', ...Array.from({ length: MANY - 1 }, (_, index) => `s${index + 1}`)]);
  });
});

test('money stands in a form as people write it, and is exactly what it was', async () => {
  const path = '/account/data/rounds/acme-a/edit';
  const form = filled((await owner.get(path)).text);
  expect([form['amount_usd'], form['valuation_usd']]).toEqual(['50,000,000', '1,234.50']);
  await owner.post(path, { ...form, amount_usd: '$50,000,000.10' });
  expect(await stored('rounds', 'acme-a')).toMatchObject({ amount_usd: '50000000.10', valuation_usd: '1234.50' });
});

test('names in a form that no record has are said to be without one', async () => {
  const { text } = await owner.get('/account/data/rounds/acme-a/edit');
  expect(text).toMatch(/id="investors-hint">[^<]*Without a record: B\./);
});

test('a form that was changed by somebody meanwhile is not saved after a row was added', async () => {
  const path = '/account/data/companies/wide/edit';
  const form = filled((await owner.get(path)).text);
  await owner.post(path, { ...form, tagline: 'Of somebody else' });
  const added = await owner.post(path, { ...form, add: 'former_names' });
  const { status, text } = await owner.post(path, { ...filled(added.text), tagline: 'Mine' });
  expect([status, text.includes('changed by someone else')]).toEqual([400, true]);
  expect(text).toContain('differs from the record in: Tagline.');
});

test.each(RECORD_TYPES)(
  'a new form has the sections open that must be filled, and says what is in the others: %s',
  async (type) => {
    const { text } = await owner.get(`/account/data/${type}/new`);
    const sections = [...text.matchAll(/<details([^>]*)><summary><h2>([^<]*)<\/h2>([\s\S]*?)<\/summary>/g)];
    const open = sections.filter(([, attributes = '']) => / open/.test(attributes)).map(([, , title]) => title);
    expect(open).toEqual(['Main facts']);
    expect(sections.length).toBeGreaterThan(2);
    expect(text).toMatch(/<summary><h2>Sources<\/h2><span[^>]*>[^<]*As of[^<]*Sources/);
  },
);

test('company, date, stage, amount and investors of a round are its main facts', async () => {
  const { text } = await owner.get('/account/data/rounds/new');
  expect(text).toMatch(
    /<h2>Main facts<\/h2><span[^>]*>Name, Company, Announced date, Stage, .*Amount \(USD\), .*Investors/,
  );
});
