import {
  type DayCount,
  type LoggedRequest,
  type RequestEntry,
  type RequestLog,
  type RequestQuery,
  STATUS_CLASSES,
} from '../port/request-log.ts';
import type { Sqlite } from './database.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
const KEEP_MS = 30 * DAY_MS;
const ROWS_MAX = 2_000_000;
/** Old requests that go with each batch: more than come, so that the log does not grow. */
const SWEEP_MAX = 2_000;
const DAYS_KEPT = 400;

export function createRequestLog(database: Sqlite): RequestLog {
  const insert = database.prepare(
    `INSERT INTO requests (at, account_id, key_id, request_id, method, route, status, class, ms, code, address)
     SELECT @at, account_id, id, @requestId, @method, @route, @status, @statusClass, @ms, @code, @address
     FROM keys WHERE id = @keyId`,
  );
  const count = database.prepare(
    `INSERT INTO request_days (key_id, day, class, requests, ms) VALUES (@keyId, @day, @statusClass, @requests, @ms)
     ON CONFLICT (key_id, day, class) DO UPDATE SET requests = requests + @requests, ms = ms + @ms`,
  );
  // The oldest have the smallest numbers, so that only those are looked at.
  const sweep = database.prepare(
    `DELETE FROM requests WHERE id < (SELECT min(id) FROM requests) + ${SWEEP_MAX}
       AND (at < ? OR id <= (SELECT max(id) FROM requests) - ${ROWS_MAX})`,
  );
  const sweepDays = database.prepare('DELETE FROM request_days WHERE key_id = ? AND day < ?');
  const perDay = database.prepare<[string, string], DayCount>(
    `SELECT day, key_id, keys.name AS key_name, class AS status_class, requests, ms
     FROM accounts JOIN keys ON keys.account_id = accounts.id JOIN request_days ON key_id = keys.id
     WHERE accounts.name = ? AND day >= ? ORDER BY day, key_id, class`,
  );
  const accountId = database.prepare<[string], number>('SELECT id FROM accounts WHERE name = ?').pluck();
  const list = createLists(database);

  const add = database.transaction((requests: readonly LoggedRequest[]) => {
    for (const request of requests) {
      const statusClass = Math.floor(request.status / 100);
      insert.run({ ...request, at: request.at.toISOString(), statusClass });
    }
    for (const counted of countsOf(requests)) count.run(counted);
    const newest = requests.at(-1)?.at;
    if (newest === undefined) return;
    sweep.run(new Date(newest.getTime() - KEEP_MS).toISOString());
    const oldestDay = new Date(newest.getTime() - DAYS_KEPT * DAY_MS).toISOString().slice(0, 10);
    for (const keyId of new Set(requests.map((request) => request.keyId))) sweepDays.run(keyId, oldestDay);
  });

  return {
    add: async (requests) => add.immediate(requests),
    list: async ({ account, ...query }) => {
      const id = accountId.get(account);
      return id === undefined ? [] : list(id, query);
    },
    perDay: async (account, fromDay) => perDay.all(account, fromDay),
  };
}

/** One row per key, day and class, so that a batch writes few counts. */
function countsOf(requests: readonly LoggedRequest[]) {
  const counts = new Map<string, { keyId: number; day: string; statusClass: number; requests: number; ms: number }>();
  for (const { at, keyId, status, ms } of requests) {
    const day = at.toISOString().slice(0, 10);
    const statusClass = Math.floor(status / 100);
    const place = `${keyId} ${day} ${statusClass}`;
    const count = counts.get(place) ?? { keyId, day, statusClass, requests: 0, ms: 0 };
    counts.set(place, { ...count, requests: count.requests + 1, ms: count.ms + ms });
  }
  return counts.values();
}

/** A list is put together of one list per class, each read from an index: so none reads more rows than it shows. */
function createLists(database: Sqlite) {
  const columns = `requests.id, requests.at, key_id, keys.name AS key_name, request_id, method, route, status, ms, code, address`;
  const statement = (wheres: readonly string[]) => {
    const parts = wheres.map(
      (where) =>
        `SELECT * FROM (SELECT * FROM requests WHERE ${where} AND (@before IS NULL OR id < @before)
           ORDER BY id DESC LIMIT @limit)`,
    );
    return database.prepare<[object], RequestEntry>(
      `SELECT ${columns} FROM (${parts.join(' UNION ALL ')}) AS requests JOIN keys ON keys.id = key_id
       ORDER BY requests.id DESC LIMIT @limit`,
    );
  };
  const classes = [undefined, ...STATUS_CLASSES];
  const placed = (where: string) =>
    new Map(
      classes.map((one) => [one, statement((one ? [one] : STATUS_CLASSES).map((c) => `${where} AND class = ${c}`))]),
    );
  const ofAccount = placed('account_id = @accountId');
  const ofKey = placed('key_id = @keyId AND account_id = @accountId');
  const byRequest = statement(['request_id = @requestId AND account_id = @accountId']);
  return (accountId: number, { keyId, requestId, statusClass, before = null, limit }: ListQuery) => {
    const values = { accountId, keyId, requestId, before, limit };
    if (requestId !== undefined) return byRequest.all(values);
    const statements = keyId === undefined ? ofAccount : ofKey;
    return statements.get(statusClass)?.all(values) ?? [];
  };
}

type ListQuery = Omit<RequestQuery, 'account' | 'before'> & { readonly before?: number | null | undefined };
