import { randomBytes } from 'node:crypto';
import { ServiceError } from '../../contract/errors.ts';
import { displaySecret, hashSecret, isSecret, newSecret } from '../keys.ts';
import type { KeyRecord, Keys, NewKey } from '../store.ts';
import type { Sqlite } from './database.ts';

const COLUMNS = `keys.id, accounts.name AS account, plan, keys.name, level, display, keys.created_at, expires_at, revoked_at`;
const FROM = 'FROM keys JOIN accounts ON accounts.id = keys.account_id';

export function createKeys(database: Sqlite, now: () => Date): Keys {
  const pepper = readPepper(database);
  const accountId = database.prepare<[string], number>('SELECT id FROM accounts WHERE name = ?').pluck();
  const insert = database.prepare(
    `INSERT INTO keys (account_id, name, level, hash, display, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (hash) DO NOTHING`,
  );
  const byHash = database.prepare<[Buffer], KeyRecord>(`SELECT ${COLUMNS} ${FROM} WHERE hash = ?`);
  const byId = database.prepare<[number], KeyRecord>(`SELECT ${COLUMNS} ${FROM} WHERE keys.id = ?`);
  const all = database.prepare<[], KeyRecord>(`SELECT ${COLUMNS} ${FROM} ORDER BY keys.id`);
  const revoke = database.prepare('UPDATE keys SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?');

  function adopt(key: NewKey, secret: string): KeyRecord {
    const account = accountId.get(key.account);
    if (account === undefined)
      throw new ServiceError('not_found', 'There is no account of this name; create it first.');
    const hash = hashSecret(secret, pepper);
    insert.run(account, key.name, key.level, hash, displaySecret(secret), now().toISOString(), key.expires_at);
    // The row is there: it was just written, or was found by its hash before.
    return byHash.get(hash) as KeyRecord;
  }

  return {
    create: async (key) => {
      const secret = newSecret();
      return { ...adopt(key, secret), secret };
    },
    adopt: async (key, secret) => adopt(key, secret),
    find: async (secret) => (isSecret(secret) ? byHash.get(hashSecret(secret, pepper)) : undefined),
    list: async () => all.all(),
    revoke: async (id) => {
      revoke.run(now().toISOString(), id);
      return byId.get(id);
    },
  };
}

/** The secret of this database that key hashes are made with; made with the first key. */
function readPepper(database: Sqlite): string {
  const insert = database.prepare(
    "INSERT INTO settings (name, value) VALUES ('key_pepper', ?) ON CONFLICT (name) DO NOTHING",
  );
  const select = database.prepare<[], string>("SELECT value FROM settings WHERE name = 'key_pepper'").pluck();
  const kept = select.get();
  if (kept !== undefined) return kept;
  insert.run(randomBytes(32).toString('hex'));
  return select.get() as string;
}
