import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Inputs of the build. */
export const SOURCES = ['src', 'data', 'scripts', 'package-lock.json'];
const BUILT = join('dist', 'main.js');

/** Builds the program for tests that start it, unless the build is up to date. */
export function setup(): void {
  if (!isUpToDate(BUILT, SOURCES))
    execFileSync(process.execPath, ['--import', 'tsx', join('scripts', 'build.ts')], { stdio: 'inherit' });
}

/** Whether a file was made after the last change of what it is made of: files, and folders with all that is in them. */
export function isUpToDate(made: string, sources: readonly string[]): boolean {
  if (!existsSync(made)) return false;
  const { mtimeMs } = statSync(made);
  const files = sources.flatMap((path) => (statSync(path).isDirectory() ? filesIn(path) : [path]));
  return files.every((file) => statSync(file).mtimeMs < mtimeMs);
}

const filesIn = (folder: string): string[] =>
  (readdirSync(folder, { recursive: true }) as string[]).map((file) => join(folder, file));
