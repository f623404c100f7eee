import { type CountingPeriod, periodOf } from '../../contract/periods.ts';
import type { Checkpoints } from './checkpoints.ts';
import { type CountTable, createCountTable, type FoldedCounts } from './count-table.ts';
import { openCountsFile } from './counts-file.ts';
import { isNewerSchema } from './database.ts';
import { isBusy, isOutOfSpace } from './database-errors.ts';
import type { DeferredCounts } from './deferred-counts.ts';
import type { Sqlite } from './driver.ts';
import { createGroupCommit, type GroupCommit } from './group-commit.ts';
import { createLogSync } from './log-sync.ts';
import { createMovedFileCheck } from './moved-file-check.ts';
import type { WriteLock } from './write-lock.ts';

/** Lock time-out of a request's count: longer than any count takes, so that limits hold across processes. */
export const COUNT_WAIT_MS = 250;
/** Interval of recording the last use of a key. */
const NOTE_EVERY_MS = 60_000;

/** The open counts file. */
export interface OpenCounts {
  readonly table: CountTable;
  readonly commit: GroupCommit['commit'];
  periodAt(at: Date): CountingPeriod;
  noteUse(key: number, ip: string | null, at: Date): void;
  checkMoved(): void;
  /** Writes deferred counts once no other process holds the file. Rejects on time-out. */
  writeDeferred(): Promise<void>;
  /** Copies the counts into the database. */
  fold(waitMs?: number): Promise<void>;
  close(): Promise<void>;
}

/** Dependencies of counts. */
export interface CountedDatabase {
  readonly database: Sqlite;
  readonly lock: WriteLock;
  readonly folded: FoldedCounts;
  readonly deferred: DeferredCounts;
  readonly checkpoints: Checkpoints;
  readonly now: () => Date;
}

/** @param waitMs lock time-out */
export async function openCounts(counted: CountedDatabase, identity: string, waitMs: number): Promise<OpenCounts> {
  const { folded, deferred, now } = counted;
  const { database: file, lock } = await openCountsFile(counted.database, identity, waitMs);
  counted.checkpoints.watch(file);
  const table = createCountTable(file, folded);
  const log = createLogSync(file);
  const writing = { write: () => deferred.write(table), keep: deferred.keep, takeBack: deferred.takeBack };
  const group = createGroupCommit(lock, { sync: log.sync, owed: writing, now, waitMs: COUNT_WAIT_MS });
  const writeDeferred = async (): Promise<void> => {
    try {
      await lock.transact(writing.write);
      writing.keep();
    } catch (error) {
      writing.takeBack();
      throw error;
    }
  };
  const fold = (foldWaitMs?: number): Promise<void> => counted.lock.transact(table.fold, foldWaitMs);
  return {
    table,
    commit: group.commit,
    periodAt: createPeriods(),
    noteUse: createUseNoter(table),
    checkMoved: createMovedFileCheck(file),
    writeDeferred,
    fold,
    close: async () => {
      await group.drained();
      // Close the files even if this fails for lack of space, a lock or a changed schema; the counts stay in their file.
      if (deferred.areAny()) await writeDeferred().catch(() => undefined);
      await log.close();
      await fold(0).catch(unlessRefused);
      file.close();
    },
  };
}

/** Whether reading may work although writing fails. */
export const isUnwritable = (error: unknown): boolean => isBusy(error) || isOutOfSpace(error);

function unlessRefused(error: unknown): void {
  if (!isUnwritable(error) && !isNewerSchema(error)) throw error;
}

/** Records the use of each key once a minute, so that not every request writes it. */
function createUseNoter(table: CountTable): OpenCounts['noteUse'] {
  const noted = new Map<number, number>();
  return (key, ip, at) => {
    const noteBefore = at.getTime() - NOTE_EVERY_MS;
    if ((noted.get(key) ?? -Infinity) > noteBefore) return;
    noted.set(key, at.getTime());
    table.use({ key, at: at.toISOString(), ip }, new Date(noteBefore).toISOString());
  };
}

/** The period of a time; requests of a group share one time. */
function createPeriods(): (at: Date) => CountingPeriod {
  let latest: { readonly at: Date; readonly period: CountingPeriod } | undefined;
  return (at) => {
    if (latest?.at !== at) latest = { at, period: periodOf(at) };
    return latest.period;
  };
}
