import type { Request, RequestHandler, Response } from 'express';
import { ipKeyGenerator } from 'express-rate-limit';
import type { KeyLevel } from '../contract/keys.ts';
import { RESOURCE_PATHS, scopeOf } from '../contract/oauth.ts';
import type { KeyRecord } from '../store/port/access.ts';
import type { ServiceDeps } from './deps.ts';
import type { LocalAccess, LocalFetch } from './local-access.ts';
import type { Guards } from './middleware/guards.ts';
import type { RequestGroup } from './middleware/request-group.ts';
import type { Trace } from './middleware/trace.ts';
import { oauthAddresses } from './oauth/addresses.ts';

/** What another protocol in the same process gets of the service. */
export interface Gateway {
  /** Where the service is for those outside. */
  readonly publicUrl: string;
  /** Lets a request without a key pass, and refuses one with a key that is not valid, as REST does. */
  readonly authenticate: RequestHandler;
  /** Who sends a request that was admitted, by account, or by the network of its address when it has no key. */
  callerOf(request: Request, response: Response): { readonly hasKey: boolean; readonly name: string };
  /** How the caller of a request reaches the service: with its own key and address, all of it counted as one request. */
  accessOf(request: Request, response: Response): Access;
  /**
   * The WWW-Authenticate of an answer to a request that lacks a level: it leads hosts to where their person can sign in
   * (RFC 6750, 3; RFC 9728, 5.1). Undefined where nobody can.
   */
  challengeOf(request: Request, lacking: Lacking): string | undefined;
}

interface Lacking {
  readonly level: KeyLevel;
  /** Why what was shown is not enough; undefined when nothing was. */
  readonly error?: 'invalid_token' | 'insufficient_scope' | undefined;
}

interface Access {
  readonly hasKey: boolean;
  readonly fetch: LocalFetch;
  /** Whether the caller can pay for what it asks: it has no key, and something is sold. */
  readonly canPay: boolean;
}

export function createGateway(
  local: LocalAccess,
  { known }: Guards,
  { publicUrl, clientDocuments, paymentGate }: Pick<ServiceDeps, 'publicUrl' | 'clientDocuments' | 'paymentGate'>,
): Gateway {
  const { resourceOf, metadataOf } = oauthAddresses(publicUrl);
  return {
    publicUrl,
    authenticate: (request, response, next) => {
      response.locals['resource'] = resourceOf(resourcePathOf(request));
      return request.get('authorization') === undefined ? next() : known(request, response, next);
    },
    challengeOf: (request, { level, error }) => {
      if (clientDocuments === undefined) return undefined;
      const why = error === undefined ? '' : `error="${error}", `;
      const metadata = metadataOf(resourcePathOf(request));
      return `Bearer ${why}scope="${scopeOf(level)}", resource_metadata="${metadata}"`;
    },
    callerOf: ({ ip = '' }, { locals }) => {
      const { key } = locals as Admitted;
      return { hasKey: key !== undefined, name: key?.account ?? ipKeyGenerator(ip) };
    },
    accessOf: ({ ip: address }, response) => {
      const { key, requestId, trace } = response.locals as Admitted;
      const requestGroup: RequestGroup = { key };
      response.locals['requestGroup'] = requestGroup;
      const hasKey = key !== undefined;
      const fetch = local({ requestGroup, requestId, address, trace, carrier: response });
      return { hasKey, fetch, canPay: !hasKey && paymentGate !== undefined };
    },
  };
}

/** The resource that a request is for; what is below a path that is none belongs to the first. */
const resourcePathOf = ({ originalUrl }: Request) =>
  RESOURCE_PATHS.find((path) => path === originalUrl.replace(/\/?(\?.*)?$/, '')) ?? RESOURCE_PATHS[0];

/** What the middleware before it leaves in `response.locals`. */
interface Admitted {
  readonly key: KeyRecord | undefined;
  readonly requestId: string;
  readonly trace: Trace | undefined;
}
