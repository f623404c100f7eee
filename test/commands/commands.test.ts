import { existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commands } from '../../src/commands/index.ts';
import { RECORD_TYPES } from '../../src/contract/entities/index.ts';
import { FILTER_NAMES } from '../../src/contract/filters.ts';
import { importColumnsOf, SAMPLE_CSV } from '../../src/contract/import-names.ts';
import { openSqlite } from '../../src/store/sqlite/driver.ts';
import { isLong } from '../support/length.ts';
import {
  type Running,
  runAsInTerminal,
  runProcess,
  runProgram,
  startProgram,
  temporaryFolder,
} from '../support/program.ts';

const folder = temporaryFolder();
const state = { WEB3_BI_STATE_DIR: folder.path };
afterAll(() => folder.remove());

describe('web3-bi', () => {
  test('without a command prints help, and each command its own with an example', async () => {
    const help = await runProgram([]);
    expect([help.code, help.stderr]).toEqual([0, '']);
    const names = [...help.stdout.matchAll(/^ {2}(\S+) {2,}/gm)].map((match) => match[1] ?? '');
    expect(names.toSorted()).toEqual(Object.keys(commands).toSorted());
    for (const name of names) {
      const { code, stdout } = await runProgram([name, '--help']);
      expect([code, stdout]).toEqual([0, expect.stringMatching(/\nExamples?\n {2}.*web3-bi /)]);
      // Descriptions are separated from flags, and no line is wider than a terminal.
      const lines = stdout.split('\n');
      expect(lines.filter((line) => line.length > 80 || /[A-Z]{4}[A-Z][a-z]/.test(line))).toEqual([]);
    }
  });

  test('shows in the help of import the columns of each type and how a list is written, and of search sentences', async () => {
    const [taking, search] = await Promise.all([runProgram(['import', '--help']), runProgram(['search', '--help'])]);
    for (const type of RECORD_TYPES)
      for (const column of importColumnsOf(type)) expect(taking.stdout).toMatch(new RegExp(`[ ,]${column}\\b`));
    expect(taking.stdout).toContain(SAMPLE_CSV.split('\n')[1]);
    expect(taking.stdout).toContain('a list is separated by |');
    const examples = [...search.stdout.matchAll(/^ {2}web3-bi search "(.* .*)"$/gm)].map((match) => match[1] ?? '');
    expect(examples.length).toBeGreaterThanOrEqual(3);
    const read = await Promise.all(examples.map((sentence) => runProgram(['search', sentence], state)));
    for (const { code, stderr } of read) expect([code, stderr]).toEqual([0, expect.stringContaining('Read as ')]);
  });

  test('shows the help of one action, with what its flags may be and are without being given', async () => {
    const [create, asked, taking, version, flag] = await Promise.all(
      [['key', 'create', '--help'], ['help', 'key', 'create'], ['import', '--help'], ['version'], ['--version']].map(
        (words) => runProgram(words),
      ),
    );
    expect(create?.stdout).toContain('Usage: web3-bi key create --account NAME --name NAME [flags]');
    expect(create?.stdout).toMatch(/--level LEVEL [^.]+\.\s+One\s+of\s+read,\s+write,\s+delete\.\s+Default:\s+read\./);
    expect(create?.stdout).not.toContain('--overlap');
    expect(asked).toEqual(create);
    expect(taking?.stdout).toMatch(
      /Usage: web3-bi import FILE --type TYPE \[flags\]\n {7}web3-bi import undo ID \[flags\]\n\nFlags\n/,
    );
    expect(version).toEqual({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), stderr: '' });
    expect(flag).toEqual(version);
  });

  test.each([
    [['serch'], 'serch is not a command. Did you mean search? web3-bi --help lists them.'],
    [['bogus'], 'bogus is not a command. web3-bi --help lists them; web3-bi search bogus searches the records.'],
    [
      ['how', 'much', 'was', 'raised?', '--limit', '3'],
      "how is not a command. web3-bi --help lists them; web3-bi search 'how much was raised?' --limit 3 searches the records.",
    ],
    [
      ['search', 'optimism', '--type', 'grants'],
      '--type must be one of companies, people, investors, events, rounds, all. Grants are rounds of --funding-stage grant.',
    ],
    [['merge'], 'merge is not a command. Did you mean duplicates? web3-bi --help lists them.'],
    [['sycn'], 'sycn is not a command. Did you mean sync? web3-bi --help lists them.'],
    [['sources'], 'sources is not a command. Did you mean sync? web3-bi --help lists them.'],
    [
      ['aggregate', 'rounds', '--group-by', 'year', '--limit', '5'],
      '--limit is not a flag of aggregate. Did you mean --top? web3-bi aggregate --help lists them.',
    ],
    [
      ['search', 'aave', '--format', 'csv'],
      '--format is not a flag of search. Did you mean --csv? web3-bi search --help lists them.',
    ],
    [['aggregate', 'people'], 'aggregate people needs --group-by: one or two of organization, country, city, event.'],
    [
      ['aggregate', 'people', '--group-by', 'stage'],
      '--group-by of people must be one or two of organization, country, city, event.',
    ],
    [
      ['search', 'x', '--tpye', 'all'],
      '--tpye is not a flag of search. Did you mean --type? web3-bi search --help lists them.',
    ],
    [
      ['search', 'x', '--lead-investor', 'Paradigm'],
      '--lead-investor is not a flag of search. Did you mean --investor with --led? web3-bi search --help lists them.',
    ],
    [
      ['aggregate', 'rounds', '--since', '2024'],
      '--since is not a flag of aggregate. Did you mean --from? web3-bi aggregate --help lists them.',
    ],
    [['search', 'x', '-t', 'all'], '-t is not a flag of search. web3-bi search --help lists them.'],
    [
      ['key', 'create', '--overlap', '1h'],
      '--overlap is not a flag of key create. web3-bi key create --help lists them.',
    ],
    [['search', 'x', '--type'], '--type needs a value.'],
    [['search', 'x', '--type', '--limit'], '--type needs a value.'],
    [['search', 'x', '--json=1'], '--json takes no value, or =true or =false.'],
    [['serve', '--port='], '--port needs a value.'],
    [
      ['aggregate', 'rounds', '--by', 'year'],
      '--by is not a flag of aggregate. Did you mean --group-by? web3-bi aggregate --help lists them.',
    ],
    [
      ['get'],
      'get needs a TYPE/SLUG or a name; types are companies, people, investors, events, rounds. For example: web3-bi get companies/aave',
    ],
    [
      ['aggregate', 'companies', '--group-by', 'tag', 'status_from=2022'],
      'status_from=2022 is one argument too many; the usage is: web3-bi aggregate TYPE --group-by GROUP. Write --status-from 2022',
    ],
    [['doctor', 'extra'], 'extra is one argument too many; the usage is: web3-bi doctor'],
    [
      ['get', 'Pantera', 'Capital'],
      'Capital is one argument too many; the usage is: web3-bi get RECORD. Put the words of a name in quotes',
    ],
    [['search', 'x', '--limit', '-1'], '--limit must be at least 1.'],
    [['search', 'x', '--founded_from', 'long ago'], '--founded-from must be a whole number.'],
    [
      ['search', 'x', '--funding-min', 'ten'],
      '--funding-min must be a whole number of US dollars, such as 1000000 or 1M.',
    ],
    [
      ['search', 'x', '--type', 'company'],
      '--type must be one of companies, people, investors, events, rounds, all. Did you mean companies?',
    ],
    [
      ['search', 'x', '--sort', 'annouced_date'],
      '--sort must be one of name, -name, updated_at, -updated_at; companies: total_funding_usd, last_round_date, year_founded, total_employees; people: angel_investments; investors: year_founded, investments_count, lead_count; events: start_date; rounds: announced_date, amount_usd, valuation_usd; and -field for the largest first. Did you mean announced_date?',
    ],
    [
      ['connect', 'uniswap'],
      'connect needs two records, such as: web3-bi connect people/vitalik-buterin "Pantera Capital"',
    ],
    [
      ['account', 'set-plan'],
      'account set-plan needs a NAME, such as: web3-bi account set-plan acme enterprise --daily 50000',
    ],
    [
      ['search'],
      'search needs a QUERY, a filter or a type, such as: web3-bi search coinbase, or web3-bi search --tag defi',
    ],
    [['key', 'revoke'], 'Which key? Give its number, such as: web3-bi key revoke 3'],
    [
      ['key', 'create', '--account', 'x', '--name', 'x', '--expires', '2020-01-01'],
      '--expires must lie in the future.',
    ],
    [
      ['key', 'create', '--account', 'x', '--name', 'x', '--expires', '2999-02-30'],
      '--expires must be a date, such as 2027-01-31 or 2027-01-31T12:00:00Z.',
    ],
    [['sync', 'eips', '--since', '2026-02-30'], '--since must be a day, such as 2026-01-31.'],
    [['key', 'create'], 'key create needs --account NAME and --name NAME.'],
    [['key', 'revoke', 'abc'], 'The number of a key is wanted, such as: web3-bi key revoke 3'],
    [
      ['search', 'x', '--type', 'rounds', '--led'],
      '--led is for use with --investor, --investor-type or --investor-country; give both',
    ],
    [
      ['aggregate', 'round', '--group-by', 'year'],
      'TYPE must be one of companies, people, investors, events, rounds. Did you mean rounds?',
    ],
    [
      ['key', 'crate'],
      'key needs one of create, list, rotate, revoke. crate is none of them. Did you mean create? web3-bi key --help shows them.',
    ],
    [
      ['key', '--databse', 'sqlite:x.db'],
      '--databse is not a flag of key. Did you mean --database? web3-bi key --help lists them.',
    ],
    [['account', 'create', '--name', 'x', '--plan', 'gold'], '--plan must be one of none, api_access, enterprise.'],
    [['account', 'invite', 'x', '--email', 'nobody'], '--email must be an email address, such as ada@example.com.'],
  ])('%j cannot be meant, and is refused in one line with exit code 2', async (words, message) => {
    expect(await runProgram(words, state)).toEqual({ code: 2, stdout: '', stderr: `web3-bi: ${message}\n` });
  });

  test.each([
    [['--json', 'search', 'x', '--limit', '51'], 2, { error: '--limit must be at most 50', code: 'invalid_parameter' }],
    [['search', 'x', '--type', '--json'], 2, { error: '--type needs a value.', code: 'usage' }],
    [['audit', '--database', 'mysql://x', '--json'], 1, { error: expect.stringMatching(/^--data/), code: 'failure' }],
    [['get', 'companies/nothing-like-it', '--json'], 1, { error: expect.stringMatching(/^There/), code: 'not_found' }],
  ])('%j is refused with exit code %i, and a program is told in JSON why', async (words, code, told) => {
    const ended = await runProgram(words, state);
    expect({ ...ended, stderr: JSON.parse(ended.stderr) }).toEqual({ code, stdout: '', stderr: told });
  });

  test.each([
    [
      ['key', 'create', '--account', 'a', '--name', 'b', '--database', 'sqlite::memory:'],
      {},
      'web3-bi: sqlite::memory: is gone when the command ends; name a file with --database sqlite:PATH.\n',
    ],
    [
      ['account', 'list', '--state-dir', '/proc/nope'],
      {},
      expect.stringMatching(/^web3-bi: The database .+ cannot be opened .+\n$/),
    ],
    [
      ['search', 'x', '--state-dir', '/proc/nope'],
      {},
      expect.stringMatching(
        /^web3-bi: The database .+ cannot be opened .+; set WEB3_BI_DATABASE_URL .+ writable place\.\n$/,
      ),
    ],
    [
      ['search', 'x'],
      { WEB3_BI_BASEURL: 'x' },
      'web3-bi: WEB3_BI_BASEURL is not a setting. Did you mean WEB3_BI_BASE_URL? Unset it or correct it.\n',
    ],
    [['search', 'x'], { WEB3_BI_FOO: 'x' }, 'web3-bi: WEB3_BI_FOO is not a setting. Unset it or correct it.\n'],
    [
      ['search', 'x'],
      { WEB3_BI_BASE_URL: 'example.com' },
      'web3-bi: WEB3_BI_BASE_URL must be an http or https address without user and password, and without a query, such as http://127.0.0.1:4020.\n',
    ],
    [
      ['doctor'],
      { WEB3_BI_BASE_URL: 'https://ada:secret@example.com' },
      'web3-bi: WEB3_BI_BASE_URL must be an http or https address without user and password, and without a query, such as http://127.0.0.1:4020.\n',
    ],
    ...['BASE_URL', 'FACILITATOR_URL', 'PUBLIC_URL', 'SYNC_MIRROR'].map(
      (name): [string[], Record<string, string>, unknown] => [
        ['doctor'],
        { [`WEB3_BI_${name}`]: 'https://example.com/?key=secret' },
        expect.stringMatching(/^web3-bi: (?!.*secret).+ must be .+\n$/),
      ],
    ),
    ...['http://u:secret@127.0.0.1:1', 'https:/u:secret@127.0.0.1', 'http://127.0.0.1:1/?key=secret'].map(
      (snapshot): [string[], Record<string, string>, unknown] => [
        ['serve'],
        { WEB3_BI_INDEX_SNAPSHOT: snapshot },
        expect.stringMatching(/^web3-bi: WEB3_BI_INDEX_SNAPSHOT must be a file, or (?!.*secret).+\n$/),
      ],
    ),
    ...[
      'u:sec@ret@127.0.0.1:1/x',
      'u:sec/ret@127.0.0.1:1/x',
      'u:secret',
      '127.0.0.1:1/x?user=u&password=secret',
      '127.0.0.1:1/x?sslpassword=secret',
    ].map((rest): [string[], Record<string, string>, unknown] => [
      ['account', 'list'],
      { WEB3_BI_DATABASE_URL: `postgres://${rest}` },
      expect.stringMatching(/^web3-bi: The database postgres:\/\/(?!.*(sec|ret))\S+ cannot be opened .+\n$/),
    ]),
    [
      ['search', 'x'],
      { WEB3_BI_API_KEY: 'secret', WEB3_BI_NETWORKS: 'x' },
      'web3-bi: WEB3_BI_NETWORKS is not a setting. Did you mean WEB3_BI_NETWORK? Unset it or correct it. WEB3_BI_API_KEY must be an API key: mk_ and 49 letters and digits. WEB3_BI_API_KEY is set, but not the service it is for; set WEB3_BI_BASE_URL, or unset the key to use the embedded service.\n',
    ],
    [['serve', '--port', '70000'], {}, 'web3-bi: --port must be a whole number from 0 to 65535.\n'],
    [
      ['sandbox', '--network', 'eip155:1'],
      {},
      'web3-bi: --network must be one of eip155:84532 (Base Sepolia), eip155:8453 (Base).\n',
    ],
    [
      ['serve', '--database', 'mysql://x'],
      {},
      'web3-bi: --database must be sqlite:PATH, sqlite::memory: or postgres://USER:PASSWORD@HOST/NAME.\n',
    ],
    [
      ['mcp'],
      { WEB3_BI_ACCESS: 'key' },
      'web3-bi: WEB3_BI_ACCESS is key, but there is no WEB3_BI_API_KEY; set it, or set WEB3_BI_ACCESS=auto.\n',
    ],
  ])('%j with %j is refused in one line', async (words, environment, stderr) => {
    expect(await runProgram(words, { ...state, ...environment })).toEqual({ code: 1, stdout: '', stderr });
  });

  const READING = [
    ['search', 'x'],
    ['export', '--type', 'companies'],
    ['data', 'drop'],
    ['audit'],
    ['account', 'list'],
    ['account', 'set-plan', 'x', 'none'],
    ['key', 'list'],
    ['key', 'revoke', '1'],
    ['payments', 'list'],
    ['doctor'],
  ];

  test('makes no database where a command only works on one that is there', async () => {
    const missing = join(folder.path, 'no', 'typo.db');
    const refused = await Promise.all(
      READING.map((words) => runProgram([...words, '--database', `sqlite:${missing}`], state)),
    );
    const stderr = `web3-bi: There is no database sqlite:${missing}; correct --database or WEB3_BI_DATABASE_URL; serve and import create a new one.\n`;
    expect(refused).toEqual(READING.map(() => ({ code: 1, stdout: '', stderr })));
    expect(existsSync(join(folder.path, 'no'))).toBe(false);
  });

  test('refuses a folder it cannot write', async () => {
    const { code, stderr } = await runProgram(['account', 'list', '--state-dir', '/dev/null/x']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^web3-bi: The database sqlite:\/dev\/null\/x\/web3-bi\.db cannot be opened .+\n$/);
  });

  test('refuses a file that is no database', async () => {
    const file = join(folder.path, 'no.db');
    writeFileSync(file, 'this is a text file and no database at all');
    const { code, stderr } = await runProgram(['account', 'list', '--database', `sqlite:${file}`]);
    expect([code, stderr.split('\n')]).toEqual([1, [expect.stringContaining('cannot be opened'), '']]);
  });
});

