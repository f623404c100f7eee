import { randomBytes } from 'node:crypto';
import { ServiceError } from '../../contract/errors.ts';
import { ACTIVE_KEYS_MAX, keyStatus, OVERLAP_SECONDS, readKeyFields } from '../../contract/keys.ts';
import { periodOf } from '../../contract/periods.ts';
import { displaySecret, hashSecret, isSecret, newSecret } from '../keys.ts';
import type { KeyRecord, Keys, MadeKey, NewKey, Rotation } from '../port/access.ts';
import { type Author, OPERATOR } from '../port/audit.ts';
import { createAuditWriter, statesOf } from './audit.ts';
import type { Sqlite } from './database.ts';
import { toStoreError } from './failures.ts';
import { createKeyTable, type KeyTable } from './key-table.ts';

export function createKeys(database: Sqlite, now: () => Date): Keys {
  const pepper = readPepper(database);
  const table = createKeyTable(database);
  const audit = createAuditWriter(database);
  const note = (author: Author, action: string, { before, after }: { before?: KeyRecord; after: KeyRecord }): void =>
    audit({ author, at: now().toISOString(), action, type: 'keys', id: after.id, ...statesOf(before, after) });

  function add(given: NewKey, secret: string, old: KeyRecord | undefined): MadeKey {
    const hash = hashSecret(secret, pepper);
    table.insert({
      ...readKeyFields({ ...given }),
      account_id: accountId(table, given.account),
      hash,
      display: displaySecret(secret),
      created_at: now().toISOString(),
      created_by: given.created_by ?? null,
      rotated_from: old?.id ?? null,
    });
    // The row is there: it was just written.
    const made = table.byHash(hash) as KeyRecord;
    note(given.author ?? OPERATOR, 'key.create', { after: made });
    return { ...made, secret };
  }

  const create = database.transaction((given: NewKey): MadeKey => {
    checkExpiry(given, now());
    if (table.countActive(accountId(table, given.account), now().toISOString()) >= ACTIVE_KEYS_MAX) {
      const message = `The account has ${ACTIVE_KEYS_MAX} active keys, which is as many as it can have; revoke one first.`;
      throw new ServiceError('invalid_parameter', message);
    }
    return add(given, newSecret(), undefined);
  });
  const adopt = database.transaction((given: NewKey, secret: string): KeyRecord => {
    const known = table.byHash(hashSecret(secret, pepper));
    if (known !== undefined) return known;
    const { secret: _, ...key } = add(given, secret, undefined);
    return key;
  });
  const rotate = database.transaction((id: number, rotation: Rotation, account: string | undefined) => {
    const old = table.byId(id, account);
    if (old === undefined) return undefined;
    checkRotatable(old, now());
    const { created_by = null, author = OPERATOR } = rotation;
    const made = add({ ...old, created_by, author }, newSecret(), old);
    const endsAt = new Date(now().getTime() + OVERLAP_SECONDS[rotation.overlap] * 1_000);
    table.replace(old.id, made.created_at, endsAt.toISOString());
    note(author, 'key.rotate', { before: old, after: table.byId(old.id, account) as KeyRecord });
    return made;
  });
  const revoke = database.transaction((id: number, account: string | undefined, author: Author) => {
    const before = table.byId(id, account);
    if (before === undefined || before.revoked_at !== null) return before;
    table.revoke(id, now().toISOString());
    const after = table.byId(id, account) as KeyRecord;
    note(author, 'key.revoke', { before, after });
    return after;
  });

  return {
    create: async (given) => create.immediate(given),
    adopt: async (given, secret) => adopt.immediate(given, secret),
    find: async (secret) => {
      if (!isSecret(secret)) return undefined;
      try {
        return table.byHash(hashSecret(secret, pepper));
      } catch (error) {
        throw toStoreError(error);
      }
    },
    list: async (account) => {
      const moment = now();
      return table.list(account, periodOf(moment)).map((key) => ({ ...key, status: keyStatus(key, moment) }));
    },
    rotate: async (id, rotation, account) => rotate.immediate(id, rotation, account),
    revoke: async (id, account, author = OPERATOR) => revoke.immediate(id, account, author),
  };
}

function accountId(table: KeyTable, name: string): number {
  const id = table.accountId(name);
  if (id === undefined) throw new ServiceError('not_found', 'There is no account of this name; create it first.');
  return id;
}

function checkExpiry({ expires_at }: NewKey, now: Date): void {
  if (expires_at !== null && new Date(expires_at) <= now)
    throw new ServiceError('invalid_parameter', 'expires_at must lie in the future');
}

/** A key is replaced once: a second successor would go on with the same count under another name. */
function checkRotatable(key: KeyRecord, now: Date): void {
  const status = keyStatus(key, now);
  if (status === 'active') return;
  const cure = status === 'replaced' ? 'rotate the key that replaced it' : 'make a new key instead';
  throw new ServiceError('invalid_parameter', `The key is ${status}, so it cannot be rotated; ${cure}.`);
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
