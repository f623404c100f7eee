import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FORMATS } from '../../src/store/import/import-source.ts';
import { openStore } from '../../src/store/open.ts';
import { openSqlite } from '../../src/store/sqlite/driver.ts';
import { ndjson } from '../support/importing.ts';
import { isLong } from '../support/length.ts';
import { bareEnvironment, PROGRAM, runAsInTerminal, runProgram, temporaryFolder } from '../support/program.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());
const fileOf = (name: string): string => join(folder.path, name);
/** Flags of a database of its own, empty at first. */
const into = (name: string): string[] => ['--data', 'none', '--database', `sqlite:${fileOf(`${name}.db`)}`];
const write = (name: string, text: string): string => {
  writeFileSync(fileOf(name), text);
  return fileOf(name);
};
/** What an import tells, without how to undo it, which differs in every run. */
const told = async (...given: Parameters<typeof runProgram>) => {
  const { stdout, ...answer } = await runProgram(...given);
  return { ...answer, stdout: stdout.replace(/^To undo: web3-bi import undo import-\d{14}-[0-9a-f]{6}\n/m, '') };
};
/** An export without what two databases may differ in. */
const exported = async (type: string, database: string): Promise<string> => {
  const { stdout } = await runProgram(['export', '--type', type, ...into(database)]);
  return stdout.replaceAll(/"id":\d+,/g, '');
};

