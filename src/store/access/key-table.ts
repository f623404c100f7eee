import { ServiceError } from '../../contract/errors.ts';
import { ACTIVE_KEYS_MAX, type KeyFields, type KeyLevel } from '../../contract/keys.ts';
import { limitsOf, type PlanName } from '../../contract/plans.ts';
import type { KeyRecord } from '../port/access.ts';
import { allLists, number, run, type SqlProgram, value } from '../sql.ts';

interface KeyRow extends KeyFields, Pick<KeyRecord, 'display' | 'created_at' | 'created_by' | 'rotated_from'> {
  readonly account_id: number;
  readonly hash: Buffer;
  readonly client_id?: string;
}

/** Column order. A key is read per request, and rows as objects cost twice as much. */
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
  /** Comma-separated. */
  allowed_cidrs: string,
  last_used_at: string | null,
  last_used_ip: string | null,
  rotated_from: number | null,
  replaced_at: string | null,
  overlap_ends_at: string | null,
  client_id: string | null,
];

const COLUMNS = `keys.id, accounts.name, plan, daily_limit, monthly_limit, keys.name, level, display,
  keys.created_at, created_by, expires_at, revoked_at, allowed_cidrs, last_used_at, last_used_ip, rotated_from, replaced_at,
  overlap_ends_at, client_id`;
const FROM = 'FROM keys JOIN accounts ON accounts.id = keys.account_id';
const OF_ACCOUNT = 'AND accounts.name = ?';
const INSERT = `INSERT INTO keys (account_id, quota_id, name, level, hash, display, created_at, created_by, expires_at,
    allowed_cidrs, rotated_from, client_id)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const SELECT = `SELECT ${COLUMNS} ${FROM}`;
const REVOKE_CONSENTS = `UPDATE keys SET revoked_at = ? WHERE client_id IS NOT NULL AND revoked_at IS NULL AND created_by = ?
  AND account_id = (SELECT id FROM accounts WHERE name = ?)`;
const COUNT_ACTIVE = `SELECT count(*) FROM keys WHERE account_id = ? AND revoked_at IS NULL AND replaced_at IS NULL
  AND (expires_at IS NULL OR expires_at > ?)`;

export const keyTable = {
  accountId: (name: string): SqlProgram<number | undefined> => value('SELECT id FROM accounts WHERE name = ?', name),
  *insert(row: KeyRow): SqlProgram<void> {
    const { account_id, name, level, hash, display, created_at, created_by, expires_at, rotated_from } = row;
    const quota_id = (yield* rotated_from === null ? newQuota() : quotaOf(rotated_from)) ?? null;
    const allowed_cidrs = row.allowed_cidrs.join();
    const made = [display, created_at, created_by, expires_at, allowed_cidrs, rotated_from, row.client_id ?? null];
    yield* run(INSERT, account_id, quota_id, name, level, hash, ...made);
  },
  *byHash(hash: Buffer): SqlProgram<KeyRecord | undefined> {
    const [row] = yield* allLists<Row>(`${SELECT} WHERE hash = ?`, hash);
    return row && toKey(row);
  },
  /** A key by id; with an account name, only if it belongs to the account. */
  *byId(id: number, account: string | undefined): SqlProgram<KeyRecord | undefined> {
    const sql = `${SELECT} WHERE keys.id = ?`;
    const [row] = yield* account === undefined
      ? allLists<Row>(sql, id)
      : allLists<Row>(`${sql} ${OF_ACCOUNT}`, id, account);
    return row && toKey(row);
  },
  *list(account: string | undefined): SqlProgram<KeyRecord[]> {
    const rows = yield* account === undefined
      ? allLists<Row>(`${SELECT} ORDER BY keys.id`)
      : allLists<Row>(`${SELECT} WHERE accounts.name = ? ORDER BY keys.id`, account);
    return rows.map(toKey);
  },
  /** Throws `invalid_parameter` if the account already has `ACTIVE_KEYS_MAX` keys. */
  *checkRoom(accountId: number, moment: string): SqlProgram<void> {
    if ((yield* number(COUNT_ACTIVE, accountId, moment)) < ACTIVE_KEYS_MAX) return;
    const message = `The account has ${ACTIVE_KEYS_MAX} active keys, which is as many as it can have; revoke one first.`;
    throw new ServiceError('invalid_parameter', message);
  },
  replace: (id: number, replacedAt: string, overlapEndsAt: string): SqlProgram<void> =>
    run('UPDATE keys SET replaced_at = ?, overlap_ends_at = ? WHERE id = ?', replacedAt, overlapEndsAt, id),
  revoke: (id: number, moment: string): SqlProgram<void> =>
    run('UPDATE keys SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?', moment, id),
  /** Revokes the OAuth keys of a member in an account. */
  revokeConsents: ({ account, email }: { account: string; email: string }, moment: string): SqlProgram<void> =>
    run(REVOKE_CONSENTS, moment, email, account),
};

const newQuota = (): SqlProgram<number | undefined> => value('INSERT INTO quotas DEFAULT VALUES RETURNING id');
const quotaOf = (key: number): SqlProgram<number | undefined> => value('SELECT quota_id FROM keys WHERE id = ?', key);

function toKey(row: Row): KeyRecord {
  const [id, account, plan, daily, monthly, name, level, display, created_at, created_by, ...more] = row;
  const [
    expires_at,
    revoked_at,
    allowed,
    last_used_at,
    last_used_ip,
    rotated_from,
    replaced_at,
    overlap_ends_at,
    client_id,
  ] = more;
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
    client_id,
  };
}
