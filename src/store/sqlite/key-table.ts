import type { KeyFields, KeyLevel } from '../../contract/keys.ts';
import type { Period } from '../../contract/periods.ts';
import { limitsOf, type PlanName } from '../../contract/plans.ts';
import type { KeyRecord, ListedKey } from '../port/access.ts';
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

/** The columns in their order: a key is read for every request, and rows as objects would cost twice as much. */
type Row = [
  id: number,
  account: string,
  plan: PlanName,
  daily: number | null,
  monthly: number | null,
  name: string,
  level: KeyLevel,
  display: string,
  created_at: string,
  created_by: string | null,
  expires_at: string | null,
  revoked_at: string | null,
  /** With commas between. */
  allowed_cidrs: string,
  last_used_at: string | null,
  last_used_ip: string | null,
  rotated_from: number | null,
  replaced_at: string | null,
  overlap_ends_at: string | null,
];

type ListedRow = [today: number, thisMonth: number, ...row: Row];

const COLUMNS = `keys.id, accounts.name, plan, daily_limit, monthly_limit, keys.name, level, display,
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
  const byHash = database.prepare<[Buffer], Row>(`SELECT ${COLUMNS} ${FROM} WHERE hash = ?`).raw();
  const byId = database.prepare<[object], Row>(`SELECT ${COLUMNS} ${FROM} WHERE keys.id = @id AND ${OF_ACCOUNT}`).raw();
  const list = database
    .prepare<[object], ListedRow>(
      `SELECT iif(day = @day, day_used, 0), iif(month = @month, month_used, 0), ${COLUMNS}
       ${FROM} JOIN quotas ON quotas.id = quota_id WHERE ${OF_ACCOUNT} ORDER BY keys.id`,
    )
    .raw();
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
  const [id, account, plan, daily, monthly, name, level, display, created_at, created_by, ...more] = row;
  const [expires_at, revoked_at, allowed, last_used_at, last_used_ip, rotated_from, replaced_at, overlap_ends_at] =
    more;
  return {
    id,
    account,
    plan,
    limits: limitsOf(plan, { daily, monthly }),
    name,
    level,
    display,
    created_at,
    created_by,
    expires_at,
    revoked_at,
    allowed_cidrs: allowed === '' ? [] : allowed.split(','),
    last_used_at,
    last_used_ip,
    rotated_from,
    replaced_at,
    overlap_ends_at,
  };
}

function toListed([requests_today, requests_this_month, ...row]: ListedRow): Omit<ListedKey, 'status'> {
  return { ...toKey(row), requests_today, requests_this_month };
}
