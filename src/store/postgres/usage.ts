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
import { all, allLists, type Runner, runEach, type SqlProgram } from '../sql.ts';
import { isUseDue, type KeyCache, REVISION } from './key-cache.ts';
import { tryLockSql } from './pool.ts';
import { isNewerSchema, NEWER_SCHEMA_SQL, newerSchema } from './schema.ts';

/** Beyond any count. */
const UNLIMITED = Number.MAX_SAFE_INTEGER;
/** Maximum requests per statement; more wait for the next. */
const GROUP_MAX = 1_000;

/** Counters shared by a key and its predecessors. */
interface Quota {
  readonly key: number;
  readonly day: string;
  readonly day_used: number;
  readonly month: string;
  readonly month_used: number;
}

interface PendingCount {
  readonly key: KeyRecord;
  /** Address, if the request is a use of the key. */
  readonly address?: string | null;
  /** Time at which a refunded request was counted. */
  readonly countedAt?: Date;
  resolve(taken: QuotaTaken): void;
  reject(reason: unknown): void;
}

/** Requests of one quota in one statement row: takes with the same key revision, or refunds of one day. */
interface Batch {
  readonly quota: number;
  readonly takes: PendingCount[];
  readonly backs: PendingCount[];
}

interface Row {
  readonly quota: number;
  readonly day: string;
  readonly month: string;
  /** Count before the admitted requests. */
  readonly today: number;
  readonly this_month: number;
  readonly admitted: number;
  /** Whether the key still has its cached revision. */
  readonly is_same: boolean;
  /** Change-log position of the last write of its keys. */
  readonly position: number;
}

/** As an array, for the planner expects many rows of a subquery and would read all keys. */
const IDS = 'ARRAY(SELECT CAST(value AS BIGINT) FROM json_array_elements_text(CAST(? AS JSON)))';
const READ = `SELECT keys.id AS key, day, day_used, month, month_used
  FROM keys JOIN quotas ON quotas.id = keys.quota_id WHERE keys.id = ANY (${IDS})`;
const QUOTAS_OF = `SELECT id, quota_id FROM keys WHERE id = ANY (${IDS})`;
const NOTE = `UPDATE keys SET last_used_at = ?, last_used_ip = ? WHERE id = ? AND coalesce(last_used_at, '') <= ?`;

const ASKED = `quota BIGINT, key BIGINT, revision TEXT, day TEXT COLLATE "C", month TEXT COLLATE "C", daily BIGINT,
  monthly BIGINT, takes BIGINT, backs BIGINT, back_day TEXT COLLATE "C", back_month TEXT COLLATE "C"`;
const IS_SAME = `revision IS NULL OR coalesce(revision = (SELECT ${REVISION}
  FROM keys JOIN accounts ON accounts.id = keys.account_id WHERE keys.id = asked.key), FALSE)`;
/** A count of a day or month after refunds of that period. */
const usedOf = (unit: 'day' | 'month') => `CASE WHEN quotas.${unit} < asked.${unit} THEN 0
  WHEN quotas.${unit} = back_${unit} THEN greatest(0, ${unit}_used - backs) ELSE ${unit}_used END`;

/**
 * Counts in one statement, locking quotas in a fixed order to avoid deadlocks. A day or month begun by another process
 * stays begun. Counts nothing for a stale key. Returns no rows during a migration. The planner expects hundreds of quotas,
 * so each is looked up by a subquery or an array: joined, all quotas would be read.
 */
const COUNT = `WITH current AS MATERIALIZED (
    SELECT ${tryLockSql('schema')} AS is_free FROM (${NEWER_SCHEMA_SQL}) AS known(is_known) WHERE is_known = 1),
  asked AS MATERIALIZED (
    SELECT asked.*, ${IS_SAME} AS is_same
    FROM current CROSS JOIN json_to_recordset(CAST(? AS JSON)) AS asked(${ASKED}) WHERE is_free ORDER BY quota),
  counted AS MATERIALIZED (
    SELECT locked.*, CASE WHEN is_same THEN greatest(0, least(takes, daily - today, monthly - this_month)) ELSE 0 END AS admitted,
      is_same, backs
    FROM asked CROSS JOIN LATERAL (
      SELECT quotas.id, greatest(quotas.day, asked.day) AS day, greatest(quotas.month, asked.month) AS month,
        ${usedOf('day')} AS today, ${usedOf('month')} AS this_month
      FROM quotas WHERE quotas.id = asked.quota FOR UPDATE OF quotas) AS locked),
  kept AS (
    UPDATE quotas SET day = counted.day, day_used = today + admitted, month = counted.month,
      month_used = this_month + admitted
    FROM counted WHERE quotas.id = counted.id AND (admitted > 0 OR backs > 0)
      AND quotas.id = ANY (ARRAY(SELECT id FROM counted)))
  SELECT counted.id AS quota, day, month, today, this_month, admitted, is_same,
    coalesce((SELECT seq FROM quota_positions WHERE quota_id = counted.id), 0) AS position
  FROM counted`;

