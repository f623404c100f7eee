import type { Request, RequestHandler, Response } from 'express';
import { ipKeyGenerator } from 'express-rate-limit';
import type { KeyRecord } from '../store/port/access.ts';
import type { LocalAccess, LocalFetch } from './local-access.ts';
import type { Guards } from './middleware/guards.ts';
import type { Trace } from './middleware/trace.ts';
import type { Visit } from './middleware/visit.ts';

/** What another protocol in the same process gets of the service. */
export interface Door {
  /** Lets a request without a key pass, and refuses one with a key that is not valid, as REST does. */
  readonly admit: RequestHandler;
  /** Who sends a request that was admitted, by the network of its address when it has no key. */
  callerOf(request: Request, response: Response): { readonly hasKey: boolean; readonly address: string };
  /** How the caller of a request reaches the service: with its own key and address, all of it counted as one request. */
  accessOf(request: Request, response: Response): Access;
}

interface Access {
  readonly hasKey: boolean;
  readonly fetch: LocalFetch;
  /** Whether the caller can pay for what it asks: it has no key, and something is sold. */
  readonly canPay: boolean;
}

export function createDoor(local: LocalAccess, { known }: Guards, isSelling: boolean): Door {
  return {
    admit: (request, response, next) =>
      request.get('authorization') === undefined ? next() : known(request, response, next),
    callerOf: ({ ip = '' }, { locals }) => ({ hasKey: locals['key'] !== undefined, address: ipKeyGenerator(ip) }),
    accessOf: ({ ip: address }, response) => {
      const { key, requestId, trace } = response.locals as Admitted;
      const visit: Visit = { key };
      response.locals['visit'] = visit;
      const hasKey = key !== undefined;
      const fetch = local({ visit, requestId, address, trace, carrier: response });
      return { hasKey, fetch, canPay: !hasKey && isSelling };
    },
  };
}

/** What the middleware before it leaves in `response.locals`. */
interface Admitted {
  readonly key: KeyRecord | undefined;
  readonly requestId: string;
  readonly trace: Trace | undefined;
}
