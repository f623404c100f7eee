import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { bundleProgram } from '../../support/bundle.ts';
import { bareEnvironment } from '../../support/program.ts';

/** A server that is measured, in a process of its own. */
export interface Child {
  readonly url: string;
  /** Processor time of the process so far. */
  takenMicros(): Promise<number>;
  stop(): Promise<void>;
}

export const buildServer = (): string => bundleProgram(join(import.meta.dirname, 'server.ts'));

export async function startChild(program: string, words: readonly string[]): Promise<Child> {
  const child = fork(program, [...words], {
    env: bareEnvironment(),
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
