import { afterAll, afterEach } from 'vitest';
import { releaseDatabases, removeDatabases } from './databases.ts';

// After the hooks of the test, which close its connections.
afterEach(releaseDatabases);
afterAll(removeDatabases);
