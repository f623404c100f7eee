import { join } from 'node:path';

/** Every engine behind the port of the store; the same tests run over each. */
export const engines = [{ name: 'SQLite', url: (folder: string) => `sqlite:${join(folder, 'test.db')}` }];
