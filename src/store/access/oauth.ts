import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { allows, type KeyLevel, keyStatus, lowerLevel } from '../../contract/keys.ts';
import type { OAuthClient } from '../../contract/oauth.ts';
import { appendAuditEntry, statesOf } from '../audit.ts';
import type { KeyRecord } from '../port/access.ts';
import type { Author } from '../port/audit.ts';
import type { CodeExchange, Consent, OAuth, Refresh, TokenRefusal, Tokens } from '../port/oauth.ts';
import { exists, first, number, type Runner, run, type SqlProgram, type Value, value } from '../sql.ts';
import { hashToken, newToken } from '../tokens.ts';
import { keyTable } from './key-table.ts';

const MINUTE_MS = 60_000;
const CODE_LIFE_MS = MINUTE_MS;
const ACCESS_LIFE_MS = 60 * MINUTE_MS;
/** Lifetime of an unused refresh token. */
const REFRESH_LIFE_MS = 30 * 24 * 60 * MINUTE_MS;
/** Expired tokens are kept this long to detect reuse. */
const KEEP_MS = 24 * 60 * MINUTE_MS;

/** OAuth grants over any engine. `pepper` signs client registrations. */
export function createOAuth({ query, transaction }: Runner, pepper: string, now: () => Date): OAuth {
  /** Acquires the write lock only for existing tokens, so that strangers cannot cause contention. */
  const writeOf = async <Result>(token: string, program: () => SqlProgram<Result>, unknown: Result): Promise<Result> =>
    (await query(grantTable.isKnown(hashToken(token)))) ? transaction('keys', program()) : unknown;
  return {
    register: async (client) => signClient(client, pepper),
    registered: async (clientId) => verifyClient(clientId, pepper),
    authorize: (consent) => transaction('keys', authorize(consent, now())),
    exchange: (exchange) => writeOf(exchange.code, () => redeem(exchange, now()), 'invalid_grant'),
    refresh: (refresh) => writeOf(refresh.refreshToken, () => rotate(refresh, now()), 'invalid_grant'),
    revoke: (token, clientId, author) => writeOf(token, () => revokeToken(token, { clientId, author }, now()), true),
  };
}

const CLIENT_PREFIX = 'dcr';

/** Equal registrations get the same client id (RFC 7591, 3.2.1), so a host that registers at each start is one client. */
function signClient({ name, redirectUris }: OAuthClient, pepper: string): string {
  const claims = Buffer.from(JSON.stringify([name, ...redirectUris])).toString('base64url');
  return [CLIENT_PREFIX, claims, signatureOf(claims, pepper).toString('base64url')].join('.');
}

function verifyClient(clientId: string, pepper: string): OAuthClient | undefined {
  const [prefix, claims = '', signature = '', more] = clientId.split('.');
  if (prefix !== CLIENT_PREFIX || more !== undefined) return undefined;
  const [actual, expected] = [Buffer.from(signature, 'base64url'), signatureOf(claims, pepper)];
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return undefined;
  const [name, ...redirectUris] = JSON.parse(Buffer.from(claims, 'base64url').toString()) as [string, ...string[]];
  return { name, redirectUris };
}

const signatureOf = (claims: string, pepper: string): Buffer =>
  createHmac('sha256', pepper).update(`oauth client ${claims}`).digest().subarray(0, 16);

function* authorize(consent: Consent, now: Date): SqlProgram<string> {
  const { level, resource, redirectUri, challenge } = consent;
  const key = yield* keyFor(consent, now);
  const grant = yield* grantTable.insert([key.id, resource, redirectUri, challenge, now.toISOString()]);
  return yield* issue(grant, { kind: 'code', level, lifeMs: CODE_LIFE_MS }, now);
}

/** The key of an earlier consent of this member to this client, or a new one. */
function* keyFor(consent: Consent, now: Date): SqlProgram<KeyRecord> {
  const { member, clientId, client, level, redirectUri, author } = consent;
  const at = now.toISOString();
  const account_id = (yield* keyTable.accountId(member.account)) as number;
  const id = yield* grantTable.keyOf({ account_id, email: member.email, clientId }, at);
  const before = id === undefined ? undefined : yield* keyTable.byId(id, undefined);
  if (before !== undefined) yield* grantTable.renameKey(before.id, client.name, higher(before.level, level));
  else {
    yield* keyTable.checkRoom(account_id, at);
    yield* keyTable.insert({
      account_id,
      name: client.name,
      level,
      // No secret has this hash; the key is found through tokens only.
      hash: randomBytes(32),
      display: new URL(redirectUri).host,
      created_at: at,
      created_by: member.email,
      expires_at: new Date(now.getTime() + CODE_LIFE_MS).toISOString(),
      allowed_cidrs: [],
      rotated_from: null,
      client_id: clientId,
    });
  }
  // Exists already, or was just inserted.
  const made = (yield* grantTable.keyOf({ account_id, email: member.email, clientId }, at)) as number;
  const after = (yield* keyTable.byId(made, undefined)) as KeyRecord;
  yield* appendAuditEntry({ author, at, action: 'oauth.consent', type: 'keys', id: made, ...statesOf(before, after) });
  return after;
}

