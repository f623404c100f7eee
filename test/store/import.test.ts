import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RecordType } from '../../src/contract/entities/index.ts';
import { importRows } from '../../src/store/import/import.ts';
import { readSource } from '../../src/store/import/import-source.ts';
import type { Decisions } from '../../src/store/import/proposals.ts';
import { type ImportReport, unlinkedText } from '../../src/store/import/report.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import { aCompany, anInvestor } from '../support/builders.ts';
import { engine } from '../support/databases.ts';
import { importText, ndjson } from '../support/importing.ts';
import { isSecondEngine } from '../support/length.ts';

/** Many times what a busy machine takes for 64 MB, and a fraction of a quadratic time. */
const ENDLESS_MS = 15_000;

let store: Store;
beforeEach(async () => {
  const { url } = await engine.newDatabase();
  store = await openStore(url, () => new Date('2026-11-21T12:00:00.000Z'));
});
afterEach(() => store.close());

const get = async (type: RecordType, slug: string) => {
  const kept = await store.records.get(type, slug);
  return kept && JSON.parse(kept.json);
};
const imported = async (type: RecordType, row: object) => {
  const report = await importText(store, type, ndjson(row));
  expect(report.errors).toEqual([]);
  return report;
};

describe('what records have', () => {
  const NONE = { types: ['companies'], text: '', window: { offset: 0, limit: 0 } } as const;

  test('decides how a tag is spelled that differs in case, hyphens or number', async () => {
    await store.records.putAll([aCompany({ name: 'Known', tags: ['Wallet', 'Layer 2'] })]);
    await store.records.search(NONE);
    const { warnings } = await imported('companies', {
      name: 'New',
      tags: ['wallets', 'layer-2', 'Wallet', 'Oracles'],
    });
    expect(warnings).toMatchObject([
      { field: 'tags', value: 'wallets', message: 'is stored as Wallet, as other records spell it', rows: 1 },
    ]);
    expect((await get('companies', 'new')).tags).toEqual(['Wallet', 'Layer 2', 'Oracles']);
  });

  test('is not changed by an address that differs in a trailing slash', async () => {
    await store.records.putAll([aCompany({ name: 'Acme', website: 'https://acme.example/' })]);
    const row = { name: 'Acme', website: 'https://acme.example' };
    expect(await imported('companies', row)).toMatchObject({ unchanged: 1, updated: 0 });
    expect(await imported('companies', { ...row, tagline: 'Makes all' })).toMatchObject({ updated: 1 });
    expect((await get('companies', 'acme')).website).toBe('https://acme.example/');
    expect(await imported('companies', { ...row, website: 'https://acme.example/en' })).toMatchObject({ updated: 1 });
  });

  test('is named that a round lacks: companies and investors without a record', async () => {
    await store.records.putAll([aCompany({ name: 'Acme' })]);
    const rows = ['Acme', 'Nameless'].map((company) => ({
      company,
      stage: 'seed',
      announced_date: '2024-05-01',
      investors: ['Fund 1', 'Fund 2', 'Fund 3', 'Fund 4', 'Fund 5', 'Fund 6'],
      lead_investors: ['Fund 1'],
    }));
    const report = await importText(store, 'rounds', ndjson(...rows));
    expect(unlinkedText(report)).toBe(
      '1 company (Nameless), 6 investors (Fund 1, Fund 2, Fund 3, Fund 4, Fund 5 and 1 more)',
    );
    expect(unlinkedText(await imported('companies', { name: 'Nameless' }))).toBe('');
  });
});

const MONEY_FORMS = 'amount_usd must be US dollars, such as 1250000, 1.5M or $5M; write another currency in amount_raw';
const DATE_FORMS =
  'announced_date must be a valid day, as 2024-01-31 or 31 January 2024, or month, as 2024-01 or January 2024';

