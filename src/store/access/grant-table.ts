import { type KeyLevel, lowerLevel } from '../../contract/keys.ts';
import type { KeyRecord } from '../port/access.ts';
import { exists, first, number, run, type SqlProgram, type Value, value } from '../sql.ts';
import { hashToken } from '../tokens.ts';
import { keyTable } from './key-table.ts';

export const TOKEN_PREFIX = 'mt_';
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
  /** Current level of the member. */
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

/** SQL programs on grants; each runs in the caller's transaction. */
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
  keyByToken: function* keyByToken(token: string): SqlProgram<KeyRecord | undefined> {
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
