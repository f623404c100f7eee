import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { bareEnvironment, PROGRAM } from '../../support/program.ts';

/** What a timer is late by is looked at this often. */
const RESOLUTION_MS = 10;
const READY_POLL_MS = 100;
const METER = `import { monitorEventLoopDelay } from 'node:perf_hooks';
const delay = monitorEventLoopDelay({ resolution: ${RESOLUTION_MS} });
delay.enable();
process.on('message', () => {
  process.send({ longestMs: delay.max / 1e6 });
  delay.reset();
});`;

/** The real service, with a meter of its event loop inside. */
export interface Watched {
  readonly url: string;
  /** The longest time for which its event loop stood still since the last call. */
  longestPause(): Promise<number>;
  stop(): Promise<void>;
}

export async function startWatched(databaseUrl: string): Promise<Watched> {
  const words = ['serve', '--port', '0', '--data', 'none', '--database', databaseUrl];
  const child = fork(PROGRAM, words, {
    execArgv: ['--import', `data:text/javascript,${encodeURIComponent(METER)}`],
    env: bareEnvironment({ WEB3_BI_BURST_PER_SECOND: '0', WEB3_BI_LOG_LEVEL: 'silent', WEB3_BI_STOP_DELAY_MS: '0' }),
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const [line] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
  const { url } = JSON.parse(String(line)) as { url: string };
  // A first start on PostgreSQL builds the index, and answers with 503 until then.
  while (!(await fetch(`${url}/readyz`)).ok) await pause(READY_POLL_MS);
  return {
    url,
    longestPause: async () => {
      child.send({});
      const [{ longestMs }] = (await once(child, 'message')) as [{ longestMs: number }];
      return Math.max(0, longestMs - RESOLUTION_MS);
    },
    stop: async () => {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      child.disconnect();
      await exited;
    },
  };
}