describe.skipIf(isSecondEngine)('a file is read', () => {
  const acme = { slug: 'acme', name: 'Acme', tags: ['DeFi', 'DEX'], location_json: { city: 'Zug', country: null } };
  test.each([
    ['NDJSON', '{"name":"Acme","tags":["DeFi","DEX"],"city":"Zug"}\r\n\n'],
    ['NDJSON with a byte order mark', '\uFEFF{"name":"Acme","tags":"DeFi|DEX","location_json":{"city":"Zug"}}'],
    ['a JSON array', '\n [\n{"name": "Acme",\n"tags": ["DeFi", "DEX"], "location": {"City": "Zug"}}\n]\n'],
    ['CSV', 'Name,Tags,location_json.city\nAcme,DeFi|DEX,Zug\n'],
    ['CSV of another country', 'Name;Tags;City\nAcme;DeFi|DEX;Zug\n'],
    ['CSV with tabs and the line ends of old machines', 'Name\tTags\tCity\rAcme\tDeFi|DEX\tZug\r'],
    ['CSV with a row of empty cells', 'Name,Tags,City\r\n,,\r\nAcme,DeFi|DEX,Zug\r\n , ,\r\n'],
    ['CSV with the separator line of Excel', '\uFEFFsep=;\r\nName;Tags;City;a, b, c, d\r\nAcme;DeFi|DEX;Zug\r\n'],
    ['CSV with lists as JSON', 'name,TAGS,City\r\n"Acme","[""DeFi"",""DEX""]",Zug'],
  ])('as %s, whatever its pieces', async (_form, text) => {
    expect(await importText(store, 'companies', text)).toMatchObject({ read: 1, created: 1, failed: 0, errors: [] });
    expect(await get('companies', 'acme')).toMatchObject(acme);
  });

  test('only as UTF-8: rows of another encoding are refused, not kept as signs', async () => {
    expect(await importText(store, 'companies', 'name\nCaf\uFFFD\nAcme\n')).toMatchObject({
      created: 1,
      failed: 1,
      errors: [{ line: 2 }],
    });
    await expect(importText(store, 'companies', '\uFFFD\uFFFDn\0a\0')).rejects.toThrow('The file is not UTF-8 text');
  });

  // The lengths are many times what a record may have, for a time that is quadratic to show.
  test.skipIf(isSecondEngine)('of endless rows in a time by its length, each refused once', async () => {
    const began = performance.now();
    const long = 'x'.repeat(64_000_000);
    const text = `{"name":"${long}"}\n{"name":"After"}\n`;
    expect(await importText(store, 'companies', text)).toMatchObject({
      read: 2,
      created: 1,
      errors: [{ line: 1, message: 'the line is longer than 16000000 characters' }],
    });
    expect(await importText(store, 'companies', `name,tags\nA,"${long}`)).toMatchObject({ read: 1, failed: 1 });
    expect(performance.now() - began).toBeLessThan(ENDLESS_MS);
  });

  test('is refused that begins with a megabyte of nothing', async () => {
    const blank = ' \n'.repeat(499_000);
    expect(await importText(store, 'companies', `${blank}name\nAcme\n`)).toMatchObject({ created: 1 });
    await expect(importText(store, 'companies', `${blank}${' '.repeat(4_000)}name\nAcme\n`)).rejects.toThrow(
      'The file begins with more than 1,000,000 spaces and line breaks',
    );
  });

  test('that is empty as no rows', async () => {
    for (const text of ['', '\n', '[]', 'name,slug\n'])
      expect(await importText(store, 'companies', text)).toMatchObject({ read: 0, errors: [] });
  });

  test('with every bad row reported by line, field and reason, and the good ones kept', async () => {
    const text =
      '{"name":"Acme"}\n{"name":\n[1]\n{"tags":["x"]}\n{"name":"B","website":"javascript:x","founded":"soon"}\n';
    const report = await importText(store, 'companies', text);
    expect(report).toMatchObject({ read: 5, created: 1, failed: 4 });
    expect(report.errors).toMatchInlineSnapshot(`
      [
        {
          "field": null,
          "line": 2,
          "message": "this is not valid JSON",
        },
        {
          "field": null,
          "line": 3,
          "message": "a record must be a JSON object",
        },
        {
          "field": "name",
          "line": 4,
          "message": "\`name\` is missing",
        },
        {
          "field": "website",
          "line": 5,
          "message": "website must be an http or https address, such as https://example.com",
          "name": "B",
          "value": "javascript:x",
        },
        {
          "field": "year_founded",
          "line": 5,
          "message": "year_founded must be a year, such as 2019",
          "name": "B",
          "value": "soon",
        },
      ]
    `);
  });

  test('past rows that are nested too deep, in every form that JSON comes in', async () => {
    const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
    const bad = `{"name":"Bad","founders":${deep}}`;
    const texts = [
      `{"name":"A1"}\n${bad}\n{"name":"B1"}\n`,
      `{"name":"A1"}\n${JSON.stringify({ name: 'Bad', founders: deep })}\n{"name":"B1"}\n`,
      `[{"name":"A1"},\n${bad},\n{"name":"B1"}]`,
      `name,founders\nA1,\nBad,"${deep}"\nB1,`,
    ];
    for (const [index, text] of texts.entries()) {
      const report = await importText(store, 'companies', text, { isDryRun: true });
      expect(report).toMatchObject({ created: 2, failed: 1 });
      expect(report.errors).toEqual([
        {
          line: index === 3 ? 3 : 2,
          field: null,
          message: 'JSON may be nested 64 levels deep, and this is deeper',
        },
      ]);
    }
  });

  test('and what came before is kept when it cannot be read to its end', async () => {
    async function* broken(): AsyncGenerator<string> {
      yield '{"name":"A1"}\n{"name":"B1"}\n';
      throw new Error('the disk is gone');
    }
    const { signal } = new AbortController();
    const source = await readSource(Readable.from(broken()), { type: 'companies' }, signal);
    const { records, compactIndex } = store;
    const request = { records, compactIndex, type: 'companies', source, isDryRun: false, signal } as const;
    await expect(importRows({ ...request, onBatch: () => {} })).rejects.toThrow('the disk is gone');
    expect(await get('companies', 'b1')).toMatchObject({ name: 'B1' });
  });

  test('of JSON past a broken record, with the line that each begins at', async () => {
    const report = await importText(
      store,
      'companies',
      '[{"name":"A1"},\n{"name":oops},\n7,\n{"name":"B1"},{"name":"C',
    );
    expect(report).toMatchObject({ created: 2, failed: 3 });
    expect(report.errors.map(({ line, message }) => `${line}: ${message}`)).toEqual([
      '2: this is not valid JSON',
      '3: a record must be a JSON object',
      '4: the file ends in the middle of this record',
    ]);
  });

  test('of JSON from the list in an object around it, as services answer', async () => {
    const wrapped = '{"total": 2, "companies": [{"name":"A1"},\n{"name":oops},\n{"name":"B1"}], "next": {"page": 2}}';
    const report = await importText(store, 'companies', wrapped);
    expect(report).toMatchObject({ read: 3, created: 2, failed: 1 });
    expect(report.errors).toEqual([{ line: 2, field: null, message: 'this is not valid JSON' }]);
    expect(await importText(store, 'companies', '{"data":[{"name":"C1"}]}')).toMatchObject({ created: 1 });
    const record = ndjson({ name: 'D1', investors: [{ name: 'Example Capital' }], data: [{ name: 'No row' }] });
    expect(await importText(store, 'companies', record)).toMatchObject({ read: 1, created: 1 });
  });

  test('of CSV with line breaks in cells, cells too many and a quote that never ends', async () => {
    const report = await importText(store, 'companies', 'name,overview\nA1,"one\ntwo"\nB1,x,y\n\nC1,,\nD1,"open\n');
    expect(report).toMatchObject({ created: 2, failed: 2 });
    expect(report.errors.map(({ line, field }) => [line, field])).toEqual([
      [4, null],
      [7, null],
    ]);
    const { errors } = await importText(store, 'companies', 'name,overview\nA1,"one\nB1,two\nC1,three\n');
    expect(errors).toMatchObject([{ line: 2, message: expect.stringContaining('so that no later row is read') }]);
  });

  test('of CSV with two columns of one name, whose first says what the record has', async () => {
    const report = await importText(
      store,
      'companies',
      'name,website,website,,size,size\nA1,a.example,b.example,,1,2\nB1,,b.example\n',
    );
    expect(report).toMatchObject({
      created: 2,
      warnings: [{ field: 'website', value: 'b.example', line: 2, rows: 1 }],
    });
    expect((await get('companies', 'a1')).website).toBe('https://a.example');
    expect((await get('companies', 'b1')).website).toBe('https://b.example');
  });

  test('of CSV with two columns of one part of a field, and names the value that is left out', async () => {
    const report = await importText(store, 'companies', 'name,location_json.city,city\nA1,Rome,Milan\n');
    expect(report.warnings).toMatchObject([{ field: 'location_json.city', value: 'Milan' }]);
    expect((await get('companies', 'a1')).location_json).toMatchObject({ city: 'Rome' });
  });

  test('of JSON whose list follows an object, and not of one whose list has a name of its own', async () => {
    const paged = '{"meta":{"page":1,"of":"x"},"companies":[{"name":"A1"},{"name":"B1"}],"next":null}';
    expect(await importText(store, 'companies', paged)).toMatchObject({ read: 2, created: 2, failed: 0 });
    const { errors } = await importText(store, 'companies', '{"ok":true,"payload":[{"name":"C1"}]}');
    expect(errors).toEqual([
      { line: 1, field: null, message: 'a list is in here; call it companies, or give it alone' },
    ]);
    expect(await get('companies', 'c1')).toBeUndefined();
  });

  test('of JSON on one line told by the number of the record', async () => {
    const rows = ['{"name":"Q1"}', '{"name":"Q2","year_founded":"x"}', '{"name":"Q3"}', '7'];
    const { errors } = await importText(store, 'companies', `[${rows.join(',')}]`);
    expect(errors).toEqual([
      { line: 1, record: 4, field: null, message: 'a record must be a JSON object' },
      {
        line: 1,
        record: 2,
        field: 'year_founded',
        message: 'year_founded must be a year, such as 2019',
        name: 'Q2',
        value: 'x',
      },
    ]);
    const doubtful = [1, 2, 3].map((number) => `{"name":"R${number}","total_funding_usd":"${number}"}`);
    const { warnings } = await importText(store, 'companies', `[${doubtful.join(',')}]`);
    expect(warnings).toMatchObject([{ line: 1, value: '1', others: ['2', '3'], rows: 3 }]);
    expect((await importText(store, 'companies', '{"name":"R5"}\n{"name":"R6","year_founded":"x"}')).errors).toEqual([
      { line: 2, field: 'year_founded', message: 'year_founded must be a year, such as 2019', name: 'R6', value: 'x' },
    ]);
  });

  test.each([
    ['rounds', 'company,stage,date\nA,seed,45352', 'a spreadsheet counts days; give the cells the format yyyy-mm-dd'],
    ['rounds', '[{"company":"A","stage":"seed","date":2024}]', 'announced_date must be a valid day, as 2024-01-31'],
    ['rounds', 'company,stage,date\n,seed,2024-03-05', '`company` is empty'],
    [
      'rounds',
      'stage,date\nseed,2024-03-05',
      'no column for company; the first line must name the columns, and has stage',
    ],
    ['rounds', 'company,stage,date\n999,seed,2024-03-05', 'company 999 is the number of no company; give its name'],
    ['companies', 'name,founded\nA,03.04.2019', 'year_founded must be a year, such as 2019'],
    ['companies', 'name,employees\nA,1e3', 'total_employees must be a whole number in digits, such as 1200'],
    ['companies', 'name,website\nA,http://', 'website must be an http or https address, such as https://example.com'],
    ['companies', 'name|tags\nA|B', 'and has name|tags; separate them by commas, semicolons or tabs'],
    ['companies', 'name,tags\nA,B,C', 'a value with a separator needs quotation marks'],
    ['companies', `name,tags\nA,"${'x'.repeat(16_000_001)}`, 'look for a quotation mark that is never closed'],
    ['companies', `name${',name'.repeat(500_000)}\n`, 'names more than 2,000 columns'],
    ['companies', `${','.repeat(16_000)}name|tags\nA,B`, 'and has name|tags'],
    ['companies', '{"result":{"data":[{"name":"A"}]}}', 'a list is in here; call it companies, or give it alone'],
    ['companies', '[{"tags":["x"]}]', '`name` is missing'],
    ['companies', '[{"id":1.5,"tags":["x"]}]', 'the row has no name or slug; give it one'],
  ] as const)('with what a row of %s has wrong, in words that say what to do (%#)', async (type, text, said) => {
    const { errors } = await importText(store, type, text);
    expect(errors.map(({ message }) => message)).toEqual([expect.stringContaining(said)]);
  });

  test('with numbers beyond the greatest that a record has refused by that bound, not by their form', async () => {
    const inText =
      'name,total_raised,employees\nA,1000000B,"1,000,000,000,000,000"\nB,999999B,1\nC,1000000000000000,1\n';
    const inJson = ndjson(
      { name: 'D', total_raised: 1e21, employees: 1 },
      { name: 'E', total_raised: 1, employees: '1'.repeat(20) },
    );
    const most = 'total_funding_usd must be at most 999999999999999.99 US dollars';
    const employees = 'total_employees must be at most 999999999999999';
    const reports = [await importText(store, 'companies', inText), await importText(store, 'companies', inJson)];
    expect(reports.map(({ created }) => created)).toEqual([1, 0]);
    expect(reports.flatMap(({ errors }) => errors.map(({ value, message }) => [value, message]))).toEqual([
      ['1000000000000000', employees],
      ['1000000000000000.00', most],
      ['1000000000000000.00', most],
      ['1000000000000000000000.00', most],
      ['1'.repeat(20), employees],
    ]);
  });

  test('with a day that may be another one or an amount whose comma or point may be the other refused', async () => {
    const report = await importText(
      store,
      'rounds',
      'company,stage,date,amount\nA,seed,03/04/2024,1M\nB,seed,2024-03-04,"1,5M"\nC,seed,2024-03-04,$1.250\n',
    );
    expect(report).toMatchObject({ created: 0, failed: 3 });
    expect(report.errors).toMatchObject(
      [
        { line: 4, field: 'amount_usd' },
        { line: 3, field: 'amount_usd', message: MONEY_FORMS },
        { line: 2, field: 'announced_date', message: DATE_FORMS },
      ].reverse(),
    );
  });
});

