import type { KeyFields } from '../../contract/keys.ts';
import type { Period } from '../../contract/periods.ts';
import { limitsOf } from '../../contract/plans.ts';
import type { KeyRecord, ListedKey } from '../store.ts';
import type { Sqlite } from './database.ts';

/** A key as it is written. */
interface KeyRow extends KeyFields {
  readonly account_id: number;
  readonly hash: Buffer;
  readonly display: string;
  readonly created_at: string;
  readonly created_by: string | null;
  /** The key whose count it goes on with. */
  readonly rotated_from: number | null;
}

/** The statements about keys; each takes part in whatever transaction is open. */
export interface KeyTable {
  accountId(name: string): number | undefined;
  insert(row: KeyRow): void;
  byHash(hash: Buffer): KeyRecord | undefined;
  /** By number; with an account's name only when it is a key of that account. */
  byId(id: number, account: string | undefined): KeyRecord | undefined;
  /** With what is counted in a period; of all accounts without a name. */
  list(account: string | undefined, period: Period): readonly Omit<ListedKey, 'status'>[];
  countActive(accountId: number, moment: string): number;
  replace(id: number, replacedAt: string, overlapEndsAt: string): void;
  revoke(id: number, moment: string): void;
}

interface Row extends Omit<KeyRecord, 'limits' | 'allowed_cidrs'> {
  readonly daily_limit: number | null;
  readonly monthly_limit: number | null;
  /** With commas between. */
  readonly allowed_cidrs: string;
}

interface ListedRow extends Row {
  readonly requests_today: number;
  readonly requests_this_month: number;
}

const COLUMNS = `keys.id, accounts.name AS account, plan, daily_limit, monthly_limit, keys.name, level, display,
  keys.created_at, created_by, expires_at, revoked_at, allowed_cidrs, last_used_at, last_used_ip, rotated_from, replaced_at,
  overlap_ends_at`;
const FROM = 'FROM keys JOIN accounts ON accounts.id = keys.account_id';
const OF_ACCOUNT = '(@account IS NULL OR accounts.name = @account)';

export function createKeyTable(database: Sqlite): KeyTable {
  const accountId = database.prepare<[string], number>('SELECT id FROM accounts WHERE name = ?').pluck();
  const newQuota = database.prepare<[], number>('INSERT INTO quotas DEFAULT VALUES RETURNING id').pluck();
  const quotaOf = database.prepare<[number], number>('SELECT quota_id FROM keys WHERE id = ?').pluck();
  const insert = database.prepare(
    `INSERT INTO keys (account_id, quota_id, name, level, hash, display, created_at, created_by, expires_at, allowed_cidrs,
       rotated_from)
     VALUES (@account_id, @quota_id, @name, @level, @hash, @display, @created_at, @created_by, @expires_at, @allowed_cidrs,
       @rotated_from)`,
  );
  const byHash = database.prepare<[Buffer], Row>(`SELECT ${COLUMNS} ${FROM} WHERE hash = ?`);
  const byId = database.prepare<[object], Row>(`SELECT ${COLUMNS} ${FROM} WHERE keys.id = @id AND ${OF_ACCOUNT}`);
  const list = database.prepare<[object], ListedRow>(
    `SELECT ${COLUMNS}, iif(day = @day, day_used, 0) AS requests_today,
       iif(month = @month, month_used, 0) AS requests_this_month
     ${FROM} JOIN quotas ON quotas.id = quota_id WHERE ${OF_ACCOUNT} ORDER BY keys.id`,
  );
  const countActive = database
    .prepare<[number, string], number>(
      `SELECT count(*) FROM keys WHERE account_id = ? AND revoked_at IS NULL AND replaced_at IS NULL
         AND (expires_at IS NULL OR expires_at > ?)`,
    )
    .pluck();
  const replace = database.prepare('UPDATE keys SET replaced_at = ?, overlap_ends_at = ? WHERE id = ?');
  const revoke = database.prepare('UPDATE keys SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?');
  return {
    accountId: (name) => accountId.get(name),
    insert: (row) => {
      const quota_id = row.rotated_from === null ? newQuota.get() : quotaOf.get(row.rotated_from);
      insert.run({ ...row, quota_id, allowed_cidrs: row.allowed_cidrs.join() });
    },
    byHash: (hash) => byHash.all(hash).map(toKey)[0],
    byId: (id, account) => byId.all({ id, account: account ?? null }).map(toKey)[0],
    list: (account, period) => list.all({ ...period, account: account ?? null }).map(toListed),
    countActive: (id, moment) => countActive.get(id, moment) ?? 0,
    replace: (id, replacedAt, overlapEndsAt) => void replace.run(replacedAt, overlapEndsAt, id),
    revoke: (id, moment) => void revoke.run(moment, id),
  };
}

function toKey(row: Row): KeyRecord {
  const { daily_limit, monthly_limit, allowed_cidrs, ...key } = row;
  return {
    ...key,
    limits: limitsOf(row.plan, { daily: daily_limit, monthly: monthly_limit }),
    allowed_cidrs: allowed_cidrs === '' ? [] : allowed_cidrs.split(','),
  };
}

function toListed(row: ListedRow): Omit<ListedKey, 'status'> {
  const { requests_today, requests_this_month } = row;
  return { ...toKey(row), requests_today, requests_this_month };
}
