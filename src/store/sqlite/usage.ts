import { existsSync } from 'node:fs';
import { periodOf } from '../../contract/periods.ts';
import type { KeyRecord, KeyUse, QuotaTaken, Usage, UsageReading } from '../port/access.ts';
import { createFoldedCounts } from './count-table.ts';
import { countsPath } from './counts-file.ts';
import type { Connection } from './database.ts';
import { isBusy } from './database-errors.ts';
import { createDeferredCounts } from './deferred-counts.ts';
import type { Sqlite } from './driver.ts';
import { COUNT_WAIT_MS, type CountedDatabase, isUnwritable, type OpenCounts, openCounts } from './open-counts.ts';
import { WRITE_WAIT_MS } from './write-lock.ts';

/** No limit, as a number, because comparisons with NULL are never true in SQL. */
const NO_LIMIT = Number.MAX_SAFE_INTEGER;

/** The usage port with its file's maintenance. */
export interface SqliteUsage {
  readonly usage: Usage;
  /** Throws if the file was moved or replaced. */
  ping(): void;
  /** Copies the counts into the database, for backups of it alone. */
  fold(): Promise<void>;
  close(): Promise<void>;
}

interface UsageOptions extends Pick<CountedDatabase, 'now' | 'checkpoints'> {
  readonly identity: () => Promise<string>;
}

/** Counts requests in a separate file. While it is unwritable, requests succeed and counts are deferred in memory. */
export function createUsage({ database, lock }: Connection, { identity, ...options }: UsageOptions): SqliteUsage {
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
    ping: () => file.opened()?.checkMoved(),
    fold: async () => {
      if (file.opened() !== undefined || existsSync(countsPath(database))) await (await file.open()).fold();
    },
    close: async () => {
      if (counted.deferred.areAny()) await file.open().catch(() => undefined);
      await file.opened()?.close();
    },
  };
}

/** The counts file, opened on first use, so that searches alone create none. */
interface FileAccess {
  opened(): OpenCounts | undefined;
  open(): Promise<OpenCounts>;
  /** Uses the file, or the fallback while it cannot be opened or written. */
  use<Result>(use: (counts: OpenCounts) => Result | Promise<Result>, without: () => Result): Promise<Result>;
}

function createFileAccess(counted: CountedDatabase, identity: () => Promise<string>): FileAccess {
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
    use: async (use, without) => {
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

  function takeWritten({ commit, noteUse, table, periodAt }: OpenCounts, key: KeyRecord, address: string | null) {
    const quota = quotaOf(key.id);
    const daily = key.limits.daily ?? NO_LIMIT;
    const monthly = key.limits.monthly ?? NO_LIMIT;
    return commit((at): QuotaTaken => {
      noteUse(key.id, address, at);
      const counted = table.take({ quota, ...periodAt(at) }, { daily, monthly });
      if (counted === undefined) return { isAdmitted: false, ...read(quota, at) };
      return { isAdmitted: true, at, today: counted.today, thisMonth: counted.thisMonth };
    });
  }

  function takeUnwritten({ id, limits }: KeyRecord): QuotaTaken {
    const reading = read(quotaOf(id), now());
    const { at, today, thisMonth } = reading;
    if (today >= (limits.daily ?? NO_LIMIT) || thisMonth >= (limits.monthly ?? NO_LIMIT)) {
      return { isAdmitted: false, ...reading };
    }
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
  return (key) => {
    const known = quotas.get(key);
    if (known !== undefined) return known;
    const quota = select.get(key) as number;
    quotas.set(key, quota);
    return quota;
  };
}