describe.skipIf(isSecondEngine)('names and values', () => {
  test.each([
    [{ 'Year Founded': '2017' }, { year_founded: 2017 }],
    [
      { yearFounded: 2017, employees: '1,234' },
      { year_founded: 2017, total_employees: 1234 },
    ],
    [
      { founded: '2017-05-01', headcount: 12 },
      { year_founded: 2017, total_employees: 12 },
    ],
    [{ founded_date: '2017-05-01T08:00:00Z' }, { founded_date: '2017-05-01' }],
    [{ founded_date: '2017' }, { founded_date: null, year_founded: 2017 }],
    [{ total_funding_usd: '$5.2M' }, { total_funding_usd: '5200000.00' }],
    [{ total_raised: '$2,000,000' }, { total_funding_usd: '2000000.00' }],
    [{ total_raised: '1,00,00,000' }, { total_funding_usd: '10000000.00' }],
    [{ total_raised: '1.250.000,5' }, { total_funding_usd: '1250000.50' }],
    [{ total_raised: '1.250.000' }, { total_funding_usd: '1250000.00' }],
    [{ total_raised: '1250,75 USD' }, { total_funding_usd: '1250.75' }],
    [{ total_raised: '$ 1\u202f250\u00a0000' }, { total_funding_usd: '1250000.00' }],
    [{ total_raised: '1.125M' }, { total_funding_usd: '1125000.00' }],
    [{ founded_date: 'March 5, 2017' }, { founded_date: '2017-03-05' }],
    [{ founded_date: '5 Sept 2017' }, { founded_date: '2017-09-05' }],
    [{ founded_date: '05-Sep-2017' }, { founded_date: '2017-09-05' }],
    [{ total_raised: 0.1 + 0.2 }, { total_funding_usd: '0.30' }],
    [{ total_raised: '1,250.505 USD' }, { total_funding_usd: '1250.51' }],
    [{ total_raised: '2.5 bn' }, { total_funding_usd: '2500000000.00' }],
    [{ website: 'acme.example/a', logo_url: 'HTTPS://x.example/l.png' }, { website: 'https://acme.example/a' }],
    [{ domain: 'acme.example' }, { website: 'https://acme.example' }],
    [{ domain: 'acme.example', url: 'https://www.acme.example/' }, { website: 'https://www.acme.example/' }],
    [{ website: 'https//acme.example' }, { website: 'https://acme.example' }],
    [
      { website: 'N/A', tagline: '', tags: [] },
      { website: null, tagline: null, tags: [] },
    ],
    [
      { total_raised: 'Undisclosed', employees: 'not disclosed' },
      { total_funding_usd: null, total_employees: null },
    ],
    [
      { x: '@acme', github: 'acme' },
      { twitter: 'https://x.com/acme', github: 'https://github.com/acme' },
    ],
    [{ twitter: 'twitter.com/acme' }, { twitter: 'https://x.com/acme' }],
    [{ description: 'About', overview: 'Own', about: 'Other' }, { overview: 'Own' }],
    [
      { symbol: 'ACM', categories: 'DeFi|DEX' },
      { token_symbols: ['ACM'], tags: ['DeFi', 'DEX'] },
    ],
    [{ funding_stage: 'Series A' }, { funding_stage: 'series_a', funding_stage_raw: null }],
    [{ funding_stage: 'Private' }, { funding_stage: null, funding_stage_raw: 'Private' }],
    [{ location: 'Zug, Switzerland' }, { location_json: { city: 'Zug', country: 'Switzerland' } }],
    [{ location: 'Austin, Texas' }, { location_json: { city: 'Austin', country: null } }],
    [{ HQ: 'Switzerland' }, { location_json: { city: null, country: 'Switzerland' } }],
    [{ sources: { other: 'form' } }, { sources: [] }],
  ])('of %j are read as %j', async (given, expected) => {
    await imported('companies', { name: 'Acme', ...given });
    expect(await get('companies', 'acme')).toMatchObject(expected);
  });

  test('that no field has are ignored and told once each', async () => {
    const row = { kind: 'x', team: [{ name: 'Ada', role: 'CEO' }], sources: ['somewhere'] };
    const ours = { source: 'Acme', as_of: null, fields: ['name'] };
    const nested = { name: 'C1', location_json: { city: 'Zug', zip: 1 }, sources: [{ ...ours, page: 2 }] };
    const report = await importText(store, 'companies', ndjson({ name: 'A1', ...row }, { name: 'B1', ...row }, nested));
    expect([...report.ignoredFields]).toEqual(['kind', 'team.role', 'sources', 'location_json.zip', 'sources.page']);
    expect(report).toMatchObject({ created: 3, failed: 0 });
    expect((await get('companies', 'c1')).sources).toEqual([ours]);
  });

  test('that are not stored as their author may expect are named with the first line and a count', async () => {
    const head = 'name,tags,categories,country,chains,funding_stage,investors,location,tagline,overview,company_stage';
    const rows = [
      'A1,DeFi; Lending,,Untied States,Etherium|Etherem|SOL,Series Q,"a16z, Paradigm",,,,',
      `B1,DeFi|DEX,NFT,Germny,Newchain,Seed,"Acme, Inc.|a16z",,${'word '.repeat(101)},x,`,
      'C1,"DeFi, DEX",,,,,,"Austin, Texas",,,',
      // A refused row is no doubtful one.
      'D1,,,Nowhere,,,,,,,growing',
    ];
    const report = await importText(store, 'companies', `${head}\n${rows.join('\n')}\n`);
    expect(report).toMatchObject({ created: 3, failed: 1 });
    const shown = report.warnings.map((one) => [one.field, one.value.slice(0, 20), one.meant, one.line, one.rows]);
    expect(shown).toEqual([
      ['tags', 'DeFi; Lending', undefined, 2, 2],
      ['investors', 'a16z, Paradigm', undefined, 2, 1],
      ['funding_stage', 'Series Q', undefined, 2, 1],
      ['country', 'Untied States', 'United States', 2, 2],
      ['chains', 'Etherium', 'ethereum', 2, 1],
      ['tags', 'NFT', undefined, 3, 1],
      ['tagline', 'word word word word ', undefined, 3, 1],
      ['location', 'Austin, Texas', undefined, 4, 1],
    ]);
    expect(await get('companies', 'a1')).toMatchObject({
      tags: ['DeFi; Lending'],
      location_json: { country: 'Untied States' },
      funding_stage_raw: 'Series Q',
    });
    const known = { name: 'Good', country: 'USA', chains: ['ETH'], tags: 'DeFi|DEX', funding_stage: 'Series A' };
    expect((await importText(store, 'companies', ndjson(known))).warnings).toEqual([]);
  });

  test('of a tagline that is a whole text become a line and the overview', async () => {
    const text = 'word '.repeat(200).trim();
    await imported('companies', { name: 'Acme', tagline: text });
    const { tagline, overview } = await get('companies', 'acme');
    expect([tagline.length < 500, tagline.endsWith('word…'), overview]).toEqual([true, true, text]);
  });

  test('of kinds outside a vocabulary that has "other" are other', async () => {
    const party = { title: 'Acme Party', type: 'events', event_type: 'party', date: '2026/5/1' };
    const { warnings } = await importText(store, 'events', ndjson(party));
    expect(warnings).toMatchObject([{ field: 'event_type', value: 'party', rows: 1 }]);
    expect(await get('events', 'acme-party')).toMatchObject({ event_type: 'other', start_date: '2026-05-01' });
  });
});

