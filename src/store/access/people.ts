import { ServiceError } from '../../contract/errors.ts';
import { levelOf, type Standing } from '../../contract/people.ts';
import { appendAuditEntry } from '../audit.ts';
import type { KnownPerson, People, Person } from '../port/people.ts';
import { all, first, run, type SqlProgram, value } from '../sql/program.ts';
import type { Runner } from '../sql/runner.ts';
import { keyTable } from './key-table.ts';

interface NewPerson extends Standing {
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

/** SQL programs on people; each runs in the caller's transaction. */
export const peopleTable = {
  byId: (id: number): SqlProgram<Person | undefined> => first(`SELECT ${COLUMNS} ${FROM} WHERE members.id = ?`, id),
  byEmail: (email: string): SqlProgram<KnownPerson | undefined> =>
    first(`SELECT ${COLUMNS}, password_hash ${FROM} WHERE email = ?`, email),
  /** The person with an email address, if in this account. */
  inAccount: (email: string, accountId: number): SqlProgram<Person | undefined> =>
    first(`SELECT ${COLUMNS} ${FROM} WHERE email = ? AND account_id = ?`, email, accountId),
  ofAccount: (account: string): SqlProgram<Person[]> =>
    all(`SELECT ${COLUMNS} ${FROM} WHERE accounts.name = ? ORDER BY members.id`, account),
  count: function* count(): SqlProgram<number> {
    return (yield* value<number>('SELECT count(*) FROM members')) ?? 0;
  },
  isOperator: function* isOperator(account: string): SqlProgram<boolean> {
    return (yield* value(IS_OPERATOR, account)) !== undefined;
  },
  /** Inserts a person. The first one's account becomes the operator's. */
  insert: function* insert({ accountId, email, role, level, hash, moment }: NewPerson): SqlProgram<Person> {
    if ((yield* peopleTable.count()) === 0) yield* run(SET_OPERATOR, String(accountId));
    const id = yield* value<number>(INSERT, accountId, email, role, level, hash, moment);
    // Revealed only to holders of an invitation, so that accounts cannot be enumerated.
    if (id === undefined)
      throw new ServiceError('invalid_parameter', 'email: this address can sign in already; use another one');
    return (yield* peopleTable.byId(id)) as Person;
  },
  /** Sets a new password and ends the person's sessions except the named one. */
  setPassword: function* setPassword(id: number, hash: string, ending: SessionsEnding): SqlProgram<void> {
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

interface PersonChange<Name extends 'setPassword' | 'change' | 'remove'> {
  readonly id: number;
  readonly change: Parameters<People[Name]>[1];
  readonly at: string;
}

export function createPeople({ query, transaction }: Runner, now: () => Date): People {
  const at = (): string => now().toISOString();
  return {
    count: () => query(peopleTable.count()),
    isOperator: (account) => query(peopleTable.isOperator(account)),
    find: (email) => query(peopleTable.byEmail(email)),
    list: (account) => query(peopleTable.ofAccount(account)),
    setPassword: (id, change) => transaction('people', setPassword({ id, change, at: at() })),
    change: (id, change) => transaction('people', setStanding({ id, change, at: at() })),
    remove: (id, change) => transaction('people', remove({ id, change, at: at() })),
  };
}

function* setPassword({ id, change, at }: PersonChange<'setPassword'>): SqlProgram<void> {
  const { hash, keptSession, author } = change;
  yield* peopleTable.setPassword(id, hash, { moment: at, keptSession });
  yield* appendAuditEntry({ author, at, action: 'person.password', type: 'members', id });
}

function* setStanding({ id, change, at }: PersonChange<'change'>): SqlProgram<Person | undefined> {
  const { account, standing, author } = change;
  const person = yield* find(id, account);
  if (person === undefined) return undefined;
  const { role } = standing;
  const level = levelOf(role, standing.level);
  if (person.role === 'owner' && role !== 'owner') yield* refuseWithoutOwner(person);
  yield* peopleTable.setStanding(id, { role, level });
  const states = { before: standingJson(person), after: standingJson({ ...person, role, level }) };
  yield* appendAuditEntry({ author, at, action: 'person.change', type: 'members', id, ...states });
  return yield* peopleTable.byId(id);
}

function* remove({ id, change, at }: PersonChange<'remove'>): SqlProgram<Person | undefined> {
  const { account, author } = change;
  const person = yield* find(id, account);
  if (person === undefined) return undefined;
  if (person.role === 'owner') yield* refuseWithoutOwner(person);
  yield* peopleTable.remove(id);
  // A later invitation must not revive earlier consents.
  yield* keyTable.revokeConsents(person, at);
  yield* appendAuditEntry({ author, at, action: 'person.remove', type: 'members', id, before: standingJson(person) });
  return person;
}

function* find(id: number, account: string): SqlProgram<Person | undefined> {
  const person = yield* peopleTable.byId(id);
  return person?.account === account ? person : undefined;
}

function* refuseWithoutOwner({ id, account }: Person): SqlProgram<void> {
  const others = yield* peopleTable.ofAccount(account);
  if (others.some((other) => other.role === 'owner' && other.id !== id)) return;
  throw new ServiceError('invalid_parameter', 'An account needs an owner; make another person an owner first.');
}

const standingJson = ({ email, role, level }: Person): string => JSON.stringify({ email, role, level });
