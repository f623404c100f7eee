import { statSync } from 'node:fs';
import { ServiceError } from '../../contract/errors.ts';
import type { Sqlite } from './driver.ts';

/**
 * Throws when the file of a connection is no longer the one that was opened: one that was moved or replaced can still be read and
 * written through what is open, and all of it is lost.
 */
export function createPlaceCheck(database: Sqlite): () => void {
  if (database.memory) return () => {};
  const opened = fileAt(database.name);
  return () => {
    if (fileAt(database.name) === opened) return;
    throw new ServiceError('unavailable', `${MOVED}; put it back, or start again.`);
  };
}

const MOVED = 'The database file, or its file of counts, was moved or replaced';

/** Which file a path leads to. */
function fileAt(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev} ${found.ino}`;
}
