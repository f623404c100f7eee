import { isLoopback, isRegistered, KNOWN_CLIENTS, levelOfScope, type OAuthClient } from '../../contract/oauth.ts';
import type { Consent } from '../../store/port/oauth.ts';
import type { Store } from '../../store/store.ts';
import { oauthAddresses } from './addresses.ts';
import type { ClientDocuments } from './client-documents.ts';
import { OAuthError, readParameters } from './oauth-error.ts';

interface Deps {
  readonly store: Pick<Store, 'oauth'>;
  readonly publicUrl: string;
  readonly clientDocuments: ClientDocuments;
}

export interface AuthorizationRequest extends Omit<Consent, 'member' | 'author'> {
  readonly state: string | undefined;
}

/** SHA-256 in base64url (RFC 7636, 4.2). */
const CHALLENGE = /^[\w-]{43}$/;

/** Parses an authorization request (OAuth 2.1, 4.1.1). Its OAuthError redirects once the redirect URI is validated. */
export async function readAuthorization(search: string, deps: Deps): Promise<AuthorizationRequest> {
  const parameters = readParameters(search);
  const { client_id: clientId, redirect_uri: redirectUri, state } = parameters;
  if (clientId === undefined) throw new OAuthError('invalid_request', 'client_id: missing');
  const client = await findClient(clientId, deps);
  // Never redirect to an unregistered URI (OAuth 2.1, 7.12).
  if (redirectUri === undefined || !isRegistered(client, redirectUri))
    throw new OAuthError('invalid_request', 'redirect_uri: not registered for this client');
  try {
    return { clientId, client, redirectUri, state, ...readTerms(parameters, deps.publicUrl) };
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    const to = refusedUrl({ redirectUri, state }, error, deps.publicUrl);
    // A dynamically registered client must not become an open redirector (RFC 9700, 4.11.2).
    const isTrusted = isKnown(clientId) || isLoopback(new URL(redirectUri));
    throw new OAuthError(error.code, error.message, { to, isTrusted });
  }
}

async function findClient(clientId: string, { store, clientDocuments }: Deps): Promise<OAuthClient> {
  if (clientId.startsWith('https:')) return clientDocuments(clientId);
  const client = (isKnown(clientId) ? KNOWN_CLIENTS[clientId] : undefined) ?? (await store.oauth.registered(clientId));
  if (client === undefined) throw new OAuthError('invalid_client', 'client_id: no client of this service');
  return client;
}

const isKnown = (clientId: string): boolean => Object.hasOwn(KNOWN_CLIENTS, clientId);

type Terms = Pick<AuthorizationRequest, 'level' | 'resource' | 'challenge'>;

function readTerms(parameters: Readonly<Record<string, string | undefined>>, publicUrl: string): Terms {
  const { response_type, code_challenge: challenge = '', code_challenge_method: method, scope } = parameters;
  const { canonical, resourceOf } = oauthAddresses(publicUrl);
  if (response_type !== 'code') throw new OAuthError('unsupported_response_type', 'response_type: give code');
  // The default method would be plain (RFC 7636, 4.3), which is not supported.
  if (method !== 'S256' || !CHALLENGE.test(challenge))
    throw new OAuthError('invalid_request', 'code_challenge: give one with code_challenge_method S256');
  const resource = parameters['resource'] === undefined ? resourceOf('/mcp') : canonical(parameters['resource']);
  if (resource === undefined) throw new OAuthError('invalid_target', 'resource: not an MCP server of this service');
  const level = levelOfScope(scope);
  if (level === undefined) throw new OAuthError('invalid_scope', 'scope: give read, write or delete');
  return { level, resource, challenge };
}

type RedirectTarget = Pick<AuthorizationRequest, 'redirectUri' | 'state'>;

/** The redirect after consent, with the code and the issuer (RFC 9207, 2). */
export const grantedUrl = (request: RedirectTarget, code: string, publicUrl: string): string =>
  returnUrl(request, { code }, publicUrl);

export const refusedUrl = (
  request: RedirectTarget,
  { code, message }: Pick<OAuthError, 'code' | 'message'>,
  publicUrl: string,
) => returnUrl(request, { error: code, error_description: message }, publicUrl);

function returnUrl(target: RedirectTarget, parameters: Readonly<Record<string, string>>, publicUrl: string): string {
  const { redirectUri, state } = target;
  const url = new URL(redirectUri);
  const { issuer: iss } = oauthAddresses(publicUrl);
  for (const [name, value] of Object.entries({ ...parameters, ...(state !== undefined && { state }), iss }))
    url.searchParams.set(name, value);
  return url.href;
}
