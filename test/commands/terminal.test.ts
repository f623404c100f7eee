import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ndjson } from '../support/importing.ts';
import {
  bareEnvironment,
  PROGRAM,
  runAsInTerminal,
  runInTerminal,
  runProgram,
  temporaryFolder,
} from '../support/program.ts';

const folder = temporaryFolder();
const state = { WEB3_BI_STATE_DIR: folder.path, WEB3_BI_DATA: 'none' };
afterAll(() => folder.remove());

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one.
const COLOURS = /\u001b\[\d+m/g;
const plain = (text: string): string => text.replace(COLOURS, '');
const LONG = 'a long line about what this company does '.repeat(5).trim();

beforeAll(async () => {
  const rows = ndjson({ name: 'Acme', tagline: LONG }, { name: 'Acme Two' });
  await runProgram(['import', '-', '--type', 'companies'], state, rows);
  const create = ['key', 'create', '--account', 'a customer with a long name', '--plan', 'api_access'];
  for (const name of ['kept', 'ended']) await runProgram([...create, '--name', name], state);
});

describe('in a terminal', () => {
  test('answers have colours, unless they are turned off, and a pipe has them only when they are turned on', async () => {
    const words = ['search', 'acme'];
    const [coloured, wide, off, dumb, piped, forced] = await Promise.all([
      runInTerminal(words, state),
      runAsInTerminal(words, state, '', 120),
      runAsInTerminal(words, { ...state, NO_COLOR: '1' }),
      runAsInTerminal(words, { ...state, TERM: 'dumb' }),
      runProgram(words, state),
      runProgram(words, { ...state, FORCE_COLOR: '1' }),
    ]);
    expect(coloured.stdout).toContain('\u001b[1mNAME      SLUG ');
    expect(plain(coloured.stdout)).toMatch(/\nAcme {6}acme {10}- {8}-\nAcme Two {2}acme-two {6}- {8}-\n/);
    expect(plain(wide.stdout)).toMatch(/\nAcme {6}acme {6}a long line [^\n]*…\nAcme Two {2}acme-two {2}-\n/);
    for (const { stdout } of [off, dumb, piped]) expect(stdout).not.toMatch(COLOURS);
    expect(piped.stdout).toContain(`    ${LONG}\n`);
    expect(forced.stdout).toContain('\u001b[1mAcme\u001b[22m');
  });

  test('times are relative or short, and tables as wide as the terminal; in a pipe both are whole', async () => {
    const [accounts, list, audit, piped] = await Promise.all([
      runAsInTerminal(['account', 'list'], state),
      runAsInTerminal(['key', 'list'], state),
      runAsInTerminal(['audit'], state),
      runProgram(['audit'], state),
    ]);
    for (const { stdout } of [list, audit]) {
      const lines = plain(stdout).trimEnd().split('\n');
      expect(lines.filter((line) => line.length > 80)).toEqual([]);
      expect(lines.length).toBeGreaterThan(2);
    }
    expect(plain(list.stdout)).toMatch(/^ID {2}ACCOUNT/);
    expect(plain(list.stdout)).toContain('…');
    expect(plain(accounts.stdout)).toMatch(/(just now|minutes? ago)\n/);
    expect(plain(audit.stdout)).toMatch(/^ENTRY {2}AT .*\n +\d+ {2}(just now|\d+ minutes? ago) {2}/);
    expect(piped.stdout).toMatch(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/);
  });

  test.each([
    [['audit'], /^ENTRY {2}AT .* {2}ACTION .* {2}TARGET\n.*import +companies 2\n/s],
    [['data'], /^SET .* {2}COMPANIES .* {2}ROUNDS {2}GRANTS\n(.* [\d,]+(\n|$))+$/],
    [['sync'], /^SOURCE .* {2}AS OF .*\n.* {2}\d{4}-\d\d-\d\d {2}/],
  ])('a narrow table leaves out columns rather than cut what is read: %s', async (words, wanted) => {
    const { stdout } = await runAsInTerminal(words, { ...state, NO_COLOR: '1' }, '', 60);
    const [table = ''] = stdout.split(/\n(?=SYNCED|web3-bi|node)/);
    expect(table).toMatch(wanted);
    expect(table.split('\n').filter((line) => line.length > 60)).toEqual([]);
  });

  test('sentences are wrapped, and in a pipe whole', async () => {
    const file = join(folder.path, 'two.csv');
    writeFileSync(file, 'name,website\nVoyager,voyager.example\nVoyager,other.example\nBad,javascript:x\n');
    const taking = ['import', file, '--type', 'companies', '--dry-run'];
    const copy = join(folder.path, 'a-folder-with-a-long-name');
    const shown = await Promise.all([
      runAsInTerminal(taking, state),
      runAsInTerminal(['backup', `${copy}.db`], state),
      runAsInTerminal(['doctor'], state),
      runAsInTerminal(['duplicates'], state),
      runAsInTerminal(['account', 'set-plan', 'nobody', 'none'], state),
    ]);
    // What is copied and the name of a file are never broken; a line of progress is overwritten.
    const lines = shown.flatMap(({ stdout }) => plain(stdout).split('\n')).filter((line) => !/\/s\b/.test(line));
    expect(lines.filter((line) => line.length > 80 && !line.includes(folder.path))).toEqual([]);
    expect((await runProgram(['backup', `${copy}-2.db`], state)).stdout.trimEnd().split('\n')).toHaveLength(1);
  });

  test('JSON is laid out and coloured, and in a pipe one line', async () => {
    const words = ['search', 'acme', '--json', '--limit', '1', '--fields', 'website'];
    const [shown, piped] = await Promise.all([runAsInTerminal(words, state), runProgram(words, state)]);
    expect(shown.stdout).toContain('\u001b[36m"totalResults"\u001b[39m: \u001b[33m2\u001b[39m');
    expect(JSON.parse(plain(shown.stdout))).toEqual(JSON.parse(piped.stdout));
    expect([plain(shown.stdout).split('\n').length > 10, piped.stdout.trimEnd().split('\n').length]).toEqual([true, 1]);
  });

  test('CSV and JSON show what would steer the terminal as escapes, and in a pipe are exact', async () => {
    const other = temporaryFolder();
    const own = { ...state, WEB3_BI_STATE_DIR: other.path, NO_COLOR: '1' };
    const name = 'Steering \u001b]0;title\u0007\u009b2J\u202e\r';
    await runProgram(['import', '-', '--type', 'companies'], own, ndjson({ name, tagline: `${name}it` }));
    for (const words of [
      ['search', 'steering', '--csv'],
      ['search', 'steering', '--json'],
      ['export', '--type', 'companies', '--format', 'csv'],
      ['export', '--type', 'companies', '--format', 'json'],
      ['export', '--type', 'companies', '--format', 'ndjson'],
    ]) {
      const [shown, piped] = await Promise.all([runInTerminal(words, own), runProgram(words, own)]);
      expect(shown.stdout).toContain('\\u001b]0;title\\u0007\\u009b2J\\u202e');
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not come.
      expect(shown.stdout).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
      expect(piped.stdout).toContain(words.includes('csv') || words.includes('--csv') ? name.trim() : '\u009b2J\u202e');
    }
    other.remove();
  });

  test('what ends a key or drops records is asked first, and done only for a yes', async () => {
    const [no, nothing] = await Promise.all([
      runInTerminal(['key', 'revoke', '2'], state, 'n\n'),
      runAsInTerminal(['data', 'drop'], state, ''),
    ]);
    expect([no.code, plain(no.stdout)]).toEqual([
      1,
      expect.stringContaining('Revoke key 2 (ended, read) of a customer with a long name?'),
    ]);
    expect([nothing.code, plain(nothing.stdout)]).toEqual([1, expect.stringContaining('[y/N] ')]);
    for (const { stdout } of [no, nothing]) expect(plain(stdout)).toMatch(/web3-bi: Nothing is changed\.\n$/);
    const yes = await runAsInTerminal(['key', 'revoke', '2'], state, 'y\n');
    expect([yes.code, plain(yes.stdout)]).toEqual([0, expect.stringMatching(/Key 2 \(ended\) is revoked\.\n$/)]);
    const unasked = await runAsInTerminal(['key', 'revoke', '1', '--yes'], state);
    expect([unasked.code, plain(unasked.stdout)]).toEqual([0, 'Key 1 (kept) is revoked.\n']);
    // When is not cut, but other columns are left out.
    const { stdout } = await runAsInTerminal(['key', 'list'], state);
    expect(plain(stdout)).toMatch(
      /^ID {2}ACCOUNT .* {2}STATUS *\n( *\d {2}.* {2}revoked (just now|\d+ \w+ ago) *\n){2}$/,
    );
  });

  test('the bar of an import moves with its rows, and never says a time that it does not know', async () => {
    const file = join(folder.path, 'many.ndjson');
    const rows = Array.from({ length: 2_500 }, (_, index) => ({ name: `Company ${index}`, overview: LONG }));
    writeFileSync(file, ndjson(...rows));
    const { stdout } = await runInTerminal(['import', file, '--type', 'companies'], { ...state, NO_COLOR: '1' });
    const shown = [...stdout.matchAll(/ (\d+)% \| (\d+) rows/g)].map((match) => Number(match[1]));
    expect(stdout).not.toMatch(/NF|NaN|Infinity/);
    expect(new Set(shown).size).toBeGreaterThan(2);
    expect(stdout).toContain('Of 2,500 rows, 2,500 created');
  });

  test('data add shows one line with how many records it has read, and a summary', async () => {
    const own = temporaryFolder();
    const environment = { WEB3_BI_STATE_DIR: own.path, WEB3_BI_DATA: 'none', NO_COLOR: '1' };
    const { code, stdout } = await runAsInTerminal(['data', 'add', 'privacy'], environment);
    own.remove();
    expect([code, stdout]).toEqual([0, expect.stringMatching(/ \d+% \| \d+ of (\d+) records[\s\S]*\n?.*\1 created, /)]);
    expect(new Set(stdout.match(/ \d+% \| /g)).size).toBeGreaterThan(1);
  });

  test('serve shows its addresses and a line for each request, and Ctrl-C stops it', async () => {
    const words = `exec '${process.execPath}' '${PROGRAM}' serve --port 0 --host 0.0.0.0 --database sqlite::memory:`;
    const env = bareEnvironment({ ...state, TERM: 'xterm', NO_COLOR: '1' });
    const terminal = spawn('script', ['--quiet', '--return', '--command', words, '/dev/null'], { env });
    let shown = '';
    const until = async (wanted: RegExp): Promise<string> => {
      while (!wanted.test(shown)) shown += String((await once(terminal.stdout, 'data'))[0]);
      return wanted.exec(shown)?.[1] ?? '';
    };
    const url = await until(/MCP +(http:\S+)\/mcp\r\n[\s\S]*Ctrl-C/);
    expect(shown).toMatch(new RegExp(`Records .*\\r\\nPayments .*\\r\\nFirst owner +${url}/account/invitation/`));
    // Of a service on every interface, an address that a browser finds.
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:/);
    expect(shown).toContain('Other machines reach it');
    await fetch(`${url}/api/health`);
    await until(/(\d\d:\d\d:\d\d 200 GET +\/api\/health \d+ ms)\r\n/);
    terminal.stdin.write('\u0003');
    await until(/(Stopping)/);
    expect((await once(terminal, 'exit'))[0]).toBe(0);
  });

  test('sandbox shows commands and settings whole, and its addresses instead of the line for programs', async () => {
    const words = `stty cols 80; exec '${process.execPath}' '${PROGRAM}' sandbox --port 0 --data none`;
    const env = bareEnvironment({ ...state, TERM: 'xterm', NO_COLOR: '1' });
    const terminal = spawn('script', ['--quiet', '--return', '--command', words, '/dev/null'], { env });
    let shown = '';
    while (!shown.includes('Ctrl-C')) shown += String((await once(terminal.stdout, 'data'))[0]);
    terminal.stdin.write('\u0003');
    expect((await once(terminal, 'exit'))[0]).toBe(0);
    expect(shown).toMatch(/\r\n {3}curl -i 'http:\S+' -H 'PAYMENT-SIGNATURE: [\w+/=]+'\r\n/);
    expect(shown).toMatch(/\r\n {6}"command": /);
    expect(shown).toMatch(
      /\r\nPages +http:[\s\S]+ on Base Sepolia \(test\s+money\)\r\n[\s\S]*API key +mk_\w+\r\nWallet /,
    );
    expect(shown).not.toContain('"event"');
  });

  test('migrate shows one line that is written over, and a summary', async () => {
    const [from, to] = ['web3-bi.db', 'moved.db'].map((name) => `sqlite:${join(folder.path, name)}`);
    const { code, stdout } = await runAsInTerminal(['migrate', '--from', `${from}`, '--to', `${to}`]);
    const lines = stdout.trimEnd().split('\n');
    expect([code, lines.length, lines[0]]).toEqual([
      0,
      1,
      expect.stringMatching(/\d+ rows of \d+ tables are the same in both databases\.$/),
    ]);
  });
});