describe.skipIf(isSecondEngine)('a row', () => {
  test('states who acquired a company and when, as far as that is known, in columns of other names', async () => {
    await store.records.putAll([aCompany({ name: 'Buyer', slug: 'buyer' })]);
    const text = 'name,status,acquirer,acquired_on\nAcme,acquired,Buyer,June 2025\nB,closed,,2022\nC,closed,,2022-13\n';
    const report = await importText(store, 'companies', text);
    expect(report).toMatchObject({ created: 2, failed: 1 });
    expect(report.errors).toMatchObject([{ line: 4, field: 'status_since' }]);
    expect(await get('companies', 'acme')).toMatchObject({
      status_since: '2025-06',
      acquired_by: { name: 'Buyer', type: 'companies', slug: 'buyer' },
    });
    expect(await get('companies', 'b')).toMatchObject({ status_since: '2022', acquired_by: null });
  });

  test('takes lists of things as JSON in a cell, too, and leaves out those and a status of another form', async () => {
    const token = { symbol: 'ACM', chain: 'Base', address: '0x00000000000000000000000000000000000000aa' };
    const cell = `"${JSON.stringify([token]).replaceAll('"', '""')}"`;
    const rows = [`Acme,${cell},Old Acme,Active,2026-01`, 'B,x,,live,'];
    const text = `name,token_contracts,former_names,status,status_as_of\n${rows.join('\n')}\n`;
    const report = await importText(store, 'companies', text);
    expect(report).toMatchObject({ created: 2, failed: 0 });
    expect([...report.ignoredFields]).toEqual(['token_contracts', 'status outside the vocabulary: live']);
    expect(await get('companies', 'acme')).toMatchObject({
      token_contracts: [token],
      former_names: [{ name: 'Old Acme', as_of: null }],
      status: 'active',
      status_as_of: '2026-01',
      status_source: null,
    });
    expect(await get('companies', 'b')).toMatchObject({ token_contracts: [], status: null });
  });

  test('replaces the given fields of the record of its slug, whose number is the exporter’s own', async () => {
    await store.records.putAll([aCompany({ slug: 'acme', tags: ['DeFi'], tagline: 'First' })]);
    expect(await imported('companies', { id: 99, slug: 'acme', tagline: 'Second' })).toMatchObject({ updated: 1 });
    expect(await get('companies', 'acme')).toMatchObject({ id: 1, name: 'Acme', tags: ['DeFi'], tagline: 'Second' });
  });

  test('without a slug is about the record of its number, and fails when there is none', async () => {
    await store.records.putAll([aCompany()]);
    const report = await importText(store, 'companies', 'id,tagline\n1,New\n7,None\n');
    expect(report).toMatchObject({ updated: 1, failed: 1 });
    expect(report.errors).toMatchObject([{ line: 3, field: 'id' }]);
    expect(await get('companies', 'acme')).toMatchObject({ tagline: 'New' });
  });

  test('without both gets a slug from its name, the same in every run', async () => {
    const text = ndjson(
      { name: 'Acme' },
      { name: 'Acme', tagline: 'Another' },
      { name: '日本' },
      { slug: '1984', name: '1984' },
    );
    expect(await importText(store, 'companies', text)).toMatchObject({ created: 3, updated: 1 });
    expect(await importText(store, 'companies', text)).toMatchObject({ created: 0, updated: 0, unchanged: 4 });
    expect((await get('companies', 'acme')).tagline).toBe('Another');
    expect((await get('companies', 'company-1984')).name).toBe('1984');
  });

  test('of a round makes its name and slug from company, stage and date', async () => {
    const round = {
      id: 1,
      company: 'Acme Labs',
      company_slug: 'acme',
      stage: 'Series A',
      date: '2024-03-05',
      amount: 5.2e6,
    };
    await imported('rounds', { ...round, investors: ['Example Capital'], primary_source: 'https://news.example/1' });
    expect(await get('rounds', 'acme-series-a-2024-03-05')).toMatchObject({
      name: 'Acme Labs Series A (2024)',
      stage: 'series_a',
      amount_usd: '5200000.00',
      announcement: 'https://news.example/1',
    });
    await store.records.putAll([aCompany({ name: 'Acme', slug: 'acme' })]);
    expect(await get('companies', 'acme')).toMatchObject({
      total_funding_usd: '5200000.00',
      funding_stage: 'series_a',
    });
  });

  test.each(['2024-03', '2024/3', '03/2024', 'March 2024', 'Mar. 2024', 'Mar-2024'])(
    'of a round takes the month %s for its date',
    async (month) => {
      await imported('rounds', { company: 'Acme', stage: 'seed', announced_date: month });
      expect(await get('rounds', 'acme-seed-2024-03-01')).toMatchObject({
        announced_date: '2024-03-01',
        month_only: ['announced_date'],
      });
    },
  );

  test.each([['Mar-24'], ['Q1 2024'], ['2024'], ['13/2024', '2024-13-01'], ['Foo 2024']])(
    'of a round is refused with the date %s',
    async (date, value = date) => {
      const { errors } = await importText(store, 'rounds', ndjson({ company: 'Acme', announced_date: date }));
      expect(errors).toEqual([{ line: 1, field: 'announced_date', message: DATE_FORMS, name: 'Acme', value }]);
    },
  );

  test.each([
    [{ amount: 5, currency: 'EUR' }, '5.00 EUR'],
    [{ amount: '5,000,000', Currency: '€' }, '5000000.00 €'],
    [{ amount_usd: 5, currency_code: 'BTC' }, '5.00 BTC'],
    [{ 'Money Raised': '5M', 'Money Raised Currency': 'eur' }, '5000000.00 eur'],
    [{ raised: '200 BTC' }, '200 BTC'],
    [{ raised: '€5M' }, '€5M'],
  ])('of a round is refused whose amount is of another currency: %j', async (amount, value) => {
    const { errors } = await importText(store, 'rounds', ndjson({ company: 'Acme', date: '2024-03-01', ...amount }));
    expect(errors).toEqual([{ line: 1, field: 'amount_usd', message: MONEY_FORMS, name: 'Acme', value }]);
  });

  test.each([
    [{ amount: 5_000_000, currency: 'USD' }, '5000000.00'],
    [{ amount: 5_000_000, currency: 'US$' }, '5000000.00'],
    [{ 'Money Raised': 4_000_000, Currency: 'EUR', 'Money Raised (in USD)': '5,000,000' }, '5000000.00'],
    [{ 'Money Raised Currency (in USD)': 5_000_000, 'Money Raised': 4_000_000, Currency: 'EUR' }, '5000000.00'],
    [{ amount: '5M', 'Valuation Currency': 'EUR', currency: null }, '5000000.00'],
    [{ 'Raised (€)': 4_000_000 }, null],
  ])('of a round has the amount in dollars of %j', async (amount, expected) => {
    await imported('rounds', { company: 'Acme', stage: 'seed', date: '2024-03-01', ...amount });
    expect(await get('rounds', 'acme-seed-2024-03-01')).toMatchObject({ amount_usd: expected });
  });

  test('of a round takes the address out of what is said of its source, and does without one', async () => {
    const rounds = [
      { slug: 'one', company: 'Acme', primary_source: 'Acme raises $3m. https://news.example/1 has more' },
      { slug: 'two', company: 'Acme', primary_source: 'Acme announced on Wednesday that it raised $4 million' },
    ];
    const report = await importText(store, 'rounds', ndjson(...rounds));
    expect(report).toMatchObject({ created: 2, failed: 0 });
    expect([...report.ignoredFields]).toEqual(['announcement without an address']);
    expect((await get('rounds', 'one')).announcement).toBe('https://news.example/1');
    expect((await get('rounds', 'two')).announcement).toBeNull();
  });

  test('that is the total of a sheet is refused, and a round of a company called so is not', async () => {
    const rows = [
      'Acme,2024-03-01,Seed,$5M',
      'Total Labs,2024-03-02,Seed,$4M',
      'Total,,,$9M',
      'Grand total (2 rounds),,2 rounds,"9,000,000"',
      'Sum:,,,9M',
    ];
    const report = await importText(store, 'rounds', `Company,Date,Round,Amount\n${rows.join('\n')}\n`);
    expect(report).toMatchObject({ created: 2, failed: 3 });
    expect(report.errors.map(({ line, message }) => [line, message])).toEqual(
      [4, 5, 6].map((line) => [line, expect.stringContaining('a total of other rows')]),
    );
    const companies = await importText(store, 'companies', 'Name,Employees\nAcme,3\nTotal,3\nTotal Labs,\n');
    expect(companies).toMatchObject({ created: 2, errors: [{ line: 3 }] });
  });

  test('of a round without a company is refused', async () => {
    const report = await importText(store, 'rounds', ndjson({ slug: 'x-round', name: 'X', amount: 5 }));
    expect(report.errors).toEqual([{ line: 1, field: 'company', message: '`company` is missing', name: 'X' }]);
  });
});

