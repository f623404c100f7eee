import { ServiceError } from '../../contract/errors.ts';
import { levelOf } from '../../contract/members.ts';
import { appendAuditEntry } from '../audit.ts';
import { type Author, OPERATOR } from '../port/audit.ts';
import type { Invitation, Invitations, Joining, Member, NewInvitation } from '../port/members.ts';
import { all, column, first, number, type Runner, run, type SqlProgram, value } from '../sql.ts';
import { hashToken, newToken } from '../tokens.ts';
import { keyTable } from './key-table.ts';
import { memberTable } from './members.ts';

type Row = Omit<Invitation, 'status'> & {
  readonly account_id: number | null;
  readonly used_at: string | null;
  readonly withdrawn_at: string | null;
};

const SELECT = `SELECT invitations.id, account_id, accounts.name AS account, email, role, level, invitations.created_at,
    created_by, expires_at, used_at, withdrawn_at
  FROM invitations LEFT JOIN accounts ON accounts.id = account_id`;
const OPEN = `${SELECT} WHERE accounts.name = ? AND used_at IS NULL AND withdrawn_at IS NULL AND expires_at > ?
  ORDER BY invitations.id`;
const INSERT = `INSERT INTO invitations (account_id, email, role, level, token_hash, created_at, created_by, expires_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`;
const USE = 'UPDATE invitations SET used_at = ? WHERE id = ?';
const WITHDRAW = 'UPDATE invitations SET withdrawn_at = ? WHERE id = ?';
const WITHDRAW_OTHERS = `UPDATE invitations SET withdrawn_at = ?
  WHERE account_id = ? AND email = ? AND used_at IS NULL AND withdrawn_at IS NULL RETURNING id`;
const NEW_ACCOUNT =
  'INSERT INTO accounts (name, plan, created_at) VALUES (?, ?, ?) ON CONFLICT (name) DO NOTHING RETURNING id';

const byToken = (token: string): SqlProgram<Row | undefined> =>
  first(`${SELECT} WHERE token_hash = ?`, hashToken(token));
const byId = (id: number): SqlProgram<Row | undefined> => first(`${SELECT} WHERE invitations.id = ?`, id);

export function createInvitations({ query, transaction }: Runner, now: () => Date): Invitations {
  return {
    create: async (given) => {
      const token = newToken();
      return { ...(await transaction('members', create(given, token, now()))), token };
    },
    find: (token) => query(find(token, now().toISOString())),
    list: async (account) => {
      const moment = now().toISOString();
      return (await query(all<Row>(OPEN, account, moment))).map((row) => toInvitation(row, moment));
    },
    withdraw: (id, change) => transaction('members', withdraw({ id, ...change, at: now().toISOString() })),
    accept: (token, joining) => transaction('members', accept(token, joining, now().toISOString())),
  };
}

function* create(given: NewInvitation, token: string, now: Date): SqlProgram<Invitation> {
  const { account, email, role, lifeMs, author } = given;
  const accountId = account === null ? null : yield* keyTable.accountId(account);
  if (accountId === undefined)
    throw new ServiceError('not_found', 'There is no account of this name; create it first.');
  const level = levelOf(role, given.level);
  const at = now.toISOString();
  const times = [at, author.person ?? author.account, new Date(now.getTime() + lifeMs).toISOString()];
  const id = yield* number(INSERT, accountId, email, role, level, hashToken(token), ...times);
  const after = JSON.stringify({ email, role, level });
  yield* appendAuditEntry({ author, at, action: 'invitation.create', type: 'invitations', id, after });
  // Exists, because it was just inserted.
  return toInvitation((yield* byId(id)) as Row, at);
}

function* find(token: string, moment: string): SqlProgram<Invitation | undefined> {
  const row = yield* byToken(token);
  if (row === undefined) return undefined;
  const invitation = toInvitation(row, moment);
  if (invitation.account !== null || invitation.status !== 'open') return invitation;
  // First-owner links are invalid once there is a first owner.
  return (yield* memberTable.count()) > 0 ? { ...invitation, status: 'used' } : invitation;
}

interface Withdrawal {
  readonly id: number;
  readonly account: string;
  readonly author: Author;
  readonly at: string;
}

function* withdraw({ id, account, author, at }: Withdrawal): SqlProgram<Invitation | undefined> {
  const row = yield* byId(id);
  if (row === undefined || row.account !== account) return undefined;
  yield* run(WITHDRAW, at, id);
  yield* appendAuditEntry({ author, at, action: 'invitation.withdraw', type: 'invitations', id });
  return toInvitation(row, at);
}

function* accept(token: string, joining: Joining, moment: string): SqlProgram<Member> {
  const row = yield* byToken(token);
  if (row === undefined) throw notOpen('unknown');
  const { id, status } = toInvitation(row, moment);
  if (status !== 'open') throw notOpen(status);
  yield* run(USE, moment, id);
  const accountId = yield* accountOf(row, joining, moment);
  const { member, action } = yield* acceptAs({ invitation: row, joining, accountId, moment });
  const author = { ...joining.author, account: member.account, keyId: null, person: member.email };
  const after = JSON.stringify({ email: member.email, role: member.role, level: member.level });
  yield* appendAuditEntry({ author, at: moment, action, type: 'members', id: member.id, after });
  // Another link to this address could be used to set the member's password.
  for (const other of yield* column<number>(WITHDRAW_OTHERS, moment, accountId, member.email))
    yield* appendAuditEntry({ author, at: moment, action: 'invitation.withdraw', type: 'invitations', id: other });
  return member;
}

/** The account to join: that of the invitation, or a new one for the first owner. */
function* accountOf({ account_id }: Row, { newAccount: named }: Joining, moment: string): SqlProgram<number> {
  if (account_id !== null) return account_id;
  if ((yield* memberTable.count()) > 0) throw notOpen('used');
  if (named === undefined) throw new ServiceError('missing_parameter', 'account: name the account');
  const made = yield* value<number>(NEW_ACCOUNT, named.name, named.plan, moment);
  if (made === undefined)
    throw new ServiceError('invalid_parameter', 'account: an account of this name exists already');
  return made;
}

interface Acceptance {
  readonly invitation: Row;
  readonly joining: Joining;
  readonly accountId: number;
  readonly moment: string;
}

/**
 * Creates the member. For an existing member, sets a new password only if the operator invited them by name since they
 * joined; an owner must not be able to take over another member's sign-in.
 */
function* acceptAs(acceptance: Acceptance): SqlProgram<{ member: Member; action: string }> {
  const { invitation, joining, accountId, moment } = acceptance;
  const { email, hash } = joining;
  const { role, level } = invitation;
  const known = invitation.email === email ? yield* memberTable.inAccount(email, accountId) : undefined;
  if (known === undefined) {
    const member = yield* memberTable.insert({ accountId, email, role, level, hash, moment });
    return { member, action: 'person.join' };
  }
  if (invitation.created_by !== OPERATOR.account || invitation.created_at < known.created_at)
    throw notOpen('withdrawn');
  yield* memberTable.setPassword(known.id, hash, { moment, keptSession: null });
  return { member: known, action: 'person.password' };
}

function toInvitation({ account_id: _, used_at, withdrawn_at, ...row }: Row, moment: string): Invitation {
  const isExpired = row.expires_at <= moment;
  const status = used_at ? 'used' : withdrawn_at ? 'withdrawn' : isExpired ? 'expired' : 'open';
  return { ...row, status };
}

const notOpen = (status: string): ServiceError =>
  new ServiceError('forbidden', `This invitation is ${status}; ask for a new one.`);
