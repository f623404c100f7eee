import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPacked } from './packed.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const TOOL = join(import.meta.dirname, 'node_modules', '@anthropic-ai', 'mcpb', 'dist', 'cli', 'cli.js');
/** What only serves to compile the binding to SQLite, which comes compiled for every platform. */
const SOURCES = ['better-sqlite3/deps', 'better-sqlite3/src', 'better-sqlite3/binding.gyp', 'node-addon-api'];

/**
 * Makes a bundle that a desktop host installs with a click: one file for every platform that the binding to SQLite is for.
 * @param installed folder with the installed package, where there is one already
 */
export function makeBundle(target: string, installed?: string): void {
  if (!existsSync(TOOL))
    execFileSync('npm', ['ci', '--prefix', import.meta.dirname, '--no-audit', '--no-fund'], { stdio: 'inherit' });
  const folder = mkdtempSync(join(tmpdir(), 'web3-bi-bundle-'));
  if (installed === undefined) installPacked(folder);
  else cpSync(installed, folder, { recursive: true });
  for (const name of SOURCES) rmSync(join(folder, 'node_modules', name), { recursive: true });
  for (const name of ['package.json', 'package-lock.json']) rmSync(join(folder, name));
  for (const name of ['manifest.json', 'LICENSE']) cpSync(join(ROOT, name), join(folder, name));
  const mcpb = (...words: string[]): unknown => execFileSync(process.execPath, [TOOL, ...words], { stdio: 'pipe' });
  mcpb('validate', join(folder, 'manifest.json'));
  mcpb('pack', folder, target);
  rmSync(folder, { recursive: true });
}

/** Takes a bundle apart as a host does. */
export function unpackBundle(bundle: string, folder: string): void {
  execFileSync(process.execPath, [TOOL, 'unpack', bundle, folder], { stdio: 'pipe' });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync(join(ROOT, 'dist'), { recursive: true });
  const target = join(ROOT, 'dist', 'web3-bi.mcpb');
  makeBundle(target);
  console.log(target);
}
