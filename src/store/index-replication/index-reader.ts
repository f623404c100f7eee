import { setTimeout as pause } from 'node:timers/promises';
import { ServiceError } from '../../contract/errors.ts';
import type { SearchModel } from '../records/record-index.ts';
import type { SqlProgram } from '../sql.ts';
import type { Sqlite } from '../sqlite/driver.ts';
import { type IndexFile, type IndexFolder, type Origin, openToRead, type Position } from './index-file.ts';

type Program<Result> = (model: SearchModel) => SqlProgram<Result>;

interface WaitOptions {
  /** Change-log position that must be included. */
  readonly atLeast: number;
  readonly waitMs: number;
  /** Called repeatedly while waiting. */
  readonly notifyUrgently?: () => void;
  /** Aborted when the index closes. */
  readonly closing?: AbortSignal;
}

/** Polling interval of the position. */
const POLL_EVERY_MS = 2;

/**
 * Reads once the index has reached a position.
 * @throws ServiceError `unavailable` on time-out, or when the index closes
 */
export async function readAtPosition<Result>(
  { tryRead }: Pick<IndexReader, 'tryRead'>,
  program: Program<Result>,
  { atLeast, waitMs, notifyUrgently, closing }: WaitOptions,
): Promise<Result> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    if (closing?.aborted) throw indexBehind();
    const found = tryRead(program, atLeast);
    if (found !== undefined) return found.result;
    if (performance.now() > deadline) throw indexBehind();
    notifyUrgently?.();
    await pause(POLL_EVERY_MS);
  }
}

export const indexBehind = (): ServiceError =>
  new ServiceError('unavailable', 'The search index of this machine is not up to date yet; try again later.');

/** Reads the current index file of a folder, following replacements. */
export type IndexReader = ReturnType<typeof createIndexReader>;

export function createIndexReader(folder: IndexFolder, origin: Origin) {
  let stamp: string | undefined;
  let index: IndexFile | undefined;

  /** Keeps the open file if the current one is missing or incomplete. */
  function current(): IndexFile | undefined {
    const now = folder.stamp();
    if (now === undefined || now === stamp) return index;
    const file = folder.current();
    if (file === undefined) return index;
    const opened = openIfReadable(file);
    if (opened === undefined) return index;
    index?.close();
    index = opened;
    stamp = now;
    return index;
  }

  function openIfReadable(file: string): IndexFile | undefined {
    try {
      return openToRead(file, origin);
    } catch (error) {
      if (isUnreadable(error)) folder.discard();
      else if ((error as { code?: unknown }).code !== 'SQLITE_CANTOPEN') throw error;
      return undefined;
    }
  }

  function discard(): undefined {
    index?.close();
    index = undefined;
    stamp = undefined;
    folder.discard();
  }

  /** Undefined if there is no index, or a damaged one, which is discarded. */
  function fromCurrent<Result>(take: (found: IndexFile) => Result): Result | undefined {
    try {
      const found = current();
      return found && take(found);
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      return discard();
    }
  }

  return {
    /** Reads in one snapshot. Undefined if there is no index, or it has not reached the position. */
    tryRead: <Result>(program: Program<Result>, atLeast: number): { readonly result: Result } | undefined =>
      fromCurrent((found) => readAt(found, program, atLeast)),
    position: (): Position | undefined => fromCurrent(({ position }) => position()),
    /** Unpublishes the index, which the follower then rebuilds. */
    discard,
    database: (): Sqlite | undefined => index?.database,
    close: (): void => index?.close(),
  };
}

const readAt = <Result>(
  { atOneMoment, position, runProgram, model }: IndexFile,
  program: Program<Result>,
  atLeast: number,
): { readonly result: Result } | undefined =>
  atOneMoment(() => (position().seq < atLeast ? undefined : { result: runProgram(program(model)) }));

const UNREADABLE = /^SQLITE_(CORRUPT|NOTADB)(_|$)/;

/** Whether an index file is damaged or none, so that it must be rebuilt. */
export const isUnreadable = (error: unknown): boolean => UNREADABLE.test(String((error as { code?: unknown }).code));
