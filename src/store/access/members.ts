import { ServiceError } from '../../contract/errors.ts';
import { levelOf, type Standing } from '../../contract/members.ts';
import { appendAuditEntry } from '../audit.ts';
import type { KnownMember, Member, Members } from '../port/members.ts';
import { all, exists, first, number, type Runner, run, type SqlProgram, value } from '../sql.ts';
import { keyTable } from './key-table.ts';

interface NewMember extends Standing {
  readonly accountId: number;
  readonly email: string;
  readonly hash: string;
  readonly moment: string;
}

const COLUMNS = 'members.id, accounts.name AS account, email, role, level, members.created_at, last_sign_in_at';
const FROM = 'FROM members JOIN accounts ON accounts.id = members.account_id';
const INSERT = `INSERT INTO members (account_id, email, role, level, password_hash, created_at) VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (email) DO NOTHING RETURNING id`;
const SET_OPERATOR = "INSERT INTO settings (name, value) VALUES ('operator_account', ?) ON CONFLICT (name) DO NOTHING";
const IS_OPERATOR = `SELECT 1 FROM accounts JOIN settings ON settings.name = 'operator_account'
    AND settings.value = CAST(accounts.id AS TEXT) WHERE accounts.name = ?`;
const END_SESSIONS = 'UPDATE sessions SET ended_at = ? WHERE person_id = ? AND ended_at IS NULL';

export const memberTable = {
  byId: (id: number): SqlProgram<Member | undefined> => first(`SELECT ${COLUMNS} ${FROM} WHERE members.id = ?`, id),
  byEmail: (email: string): SqlProgram<KnownMember | undefined> =>
    first(`SELECT ${COLUMNS}, password_hash ${FROM} WHERE email = ?`, email),
  inAccount: (email: string, accountId: number): SqlProgram<Member | undefined> =>
    first(`SELECT ${COLUMNS} ${FROM} WHERE email = ? AND account_id = ?`, email, accountId),
  ofAccount: (account: string): SqlProgram<Member[]> =>
    all(`SELECT ${COLUMNS} ${FROM} WHERE accounts.name = ? ORDER BY members.id`, account),
  count: (): SqlProgram<number> => number('SELECT count(*) FROM members'),
  isOperator: (account: string): SqlProgram<boolean> => exists(IS_OPERATOR, account),
  /** Inserts a member. The first one's account becomes the operator's. */
  *insert({ accountId, email, role, level, hash, moment }: NewMember): SqlProgram<Member> {
    if ((yield* memberTable.count()) === 0) yield* run(SET_OPERATOR, String(accountId));
    const id = yield* value<number>(INSERT, accountId, email, role, level, hash, moment);
    // Revealed only to holders of an invitation, so that accounts cannot be enumerated.
    if (id === undefined)
      throw new ServiceError('invalid_parameter', 'email: this address can sign in already; use another one');
    return (yield* memberTable.byId(id)) as Member;
  },
  *setPassword(id: number, hash: string, ending: SessionsEnding): SqlProgram<void> {
    const { moment, keptSession } = ending;
    yield* run('UPDATE members SET password_hash = ? WHERE id = ?', hash, id);
    yield* keptSession === null
      ? run(END_SESSIONS, moment, id)
      : run(`${END_SESSIONS} AND id <> ?`, moment, id, keptSession);
  },
  setStanding: (id: number, { role, level }: Standing): SqlProgram<void> =>
    run('UPDATE members SET role = ?, level = ? WHERE id = ?', role, level, id),
  remove: (id: number): SqlProgram<void> => run('DELETE FROM members WHERE id = ?', id),
  signedIn: (id: number, moment: string): SqlProgram<void> =>
    run('UPDATE members SET last_sign_in_at = ? WHERE id = ?', moment, id),
};

interface SessionsEnding {
  readonly moment: string;
  readonly keptSession: number | null;
}

interface MemberChange<Name extends 'setPassword' | 'change' | 'remove'> {
  readonly id: number;
  readonly change: Parameters<Members[Name]>[1];
  readonly at: string;
}

export function createMembers({ query, transaction }: Runner, now: () => Date): Members {
  const at = (): string => now().toISOString();
  return {
    count: () => query(memberTable.count()),
    isOperator: (account) => query(memberTable.isOperator(account)),
    find: (email) => query(memberTable.byEmail(email)),
    list: (account) => query(memberTable.ofAccount(account)),
    setPassword: (id, change) => transaction('members', setPassword({ id, change, at: at() })),
    change: (id, change) => transaction('members', setStanding({ id, change, at: at() })),
    remove: (id, change) => transaction('members', remove({ id, change, at: at() })),
  };
}

function* setPassword({ id, change, at }: MemberChange<'setPassword'>): SqlProgram<void> {
  const { hash, keptSession, author } = change;
  yield* memberTable.setPassword(id, hash, { moment: at, keptSession });
  yield* appendAuditEntry({ author, at, action: 'person.password', type: 'members', id });
}

function* setStanding({ id, change, at }: MemberChange<'change'>): SqlProgram<Member | undefined> {
  const { account, standing, author } = change;
  const member = yield* find(id, account);
  if (member === undefined) return undefined;
  const { role } = standing;
  const level = levelOf(role, standing.level);
  if (member.role === 'owner' && role !== 'owner') yield* refuseWithoutOwner(member);
  yield* memberTable.setStanding(id, { role, level });
  const states = { before: standingJson(member), after: standingJson({ ...member, role, level }) };
  yield* appendAuditEntry({ author, at, action: 'person.change', type: 'members', id, ...states });
  return yield* memberTable.byId(id);
}

function* remove({ id, change, at }: MemberChange<'remove'>): SqlProgram<Member | undefined> {
  const { account, author } = change;
  const member = yield* find(id, account);
  if (member === undefined) return undefined;
  if (member.role === 'owner') yield* refuseWithoutOwner(member);
  yield* memberTable.remove(id);
  // A later invitation must not revive earlier consents.
  yield* keyTable.revokeConsents(member, at);
  yield* appendAuditEntry({ author, at, action: 'person.remove', type: 'members', id, before: standingJson(member) });
  return member;
}

function* find(id: number, account: string): SqlProgram<Member | undefined> {
  const member = yield* memberTable.byId(id);
  return member?.account === account ? member : undefined;
}

function* refuseWithoutOwner({ id, account }: Member): SqlProgram<void> {
  const others = yield* memberTable.ofAccount(account);
  if (others.some((other) => other.role === 'owner' && other.id !== id)) return;
  throw new ServiceError('invalid_parameter', 'An account needs an owner; make another person an owner first.');
}

const standingJson = ({ email, role, level }: Member): string => JSON.stringify({ email, role, level });
