import { ServiceError } from '../../contract/errors.ts';
import { SIGN_IN_HEADER } from '../../contract/sign-in.ts';
import { PAYMENT_HEADERS } from '../../contract/x402.ts';
import type { Answer, Call } from '../call.ts';
import type { ServiceDeps } from '../deps.ts';
import type { PaidResource, PaymentGate } from '../payment-gate.ts';

/** An answer to be sold, whose request is known to be right. */
interface Sold {
  /** The query in one form, so that the same question has one address however it is written. */
  readonly query: string;
  make(): Promise<PaidResource>;
  /** Throws when there is nothing to sell; left out where that takes no work to know. It may look at what is made. */
  check?(make: () => Promise<PaidResource>): Promise<void>;
}

/** Answers a request for something that is sold: what a payment needs, or the answer once it is paid. */
export function charge(deps: ServiceDeps, call: Call, { query, make, check }: Sold): Promise<Answer> {
  const { publicUrl } = deps;
  const paymentGate = paymentGateOf(deps);
  const item = `${call.path}?${query}`;
  let making: Promise<PaidResource> | undefined;
  const makeOnce = (): Promise<PaidResource> => {
    making ??= make();
    return making;
  };
  return paymentGate.charge({
    resource: publicUrl.replace(/\/$/, '') + item,
    item,
    payment: paymentOf(call),
    signIn: call.header(SIGN_IN_HEADER),
    requestId: call.requestId,
    traceparent: call.traceparent,
    address: call.address,
    isGone: call.isGone,
    make: makeOnce,
    ...(check && { check: () => check(makeOnce) }),
  });
}

/** What takes the payments; throws `not_found` where nothing is sold. */
export function paymentGateOf({ paymentGate }: Pick<ServiceDeps, 'paymentGate'>): PaymentGate {
  if (paymentGate !== undefined) return paymentGate;
  throw new ServiceError('not_found', 'This service takes no payments; search at /api/v1/search with a key.');
}

/** HEAD asks what GET would say, but an answer without a body is nothing to sell. */
const paymentOf = ({ method, header }: Call): string | undefined =>
  method === 'HEAD' ? undefined : header(PAYMENT_HEADERS.signature);

/** A query of parsed parameters in one form: by name, without what was not given. */
export function canonicalQuery(query: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const pairs = given.map(([name, value]) => [name, Array.isArray(value) ? value.join('|') : String(value)]);
  return String(new URLSearchParams(pairs.sort(([one = ''], [other = '']) => (one < other ? -1 : 1))));
}
