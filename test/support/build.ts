import { execFileSync } from 'node:child_process';

/** Builds once for the tests that start the real program. */
export function setup(): void {
  execFileSync(process.execPath, ['--import', 'tsx', 'build.ts'], { stdio: 'inherit' });
}
