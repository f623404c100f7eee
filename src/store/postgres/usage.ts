import { type Period, periodOf } from '../../contract/periods.ts';
import type { KeyRecord, KeyUse, Taken, Usage, UsageReading } from '../port/access.ts';
import type { Runner } from '../sql/runner.ts';
import { all, run, runEach, type Steps } from '../sql/steps.ts';

/** Requests counted in one transaction; more wait for the next. */
const GROUP_MAX = 1_000;
/** How often the last use of a key is noted. */
const NOTE_EVERY_MS = 60_000;

/** The count of a key, and of those that it replaced. */
interface Quota extends Counted {
  readonly key: number;
  readonly id: number;
  /** What its keys have written last, in the change log. */
  readonly position: number;
}

interface Counted {
  day: string;
  day_used: number;
  month: string;
  month_used: number;
}

/** One request to be counted, or to be taken back. */
interface Waiting {
  readonly key: KeyRecord;
  count(quota: Quota, at: Date): Taken;
  /** From where the key is used, where this is a use of it. */
  readonly address?: string | null;
  resolve(taken: Taken): void;
  reject(reason: unknown): void;
}

const READ = `SELECT keys.id AS key, quotas.id AS id, day, day_used, month, month_used, coalesce(seq, 0) AS position
  FROM keys JOIN quotas ON quotas.id = keys.quota_id LEFT JOIN quota_positions ON quota_positions.quota_id = quotas.id
  WHERE keys.id IN (SELECT CAST(value AS BIGINT) FROM json_array_elements_text(CAST(? AS JSON)))`;
const LOCKED = `${READ} ORDER BY quotas.id FOR UPDATE OF quotas`;
const KEEP = 'UPDATE quotas SET day = ?, day_used = ?, month = ?, month_used = ? WHERE id = ?';
const NOTE = `UPDATE keys SET last_used_at = ?, last_used_ip = ? WHERE id = ? AND coalesce(last_used_at, '') <= ?`;

/**
 * Counts requests. Those that arrive while others are being counted are counted together: their quotas are locked in
 * one order, numbers are handed out one by one, and each is told when the transaction is durable.
 */
export function createUsage(runner: Runner, now: () => Date): Usage {
  let queue: Waiting[] = [];
  let isCounting = false;

  async function countAll(): Promise<void> {
    isCounting = true;
    while (queue.length > 0) {
      const group = queue.slice(0, GROUP_MAX);
      queue = queue.slice(GROUP_MAX);
      try {
        const taken = await runner.writeShared(countGroup(group, now));
        group.forEach(({ resolve }, index) => {
          resolve(taken[index] as Taken);
        });
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    isCounting = false;
  }

  const enqueue = (waiting: Omit<Waiting, 'resolve' | 'reject'>): Promise<Taken> =>
    new Promise((resolve, reject) => {
      queue.push({ ...waiting, resolve, reject });
      if (!isCounting) void countAll();
    });

  const readAll = async (keys: readonly KeyRecord[]): Promise<KeyUse[]> => {
    const at = now();
    const quotas = await runner.ask(all<Quota>(READ, JSON.stringify(keys.map(({ id }) => id))));
    const byKey = new Map(quotas.map((quota) => [quota.key, quota]));
    // Every key has a count: the schema asks for it.
    return keys.map(({ id, last_used_at, last_used_ip }) => {
      return { ...readingOf(byKey.get(id) as Quota, at), last_used_at, last_used_ip };
    });
  };

  return {
    take: (key, address) => enqueue({ key, address, count: (quota, at) => takeOne(key, quota, at) }),
    giveBack: (key, countedAt) => enqueue({ key, count: (quota, at) => giveOneBack(quota, periodOf(countedAt), at) }),
    read: async (key) => {
      const [reading] = await readAll([key]);
      return reading as KeyUse;
    },
    readAll,
  };
}

function* countGroup(group: readonly Waiting[], now: () => Date): Steps<Taken[]> {
  const ids = new Set(group.map(({ key }) => key.id));
  const quotas = yield* all<Quota>(LOCKED, JSON.stringify([...ids]));
  // Read under the locks, so that of several processes none writes of yesterday after another wrote of today.
  const at = now();
  const byId = new Map(quotas.map((quota) => [quota.id, quota]));
  // Keys that replaced one another share one count.
  const byKey = new Map(quotas.map(({ key, id }) => [key, byId.get(id) as Quota]));
  const taken = group.map(({ key, count }) => count(byKey.get(key.id) as Quota, at));
  yield* runEach(
    KEEP,
    [...byId.values()].map(({ day, day_used, month, month_used, id }) => [day, day_used, month, month_used, id]),
  );
  yield* noteUses(group, at);
  return taken;
}

function* noteUses(group: readonly Waiting[], at: Date): Steps<void> {
  const before = new Date(at.getTime() - NOTE_EVERY_MS).toISOString();
  const noted = new Set<number>();
  for (const { key, address } of group) {
    // What was read with the key spares most requests the statement; the statement decides.
    const isDue = address !== undefined && (key.last_used_at === null || key.last_used_at <= before);
    if (!isDue || noted.has(key.id)) continue;
    noted.add(key.id);
    yield* run(NOTE, at.toISOString(), address, key.id, before);
  }
}

function readingOf(quota: Counted, at: Date): UsageReading {
  const { day, month } = periodOf(at);
  return {
    at,
    today: quota.day === day ? quota.day_used : 0,
    thisMonth: quota.month === month ? quota.month_used : 0,
  };
}

function takeOne({ limits }: KeyRecord, quota: Quota, at: Date): Taken {
  const { today, thisMonth } = readingOf(quota, at);
  const isAdmitted = today < (limits.daily ?? Infinity) && thisMonth < (limits.monthly ?? Infinity);
  if (!isAdmitted) return { isAdmitted, at, today, thisMonth };
  Object.assign(quota, periodOf(at), { day_used: today + 1, month_used: thisMonth + 1 });
  return { isAdmitted, at, today: today + 1, thisMonth: thisMonth + 1, position: quota.position };
}

/** What was counted in a day or month that is over stays. */
function giveOneBack(quota: Counted, { day, month }: Period, at: Date): Taken {
  if (quota.day === day && quota.day_used > 0) quota.day_used -= 1;
  if (quota.month === month && quota.month_used > 0) quota.month_used -= 1;
  return { isAdmitted: true, ...readingOf(quota, at) };
}