const higher = (one: KeyLevel, other: KeyLevel): KeyLevel => (allows(one, other) ? one : other);

function* redeem(given: CodeExchange, now: Date): SqlProgram<Tokens | TokenRefusal> {
  const { code, clientId, verifier, redirectUri, resource, author } = given;
  const found = yield* grantTable.byToken('code', hashToken(code));
  if (found === undefined || found.client_id !== clientId) return 'invalid_grant';
  if (found.used_at !== null) return yield* replayed(found, author, now);
  const isProven = createHash('sha256').update(verifier).digest('base64url') === found.challenge;
  if (!isProven || (redirectUri ?? found.redirect_uri) !== found.redirect_uri) return 'invalid_grant';
  return yield* exchanged(found, { level: undefined, resource }, now);
}

function* rotate(refresh: Refresh, now: Date): SqlProgram<Tokens | TokenRefusal> {
  const { refreshToken, clientId, level, resource, author } = refresh;
  const found = yield* grantTable.byToken('refresh', hashToken(refreshToken));
  if (found === undefined || found.client_id !== clientId) return 'invalid_grant';
  if (found.used_at !== null) return yield* replayed(found, author, now);
  return yield* exchanged(found, { level, resource }, now);
}

function* exchanged(
  found: Grant,
  { level, resource }: Pick<Refresh, 'level' | 'resource'>,
  now: Date,
): SqlProgram<Tokens | TokenRefusal> {
  const granted = lowerLevel(found.level, found.person_level);
  if (keyStatus(statusOf(found), now) !== 'active') return 'invalid_grant';
  if (resource !== undefined && resource !== found.resource) return 'invalid_target';
  if (level !== undefined && !allows(found.level, level)) return 'invalid_scope';
  const access = { kind: 'access', level: lowerLevel(granted, level ?? granted), lifeMs: ACCESS_LIFE_MS } as const;
  const endsAt = new Date(now.getTime() + REFRESH_LIFE_MS).toISOString();
  yield* grantTable.use(found.token_id, now.toISOString());
  yield* grantTable.sweep(new Date(now.getTime() - KEEP_MS).toISOString());
  yield* run('UPDATE keys SET expires_at = ? WHERE id = ?', endsAt, found.key_id);
  return {
    accessToken: yield* issue(found.grant_id, access, now),
    refreshToken: yield* issue(found.grant_id, { kind: 'refresh', level: found.level, lifeMs: REFRESH_LIFE_MS }, now),
    lifeSeconds: ACCESS_LIFE_MS / 1_000,
    level: access.level,
  };
}

const statusOf = ({ expires_at, revoked_at, key_revoked_at }: Grant) => ({
  expires_at,
  revoked_at: revoked_at ?? key_revoked_at,
  overlap_ends_at: null,
});

interface Issued {
  readonly kind: TokenKind;
  readonly level: KeyLevel;
  readonly lifeMs: number;
}

function* issue(grant: number, { kind, level, lifeMs }: Issued, now: Date): SqlProgram<string> {
  const token = TOKEN_PREFIX + newToken();
  yield* grantTable.insertToken([grant, kind, hashToken(token), level, new Date(now.getTime() + lifeMs).toISOString()]);
  return token;
}

/** Reuse of a code or refresh token means that it leaked: revokes the grant. */
function* replayed(found: Grant, author: Author, now: Date): SqlProgram<TokenRefusal> {
  yield* end(found, { author, action: 'oauth.replay' }, now);
  return 'invalid_grant';
}

function* revokeToken(
  token: string,
  { clientId, author }: { readonly clientId: string; readonly author: Author },
  now: Date,
): SqlProgram<boolean> {
  const hash = hashToken(token);
  const found = (yield* grantTable.byToken('refresh', hash)) ?? (yield* grantTable.byToken('access', hash));
  if (found?.client_id !== clientId) return found === undefined;
  yield* end(found, { author, action: 'oauth.revoke' }, now);
  return true;
}

/** Revokes a grant, and its key if no other grant remains. */
function* end(found: Grant, { author, action }: { author: Author; action: string }, now: Date): SqlProgram<void> {
  if (found.revoked_at !== null) return;
  const at = now.toISOString();
  const { account, created_by: person } = found;
  yield* grantTable.revoke(found.grant_id, at);
  if ((yield* grantTable.countOpen(found.key_id, at)) === 0) yield* keyTable.revoke(found.key_id, at);
  yield* appendAuditEntry({ author: { ...author, account, person }, at, action, type: 'keys', id: found.key_id });
}

