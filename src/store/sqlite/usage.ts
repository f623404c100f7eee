import { existsSync } from 'node:fs';
import { type CountingPeriod, periodOf } from '../../contract/periods.ts';
import { cached } from '../cached.ts';
import {
  type KeyRecord,
  type KeyUse,
  type QuotaTaken,
  USE_RECORDED_EVERY_MS,
  type Usage,
  type UsageReading,
} from '../port/access.ts';
import type { Checkpoints } from './checkpoints.ts';
import {
  type CountTable,
  countsPath,
  createCountTable,
  createFoldedCounts,
  type FoldedCounts,
  openCountsFile,
} from './counts-file.ts';
import { type Connection, createMovedFileCheck, isNewerSchema } from './database.ts';
import { isBusy, isOutOfSpace, type Sqlite } from './driver.ts';
import { createGroupCommit, createLogSync } from './group-commit.ts';
import { WRITE_WAIT_MS, type WriteLock } from './write-lock.ts';

/** Requests of a quota and day counted in memory only; negative for refunds. */
interface DeferredIncrement extends CountingPeriod {
  readonly quota: number;
  readonly by: number;
}

/** Counts not yet written because of a full disk or a lock; lost if the process ends before they are. */
type DeferredCounts = ReturnType<typeof createDeferredCounts>;

function createDeferredCounts() {
  let owed: readonly DeferredIncrement[] = [];
  let written: readonly DeferredIncrement[] = [];

  return {
    areAny: (): boolean => owed.length > 0,
    add: (quota: number, at: Date, by: number): void => {
      const period = periodOf(at);
      const same = owed.find((each) => each.quota === quota && each.day === period.day);
      owed = [...owed.filter((each) => each !== same), { quota, ...period, by: by + (same?.by ?? 0) }];
    },
    of: (quota: number, at: Date): { today: number; thisMonth: number } => {
      const { day, month } = periodOf(at);
      const own = owed.filter((each) => each.quota === quota);
      return {
        today: sum(own.filter((each) => each.day === day)),
        thisMonth: sum(own.filter((each) => each.month === month)),
      };
    },
    /** Writes all of them in the current transaction, which must be given to `settle`. */
    write: (table: Pick<CountTable, 'add'>): void => {
      if (owed.length === 0) return;
      for (const { by, ...counted } of owed) table.add(counted, by);
      written = owed;
      owed = [];
    },
    /** Takes back what a transaction wrote if it fails. */
    settle: async <Result>(transaction: Promise<Result>): Promise<Result> => {
      try {
        return await transaction;
      } catch (error) {
        owed = [...written, ...owed];
        throw error;
      } finally {
        written = [];
      }
    },
  };
}

const sum = (owed: readonly DeferredIncrement[]): number => owed.reduce((total, { by }) => total + by, 0);

/** No limit, as a number, because comparisons with NULL are never true in SQL. */
const NO_LIMIT = Number.MAX_SAFE_INTEGER;

export type SqliteUsage = ReturnType<typeof createUsage>;

interface UsageOptions extends Pick<CountedDatabase, 'now' | 'checkpoints'> {
  readonly identity: () => Promise<string>;
}

/** Counts requests in a separate file. While it is unwritable, requests succeed and counts are deferred in memory. */
export function createUsage({ database, lock }: Connection, { identity, ...options }: UsageOptions) {
  const counted = {
    database,
    lock,
    ...options,
    folded: createFoldedCounts(database),
    deferred: createDeferredCounts(),
  };
  const file = createFileAccess(counted, identity);
  const usage = createCounting(counted, file);
  return {
    usage,
    /** Throws if the file was moved or replaced. */
    ping: (): void => file.opened()?.checkMoved(),
    /** Copies the counts into the database, for backups of it alone. */
    fold: async (): Promise<void> => {
      if (file.opened() !== undefined || existsSync(countsPath(database))) await (await file.open()).fold();
    },
    close: async (): Promise<void> => {
      if (counted.deferred.areAny()) await file.open().catch(() => undefined);
      await file.opened()?.close();
    },
  };
}

/** The counts file, opened on first use, so that searches alone create none. */
type FileAccess = ReturnType<typeof createFileAccess>;

function createFileAccess(counted: CountedDatabase, identity: () => Promise<string>) {
  let opened: OpenCounts | undefined;
  let opening: Promise<OpenCounts> | undefined;
  let isHeld = false;

  async function openFile(waitMs: number): Promise<OpenCounts> {
    try {
      opened = await openCounts(counted, await identity(), waitMs);
      return opened;
    } finally {
      opening = undefined;
    }
  }

  async function open(waitMs: number): Promise<OpenCounts> {
    if (opened !== undefined) return opened;
    opening ??= openFile(waitMs);
    return opening;
  }

  /** Waits in the background for another process that holds the file; then writes deferred counts. */
  async function waitForFile(): Promise<void> {
    if (isHeld) return;
    isHeld = true;
    try {
      await (await open(WRITE_WAIT_MS)).writeDeferred();
    } catch {
      // The next request retries, and reports other errors.
    } finally {
      isHeld = false;
    }
  }

  return {
    opened: () => opened,
    open: () => open(WRITE_WAIT_MS),
    /** Uses the file, or the fallback while it cannot be opened or written. */
    use: async <Result>(
      use: (counts: OpenCounts) => Result | Promise<Result>,
      without: () => Result,
    ): Promise<Result> => {
      if (isHeld) return without();
      try {
        return await use(opened ?? (await open(COUNT_WAIT_MS)));
      } catch (error) {
        if (!isUnwritable(error)) throw error;
        if (isBusy(error)) void waitForFile();
        return without();
      }
    },
  };
}

