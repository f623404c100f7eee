import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isBusy } from '../sqlite/database-errors.ts';
import { inodeOf, openSqlite } from '../sqlite/driver.ts';
import type { Origin } from './index-file.ts';

/**
 * The folder of an index, by database and version of the definitions. The file `current` names the index file. A replacement gets
 * a new name, because SQLite would apply the write-ahead log of a deleted file to a new one of the same name.
 */
export type IndexFolder = ReturnType<typeof indexFolder>;

/** Held until released or until the process ends, in any way. */
export interface FolderLock {
  /** Whether the lock file is still in the folder, which may have been deleted. */
  isHeld(): boolean;
  release(): void;
}

const CURRENT = 'current';
const LOCK = 'lock';

export function indexFolder(root: string, { source, version }: Origin) {
  const path = join(root, `${source}-${version}`);
  const pointer = join(path, CURRENT);
  return {
    path,
    /** The current file; undefined if there is none. */
    current: (): string | undefined => {
      const name = readOrNothing(pointer);
      return name === undefined ? undefined : join(path, name);
    },
    /** Changes with the current file; cheaper than reading its name. */
    stamp: (): string | undefined => stampOf(pointer),
    /** A name for a new file; creates the folder. */
    newFile: (): string => {
      mkdirSync(path, { recursive: true, mode: 0o700 });
      return join(path, `${randomUUID()}.db`);
    },
    /** Makes a complete file current, and removes the others. */
    publish: (file: string): void => {
      const name = file.slice(path.length + 1);
      writeFileSync(`${pointer}.new`, name, { mode: 0o600 });
      renameSync(`${pointer}.new`, pointer);
      for (const other of readdirSync(path))
        if (/\.db(-|$)/.test(other) && !other.startsWith(name)) rmSync(join(path, other), { force: true });
    },
    /** Unpublishes the current file, so that it is rebuilt. */
    discard: (): void => rmSync(pointer, { force: true }),
    /** Acquires the follower's lock; undefined if another process or thread holds it. */
    tryLock: (): FolderLock | undefined => {
      mkdirSync(path, { recursive: true, mode: 0o700 });
      return lockOf(join(path, LOCK));
    },
    /** Removes indexes of other versions that have no follower. */
    removeOthers: (): void => {
      for (const other of readdirSync(root)) {
        if (!other.startsWith(`${source}-`) || join(root, other) === path) continue;
        const lock = lockOf(join(root, other, LOCK));
        if (lock === undefined) continue;
        rmSync(join(root, other), { recursive: true, force: true });
        lock.release();
      }
    },
  };
}

function readOrNothing(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return undefined;
  }
}

function stampOf(file: string): string | undefined {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev} ${found.ino} ${found.mtimeNs}`;
}

/** Uses SQLite's file lock, which the operating system releases when the process ends. */
function lockOf(file: string): FolderLock | undefined {
  const database = openSqlite(file, { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (!isBusy(error)) throw error;
    return undefined;
  }
  const stamp = inodeOf(file);
  return { isHeld: () => inodeOf(file) === stamp, release: () => void database.close() };
}
