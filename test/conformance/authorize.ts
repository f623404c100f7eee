import { createClientDocuments } from '../../src/service/oauth/client-documents.ts';
import { startConsole } from '../support/console.ts';

/** The authorization server as it is in production, and a person who allows what they are asked. */
export interface Authorization {
  /** The arguments of the suite. */
  readonly words: readonly string[];
  /** Opens an authorization request, consents, and follows the redirect. */
  allow(request: string): Promise<void>;
  close(): Promise<void>;
}

/** Loopback redirects have any port (RFC 8252, 7.3), so the suite takes its own. */
const REDIRECT = 'http://127.0.0.1/callback';

export async function serveAuthorization(): Promise<Authorization> {
  const service = await startConsole([], { clientDocuments: createClientDocuments() });
  const person = await service.person();
  const clientId = await service.store.oauth.register({ name: 'conformance', redirectUris: [REDIRECT] });
  return {
    words: ['authorization', '--url', service.url, '--client-id', clientId, '--resource', `${service.url}/mcp`],
    allow: async (request) => {
      const { pathname, search } = new URL(request);
      await person.get(pathname + search);
      const { headers } = await person.post(pathname, { request: search, decision: 'allow', level: 'read' });
      await fetch(headers.get('location') ?? '');
    },
    close: service.close,
  };
}
