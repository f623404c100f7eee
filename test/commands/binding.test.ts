import { cpSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openSession } from '../support/mcp-clients.ts';
import { bareEnvironment, type Ended, PROGRAM, runProgram, temporaryFolder } from '../support/program.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());
const state = { WEB3_BI_STATE_DIR: join(folder.path, 'state') };
const ROOT = join(dirname(PROGRAM), '..');
/** What the program needs beside itself, as it is installed. */
const PACKAGES = ['better-sqlite3', 'bindings', 'file-uri-to-path'];

/** The package as an installation leaves it that ran no scripts: without anything native. */
function installed(name: string): string {
  const target = join(folder.path, name);
  const isLeftOut = (path: string): boolean => /\.node$|\.db$|[\\/](docs|pages|deps|obj)$/.test(path);
  const copy = (path: string): void =>
    cpSync(join(ROOT, path), join(target, path), { recursive: true, filter: (from) => !isLeftOut(from) });
  for (const path of ['dist', 'package.json', ...PACKAGES.map((each) => join('node_modules', each))]) copy(path);
  return target;
}

const FIX = 'run npm rebuild better-sqlite3 --ignore-scripts=false in the folder where web3-bi-mcp is installed';

test('a binding that is missing is named with its remedy, by every command, doctor and over MCP', async () => {
  const program = join(installed('bare'), 'dist', 'main.js');
  const [list, search, doctor] = (await Promise.all(
    [['key', 'list'], ['search', 'x'], ['doctor']].map((words) => runProgram(words, state, '', program)),
  )) as [Ended, Ended, Ended];
  const fault =
    'SQLite cannot be loaded: the binding of better-sqlite3 is missing, because its install script did not run';
  expect(list).toEqual({ code: 1, stdout: '', stderr: expect.stringContaining(`web3-bi: ${fault}; ${FIX}`) });
  expect(list.stderr.split('\n')).toHaveLength(2);
  expect(search).toEqual(list);
  expect([doctor.code, doctor.stdout]).toEqual([1, expect.stringContaining(`database: ${fault}\n       do: ${FIX}`)]);
  const session = await openSession({
    command: process.execPath,
    args: [program, 'mcp'],
    env: bareEnvironment(state),
  });
  const { isError, content } = await session.call('search', { query: 'x' });
  await session.close();
  expect([isError, content[0].text]).toEqual([true, expect.stringContaining(`${fault}. (unavailable)`)]);
  expect(content[0].text).toContain(`Retrying will not help: ask the person to ${FIX}`);
});

test('a binding of another Node.js is named as that', async () => {
  const place = installed('other');
  cpSync(
    join(ROOT, 'node_modules/better-sqlite3/build/Release'),
    join(place, 'node_modules/better-sqlite3/build/Release'),
    {
      recursive: true,
    },
  );
  writeFileSync(join(place, 'node_modules/better-sqlite3/build/Release/better_sqlite3.node'), 'of another machine');
  const { code, stderr } = await runProgram(['audit'], state, '', join(place, 'dist', 'main.js'));
  const { version, platform, arch } = process;
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining(
      `the binding of better-sqlite3 is not for Node.js ${version} on ${platform}-${arch}; ${FIX}`,
    ),
  ]);
});
