import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { bundleProgram } from './bundle.ts';
import { bareEnvironment } from './program.ts';
import { V8_OPTIONS } from './v8-options.ts';

export interface Buyer {
  readonly url: string;
  readonly folder: string;
  readonly privateKey: string;
  /** Where it kills itself; otherwise the test kills it. */
  readonly step?: string;
}

/** Bundles the buyer for a fast start, and returns a function that runs it. */
export function buildBuyer(): (buyer: Buyer) => ChildProcess {
  const file = bundleProgram(join(import.meta.dirname, 'wallet-main.ts'));
  return ({ url, folder, privateKey, step = '' }) =>
    spawn(process.execPath, [...V8_OPTIONS, file, url, folder, privateKey, step], {
      env: bareEnvironment(),
      stdio: ['ignore', 'ignore', 'inherit'],
    });
}

/** Exit code and signal of a child. */
export const endOf = async (child: ChildProcess): Promise<unknown[]> => once(child, 'exit');
