import { statSync } from 'node:fs';
import { ServiceError } from '../../contract/errors.ts';
import type { Sqlite } from './driver.ts';

/** Throws if the file of a connection was moved or replaced: reads and writes would go to the old file and be lost. */
export function createMovedFileCheck(database: Sqlite): () => void {
  if (database.memory) return () => {};
  const opened = fileAt(database.name);
  return () => {
    if (fileAt(database.name) === opened) return;
    throw new ServiceError('unavailable', `${MOVED}; put it back, or start again.`);
  };
}

const MOVED = 'The database file, or its file of counts, was moved or replaced';

/** The inode of a path. */
function fileAt(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev} ${found.ino}`;
}
