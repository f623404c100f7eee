import { readdirSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import LongestFirst from './test/support/longest-first.ts';
import { V8_OPTIONS } from './test/support/v8-options.ts';

const common = {
  // Long enough for real processes on a loaded machine; an endless wait still fails.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 60_000 } },
  execArgv: [...V8_OPTIONS],
};

/** Matches files that start a process (program, chain, browser, database server) or reload modules. */
const NEEDS_A_WORKER =
  /support\/(program|writer|wallet-child|paid-process|paid-service|console|browser|node-24|postgres-cluster|sandbox)\.ts|sandbox\/anvil\.ts|node:child_process|resetModules/;
/** Dependencies are left out, because they may be installed meanwhile. */
const testFilesIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : testFilesIn(path);
    return entry.name.endsWith('.test.ts') ? [path] : [];
  });
const files = testFilesIn('test');
const isOfPostgres = (file: string): boolean => file.startsWith('test/postgres/');
const inProcess = files.filter((file) => !isOfPostgres(file) && !NEEDS_A_WORKER.test(readFileSync(file, 'utf8')));
const withProcesses = files.filter((file) => !isOfPostgres(file) && !inProcess.includes(file));

/**
 * Tests that depend on the engine, because it runs their statements: what writes records, keys, counts and payments, also at
 * once, single records, and database faults. Searches, lists, filters, sentences and aggregates are read from an index, which
 * is SQLite beside each engine: of those `test/postgres` has whether the index is right and both engines answer alike. Cases
 * of these files that no statement depends on (how files are read, what a page or an error says) skip a second engine
 * (`isSecondEngine`).
 */
const OF_ENGINE = [
  'test/store/{claims,definitions,duplicates,import,investments,investor-kinds,keys}.test.ts',
  'test/store/{members,payments,store,sync,undo-import,usage}.test.ts',
  'test/service/changes.test.ts',
  'test/service/health.test.ts',
  'test/service/keys.test.ts',
  'test/service/quota.test.ts',
  'test/service/records.test.ts',
  'test/service/unsourced-fields.test.ts',
  'test/service/payments/paid-search.test.ts',
  'test/service/payments/processes.test.ts',
  'test/service/payments/recovery.test.ts',
  'test/console/account.test.ts',
  'test/console/oauth.test.ts',
  'test/mcp/subscriptions.test.ts',
];
/** A long run tests all of the store and the service on each engine, except the look of pages. */
const OF_ENGINE_LONG = [
  'test/store/*.test.ts',
  'test/service/*.test.ts',
  'test/service/payments/*.test.ts',
  'test/console/{account,docs,journey,oauth,sign-in}.test.ts',
  'test/mcp/subscriptions.test.ts',
  'test/client/client.test.ts',
  'test/client/wallet/our-service.test.ts',
];

const setupFiles = ['./test/support/remove-databases.ts'];

export default defineConfig(({ mode }) => ({
  test: {
    reporters: ['default', './test/support/summary-reporter.ts'],
    // On two cores: tests of processes wait a third of their time, and more workers would make those waits longer.
    maxWorkers: 3,
    // Each project compiles a module by itself otherwise, and so does the next run.
    experimental: { fsModuleCache: true },
    sequence: { sequencer: LongestFirst },
    projects: [
      // Files of one worker share what they import, which is most of a file's time.
      {
        test: {
          ...common,
          name: 'quick',
          include: inProcess,
          isolate: false,
          setupFiles,
          env: { TEST_ENGINE: 'sqlite', TEST_LENGTH: mode },
        },
      },
      {
        test: {
          ...common,
          name: 'program',
          isolate: false,
          include: withProcesses,
          globalSetup: './test/support/build.ts',
          setupFiles,
          env: { TEST_ENGINE: 'sqlite', TEST_LENGTH: mode },
        },
      },
      {
        test: {
          ...common,
          name: 'postgres',
          include: [...(mode === 'long' ? OF_ENGINE_LONG : OF_ENGINE), 'test/postgres/**/*.test.ts'],
          isolate: false,
          globalSetup: ['./test/support/build.ts', './test/support/postgres.ts'],
          setupFiles,
          env: { TEST_ENGINE: 'postgres', TEST_LENGTH: mode },
        },
      },
    ],
  },
}));
