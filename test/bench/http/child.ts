import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { bareEnvironment } from '../../support/program.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');

/** A server that is measured, in a process of its own. */
export interface Child {
  readonly url: string;
  /** Processor time of the process so far. */
  takenMicros(): Promise<number>;
  stop(): Promise<void>;
}

/** Builds the server once, as the product is built, so that nothing is translated while it runs. */
export function buildServer(folder: string): string {
  const outfile = join(folder, 'server.cjs');
  const shape = { bundle: true, minify: true, platform: 'node', format: 'cjs', target: 'node20' } as const;
  const entryPoints = [join(import.meta.dirname, 'server.ts')];
  buildSync({ ...shape, entryPoints, outfile, external: ['better-sqlite3'] });
  return outfile;
}

export async function startChild(program: string, words: readonly string[]): Promise<Child> {
  const env = bareEnvironment({ NODE_PATH: join(ROOT, 'node_modules') });
  const child = fork(program, [...words], {
    env,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`The server ended with ${code}`);
  });
  // Known when it is asked for; at the end it is meant to happen.
  ended.catch(() => {});
  const answer = async () => (await Promise.race([once(child, 'message'), ended]))[0];
  const { url } = (await answer()) as { url: string };
  return {
    url,
    takenMicros: async () => {
      child.send({});
      return ((await answer()) as { takenMicros: number }).takenMicros;
    },
    stop: async () => {
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
  };
}
