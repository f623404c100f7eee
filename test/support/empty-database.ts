/** Each file of the tests over both engines runs once for each of them; `vitest.config.ts` says which. */
export const isPostgres = process.env['TEST_ENGINE'] === 'postgres';

/** Address of an empty database of the run's engine: in memory where it has that, as it is outside of tests. */
export async function emptyDatabase(): Promise<string> {
  if (!isPostgres) return 'sqlite::memory:';
  // Loaded by then, as a setup file of those tests; benches have no test framework.
  const { engine } = await import('./databases.ts');
  return (await engine.newDatabase()).url;
}