describe('a round', () => {
  const ROUND = { company: 'Acme', stage: 'seed', announced_date: '2024-05-01', amount_usd: 5_000_000 };
  /** The line, the likeliest record and what becomes of rows. */
  const shown = (rows: ImportReport['matches']['joined']) =>
    rows.map(({ line, options: [first], choice }) => [line, first?.slug, choice]);
  const rounds = (rows: readonly object[], decisions: Decisions & { isDryRun?: boolean } = {}) =>
    importText(store, 'rounds', ndjson(...rows), decisions);

  test.each([true, false])(
    'that is on record days apart joins that one, and is left out in doubt (dry run: %s)',
    async (isDryRun) => {
      await store.records.putAll([aCompany({ name: 'Acme' })]);
      await rounds([ROUND, { ...ROUND, company: 'Nobody' }]);
      const rows = [
        { ...ROUND, announced_date: '2024-05-02' },
        { ...ROUND, announced_date: '2024-05-07', amount_usd: null },
        { ...ROUND, announced_date: '2024-05-03', amount_usd: 6_000_000 },
        { ...ROUND, announced_date: '2024-05-04', stage: 'series_a' },
        { ...ROUND, announced_date: '2024-07-09' },
        { ...ROUND, announced_date: '2024-05', slug: 'monthly' },
        { ...ROUND, company: 'Nobody', announced_date: '2024-04-30' },
        { ...ROUND, company: 'Other', announced_date: '2024-05-02' },
        { ...ROUND, announced_date: '2025-05-02', amount_usd: 6_000_000 },
        ROUND,
      ];
      const report = await rounds(rows, { isDryRun });
      expect(report).toMatchObject({ created: 2, updated: 0, unchanged: 5, leftOut: 3 });
      const acme = 'acme-seed-2024-05-01';
      expect(shown(report.matches.doubtful)).toEqual([3, 4, 5].map((line) => [line, acme, 'leave-out']));
      expect(shown(report.matches.joined)).toEqual([
        ...[1, 2, 6].map((line) => [line, acme, `join:${acme}`]),
        [7, 'nobody-seed-2024-05-01', 'join:nobody-seed-2024-05-01'],
      ]);
    },
  );

  test('of a company under another name is a round of the record, and joins what that has', async () => {
    const site = 'https://acme.example';
    await store.records.putAll([aCompany({ name: 'Acme', website: site }), aCompany({ name: 'Zenith' })]);
    await rounds([ROUND]);
    const rows = [
      { ...ROUND, company: 'ACME, Inc.' },
      { ...ROUND, company: 'Acme Corp', stage: 'series_a', announced_date: '2025-01-01' },
      { ...ROUND, company: 'Acme Foundation', announced_date: '2024-05-03' },
      { ...ROUND, company: 'Acme Holdings', website: `${site}/about`, announced_date: '2024-05-03' },
      { ...ROUND, company: 'Zenith Labs' },
    ];
    const report = await rounds(rows);
    const seed = 'acme-seed-2024-05-01';
    expect(shown(report.matches.joined)).toEqual([
      [1, seed, `join:${seed}`],
      [2, 'acme', 'add:acme'],
    ]);
    // Money that may be on record is left out; what is not is added, of the company as it is written.
    expect(shown(report.matches.doubtful)).toEqual([
      [3, seed, 'leave-out'],
      [4, seed, 'leave-out'],
      [5, 'zenith', 'add'],
    ]);
    expect(await get('companies', 'acme')).toMatchObject({ total_funding_usd: '10000000.00' });
    expect((await get('rounds', 'acme-series-a-2025-01-01')).company).toMatchObject({ name: 'Acme', slug: 'acme' });
    expect((await get('rounds', 'zenith-labs-seed-2024-05-01')).company).toMatchObject({
      name: 'Zenith Labs',
      id: null,
    });
    const chosen: Readonly<Record<number, string>> = { 3: `join:${seed}`, 4: 'add:acme', 5: 'add:zenith' };
    expect(await rounds(rows, { chosen: ({ row }) => chosen[row] })).toMatchObject({ created: 2, leftOut: 0 });
    expect(await get('companies', 'acme')).toMatchObject({ total_funding_usd: '15000000.00' });
    expect(await get('companies', 'zenith')).toMatchObject({ total_funding_usd: '5000000.00' });
  });

  test('that is on record on the same terms for another company is left out in doubt, but for grants', async () => {
    await store.records.putAll([aCompany({ name: 'Acme' }), aCompany({ name: 'Zenith' })]);
    const grant = { ...ROUND, stage: 'grant' };
    await rounds([ROUND, grant]);
    const rows = [
      { ...ROUND, company: 'Makers of Acme' },
      { ...ROUND, company: 'Zenith' },
      { ...ROUND, company: 'Zenith', announced_date: '2025-05-02' },
      { ...ROUND, company: 'Makers of Acme', announced_date: '2024-05' },
      { ...grant, company: 'Makers of Acme' },
    ];
    const report = await rounds(rows);
    expect(shown(report.matches.doubtful)).toEqual([1, 2].map((line) => [line, 'acme-seed-2024-05-01', 'leave-out']));
    expect(report).toMatchObject({ created: 3, leftOut: 2 });
    await rounds(rows.slice(0, 1), { unsure: 'join' });
    expect(await get('rounds', 'acme-seed-2024-05-01')).toMatchObject({ company: { name: 'Acme' } });
    expect(await rounds(rows.slice(1, 2), { unsure: 'add' })).toMatchObject({ created: 1 });
    expect(await rounds(rows.slice(1, 2))).toMatchObject({ unchanged: 1, leftOut: 0 });
  });

  test('that a file has again without a date is left out in doubt', async () => {
    const { announced_date: _, ...undated } = ROUND;
    const report = await rounds([
      ROUND,
      undated,
      { ...undated, amount_usd: 7_000_000 },
      { ...undated, stage: 'angel' },
    ]);
    expect(shown(report.matches.doubtful)).toEqual([[2, 'acme-seed-2024-05-01', 'leave-out']]);
    expect(report).toMatchObject({ created: 3, leftOut: 1 });
  });

  test('that a file has again for a company of similar name is left out in doubt, but for grants', async () => {
    const labs = { ...ROUND, company: 'Acme Labs' };
    const report = await rounds([
      ROUND,
      labs,
      { ...ROUND, company: 'Zenith' },
      { ...labs, amount_usd: 7_000_000 },
      { ...ROUND, stage: 'grant' },
      { ...labs, stage: 'grant' },
    ]);
    expect(shown(report.matches.doubtful)).toEqual([[2, 'acme-seed-2024-05-01', 'leave-out']]);
    expect(report.matches.doubtful[0]?.options).toMatchObject([
      { isOfFile: true, detail: 'same day, a company of similar name' },
    ]);
    expect(report).toMatchObject({ created: 5, leftOut: 1 });
  });

  test('that joins another keeps what is on record, and fills what that lacks', async () => {
    await store.records.putAll([aCompany({ name: 'Acme' })]);
    await rounds([{ ...ROUND, amount_usd: null, investors: ['One'] }]);
    const more = { announced_date: '2024-05-04', announcement: 'https://news.example/1', investors: ['Two'] };
    expect(await rounds([{ ...ROUND, ...more }])).toMatchObject({ created: 0, updated: 1 });
    expect(await get('rounds', 'acme-seed-2024-05-01')).toMatchObject({
      ...{ amount_usd: '5000000.00', announced_date: '2024-05-01', announcement: 'https://news.example/1' },
      investors: [{ name: 'One' }],
    });
    // Of the same day and stage, it is a correction.
    await rounds([{ ...ROUND, amount_usd: 6_000_000 }]);
    expect(await get('rounds', 'acme-seed-2024-05-01')).toMatchObject({ amount_usd: '6000000.00' });
  });

  test('that changes another adds to its lists, each record once, and leaves its company and stage', async () => {
    await store.records.putAll([
      aCompany({ name: 'Acme' }),
      anInvestor({ name: 'One Capital', aliases: ['One'] }),
      anInvestor({ name: 'Two Capital', aliases: ['Two'] }),
    ]);
    await rounds([{ ...ROUND, investors: ['One', 'Three'], lead_investors: ['One'] }]);
    await rounds([{ ...ROUND, company: 'Nobody', stage: null, investors: ['One'] }]);
    const rows = [
      { ...ROUND, investors: ['Three'] },
      { ...ROUND, company: 'Acme Inc.', investors: ['One Capital', 'Two', 'Two Capital', 'four'] },
      { ...ROUND, company: 'Nobody Inc.', stage: null, investors: ['Two'] },
      { ...ROUND, announced_date: '2024-05-02', stage: 'Unheard of' },
    ];
    expect(await rounds(rows)).toMatchObject({ created: 0, updated: 2, unchanged: 2 });
    expect(await get('rounds', 'acme-seed-2024-05-01')).toMatchObject({
      ...{ company: { name: 'Acme', slug: 'acme' }, lead_investors: [{ name: 'One' }], stage_raw: null },
      investors: [{ name: 'One' }, { name: 'Three' }, { name: 'Two', slug: 'two-capital' }, { name: 'four' }],
    });
    expect(await get('rounds', 'nobody-round-2024-05-01')).toMatchObject({
      ...{ company: { name: 'Nobody' }, investors: [{ name: 'One' }, { name: 'Two' }] },
    });
    expect(await rounds(rows.toReversed())).toMatchObject({ created: 0, updated: 0, unchanged: 4 });
  });

  test('that joins a refused row of the file is a round of its own', async () => {
    expect(await rounds([{ ...ROUND, amount_usd: 'many' }, ROUND])).toMatchObject({ created: 1, failed: 1 });
  });

  test('that a file has twice is one; with another amount, each is a round, the same in every run', async () => {
    const rows = [ROUND, ROUND, { ...ROUND, amount_usd: 7_000_000 }, { company: 'Dateless' }];
    const report = await rounds(rows);
    expect(report).toMatchObject({ created: 3, unchanged: 1 });
    expect(shown(report.matches.joined)).toEqual([[2, 'acme-seed-2024-05-01', 'join:acme-seed-2024-05-01']]);
    expect(report.warnings).toMatchObject([{ line: 3, field: 'slug', value: 'acme-seed-2024-05-01-2' }]);
    expect(await rounds(rows)).toMatchObject({ created: 0, updated: 0, unchanged: 4, matches: { joined: [] } });
  });
});

