import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { bundleProgram } from './bundle.ts';
import { bareEnvironment } from './program.ts';

/** A process that writes companies through the store, one after another, until it is ended. */
export interface Writer {
  readonly pid: number;
  /** Slugs of what was acknowledged so far, and codes of what was refused. */
  readonly lines: string[];
  /** Resolves when another this many lines have come. */
  more(count: number): Promise<void>;
  /** Ends it as a power cut would: nothing of it runs any more. Resolves when all that it said is in `lines`. */
  kill(): Promise<void>;
}

export const buildWriter = (): string => bundleProgram(join(import.meta.dirname, 'writer-main.ts'));

/**
 * Starts a writer on a database.
 * @param blocksMax how many blocks of 512 bytes a file of it may have; this works without being root, on any system
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
