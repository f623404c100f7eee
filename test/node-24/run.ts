import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { findNode24 } from '../support/node-24.ts';

/** The tests on Node 24, which people install: all of them, or the files and flags of vitest that are given. */
const VITEST = join(import.meta.dirname, '..', '..', 'node_modules', 'vitest', 'vitest.mjs');
const words = ['run', ...process.argv.slice(2)];
process.exitCode = spawnSync(findNode24(), [VITEST, ...words], { stdio: 'inherit' }).status ?? 1;
