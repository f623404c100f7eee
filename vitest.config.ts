import { defineConfig } from 'vitest/config';
import LongestFirst from './test/support/longest-first.ts';

/** Long enough for real processes on a busy machine; what waits for ever is found all the same. */
const limits = { testTimeout: 120_000, hookTimeout: 180_000 };
/** The same tests over each engine behind the port of the store. */
const OVER_EVERY_ENGINE = [
  'test/store/**/*.test.ts',
  'test/service/**/*.test.ts',
  'test/client/client.test.ts',
  'test/client/wallet/our-service.test.ts',
];
/** What is about files, which only one engine has. */
const OF_SQLITE = ['test/store/sqlite/**', 'test/service/sqlite/**'];
/** How pages look in a browser takes minutes and is not of the engine; what they say and do is tested over both. */
const LOOKS = 'test/service/pages/look.test.ts';

export default defineConfig({
  test: {
    globalSetup: ['./test/support/build.ts', './test/support/postgres.ts'],
    reporters: ['default', './test/support/summary-reporter.ts'],
    // Two cores: more workers would only make the timeouts of real processes longer.
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    projects: [
      { test: { ...limits, name: 'all', include: ['test/**/*.test.ts'], env: { TEST_ENGINE: 'sqlite' } } },
      {
        test: {
          ...limits,
          name: 'postgres',
          include: OVER_EVERY_ENGINE,
          exclude: [...OF_SQLITE, LOOKS],
          setupFiles: ['./test/support/databases.ts'],
          env: { TEST_ENGINE: 'postgres' },
        },
      },
    ],
  },
});
