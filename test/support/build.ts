import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Inputs of the build. */
const SOURCES = ['src', 'data', 'scripts', 'package-lock.json'];
const BUILT = join('dist', 'main.js');

/** Builds the program for tests that start it, unless the build is up to date. */
export function setup(): void {
  const files = SOURCES.flatMap((path) => (statSync(path).isDirectory() ? filesIn(path) : [path]));
  if (existsSync(BUILT) && files.every((file) => statSync(file).mtimeMs < statSync(BUILT).mtimeMs)) return;
  execFileSync(process.execPath, ['--import', 'tsx', join('scripts', 'build.ts')], { stdio: 'inherit' });
}

const filesIn = (folder: string): string[] =>
  (readdirSync(folder, { recursive: true }) as string[]).map((file) => join(folder, file));