function createCounting({ database, folded, deferred, now }: CountedDatabase, file: FileAccess): Usage {
  const quotaOf = createQuotaFinder(database);

  function read(quota: number, at: Date): UsageReading {
    const { today, thisMonth } = (file.opened()?.table ?? folded).read({ quota, ...periodOf(at) });
    if (!deferred.areAny()) return { at, today, thisMonth };
    const more = deferred.of(quota, at);
    return { at, today: today + more.today, thisMonth: thisMonth + more.thisMonth };
  }

  function readUse({ id, last_used_at, last_used_ip }: KeyRecord, at: Date): KeyUse {
    const use = file.opened()?.table.lastUse(id) ?? { at: last_used_at, ip: last_used_ip };
    return { ...read(quotaOf(id), at), last_used_at: use.at, last_used_ip: use.ip };
  }

  function takeWritten({ commit, recordUse, table, periodAt }: OpenCounts, key: KeyRecord, address: string | null) {
    const quota = quotaOf(key.id);
    const daily = key.limits.daily ?? NO_LIMIT;
    const monthly = key.limits.monthly ?? NO_LIMIT;
    return commit((at): QuotaTaken => {
      recordUse(key.id, address, at);
      const counted = table.take({ quota, ...periodAt(at) }, { daily, monthly });
      if (counted === undefined) return { isAdmitted: false, ...read(quota, at) };
      return { isAdmitted: true, at, today: counted.today, thisMonth: counted.thisMonth };
    });
  }

  function takeUnwritten({ id, limits }: KeyRecord): QuotaTaken {
    const reading = read(quotaOf(id), now());
    const { at, today, thisMonth } = reading;
    if (today >= (limits.daily ?? NO_LIMIT) || thisMonth >= (limits.monthly ?? NO_LIMIT))
      return { isAdmitted: false, ...reading };
    deferred.add(quotaOf(id), at, 1);
    return { isAdmitted: true, at, today: today + 1, thisMonth: thisMonth + 1 };
  }

  return {
    take: (key, address) =>
      file.use(
        (counts) => takeWritten(counts, key, address),
        () => takeUnwritten(key),
      ),
    giveBack: (key, countedAt) => {
      const quota = quotaOf(key.id);
      const write = ({ commit, table }: OpenCounts): Promise<UsageReading> =>
        commit((at) => {
          table.add({ quota, ...periodOf(countedAt) }, -1);
          return read(quota, at);
        });
      return file.use(write, () => {
        deferred.add(quota, countedAt, -1);
        return read(quota, now());
      });
    },
    read: (key) => {
      const readNow = (): UsageReading => read(quotaOf(key.id), now());
      return file.use(readNow, readNow);
    },
    readAll: (keys) => {
      const at = now();
      const readNow = (): KeyUse[] => keys.map((key) => readUse(key, at));
      return file.use(readNow, readNow);
    },
  };
}

/** The quota of a key, which is permanent and shared with its predecessors; cached. */
function createQuotaFinder(database: Sqlite): (key: number) => number {
  const select = database.prepare<[number], number>('SELECT quota_id FROM keys WHERE id = ?').pluck();
  const quotas = new Map<number, number>();
  return (key) => cached(quotas, key, () => select.get(key) as number);
}

/** Lock time-out of counting a request: longer than any count takes, so that limits hold across processes. */
const COUNT_WAIT_MS = 250;
type OpenCounts = Awaited<ReturnType<typeof openCounts>>;

interface CountedDatabase {
  readonly database: Sqlite;
  readonly lock: WriteLock;
  readonly folded: FoldedCounts;
  readonly deferred: DeferredCounts;
  readonly checkpoints: Checkpoints;
  readonly now: () => Date;
}

/** @param waitMs lock time-out */
async function openCounts(counted: CountedDatabase, identity: string, waitMs: number) {
  const { folded, deferred, now } = counted;
  const { database: file, lock } = await openCountsFile(counted.database, identity, waitMs);
  counted.checkpoints.watch(file);
  const table = createCountTable(file, folded);
  const log = createLogSync(file);
  const writing = { write: () => deferred.write(table), settle: deferred.settle };
  const group = createGroupCommit(lock, { sync: log.sync, owed: writing, now, waitMs: COUNT_WAIT_MS });
  /** Writes deferred counts once no other process holds the file. Rejects on time-out. */
  const writeDeferred = (): Promise<void> => writing.settle(lock.transact(writing.write));
  const fold = (foldWaitMs?: number): Promise<void> => counted.lock.transact(table.fold, foldWaitMs);
  return {
    table,
    commit: group.commit,
    periodAt: createPeriods(),
    recordUse: createUseRecorder(table),
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
const isUnwritable = (error: unknown): boolean => isBusy(error) || isOutOfSpace(error);

function unlessRefused(error: unknown): void {
  if (!isUnwritable(error) && !isNewerSchema(error)) throw error;
}

/** Records the use of each key once a minute, so that not every request writes it. */
function createUseRecorder(table: CountTable): (key: number, ip: string | null, at: Date) => void {
  const noted = new Map<number, number>();
  return (key, ip, at) => {
    const noteBefore = at.getTime() - USE_RECORDED_EVERY_MS;
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