const TOKEN_PREFIX = 'mt_';
const TOKEN_LENGTH = TOKEN_PREFIX.length + 43;
const SWEEP_MAX = 100;

export type TokenKind = 'code' | 'access' | 'refresh';

/** A token with its grant and member; the member is null after leaving the account. */
export interface Grant {
  readonly token_id: number;
  readonly level: KeyLevel;
  readonly expires_at: string;
  readonly used_at: string | null;
  readonly grant_id: number;
  readonly resource: string;
  readonly redirect_uri: string;
  readonly challenge: string;
  readonly revoked_at: string | null;
  readonly key_id: number;
  readonly client_id: string;
  readonly created_by: string;
  readonly key_revoked_at: string | null;
  readonly account: string;
  readonly person_level: KeyLevel;
}

const BY_TOKEN = `SELECT tokens.id AS token_id, tokens.level, tokens.expires_at, used_at, grant_id, resource, redirect_uri,
    challenge, grants.revoked_at, key_id, client_id, created_by, keys.revoked_at AS key_revoked_at,
    accounts.name AS account, members.level AS person_level
  FROM oauth_tokens AS tokens JOIN oauth_grants AS grants ON grants.id = grant_id JOIN keys ON keys.id = key_id
    JOIN accounts ON accounts.id = keys.account_id
    JOIN members ON members.account_id = keys.account_id AND members.email = created_by
  WHERE tokens.hash = ? AND kind = ?`;
const KEY_OF = `SELECT id FROM keys WHERE account_id = ? AND created_by = ? AND client_id = ? AND revoked_at IS NULL
  AND expires_at > ? ORDER BY id DESC LIMIT 1`;
const INSERT = `INSERT INTO oauth_grants (key_id, resource, redirect_uri, challenge, created_at)
  VALUES (?, ?, ?, ?, ?) RETURNING id`;
const COUNT_OPEN = `SELECT count(*) FROM oauth_grants AS grants JOIN oauth_tokens AS tokens ON grant_id = grants.id
  WHERE key_id = ? AND revoked_at IS NULL AND kind <> 'access' AND used_at IS NULL AND expires_at > ?`;
const SWEEP = `DELETE FROM oauth_tokens WHERE id IN
  (SELECT id FROM oauth_tokens WHERE expires_at < ? ORDER BY expires_at LIMIT ${SWEEP_MAX})`;

export const grantTable = {
  insert: (row: readonly Value[]): SqlProgram<number> => number(INSERT, ...row),
  insertToken: (row: readonly Value[]): SqlProgram<void> =>
    run('INSERT INTO oauth_tokens (grant_id, kind, hash, level, expires_at) VALUES (?, ?, ?, ?, ?)', ...row),
  byToken: (kind: TokenKind, hash: Buffer): SqlProgram<Grant | undefined> => first<Grant>(BY_TOKEN, hash, kind),
  isKnown: (hash: Buffer): SqlProgram<boolean> => exists('SELECT 1 FROM oauth_tokens WHERE hash = ?', hash),
  /** The active key shared by the grants of a member and client. */
  keyOf: (of: { account_id: number; email: string; clientId: string }, at: string): SqlProgram<number | undefined> =>
    value<number>(KEY_OF, of.account_id, of.email, of.clientId, at),
  renameKey: (id: number, name: string, level: KeyLevel): SqlProgram<void> =>
    run('UPDATE keys SET name = ?, level = ? WHERE id = ?', name, level, id),
  use: (token: number, at: string): SqlProgram<void> =>
    run('UPDATE oauth_tokens SET used_at = ? WHERE id = ?', at, token),
  revoke: (grant: number, at: string): SqlProgram<void> =>
    run('UPDATE oauth_grants SET revoked_at = ? WHERE id = ?', at, grant),
  countOpen: (key: number, at: string): SqlProgram<number> => number(COUNT_OPEN, key, at),
  sweep: (at: string): SqlProgram<void> => run(SWEEP, at),
  /** The key of an access token, limited by the token, grant, key and member. */
  *keyByToken(token: string): SqlProgram<KeyRecord | undefined> {
    if (!token.startsWith(TOKEN_PREFIX) || token.length !== TOKEN_LENGTH) return undefined;
    const found = yield* grantTable.byToken('access', hashToken(token));
    const key = found && (yield* keyTable.byId(found.key_id, undefined));
    if (found === undefined || key === undefined) return undefined;
    const { level, person_level, expires_at, resource } = found;
    return {
      ...key,
      level: lowerLevel(level, person_level),
      expires_at,
      revoked_at: key.revoked_at ?? found.revoked_at,
      audience: resource,
    };
  },
};
