import type { KeyLevel } from '../../contract/keys.ts';
import type { OAuthClient } from '../../contract/oauth.ts';
import type { Author } from './audit.ts';
import type { Person } from './people.ts';

/** What a person agreed to. */
export interface Consent {
  readonly person: Person;
  readonly clientId: string;
  readonly client: OAuthClient;
  readonly level: KeyLevel;
  /** What the tokens are for: the address of an MCP server (RFC 8707). */
  readonly resource: string;
  readonly redirectUri: string;
  /** SHA-256 of the verifier in base64url (RFC 7636, 4.2). */
  readonly challenge: string;
  readonly author: Author;
}

/** A code that is exchanged for tokens, and what proves that the client of the consent has it. */
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
  /** At most this level, for the next access token alone. */
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

/** An answer, because what is refused may have revoked a grant. */
export type TokenRefusal = 'invalid_grant' | 'invalid_scope' | 'invalid_target';

/**
 * What people let OAuth clients do. The consents of a person for a client share one key, so a client is listed, counted and
 * revoked like a key; each is a grant with tokens of its own. Codes and tokens are 256 random bits; only hashes are kept.
 */
export interface OAuth {
  /** The id of a client that registers itself. It holds the registration, signed, so nothing is kept of it. */
  register(client: OAuthClient): Promise<string>;
  /** The client of such an id; undefined for any other text. */
  registered(clientId: string): Promise<OAuthClient | undefined>;
  /** Keeps a consent. Resolves to the code, which works once, for a minute. */
  authorize(consent: Consent): Promise<string>;
  /** A code that comes a second time revokes its grant (OAuth 2.1, 4.1.3). */
  exchange(exchange: CodeExchange): Promise<Tokens | TokenRefusal>;
  /** Replaces a refresh token; one that comes a second time revokes its grant (OAuth 2.1, 4.3.1). */
  refresh(refresh: Refresh): Promise<Tokens | TokenRefusal>;
  /** Revokes the grant of an access or refresh token, if it is of this client (RFC 7009, 2.1); false when it is of another. */
  revoke(token: string, clientId: string, author: Author): Promise<boolean>;
}
