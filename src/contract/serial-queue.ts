/**
 * Runs asynchronous work one after the other, in the order of the calls; work of different keys does not wait for each other. Each
 * caller gets the result or the error of its own work, and an error does not stop what comes after it.
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