describe('relations', () => {
  test('lead by slug, name or number to records, now or when they arrive', async () => {
    const person = {
      name: 'Ada Example',
      roles: [
        { title: null, organization: 'Acme Labs Inc', company_slug: 'acme' },
        { title: 'Nobody', organization: null },
      ],
      company_slugs: ['acme', 'other-org'],
      event_slugs: ['examplecon'],
    };
    expect([...(await imported('people', person)).ignoredFields]).toEqual(['roles without organization']);
    await imported('events', { name: 'ExampleCon', slug: 'examplecon', speakers: 'Bob|ada-example' });
    await imported('companies', {
      name: 'Acme',
      slug: 'acme',
      team: [{ name: 'Ada Example' }],
      investors: ['Example Capital'],
    });
    await imported('companies', { name: 'Other Organisation', slug: 'other-org' });
    const { roles, events } = await get('people', 'ada-example');
    expect(roles).toMatchObject([
      { organization: 'Acme Labs Inc', organization_slug: 'acme', title: null },
      { organization: 'Other Organisation', organization_slug: 'other-org', title: null },
    ]);
    expect(events).toMatchObject([{ name: 'ExampleCon', slug: 'examplecon' }]);
    expect((await get('events', 'examplecon')).speakers).toMatchObject([
      { name: 'Bob', slug: null },
      { slug: 'ada-example' },
    ]);
    const company = await get('companies', 'acme');
    expect([company.team, company.investors]).toMatchObject([
      [{ slug: 'ada-example' }],
      [{ name: 'Example Capital', id: null }],
    ]);
  });

  test('that were linked stay so when the same file comes again', async () => {
    const text = ndjson({ slug: 'acme', name: 'Acme', investors: ['Example Capital'] });
    await importText(store, 'companies', text + ndjson({ name: 'Example Capital' }));
    await imported('investors', { name: 'Example Capital' });
    expect(await importText(store, 'companies', text)).toMatchObject({ unchanged: 1 });
  });
});

