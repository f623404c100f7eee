import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStore } from '../../src/store/open.ts';
import { aCompany } from '../support/builders.ts';
import { runProgram, startProgram, temporaryFolder } from '../support/program.ts';
import { buildWriter, startWriter } from '../support/writer.ts';

const folder = temporaryFolder();
const database = join(folder.path, 'live.db');
const url = `sqlite:${database}`;
const targets = join(folder.path, 'backups');
const backUp = (...words: string[]) => runProgram(['backup', ...words, '--database', url, '--data', 'none']);
const target = (name: string): string => join(targets, name);

beforeAll(async () => {
  mkdirSync(targets);
  const store = await openStore(url);
  await store.records.putAll([aCompany({ name: 'Before' })]);
  await store.close();
});
afterAll(() => folder.remove());

describe('web3-bi backup', () => {
  test('copies a database that another process writes to, with everything acknowledged before', async () => {
    const writer = startWriter(buildWriter(), { url, name: 'busy' });
    await writer.more(20);
    const before = [...writer.lines];
    const { code, stdout, stderr } = await backUp(target('busy.db'), '--json');
    await writer.more(1);
    await writer.kill();
    expect([code, stderr]).toEqual([0, '']);
    const report = JSON.parse(stdout) as { file: string; bytes: number; rows: Record<string, number> };
    expect(report).toMatchObject({ file: target('busy.db'), bytes: statSync(target('busy.db')).size });
    const copy = await openStore(`sqlite:${target('busy.db')}`);
    const slugs: string[] = [];
    for await (const json of copy.records.walk('companies')) slugs.push((JSON.parse(json) as { slug: string }).slug);
    const found = await copy.records.search({ types: ['companies'], text: 'busy', window: { offset: 0, limit: 1 } });
    await copy.close();
    expect(before.filter((slug) => !slugs.includes(slug))).toEqual([]);
    expect([slugs.length, found.total]).toEqual([report.rows['companies'], slugs.length - 1]);
  });

  test('is restored by serving the file: records and keys are there', async () => {
    const words = ['key', 'create', '--account', 'acme', '--plan', 'api_access', '--name', 'laptop', '--json'];
    const made = await runProgram([...words, '--database', url, '--data', 'none']);
    const { key } = JSON.parse(made.stdout) as { key: string };
    const { code, stdout } = await backUp(target('restored.db'));
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/restored\.db is a verified copy: \d+ companies, .+ 1 account, 1 key, [\d,]+ bytes\.\n$/),
    ]);
    const served = await startProgram([
      'serve',
      '--port',
      '0',
      '--data',
      'none',
      '--database',
      `sqlite:${target('restored.db')}`,
    ]);
    const response = await fetch(`${served.url}/api/v1/companies/before`, {
      headers: { Authorization: `Bearer ${key}` },
    });
    expect([response.status, await response.json()]).toMatchObject([200, { data: { name: 'Before' } }]);
    expect(await served.stop()).toBe(0);
  });

  test('is one file that only its owner can read, and leaves nothing beside it', async () => {
    expect((await backUp(target('alone.db'))).code).toBe(0);
    expect(statSync(target('alone.db')).mode & 0o777).toBe(0o600);
    expect(readdirSync(targets).filter((name) => name.startsWith('alone.db'))).toEqual(['alone.db']);
  });

  test('does not replace a file unless it is told to', async () => {
    const file = target('kept.db');
    writeFileSync(file, 'precious');
    const refused = await backUp(file);
    expect(refused).toEqual({
      code: 1,
      stdout: '',
      stderr: `web3-bi: ${file} exists already; choose another file, or replace it with --force.\n`,
    });
    expect(readFileSync(file, 'utf8')).toBe('precious');
    expect((await backUp(file, '--force')).code).toBe(0);
    expect(readFileSync(file, 'latin1').startsWith('SQLite format 3')).toBe(true);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test.each([
    ['the database itself', () => database, 'belongs to the database itself'],
    ['its log', () => `${database}-wal`, 'belongs to the database itself'],
    ['its counts', () => `${database}-counts`, 'belongs to the database itself'],
    ['a folder', () => targets, 'is not a file'],
    ['a database in use', () => inUse(), 'is a database in use'],
    ['a folder that is not there', () => join(targets, 'no', 'where.db'), 'cannot be written (ENOENT)'],
  ])('never replaces %s, even when it is told to', async (_what, file, fault) => {
    const { code, stderr } = await backUp(file(), '--force');
    expect([code, stderr]).toEqual([1, expect.stringContaining(fault)]);
    expect(stderr.split('\n')).toHaveLength(2);
    const left = readdirSync(targets).filter((name) => name.includes('.partial'));
    expect([existsSync(database), left]).toEqual([true, []]);
  });

  test('makes no database where there is none to copy', async () => {
    const missing = join(folder.path, 'missing.db');
    const words = ['backup', target('x.db'), '--database', `sqlite:${missing}`];
    expect(await runProgram(words)).toEqual({
      code: 1,
      stdout: '',
      stderr: `web3-bi: There is no database sqlite:${missing}; correct --database or WEB3_BI_DATABASE_URL; serve and import create a new one.\n`,
    });
    expect([existsSync(missing), existsSync(target('x.db'))]).toEqual([false, false]);
  });

  test('refuses a database in memory, and to go without a file', async () => {
    const memory = await runProgram(['backup', target('x.db'), '--database', 'sqlite::memory:']);
    expect([memory.code, memory.stderr]).toEqual([1, expect.stringContaining('sqlite::memory: is gone')]);
    const nameless = await backUp();
    expect([nameless.code, nameless.stderr]).toEqual([2, expect.stringContaining('backup needs a FILE')]);
  });

  test('keeps no copy of a database that is damaged', async () => {
    const damaged = join(folder.path, 'damaged.db');
    copyFileSync(target('alone.db'), damaged);
    const bytes = readFileSync(damaged);
    // The middle of the file, so that it opens and only a look at all of it finds the fault.
    bytes.fill(0xaa, Math.floor(bytes.length / 2), Math.floor(bytes.length / 2) + 4 * 4_096);
    writeFileSync(damaged, bytes);
    const { code, stderr } = await runProgram([
      'backup',
      target('bad.db'),
      '--database',
      `sqlite:${damaged}`,
      '--data',
      'none',
    ]);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^web3-bi: .+\n$/)]);
    expect(readdirSync(targets).filter((name) => name.startsWith(basename('bad.db')))).toEqual([]);
  });
});

/** A file beside which there is the log of an open database. */
function inUse(): string {
  const file = target('used.db');
  writeFileSync(`${file}-wal`, 'log');
  return file;
}
