import { closeSync, existsSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { ServiceError } from '../contract/errors.ts';
import { ConfigError } from './config.ts';

interface NewFile {
  readonly file: string;
  readonly isForced: boolean;
  readonly mode: number;
  /** Suffixes of temporary files that may remain beside it. */
  readonly companions?: readonly string[];
}

/** Throws if the file exists and must not be replaced, or if it is a folder or device. */
export function checkTarget(file: string, isForced: boolean): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isFile()) throw new ConfigError(`${file} is not a file; choose another.`);
  if (!isForced) throw alreadyThere(file);
}

/** Writes a file atomically: it gets its name when it is complete. */
export async function writeAtomically<Result>(
  { file, isForced, mode, companions = [] }: NewFile,
  write: (partial: string) => Promise<Result>,
): Promise<Result> {
  const partial = `${file}.partial-${process.pid}`;
  try {
    // Set the mode before writing content.
    closeSync(openSync(partial, 'wx', mode));
    const result = await write(partial);
    // Check again after writing. A hard link would be atomic, but some file systems lack them.
    if (!isForced && existsSync(file)) throw alreadyThere(file);
    renameSync(partial, file);
    return result;
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (cause instanceof ServiceError || cause instanceof ConfigError || code === undefined) throw cause;
    throw new ConfigError(`${file} cannot be written (${code}); choose another file.`, { cause });
  } finally {
    for (const end of ['', ...companions]) rmSync(partial + end, { force: true });
  }
}

const alreadyThere = (file: string): ConfigError =>
  new ConfigError(`${file} exists already; choose another file, or replace it with --force.`);
