/** Test files for both engines run once per engine; `vitest.config.ts` lists them. */
export const isPostgres = process.env['TEST_ENGINE'] === 'postgres';

/** URL of an empty database of the run's engine; in memory for SQLite. */
export async function emptyDatabase(): Promise<string> {
  if (!isPostgres) return 'sqlite::memory:';
  // Already loaded by the setup file of those tests; benches have no test framework.
  const { engine } = await import('./databases.ts');
  return (await engine.newDatabase()).url;
}