/**
 * The usual case of COUNT as one look-up and update: takes of one quota whose day and month have begun and whose limits
 * admit all of them. In every other case, a stale key or a migration among them, it counts nothing and returns no row.
 */
const COUNT_PLAIN = `UPDATE quotas SET day_used = day_used + takes, month_used = month_used + takes
  FROM (SELECT CAST(? AS BIGINT) AS takes, CAST(? AS TEXT) AS revision) AS asked
  WHERE quotas.id = ? AND day = ? AND month = ? AND day_used <= ? AND month_used <= ?
    AND (revision IS NULL OR revision = (SELECT ${REVISION}
      FROM keys JOIN accounts ON accounts.id = keys.account_id WHERE keys.id = ?))
    AND (${NEWER_SCHEMA_SQL}) = 1 AND ${tryLockSql('schema')}
  RETURNING day_used - takes, month_used - takes,
    coalesce((SELECT seq FROM quota_positions WHERE quota_id = quotas.id), 0)`;

/** Group commit: requests during a statement share the next one; each resolves when its statement is durable. */
export function createUsage(runner: Runner, keyCache: KeyCache, now: () => Date): Usage {
  let queue: PendingCount[] = [];
  let isCounting = false;
  const quotaOf = createQuotaFinder(runner);
  const count = createCounting(runner, keyCache, now);

  async function countAll(): Promise<void> {
    isCounting = true;
    while (queue.length > 0) {
      const waiting = queue.slice(0, GROUP_MAX);
      queue = queue.slice(GROUP_MAX);
      try {
        const { batches, left } = batched(waiting, await quotaOf(waiting), keyCache);
        queue = [...left, ...queue];
        await count(batches).catch((error: unknown) => {
          for (const { reject } of batches.flatMap(({ takes, backs }) => [...takes, ...backs])) reject(error);
        });
      } catch (error) {
        for (const { reject } of waiting) reject(error);
      }
    }
    isCounting = false;
  }

  const enqueue = (waiting: Omit<PendingCount, 'resolve' | 'reject'>): Promise<QuotaTaken> =>
    new Promise((resolve, reject) => {
      queue.push({ ...waiting, resolve, reject });
      if (!isCounting) void countAll();
    });

  const readAll = async (keys: readonly KeyRecord[]): Promise<KeyUse[]> => {
    const at = now();
    const quotas = await runner.query(all<Quota>(READ, JSON.stringify(keys.map(({ id }) => id))));
    const byKey = new Map(quotas.map((quota) => [quota.key, quota]));
    // The schema guarantees a counter for every key.
    return keys.map(({ id, last_used_at, last_used_ip }) => {
      return { ...readingOf(byKey.get(id) as Quota, at), last_used_at, last_used_ip };
    });
  };

  return {
    take: (key, address) => enqueue({ key, address }),
    giveBack: (key, countedAt) => enqueue({ key, countedAt }),
    read: async (key) => {
      const [reading] = await readAll([key]);
      return reading as KeyUse;
    },
    readAll,
  };
}

/** Finds the quota of each key, which is permanent and shared with its predecessors; cached. */
function createQuotaFinder(runner: Runner): (waiting: readonly PendingCount[]) => Promise<ReadonlyMap<number, number>> {
  const quotas = new Map<number, number>();
  return async (waiting) => {
    const unknown = new Set(waiting.map(({ key }) => key.id).filter((id) => !quotas.has(id)));
    if (unknown.size === 0) return quotas;
    const rows = await runner.query(allLists<[number, number]>(QUOTAS_OF, JSON.stringify([...unknown])));
    for (const [key, quota] of rows) quotas.set(key, quota);
    return quotas;
  };
}

/** Groups waiting requests into one batch per quota; the others stay queued in order. */
function batched(waiting: readonly PendingCount[], quotas: ReadonlyMap<number, number>, keyCache: KeyCache) {
  const byQuota = new Map<number, Batch>();
  const remaining: PendingCount[] = [];
  for (const each of waiting) {
    const quota = quotas.get(each.key.id) as number;
    const batch = cached(byQuota, quota, (): Batch => ({ quota, takes: [], backs: [] }));
    const { countedAt } = each;
    const [together, [first]] = countedAt === undefined ? [batch.takes, batch.takes] : [batch.backs, batch.backs];
    const isAlike =
      first === undefined || (countedAt === undefined ? isSameKey(first, each, keyCache) : isSameDay(first, each));
    (isAlike ? together : remaining).push(each);
  }
  return { batches: [...byQuota.values()], left: remaining };
}

function isSameKey({ key: one }: PendingCount, { key: other }: PendingCount, { revisionOf }: KeyCache): boolean {
  const { daily, monthly } = one.limits;
  const revision = revisionOf(one);
  if (revision !== revisionOf(other) || (revision !== undefined && one.id !== other.id)) return false;
  return daily === other.limits.daily && monthly === other.limits.monthly;
}