/** One of each code; a long run has more commands. */
const IN_A_PROCESS: readonly [string[], number, Record<string, string>][] = [
  [['serch'], 2, {}],
  [['search', 'coinbase', '--limit', '1'], 0, {}],
  [['mcp'], 1, { WEB3_BI_ACCESS: 'key' }],
];
const LONG_IN_A_PROCESS: typeof IN_A_PROCESS = [
  [['help', 'search'], 0, {}],
  [['get', 'companies/nowhere'], 1, {}],
  [['key', 'list'], 0, {}],
  [['export', '--type', 'events', '--format', 'csv'], 0, {}],
  [['sync', 'list'], 0, {}],
  [['doctor', '--base-url', 'http://127.0.0.1:1'], 1, {}],
];
test.each([...IN_A_PROCESS, ...(isLong ? LONG_IN_A_PROCESS : [])])(
  '%j says the same in a process of its own, which ends by itself with %i',
  async (words, code, more) => {
    const ended = await runProcess(words, { ...state, ...more });
    expect([ended, ended.code]).toEqual([await runProgram(words, { ...state, ...more }), code]);
  },
);

describe('web3-bi with a database of another program', () => {
  test('refuses it, says why, and leaves it as it is', async () => {
    const file = join(folder.path, 'foreign.db');
    const foreign = openSqlite(file);
    foreign.exec('CREATE TABLE invoices (id)');
    const { code, stderr } = await runProgram(['account', 'list', '--database', `sqlite:${file}`]);
    expect([code, stderr]).toEqual([
      1,
      `web3-bi: The database sqlite:${file} cannot be opened: The file is an SQLite database of another program; name another file.\n`,
    ]);
    expect(foreign.pragma('table_list')).toHaveLength(3);
    foreign.close();
  });
});