describe('web3-bi import', () => {
  test('tells a person what it did: counts on stdout, bad rows and unknown fields on stderr', async () => {
    const file = write('bad.csv', 'name,website,shoe size\nAcme,acme.example,9\n,x.example,\nBad,javascript:x,\n');
    expect(await told(['import', file, '--type', 'companies', ...into('bad')])).toMatchInlineSnapshot(`
      {
        "code": 1,
        "stderr": "line 3: \`name\` is empty
      line 4: website must be an http or https address, such as https://example.com ("javascript:x", of Bad)
      Ignored, because companies have no such field or value: shoe size
      ",
        "stdout": "Of 3 rows, 1 created, 0 updated, 0 unchanged, 2 failed.
      ",
      }
    `);
  });

  test('says once that a column is missing, and how amounts may be written', async () => {
    const nameless = write('nameless.csv', 'website,tags\na.example,DeFi\nb.example,DeFi\n');
    expect(await runProgram(['import', nameless, '--type', 'companies', ...into('nameless')])).toEqual({
      code: 1,
      stderr: 'line 1: no column for name; the first line must name the columns, and has website, tags\n',
      stdout: 'Of 2 rows, 0 created, 0 updated, 0 unchanged, 2 failed.\n',
    });
    const escaping = write('escaping.csv', 'web\u001b[2J,tags\u2028too\na.example,DeFi\n');
    expect((await runProgram(['import', escaping, '--type', 'companies', ...into('nameless')])).stderr).toMatch(
      'line 1: no column for name; the first line must name the columns, and has web?[2J, tags?too\n',
    );
    const amounts = write('amounts.csv', 'name,total_funding_usd\nA,€2M\nB,$5M\n');
    expect(await told(['import', amounts, '--type', 'companies', ...into('amounts')])).toMatchObject({
      stderr: 'line 2: total_funding_usd must be US dollars, such as 1250000, 1.5M or $5M ("€2M", of A)\n',
      stdout: 'Of 2 rows, 1 created, 0 updated, 0 unchanged, 1 failed.\n',
    });
  });

  test('stores a country by its English name, says so of a name, and imports its export unchanged', async () => {
    const file = write('countries.csv', 'name,country\nA,Deutschland\nB,france\nC,USA\nD,Hong Kong\nE,Utopia\n');
    const { stderr } = await runProgram(['import', file, '--type', 'companies', ...into('countries')]);
    expect(stderr).toBe(
      'line 2: country "Deutschland" is stored by its usual name in English.\n' +
        'line 6: country "Utopia" is not a known country; kept as written.\n',
    );
    const lines = await exported('companies', 'countries');
    const countries = lines
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).location_json.country);
    expect(countries.sort()).toEqual(['France', 'Germany', 'Hong Kong', 'United States', 'Utopia']);
    const again = write('countries.ndjson', lines);
    await runProgram(['import', again, '--type', 'companies', ...into('countries-again')]);
    expect(await exported('companies', 'countries-again')).toBe(lines);
  });

  test('names values that are stored otherwise than a person may expect, and does not stop', async () => {
    const file = write('doubt.csv', 'name,tags,country\nA,DeFi; DEX,Untied States\nB,NFT; DEX,Utopia\n');
    const words = ['import', file, '--type', 'companies', ...into('doubt')];
    expect(await told(words)).toEqual({
      code: 0,
      stderr:
        'line 2: tags "DeFi; DEX" has a comma or semicolon, which is part of a value; a list is separated by |. ' +
        'Also "NFT; DEX". The same in 1 more row.\n' +
        'line 2: country "Untied States" is not a known country; kept as written. Did you mean United States? ' +
        'Also "Utopia". The same in 1 more row.\n',
      stdout: 'Of 2 rows, 2 created, 0 updated, 0 unchanged, 0 failed.\n',
    });
    expect(JSON.parse((await runProgram([...words, '--json'])).stdout).warnings[1]).toEqual({
      field: 'country',
      value: 'Untied States',
      message: 'is not a known country; kept as written',
      meant: 'United States',
      others: ['Utopia'],
      line: 2,
      rows: 2,
    });
  });

  test('suggests no field for a part of it that is ignored', async () => {
    const rows = ndjson({ name: 'A', founders: [{ x: 1 }] });
    const { stderr } = await runProgram(['import', '-', '--type', 'companies', ...into('parts')], {}, rows);
    expect(stderr).toBe('Ignored, because companies have no such field or value: founders.x, founders without name\n');
  });

  test('names rows of one name and what is to come, and refuses what cannot be', async () => {
    const rows = ['Acme,2020,2020-01-01,1', 'Acme,2020,2020-01-01,1', 'Beta,2199,2198-03-01,1', 'Gamma,2020,,-5'];
    const head = 'name,year_founded,last_round_date,total_employees';
    const file = write('repeated.csv', `${head}\n${rows.join('\n')}\n`);
    expect(await told(['import', file, '--type', 'companies', ...into('repeated')])).toEqual({
      code: 1,
      stderr:
        'line 5: total_employees must be at least 0 ("-5", of Gamma)\n' +
        'line 4: year_founded "2199" is in the future; stored as written.\n' +
        'line 4: last_round_date "2198-03-01" is in the future; stored as written.\n' +
        'line 3: repeats an earlier row, acme (name); joined\n' +
        'On record, or in earlier rows: 1 by name; to choose otherwise, --choose LINE=CHOICE.\n',
      stdout: 'Of 4 rows, 2 created, 0 updated, 1 unchanged, 1 failed.\n',
    });
    const future = write('events.csv', 'name,start_date,end_date\nA,2199-01-01,2199-01-02\nB,2199-01-02,2199-01-01\n');
    expect(await runProgram(['import', future, '--type', 'events', ...into('repeated')])).toMatchObject({
      stderr: 'line 3: end_date "2199-01-01" is before start_date; stored as written.\n',
    });
  });

  test('takes the fields of our own tables that the service computes without a word', async () => {
    const row = 'Acme,seed,2026-01-02,1000000,true,true';
    const file = write('own.csv', `company,stage,announced_date,amount_usd,unsourced,investors_may_be_cut\n${row}\n`);
    const { code, stderr } = await runProgram(['import', file, '--type', 'rounds', ...into('own')]);
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('Ignored')]);
  });

  test('names amounts that may lack their unit, refuses a count that may be thousands, and says which field is meant', async () => {
    const file = write('amounts.csv', 'name,total_funding_usd,employees\nA,57,12.0\nB,57M,1.000\n');
    expect(await runProgram(['import', file, '--type', 'companies', ...into('amounts')])).toMatchObject({
      stderr:
        'line 3: total_employees must be a whole number in digits, such as 1200 ("1.000", of B)\n' +
        'line 2: total_funding_usd "57" is read as US dollars, not as millions; those are written with an M.\n',
    });
    const events = write('kinds.csv', 'name,type\nA,conference\n');
    expect((await runProgram(['import', events, '--type', 'events', ...into('amounts')])).stderr).toBe(
      'Ignored, because events have no such field or value: type. Did you mean event_type?\n',
    );
  });

  test('says of a round what it joins or may be, leaves out what nobody chose, and takes choices by line', async () => {
    const words = ['import', '-', '--type', 'rounds', ...into('similar')];
    const head = 'company,stage,date,amount\n';
    await runProgram(words, {}, `${head}Acme,seed,2024-05-01,5M\n`);
    const rows = `${head}Acme,seed,2024-05-02,5M\nAcme,seed,2024-06-11,6M\nAcme,series a,2025-06-11,6M\n`;
    const seed = 'acme-seed-2024-05-01';
    const otherwise = 'to choose otherwise, --choose LINE=CHOICE.\n';
    expect(await told([...words, '--dry-run'], {}, rows)).toMatchObject({
      stderr: expect.stringContaining(
        `line 3: may be ${seed} (same company and stage, another amount, 41 days apart); left out\n` +
          `Uncertain: 1 (same company and stage, another amount); ${otherwise}` +
          `line 2: is ${seed} (same company, stage and amount, 1 day apart); joined\n` +
          `On record: 1 by same company, stage and amount; ${otherwise}`,
      ),
      stdout: expect.stringMatching(
        /Of 3 rows, 1 would be created, 0 would be updated, 1 unchanged, 0 failed, 1 left out\.\n$/,
      ),
    });
    const chosen = [...words, '--choose', '2=leave-out,3=add,9=add'];
    const { stdout, stderr } = await told(chosen, {}, rows);
    expect(stderr).toContain('line 9: there is nothing to choose\n');
    expect(stdout).toBe('Of 3 rows, 2 created, 0 updated, 0 unchanged, 0 failed, 1 left out.\n');
    expect(
      await told([...words, '--choose', '3=x'], {}, `${head}Acme,seed,2024-05-02,5M\nAcme,seed,2024-05-09,5M\n`),
    ).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        `line 3: the choice for this row is one of join:${seed}, join:acme-seed-2024-06-11, add, leave-out\n`,
      ),
    });
    expect(await runProgram([...words, '--choose', 'x'], {}, rows)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--choose takes lines with choices, such as 12=add,14=leave-out,15=join:acme.'),
    });
    const unsure = [...words, '--unsure', 'join', '--json'];
    expect(JSON.parse((await runProgram(unsure, {}, `${head}Acme,seed,2024-05-02,4M\n`)).stdout)).toMatchObject({
      ...{ created: 0, unchanged: 1, leftOut: 0, compared: true },
      matches: {
        doubtful: [
          { line: 2, slug: seed, choice: `join:${seed}`, options: [`join:${seed}`, 'join:acme-seed-2024-06-11'] },
        ],
      },
    });
  });

  test('says of a file without rows that it has none', async () => {
    const words = ['import', '-', '--type', 'rounds', ...into('empty')];
    const none = { code: 0, stdout: 'Of 0 rows, 0 created, 0 updated, 0 unchanged, 0 failed.\n' };
    const remedy = 'The first line of CSV names its columns, and each further line is a record.\n';
    expect(await runProgram(words, {}, 'company,stage\n')).toEqual({ ...none, stderr: `There are no rows. ${remedy}` });
    for (const text of ['', '\n'])
      expect(await runProgram(words, {}, text)).toEqual({
        code: 1,
        stderr: `web3-bi: stdin is empty. ${remedy}`,
        stdout: '',
      });
    // An export of no records.
    expect(await runProgram([...words, '--format', 'ndjson'], {}, '')).toMatchObject(none);
  });

  test('leaves what a place or a role of a record has beyond a row', async () => {
    const rows = write('acme.csv', 'name,city,country\nAcme,Paris,France\nOther,Lyon,France\n');
    await runProgram(['import', rows, '--type', 'companies', ...into('parts')]);
    const roles = [{ organization: 'Acme', title: 'CEO' }, { organization: 'Other' }];
    const people = write('ada.ndjson', `${JSON.stringify({ name: 'Ada', roles })}\n`);
    await runProgram(['import', people, '--type', 'people', ...into('parts')]);
    const less = write('less.csv', 'name,country\nAcme,FR\nOther,Spain\n');
    expect((await runProgram(['import', less, '--type', 'companies', ...into('parts')])).stdout).toContain(
      '1 updated, 1 unchanged',
    );
    const moved = write('moved.csv', 'name,city\nAcme,Nice\nOther,Madrid\n');
    await runProgram(['import', moved, '--type', 'companies', ...into('parts')]);
    const company = write('company.csv', 'name,company\nAda,acme\n');
    await runProgram(['import', company, '--type', 'people', ...into('parts')]);
    const of = async (record: string) =>
      JSON.parse((await runProgram(['get', record, '--json', ...into('parts')])).stdout) as Record<string, unknown>;
    expect((await of('companies/acme'))['location_json']).toEqual({ city: 'Nice', country: null });
    expect((await of('companies/other'))['location_json']).toEqual({ city: 'Madrid', country: 'Spain' });
    expect((await of('people/ada'))['roles']).toMatchObject([{ organization: 'Acme', title: 'CEO' }]);
  });

  test('joins rows by the rules of identity, and asks about the doubtful ones', async () => {
    const seed = write('seed.csv', 'name,website\nUniswap,uniswap.org\nQuantum,quantum.example\n');
    await runProgram(['import', seed, '--type', 'companies', ...into('matched')]);
    const file = write(
      'more.csv',
      'name,website,employees\nUniswap Labs,app.uniswap.org,90\nQuantum,other.example,7\n',
    );
    expect(await told(['import', file, '--type', 'companies', ...into('matched')])).toMatchObject({
      code: 0,
      stderr:
        'line 3: may be quantum (same name, other domain); added apart\n' +
        'Uncertain: 1 (same name, other domain); web3-bi duplicates lists what to decide; to choose otherwise, --choose LINE=CHOICE.\n' +
        'line 2: is uniswap (domain); joined\n' +
        'On record: 1 by domain; to choose otherwise, --choose LINE=CHOICE.\n',
      stdout: 'Of 2 rows, 1 created, 1 updated, 0 unchanged, 0 failed.\n',
    });
    const duplicates = async (...words: string[]) => runProgram(['duplicates', ...words, ...into('matched')]);
    const [pair] = JSON.parse((await duplicates('--json')).stdout);
    expect(pair).toMatchObject({ type: 'companies', rule: 'same name, other domain', score: 35, state: 'open' });
    const { stdout } = await runAsInTerminal(['duplicates', ...into('matched')]);
    // Each website is whole, however narrow the terminal is.
    expect(stdout).toMatch(
      /companies, 35%: Same name, other website\n {3}quantum {2}Quantum, https:\/\/quantum\.example\/?\n/,
    );
    expect(stdout).toContain('web3-bi duplicates accept ID merges the two of a pair');
    const merged = await duplicates('accept', String(pair.id), '--keep', 'quantum-other');
    expect(merged.stdout).toBe(`Merged into quantum-other. To undo: web3-bi duplicates undo ${pair.id}\n`);
    expect((await duplicates('undo', String(pair.id))).stdout).toBe('Both records are restored.\n');
    expect((await duplicates('reject', String(pair.id))).stdout).toBe('Kept apart.\n');
    expect(await duplicates('list')).toMatchObject({ code: 0, stderr: 'No pairs.\n' });
    expect(await duplicates('undo', String(pair.id))).toMatchObject({ code: 1 });
    expect(await duplicates('--type', 'rounds')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('rounds that may be one are named by the import that adds them'),
    });
  });

  test('joins the record whose website and name a row has, and says what of a row is of another database or follows rounds', async () => {
    const told = async (type: string, ...rows: readonly object[]) =>
      (await runProgram(['import', '-', '--type', type, ...into('site')], {}, ndjson(...rows))).stderr;
    await told('companies', { name: 'Acme', website: 'acme.example' });
    await told('rounds', { company: 'Acme', stage: 'seed', date: '2024-05-01', amount: '$3M' });
    const rows = [
      { id: 1, name: 'Acme', total_funding: '$5M', website: 'acme.example' },
      { id: 'x7', name: 'Acme Labs', website: 'https://www.acme.example/en' },
      { id: 'x8', name: 'Code', website: 'github.com/code' },
      { id: 'x9', name: 'Other', website: 'github.com/other' },
    ];
    const expected =
      'line 1: total_funding_usd "5000000.00" is left out, because it follows the rounds on record.\n' +
      'line 2: id "x7" is left out, because it is of another database; a row is found by its slug or name. Also "x8", "x9". The same in 2 more rows.\n' +
      'line 2: is acme (domain); joined\n' +
      'On record: 1 by domain; to choose otherwise, --choose LINE=CHOICE.\n';
    expect(await told('companies', ...rows)).toBe(expected);
    expect(await told('companies', ...rows)).toBe(expected);
  });

  test('answers in one JSON document, with the errors bounded', async () => {
    const text = `${'{"tags":["x"]}\n'.repeat(150)}{"name":"Acme","kind":"x"}\n`;
    const words = ['import', '-', '--type', 'companies', '--json', ...into('bounded')];
    const { code, stdout, stderr } = await runProgram(words, {}, text);
    const { errors, ...counts } = JSON.parse(stdout.replace(/import-\d{14}-[0-9a-f]{6}/, 'ID'));
    expect([code, stderr, errors.length]).toEqual([1, '', 100]);
    expect(errors[0]).toMatchObject({ line: 1, field: 'name' });
    expect(counts).toMatchInlineSnapshot(`
      {
        "compared": true,
        "created": 1,
        "dryRun": false,
        "failed": 150,
        "ignoredFields": [
          "kind",
        ],
        "import": "ID",
        "interrupted": false,
        "leftOut": 0,
        "matches": {
          "counts": {
            "doubtful": {},
            "joined": {},
          },
          "doubtful": [],
          "joined": [],
        },
        "moreErrors": 50,
        "read": 151,
        "refused": false,
        "type": "companies",
        "unchanged": 0,
        "updated": 0,
        "warnings": [],
      }
    `);
  });

  test.each(['acme', '-'])(
    'with --strict writes nothing of a file with a bad row or an unknown field (%s)',
    async (from) => {
      const rows = ndjson({ name: 'Acme' }, { name: 'Other', kind: 'x' });
      const file = from === '-' ? '-' : write('strict.ndjson', rows);
      const database = `strict-${from}`;
      const words = ['import', file, '--type', 'companies', '--strict', ...into(database)];
      const refused = await runProgram(words, {}, file === '-' ? rows : '');
      expect([refused.code, refused.stdout]).toEqual([
        1,
        'Nothing is written, because --strict allows no invalid row and no unknown field.\n',
      ]);
      expect(await exported('companies', database)).toBe('');
      const good = ['import', '-', '--type', 'companies', '--strict', ...into(database)];
      expect((await runProgram(good, {}, ndjson({ name: 'Acme' }))).stdout).toMatch(/^Of 1 row, 1 created/);
      expect(readdirSync(tmpdir()).filter((name) => name.startsWith('web3-bi-import-'))).toEqual([]);
    },
  );

  test('with --dry-run writes nothing and shows what each row would create or change', async () => {
    const words = ['import', '-', '--type', 'people', ...into('dry')];
    await runProgram(words, {}, 'name,headline\nAda Example,Engineer\n');
    const rows = 'name,headline,country\nAda Example,CEO,Spain\nBob Example,CFO,\n';
    expect(await runProgram([...words, '--dry-run'], {}, rows)).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "",
        "stdout": "LINE  CHANGE   RECORD       FIELD     NOW       THEN
      2     updated  ada-example  Headline  Engineer  CEO
                                  Location  -         Spain
      3     created  bob-example  -         -         Name Bob Example; Headline CFO
      Nothing is written. Of 2 rows, 1 would be created, 1 would be updated, 0 unchanged, 0 failed.
      ",
      }
    `);
    const { changes, moreChanges } = JSON.parse((await runProgram([...words, '--dry-run', '--json'], {}, rows)).stdout);
    expect([changes[0], moreChanges]).toEqual([
      {
        ...{ line: 2, change: 'updated', record: 'ada-example', name: 'Ada Example' },
        fields: [
          { name: 'headline', before: 'Engineer', after: 'CEO' },
          { name: 'location_json', before: null, after: { city: null, country: 'Spain' } },
        ],
      },
      0,
    ]);
    const many = ndjson(...Array.from({ length: 25 }, (_, index) => ({ name: `New ${index}` })));
    expect((await runProgram([...words, '--dry-run'], {}, many)).stdout).toContain(
      '\nand 5 more rows; --json has up to 10,000 of them\nNothing is written. Of 25 rows, 25 would be created',
    );
    expect((await exported('people', 'dry')).split('\n')).toHaveLength(2);
  });

  test('is undone by its ID, but for what was changed since, and says what an undo would do', async () => {
    const words = ['import', '-', '--type', 'companies', ...into('undone')];
    await runProgram(words, {}, 'name,tagline,country\nAcme,First,Spain\n');
    const { stdout } = await runProgram(words, {}, 'name,tagline,country\nAcme,Second,France\nNew,x,\n');
    const [id = ''] = /import-\d{14}-[0-9a-f]{6}/.exec(stdout) ?? [];
    expect(stdout).toBe(
      `Of 2 rows, 1 created, 1 updated, 0 unchanged, 0 failed.\nTo undo: web3-bi import undo ${id}\n`,
    );
    await runProgram(words, {}, 'name,country\nAcme,Poland\n');
    const undo = (...more: string[]) => runProgram(['import', 'undo', ...more, ...into('undone')]);
    const before = await exported('companies', 'undone');
    expect((await undo(id, '--dry-run')).stdout).toMatchInlineSnapshot(`
      "RECORD          UNDO      FIELDS SET BACK  CHANGED SINCE
      companies/new   deleted   -                -
      companies/acme  restored  Tagline          Location
      Nothing is written. Of the records of the import, 1 would be deleted, 1 would be set back.
      "
    `);
    expect(await exported('companies', 'undone')).toBe(before);
    expect(JSON.parse((await undo(id, '--json')).stdout)).toMatchObject({
      ...{ deleted: 1, restored: 1, left: 0, gone: 0, moreRecords: 0 },
      records: [{ slug: 'acme', change: 'restored', restored: ['tagline'], left: ['location_json'] }],
    });
    const [acme, ...others] = (await exported('companies', 'undone')).trim().split('\n');
    expect(JSON.parse(acme as string)).toMatchObject({ tagline: 'First', location_json: { country: 'Poland' } });
    expect(others).toEqual([]);
    expect(await undo('other')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'web3-bi: No record was changed by an import with this ID; web3-bi audit has it in the column REQUEST.\n',
    });
    expect(await undo()).toMatchObject({ code: 2, stderr: expect.stringContaining('Which import?') });
  });

  test.each([
    [['import', '--type', 'people'], 2, 'import needs a FILE, such as: web3-bi import companies.csv --type companies'],
    [['import', 'x.csv'], 2, 'import needs --type TYPE: one of companies, people, investors, events, rounds.'],
    [['import', 'x.csv', '--type', 'coins'], 2, '--type must be one of companies, people, investors, events, rounds.'],
    [['import', 'x.csv', '--type', 'people'], 1, 'There is no file x.csv.'],
    [['import', '/tmp', '--type', 'people', '--format', 'csv'], 1, '/tmp is a folder; import takes a file.'],
    [['import', 'x.csv', '--type', 'people', '--format', 'xml'], 2, '--format must be one of csv, json, ndjson.'],
    [
      ['import', PROGRAM.replace('main.js', 'shipped.db'), '--type', 'people'],
      1,
      'The file is not text: line 1 contains a NUL character; save it as CSV, JSON or NDJSON in UTF-8.',
    ],
    [['export'], 2, 'export needs --type TYPE: one of companies, people, investors, events, rounds.'],
    [['data', 'clear'], 2, 'data needs one of list, add, drop. clear is none of them. web3-bi data --help shows them.'],
  ])('%j is refused in one line with exit code %i', async (words, code, message) => {
    const answer = await runProgram([...words, ...into('refused')]);
    expect(answer).toEqual({ code, stdout: '', stderr: `web3-bi: ${message}\n` });
  });

  test('reads a file as what it holds, and says so when its name says another thing', async () => {
    const acme = '{"name":"Acme"}';
    const files: readonly [string, string][] = [
      ['rows.csv', `${acme}\n{"name":"Beta"}\n`],
      ['pretty.csv', JSON.stringify({ name: 'Acme' }, null, 2)],
      ['list.ndjson', `[${acme},\n{"name":"Beta"}]`],
      ['table.json', 'Name,Website\nAcme,\n'],
      ['noname', 'name\nAcme\n'],
    ];
    const answers: [string, string][] = [];
    for (const [name, text] of files) {
      const { stdout, stderr } = await runProgram([
        ...['import', write(name, text), '--type', 'companies', '--dry-run'],
        ...into('held'),
      ]);
      answers.push([/^Nothing.*?, \d+(?= would)/m.exec(stdout)?.[0] ?? '', stderr.replace(folder.path, '')]);
    }
    expect(answers).toEqual([
      ['Nothing is written. Of 2 rows, 2', '/rows.csv contains ndjson despite its name, and is read as that.\n'],
      ['Nothing is written. Of 1 row, 1', '/pretty.csv contains json despite its name, and is read as that.\n'],
      ['Nothing is written. Of 2 rows, 2', '/list.ndjson contains json despite its name, and is read as that.\n'],
      ['Nothing is written. Of 1 row, 1', '/table.json contains csv despite its name, and is read as that.\n'],
      ['Nothing is written. Of 1 row, 1', ''],
    ]);
    const words = ['import', fileOf('rows.csv'), '--type', 'companies', '--format', 'csv', ...into('held')];
    expect(await runProgram(words)).toEqual({
      code: 1,
      stdout: '',
      stderr: `web3-bi: ${fileOf('rows.csv')} contains ndjson, not csv; leave --format out, or give --format ndjson.\n`,
    });
  });

  test('shows one mistake a few times and counts the others, and no whole row as the name of a field', async () => {
    const bad = Array.from({ length: 200 }, () => '{"tags":["x"]}').join('\n');
    const text = `${bad}\n{"name":"Acme","${'x'.repeat(500)}":1}\n{"name":"Beta","website":"javascript:x"}\n`;
    const { code, stderr } = await runProgram(['import', '-', '--type', 'companies', ...into('same')], {}, text);
    expect(code).toBe(1);
    expect(stderr).toBe(
      [
        ...[1, 2, 3].map((line) => `line ${line}: \`name\` is missing`),
        'and in 197 more rows: `name` is missing',
        'and 1 other error',
        `Ignored, because companies have no such field or value: ${'x'.repeat(60)}…\n`,
      ].join('\n'),
    );
  });
});

