import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isBusy } from '../sqlite/database-errors.ts';
import { openSqlite } from '../sqlite/driver.ts';
import type { Origin } from './index-file.ts';

/**
 * The folder of one index: of one database, by one version of the definitions. The file `current` names the file of the
 * index. A file that takes another's place has another name, because SQLite's log of a file that was deleted would be taken
 * for that of the new one.
 */
export interface IndexFolder {
  readonly path: string;
  /** The file that is current; undefined when there is none. */
  current(): string | undefined;
  /** Changes with what is current: costs less than reading it. */
  stamp(): string | undefined;
  /** A name for a new file, of which the folder is made. */
  newFile(): string;
  /** Makes a complete file the current one, and removes the others. */
  publish(file: string): void;
  /** Forgets the current file, so that it is made anew. */
  discard(): void;
  /** Takes the lock of who follows; undefined while another process or thread has it. */
  tryLock(): FolderLock | undefined;
  /** Removes what other versions have left that nobody follows any more. */
  removeOthers(): void;
}

/** Held until it is released, or the process ends, however it ends. */
export interface FolderLock {
  /** Whether the lock is still that of the folder: somebody may have deleted it. */
  isHeld(): boolean;
  release(): void;
}

const CURRENT = 'current';
const LOCK = 'lock';

export function indexFolder(root: string, { source, version }: Origin): IndexFolder {
  const path = join(root, `${source}-${version}`);
  const pointer = join(path, CURRENT);
  return {
    path,
    current: () => {
      const name = readOrNothing(pointer);
      return name === undefined ? undefined : join(path, name);
    },
    stamp: () => stampOf(pointer),
    newFile: () => {
      mkdirSync(path, { recursive: true, mode: 0o700 });
      return join(path, `${randomUUID()}.db`);
    },
    publish: (file) => {
      const name = file.slice(path.length + 1);
      writeFileSync(`${pointer}.new`, name, { mode: 0o600 });
      renameSync(`${pointer}.new`, pointer);
      for (const other of readdirSync(path))
        if (/\.db(-|$)/.test(other) && !other.startsWith(name)) rmSync(join(path, other), { force: true });
    },
    discard: () => rmSync(pointer, { force: true }),
    tryLock: () => {
      mkdirSync(path, { recursive: true, mode: 0o700 });
      return lockOf(join(path, LOCK));
    },
    removeOthers: () => {
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

/** A file that SQLite locks: the system takes the lock back when the process is gone. */
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

/** Which file a path leads to. */
export function inodeOf(file: string): string | undefined {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev} ${found.ino}`;
}
