import { closeSync, existsSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { ServiceError } from '../contract/errors.ts';
import { isBusy, isSqliteFault } from '../store/sqlite/driver.ts';
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
  } catch (error) {
    const cause = error as Error;
    const { code }: NodeJS.ErrnoException = cause;
    const fault = diskFaultOf(cause);
    if (fault !== undefined)
      throw new ConfigError(`${file} cannot be completed (${fault}); free some space, or choose another file.`, {
        cause,
      });
    if (cause instanceof ServiceError || cause instanceof ConfigError || code === undefined) throw cause;
    throw new ConfigError(`${file} cannot be written (${code}); choose another file.`, { cause });
  } finally {
    for (const end of ['', ...companions]) rmSync(partial + end, { force: true });
  }
}

/** Why copying a database failed at the disk, such as a full one. */
function diskFaultOf({ cause }: Error): string | undefined {
  return cause instanceof Error && isSqliteFault(cause) && !isBusy(cause) ? cause.message : undefined;
}

const alreadyThere = (file: string): ConfigError =>
  new ConfigError(`${file} exists already; choose another file, or replace it with --force.`);
