import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/**
 * What a version of Node could break, on the one that runs this: the binding to SQLite, which Node 20 has of its own, and how
 * processes start, answer and end, over HTTP and stdio. The whole suite runs on Node 24.
 */
const FILES = [
  ...['file', 'locks'].map((name) => `test/store/sqlite/${name}.test.ts`),
  'test/store/store.test.ts',
  'test/service/quota.test.ts',
  'test/commands/serve.test.ts',
  'test/mcp/stdio.test.ts',
];
const VITEST = join(import.meta.dirname, '..', '..', 'node_modules', 'vitest', 'vitest.mjs');
const words = ['run', '--project', 'quick', '--project', 'program', ...FILES];
process.exitCode = spawnSync(process.execPath, [VITEST, ...words], { stdio: 'inherit' }).status ?? 1;
