import express, { type Express, type Request, type RequestHandler, type Response } from 'express';
import { isTooDeep } from '../../contract/json.ts';
import { KEY_LEVELS } from '../../contract/keys.ts';
import {
  clientMetadata,
  levelOfScope,
  type OAuthErrorCode,
  RESOURCE_PATHS,
  type ResourcePath,
  scopeOf,
} from '../../contract/oauth.ts';
import type { Author } from '../../store/port/audit.ts';
import type { TokenRefusal, Tokens } from '../../store/port/oauth.ts';
import type { Store } from '../../store/store.ts';
import type { ServiceDeps } from '../deps.ts';
import { allowAnyOrigin } from '../middleware/cors.ts';
import { refuseMethod } from '../middleware/error-handler.ts';
import { createRefusalLimit, type RefusalLimit } from '../middleware/rate-limits.ts';
import { passing } from '../middleware/request-group.ts';
import { anonymousAuthor } from '../middleware/request-id.ts';
import { createStaticDocument, serveDocument } from '../static-documents.ts';
import { type OAuthAddresses, oauthAddresses, wellKnownPaths } from './addresses.ts';
import { OAuthError, readParameters } from './oauth-error.ts';

const READING = ['GET', 'HEAD', 'OPTIONS'];

/** Serves the metadata of the authorization server and the resources, to any origin. */
function mountMetadata(app: Express, addresses: OAuthAddresses): void {
  const { base } = addresses;
  const serve = (paths: readonly string[], metadata: object): void => {
    app.route([...paths]).all(...allowAnyOrigin(READING));
    app.get([...paths], serveDocument(createStaticDocument(JSON.stringify(metadata), 'application/json')));
    app.route([...paths]).all(refuseMethod(READING));
  };
  serve(wellKnownPaths('oauth-authorization-server', base, ''), serverMetadata(addresses));
  for (const path of RESOURCE_PATHS)
    serve(wellKnownPaths('oauth-protected-resource', base, path), resourceMetadata(addresses, path));
  // Fallback location of clients (MCP 2026-07-28, authorization server discovery).
  serve(wellKnownPaths('oauth-protected-resource', base, ''), resourceMetadata(addresses, '/mcp'));
}

/** RFC 8414, 2; RFC 9207, 3; the draft on client id metadata documents, 5. */
const serverMetadata = ({ issuer }: OAuthAddresses): object => ({
  issuer,
  authorization_endpoint: `${issuer}/account/authorize`,
  token_endpoint: `${issuer}/oauth/token`,
  registration_endpoint: `${issuer}/oauth/register`,
  revocation_endpoint: `${issuer}/oauth/revoke`,
  scopes_supported: KEY_LEVELS,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
  service_documentation: `${issuer}/docs/mcp`,
});

/** RFC 9728, 2. Lists the minimum scope, because clients request every listed one. */
const resourceMetadata = ({ issuer, resourceOf }: OAuthAddresses, path: ResourcePath): object => ({
  resource: resourceOf(path),
  authorization_servers: [issuer],
  scopes_supported: [scopeOf('read')],
  bearer_methods_supported: ['header'],
  resource_name: 'web3-bi',
  resource_documentation: `${issuer}/docs/mcp`,
});

const BODY_BYTES_MAX = 16 * 1024;
/** Bounds registrations, because the client id contains the metadata and is part of URLs. */
const REGISTRATION_LENGTH_MAX = 2_000;
const METHODS = ['POST', 'OPTIONS'];

interface Deps {
  readonly oauth: Store['oauth'];
  readonly addresses: OAuthAddresses;
}

/** Mounts the endpoints that programs call; the authorization page is part of the console. */
export function mountOAuth(app: Express, { store, publicUrl, clientDocuments, burstPerSecond }: ServiceDeps): void {
  if (clientDocuments === undefined) return;
  const refused = createRefusalLimit({ burstPerSecond });
  const addresses = oauthAddresses(publicUrl);
  const deps: Deps = { oauth: store.oauth, addresses };
  mountMetadata(app, addresses);
  app.post('/oauth/token', ...endpoint(form, token(deps), refused));
  app.post('/oauth/revoke', ...endpoint(form, revoke(deps), refused));
  app.post('/oauth/register', ...endpoint(json, register(deps), refused));
  for (const path of ['/oauth/token', '/oauth/revoke', '/oauth/register'])
    app.route(path).all(...allowAnyOrigin(METHODS), refuseMethod(METHODS));
}

/** Reads a form as text, because repeated parameters must be detected. */
const form = express.text({ type: 'application/x-www-form-urlencoded', limit: BODY_BYTES_MAX, inflate: false });
const json = express.json({ limit: BODY_BYTES_MAX, inflate: false });

interface EndpointResponse {
  readonly status: number;
  readonly body: object;
}
type EndpointHandler = (body: unknown, author: Author) => Promise<EndpointResponse>;

/**
 * An endpoint with JSON responses, including errors (RFC 6749, 5.2), that are not cached.
 * @param refused limits guessing of codes and tokens
 */