describe('a dry run', () => {
  test('tells what would be done and writes nothing', async () => {
    await store.records.putAll([aCompany({ slug: 'acme' })]);
    const text = ndjson(
      { slug: 'acme', name: 'Acme' },
      { name: 'New' },
      { slug: 'acme', tagline: 'x' },
      { tags: ['x'] },
    );
    const report = await importText(store, 'companies', text, { isDryRun: true });
    expect(report).toMatchObject({ read: 4, created: 1, updated: 1, unchanged: 1, failed: 1 });
    expect(await get('companies', 'new')).toBeUndefined();
    expect((await get('companies', 'acme')).tagline).toBeNull();
  });

  test('shows what a row states, and not the sources that a changed field leaves', async () => {
    const source = { source: 'https://one.example', as_of: null, fields: ['tagline'] };
    await store.records.putAll([aCompany({ slug: 'acme', tagline: 'First', sources: [source] })]);
    const rows = [
      { slug: 'acme', tagline: 'Second' },
      { slug: 'acme', sources: [{ ...source, as_of: '2026-11-01' }] },
    ];
    const { differences } = await importText(store, 'companies', ndjson(...rows), { isDryRun: true });
    expect(differences.map(({ fields }) => fields.map(({ name }) => name))).toEqual([['tagline'], ['sources']]);
  });

  test('counts a record once, however far apart its rows are', async () => {
    const rows = Array.from({ length: 1_000 }, (_, index) => ({ slug: `acme-${index % 500}`, name: 'Acme' }));
    const report = await importText(store, 'companies', ndjson(...rows), { isDryRun: true });
    expect(report.created).toBe(500);
  });
});

