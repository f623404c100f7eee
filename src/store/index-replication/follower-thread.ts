import { Worker } from 'node:worker_threads';
import type { Follower } from './follower.ts';
import type { IndexOptions } from './local-index.ts';

/** Restart delay after the thread died. */
const AGAIN_MS = 1_000;

export interface FollowerTask extends Pick<IndexOptions, 'snapshot'> {
  /** URL of the followed database, whose schema is current. */
  readonly url: string;
  readonly root: string;
}

/**
 * Follows in a worker thread, which is restarted when it dies.
 * @param workerFile the built follower-worker
 * @param onFailure called with its errors
 */
export function followInThread(
  workerFile: string,
  task: FollowerTask,
  onFailure: (error: unknown) => void = () => {},
): Follower {
  let isClosed = false;
  let worker: Worker;
  let ended: Promise<void>;
  const begin = (): void => {
    worker = new Worker(workerFile, { workerData: task });
    // The worker must not keep the process alive.
    worker.unref();
    worker.on('error', onFailure);
    worker.on('message', (message: string) => onFailure(new Error(message)));
    ended = new Promise((resolve) => {
      worker.once('exit', () => {
        resolve();
        if (!isClosed) setTimeout(begin, AGAIN_MS).unref();
      });
    });
  };
  begin();
  return {
    close: async () => {
      isClosed = true;
      worker.ref();
      worker.postMessage('close');
      await ended;
    },
  };
}