describe('web3-bi with a damaged database', () => {
  test('says so once, with a remedy that helps, in every command and doctor', async () => {
    const file = join(folder.path, 'damaged.db');
    openSqlite(file).exec('CREATE TABLE a (b); INSERT INTO a VALUES (zeroblob(100000))').close();
    truncateSync(file, 4_096);
    const on = ['--database', `sqlite:${file}`];
    const fault = `The database sqlite:${file} cannot be opened (database disk image is malformed)`;
    const remedy = 'restore the file from a backup, or name another';
    expect(await runProgram(['search', 'x', ...on])).toMatchObject({
      code: 1,
      stderr: `web3-bi: ${fault}; ${remedy}.\n`,
    });
    const { stdout } = await runProgram(['doctor', '--json', ...on]);
    expect(JSON.parse(stdout).findings).toContainEqual({ check: 'database', ok: false, detail: fault, remedy });
    writeFileSync(file, 'no database');
    const { stderr } = await runProgram(['search', 'x', ...on]);
    expect(stderr.match(/no SQLite database/g)).toHaveLength(1);
    const other = await runProgram(['doctor', '--json', ...on]);
    const detail = 'The file is no SQLite database; name another file.';
    expect(JSON.parse(other.stdout).findings).toContainEqual({ check: 'database', ok: false, detail });
  });
});

describe('web3-bi aggregate', () => {
  test('shows a table, CSV or JSON', async () => {
    const asked = [
      'aggregate',
      'rounds',
      '--group-by',
      'year',
      '--measure',
      'count,sum',
      '--order',
      'year',
      '--top',
      '2',
    ];
    const table = await runProgram(asked, state);
    expect(table.code).toBe(0);
    // The same words as in a terminal; programs take CSV or JSON.
    expect(table.stdout).toMatch(
      /^YEAR {2}COUNT {2}SUM AMOUNT {2}UNSOURCED\n\d{4} +\d+ +\$[\d.]+[KMB] +\$[\d.]+[KMB]\n\d{4} /,
    );
    expect(table.stderr).toMatch(
      /^\d+ groups of [\d,]+ rounds, \S+ to \S+; [\d,]+ have a known amount, \$[\d.]+B in all\.\n2 of \d+ groups are shown; --top \d+ shows all\.\n[\d,]+ of the rounds have no known year, \$[\d.]+[KMB] in all\.\n[\d,]+ are grants: --funding-stage except:grant leaves them out\.\nOnly the editors .*\.\nA sample: \d+ funding rounds .*\.\n$/,
    );
    const read = await runAsInTerminal(asked, { ...state, NO_COLOR: '1' });
    // In the order of the two streams: the notes follow the table.
    expect(read.stdout).toMatch(
      /^YEAR {2}COUNT {2}SUM AMOUNT {2}UNSOURCED\n\d{4} +\d+ +\$[\d.]+[KMB] +\$[\d.]+[KMB]\n(\d{4} .*\n)+\d+ groups of /,
    );
    const csv = await runProgram([...asked, '--csv'], state);
    expect(csv.stdout).toMatch(/^year,count,sum_amount_usd\n\d{4},\d+,\d+\.\d\d\n/);
    const json = JSON.parse((await runProgram([...asked, '--json'], state)).stdout) as any;
    expect(json.rows.map((row: unknown[]) => row.join()).join('\n')).toBe(
      csv.stdout.split('\n').slice(1, 3).join('\n'),
    );
  });
});

test('a database without records says how to add some', async () => {
  const empty = { WEB3_BI_STATE_DIR: join(folder.path, 'none'), WEB3_BI_DATA: 'none' };
  for (const words of [
    ['search', 'uniswap'],
    ['search', '--type', 'rounds', '--json'],
    ['get', 'companies/uniswap'],
    ['aggregate', 'rounds', '--group-by', 'year'],
    ['connect', 'companies/a', 'companies/b'],
    ['doctor'],
  ]) {
    const { stdout, stderr } = await runProgram(words, empty);
    if (words.includes('--json')) expect(JSON.parse(stdout).totalResults).toBe(0);
    else expect([words[0], stdout + stderr]).toEqual([words[0], expect.stringContaining('web3-bi data add')]);
  }
});

test('a value or a slug that no record has is named, with what is near', async () => {
  const { stderr } = await runProgram(['search', '--country', 'Atlantis'], state);
  expect(stderr).toMatch(/^web3-bi: --country "Atlantis": no record has this value; the nearest are /);
  const { stderr: party } = await runProgram(['search', '--investor=Nobody At All'], state);
  expect(party).toMatch(/^web3-bi: --investor "Nobody At All": no record or round has one of that name/);
  const { stderr: slug } = await runProgram(['get', 'companies/nope'], state);
  expect(slug).toMatch(/^web3-bi: There is no companies\/nope; try .+ search nope\.\n$/);
});

describe('web3-bi for a stranger', () => {
  const run = (...words: string[]) => runProgram(words, state);

  test('get says of when the stage and the roles are, and of people the role at the company', async () => {
    const [kraken, guy, fhenix] = await Promise.all(
      ['companies/kraken', 'people/guy-zyskind', 'companies/fhenix'].map((record) => run('get', record)),
    );
    expect(kraken?.stdout).toMatch(/\nLast stated stage +Series A, 2014-03-25\n/);
    expect(guy?.stdout).toContain('CEO and co-founder, Enigma (as of 2018); Co-founder, Fhenix (as of 2025) †\n');
    expect(fhenix?.stdout).toContain('  Guy Zyskind  Co-founder (as of 2025) †  [people/guy-zyskind]\n');
  });

  test('get finds a round by its slug and a web domain, and asks for the type of a number', async () => {
    const [round, none, domain, address, number] = await Promise.all([
      run('get', 'uniswap-series-b-2022-10-13'),
      run('get', 'uniswap-series-b-2022-10-14'),
      run('get', 'sorare.com'),
      run('get', 'https://sorare.com/'),
      run('get', '4'),
    ]);
    expect(round.stdout).toMatch(/^Uniswap Series B \(2022\) {2}\[rounds\/uniswap-series-b-2022-10-13\]\n/);
    expect(none.stderr).toContain('There is no record called uniswap-series-b-2022-10-14');
    for (const { stdout } of [domain, address]) expect(stdout).toMatch(/^Sorare {2}\[companies\/sorare\]\n/);
    expect([number.code, number.stderr]).toEqual([
      1,
      'web3-bi: 4 is a number, of one record of each type: give TYPE/ID, such as companies/4.\n',
    ]);
  });

  test('totals that are cut say how many groups there are and which flag shows more', async () => {
    const [pairs, years, investors] = await Promise.all([
      run('aggregate', 'rounds', '--group-by', 'year,stage', '--top', '3', '--to', '2020'),
      run('aggregate', 'rounds', '--group-by', 'year', '--top', '200'),
      run('search', 'top investors in gaming', '--limit', '5'),
    ]);
    expect(pairs.stderr).toMatch(/^(\d+) groups of .*\n3 of \1 groups are shown; --top \1 shows all\.\n/);
    expect(years.stderr).not.toContain('are shown');
    // Those without a year are a row, but no group.
    const rows = years.stdout.trimEnd().split('\n').slice(1);
    expect(rows.at(-1)).toMatch(/^not known /);
    expect(years.stderr).toMatch(new RegExp(`^${rows.length - 1} groups of `));
    expect(investors.stdout.trimEnd().split('\n')).toHaveLength(6);
    expect(investors.stderr).toMatch(/\n5 of \d+ groups are shown; --limit 50 shows more\.\n/);
  });

  test('a question is answered in a sentence before what it rests on, also by reduced records, but not on a later page', async () => {
    const question = ['search', "who led Uniswap's Series B"];
    const [whole, reduced, next] = await Promise.all([
      run(...question),
      run(...question, '--fields', 'name'),
      run('search', 'largest round of 2021', '--limit', '5', '--page', '2'),
    ]);
    for (const { stderr } of [whole, reduced])
      expect(stderr).toMatch(/^Polychain Capital led the Series B of Uniswap, 13 Oct 2022, \$165M\.\n1 found/);
    expect(next.stderr).toMatch(/^(?:†: .*\n)?\d+ found/);
  });

  test('compared records stand side by side, also by another name, and nothing is said to be missing', async () => {
    const { stdout } = await runAsInTerminal(['search', 'a16z vs Paradigm'], { ...state, NO_COLOR: '1' }, '', 100);
    expect(stdout).toMatch(
      /^Andreessen Horowitz \(a16z crypto\) took part in more rounds on record than Paradigm: \d+ against \d+\.\n +Andreessen Horowitz \(a16z crypto\) +Paradigm\nSLUG +andreessen-horowitz-a16z-crypto +paradigm\n/,
    );
    expect(stdout).toMatch(/\nLED +\d+ \(\d+ unsourced\) +\d+ \(\d+ unsourced\)\n/);
    expect(stdout).not.toMatch(/No exact match|Ignored/);
  });

  test('a search without a result says what sources leave out, and until when they were read', async () => {
    const { stderr } = await run('search', 'who spoke at Devcon 7');
    expect(stderr).toMatch(
      /^Nothing matches; .* That is no proof of absence: speakers of most events are on no record\. The latest date on record, whatever the filters, is \d{4}-\d\d-\d\d\.\n/,
    );
  });

  test('a period in the wrong order, and a lead that is unknown, are said in words', async () => {
    const [order, led] = await Promise.all([
      run('search', '--type', 'rounds', '--from', '2025', '--to', '2024'),
      run('search', '--type', 'rounds', '--investor', 'paradigm', '--led'),
    ]);
    expect(order.stderr).toBe('web3-bi: --from must not be after --to\n');
    expect(led.stderr).toMatch(/ whose lead investor is unknown/);
  });

  test('connect calls the investor of a grant its giver', async () => {
    const { stdout } = await run('connect', 'companies/aave', 'companies/compound', '--limit', '1');
    expect(stdout).toContain('    Optimism Foundation gave a grant to Aave\n');
  });
});

