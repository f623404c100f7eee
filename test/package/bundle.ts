import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPacked } from './packed.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const TOOL = join(import.meta.dirname, 'node_modules', '@anthropic-ai', 'mcpb', 'dist', 'cli', 'cli.js');
/** What hosts show of it: `npm run pictures` takes them. */
export const PICTURES = join(ROOT, 'docs', 'pictures');
/** What only serves to compile the binding to SQLite, which comes compiled for every platform. */
const SOURCES = ['better-sqlite3/deps', 'better-sqlite3/src', 'better-sqlite3/binding.gyp', 'node-addon-api'];

/**
 * Puts into a folder what a desktop host installs with a click, for every platform that the binding to SQLite is for.
 * @param folder one with the installed package, which is changed
 * @throws Error where the manifest is not what hosts expect
 */
export function stageBundle(folder: string): void {
  for (const name of SOURCES) rmSync(join(folder, 'node_modules', name), { recursive: true });
  for (const name of ['package.json', 'package-lock.json']) rmSync(join(folder, name));
  for (const name of ['manifest.json', 'LICENSE']) cpSync(join(ROOT, name), join(folder, name));
  cpSync(PICTURES, folder, { recursive: true });
  mcpb('validate', join(folder, 'manifest.json'));
}

/** Makes a file of what `stageBundle` has left. */
export function packBundle(folder: string, target: string): void {
  mcpb('pack', folder, target);
}

/** Takes a bundle apart as a host does. */
export function unpackBundle(bundle: string, folder: string): void {
  mcpb('unpack', bundle, folder);
}

/** Runs the tool of those who defined the format, which is installed by the first call. */
function mcpb(...words: string[]): void {
  if (!existsSync(TOOL))
    execFileSync('npm', ['ci', '--prefix', import.meta.dirname, '--no-audit', '--no-fund'], { stdio: 'inherit' });
  execFileSync(process.execPath, [TOOL, ...words], { stdio: 'pipe' });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync(join(ROOT, 'dist'), { recursive: true });
  const folder = mkdtempSync(join(tmpdir(), 'web3-bi-bundle-'));
  const target = join(ROOT, 'dist', 'web3-bi.mcpb');
  installPacked(folder);
  stageBundle(folder);
  packBundle(folder, target);
  rmSync(folder, { recursive: true });
  console.log(target);
}