describe('an import that is interrupted', () => {
  // At least one batch in each half.
  const count = isLong ? 6_000 : 1_400;
  const rows = Array.from({ length: count }, (_, index) => ({
    name: `Company ${index % (count - 400)}`,
    tags: ['DeFi'],
    founders: [`Person ${index % 50}`],
  }));
  const text = ndjson(...rows);

  test('by kill -9 leaves whole batches, and running it again gives what one run gives', async () => {
    const file = write('many.ndjson', text);
    await runProgram(['import', file, '--type', 'companies', ...into('clean')]);
    const words = [PROGRAM, 'import', '-', '--type', 'companies', ...into('killed')];
    const child = spawn(process.execPath, words, { env: bareEnvironment(), stdio: ['pipe', 'ignore', 'ignore'] });
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.stdin.on('error', () => {});
    child.stdin.write(text.slice(0, text.length / 2));
    await until(() => hasCompanies('killed'));
    child.kill('SIGKILL');
    await exited;
    const { stdout } = await runProgram(['import', file, '--type', 'companies', '--json', ...into('killed')]);
    const { created, unchanged, failed } = JSON.parse(stdout);
    expect([created + unchanged, failed, unchanged > 0]).toEqual([count, 0, true]);
    expect(await exported('companies', 'killed')).toBe(await exported('companies', 'clean'));
  });

  test('by SIGINT finishes its batch, says what it did and exits with 130', async () => {
    const words = [PROGRAM, 'import', '-', '--type', 'companies', '--json', ...into('interrupted')];
    const child = spawn(process.execPath, words, { env: bareEnvironment(), stdio: ['pipe', 'pipe', 'ignore'] });
    const exited = new Promise((resolve) => child.once('exit', resolve));
    let stdout = '';
    child.stdout.on('data', (chunk) => {
      stdout += String(chunk);
    });
    // It ends before it has read all.
    child.stdin.on('error', () => {});
    child.stdin.write(text.slice(0, text.length / 2));
    await until(() => hasCompanies('interrupted'));
    child.kill('SIGINT');
    expect(await exited).toBe(130);
    const { read, created, interrupted } = JSON.parse(stdout);
    expect([created, interrupted]).toEqual([read, true]);
    expect((await exported('companies', 'interrupted')).split('\n')).toHaveLength(created + 1);
  });
});

