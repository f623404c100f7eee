import type { Request, RequestHandler, Response } from 'express';
import { ipKeyGenerator } from 'express-rate-limit';
import type { KeyLevel } from '../contract/keys.ts';
import { RESOURCE_PATHS, scopeOf } from '../contract/oauth.ts';
import type { ServiceDeps } from './deps.ts';
import type { LocalAccess, LocalFetch } from './local-access.ts';
import type { Guards } from './middleware/guards.ts';
import type { RequestGroup } from './middleware/request-group.ts';
import type { RequestLocals } from './middleware/request-log.ts';
import { oauthAddresses } from './oauth/addresses.ts';

interface MissingAccess {
  readonly level: KeyLevel;
  /** Error of the credential; undefined if there was none. */
  readonly error?: 'invalid_token' | 'insufficient_scope' | undefined;
}

interface Access {
  readonly hasKey: boolean;
  readonly fetch: LocalFetch;
  /** Whether the caller can pay: it has no key, and searches are sold. */
  readonly canPay: boolean;
}

/** The parts of the service for another protocol in the same process. */
export type Gateway = ReturnType<typeof createGateway>;

export function createGateway(
  local: LocalAccess,
  { authenticated }: Guards,
  { publicUrl, clientDocuments, paymentGate }: Pick<ServiceDeps, 'publicUrl' | 'clientDocuments' | 'paymentGate'>,
) {
  const { resourceOf, metadataOf } = oauthAddresses(publicUrl);
  return {
    publicUrl,
    /** Authenticates like REST, but passes requests without a key. */
    authenticate: ((request, response, next) => {
      response.locals['resource'] = resourceOf(resourcePathOf(request));
      return request.get('authorization') === undefined ? next() : authenticated(request, response, next);
    }) satisfies RequestHandler,
    /** The WWW-Authenticate for a missing level (RFC 6750, 3; RFC 9728, 5.1); undefined if there is no sign-in. */
    challengeOf: (request: Request, { level, error }: MissingAccess): string | undefined => {
      if (clientDocuments === undefined) return undefined;
      const why = error === undefined ? '' : `error="${error}", `;
      const metadata = metadataOf(resourcePathOf(request));
      return `Bearer ${why}scope="${scopeOf(level)}", resource_metadata="${metadata}"`;
    },
    /** The account of an authenticated request, or the network of its address without a key. */
    callerOf: ({ ip = '' }: Request, { locals }: Response): { readonly hasKey: boolean; readonly name: string } => {
      const { key } = locals as RequestLocals;
      return { hasKey: key !== undefined, name: key?.account ?? ipKeyGenerator(ip) };
    },
    /** In-process access with the credential and address of a request; counts as one request in total. */
    accessOf: ({ ip: address }: Request, response: Response): Access => {
      const { key, requestId, trace } = response.locals as RequestLocals;
      const requestGroup: RequestGroup = { key };
      response.locals['requestGroup'] = requestGroup;
      const hasKey = key !== undefined;
      const fetch = local({ requestGroup, requestId, address, trace, carrier: response });
      return { hasKey, fetch, canPay: !hasKey && paymentGate !== undefined };
    },
  };
}

/** The protected resource of a request. Paths below none belong to the first. */
const resourcePathOf = ({ originalUrl }: Request) =>
  RESOURCE_PATHS.find((path) => path === originalUrl.replace(/\/?(\?.*)?$/, '')) ?? RESOURCE_PATHS[0];
