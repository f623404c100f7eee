import * as z from 'zod';
import { KEY_LEVELS, KEY_NAME_LENGTH_MAX, type KeyLevel } from './keys.ts';

/** Paths of the MCP servers, each with its own token audience (RFC 8707, RFC 9728). `/mcp/account` requires a token. */
export const RESOURCE_PATHS = ['/mcp', '/mcp/account', '/mcp/research'] as const;
export type ResourcePath = (typeof RESOURCE_PATHS)[number];

/** Error codes of authorization, token and registration requests (RFC 6749, 4.1.2.1 and 5.2; RFC 7591, 3.2.2; RFC 8707, 2). */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_client_metadata'
  | 'invalid_redirect_uri'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_target'
  | 'access_denied'
  | 'unsupported_grant_type'
  | 'unsupported_response_type';

export interface OAuthClient {
  readonly name: string;
  readonly redirectUris: readonly string[];
}

const REDIRECT_URIS_MAX = 20;
const URI_LENGTH_MAX = 512;
const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

export const isLoopback = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && LOOPBACK_HOSTS.includes(hostname);

/** Whether a redirect URI is allowed: https, or http to loopback (OAuth 2.1, 1.5 and 8.4.2), without a fragment. */
function isRedirectUri(text: string): boolean {
  if (text.length > URI_LENGTH_MAX || text.includes('#') || !URL.canParse(text)) return false;
  const url = new URL(text);
  return url.username === '' && url.password === '' && (url.protocol === 'https:' || isLoopback(url));
}

/** Whether a redirect URI is registered: an exact match, except for the port of a loopback address (RFC 8252, 7.3). */
export function isRegistered({ redirectUris }: OAuthClient, redirectUri: string): boolean {
  if (redirectUris.includes(redirectUri)) return true;
  const portless = withoutLoopbackPort(redirectUri);
  return portless !== undefined && redirectUris.some((known) => withoutLoopbackPort(known) === portless);
}

function withoutLoopbackPort(text: string): string | undefined {
  const url = isRedirectUri(text) ? new URL(text) : undefined;
  return url !== undefined && isLoopback(url) ? Object.assign(url, { port: '' }).href : undefined;
}

/** Client metadata (RFC 7591, 2). Drops redirect URIs that are not allowed (3.2.1) and control characters of the name, which people see. */
export const clientMetadata = z
  .object({
    client_name: z.string().max(1_000).optional(),
    redirect_uris: z.array(z.string()).max(REDIRECT_URIS_MAX),
  })
  .transform(({ client_name = '', redirect_uris }): OAuthClient => {
    const redirectUris = redirect_uris.filter(isRedirectUri);
    const shown = client_name.replace(/\p{C}/gu, '').trim().slice(0, KEY_NAME_LENGTH_MAX).trim();
    return { name: shown === '' ? hostOf(redirectUris[0]) : shown, redirectUris };
  })
  .refine(({ redirectUris }) => redirectUris.length > 0, { path: ['redirect_uris'] });

const hostOf = (uri: string | undefined): string =>
  uri === undefined ? '' : new URL(uri).host.slice(0, KEY_NAME_LENGTH_MAX);

/** Preregistered clients by client id, with the redirect URIs that their vendors publish. */
export const KNOWN_CLIENTS: Readonly<Record<string, OAuthClient>> = {
  claude: {
    name: 'Claude',
    redirectUris: ['https://claude.ai/api/mcp/auth_callback', 'https://claude.com/api/mcp/auth_callback'],
  },
  chatgpt: { name: 'ChatGPT', redirectUris: ['https://chatgpt.com/connector_platform_oauth_redirect'] },
};

/** The scope string of a level: it and every lower level. */
export const scopeOf = (level: KeyLevel): string => KEY_LEVELS.slice(0, KEY_LEVELS.indexOf(level) + 1).join(' ');

/** The highest level in a scope, by default `read`; other scopes such as offline_access are ignored (RFC 6749, 3.3). */
export function levelOfScope(scope: string | undefined): KeyLevel | undefined {
  const requested = (scope ?? '').split(' ').filter((name) => name !== '' && name !== 'offline_access');
  if (requested.length === 0) return 'read';
  return KEY_LEVELS.findLast((level) => requested.includes(level));
}
