import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** What the build is made from. */
const SOURCES = ['src', 'data', 'build.ts', 'declarations.ts', 'package-lock.json'];
const BUILT = join('dist', 'main.js');

/** Builds for the tests that start the real program, unless that was done since the sources changed. */
export function setup(): void {
  const files = SOURCES.flatMap((path) => (statSync(path).isDirectory() ? filesIn(path) : [path]));
  if (existsSync(BUILT) && files.every((file) => statSync(file).mtimeMs < statSync(BUILT).mtimeMs)) return;
  execFileSync(process.execPath, ['--import', 'tsx', 'build.ts'], { stdio: 'inherit' });
}

const filesIn = (folder: string): string[] =>
  (readdirSync(folder, { recursive: true }) as string[]).map((file) => join(folder, file));
