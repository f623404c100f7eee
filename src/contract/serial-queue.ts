/** Runs tasks with the same key one at a time, in call order. Each caller gets the outcome of its own; an error does not stop later ones. */
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
