import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['./test/support/build.ts'],
    reporters: ['default', './test/support/summary-reporter.ts'],
    // Two cores: more workers would only make the timeouts of real processes longer.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
