import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const DEPTH_MAX = 5;

/** The folder of this package, both from source and from the build. */
export function packageFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (let depth = 0; depth < DEPTH_MAX && !isPackage(folder); depth += 1) folder = dirname(folder);
  return folder;
}

/** The build's own package.json only declares CommonJS. */
const isPackage = (folder: string): boolean => basename(folder) !== 'dist' && existsSync(join(folder, 'package.json'));

export function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(join(packageFolder(), 'package.json'), 'utf8')) as { version: string };
  return version;
}

export const appsFolder = (): string => join(packageFolder(), 'dist', 'apps');

/** The database that the build fills with the shipped data; a package has it compressed, as `.br`. */
export const prebuiltDatabase = (): string => join(packageFolder(), 'dist', 'shipped.db');
