import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openSession } from '../support/mcp-clients.ts';
import { findNode24 } from '../support/node-24.ts';
import { bareEnvironment, type Ended, PROGRAM, runProcess, temporaryFolder } from '../support/program.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());
const state = { WEB3_BI_STATE_DIR: join(folder.path, 'state') };
const ROOT = join(dirname(PROGRAM), '..');
const PREBUILDS = join('node_modules', 'better-sqlite3', 'prebuilds');
/** What is shipped runs on what people install. */
const node = findNode24();

/** The package as it is installed, with no binding for this platform. */
function installed(name: string): string {
  const target = join(folder.path, name);
  const isLeftOut = (path: string): boolean => /\.db$|[\\/](docs|pages|deps|src)$/.test(path);
  for (const path of ['dist', 'package.json', join('node_modules', 'better-sqlite3')])
    cpSync(join(ROOT, path), join(target, path), { recursive: true, filter: (from) => !isLeftOut(from) });
  rmSync(join(target, PREBUILDS), { recursive: true });
  return target;
}

const { platform, arch } = process;
const FIX = 'install web3-bi-mcp again with the Node.js that runs it';

test('a binding that is missing is named with its remedy, by every command, doctor and over MCP', async () => {
  const program = join(installed('bare'), 'dist', 'main.js');
  const [list, search, doctor] = (await Promise.all(
    [['key', 'list'], ['search', 'x'], ['doctor']].map((words) => runProcess(words, state, '', { program, node })),
  )) as [Ended, Ended, Ended];
  const fault = `SQLite cannot be loaded: better-sqlite3 has no binding for ${platform}-${arch}`;
  expect(list).toEqual({ code: 1, stdout: '', stderr: expect.stringContaining(`web3-bi: ${fault}; ${FIX}`) });
  expect(list.stderr.split('\n')).toHaveLength(2);
  expect(search).toEqual(list);
  expect([doctor.code, doctor.stdout]).toEqual([1, expect.stringContaining(`database: ${fault}\n       fix: ${FIX}`)]);
  const session = await openSession({
    command: node,
    args: [program, 'mcp'],
    env: bareEnvironment(state),
  });
  const { isError, content } = await session.call('search', { query: 'x' });
  await session.close();
  expect([isError, content[0].text]).toEqual([true, expect.stringContaining(`${fault}. (unavailable)`)]);
  expect(content[0].text).toContain(`Retrying will not help: ask the person to ${FIX}`);
});

test('a binding that does not load is named as that', async () => {
  const place = installed('other');
  cpSync(join(ROOT, PREBUILDS), join(place, PREBUILDS), { recursive: true });
  for (const libc of ['', 'musl'])
    writeFileSync(join(place, PREBUILDS, `${platform}${libc}-${arch}.node`), 'of another machine');
  const { code, stderr } = await runProcess(['audit'], state, '', { program: join(place, 'dist', 'main.js'), node });
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/the binding of better-sqlite3 is not for Node\.js v\S+ on \S+; install web3-bi-mcp again/),
  ]);
});
