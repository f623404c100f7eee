import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { build } from 'esbuild';
import { bareEnvironment } from './program.ts';

const ROOT = join(import.meta.dirname, '..', '..');

export interface Buyer {
  readonly url: string;
  readonly folder: string;
  readonly privateKey: string;
  /** Where it kills itself; without it, somebody else has to. */
  readonly step?: string;
}

/** Builds the buyer into one file, which starts faster than its sources do, and gives a function that runs it. */
export async function buildBuyer(): Promise<(buyer: Buyer) => ChildProcess> {
  // In the folder of the build, from where packages are found.
  const file = join(ROOT, 'dist', 'test', `wallet-main-${process.pid}.mjs`);
  await build({
    entryPoints: [join(import.meta.dirname, 'wallet-main.ts')],
    outfile: file,
    bundle: true,
    format: 'esm',
    platform: 'node',
    external: ['better-sqlite3'],
    logLevel: 'error',
  });
  return ({ url, folder, privateKey, step = '' }) =>
    spawn(process.execPath, [file, url, folder, privateKey, step], {
      env: bareEnvironment(),
      stdio: ['ignore', 'ignore', 'inherit'],
    });
}

/** How a child ended: its exit code and its signal. */
export const endOf = async (child: ChildProcess): Promise<unknown[]> => once(child, 'exit');
