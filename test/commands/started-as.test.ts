import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { inHost, programHere } from '../../src/commands/started-as.ts';
import { bareEnvironment, PROGRAM, runInTerminal, temporaryFolder } from '../support/program.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const folder = temporaryFolder();
afterAll(() => folder.remove());
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});
const bin = join(folder.path, 'node_modules', '.bin');
mkdirSync(bin, { recursive: true });
symlinkSync(PROGRAM, join(bin, 'web3-bi-mcp'));

const said = (program: string, more: Record<string, string>): string =>
  spawnSync(process.execPath, [program, 'bogus'], { cwd: ROOT, env: bareEnvironment(more), encoding: 'utf8' }).stderr;

test.each([
  ['from a checkout', PROGRAM, {}, 'node dist/main.js'],
  ['by npx', join(bin, 'web3-bi-mcp'), { npm_command: 'exec' }, 'npx web3-bi-mcp'],
  ['from the packages of a folder', join(bin, 'web3-bi-mcp'), {}, 'npx web3-bi-mcp'],
  ['from the search path', join(bin, 'web3-bi-mcp'), { PATH: bin }, 'web3-bi-mcp'],
])('commands that are shown begin as the program was started, %s', (_how, program, more, name) => {
  expect(said(program, more)).toBe(
    `web3-bi: bogus is not a command. ${name} --help lists them; ${name} search bogus searches the records.\n`,
  );
});

test.each([
  ['of a checkout', PROGRAM, `node "$PWD/dist/main.js"`],
  ['of a checkout elsewhere', '/opt/web3-bi/dist/main.js', 'node /opt/web3-bi/dist/main.js'],
  ['of the package', join(bin, 'web3-bi-mcp'), 'npx -y web3-bi-mcp'],
])('a host is told to start the program %s', (_where, program, command) => {
  vi.spyOn(process, 'argv', 'get').mockReturnValue([process.execPath, program]);
  vi.stubEnv('npm_command', undefined);
  expect(inHost()).toBe(command);
});

test.each([
  ['of a checkout', PROGRAM, undefined, ['node', PROGRAM]],
  ['of a packed package', join(bin, 'web3-bi-mcp'), undefined, ['node', PROGRAM]],
  ['of a packed package, by npx', join(bin, 'web3-bi-mcp'), 'exec', ['node', PROGRAM]],
  ['of the search path', join(bin, 'web3-bi-mcp'), bin, ['web3-bi-mcp']],
])('pages of its machine start the program %s', (_where, program, given, words) => {
  vi.spyOn(process, 'argv', 'get').mockReturnValue([process.execPath, program]);
  vi.stubEnv('npm_command', given === 'exec' ? given : undefined);
  if (given === bin) vi.stubEnv('PATH', bin);
  expect(programHere()).toEqual(words);
});

test('mcp tells a person in a terminal that a host starts it', async () => {
  const { stdout } = await runInTerminal(['mcp'], { WEB3_BI_STATE_DIR: folder.path, WEB3_BI_DATA: 'none' }, '\u0004');
  expect(stdout.replaceAll('\n', ' ')).toContain('This is an MCP server on stdio, for a host to start: see https://');
});
