import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { buildSync } from 'esbuild';
import type { PaidProcessOptions } from './paid-main.ts';
import { bareEnvironment } from './program.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/** A service that sells, in a process of its own. */
export interface PaidProcess {
  readonly url: string;
  /** Searches that its store was asked for so far. */
  searches(): number;
  /** The signal that ended it. */
  readonly ended: Promise<string | null>;
  kill(): Promise<unknown>;
}

/** Builds the program once, so that a process starts in the time that Node needs. */
export const buildPaidProcess = (folder: string): string =>
  buildProcess(join(import.meta.dirname, 'paid-main.ts'), folder);

/** Builds a program in one file, as what is published is built; gives its path. */
export function buildProcess(entry: string, folder: string): string {
  const outfile = join(folder, 'program.mjs');
  const entryPoints = [entry];
  const shape = { bundle: true, platform: 'node', format: 'esm', target: 'node20' } as const;
  const banner = {
    js: "import { createRequire as createRequireOf } from 'node:module';const require = createRequireOf(import.meta.url);",
  };
  buildSync({ ...shape, entryPoints, outfile, banner, external: ['better-sqlite3'] });
  // What stays outside is looked for beside the program.
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return outfile;
}

export async function startPaidProcess(program: string, options: PaidProcessOptions): Promise<PaidProcess> {
  const child = spawn(process.execPath, [program, JSON.stringify(options)], {
    env: bareEnvironment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit').then(([, signal]) => signal as string | null);
  let searches = 0;
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', () => reject(new Error('it ended before it listened')));
    createInterface(child.stdout).on('line', (line) => {
      const said = JSON.parse(line) as { url?: string };
      if (said.url === undefined) searches += 1;
      else resolve(said.url);
    });
  });
  return {
    url,
    searches: () => searches,
    ended,
    kill: () => {
      child.kill('SIGKILL');
      return ended;
    },
  };
}
