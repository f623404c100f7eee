import { ServiceError } from '../../contract/errors.ts';
import { levelOf } from '../../contract/people.ts';
import type { Author } from '../port/audit.ts';
import type { Invitation, Invitations, Joining, NewInvitation, Person } from '../port/people.ts';
import { hashToken, newToken } from '../tokens.ts';
import { createAuditWriter } from './audit.ts';
import type { Sqlite } from './database.ts';
import { createPeopleTable, type PeopleTable } from './people.ts';

type Row = Omit<Invitation, 'status'> & {
  readonly account_id: number | null;
  readonly used_at: string | null;
  readonly withdrawn_at: string | null;
};

const SELECT = `SELECT invitations.id, account_id, accounts.name AS account, email, role, level, invitations.created_at,
    created_by, expires_at, used_at, withdrawn_at
  FROM invitations LEFT JOIN accounts ON accounts.id = account_id`;

export function createInvitations(database: Sqlite, now: () => Date): Invitations {
  const audit = createAuditWriter(database);
  const people = createPeopleTable(database);
  const { byHash, byId, open, insert, use, withdraw, accountId, newAccount } = prepare(database);

  const create = database.transaction((given: NewInvitation, token: string): Invitation => {
    const { account, email, role, author } = given;
    const id = account === null ? null : accountId.get(account);
    if (id === undefined) throw new ServiceError('not_found', 'There is no account of this name; create it first.');
    const level = levelOf(role, given.level);
    const createdAt = now().toISOString();
    const expiresAt = new Date(now().getTime() + given.lifeMs).toISOString();
    const createdBy = author.person ?? author.account;
    const row = { accountId: id, email, role, level, hash: hashToken(token), createdAt, createdBy, expiresAt };
    // RETURNING gives the row that was just written.
    const made = toInvitation(byId.get(insert.get(row) as number) as Row, createdAt);
    const after = JSON.stringify({ email, role, level });
    audit({ author, at: createdAt, action: 'invitation.create', type: 'invitations', id: made.id, after });
    return made;
  });

  /** Where the person belongs: the account of the invitation, or the one that the first owner names. */
  function accountOf({ account_id }: Row, { newAccount: named }: Joining, moment: string): number {
    if (account_id !== null) return account_id;
    if (people.count() > 0) throw noLonger('used');
    if (named === undefined) throw new ServiceError('missing_parameter', 'account: name the account');
    const [made] = newAccount.all(named.name, named.plan, moment);
    if (made === undefined)
      throw new ServiceError('invalid_parameter', 'account: there is an account of this name already');
    return made;
  }

  const accept = database.transaction((token: string, joining: Joining): Person => {
    const moment = now().toISOString();
    const row = byHash.get(hashToken(token));
    if (row === undefined) throw noLonger('unknown');
    const { id, status } = toInvitation(row, moment);
    if (status !== 'open') throw noLonger(status);
    use.run(moment, id);
    const accountId = accountOf(row, joining, moment);
    const { person, action } = admit(people, { invitation: row, joining, accountId, moment });
    const author = { ...joining.author, account: person.account, keyId: null, person: person.email };
    const after = JSON.stringify({ email: person.email, role: person.role, level: person.level });
    audit({ author, at: moment, action, type: 'members', id: person.id, after });
    return person;
  });

  const withdrawNoted = database.transaction((id: number, at: string, author: Author) => {
    withdraw.run(at, id);
    audit({ author, at, action: 'invitation.withdraw', type: 'invitations', id });
  });

  return {
    create: async (given) => {
      const token = newToken();
      return { ...create.immediate(given, token), token };
    },
    find: async (token) => {
      const row = byHash.get(hashToken(token));
      if (row === undefined) return undefined;
      const invitation = toInvitation(row, now().toISOString());
      // Links that were printed before the first owner came are of no use after.
      const isLate = invitation.account === null && invitation.status === 'open' && people.count() > 0;
      return isLate ? { ...invitation, status: 'used' } : invitation;
    },
    list: async (account) => {
      const moment = now().toISOString();
      return open.all(account, moment).map((row) => toInvitation(row, moment));
    },
    withdraw: async (id, { account, author }) => {
      const row = byId.get(id);
      if (row === undefined || row.account !== account) return undefined;
      const at = now().toISOString();
      withdrawNoted.immediate(id, at, author);
      return toInvitation(row, at);
    },
    accept: async (token, joining) => accept.immediate(token, joining),
  };
}

interface Admission {
  readonly invitation: Row;
  readonly joining: Joining;
  readonly accountId: number;
  readonly moment: string;
}

/** Makes the person, or gives a new password to one who is invited by name and is a member already. */
function admit(people: PeopleTable, { invitation, joining, accountId, moment }: Admission) {
  const { email, hash } = joining;
  const { role, level } = invitation;
  const known = invitation.email === email ? people.inAccount(email, accountId) : undefined;
  if (known === undefined) {
    return { person: people.insert({ accountId, email, role, level, hash, moment }), action: 'person.join' };
  }
  people.reset(known.id, hash, moment);
  return { person: known, action: 'person.password' };
}

function prepare(database: Sqlite) {
  const byHash = database.prepare<[Buffer], Row>(`${SELECT} WHERE token_hash = ?`);
  const byId = database.prepare<[number], Row>(`${SELECT} WHERE invitations.id = ?`);
  const open = database.prepare<[string, string], Row>(
    `${SELECT} WHERE accounts.name = ? AND used_at IS NULL AND withdrawn_at IS NULL AND expires_at > ? ORDER BY invitations.id`,
  );
  const insert = database
    .prepare<[object], number>(
      `INSERT INTO invitations (account_id, email, role, level, token_hash, created_at, created_by, expires_at)
       VALUES (@accountId, @email, @role, @level, @hash, @createdAt, @createdBy, @expiresAt) RETURNING id`,
    )
    .pluck();
  const use = database.prepare('UPDATE invitations SET used_at = ? WHERE id = ?');
  const withdraw = database.prepare('UPDATE invitations SET withdrawn_at = ? WHERE id = ?');
  const accountId = database.prepare<[string], number>('SELECT id FROM accounts WHERE name = ?').pluck();
  const newAccount = database
    .prepare<[string, string, string], number>(
      'INSERT INTO accounts (name, plan, created_at) VALUES (?, ?, ?) ON CONFLICT (name) DO NOTHING RETURNING id',
    )
    .pluck();
  return { byHash, byId, open, insert, use, withdraw, accountId, newAccount };
}

function toInvitation({ account_id: _, used_at, withdrawn_at, ...row }: Row, moment: string): Invitation {
  const isExpired = row.expires_at <= moment;
  const status = used_at ? 'used' : withdrawn_at ? 'withdrawn' : isExpired ? 'expired' : 'open';
  return { ...row, status };
}

const noLonger = (status: string): ServiceError =>
  new ServiceError('forbidden', `This invitation is ${status}; ask for a new one.`);
