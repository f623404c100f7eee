/** Above this number of concurrent connections, a loaded machine refuses some before the service accepts them. */
const IN_FLIGHT_MAX = 200;

/** Runs a task many times with bounded concurrency, and returns the results in order. */
export async function atOnce<Result>(times: number, task: (index: number) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < times) {
      const index = next;
      next += 1;
      results[index] = await task(index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(IN_FLIGHT_MAX, times) }, work));
  return results;
}
