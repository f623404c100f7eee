import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { findNode24 } from '../support/node-24.ts';

/**
 * The tests that a newer Node could break, on Node 24: everything that goes through the binding to SQLite, and the start,
 * work and end of every command. Arguments are files or flags of vitest instead of these.
 */
const FILES = [
  'test/store',
  'test/service/quota.test.ts',
  'test/commands',
  'test/mcp/stdio.test.ts',
  'test/mcp/interop.test.ts',
];
const VITEST = join(import.meta.dirname, '..', '..', 'node_modules', 'vitest', 'vitest.mjs');
const given = process.argv.slice(2);
const words = ['run', '--project', 'quick', '--project', 'program', ...(given.length > 0 ? given : FILES)];
process.exitCode = spawnSync(findNode24(), [VITEST, ...words], { stdio: 'inherit' }).status ?? 1;