describe('web3-bi connect', () => {
  test('shows paths with the record that proves each step', async () => {
    const { code, stdout } = await runProgram(
      ['connect', 'people/vitalik-buterin', 'Pantera Capital', '--hops-max', '1'],
      state,
    );
    expect([code, stdout]).toEqual([
      0,
      [
        'Vitalik Buterin  [people/vitalik-buterin]',
        '  round 2018-05-09: StarkWare seed round (2018)  [rounds/starkware-seed-2018-05-10]',
        '    Vitalik Buterin and Pantera Capital (lead) invested',
        'Pantera Capital  [investors/pantera-capital]',
        '',
      ].join('\n'),
    ]);
    const unknown = await runProgram(['connect', 'people/vitalik-buterin', 'pantera-capitol'], state);
    expect(unknown.stderr).toBe(
      'web3-bi: There is no record called pantera-capitol. Did you mean investors/pantera-capital?\n',
    );
    const other = await runProgram(['connect', 'people/vitalik-buterin', 'people/pantera-capital'], state);
    expect(other.stderr).toBe('web3-bi: There is no people/pantera-capital. Did you mean investors/pantera-capital?\n');
    const nameless = await runProgram(['connect', 'uniswap', 'companies/ledgerstatus'], state);
    expect(nameless.stderr).toMatch(
      /^web3-bi: ledgerstatus has no record; it is a name in \d+ rounds: web3-bi search --type rounds --investor "ledgerstatus"\.\n$/,
    );
  });

  test('of a record with itself is a fault of the second', async () => {
    const { code, stderr } = await runProgram(['connect', 'companies/uniswap', 'companies/uniswap'], state);
    expect([code, stderr]).toEqual([2, 'web3-bi: --to must be another record than --from\n']);
  });

  test('says in one line how far was looked where there is no path', async () => {
    const words = ['connect', 'people/vitalik-buterin', 'companies/uniswap', '--hops-max', '1'];
    const { code, stdout, stderr } = await runProgram(words, state);
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toBe('No path of up to 1 hop. --hops-max 4 looks further.\n');
  });

  test('says of a record without relations that there are none, rather than how far was looked', async () => {
    const file = join(folder.path, 'alone.csv');
    writeFileSync(file, 'name\nQuiet Example Co\n');
    expect((await runProgram(['import', file, '--type', 'companies'], state)).code).toBe(0);
    const { code, stdout, stderr } = await runProgram(['connect', 'uniswap', 'companies/quiet-example-co'], state);
    expect([code, stdout, stderr]).toEqual([
      0,
      '',
      'No path: Quiet Example Co has no known rounds, roles or events.\n',
    ]);
  });

  test('names two records once for all that connects them directly', async () => {
    const { stdout } = await runProgram(
      ['connect', 'paradigm', 'uniswap', '--kinds', 'round', '--hops-max', '1'],
      state,
    );
    expect(stdout).toMatch(
      /^Paradigm {2}\[investors\/paradigm\]\n( {2}round \d{4}-\d\d-\d\d: Uniswap .*\n {4}Paradigm .*\n){3}Uniswap {2}\[companies\/uniswap\]\n$/,
    );
  });

  test('does not repeat the first steps that a path shares with the one before', async () => {
    const { stdout } = await runProgram(['connect', 'uniswap', 'kalshi', '--limit', '3'], state);
    const paths = stdout.split('\n\n');
    expect([paths.length, stdout.split('[rounds/uniswap-series-b-2022-10-13]').length - 1]).toEqual([3, 1]);
    for (const path of paths.slice(1)) expect(path).toMatch(/^As above to Uniswap Series B \(2022\), then\n\S/);
  });
});

