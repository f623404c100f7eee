import { ServiceError } from '../../contract/errors.ts';
import { levelOf, type Standing } from '../../contract/people.ts';
import type { KnownPerson, People, Person } from '../port/people.ts';
import { createAuditWriter } from './audit.ts';
import type { Sqlite } from './database.ts';

const COLUMNS = `members.id, accounts.name AS account, email, role, level, members.created_at, last_sign_in_at`;
const FROM = 'FROM members JOIN accounts ON accounts.id = members.account_id';

/** The statements about people that invitations and sessions need as well; each takes part in the open transaction. */
export interface PeopleTable {
  byId(id: number): Person | undefined;
  /** Whose address it is, if one of the account with this number. */
  inAccount(email: string, accountId: number): Person | undefined;
  /** Sets a new password and ends all sessions. */
  reset(id: number, hash: string, moment: string): void;
  count(): number;
  /** Writes a person; the first makes the account the one of the operator. */
  insert(person: NewPerson): Person;
}

interface NewPerson extends Standing {
  readonly accountId: number;
  readonly email: string;
  readonly hash: string;
  readonly moment: string;
}

export function createPeopleTable(database: Sqlite): PeopleTable {
  const byId = database.prepare<[number], Person>(`SELECT ${COLUMNS} ${FROM} WHERE members.id = ?`);
  const inAccount = database.prepare<[string, number], Person>(
    `SELECT ${COLUMNS} ${FROM} WHERE email = ? AND account_id = ?`,
  );
  const setHash = database.prepare('UPDATE members SET password_hash = ? WHERE id = ?');
  const endAll = database.prepare('UPDATE sessions SET ended_at = ? WHERE person_id = ? AND ended_at IS NULL');
  const count = database.prepare<[], number>('SELECT count(*) FROM members').pluck();
  const insert = database
    .prepare<[object], number>(
      `INSERT INTO members (account_id, email, role, level, password_hash, created_at)
       VALUES (@accountId, @email, @role, @level, @hash, @moment) ON CONFLICT (email) DO NOTHING RETURNING id`,
    )
    .pluck();
  const setOperator = database.prepare(
    "INSERT INTO settings (name, value) VALUES ('operator_account', ?) ON CONFLICT (name) DO NOTHING",
  );
  return {
    byId: (id) => byId.get(id),
    inAccount: (email, accountId) => inAccount.get(email, accountId),
    reset: (id, hash, moment) => {
      setHash.run(hash, id);
      endAll.run(moment, id);
    },
    count: () => count.get() ?? 0,
    insert: (person) => {
      if ((count.get() ?? 0) === 0) setOperator.run(String(person.accountId));
      const [id] = insert.all(person);
      // Said only to who holds an invitation, so that nobody can find out who has an account.
      if (id === undefined)
        throw new ServiceError('invalid_parameter', 'email: this address can sign in already; use another one');
      return byId.get(id) as Person;
    },
  };
}

export function createPeople(database: Sqlite, now: () => Date): People {
  const audit = createAuditWriter(database);
  const table = createPeopleTable(database);
  const byEmail = database.prepare<[string], KnownPerson>(`SELECT ${COLUMNS}, password_hash ${FROM} WHERE email = ?`);
  const ofAccount = database.prepare<[string], Person>(
    `SELECT ${COLUMNS} ${FROM} WHERE accounts.name = ? ORDER BY members.id`,
  );
  const isOperator = database.prepare<[string], number>(
    `SELECT 1 FROM accounts JOIN settings ON settings.name = 'operator_account' AND value = CAST(accounts.id AS TEXT)
     WHERE accounts.name = ?`,
  );
  const setPassword = database.prepare('UPDATE members SET password_hash = ? WHERE id = ?');
  const setStanding = database.prepare('UPDATE members SET role = ?, level = ? WHERE id = ?');
  const remove = database.prepare('DELETE FROM members WHERE id = ?');
  const endSessions = database.prepare(
    'UPDATE sessions SET ended_at = ? WHERE person_id = ? AND ended_at IS NULL AND id IS NOT ?',
  );

  /** The person, if one of the account, and how they stand. */
  function find(id: number, account: string): Person | undefined {
    const person = table.byId(id);
    return person?.account === account ? person : undefined;
  }

  function refuseWithoutOwner({ id, account }: Person): void {
    if (ofAccount.all(account).some((other) => other.role === 'owner' && other.id !== id)) return;
    throw new ServiceError('invalid_parameter', 'An account needs an owner; make somebody else one first.');
  }

  const writePassword = database.transaction((id: number, change: Parameters<People['setPassword']>[1]) => {
    const at = now().toISOString();
    setPassword.run(change.hash, id);
    endSessions.run(at, id, change.keptSession);
    audit({ author: change.author, at, action: 'person.password', type: 'members', id });
  });
  const writeStanding = database.transaction((id: number, change: Parameters<People['change']>[1]) => {
    const person = find(id, change.account);
    if (person === undefined) return undefined;
    const { role } = change.standing;
    const level = levelOf(role, change.standing.level);
    if (person.role === 'owner' && role !== 'owner') refuseWithoutOwner(person);
    setStanding.run(role, level, id);
    const states = { before: standingJson(person), after: standingJson({ ...person, role, level }) };
    audit({ author: change.author, at: now().toISOString(), action: 'person.change', type: 'members', id, ...states });
    return table.byId(id);
  });
  const removePerson = database.transaction((id: number, change: Parameters<People['remove']>[1]) => {
    const person = find(id, change.account);
    if (person === undefined) return undefined;
    if (person.role === 'owner') refuseWithoutOwner(person);
    remove.run(id);
    const before = standingJson(person);
    audit({ author: change.author, at: now().toISOString(), action: 'person.remove', type: 'members', id, before });
    return person;
  });

  return {
    count: async () => table.count(),
    isOperator: async (account) => isOperator.get(account) !== undefined,
    find: async (email) => byEmail.get(email),
    list: async (account) => ofAccount.all(account),
    setPassword: async (id, change) => writePassword.immediate(id, change),
    change: async (id, change) => writeStanding.immediate(id, change),
    remove: async (id, change) => removePerson.immediate(id, change),
  };
}

const standingJson = ({ email, role, level }: Person): string => JSON.stringify({ email, role, level });
