import { ServiceError } from '../../contract/errors.ts';
import type { Account, Accounts } from '../store.ts';
import type { Sqlite } from './database.ts';

export function createAccounts(database: Sqlite, now: () => Date): Accounts {
  const columns = 'id, name, plan, created_at';
  const insert = database.prepare<[string, string, string], Account>(
    `INSERT INTO accounts (name, plan, created_at) VALUES (?, ?, ?) ON CONFLICT (name) DO NOTHING RETURNING ${columns}`,
  );
  const byName = database.prepare<[string], Account>(`SELECT ${columns} FROM accounts WHERE name = ?`);
  const all = database.prepare<[], Account>(`SELECT ${columns} FROM accounts ORDER BY id`);
  const setPlan = database.prepare<[string, string], Account>(
    `UPDATE accounts SET plan = ? WHERE name = ? RETURNING ${columns}`,
  );
  return {
    create: async (name, plan) => {
      const [account] = insert.all(name, plan, now().toISOString());
      if (account === undefined)
        throw new ServiceError('invalid_parameter', 'name: there is an account of this name already');
      return account;
    },
    find: async (name) => byName.get(name),
    list: async () => all.all(),
    setPlan: async (name, plan) => setPlan.all(plan, name)[0],
  };
}
