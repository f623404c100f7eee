import type { Express, Request, RequestHandler, Response } from 'express';
import { ipKeyGenerator } from 'express-rate-limit';
import { createDirectFetch } from './direct.ts';
import type { Guards } from './middleware/guards.ts';
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
  readonly fetch: typeof globalThis.fetch;
}

export function createDoor(app: Express, { known }: Guards): Door {
  return {
    admit: (request, response, next) =>
      request.get('authorization') === undefined ? next() : known(request, response, next),
    callerOf: ({ ip = '' }, { locals }) => ({ hasKey: locals['key'] !== undefined, address: ipKeyGenerator(ip) }),
    accessOf: (request, response) => {
      const visit: Visit = {};
      response.locals['visit'] = visit;
      const caller = {
        authorization: request.get('authorization'),
        address: request.ip,
        requestId: String(response.locals['requestId']),
        visit,
      };
      return { hasKey: response.locals['key'] !== undefined, fetch: createDirectFetch(app, caller) };
    },
  };
}
