import { Worker } from 'node:worker_threads';
import type { Follower } from './follower.ts';

/** After the thread died. */
const AGAIN_MS = 1_000;

/** What the thread is started with. */
export interface FollowerTask {
  /** The database whose changes are followed; its schema is up to date. */
  readonly url: string;
  /** Folder of the index files of this machine. */
  readonly root: string;
  /** An index file of the same database, or the address of an instance that has one, to begin from where there is none. */
  readonly snapshot?: string | undefined;
}

/**
 * Follows in a thread of its own, which is started again when it dies.
 * @param workerFile the built follower-worker
 * @param onFailure told of what went wrong in it
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
    // It must not keep the program alive.
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
