/**
 * Runs asynchronous tasks with the same key one at a time, in call order; different keys run concurrently. Each caller
 * gets the result or error of its own task; an error does not stop later tasks.
 */
export function createSerialQueue() {
  const last = new Map<string, Promise<unknown>>();
  return async <Result>(work: () => Promise<Result>, key = ''): Promise<Result> => {
    const mine = (last.get(key) ?? Promise.resolve()).then(work);
    const done = mine.catch(() => undefined);
    last.set(key, done);
    try {
      return await mine;
    } finally {
      if (last.get(key) === done) last.delete(key);
    }
  };
}
