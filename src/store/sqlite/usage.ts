import { existsSync } from 'node:fs';
import { type Period, periodOf } from '../../contract/periods.ts';
import type { KeyRecord, Taken, Usage, UsageReading } from '../port/access.ts';
import { type CountTable, createCountTable } from './count-table.ts';
import { countsPath, openCountsFile } from './counts-file.ts';
import { neverWaiting } from './database.ts';
import type { Sqlite } from './driver.ts';
import { createGroupCommit, type GroupCommit } from './group-commit.ts';
import { createLogSync } from './log-sync.ts';
import { createOwedCounts, isOutOfSpace, type OwedCounts } from './owed-counts.ts';
import { createPlaceCheck } from './ping.ts';

/** Stands for no limit in SQL, where a comparison with null is never true. */
const NO_LIMIT = Number.MAX_SAFE_INTEGER;
/** How often the last use of a key is noted. */
const NOTE_EVERY_MS = 60_000;

/** Counts, and what else their file needs. */
export interface SqliteUsage {
  readonly usage: Usage;
  /** Throws when their file is not the one any more that was opened. */
  ping(): void;
  /** Writes the counts into the database itself, for whoever copies that alone. */
  fold(): Promise<void>;
  close(): Promise<void>;
}

/** Opens the file of counts at the first use, so that who only searches has none. */
export function createUsage(
  database: Sqlite,
  { identity, now }: { identity: () => Promise<string>; now: () => Date },
): SqliteUsage {
  const quotaOf = createQuotaFinder(database);
  let opened: OpenCounts | undefined;

  async function open(): Promise<OpenCounts> {
    const owner = await identity();
    opened ??= openCounts(database, { identity: owner, now });
    return opened;
  }

  function read({ table, owed }: OpenCounts, quota: number, at: Date): UsageReading {
    const { today, thisMonth } = table.read({ quota, ...periodOf(at) });
    if (!owed.areAny()) return { at, today, thisMonth };
    const more = owed.of(quota, at);
    return { at, today: today + more.today, thisMonth: thisMonth + more.thisMonth };
  }

  /** Who only reads is answered while nothing can be written. */
  function takeUnwritten(counts: OpenCounts, { id, limits }: KeyRecord): Taken {
    const reading = read(counts, quotaOf(id), now());
    const { at, today, thisMonth } = reading;
    if (today >= (limits.daily ?? NO_LIMIT) || thisMonth >= (limits.monthly ?? NO_LIMIT)) {
      return { isAdmitted: false, ...reading };
    }
    counts.owed.owe(quotaOf(id), at, 1);
    return { isAdmitted: true, at, today: today + 1, thisMonth: thisMonth + 1 };
  }

  const usage: Usage = {
    take: async (key, address) => {
      const counts = opened ?? (await open());
      const quota = quotaOf(key.id);
      const daily = key.limits.daily ?? NO_LIMIT;
      const monthly = key.limits.monthly ?? NO_LIMIT;
      try {
        return await counts.commit((at) => {
          counts.noteUse(key.id, address, at);
          const counted = counts.table.take({ quota, ...counts.periodAt(at) }, { daily, monthly });
          if (counted === undefined) return { isAdmitted: false, ...read(counts, quota, at) };
          return { isAdmitted: true, at, today: counted.today, thisMonth: counted.thisMonth };
        });
      } catch (error) {
        if (!isOutOfSpace(error)) throw error;
        return takeUnwritten(counts, key);
      }
    },
    giveBack: async (key, countedAt) => {
      const counts = opened ?? (await open());
      const quota = quotaOf(key.id);
      try {
        return await counts.commit((at) => {
          counts.table.add({ quota, ...periodOf(countedAt) }, -1);
          return read(counts, quota, at);
        });
      } catch (error) {
        if (!isOutOfSpace(error)) throw error;
        counts.owed.owe(quota, countedAt, -1);
        return read(counts, quota, now());
      }
    },
    read: async (key) => read(opened ?? (await open()), quotaOf(key.id), now()),
    readAll: async (keys) => {
      const counts = opened ?? (await open());
      const at = now();
      return keys.map((key) => {
        const use = counts.table.lastUse(key.id) ?? { at: key.last_used_at, ip: key.last_used_ip };
        return { ...read(counts, quotaOf(key.id), at), last_used_at: use.at, last_used_ip: use.ip };
      });
    },
  };
  return {
    usage,
    ping: () => opened?.checkPlace(),
    fold: async () => {
      if (opened !== undefined || existsSync(countsPath(database))) (await open()).table.fold();
    },
    close: async () => {
      await opened?.close();
    },
  };
}

interface OpenCounts {
  readonly table: CountTable;
  readonly owed: OwedCounts;
  readonly commit: GroupCommit['commit'];
  periodAt(at: Date): Period;
  noteUse(key: number, ip: string | null, at: Date): void;
  checkPlace(): void;
  close(): Promise<void>;
}

function openCounts(database: Sqlite, { identity, now }: { identity: string; now: () => Date }): OpenCounts {
  const file = openCountsFile(database, identity);
  const table = createCountTable(file, database);
  const owed = createOwedCounts(table);
  const log = createLogSync(file);
  const { commit, drained } = createGroupCommit(file, { sync: log.sync, owed, now });
  const foldIfPossible = (): void => {
    try {
      neverWaiting(database, () => table.fold());
    } catch (error) {
      if (!isOutOfSpace(error)) throw error;
    }
  };
  return {
    table,
    owed,
    commit,
    periodAt: createPeriods(),
    noteUse: createUseNoter(table),
    checkPlace: createPlaceCheck(file),
    close: async () => {
      // When there is still no space, or somebody writes for long, the files must be closed all the same.
      if (owed.areAny()) await commit(() => undefined).catch(() => undefined);
      await drained();
      await log.close();
      foldIfPossible();
      file.close();
    },
  };
}

/** Finds the count of a key, which it keeps for good and shares with those that it replaced. */
function createQuotaFinder(database: Sqlite): (key: number) => number {
  const select = database.prepare<[number], number>('SELECT quota_id FROM keys WHERE id = ?').pluck();
  const quotas = new Map<number, number>();
  return (key) => {
    const known = quotas.get(key);
    if (known !== undefined) return known;
    const quota = select.get(key) as number;
    quotas.set(key, quota);
    return quota;
  };
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
function createPeriods(): (at: Date) => Period {
  let latest: { readonly at: Date; readonly period: Period } | undefined;
  return (at) => {
    if (latest?.at !== at) latest = { at, period: periodOf(at) };
    return latest.period;
  };
}
