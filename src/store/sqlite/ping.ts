import { statSync } from 'node:fs';
import { ServiceError } from '../../contract/errors.ts';
import type { Sqlite } from './database.ts';

/** A look at whether the database can be read, and is still the one that was opened. */
export function createPing(database: Sqlite): () => Promise<void> {
  const probe = database.prepare('SELECT 1 FROM settings LIMIT 1');
  const opened = database.memory ? undefined : fileAt(database.name);
  return async () => {
    probe.get();
    // A file that was moved or replaced can still be read and written through what is open, and all of it is lost.
    if (opened !== undefined && fileAt(database.name) !== opened) {
      throw new ServiceError('unavailable', 'The database file was moved or replaced; put it back, or start again.');
    }
  };
}

/** Which file a path leads to. */
function fileAt(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev} ${found.ino}`;
}
