import { type CountingPeriod, periodOf } from '../../contract/periods.ts';
import type { Checkpoints } from './checkpoints.ts';
import { type CountTable, createCountTable, type FoldedCounts } from './count-table.ts';
import { openCountsFile } from './counts-file.ts';
import { isNewerSchema } from './database.ts';
import { isBusy, isOutOfSpace } from './database-errors.ts';
import type { Sqlite } from './driver.ts';
import { createGroupCommit, type GroupCommit } from './group-commit.ts';
import { createLogSync } from './log-sync.ts';
import type { OwedCounts } from './owed-counts.ts';
import { createPlaceCheck } from './place-check.ts';
import type { WriteLock } from './write-lock.ts';

/** How long a request waits for another process's count. Longer than any takes, so that limits hold over all processes. */
export const COUNT_WAIT_MS = 250;
/** How often the last use of a key is noted. */
const NOTE_EVERY_MS = 60_000;

/** The file of counts, open. */
export interface OpenCounts {
  readonly table: CountTable;
  readonly commit: GroupCommit['commit'];
  periodAt(at: Date): CountingPeriod;
  noteUse(key: number, ip: string | null, at: Date): void;
  checkPlace(): void;
  /** Writes what is owed as soon as no other process holds the file; rejects when one does for too long. */
  writeOwed(): Promise<void>;
  /** Writes the counts into the database itself. */
  fold(waitMs?: number): Promise<void>;
  close(): Promise<void>;
}

/** What counts belong to. */
export interface CountedDatabase {
  readonly database: Sqlite;
  readonly lock: WriteLock;
  readonly folded: FoldedCounts;
  readonly owed: OwedCounts;
  readonly checkpoints: Checkpoints;
  readonly now: () => Date;
}

/** @param waitMs how long to wait for another process that holds the file */
export async function openCounts(counted: CountedDatabase, identity: string, waitMs: number): Promise<OpenCounts> {
  const { folded, owed, now } = counted;
  const { database: file, lock } = await openCountsFile(counted.database, identity, waitMs);
  counted.checkpoints.watch(file);
  const table = createCountTable(file, folded);
  const log = createLogSync(file);
  const writing = { write: () => owed.write(table), keep: owed.keep, takeBack: owed.takeBack };
  const group = createGroupCommit(lock, { sync: log.sync, owed: writing, now, waitMs: COUNT_WAIT_MS });
  const writeOwed = async (): Promise<void> => {
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
    checkPlace: createPlaceCheck(file),
    writeOwed,
    fold,
    close: async () => {
      await group.drained();
      // When there is still no space, another process writes for long, or the schema is not ours any more, the files must be
      // closed all the same; the counts stay in their file.
      if (owed.areAny()) await writeOwed().catch(() => undefined);
      await log.close();
      await fold(0).catch(unlessRefused);
      file.close();
    },
  };
}

/** Whether something can be read although it cannot be written. */
export const isUnwritable = (error: unknown): boolean => isBusy(error) || isOutOfSpace(error);

function unlessRefused(error: unknown): void {
  if (!isUnwritable(error) && !isNewerSchema(error)) throw error;
}

/** Notes uses of keys, each once a minute, so that not every request writes its own. */
function createUseNoter(table: CountTable): OpenCounts['noteUse'] {
  const noted = new Map<number, number>();
  return (key, ip, at) => {
    const noteBefore = at.getTime() - NOTE_EVERY_MS;
    if ((noted.get(key) ?? -Infinity) > noteBefore) return;
    noted.set(key, at.getTime());
    table.use({ key, at: at.toISOString(), ip }, new Date(noteBefore).toISOString());
  };
}

/** The period of a moment; all of a group are given one moment. */
function createPeriods(): (at: Date) => CountingPeriod {
  let latest: { readonly at: Date; readonly period: CountingPeriod } | undefined;
  return (at) => {
    if (latest?.at !== at) latest = { at, period: periodOf(at) };
    return latest.period;
  };
}
