import { ServiceError } from '../../contract/errors.ts';

/** How long somebody waits for a turn: longer than a burst takes on a slow machine, shorter than clients wait. */
const WAIT_MAX_MS = 30_000;

/** Lets a number of works go on at once, and the others wait for their turn, in order. */
export interface Turns {
  take<Result>(work: () => Promise<Result>): Promise<Result>;
  /** How many wait at this moment. */
  waiting(): number;
}

/**
 * The pool's own wait for a connection is bounded by what connecting may take, so that a server that is away is noticed
 * soon. Waiting for others of this process is no sign of that, and may take longer.
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
