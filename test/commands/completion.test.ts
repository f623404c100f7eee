import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { bareEnvironment, PROGRAM, runProgram, temporaryFolder } from '../support/program.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

/** How each shell is asked what may follow a line, with the script in $1. */
const ASKED: Readonly<Record<string, (line: string) => string>> = {
  bash: (line) =>
    `source "$1"; COMP_WORDS=(${line.replace(/ $/, " ''")}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _web3_bi; printf '%s\\n' "\${COMPREPLY[@]}"`,
  // Only a person at a prompt can press its key; what it offers is asked of the function behind that.
  zsh: (line) =>
    `autoload -Uz compinit; compinit -u -D; source "$1"; [[ $_comps[web3-bi] == _web3_bi ]] || exit 1; words=(${line}); _web3_bi_words \${words[2,-1]}`,
  fish: (line) => `source $argv[1]; complete -C "${line}"`,
};

const isHere = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0;

function complete(shell: string, file: string, line: string): string[] {
  const words = shell === 'bash' ? ['bash', file] : shell === 'zsh' ? ['zsh', file] : [file];
  const script = ASKED[shell]?.(line) ?? '';
  const shown = execFileSync(shell, ['-c', script, ...words], {
    env: bareEnvironment(),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return shown.split('\n').flatMap((found) => found.split('\t')[0]?.trim() || []);
}

test.each(Object.keys(ASKED).filter(isHere))(
  '%s completes commands, actions, flags and their values',
  async (shell) => {
    const { code, stdout } = await runProgram(['completion', shell]);
    const file = join(folder.path, shell);
    writeFileSync(file, stdout);
    expect(code).toBe(0);
    expect(complete(shell, file, 'web3-bi ')).toEqual(expect.arrayContaining(['search', 'serve', 'key', 'completion']));
    expect(
      complete(shell, file, 'web3-bi key ')
        .filter((word) => !word.startsWith('-'))
        .sort(),
    ).toEqual(['create', 'list', 'revoke', 'rotate']);
    const flags = complete(shell, file, 'web3-bi key create --').filter((word) => word.startsWith('--'));
    expect(flags).toEqual(expect.arrayContaining(['--account', '--level', '--database', '--json']));
    expect(complete(shell, file, 'web3-bi key create --level ').sort()).toEqual(['delete', 'read', 'write']);
    expect(complete(shell, file, 'web3-bi search --status ').sort()).toEqual(['acquired', 'active', 'closed']);
    const words = (line: string): string[] => complete(shell, file, line).filter((word) => !word.startsWith('-'));
    expect(words('web3-bi help key ').sort()).toEqual(['create', 'list', 'revoke', 'rotate']);
    expect(words('web3-bi data add ')).toEqual(['privacy']);
    expect(words('web3-bi search --tag ')).toEqual(expect.arrayContaining(['defi', 'wallet', 'zk', 'infrastructure']));
    expect(words('web3-bi connect ')).toContain('companies/');
  },
);

test('completion refuses a shell that it does not know', async () => {
  const { code, stderr } = await runProgram(['completion', 'bsh']);
  expect([code, stderr]).toEqual([2, 'web3-bi: completion needs one of bash, zsh, fish. Did you mean bash?\n']);
});

test('open prints the website of a record, the announcement of a round, and the page at a service', async () => {
  const state = { WEB3_BI_STATE_DIR: join(folder.path, 'state') };
  const site = await runProgram(['open', 'companies/uniswap'], state);
  const [unannounced, round, page, none] = await Promise.all([
    runProgram(['open', 'rounds/vaulta-initial-coin-offering-2018-06-01'], state),
    runProgram(['open', 'rounds/uniswap-series-b-2022-10-13'], state),
    runProgram(['open', 'companies/uniswap', '--page'], state),
    runProgram(['open', 'companies/no-such-company'], state),
  ]);
  expect([site.code, site.stdout]).toEqual([0, 'https://uniswap.org/\n']);
  expect(round.stdout).toMatch(/^https:\/\/\S+\n$/);
  expect([unannounced.code, unannounced.stderr]).toEqual([
    1,
    expect.stringContaining('No announcement of Vaulta ICO (2018) is known;'),
  ]);
  expect([page.code, page.stderr]).toEqual([1, expect.stringContaining('--page needs the service that has the page')]);
  expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('There is no companies/no-such-company')]);
});

test('a command whose reader has gone ends without a fault', () => {
  const words = 'set -o pipefail; "$@" | true';
  const shown = spawnSync('bash', ['-c', words, 'x', process.execPath, PROGRAM, 'completion', 'fish'], {
    env: bareEnvironment(),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  expect([shown.status, shown.stderr]).toEqual([0, '']);
});
