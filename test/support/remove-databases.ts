import { afterAll, afterEach } from 'vitest';
import { releaseDatabases, removeDatabases } from './databases.ts';

// After the hooks of the test itself, which close what uses them.
afterEach(releaseDatabases);
afterAll(removeDatabases);
