import { createHash, createHmac, randomBytes, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { ServiceError } from '../../contract/errors.ts';
import { KEY_PATTERN, KEY_PREFIX, keyStatus, OVERLAP_SECONDS, readKeyFields } from '../../contract/keys.ts';
import { appendAuditEntry, statesOf } from '../audit.ts';
import type { KeyRecord, Keys, KeyUse, ListedKey, MadeKey, NewKey, Rotation, Usage } from '../port/access.ts';
import { type Author, OPERATOR } from '../port/audit.ts';
import { type Runner, run, type SqlProgram, value } from '../sql.ts';
import { keyTable } from './key-table.ts';
import { grantTable } from './oauth.ts';
import { type LastRequest, lastRequests } from './request-log.ts';

/** Keys over any engine. `pepper` is the database's secret for key hashes. */
export function createKeys({ runner, usage, recallKey }: KeyDeps, pepper: string, now: () => Date): Keys {
  const making: KeyCreation = { pepper, now };
  const find: RecallKey = (hash) => runner.query(keyTable.byHash(hash));
  return {
    create: (given) => runner.transaction('keys', create(making, given)),
    find: (secret) =>
      isSecret(secret) ? find(hashSecret(secret, pepper)) : runner.query(grantTable.keyByToken(secret)),
    recall: async (secret) => (isSecret(secret) ? await (recallKey ?? find)(hashSecret(secret, pepper)) : undefined),
    list: async (account) => {
      const keys = await runner.query(keyTable.list(account));
      const [readings, last] = await Promise.all([usage.readAll(keys), runner.query(lastRequests(account))]);
      const moment = now();
      return keys.map((key, index) => listed(key, withLast(readings[index] as KeyUse, last.get(key.id)), moment));
    },
    rotate: (id, rotation, account) => runner.transaction('keys', rotate(making, { id, account }, rotation)),
    revoke: (id, account, author = OPERATOR) => runner.transaction('keys', revoke(making, { id, account }, author)),
  };
}

export type RecallKey = (hash: Buffer) => Promise<KeyRecord | undefined>;

interface KeyDeps {
  readonly runner: Runner;
  readonly usage: Pick<Usage, 'readAll'>;
  readonly recallKey: RecallKey | undefined;
}

function listed(key: KeyRecord, use: KeyUse, moment: Date): ListedKey {
  const { today, thisMonth, last_used_at, last_used_ip } = use;
  const counted = { requests_today: today, requests_this_month: thisMonth, last_used_at, last_used_ip };
  return { ...key, status: keyStatus(key, moment), ...counted };
}

/** A use is recorded once a minute, and the log has each request. */
function withLast(use: KeyUse, last: LastRequest | undefined): KeyUse {
  if (last === undefined || (use.last_used_at ?? '') >= last.at) return use;
  return { ...use, last_used_at: last.at, last_used_ip: last.address };
}

interface KeyCreation {
  readonly pepper: string;
  readonly now: () => Date;
}

interface KeySelector {
  readonly id: number;
  readonly account: string | undefined;
}

function* create(making: KeyCreation, input: NewKey): SqlProgram<MadeKey> {
  const now = making.now();
  checkExpiry(input, now);
  yield* keyTable.checkRoom(yield* accountId(input.account), now.toISOString());
  return yield* add(making, input, { secret: newSecret() });
}

function* rotate(making: KeyCreation, selector: KeySelector, rotation: Rotation): SqlProgram<MadeKey | undefined> {
  const { id, account } = selector;
  const { now } = making;
  const old = yield* keyTable.byId(id, account);
  if (old === undefined) return undefined;
  checkRotatable(old, now());
  const { created_by = null, author = OPERATOR } = rotation;
  const made = yield* add(making, { ...old, created_by, author }, { secret: newSecret(), old });
  const endsAt = new Date(now().getTime() + OVERLAP_SECONDS[rotation.overlap] * 1_000);
  yield* keyTable.replace(old.id, made.created_at, endsAt.toISOString());
  const after = (yield* keyTable.byId(old.id, account)) as KeyRecord;
  yield* note(making, { author, action: 'key.rotate', before: old, after });
  return made;
}

function* revoke(making: KeyCreation, { id, account }: KeySelector, author: Author): SqlProgram<KeyRecord | undefined> {
  const before = yield* keyTable.byId(id, account);
  if (before === undefined || before.revoked_at !== null) return before;
  yield* keyTable.revoke(id, making.now().toISOString());
  const after = (yield* keyTable.byId(id, account)) as KeyRecord;
  yield* note(making, { author, action: 'key.revoke', before, after });
  return after;
}

function* add(making: KeyCreation, given: NewKey, parts: { secret: string; old?: KeyRecord }): SqlProgram<MadeKey> {
  const { secret, old } = parts;
  const { pepper, now } = making;
  const hash = hashSecret(secret, pepper);
  yield* keyTable.insert({
    ...readKeyFields({ ...given }),
    account_id: yield* accountId(given.account),
    hash,
    display: displaySecret(secret),
    created_at: now().toISOString(),
    created_by: given.created_by ?? null,
    rotated_from: old?.id ?? null,
  });
  // Exists, because it was just inserted.
  const made = (yield* keyTable.byHash(hash)) as KeyRecord;
  yield* note(making, { author: given.author ?? OPERATOR, action: 'key.create', after: made });
  return { ...made, secret };
}

function note(
  { now }: KeyCreation,
  { author, action, before, after }: { author: Author; action: string; before?: KeyRecord; after: KeyRecord },
): SqlProgram<void> {
  const states = statesOf(before, after);
  return appendAuditEntry({ author, at: now().toISOString(), action, type: 'keys', id: after.id, ...states });
}

function* accountId(name: string): SqlProgram<number> {
  const id = yield* keyTable.accountId(name);
  if (id === undefined) throw new ServiceError('not_found', 'There is no account of this name; create it first.');
  return id;
}

function checkExpiry({ expires_at }: NewKey, now: Date): void {
  if (expires_at !== null && new Date(expires_at) <= now)
    throw new ServiceError('invalid_parameter', 'expires_at must lie in the future');
}

/** A key is rotated once, because a second successor would share its quota under another name. */
function checkRotatable(key: KeyRecord, now: Date): void {
  const status = keyStatus(key, now);
  if (key.client_id !== null)
    throw new ServiceError('invalid_parameter', 'The key has no secret: its client renews its tokens itself.');
  if (status === 'active') return;
  const remedy = status === 'replaced' ? 'rotate the key that replaced it' : 'make a new key instead';
  throw new ServiceError('invalid_parameter', `The key is ${status}, so it cannot be rotated; ${remedy}.`);
}

const PEPPER = "SELECT value FROM settings WHERE name = 'key_pepper'";

/** The database's secret for key hashes, created on first use. */
export const readPepper = async ({ query, longTransaction }: Runner): Promise<string> =>
  (await query(storedPepper())) ?? (await longTransaction('keys', makePepper()));

/** The database's secret for key hashes; undefined before the first start. */
export const storedPepper = (): SqlProgram<string | undefined> => value<string>(PEPPER);

/** Identifies a database across its copies and engines, without revealing its secret. */
export function* identityOf(): SqlProgram<string> {
  const pepper = (yield* storedPepper()) ?? '';
  return createHash('sha256').update(pepper).digest('hex').slice(0, 16);
}

function* makePepper(): SqlProgram<string> {
  const made = randomBytes(32).toString('hex');
  // Another process may have created it in between.
  yield* run("INSERT INTO settings (name, value) VALUES ('key_pepper', ?) ON CONFLICT (name) DO NOTHING", made);
  return (yield* value<string>(PEPPER)) ?? made;
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;

/** A new key: 256 random bits and a checksum, which rejects typos without a database query. */
export function newSecret(): string {
  const secret = Array.from({ length: SECRET_LENGTH }, () => BASE62.charAt(randomInt(BASE62.length))).join('');
  return `${KEY_PREFIX}${secret}${checksum(secret)}`;
}

function isSecret(text: string): boolean {
  if (!KEY_PATTERN.test(text)) return false;
  const secret = text.slice(KEY_PREFIX.length, -CHECKSUM_LENGTH);
  return text.endsWith(checksum(secret));
}

function checksum(secret: string): string {
  let rest = crc32(secret);
  let digits = '';
  for (let position = 0; position < CHECKSUM_LENGTH; position += 1) {
    digits = BASE62.charAt(rest % BASE62.length) + digits;
    rest = Math.floor(rest / BASE62.length);
  }
  return digits;
}

/** The stored hash of a key. A slow hash adds nothing to 256 random bits, and would allow exhausting the server. */
const hashSecret = (secret: string, pepper: string): Buffer => createHmac('sha256', pepper).update(secret).digest();

/** An abbreviated key: `mk_AbC1…wxYZ`. */
const displaySecret = (secret: string): string => `${secret.slice(0, KEY_PREFIX.length + 4)}…${secret.slice(-4)}`;