const TRIES_MAX = 6_000;

async function until(isTrue: () => boolean): Promise<void> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    if (isTrue()) return;
    await pause(10);
  }
  throw new Error('It never came to that');
}

/** False too while the program still makes the database. */
function hasCompanies(name: string): boolean {
  try {
    const database = openSqlite(fileOf(`${name}.db`), { readonly: true, fileMustExist: true });
    const found = database.prepare('SELECT 1 FROM companies LIMIT 1').get();
    database.close();
    return found !== undefined;
  } catch {
    return false;
  }
}

describe('web3-bi export', () => {
  /** A database of its own that begins with the shipped data. */
  const shipped = ['--database', `sqlite:${fileOf('shipped.db')}`];
  beforeAll(() => runProgram(['import', '-', '--type', 'rounds', ...shipped]));

  // Of every type and format: test/store/sqlite/round-trip.test.ts.
  // Of the records of every type without the commands: test/store/sqlite/round-trip.test.ts.
  test.runIf(isLong)('gives exactly what import takes, for every company of the shipped data', async () => {
    const [file, again] = [fileOf('companies.csv'), fileOf('companies-again.csv')];
    await runProgram(['export', '--type', 'companies', '--output', file, ...shipped]);
    const { code, stdout } = await told(['import', file, '--type', 'companies', '--strict', ...into('to-csv')]);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/ 0 updated, 0 unchanged, 0 failed\.\n$/)]);
    await runProgram(['export', '--type', 'companies', '--output', again, ...into('to-csv')]);
    expect(readFileSync(again).equals(readFileSync(file))).toBe(true);
  });

  test('guards CSV cells against formulas, and import takes the guard off', async () => {
    const row = { name: '=1+1', slug: 'formula', tagline: "'=2", overview: '@x, "y"\n-z', tags: ['a|b', '+c'] };
    await runProgram(['import', '-', '--type', 'companies', ...into('formula')], {}, ndjson(row));
    const { stdout } = await runProgram(['export', '--type', 'companies', '--format', 'csv', ...into('formula')]);
    expect(stdout.split('\n').slice(1).join('\n')).toMatchInlineSnapshot(`
      "1,'=1+1,formula,,,''=2,"'@x, ""y""
      -z",,"[""a|b"",""+c""]",,,,,,,,,,,,,,,,,,,,,,,,,,,,,,
      "
    `);
    await runProgram(['import', '-', '--type', 'companies', ...into('unguarded')], {}, stdout);
    expect(JSON.parse(await exported('companies', 'unguarded'))).toEqual(row);
  });

  test('of nothing is nothing, an empty list or a line of column names', async () => {
    await runProgram(['import', '-', '--type', 'rounds', ...into('empty')]);
    const texts = await Promise.all(
      FORMATS.map((format) => runProgram(['export', '--type', 'rounds', '--format', format, ...into('empty')])),
    );
    expect(texts.map(({ stdout }) => stdout)).toEqual([expect.stringMatching(/^id,name,slug,.+\n$/), '[]\n', '']);
  });

  test('writes the format that the file is named for, says how much, and replaces nothing unless it is told to', async () => {
    const [file, backup] = [fileOf('named.csv'), fileOf('named.json')];
    const to = (output: string, ...more: string[]) =>
      runProgram(['export', '--type', 'investors', '--output', output, ...more, ...shipped]);
    const { code, stdout, stderr } = await to(file);
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toMatch(new RegExp(`^[1-9]\\d+ investors written to ${file}\n$`));
    expect(readFileSync(file, 'utf8')).toMatch(/^id,name,slug,/);
    expect(await to(file)).toEqual({
      code: 1,
      stdout: '',
      stderr: `web3-bi: ${file} exists already; choose another file, or replace it with --force.\n`,
    });
    expect((await to(file, '--force', '--format', 'json')).stderr).toBe(stderr);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toHaveLength(Number.parseInt(stderr, 10));
    expect((await to(backup)).code).toBe(0);
    expect(readFileSync(backup, 'utf8')).toBe(readFileSync(file, 'utf8'));
    expect(await to(fileOf('named.xlsx'))).toMatchObject({ code: 2, stderr: expect.stringContaining('add --format') });
    expect(readdirSync(folder.path).filter((name) => /^named\.(?!csv$|json$)/.test(name))).toEqual([]);
  });
});

