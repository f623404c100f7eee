import { DAY_MS, utcDay } from '../../contract/periods.ts';
import {
  type DayCount,
  type LoggedRequest,
  type RequestEntry,
  type RequestLog,
  type RequestQuery,
  STATUS_CLASSES,
} from '../port/request-log.ts';
import { all, type Runner, run, runEach, type SqlProgram, type Value } from '../sql.ts';
import { keyTable } from './key-table.ts';

const KEEP_MS = 30 * DAY_MS;
const ROWS_MAX = 2_000_000;
/** Old entries deleted with each batch: more than are added, so that the log does not grow. */
const SWEEP_MAX = 2_000;
const DAYS_KEPT = 400;

const INSERT = `INSERT INTO requests (at, account_id, key_id, request_id, method, route, status, class, ms, code, address)
  SELECT CAST(? AS TEXT), account_id, id, CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS INTEGER),
    CAST(? AS INTEGER), CAST(? AS INTEGER), CAST(? AS TEXT), CAST(? AS TEXT)
  FROM keys WHERE id = ?`;
const COUNT = `INSERT INTO request_days (key_id, day, class, requests, ms) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (key_id, day, class) DO UPDATE SET
    requests = request_days.requests + excluded.requests, ms = request_days.ms + excluded.ms`;
// The oldest have the lowest ids, so the scan is bounded.
const SWEEP = `DELETE FROM requests WHERE id < (SELECT min(id) FROM requests) + ${SWEEP_MAX}
  AND (at < ? OR id <= (SELECT max(id) FROM requests) - ${ROWS_MAX})`;
const SWEEP_DAYS = 'DELETE FROM request_days WHERE key_id = ? AND day < ?';
const PER_DAY = `SELECT day, key_id, keys.name AS key_name, class AS status_class, requests, ms
  FROM accounts JOIN keys ON keys.account_id = accounts.id JOIN request_days ON key_id = keys.id
  WHERE accounts.name = ? AND day >= ? ORDER BY day, key_id, class`;

export function createRequestLog({ query, relaxedTransaction }: Runner): RequestLog {
  return {
    // Relaxed durability: nothing depends on the log.
    add: (requests) => relaxedTransaction('requests', add(requests)),
    list: ({ account, ...filter }) => query(ofAccount(account, (id) => listRequests(id, filter))),
    perDay: (account, fromDay) => query(all<DayCount>(PER_DAY, account, fromDay)),
  };
}

function* add(requests: readonly LoggedRequest[]): SqlProgram<void> {
  const newest = requests.at(-1)?.at;
  if (newest === undefined) return;
  yield* runEach(
    INSERT,
    requests.map(({ at, keyId, requestId, method, route, status, ms, code, address }) => [
      ...[at.toISOString(), requestId, method, route, status, classOf(status), ms, code, address, keyId],
    ]),
  );
  yield* runEach(COUNT, countsOf(requests));
  yield* run(SWEEP, new Date(newest.getTime() - KEEP_MS).toISOString());
  const oldestDay = utcDay(new Date(newest.getTime() - DAYS_KEPT * DAY_MS));
  const keys = new Set(requests.map(({ keyId }) => keyId));
  yield* runEach(
    SWEEP_DAYS,
    [...keys].map((key) => [key, oldestDay]),
  );
}

/** The newest request of each key and status class, which indexes find, unless the key was refused. */
const LAST = `SELECT key_id, requests.at, requests.address FROM requests
  WHERE id IN (
    SELECT (SELECT max(id) FROM requests WHERE key_id = keys.id AND class = classes.class)
    FROM keys CROSS JOIN (${STATUS_CLASSES.map((one) => `SELECT ${one} AS class`).join(' UNION ALL ')}) AS classes
    WHERE CAST(? AS TEXT) = '' OR account_id = (SELECT id FROM accounts WHERE name = ?))
  AND status <> 401 AND coalesce(code, '') <> 'address_not_allowed'`;

export interface LastRequest {
  readonly key_id: number;
  readonly at: string;
  readonly address: string | null;
}

/** By key, its last request on record; of an account or of all. */
export function* lastRequests(account: string | undefined): SqlProgram<ReadonlyMap<number, LastRequest>> {
  const last = new Map<number, LastRequest>();
  for (const request of yield* all<LastRequest>(LAST, account ?? '', account ?? '')) {
    const known = last.get(request.key_id);
    if (known === undefined || known.at < request.at) last.set(request.key_id, request);
  }
  return last;
}

const classOf = (status: number): number => Math.floor(status / 100);

type Count = [keyId: number, day: string, statusClass: number, requests: number, ms: number];

/** Aggregated by key, day and class, to write few counters. */
function countsOf(requests: readonly LoggedRequest[]): Count[] {
  const counts = new Map<string, Count>();
  for (const { at, keyId, status, ms } of requests) {
    const day = utcDay(at);
    const bucket = `${keyId} ${day} ${classOf(status)}`;
    const [, , , before, msBefore] = counts.get(bucket) ?? [keyId, day, 0, 0, 0];
    counts.set(bucket, [keyId, day, classOf(status), before + 1, msBefore + ms]);
  }
  return [...counts.values()];
}

function* ofAccount<Found>(account: string, find: (id: number) => SqlProgram<Found[]>): SqlProgram<Found[]> {
  const id = yield* keyTable.accountId(account);
  return id === undefined ? [] : yield* find(id);
}

const COLUMNS = `requests.id, requests.at, key_id, keys.name AS key_name, request_id, method, route, status, ms, code,
  requests.address`;

function listRequests(accountId: number, query: Omit<RequestQuery, 'account'>): SqlProgram<RequestEntry[]> {
  const { before, limit } = query;
  const parts = indexRangesOf(accountId, query).map(({ where, parameters }) => ({
    sql: `SELECT * FROM (SELECT * FROM requests WHERE ${where}${before === undefined ? '' : ' AND id < ?'}
      ORDER BY id DESC LIMIT ?) AS part`,
    parameters: [...parameters, ...(before === undefined ? [] : [before]), limit],
  }));
  const sql = `SELECT ${COLUMNS} FROM (${parts.map((part) => part.sql).join(' UNION ALL ')}) AS requests
    JOIN keys ON keys.id = key_id ORDER BY requests.id DESC LIMIT ?`;
  return all<RequestEntry>(sql, ...parts.flatMap(({ parameters }) => parameters), limit);
}

/** One index range per status class, merged, so that no query reads more rows than it returns. */
function indexRangesOf(
  accountId: number,
  { keyId, requestId, statusClass }: Omit<RequestQuery, 'account'>,
): { readonly where: string; readonly parameters: readonly Value[] }[] {
  if (requestId !== undefined)
    return [{ where: 'request_id = ? AND account_id = ?', parameters: [requestId, accountId] }];
  const classes = statusClass === undefined ? STATUS_CLASSES : [statusClass];
  return classes.map((one) =>
    keyId === undefined
      ? { where: `account_id = ? AND class = ${one}`, parameters: [accountId] }
      : { where: `key_id = ? AND account_id = ? AND class = ${one}`, parameters: [keyId, accountId] },
  );
}
