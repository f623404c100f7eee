import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');
export const PACKAGES_MAX = 45;
/** Of these, 28 are the binding to SQLite with its source, for eight platforms. */
export const MIB_MAX = 44;
/** Of the tarball, without the binding. */
export const DOWNLOAD_MIB_MAX = 11;
const MIB = 1024 * 1024;

export interface Installed {
  /** Folder with the package in its node_modules. */
  readonly folder: string;
  readonly packages: number;
  readonly mib: number;
  /** Size of the tarball. */
  readonly downloadMib: number;
}

/**
 * Packs the package as it would be published, and installs it into an empty folder as a user gets it: without
 * development dependencies, and with install scripts off, because nothing in it needs one.
 * @param node the one that npm runs on
 */
export function installPacked(folder: string, node = process.execPath): Installed {
  mkdirSync(folder, { recursive: true });
  const env = { ...process.env, PATH: [dirname(node), process.env['PATH']].join(delimiter) };
  const npm = (words: readonly string[], cwd: string): string =>
    execFileSync('npm', [...words], { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const [packed] = JSON.parse(npm(['pack', '--json', '--ignore-scripts', '--pack-destination', folder], ROOT)) as [
    { filename: string; size: number },
  ];
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
  const tarball = join(folder, packed.filename);
  npm(['install', tarball, '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'], folder);
  rmSync(tarball);
  const files = (readdirSync(join(folder, 'node_modules'), { recursive: true }) as string[]).map((file) =>
    join(folder, 'node_modules', file),
  );
  const bytes = files
    .map((file) => statSync(file))
    .filter((found) => found.isFile())
    .map((found) => found.size);
  return {
    folder,
    packages: files.filter((file) => PACKAGE_FILE.test(file)).length,
    mib: bytes.reduce((sum, size) => sum + size, 0) / MIB,
    downloadMib: packed.size / MIB,
  };
}

const PACKAGE_FILE = /node_modules\/(@[^/]+\/)?[^/@.][^/]*\/package\.json$/;
