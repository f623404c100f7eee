import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { findNode24 } from '../support/node-24.ts';

/**
 * The tests that a newer Node could break, on Node 24: the binding to SQLite, and how processes start, answer, are killed and end,
 * over HTTP and in a terminal. `test/package` starts the installed program on it, over stdio too. Arguments are files or flags of
 * vitest instead of these: `npm run test:node-24 -- test` is all.
 */
const FILES = [
  ...['faults', 'file', 'locks'].map((name) => `test/store/sqlite/${name}.test.ts`),
  'test/store/store.test.ts',
  ...['killed', 'terminal'].map((name) => `test/commands/${name}.test.ts`),
];
const VITEST = join(import.meta.dirname, '..', '..', 'node_modules', 'vitest', 'vitest.mjs');
const given = process.argv.slice(2);
const words = ['run', '--project', 'quick', '--project', 'program', ...(given.length > 0 ? given : FILES)];
process.exitCode = spawnSync(findNode24(), [VITEST, ...words], { stdio: 'inherit' }).status ?? 1;
