import { SIGN_IN_HEADER } from '../../contract/sign-in.ts';
import type { PurchasesQuery } from '../../contract/x402.ts';
import type { Handler } from '../call.ts';
import type { ServiceDeps } from '../deps.ts';
import { paymentGateOf } from './charge.ts';

/** GET /api/v1/x402/purchases. */
export const purchases =
  (deps: ServiceDeps): Handler =>
  async ({ query, path, address, header }) => {
    const { limit, before } = query as PurchasesQuery;
    const resource = deps.publicUrl.replace(/\/$/, '') + path;
    return paymentGateOf(deps).purchases({ resource, address, signIn: header(SIGN_IN_HEADER), limit, before });
  };
