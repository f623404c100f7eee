import { closeSync, existsSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { ServiceError } from '../contract/errors.ts';
import { ConfigError } from './config.ts';

interface NewFile {
  readonly file: string;
  /** Whether a file that is there may be replaced. */
  readonly isForced: boolean;
  readonly mode: number;
  /** Ends of the names of what may be left beside the file while it is written. */
  readonly companions?: readonly string[];
}

/** Refuses a file that is there, unless it may be replaced; never a folder or a device. */
export function checkTarget(file: string, isForced: boolean): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isFile()) throw new ConfigError(`${file} is not a file; choose another.`);
  if (!isForced) throw alreadyThere(file);
}

/** Writes a file that gets its name when it is whole, so that a file of that name is always a good one. */
export async function writeWhole<Result>(
  { file, isForced, mode, companions = [] }: NewFile,
  write: (partial: string) => Promise<Result>,
): Promise<Result> {
  const partial = `${file}.partial-${process.pid}`;
  try {
    // Made before anything is in it, so that nobody reads it who may not.
    closeSync(openSync(partial, 'wx', mode));
    const result = await write(partial);
    // Looked at again, because writing takes its time. A link would be surer, but not every disk has links.
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
  new ConfigError(`${file} is there already; choose another file, or replace it with --force.`);
