import type { Express } from 'express';
import { KEY_LEVELS } from '../../contract/keys.ts';
import { RESOURCE_PATHS, type ResourcePath, scopeOf } from '../../contract/oauth.ts';
import { allowAnyOrigin } from '../middleware/cors.ts';
import { refuseMethod } from '../middleware/method-not-allowed.ts';
import { createStaticDocument, serveDocument } from '../static-documents.ts';
import { type OAuthAddresses, wellKnownPaths } from './addresses.ts';

const READING = ['GET', 'HEAD', 'OPTIONS'];

/** Serves the metadata of the authorization server and the resources, to any origin. */
export function mountMetadata(app: Express, addresses: OAuthAddresses): void {
  const { base } = addresses;
  const serve = (paths: readonly string[], metadata: object): void => {
    app.all([...paths], ...allowAnyOrigin(READING));
    app.get([...paths], serveDocument(createStaticDocument(JSON.stringify(metadata), 'application/json')));
    app.all([...paths], refuseMethod(READING));
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