describe.skipIf(isSecondEngine)('the number of another system', () => {
  test.each([[1], ['1'], ['7f3c-22'], [true]])('(%j) beside a name touches no record of ours', async (id) => {
    await store.records.putAll([aCompany({ name: 'Uniswap' })]);
    expect(await importText(store, 'companies', ndjson({ id, name: 'My Startup' }))).toMatchObject({
      created: 1,
      failed: 0,
    });
    expect(await get('companies', 'uniswap')).toMatchObject({ id: 1, name: 'Uniswap' });
    expect(await get('companies', 'my-startup')).toMatchObject({ id: 2 });
  });

  test('is ours when our record of that number bears the name', async () => {
    await store.records.putAll([aCompany(), aCompany()]);
    expect(await importText(store, 'companies', ndjson({ id: 2, name: 'ACME', tagline: 'Second' }))).toMatchObject({
      updated: 1,
    });
    expect(await get('companies', 'acme-2')).toMatchObject({ tagline: 'Second' });
  });

  test.each([[true], ['x'], [1.5]])('(%j) that is no number is refused where there is no name', async (id) => {
    const report = await importText(store, 'companies', ndjson({ id, tagline: 'x' }));
    expect(report).toMatchObject({ failed: 1, errors: [{ field: 'id' }] });
  });
});

test('references that lead nowhere are refused row by row, and the other rows of the batch kept', async () => {
  const bad = [{ id: 1.5 }, { id: 1e300 }, { name: 7 }, 5e300, { name: 'a\u0000b' }, { name: 'a\ud800' }];
  const odd = [{ slug: 'a\u0000b' }, { slug: 'a\ud800' }, { name: 'a\ud83d\ude80' }];
  const rowsOf = (names: string, investors: readonly unknown[]) =>
    investors.map((investor, index) => ({ name: `${names} ${index}`, investors: [investor, 'Example Capital'] }));
  const report = await importText(store, 'companies', ndjson(...rowsOf('Bad', bad), ...rowsOf('Odd', odd)));
  expect(report).toMatchObject({ created: odd.length, failed: bad.length });
  expect(await get('companies', 'odd-2')).toMatchObject({ investors: [{ name: 'a🚀' }, { name: 'Example Capital' }] });
});
