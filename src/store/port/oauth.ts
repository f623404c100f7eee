import type { KeyLevel } from '../../contract/keys.ts';
import type { OAuthClient } from '../../contract/oauth.ts';
import type { Author } from './audit.ts';
import type { Member } from './members.ts';

export interface Consent {
  readonly member: Member;
  readonly clientId: string;
  readonly client: OAuthClient;
  readonly level: KeyLevel;
  /** Audience of the tokens: the URL of an MCP server (RFC 8707). */
  readonly resource: string;
  readonly redirectUri: string;
  /** SHA-256 of the verifier in base64url (RFC 7636, 4.2). */
  readonly challenge: string;
  readonly author: Author;
}

export interface CodeExchange {
  readonly code: string;
  readonly clientId: string;
  readonly verifier: string;
  readonly redirectUri: string | undefined;
  readonly resource: string | undefined;
  readonly author: Author;
}

export interface Refresh {
  readonly refreshToken: string;
  readonly clientId: string;
  /** Upper bound of the next access token's level. */
  readonly level: KeyLevel | undefined;
  readonly resource: string | undefined;
  readonly author: Author;
}

export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly lifeSeconds: number;
  readonly level: KeyLevel;
}

/** Returned instead of thrown, because the transaction that revokes a grant must commit. */
export type TokenRefusal = 'invalid_grant' | 'invalid_scope' | 'invalid_target';

/**
 * OAuth grants. All consents of a member to a client share one key, so a client is listed, counted and revoked like a
 * key; each consent is a grant with its own tokens. Codes and tokens are 256 random bits, stored as hashes.
 */
export interface OAuth {
  /** The id of a self-registered client. It contains the signed registration, so nothing is stored. */
  register(client: OAuthClient): Promise<string>;
  /** The client of such an id. Undefined for any other text. */
  registered(clientId: string): Promise<OAuthClient | undefined>;
  /**
   * Stores a consent and returns its code, valid once for a minute.
   * @throws ServiceError `not_found` for an unknown account, `invalid_parameter` if it has too many keys
   */
  authorize(consent: Consent): Promise<string>;
  /** Redeems a code. Reuse revokes its grant (OAuth 2.1, 4.1.3). */
  exchange(exchange: CodeExchange): Promise<Tokens | TokenRefusal>;
  /** Rotates a refresh token. Reuse revokes its grant (OAuth 2.1, 4.3.1). */
  refresh(refresh: Refresh): Promise<Tokens | TokenRefusal>;
  /** Revokes the grant of an access or refresh token of this client (RFC 7009, 2.1). False if it belongs to another client. */
  revoke(token: string, clientId: string, author: Author): Promise<boolean>;
}
