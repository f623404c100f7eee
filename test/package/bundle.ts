import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPacked } from './packed.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const TOOL = join(import.meta.dirname, 'node_modules', '@anthropic-ai', 'mcpb', 'dist', 'cli', 'cli.js');
/** Parts of the database's package that only serve to compile it. */
const SOURCES = ['deps', 'src', 'binding.gyp'];

/**
 * Makes a bundle that a desktop host installs with a click. The database is a program of this platform, so the bundle
 * is for this platform too, and says so.
 */
export function makeBundle(target: string): void {
  if (!existsSync(TOOL))
    execFileSync('npm', ['ci', '--prefix', import.meta.dirname, '--no-audit', '--no-fund'], { stdio: 'inherit' });
  const folder = mkdtempSync(join(tmpdir(), 'web3-bi-bundle-'));
  installPacked(folder);
  for (const name of SOURCES) rmSync(join(folder, 'node_modules', 'better-sqlite3', name), { recursive: true });
  for (const name of ['package.json', 'package-lock.json']) rmSync(join(folder, name));
  const manifest = JSON.parse(readFileSync(join(ROOT, 'manifest.json'), 'utf8')) as { compatibility: object };
  manifest.compatibility = { ...manifest.compatibility, platforms: [process.platform] };
  writeFileSync(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  cpSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
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
