import { execFile } from 'node:child_process';
import { existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

/**
 * Node 20 cannot load the binding to SQLite that the package has, so a checkout on it gets an older one, compiled once.
 * It is kept outside node_modules, which `npm ci` empties; src/store/sqlite/driver.ts finds it by the name of the link.
 */
export async function bindOlderNode(): Promise<void> {
  if (Number.parseInt(process.versions.node, 10) >= 22) return;
  const folder = resolve('test', 'node-20');
  const binding = join(folder, 'node_modules', 'better-sqlite3');
  const wanted = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).dependencies['better-sqlite3'];
  const manifest = join(binding, 'package.json');
  if (!existsSync(manifest) || JSON.parse(readFileSync(manifest, 'utf8')).version !== wanted)
    await installLocked(folder);
  const link = join('node_modules', 'better-sqlite3-node-20');
  rmSync(link, { force: true });
  symlinkSync(binding, link, 'junction');
}

/** Installs what the lock file of a folder names, also within `npm pack --dry-run`, whose settings npm hands on. */
export async function installLocked(folder: string): Promise<void> {
  await promisify(execFile)('npm', ['ci', '--prefix', folder, '--no-dry-run', '--no-audit', '--no-fund'], {
    // Where a binding has to be compiled, -O1 takes half the time of its -O3, and tests run no slower.
    env: { CFLAGS: '-O1', JOBS: 'max', ...process.env },
  });
}