function endpoint(read: RequestHandler, run: EndpointHandler, refused: RefusalLimit): RequestHandler[] {
  const respond = async (request: Request, response: Response): Promise<EndpointResponse> => {
    try {
      await passing(read, request, response);
      return await run(request.body, anonymousAuthor(request, response));
    } catch (error) {
      const refusal = toOAuthError(error);
      if (refusal === undefined) throw error;
      await refused.take(request.ip);
      const { code, message } = refusal;
      response.locals['errorCode'] = code;
      return { status: code === 'invalid_client' ? 401 : 400, body: { error: code, error_description: message } };
    }
  };
  const handler: RequestHandler = async (request, response) => {
    response.set('Cache-Control', 'no-store');
    const { status, body } = await respond(request, response);
    response.status(status).json(body);
  };
  return [...allowAnyOrigin(METHODS), handler];
}

/** Errors of the body parser are malformed requests. */
function toOAuthError(error: unknown): OAuthError | undefined {
  if (error instanceof OAuthError) return error;
  const { status } = error as { status?: unknown };
  return typeof status === 'number' && status < 500
    ? new OAuthError('invalid_request', 'The body could not be read.')
    : undefined;
}

/** The token endpoint (OAuth 2.1, 3.2). Clients are public: identified by client id, code and verifier. */
function token({ oauth, addresses }: Deps): EndpointHandler {
  return async (body, author) => {
    const parameters = readParameters(typeof body === 'string' ? body : '');
    const clientId = required(parameters, 'client_id');
    const resource = parameters['resource'] && (addresses.canonical(parameters['resource']) ?? '');
    const common = { clientId, resource, author };
    const grantType = required(parameters, 'grant_type');
    if (grantType === 'authorization_code') {
      const [code, verifier] = [required(parameters, 'code'), required(parameters, 'code_verifier')];
      return answerOf(await oauth.exchange({ ...common, code, verifier, redirectUri: parameters['redirect_uri'] }));
    }
    if (grantType !== 'refresh_token')
      throw new OAuthError('unsupported_grant_type', 'grant_type: give authorization_code or refresh_token');
    const level = parameters['scope'] === undefined ? undefined : levelOfScope(parameters['scope']);
    if (parameters['scope'] !== undefined && level === undefined)
      throw new OAuthError('invalid_scope', REFUSED.invalid_scope);
    return answerOf(await oauth.refresh({ ...common, refreshToken: required(parameters, 'refresh_token'), level }));
  };
}

const REFUSED: Readonly<Record<TokenRefusal, string>> = {
  invalid_grant: 'The code or token is invalid, of another client, or already used; request authorization again.',
  invalid_scope: 'scope: more than the person agreed to',
  invalid_target: 'resource: differs from the authorized one',
};

/** Token response (RFC 6749, 5.1). */
function answerOf(result: Tokens | TokenRefusal): EndpointResponse {
  if (typeof result === 'string') throw new OAuthError(result, REFUSED[result]);
  const { accessToken, refreshToken, lifeSeconds, level } = result;
  const tokens = { access_token: accessToken, refresh_token: refreshToken };
  return { status: 200, body: { ...tokens, token_type: 'Bearer', expires_in: lifeSeconds, scope: scopeOf(level) } };
}

function required(parameters: ReturnType<typeof readParameters>, name: string): string {
  const value = parameters[name];
  if (value === undefined) throw new OAuthError('invalid_request', `${name}: missing`);
  return value;
}

/** Revocation (RFC 7009, 2). Unknown tokens succeed too (2.2). */
function revoke({ oauth }: Deps): EndpointHandler {
  return async (body, author) => {
    const parameters = readParameters(typeof body === 'string' ? body : '');
    const isDone = await oauth.revoke(required(parameters, 'token'), required(parameters, 'client_id'), author);
    if (!isDone) throw new OAuthError('invalid_client', 'The token is of another client.');
    return { status: 200, body: {} };
  };
}

/** Dynamic registration (RFC 7591, 3), for clients without a metadata document. Every client is registered as public. */
function register({ oauth }: Deps): EndpointHandler {
  return async (body) => {
    const read = isTooDeep(body) ? undefined : clientMetadata.safeParse(body);
    if (read?.success !== true) {
      const isRedirect = read?.error.issues.some(({ path }) => path[0] === 'redirect_uris') === true;
      throw refusedRegistration(isRedirect ? 'invalid_redirect_uri' : 'invalid_client_metadata');
    }
    const { name, redirectUris } = read.data;
    if (redirectUris.join().length > REGISTRATION_LENGTH_MAX) throw refusedRegistration('invalid_redirect_uri');
    const registered = {
      client_id: await oauth.register(read.data),
      client_name: name,
      redirect_uris: redirectUris,
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    };
    return { status: 201, body: registered };
  };
}

const refusedRegistration = (code: OAuthErrorCode): OAuthError =>
  new OAuthError(code, 'Give client_name and redirect_uris, each https or http of localhost, 127.0.0.1 or [::1].');
