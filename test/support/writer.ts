import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { bundleProgram } from './bundle.ts';
import { bareEnvironment } from './program.ts';

/** A process that writes companies one after another until it is killed. */
export interface Writer {
  readonly pid: number;
  /** Slugs of acknowledged writes, and error codes of failed ones. */
  readonly lines: string[];
  /** Resolves after this many further lines. */
  more(count: number): Promise<void>;
  /** Kills it with SIGKILL. Resolves when all of its output is in `lines`. */
  kill(): Promise<void>;
}

export const buildWriter = (): string => bundleProgram(join(import.meta.dirname, 'writer-main.ts'));

/**
 * Starts a writer on a database.
 * @param blocksMax maximum size of a file in blocks of 512 bytes (ulimit), which needs no root
 */
export function startWriter(
  program: string,
  { url, name, blocksMax }: { url: string; name: string; blocksMax?: number },
): Writer {
  const node = [process.execPath, program, url, name];
  // The limit is a soft one, so that it can be lifted; without the trap the signal would end the process.
  const limited = ['sh', '-c', `trap "" XFSZ; ulimit -S -f ${blocksMax}; exec "$@"`, 'sh', ...node];
  const [command = '', ...rest] = blocksMax === undefined ? node : limited;
  const child = spawn(command, rest, { env: bareEnvironment(), stdio: ['ignore', 'pipe', 'inherit'] });
  const lines: string[] = [];
  const waiting = new Set<{ count: number; resolve: () => void }>();
  const said = createInterface(child.stdout);
  said.on('line', (line) => {
    lines.push(line);
    for (const each of waiting) {
      if (lines.length < each.count) continue;
      waiting.delete(each);
      each.resolve();
    }
  });
  const ended = new Promise<void>((resolve) => said.once('close', resolve));
  return {
    pid: child.pid ?? 0,
    lines,
    more: (count) => new Promise((resolve) => waiting.add({ count: lines.length + count, resolve })),
    kill: () => {
      child.kill('SIGKILL');
      return ended;
    },
  };
}