const isSameDay = (one: PendingCount, other: PendingCount): boolean => backOf(one)?.day === backOf(other)?.day;

/** The period to refund. */
const backOf = ({ countedAt }: PendingCount): CountingPeriod | undefined => countedAt && periodOf(countedAt);

function createCounting(
  runner: Runner,
  keyCache: KeyCache,
  now: () => Date,
): (batches: readonly Batch[]) => Promise<void> {
  return async (batches) => {
    const at = now();
    await noteUses(runner, batches, at);
    const counted = await countRows(runner, batches, { keyCache, period: periodOf(at) }).catch((error: unknown) => {
      throw isNewerSchema(error) ? newerSchema(error) : error;
    });
    const byQuota = new Map(counted.map((row) => [row.quota, row]));
    for (const batch of batches) {
      const row = byQuota.get(batch.quota) as Row;
      if (!row.is_same) for (const { key } of batch.takes) keyCache.forget(key);
      resolveBatch(batch, row, { at, now });
    }
  };
}

async function countRows(
  runner: Runner,
  batches: readonly Batch[],
  { keyCache, period }: { readonly keyCache: KeyCache; readonly period: CountingPeriod },
): Promise<readonly Row[]> {
  const [batch] = batches;
  if (batch !== undefined && batches.length === 1 && batch.backs.length === 0) {
    const row = await runner.query(countPlain(batch, keyCache, period));
    if (row !== undefined) return [row];
  }
  const payload = JSON.stringify(batches.map((each) => parametersOf(each, keyCache, period)));
  const rows = await runner.query(all<Row>(COUNT, payload));
  // A migration is in progress: waits for it, and fails if the schema is now newer.
  return rows.length > 0 ? rows : runner.groupedTransaction(all<Row>(COUNT, payload));
}

function* countPlain(
  { quota, takes }: Batch,
  { revisionOf }: KeyCache,
  { day, month }: CountingPeriod,
): SqlProgram<Row | undefined> {
  const { key } = takes[0] as PendingCount;
  const admitted = takes.length;
  const [daily, monthly] = [key.limits.daily, key.limits.monthly].map((limit) => (limit ?? UNLIMITED) - admitted);
  const counted = [admitted, revisionOf(key) ?? null, quota, day, month, daily as number, monthly as number, key.id];
  const [row] = yield* allLists<[number, number, number]>(COUNT_PLAIN, ...counted);
  if (row === undefined) return undefined;
  const [today, this_month, position] = row;
  return { quota, day, month, today, this_month, admitted, is_same: true, position };
}

function parametersOf({ quota, takes, backs }: Batch, cache: KeyCache, { day, month }: CountingPeriod): object {
  const { revisionOf } = cache;
  const key = takes[0]?.key;
  const known = key && { key: key.id, revision: revisionOf(key), ...key.limits };
  const back = backs[0] && backOf(backs[0]);
  const refunds = { backs: backs.length, back_day: back?.day, back_month: back?.month };
  return { quota, day, month, ...known, takes: takes.length, ...refunds };
}

/** Before counting, because counts are acknowledged at once. */
async function noteUses(runner: Runner, batches: readonly Batch[], at: Date): Promise<void> {
  const before = new Date(at.getTime() - USE_RECORDED_EVERY_MS).toISOString();
  const due = new Map<number, string | null>();
  for (const { key, address = null } of batches.flatMap(({ takes }) => takes)) {
    // The key's cached last use avoids most statements; the statement decides.
    if (isUseDue(key, at) && !due.has(key.id)) due.set(key.id, address);
  }
  if (due.size === 0) return;
  const each = [...due].sort(([one], [other]) => one - other);
  await runner.groupedTransaction(
    runEach(
      NOTE,
      each.map(([key, address]) => [at.toISOString(), address, key, before]),
    ),
  );
}

function resolveBatch({ takes, backs }: Batch, row: Row, { at: asked, now }: { at: Date; now: () => Date }): void {
  const { today, this_month: thisMonth, admitted, position, is_same } = row;
  const { day, month } = periodOf(asked);
  // Another process counted in the next day, which began while this one waited.
  const at = row.day > day || row.month > month ? now() : asked;
  for (const { resolve } of backs) resolve({ isAdmitted: true, at, today, thisMonth });
  takes.forEach(({ resolve }, index) => {
    const isAdmitted = index < admitted;
    const more = isAdmitted ? index + 1 : admitted;
    resolve({
      isAdmitted,
      at,
      today: today + more,
      thisMonth: thisMonth + more,
      ...(isAdmitted && { position }),
      isStale: !is_same,
    });
  });
}

function readingOf(quota: Quota, at: Date): UsageReading {
  const { day, month } = periodOf(at);
  return {
    at,
    today: quota.day === day ? quota.day_used : 0,
    thisMonth: quota.month === month ? quota.month_used : 0,
  };
}