describe('web3-bi data', () => {
  test('adds the shipped data set, which is there already when a database begins with it, and drops what an earlier release had, but no pack and nothing that was changed', async () => {
    const database = ['--database', `sqlite:${fileOf('begun.db')}`];
    await runProgram(['import', '-', '--type', 'rounds', ...database]);
    const store = await openStore(`sqlite:${fileOf('begun.db')}`);
    const former = ['former-one', 'former-two'].map(
      (slug) => ({ type: 'companies', input: { name: slug, slug } }) as const,
    );
    await store.records.addShipped(() => former);
    await store.close();
    await runProgram(
      ['import', '-', '--type', 'companies', ...database],
      {},
      ndjson({ slug: 'former-two', tagline: 'Mine' }),
    );
    await runProgram(['data', 'add', 'privacy', ...database]);
    const { stdout } = await runProgram(['data', 'add', '--json', ...database]);
    const { unchanged, ...others } = JSON.parse(stdout);
    expect(others).toEqual({ created: 0, updated: 0, dropped: 1 });
    expect(unchanged).toBeGreaterThan(10_000);
    const found = async (slug: string) => (await runProgram(['get', `companies/${slug}`, ...database])).code;
    expect([await found('former-one'), await found('former-two')]).toEqual([1, 0]);
  });

  test('adds a pack with a licence of its own by its name, and drops what nobody has changed', async () => {
    const data = async (...words: string[]) => runProgram(['data', ...words, ...into('pack')]);
    const { created } = JSON.parse((await data('add', 'privacy', '--json')).stdout);
    expect(created).toBeGreaterThan(400);
    expect((await data()).stderr).not.toContain('data add privacy');
    const [first = ''] = (await exported('companies', 'pack')).split('\n');
    const { slug, sources } = JSON.parse(first);
    expect(sources[0].source).toContain('web3privacy/explorer-data');
    const [other, near] = await Promise.all([data('add', 'nothing'), data('add', 'privacyy')]);
    expect([other.code, other.stderr]).toEqual([2, 'web3-bi: There is no pack nothing. There is privacy.\n']);
    expect([near.code, near.stderr]).toEqual([2, 'web3-bi: There is no pack privacyy. Did you mean privacy?\n']);
    const [main, pack, own] = JSON.parse((await data('--json')).stdout) as any[];
    expect([main.set, pack.set, pack.licence, own.set]).toEqual(['shipped', 'privacy', 'ODbL-1.0', 'this database']);
    expect([main.records.grants > main.records.rounds, own.records]).toEqual([true, pack.records]);
    expect(pack.as_of).toMatch(/^\d{4}-\d\d-\d\d$/);
    const mine = ndjson({ slug, tagline: 'Mine' }, { name: 'Acme' });
    await runProgram(['import', '-', '--type', 'companies', ...into('pack')], {}, mine);
    expect(JSON.parse((await data('drop', '--json')).stdout)).toEqual({ dropped: created - 1 });
    expect((await exported('companies', 'pack')).split('\n')).toHaveLength(3);
  });
});
