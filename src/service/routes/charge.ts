import { ServiceError } from '../../contract/errors.ts';
import { once } from '../../contract/lazy.ts';
import { SIGN_IN_HEADER } from '../../contract/wallet-sign-in.ts';
import { PAYMENT_HEADERS } from '../../contract/x402.ts';
import type { ApiResponse, Call } from '../call.ts';
import type { ServiceDeps } from '../deps.ts';
import type { PaidResource, PaymentGate } from '../payments/payment-gate.ts';

interface PaidQuery {
  /** Canonical query, so that equivalent queries have one URL. */
  readonly query: string;
  compute(): Promise<PaidResource>;
  /** Whether `compute` may refuse the parameters. Then it runs before payment is requested. */
  readonly isRefusable: boolean;
}

/** Answers a paid request: the payment requirements, or the resource after payment. */
export function charge(deps: ServiceDeps, call: Call, paidQuery: PaidQuery): Promise<ApiResponse> {
  const { query, compute, isRefusable } = paidQuery;
  const { publicUrl } = deps;
  const paymentGate = paymentGateOf(deps);
  const item = `${call.path}?${query}`;
  const makeOnce = once(compute);
  return paymentGate.charge({
    resource: publicUrl + item,
    item,
    payment: paymentOf(call),
    signIn: call.header(SIGN_IN_HEADER),
    requestId: call.requestId,
    traceparent: call.traceparent,
    address: call.address,
    isDisconnected: call.isDisconnected,
    compute: makeOnce,
    ...(isRefusable && { check: () => checkResource(makeOnce) }),
  });
}

/** Throws for invalid parameters. Any other error is reported after payment verification. */
async function checkResource(make: () => Promise<PaidResource>): Promise<void> {
  try {
    await make();
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'invalid_parameter') throw error;
  }
}

/** The payment gate. Throws `not_found` if nothing is sold. */
export function paymentGateOf({ paymentGate }: Pick<ServiceDeps, 'paymentGate'>): PaymentGate {
  if (paymentGate !== undefined) return paymentGate;
  throw new ServiceError('not_found', 'This service takes no payments; search at /api/v1/search with a key.');
}

/** HEAD is answered like GET without payment, because a response without body is worthless. */
const paymentOf = ({ method, header }: Call): string | undefined =>
  method === 'HEAD' ? undefined : header(PAYMENT_HEADERS.signature);

/** The canonical form of parsed parameters: sorted, without absent ones. */
export function canonicalQuery(query: Readonly<Record<string, unknown>>): string {
  const parameters = Object.entries(query).filter(([, value]) => value !== undefined);
  const pairs = parameters.map(([name, value]) => [name, Array.isArray(value) ? value.join('|') : String(value)]);
  return String(new URLSearchParams(pairs.sort(([one = ''], [other = '']) => (one < other ? -1 : 1))));
}