describe('web3-bi search', () => {
  test('says how many of the rounds that it found are grants, and leaves them out when asked', async () => {
    const words = ['search', 'uniswap', '--type', 'rounds', '--limit', '1'];
    const [all, without] = await Promise.all([
      runProgram(words, state),
      runProgram([...words, '--funding-stage', 'except:grant'], state),
    ]);
    expect(all.stderr).toMatch(/^\d+ found,.*\n\d+ are grants: --funding-stage except:grant leaves them out\.\n/);
    expect(without.stderr).not.toContain('grants:');
  });

  test('answers a person from the embedded service', async () => {
    const { code, stdout, stderr } = await runProgram(
      ['search', 'coinbase', '--type', 'companies', '--limit', '1'],
      state,
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Coinbase {2}\[companies\/coinbase\]\n {4}\S/);
    expect(stderr).toMatch(/^\d+ found, page 1 of \d+; --page 2 shows more\n$/);
  });

  test('says how a sentence was read, what was not used, and what is left out', async () => {
    const words = ['search', 'series b rounds led by paradigm whatever', '--limit', '1'];
    const [piped, shown] = await Promise.all([
      runProgram(words, state),
      runAsInTerminal(words, { ...state, NO_COLOR: '1' }),
    ]);
    expect(piped.stderr).toMatch(
      new RegExp(
        '\\nRead as rounds, funding stage Series B, investor paradigm, led\\.\\nIgnored: "whatever"\\.\\n' +
          'Not all was read as typed; the list matches what was read\\.\\n' +
          'Left out: \\d+ others? that match(es)? the rest, but whose funding stage is unknown\\.\\n$',
      ),
    );
    // The company, not the name of the round, which repeats stage and date; the slug below, where it does not fit.
    const columns = ['DATE', 'STAGE', 'AMOUNT', 'VALUATION', 'LED BY'].join(' +');
    expect(shown.stdout).toMatch(
      new RegExp(`^COMPANY +${columns}\\n[A-Z]\\w+ +20.*\\n {2}[a-z-]+-series-b-20\\d\\d-\\d\\d-\\d\\d\\n`),
    );
    const wide = await runAsInTerminal(words, { ...state, NO_COLOR: '1' }, '', 120);
    expect(wide.stdout).toMatch(new RegExp(`^COMPANY +SLUG +${columns}\\n`));
    // Leads continue on the next line.
    const leads = ['search', 'series B rounds led by paradigm in 2022'];
    const led = await runAsInTerminal(leads, { ...state, NO_COLOR: '1' }, '', 70);
    expect(led.stdout).toMatch(/\$150M {2}Andreessen Horowitz \(a16z\n +crypto\), Paradigm †\n {2}optimism-/);
  });

  test('lists more than an amount without the amount, and companies like another without that one', async () => {
    const [over, similar] = await Promise.all(
      ['rounds over 100M in 2024', 'alternatives to Aave'].map((sentence) => runProgram(['search', sentence], state)),
    );
    expect(over?.stdout).toMatch(/, \$\d/);
    expect(over?.stdout).not.toContain(', $100M');
    expect(over?.stderr).toContain('\nRead as rounds, funding stage not Grant, funding > $100M, date ≥ 2024-01-01, ');
    expect(similar?.stdout).toMatch(/^Compound {2}\[companies\/compound\]\n/);
    expect(similar?.stdout.match(/^\S/gm)).toHaveLength(10);
    expect(similar?.stdout).not.toContain('[companies/aave]');
    expect(similar?.stderr).toMatch(/\nRead as companies similar to Aave\.\n$/);
    const { stderr } = await runProgram(['search', 'alternatives to Aave in Africa'], state);
    expect(stderr).toMatch(
      /\nRead as companies similar to Aave\.\nIgnored: "Africa"\.\nNot all was read as typed; the list matches what was read\.\n$/,
    );
    const inEurope = await runProgram(
      ['search', 'alternatives to Aave in Europe', '--limit', '2', '--page', '2'],
      state,
    );
    expect(inEurope.stdout.match(/^\S/gm)).toHaveLength(2);
    expect(inEurope.stderr).toMatch(
      /^†: unsourced, stated by the editors alone.\n10 found, page 2 of 5; --page 3 shows more\nRead as companies similar to Aave, region Europe\.\nLeft out: \d+ others that match the rest, but whose country is unknown\.\n$/,
    );
  });

  test('names the periods that a sentence compares, and says that the list also has what is between them', async () => {
    const { stderr } = await runProgram(['search', 'Q1 2024 vs Q1 2025 funding'], state);
    expect(stderr).toContain('\nRead as rounds, funding stage not Grant, Q1 2024 and Q1 2025, Amount (USD), largest');
    expect(stderr).toContain('\nThe list also has what was announced between Q1 2024 and Q1 2025.\n');
  });

  test('leaves the investor out of its co-investors, and says what single checks are', async () => {
    const [joint, checks] = await Promise.all(
      ['who co-invests with a16z', 'average check size of a16z'].map((sentence) =>
        runProgram(['search', sentence, '--limit', '3'], state),
      ),
    );
    expect(joint?.stdout).toMatch(/^INVESTOR +COUNT\n(?!Andreessen)\S.*\n(?!Andreessen)\S.*\n(?!Andreessen)\S/);
    expect(joint?.stderr).toContain('\n3 of ');
    expect(checks?.stdout).toMatch(/^YEAR +AVERAGE AMOUNT +COUNT +UNSOURCED\n20/);
    expect(checks?.stderr).toContain('\nWhat one investor paid is on no record: amounts are those of whole rounds.\n');
  });

  test('says what a company raised if that is asked for', async () => {
    const { stdout, stderr } = await runProgram(['search', 'what is the total funding of Uniswap'], state);
    expect(stdout).toMatch(/^Uniswap {2}\[companies\/uniswap\] {2}funding \$\d[\d.]*M\n/);
    // Only companies have a funding.
    expect(stdout).toMatch(/\[people\/[a-z-]+\]\n/);
    expect(stderr).not.toContain('Ignored');
  });

  test('shows every name and slug whole in a narrow terminal', async () => {
    const words = ['search', 'hackathon', '--type', 'events', '--limit', '10'];
    const { stdout } = await runAsInTerminal(words, { ...state, NO_COLOR: '1' });
    const { results } = JSON.parse((await runProgram([...words, '--json'], state)).stdout);
    expect(results).toHaveLength(10);
    for (const { name, slug } of results) expect(stdout).toMatch(new RegExp(`\n${name}  .*\n  ${slug}\n`));
  });

  test('says that another name is not the one that was searched for', async () => {
    const { stderr } = await runProgram(['search', 'town protocol', '--limit', '1'], state);
    expect(stderr).toMatch(/\nRead as companies, "town"\.\nNo exact match; similar records are shown\.\n$/);
  });

  test('says date, stage, amount and lead of each round where there is no table', async () => {
    const { stdout } = await runProgram(['search', 'uniswap series b', '--type', 'rounds', '--limit', '1'], state);
    expect(stdout.split('\n')[1]).toBe('    2022-10-13, Series B, $165M, led by Polychain Capital');
  });

  test.each([
    [
      'average seed round in 2021',
      /\nFor average by year: web3-bi aggregate rounds --group-by year --measure average .*--from 2021-01-01/,
    ],
    ['number of companies per country', /\nFor counts by country: web3-bi aggregate companies --group-by country\n/],
    ['how are paradigm and andreessen horowitz connected', /: web3-bi connect paradigm 'andreessen horowitz'\n/],
    ['seed rounds led by Zyxwv Capital', /\nNo record has this name; the nearest are /],
  ])('of %s names the command that answers it', async (sentence, named) => {
    const { stderr } = await runProgram(['search', sentence, '--limit', '1'], state);
    expect(stderr).toMatch(named);
    const command = /web3-bi (aggregate|connect) .*/.exec(stderr)?.[0].slice('web3-bi '.length);
    if (command === undefined) return;
    const words = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, one, other]) => one ?? other ?? '');
    expect((await runProgram(words, state)).code).toBe(0);
  });

  test('answers a question for figures first, of the period and stage that it names', async () => {
    const [ranked, average] = await Promise.all(
      ['top lead investors in 2021', 'average seed round by year'].map((sentence) =>
        runProgram(['search', sentence, '--limit', '10'], state),
      ),
    );
    // No list of investors is of one year.
    expect(ranked?.stdout).toMatch(/^LEAD INVESTOR +COUNT +UNSOURCED\n(.+ {2}[1-9]\d* +\d+\n)+$/);
    expect(ranked?.stderr).toMatch(
      /\nRead as rounds by lead investor, funding stage not Grant, date ≥ 2021-01-01, date ≤ 2021-12-31\.\n/,
    );
    expect(ranked?.stderr).not.toMatch(/Ignored|found/);
    expect(ranked?.stderr).toContain('--group-by lead_investor --funding-stage except:grant --from 2021-01-01');
    const years = [...(average?.stdout ?? '').matchAll(/^(\d{4}) +\$[\d.]+M +[1-9]/gm)].map(([, year]) => year);
    expect(years.length).toBeGreaterThan(3);
    expect(years).toEqual(years.toSorted().reverse());
  });

  test('names the command of its figures with the flags beside the question', async () => {
    const words = ['search', 'how much was raised in 2021', '--country', 'Germany', '--limit', '1'];
    const { stderr } = await runProgram(words, state);
    expect(stderr).toMatch(/\nFor sum by year: web3-bi aggregate rounds .*--to 2021-12-31 --country Germany\n/);
  });

  test('computes no total of what leaves a part of the question out, and names that part', async () => {
    const { stdout, stderr } = await runProgram(
      ['search', 'total funding of fintech companies in Estonia by year'],
      state,
    );
    expect(stdout).not.toContain('SUM');
    expect(stderr).toContain('\nIgnored: "fintech".\nFor sum by year: ');
  });

  const ADVICE =
    'Only some rounds state a valuation: lists of rounds can be filtered by valuation_min and valuation_max and ordered by -valuation_usd, but valuations are not grouped or averaged.';

  test('says that nothing can be listed by a fact without a filter, and does not advise other words', async () => {
    expect((await runProgram(['search', 'valuations by year'], state)).stderr).toBe(
      [
        'Nothing is listed.',
        'Read as rounds.',
        'Ignored: "year".',
        `Nothing can be filtered, ordered or counted by "valuations". ${ADVICE}`,
        '',
      ].join('\n'),
    );
    expect((await runProgram(['search', 'investors in unicorns'], state)).stderr).toBe(
      `Nothing is listed.\nRead as investors.\nNothing can be filtered, ordered or counted by "unicorns". ${ADVICE}\n`,
    );
  });

  test('says how many rounds the same words find, which a search of every type leaves out', async () => {
    const [all, rounds, filtered] = await Promise.all([
      runProgram(['search', 'uniswap'], state),
      runProgram(['search', 'uniswap', '--type', 'rounds', '--json'], state),
      runProgram(['search', 'uniswap', '--type', 'companies'], state),
    ]);
    const { totalResults, grants } = JSON.parse(rounds.stdout);
    expect(totalResults).toBeGreaterThan(10);
    expect(all.stderr).toContain(
      `\nRounds that match too: ${totalResults - grants} rounds, ${grants} grants; --type rounds lists them.\n`,
    );
    expect(filtered.stderr).not.toContain('--type rounds');
  });

  test('--json gives one JSON document', async () => {
    const { stdout } = await runProgram(['search', 'coinbase', '--json'], state);
    expect(JSON.parse(stdout).results.length).toBe(10);
  });

  test('takes the filters and sorts of the API as flags, and then needs no text', async () => {
    const words = ['search', '--type', 'companies', '--chain', 'Ethereum', '--funding_min', '1000000', '--limit', '2'];
    const flags = [...words, '--sort', '-total_funding_usd', '--fields', 'total_funding_usd,chains', '--json'];
    const { code, stdout } = await runProgram(flags, state);
    const { results, totalResults } = JSON.parse(stdout) as any;
    expect([code, results.length, totalResults > 2]).toEqual([0, 2, true]);
    expect(Number(results[0].total_funding_usd)).toBeGreaterThanOrEqual(Number(results[1].total_funding_usd));
    expect(Number(results[1].total_funding_usd)).toBeGreaterThanOrEqual(1_000_000);
    for (const { chains } of results) expect(chains).toContain('Ethereum');
    const help = await runProgram(['search', '--help']);
    for (const name of FILTER_NAMES) expect(help.stdout).toContain(`--${name.replaceAll('_', '-')}`);
  });

  test('--csv gives a table of all that match, whose lines are records', async () => {
    const words = [
      'search',
      '--type',
      'rounds',
      '--funding-stage',
      'Series A',
      '--from',
      '2022-01-01',
      '--to',
      '2022-12-31',
    ];
    const { code, stdout, stderr } = await runProgram([...words, '--csv', '--fields', 'company,amount_usd'], state);
    const lines = stdout.trimEnd().split('\n');
    expect([code, lines.length - 1, stderr]).toEqual([0, 48, '48 found\n']);
    expect(lines[0]).toBe('type,id,name,slug,company,amount_usd,unsourced_fields');
    expect((await runProgram([...words, '--csv', '--json'], state)).code).toBe(2);
  });

  test('of rounds that lack a fact it says how many are grants', async () => {
    const { stderr } = await runProgram(['search', '--type', 'rounds', '--valuation-min', '1B'], state);
    expect(stderr).toMatch(/Left out: 6,\d+ others .* valuation is unknown, 5,\d+ of them grants\.\n/);
  });

  test('of leads it says how many only the editors of the data set state', async () => {
    const ranked = await runProgram(['search', 'who led the most rounds in 2024'], state);
    expect(ranked.stderr).toMatch(/led the most rounds on record in 2024: 7 each \(together 3 unsourced\)\./);
    expect(ranked.stdout).toMatch(/\nHack VC +7 +1\n/);
    const first = await runProgram(['search', 'who led the most rounds'], state);
    expect(first.stderr).toContain(': 70 of its 121 (16 unsourced).');
    expect(first.stdout).toContain(' led 70 (16 unsourced)\n');
    const { stdout: record } = await runProgram(['get', 'investors/paradigm'], state);
    expect(record).toContain(' 50 led (15 unsourced), ');
  });

  test('--csv of nothing says what a search without it says', async () => {
    const words = ['search', 'companies in Atlantis founded 1890'];
    const csv = await runProgram([...words, '--csv', '--limit', '60'], state);
    expect(csv.stdout).toMatch(/^type,id,.*\n$/);
    expect(csv.stderr).toBe((await runProgram(words, state)).stderr);
    const aggregate = ['aggregate', 'companies', '--group-by', 'country', '--founded-to', '1700', '--csv'];
    expect((await runProgram(aggregate, state)).stderr).toMatch(/^No companies match\.\nLeft out: /);
    const undated = await runProgram(['aggregate', 'rounds', '--group-by', 'year', '--from', '2100'], state);
    expect(undated.stderr).toMatch(/whose date is unknown, (?:\d+|all) of them grants\.\n/);
  });

  test('a search with an answer states the coverage once, after its numbers', async () => {
    const { stdout, stderr } = await runProgram(['search', 'average seed round 2024'], state);
    expect(stdout).toMatch(/^YEAR +AVERAGE AMOUNT .*\n2024 +\$/);
    expect(stderr.match(/^A sample: /gm)).toHaveLength(1);
    expect(stderr.match(/^Left out: /gm)).toHaveLength(1);
  });

  test('get shows one record with its lists, of which an unknown one is null', async () => {
    const team = await runProgram(['get', 'companies/coinbase'], state);
    expect(team.stdout).toMatch(/Balaji Srinivasan {2}Former CTO \(as of 2025\) † {2}\[people/);
    expect(team.stdout).toMatch(/Eric Scrivner {2}Senior Software Engineer \(as of 2018\) {2}\[people/);
    const { code, stdout } = await runProgram(['get', 'companies/fireblocks', '--json'], state);
    const { name, related } = JSON.parse(stdout);
    const [people, rounds] = [related.people.totalResults, related.rounds.totalResults];
    expect([code, name, people > 0, rounds > 1, related.events]).toEqual([0, 'Fireblocks', true, true, null]);
    const shown = await runProgram(['get', 'companies/fireblocks'], state);
    expect(shown.stdout).toMatch(
      /^Fireblocks {2}\[companies\/fireblocks\]\n\S[\s\S]+\nLast stated stage +Series E, 2022-01-27\nKnown funding +\$1.04B in 5 announced/,
    );
    expect(shown.stdout).not.toMatch(/\n(overview|total_funding_usd|location_json) /);
    expect(shown.stdout).toMatch(
      /\nrounds \(\d+\)\n {2}Fireblocks Series E \(2022\) {2}2022-01-27 {2}\$550M {2}valued at \$8B {2}\[rounds/,
    );
    const { overview } = JSON.parse(stdout);
    const all = await runProgram(['get', 'companies/fireblocks', '--all'], state);
    // It is composed of the fields and lists, so it would say them again.
    const texts = [shown, all].map((each) => each.stdout.replaceAll('\n', ' '));
    expect(texts.map((text) => text.replaceAll(' †', '').includes(overview))).toEqual([false, true]);
    expect(texts[1]).toContain(' It was founded in 2018 †.');
    const read = await runAsInTerminal(['get', 'companies/fireblocks'], { ...state, NO_COLOR: '1' });
    expect(read.stdout).toMatch(
      /\nLast stated stage +Series E, 2022-01-27\nKnown funding +\$1.04B in 5 announced rounds, last 2022-01-27\n/,
    );
    const person = await runAsInTerminal(['get', 'people/vitalik-buterin'], { ...state, NO_COLOR: '1' });
    expect(person.stdout).toMatch(
      /\nRoles +Co-founder, Ethereum \(as of \d{4}\) †; Chief Scientist,\s+Ethereum\s+Foundation \(as of \d{4}\)\n(.*\n)*X \(Twitter\) +http/,
    );
    const events = await runAsInTerminal(['search', 'devcon', '--type', 'events', '--limit', '3'], {
      ...state,
      NO_COLOR: '1',
    });
    expect(events.stdout).toMatch(
      /^NAME +SLUG +DATE +PLACE +KIND *\n(.*\n)*Devcon 6 +devcon-6 +2022-10-11 +Bogotá, Colombia +Conference/,
    );
    expect(await runProgram(['get', 'companies/nowhere'], state)).toMatchObject({
      stderr: expect.stringContaining('There is no companies/nowhere; try web3-bi search nowhere.'),
    });
    expect((await runProgram(['get', 'fireblocks'], state)).stdout).toBe(shown.stdout);
    expect((await runProgram(['get', 'companies/firblocks'], state)).stderr).toBe(
      'web3-bi: There is no companies/firblocks. Did you mean companies/fireblocks?\n',
    );
    expect((await runProgram(['get', 'a16z', '--json'], state)).stdout).toContain(
      '"aliases":["Andreessen Horowitz","a16z"',
    );
    expect((await runProgram(['get', 'investors/a16z'], state)).stderr).toBe(
      'web3-bi: There is no investors/a16z. Did you mean investors/andreessen-horowitz-a16z-crypto?\n',
    );
    expect((await runProgram(['get', 'Nobody of Nowhere'], state)).stderr).toContain(
      'There is no record called Nobody of Nowhere;',
    );
    expect((await runProgram(['search', 'angel investors'], state)).stderr).toContain(
      'whose number of investments is unknown.',
    );
    // A value apart from its flag, as other programs take it, is no text to search for.
    const led = ['search', '--type', 'rounds', '--investor', 'paradigm', '--led'];
    const [apart, alone] = await Promise.all([runProgram([...led, 'true'], state), runProgram(led, state)]);
    expect(apart).toEqual(alone);
    expect(alone.stdout).toContain('led by');
    // A mistyped address of a person whose name has the same letters.
    expect((await runProgram(['get', 'foo/bar'], state)).stderr).toContain('There is no record called foo/bar;');
  });

  test('get tells investors from grant givers, names those without a record, and shows all on request', async () => {
    const person = { ...state, NO_COLOR: '1' };
    const [json, narrow, whole, giver, sources, nameless] = await Promise.all([
      runProgram(['get', 'companies/uniswap', '--json'], state),
      runAsInTerminal(['get', 'companies/uniswap'], person),
      runAsInTerminal(['get', 'companies/uniswap', '--all'], person, '', 260),
      runAsInTerminal(['get', 'investors/optimism-foundation'], person),
      runProgram(['get', 'companies/uniswap', '--sources'], state),
      runAsInTerminal(['get', 'companies/compound'], person),
    ]);
    const { investors_count, related } = JSON.parse(json.stdout);
    const section = (text: string, heading: string): readonly string[] =>
      text
        .split('\n\n')
        .find((part) => part.startsWith(`${heading} (`))
        ?.trimEnd()
        .split('\n') ?? [];
    const investors = section(narrow.stdout, 'investors');
    // One of them takes three lines: its name two, and its address.
    expect([investors[0], investors.length - 1]).toEqual([`investors (${investors_count})`, investors_count + 2]);
    expect(section(nameless.stdout, 'investors')).toContain('  Buck Stash');
    expect(investors.join('\n')).toMatch(/\n {2}Paradigm +led 1 of 3 rounds +\[investors\/paradigm\]\n/);
    // What follows the names is in one column, of names that take more lines as well.
    const column = investors.flatMap((line) =>
      / (led|\d rounds)/.test(line) ? [line.search(/ (led|\d rounds)/)] : [],
    );
    expect(new Set(column).size).toBe(1);
    const narrowGrants = section(narrow.stdout, 'grants').filter((line) => line.includes('~$'));
    expect(new Set(narrowGrants.map((line) => line.search(/ \d{4}-\d\d-\d\d /))).size).toBe(1);
    expect(section(narrow.stdout, 'grant givers')).toEqual([
      'grant givers (1)',
      expect.stringMatching(/^ {2}Optimism Foundation {2}\d+ grants {2}\[investors\/optimism-foundation\]$/),
    ]);
    const [rounds, grants] = ['rounds', 'grants'].map((kind) => section(whole.stdout, kind).length - 1);
    expect([rounds, grants]).toEqual([3, related.rounds.totalResults - 3]);
    // The address of a record is the same at every width.
    for (const { stdout } of [narrow, whole]) expect(stdout).toContain('[rounds/uniswap-series-b-2022-10-13]\n');
    expect(narrow.stdout).toMatch(
      /\n {2}and \d+ more; --all shows them\n\nsimilar\n( {2}\S.*\n){5} {2}and 5 more; --all shows them\n--sources shows/,
    );
    expect(section(giver.stdout, 'grants')[0]).toMatch(/^grants \([\d,]{5,}\)$/);
    expect(sources.stdout).toContain('\nToken contracts: UNI Ethereum 0x1f9840');
    expect(sources.stdout).toMatch(/\nKnown funding: \$\d+M in [^[]+\[from its\s+rounds\]\n/);
  });

  test('marks a round that only the editors of the data set state', async () => {
    const round = 'rounds/binance-strategic-2025-03-12';
    const [shown, sources, listed, company] = await Promise.all(
      [
        ['get', round],
        ['get', round, '--sources'],
        ['search', 'binance', '--type', 'rounds'],
        ['get', 'companies/binance'],
      ].map((words) => runProgram(words, state)),
    );
    expect(company?.stdout).toMatch(/\n {2}Binance strategic round \(2025\) +2025-03-12 +\$2B +unsourced +\[/);
    expect(company?.stdout).toMatch(/\nKnown funding +\$2\.01B in 2 announced rounds, \$2B of it unsourced, last/);
    expect(shown?.stdout).not.toContain('†');
    expect(shown?.stdout).toMatch(/\nSource +the editors of the data set \(unsourced\)\n/);
    expect(sources?.stdout).toContain('\nAmount: $2B  [');
    expect(sources?.stdout).toContain('\nStage: Strategic  [');
    expect(listed?.stdout).toContain(', $2B, led by MGX, unsourced\n');
    const table = await runAsInTerminal(['search', 'binance', '--type', 'rounds'], state);
    expect(table.stdout.replace(/\s+/g, ' ')).toMatch(
      / Stated by the editors of the data set alone \(unsourced\): .*binance-strategic-2025/,
    );
    const companies = ['search', 'binance', '--type', 'companies', '--sort', '-total_funding_usd'];
    const [lines, rows] = [await runProgram(companies, state), await runAsInTerminal(companies, state)];
    expect(lines.stdout).toMatch(/^Binance +\[companies\/binance\] +funding \$2\.01B, \$2B of it unsourced\n/);
    expect(rows.stdout.replace(/\s+/g, ' ')).toMatch(/ Known funding stated by [^:]*: .*binance \(\$2B of it\)/);
  });

  test('marks each fact that only the editors of the data set state, and leads in lists', async () => {
    const note = '†: unsourced, stated by the editors alone.';
    const [investor, person, round, listed] = await Promise.all(
      [
        ['get', 'investors/paradigm'],
        ['get', 'people/brian-armstrong'],
        ['get', 'rounds/kalshi-round-2025-11-01'],
        ['search', '--type', 'rounds', '--company', 'kalshi'],
      ].map((words) => runProgram(words, state)),
    );
    expect(investor?.stdout).toMatch(/\nFund size † +\$2\.5B \(as of 2025\)\nRounds +\d/);
    expect(person?.stdout).toMatch(/\nRoles +Co-founder and CEO, Coinbase \(as of 2025\) †\n/);
    expect(round?.stdout).toMatch(/\nAmount +\$1B\nLead investors † +Paradigm\nInvestors +Paradigm/);
    for (const { stderr } of [investor, person, round, listed] as { stderr: string }[]) expect(stderr).toContain(note);
    expect(listed?.stdout).toContain('2025-11, $1B, led by Paradigm †\n');
    expect(listed?.stdout).toMatch(/led by Paradigm\n/);
    const table = await runAsInTerminal(['search', '--type', 'rounds', '--company', 'kalshi'], state);
    expect(table.stdout).toMatch(/2025-11 .* Paradigm †\s/);
    expect(table.stdout).toContain(note);
    const founders = ['search', '--type', 'people', '--company', 'solana'];
    const [people, inTerminal] = [await runProgram(founders, state), await runAsInTerminal(founders, state)];
    expect(people.stdout).toMatch(/^ {4}Co-founder of Solana †; angel investor$/m);
    expect(people.stdout).toMatch(/^ {4}Co-founder of Solana †$/m);
    expect(people.stderr).toContain(note);
    expect(inTerminal.stdout).toMatch(/ Co-founder of Solana †; angel investor\s/);
    expect(inTerminal.stdout).toContain(note);
    const stated = await runProgram(['search', 'Eric Scrivner', '--type', 'people'], state);
    expect(stated.stdout).not.toContain('†');
  });

  test('connect says of each step its day or month, and what only the editors state', async () => {
    const [direct, through] = await Promise.all([
      runProgram(['connect', 'companies/coinbase', 'investors/tiger-global', '--limit', '1'], state),
      runProgram(['connect', 'investors/sequoia-capital', 'companies/binance', '--limit', '1'], state),
    ]);
    expect(direct?.stdout).toContain('\n  round 2018-10-30, unsourced: Coinbase Series E (2018)  [');
    expect(through?.stdout).toContain('\n  round 2017-09: Binance Series A (2017)  [');
  });

  test('get names an event of a series by its other names only, as its page does', async () => {
    const { stdout } = await runProgram(['get', 'events/devcon-6'], state);
    expect(stdout).toMatch(/\nAliases +Devcon 2022\n/);
  });

  test('says in which rounds a company raised its funding before what of it is unsourced', async () => {
    const { stderr } = await runProgram(['search', 'how much has Coinbase raised'], state);
    expect(stderr).toContain('Coinbase raised $508M in 4 rounds of known amount, $400M of it unsourced.\n');
  });

  test('says how much of a sum only the editors of the data set state, and leaves that out where asked', async () => {
    const given = ['aggregate', 'rounds', '--group-by', 'year', '--measure', 'sum', '--from', '2025', '--to', '2025'];
    const [all, sourced] = await Promise.all([given, [...given, '--sourced']].map((words) => runProgram(words, state)));
    expect(all?.stderr).toMatch(
      /\nOnly the editors of the data set state \$[\d.]+B of the \$[\d.]+B, without a page; the filter sourced leaves that out\.\n/,
    );
    expect([sourced?.code, sourced?.stderr]).toEqual([0, expect.not.stringContaining('Only the editors')]);
  });

  test('says of companies by a round that the others have no such round on record', async () => {
    const { stderr } = await runProgram(
      ['search', '--type', 'companies', '--from', '2023', '--investor', 'paradigm'],
      state,
    );
    expect(stderr).toMatch(
      /\nLeft out: [\d,]+ others that match the rest, but with no round on record whose date and investor are known\.\n/,
    );
  });

  test('says that a page does not exist, and how many there are', async () => {
    expect(await runProgram(['search', 'hayden adams', '--page', '999'], state)).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^web3-bi: Page 999 does not exist; there (is 1|are \d+)\.\n$/),
    });
  });

  test('says which service cannot be reached', async () => {
    const { code, stderr } = await runProgram(['search', 'x', '--base-url', 'http://127.0.0.1:1'], state);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^web3-bi: http:\S+: The service cannot be reached; web3-bi doctor says why\.\n$/);
  });

  test('shows no escape sequence and no line break of what a service says', async () => {
    const text = 'all \u202e\u001b[2J\u009b31m\nweb3-bi: is\u2028well\u2029';
    const server = createServer((request, response) => {
      const isHealth = request.url?.startsWith('/api/health') === true;
      response.writeHead(isHealth ? 200 : 400).end(JSON.stringify(isHealth ? { status: text } : { error: text }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const service = { WEB3_BI_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
    const key = { WEB3_BI_API_KEY: `mk_${'a'.repeat(49)}` };
    const shown = 'all ??[2J?31m?web3-bi: is?well?';
    const searched = await runProgram(['search', 'x'], { ...state, ...service, ...key });
    expect(searched.stderr).toBe(`web3-bi: ${shown}\n`);
    const { stdout } = await runProgram(['doctor'], { ...state, ...service, ...key });
    expect(stdout).toContain(`its health is ${shown}\n`);
    await new Promise((resolve) => server.close(resolve));
  });

  test('works with a service that has searches and health alone, as the specification states them', async () => {
    const record = { id: 7, name: 'Acme', slug: 'acme', overview: 'Wallets', tags: ['DeFi'] };
    const server = createServer(({ url = '', headers }, response) => {
      const isHealth = url.startsWith('/api/health');
      if (isHealth) return response.end('{"status":"operational"}');
      if (!url.startsWith('/api/v1/search')) return response.writeHead(404).end('{"error":"Not found"}');
      if (!headers.authorization?.includes('bbb'))
        return response.writeHead(401).end('{"error":"Invalid or missing API key"}');
      const data = { results: [record], totalResults: 1, totalPages: 1 };
      return response.end(JSON.stringify({ success: true, data }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const service = { WEB3_BI_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
    const [good, bad] = ['b', 'a'].map((letter) => ({ WEB3_BI_API_KEY: `mk_${letter.repeat(49)}` }));
    const run = (words: string[], key = good) => runProgram(words, { ...state, ...service, ...key });
    expect(await run(['search', 'acme', '--type', 'companies'])).toEqual({
      code: 0,
      stdout: 'Acme  [companies/acme]\n',
      stderr: '1 found, page 1 of 1\n',
    });
    expect((await run(['get', 'companies/acme'])).stderr).toBe(
      'web3-bi: The service at this address has no single records: try web3-bi search acme.\n',
    );
    expect((await run(['aggregate', 'rounds', '--group-by', 'year'])).stderr).toBe(
      'web3-bi: The service at this address has no aggregates.\n',
    );
    expect(await run(['doctor'])).toMatchObject({ code: 0, stdout: expect.stringMatching(/key: \S+ is accepted\n/) });
    expect(await run(['doctor'], bad)).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('fault  key: Invalid or missing API key\n'),
    });
    await new Promise((resolve) => server.close(resolve));
  });

  test('needs no account and no key, and reads none that an earlier version left', async () => {
    const own = temporaryFolder();
    const left = join(own.path, 'embedded-key');
    writeFileSync(left, 'not a key');
    const environment = { WEB3_BI_STATE_DIR: own.path };
    expect((await runProgram(['search', 'coinbase'], environment)).code).toBe(0);
    expect((await runProgram(['key', 'list', '--json'], environment)).stdout).toBe('[]\n');
    expect((await runProgram(['account', 'list', '--json'], environment)).stdout).toBe('[]\n');
    expect([readFileSync(left, 'utf8'), readdirSync(own.path).filter((name) => name.includes('key'))]).toEqual([
      'not a key',
      ['embedded-key'],
    ]);
    own.remove();
  });
});

describe('web3-bi serve, key, account and doctor', () => {
  const database = `sqlite:${join(folder.path, 'served.db')}`;
  let service: Running;
  let created: { id: number; key: string };
  beforeAll(async () => {
    service = await startProgram(['serve', '--port', '0', '--database', database, '--data', 'none']);
  });
  afterAll(() => service.stop());
  const ask = (key: string) =>
    fetch(`${service.url}/api/v1/companies`, { headers: { Authorization: `Bearer ${key}` } });

  test('a key made while the service runs is accepted at once', async () => {
    const words = [
      'key',
      'create',
      '--account',
      'acme',
      '--plan',
      'api_access',
      '--name',
      'laptop',
      '--level',
      'write',
      '--json',
      '--database',
      database,
      '--data',
      'none',
    ];
    const { code, stdout } = await runProgram(words);
    expect(code).toBe(0);
    created = JSON.parse(stdout);
    expect(created).toMatchObject({
      id: 1,
      key: expect.stringMatching(/^mk_/),
      name: 'laptop',
      level: 'write',
      account: 'acme',
    });
    expect((await ask(created.key)).status).toBe(200);
  });

  test('a key for an account that does not exist needs a plan', async () => {
    const { code, stderr } = await runProgram([
      'key',
      'create',
      '--account',
      'nobody',
      '--name',
      'x',
      '--database',
      database,
      '--data',
      'none',
    ]);
    expect([code, stderr]).toEqual([
      1,
      'web3-bi: There is no account nobody; add --plan to make it. To list the accounts: web3-bi account list\n',
    ]);
  });

  test('doctor finds nothing wrong with it, and says what is wrong with another', async () => {
    const environment = { WEB3_BI_BASE_URL: service.url, WEB3_BI_API_KEY: created.key };
    const well = await runProgram(['doctor', '--json'], environment);
    expect([well.code, JSON.parse(well.stdout)]).toMatchObject([
      0,
      { ok: true, findings: [{ check: 'service' }, { check: 'clock' }, { check: 'key' }] },
    ]);
    const ill = await runProgram(['doctor'], { ...environment, WEB3_BI_API_KEY: `mk_${'a'.repeat(49)}` });
    expect([ill.code, ill.stdout]).toEqual([1, expect.stringMatching(/fault {2}key: .+\n {7}fix: make a new key/)]);
    const down = await runProgram(['doctor'], { WEB3_BI_BASE_URL: 'http://127.0.0.1:1' });
    expect([down.code, down.stdout]).toEqual([
      1,
      expect.stringMatching(/fault {2}service: .+\n {7}fix: check WEB3_BI_BASE_URL/),
    ]);
  });

  test('doctor says all that is wrong with a wallet', async () => {
    const { code, stdout } = await runProgram(['doctor'], {
      WEB3_BI_ACCESS: 'wallet',
      WEB3_BI_WALLET_KEY_FILE: '/none',
    });
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^fault {2}service: a wallet is set, .+\n {7}fix: set WEB3_BI_BASE_URL\nfault {2}wallet: .+/,
    );
  });

  test('doctor says how old the data is, and of when the newest funding round', async () => {
    const { stdout } = await runProgram(['doctor'], state);
    const [, day = ''] = /data: \d+ days old, with funding rounds to (\d{4}-\d\d-\d\d);/.exec(stdout) ?? [];
    const newest = await runProgram(['search', '--type', 'rounds', '--from', day, '--json'], state);
    const { results } = JSON.parse(newest.stdout) as { results: { stage: string | null; announced_date: string }[] };
    expect(results.some((round) => round.stage !== 'grant' && round.announced_date === day)).toBe(true);
    expect(results.some((round) => round.stage !== 'grant' && round.announced_date > day)).toBe(false);
  });

  test.each([
    ['search', 'x', 'Invalid or missing API key'],
    ['get', 'companies/x', 'Invalid API key'],
  ])('%s says where to set a key for a service that wants one, or another one', async (command, text, invalid) => {
    const none = await runProgram([command, text, '--base-url', service.url], state);
    expect(none).toEqual({
      code: 1,
      stdout: '',
      stderr: `web3-bi: ${service.url} needs a credential, and none is configured; set WEB3_BI_API_KEY to a key (mk_...), or make a wallet (web3-bi wallet new), or unset WEB3_BI_BASE_URL.\n`,
    });
    const wrong = { ...state, WEB3_BI_BASE_URL: service.url, WEB3_BI_API_KEY: `mk_${'a'.repeat(49)}` };
    expect((await runProgram([command, text], wrong)).stderr).toBe(
      `web3-bi: ${invalid}; make a new key on the service and set WEB3_BI_API_KEY to it.\n`,
    );
  });

  test('a list of companies like another, of a service that is asked once, is without that one, too', async () => {
    const headers = { Authorization: `Bearer ${created.key}`, 'Content-Type': 'application/json' };
    for (const name of ['Likeone', 'Liketwo']) {
      const body = JSON.stringify({ name, tags: ['DEX', 'Lending'], chains: ['Base'] });
      expect((await fetch(`${service.url}/api/v1/companies`, { method: 'POST', headers, body })).status).toBe(201);
    }
    const remote = { ...state, WEB3_BI_BASE_URL: service.url, WEB3_BI_API_KEY: created.key };
    const { stdout, stderr } = await runProgram(['search', 'alternatives to Likeone'], remote);
    expect(stdout).toMatch(/^Liketwo /);
    expect(stderr).toMatch(/^1 found.*\nRead as companies similar to Likeone\.\n$/);
  });

  test('lists show keys and accounts without secrets', async () => {
    const keys = await runProgram(['key', 'list', '--database', database]);
    expect(keys.stdout).toMatch(/ID +ACCOUNT.+\n1 +acme +laptop +write +mk_\w{4}…\w{4} .+active\n$/);
    expect(keys.stdout).not.toContain(created.key);
    const accounts = await runProgram([
      'account',
      'set-plan',
      '--name',
      'acme',
      '--plan',
      'enterprise',
      '--database',
      database,
    ]);
    expect(accounts.stdout).toMatch(/1 +acme +Enterprise/);
  });

  test('a revoked key is refused at once', async () => {
    const { code, stdout } = await runProgram(['key', 'revoke', '1', '--database', database]);
    expect([code, stdout]).toEqual([0, 'Key 1 (laptop) is revoked.\n']);
    expect((await ask(created.key)).status).toBe(401);
  });

  test('a port that is taken is said in one line', async () => {
    const { port } = new URL(service.url);
    const { code, stderr } = await runProcess([
      'serve',
      '--port',
      port,
      '--database',
      'sqlite::memory:',
      '--data',
      'none',
    ]);
    expect([code, stderr]).toEqual([
      1,
      `web3-bi: The port ${port} of 127.0.0.1 is in use (EADDRINUSE); --port 0 takes a free one.\n`,
    ]);
  });

  test('ends cleanly when it is told to', async () => {
    const other = await startProgram(['serve', '--port', '0', '--database', 'sqlite::memory:', '--data', 'none']);
    expect((await fetch(`${other.url}/api/health`)).status).toBe(200);
    expect(await other.stop()).toBe(0);
  });
});

describe('web3-bi audit', () => {
  test('shows what an import changed, the newest first, with the states in JSON', async () => {
    const own = temporaryFolder();
    const environment = { WEB3_BI_STATE_DIR: own.path, WEB3_BI_DATA: 'none' };
    const line = (tagline: string) => JSON.stringify({ name: 'Audited', slug: 'audited', tagline });
    for (const tagline of ['One', 'Two']) {
      await runProgram(['import', '-', '--type', 'companies', '--format', 'ndjson'], environment, line(tagline));
    }
    const table = await runProgram(['audit'], environment);
    expect(table.stdout.split('\n')[1]).toMatch(/^2 .*operator +- +import +companies 1 audited +tagline +-/);
    const json = await runProgram(
      ['audit', '--type', 'companies', '--record', '1', '--limit', '1', '--json'],
      environment,
    );
    const [entry] = JSON.parse(json.stdout) as any[];
    expect([entry.before.tagline, entry.after.tagline]).toEqual(['One', 'Two']);
    const wrong = await runProgram(['audit', '--record', 'x'], environment);
    expect([wrong.code, wrong.stderr]).toEqual([2, 'web3-bi: --record must be a whole number from 1.\n']);
    const plain = JSON.stringify({ name: 'Plain', slug: 'plain' });
    await runProgram(['import', '-', '--type', 'companies', '--format', 'ndjson'], environment, plain);
    const sources = await runProgram(['get', 'companies/plain', '--sources'], environment);
    expect([sources.stdout, sources.stderr]).toEqual([
      'Plain  [companies/plain]\n',
      'No source is on record for its fields.\n',
    ]);
    own.remove();
  });
});
