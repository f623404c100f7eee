import * as z from 'zod';
import { KEY_LEVELS, KEY_NAME_LENGTH_MAX, type KeyLevel } from './keys.ts';

/**
 * Paths of the MCP servers; each is a protected resource of its own, with tokens of its own (RFC 8707, RFC 9728). The one of
 * an account is /mcp for those who are signed in: what is asked without a token is neither answered nor sold there.
 */
export const RESOURCE_PATHS = ['/mcp', '/mcp/account', '/mcp/research'] as const;
export type ResourcePath = (typeof RESOURCE_PATHS)[number];

/** Why an authorization, token or registration request is refused (RFC 6749, 4.1.2.1 and 5.2; RFC 7591, 3.2.2; RFC 8707, 2). */
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

/** A public client: what it is called, and where its users may be sent back to. */
export interface OAuthClient {
  readonly name: string;
  readonly redirectUris: readonly string[];
}

const REDIRECT_URIS_MAX = 20;
const URI_LENGTH_MAX = 512;
const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

export const isLoopback = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && LOOPBACK_HOSTS.includes(hostname);

/** Redirects go to https, or to a program of the same machine (OAuth 2.1, 1.5 and 8.4.2), never with a fragment. */
function isRedirectUri(text: string): boolean {
  if (text.length > URI_LENGTH_MAX || text.includes('#') || !URL.canParse(text)) return false;
  const url = new URL(text);
  return url.username === '' && url.password === '' && (url.protocol === 'https:' || isLoopback(url));
}

/** Whether a redirect URI was registered: it is the same text, or differs in the port of loopback alone (RFC 8252, 7.3). */
export function isRegistered({ redirectUris }: OAuthClient, given: string): boolean {
  if (redirectUris.includes(given)) return true;
  const portless = withoutLoopbackPort(given);
  return portless !== undefined && redirectUris.some((known) => withoutLoopbackPort(known) === portless);
}

function withoutLoopbackPort(text: string): string | undefined {
  const url = isRedirectUri(text) ? new URL(text) : undefined;
  return url !== undefined && isLoopback(url) ? Object.assign(url, { port: '' }).href : undefined;
}

/**
 * Reads the metadata of a client (RFC 7591, 2). Redirect URIs that are not allowed are left out (3.2.1); a client without a
 * name is called by the host that it redirects to. Its name is shown to people, so it has no control characters.
 */
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

/** Clients that are known to every service, by their id, with the redirect URIs that their makers publish. */
export const KNOWN_CLIENTS: Readonly<Record<string, OAuthClient>> = {
  claude: {
    name: 'Claude',
    redirectUris: ['https://claude.ai/api/mcp/auth_callback', 'https://claude.com/api/mcp/auth_callback'],
  },
  chatgpt: { name: 'ChatGPT', redirectUris: ['https://chatgpt.com/connector_platform_oauth_redirect'] },
};

/** Scopes are levels; a level includes those before it, and is written with them. */
export const scopeOf = (level: KeyLevel): string => KEY_LEVELS.slice(0, KEY_LEVELS.indexOf(level) + 1).join(' ');

/**
 * The highest level of a scope; `read` where none is asked for. Undefined when it names nothing that is a level: other
 * scopes beside one, such as offline_access, are ignored (RFC 6749, 3.3).
 */
export function levelOfScope(scope: string | undefined): KeyLevel | undefined {
  const asked = (scope ?? '').split(' ').filter((name) => name !== '' && name !== 'offline_access');
  if (asked.length === 0) return 'read';
  return KEY_LEVELS.findLast((level) => asked.includes(level));
}
