import { ServiceError } from '../../contract/errors.ts';
import { levelOf } from '../../contract/people.ts';
import { appendAuditEntry } from '../audit.ts';
import type { People, Person } from '../port/people.ts';
import type { SqlProgram } from '../sql/program.ts';
import type { Runner } from '../sql/runner.ts';
import { keyTable } from './key-table.ts';
import { peopleTable } from './people-table.ts';

/** Input of a change of a person. */
interface PersonChange<Name extends 'setPassword' | 'change' | 'remove'> {
  readonly id: number;
  readonly change: Parameters<People[Name]>[1];
  readonly at: string;
}

/** People over any engine. */
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

/** A person by id, if in the account. */
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
