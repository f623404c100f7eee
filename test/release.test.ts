import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bareEnvironment, temporaryFolder } from './support/program.ts';

const ROOT = join(import.meta.dirname, '..');
const folder = temporaryFolder();
const copy = join(folder.path, 'checkout');
afterAll(() => folder.remove());

const person = { GIT_AUTHOR_NAME: 'test', GIT_AUTHOR_EMAIL: 'test@example.com' };
const env = bareEnvironment({
  ...person,
  GIT_COMMITTER_NAME: person.GIT_AUTHOR_NAME,
  GIT_COMMITTER_EMAIL: person.GIT_AUTHOR_EMAIL,
  HOME: folder.path,
});
const git = (...words: string[]): string => execFileSync('git', words, { cwd: copy, env, encoding: 'utf8' });
const textOf = (file: string): string => readFileSync(join(copy, file), 'utf8');

beforeAll(() => {
  const parts = ['src', 'docs', 'test/docs', 'test/mcp', 'package.json', 'package-lock.json', 'tsconfig.json'];
  for (const part of [...parts, 'README.md', 'CHANGELOG.md', 'manifest.json', 'server.json', '.gitignore'])
    cpSync(join(ROOT, part), join(copy, part), { recursive: true });
  for (const part of ['node_modules', 'data']) symlinkSync(join(ROOT, part), join(copy, part));
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'A checkout');
});

test('npm version makes a release: one number everywhere, its changes under it, a commit and a tag', () => {
  const release = (): ReturnType<typeof spawnSync> => spawnSync('npm', ['version', 'minor'], { cwd: copy, env });
  const { minor } = /^\d+\.(?<minor>\d+)/.exec(JSON.parse(textOf('package.json')).version)?.groups ?? {};
  const next = `0.${Number(minor) + 1}.0`;
  const before = textOf('CHANGELOG.md');
  const [change = ''] = /^- .*/m.exec(before) ?? [];

  const { status, stderr } = release();
  expect([status, String(stderr)]).toEqual([0, expect.not.stringContaining('rror')]);
  for (const file of ['package.json', 'package-lock.json', 'manifest.json', 'server.json'])
    expect(JSON.parse(textOf(file)).version).toBe(next);
  expect(JSON.parse(textOf('server.json')).packages[0].version).toBe(next);
  expect([git('status', '--porcelain'), git('tag').trim()]).toEqual(['', `v${next}`]);

  const [, unreleased = '', released = ''] = textOf('CHANGELOG.md').split(/^## .*\n/m);
  expect(unreleased.trim()).toBe('');
  expect(released).toContain(change);
  expect(textOf('CHANGELOG.md')).toMatch(new RegExp(`^## ${next} \\(\\d{4}-\\d\\d-\\d\\d\\)$`, 'm'));

  const again = release();
  expect(again.status).toBe(1);
  expect(String(again.stderr)).toContain('CHANGELOG.md has no change under "## Unreleased"');
});

test('the lock has an integrity for each package, of other platforms too', () => {
  const { packages } = JSON.parse(textOf('package-lock.json')) as { packages: Record<string, { integrity?: string }> };
  const installed = Object.entries(packages).filter(([path]) => path !== '');
  expect(installed.filter(([, { integrity }]) => integrity === undefined).map(([path]) => path)).toEqual([]);
});
