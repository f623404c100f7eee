import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { bundleProgram } from './bundle.ts';
import type { PaidProcessOptions } from './paid-main.ts';
import { bareEnvironment } from './program.ts';
import { V8_OPTIONS } from './v8-options.ts';

/** A selling service in its own process. */
export interface PaidProcess {
  readonly url: string;
  /** Number of searches of its store. */
  searches(): number;
  /** The signal that killed it. */
  readonly ended: Promise<string | null>;
  kill(): Promise<unknown>;
}

export const buildPaidProcess = (): string => bundleProgram(join(import.meta.dirname, 'paid-main.ts'));

export async function startPaidProcess(program: string, options: PaidProcessOptions): Promise<PaidProcess> {
  const child = spawn(process.execPath, [...V8_OPTIONS, program, JSON.stringify(options)], {
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
