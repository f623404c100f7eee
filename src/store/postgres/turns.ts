import { ServiceError } from '../../contract/errors.ts';

/** Maximum wait: longer than a burst takes, shorter than client time-outs. */
const WAIT_MAX_MS = 30_000;

/** Limits concurrency, with a FIFO queue. */
export interface Turns {
  take<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Number of waiting operations. */
  waiting(): number;
}

/**
 * The pool's own time-out covers connecting, so that an unavailable server is detected quickly; waiting for this
 * process's own operations may take longer.
 */
export function createWriteQueue(count: number): Turns {
  const waiting = new Set<() => void>();
  let free = count;

  function turn(): Promise<void> {
    if (free > 0) {
      free -= 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.delete(begin);
        reject(new ServiceError('unavailable', 'The database is too busy at the moment; try again later.'));
      }, WAIT_MAX_MS);
      waiting.add(begin);
    });
  }

  function give(): void {
    const [next] = waiting;
    if (next === undefined) {
      free += 1;
      return;
    }
    waiting.delete(next);
    next();
  }

  return {
    take: async (work) => {
      await turn();
      try {
        return await work();
      } finally {
        give();
      }
    },
    waiting: () => waiting.size,
  };
}
