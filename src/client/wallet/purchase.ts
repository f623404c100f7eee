import { setTimeout as wait } from 'node:timers/promises';
import { ServiceError } from '../../contract/errors.ts';
import type { Budgets, CachedResponse, Payment, Receipt } from '../../contract/spending.ts';
import type { Fetch } from '../access.ts';
import type { AuthorizationReader } from './authorization-reader.ts';
import { checkClock, checkConsent, checkPrice, type Reserved, reserve } from './budget.ts';
import { offerRefused, PaymentError } from './errors.ts';
import type { Ledger, LedgerOutcome } from './ledger.ts';
import { lower, type Offer, type OfferRules, readOffer, VALID_SECONDS_MAX } from './offer.ts';
import { authorizationOutcomeOf, expiredWithUnknownOutcome, outcomeUnknown, resolveUnserved } from './outcome.ts';
import { asObject, decodeJson, type Settlement } from './payment-headers.ts';
import { requestUnpaid, type Sender, type Sent, sendPaid, type UnpaidRequest } from './send.ts';
import type { Signer } from './signer.ts';
import { receiptOf, type SpendingScope } from './spending-scope.ts';

export interface PaymentContext {
  readonly ledger: Ledger;
  readonly signer: Signer;
  /** Absent without an RPC endpoint. */
  readonly chain: AuthorizationReader | undefined;
  readonly rules: OfferRules;
  readonly budgets: Budgets;
  /** A price above this requires consent. */
  readonly confirmAbove: bigint | undefined;
  /** Identifies this process's purchases, for the session budget. */
  readonly session: string;
  readonly sender: Sender;
}

/** How long a paid response is reused for free. */
const CACHE_MS = 3_600_000;

export const cacheStart = ({ sender }: PaymentContext): Date => new Date(sender.clock().getTime() - CACHE_MS);

const BUSY_POLL_MS = 50;
const REMAINING_MS_MIN = 6_000;
/** Allowed difference between the local clock and the server's. */
const CLOCK_SECONDS = 60;

/** A GET to pay for. At most one signature is made for its response. */
interface PurchaseRequest {
  readonly url: string;
  readonly scope: SpendingScope;
  readonly signal: AbortSignal | undefined;
}

/** A response that was paid or free; the receipt tells which. */
export type PaidResponse = Response & { readonly receipt?: Receipt };

/** Returns a stored response, resumes an unfinished payment of any process, or makes a new one. */
export async function purchase(context: PaymentContext, request: PurchaseRequest): Promise<PaidResponse> {
  const { ledger, sender } = context;
  const requestKey = requestKeyOf(request);
  const startedAt = performance.now();
  const workMs = sender.retryPolicy.totalMs + sender.retryPolicy.tryMs;
  for (;;) {
    const cached = ledger.cachedResponse(requestKey, cacheStart(context));
    if (cached !== undefined) return withReceipt(cached, request.scope, 'cached');
    const found = ledger.leaseUnfinished(requestKey, new Date(sender.clock().getTime() + workMs));
    const response = await (found === 'busy'
      ? undefined
      : found
        ? resumePayment(context, request, found)
        : buy(context, request));
    if (response !== undefined) return response;
    if (performance.now() - startedAt > workMs) throw busy();
    await wait(BUSY_POLL_MS, undefined, { signal: request.signal });
  }
}

export const requestKeyOf = ({ url }: Pick<PurchaseRequest, 'url'>): string => `GET ${url}`;

const busy = (): PaymentError =>
  new PaymentError('unavailable', 'Another process is paying for the same request and has not finished.', {
    advice: 'Retrying is safe, after 30 seconds.',
  });

/** Resubmits an existing signature. Undefined if it proved to have no effect and never will. */
async function resumePayment(
  context: PaymentContext,
  request: PurchaseRequest,
  payment: Payment,
): Promise<PaidResponse | undefined> {
  const { ledger, sender } = context;
  const { header, validBefore } = payment.authorization ?? {};
  const isUsable =
    header != null && validBefore !== undefined && sender.clock().getTime() < +validBefore - REMAINING_MS_MIN;
  return releaseAfter(context, { payment, signal: request.signal }, async () => {
    if (isUsable)
      return concludePayment(context, request, payment, await sendPaid(sender, { ...request, header, validBefore }));
    const onChain = await authorizationOutcomeOf(context, payment);
    if (onChain?.kind === 'expired') {
      ledger.recordOutcome(payment.id, { state: 'unused' });
      return undefined;
    }
    const state = onChain?.kind === 'used' ? 'paid_not_served' : stateOf(payment);
    const transaction = onChain?.kind === 'used' ? onChain.transaction : payment.transaction;
    ledger.recordOutcome(payment.id, { state, transaction });
    throw expiredWithUnknownOutcome({ ...payment, state, transaction });
  });
}

const stateOf = ({ state }: Payment) => (state === 'reserved' || state === 'open' ? 'outcome_unknown' : state);

/** Runs the work and then releases the lease of the payment, recording what is known. */
async function releaseAfter<Result>(
  context: PaymentContext,
  { payment, signal }: { payment: Payment; signal: AbortSignal | undefined },
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    // A PaymentError has been recorded already. Any other error leaves the signature for resubmission.
    if (error instanceof PaymentError) throw error;
    recordOutcomeIfPossible(context, payment, { state: stateAfterFailure(payment) });
    if (signal?.aborted === true) throw error;
    throw outcomeUnknown(payment, { cause: error });
  }
}

/** A write error, such as a full disk, must neither withhold a paid response nor hide the outcome. */
function recordOutcomeIfPossible({ ledger }: PaymentContext, { id }: Payment, closing: LedgerOutcome): void {
  try {
    ledger.recordOutcome(id, closing);
  } catch {
    // The payment stays open and counted; the next equal request resubmits its signature.
  }
}

/** It was being sent, so that no earlier denial of the service holds. */
const stateAfterFailure = ({ state }: Payment) => (state === 'reserved' || state === 'refused' ? 'open' : state);

interface PaymentAttempt {
  offer?: Offer;
  reserved?: Reserved | undefined;
  payment?: Payment;
  sent?: Sent;
  /** The response, if no payment was required. */
  free?: PaidResponse;
}

/** Makes a payment. Undefined if another process is buying the same. */
async function buy(context: PaymentContext, request: PurchaseRequest): Promise<PaidResponse | undefined> {
  const attempt: PaymentAttempt = {};
  const requestThrough: Fetch = async (input) => {
    const header = new Request(input).headers.get('PAYMENT-SIGNATURE');
    return header === null ? requestQuote(context, request, attempt) : submitPayment(context, request, attempt, header);
  };
  try {
    await context.signer.paying(requestThrough, context.budgets.perCall)(request.url);
  } catch (error) {
    if (attempt.payment !== undefined)
      return releaseAfter(context, { payment: attempt.payment, signal: request.signal }, () => Promise.reject(error));
    if (attempt.reserved !== undefined) context.ledger.recordOutcome(attempt.reserved.id, { state: 'unused' });
    // Errors of the stock client repeat text from the server.
    if (attempt.offer === undefined || error instanceof ServiceError || request.signal?.aborted === true) throw error;
    if (isOfOurs(error)) throw error;
    throw offerRefused('it cannot be signed');
  }
  const { payment, sent, free } = attempt;
  if (free !== undefined) return free;
  if (payment === undefined || sent === undefined) return undefined;
  return releaseAfter(context, { payment, signal: request.signal }, () =>
    concludePayment(context, request, payment, sent),
  );
}

/** Signals of the caller, such as a request for consent, pass through; the stock client throws plain errors only. */
const isOfOurs = (error: unknown): boolean => !(error instanceof Error) || error.constructor !== Error;

const NO_ANSWER = { status: 204 } as const;

/** The request without payment. An acceptable price is reserved and returned for signing. */
async function requestQuote(
  context: PaymentContext,
  request: PurchaseRequest,
  attempt: PaymentAttempt,
): Promise<Response> {
  const { response, body } = await requestWithoutPayment(context, request);
  if (response.status >= 300 && response.status < 400) throw offerRefused('it redirects to another address');
  if (response.status !== 402) {
    attempt.free = new Response(body === '' ? null : body, { status: response.status, headers: response.headers });
    return new Response(null, NO_ANSWER);
  }
  const { scope } = request;
  const offer = readOffer(response.headers, body, context.rules);
  checkClock(context, offer, response.headers);
  checkPrice(context, offer, scope);
  await checkConsent(context, offer, { request: requestKeyOf(request), scope });
  attempt.offer = offer;
  attempt.reserved = await reserve(context, offer, { request: requestKeyOf(request), scope });
  if (attempt.reserved === undefined) return new Response(null, NO_ANSWER);
  const header = Buffer.from(JSON.stringify(offer.required)).toString('base64');
  return new Response(null, { status: 402, headers: { 'PAYMENT-REQUIRED': header } });
}

export async function requestWithoutPayment({ sender }: PaymentContext, request: UnpaidRequest) {
  try {
    return await requestUnpaid(sender, request);
  } catch (cause) {
    if (request.signal?.aborted === true) throw cause;
    throw new ServiceError('unreachable', 'The service cannot be reached.', { cause });
  }
}

/** Stores the signature before sending it, so that a process resuming after a crash sends the same one. */
async function submitPayment(
  context: PaymentContext,
  request: PurchaseRequest,
  attempt: PaymentAttempt,
  header: string,
): Promise<Response> {
  const { reserved } = attempt;
  if (reserved === undefined) throw new Error('Signed without a reservation');
  const now = context.sender.clock();
  const authorization = checkSigned(reserved, header, now);
  const { nonce, validBefore } = authorization;
  const heldUntil = new Date(Math.max(+validBefore, +now + VALID_SECONDS_MAX * 1_000));
  if (!context.ledger.sign(reserved.id, { ...authorization, heldUntil })) {
    throw new PaymentError('unavailable', 'Signing the payment took too long, so it was not sent.', {
      advice: 'Retrying is safe, after 5 seconds.',
    });
  }
  const signed = { nonce, validBefore, header };
  attempt.payment = {
    ...reserved,
    state: 'reserved',
    transaction: null,
    isServed: false,
    authorization: signed,
  };
  attempt.sent = await sendPaid(context.sender, { ...request, header, validBefore });
  return new Response(null, NO_ANSWER);
}

/** Parses the signed header. Throws if it differs from the reservation, so that it is not sent. */
function checkSigned({ amount, payTo, payer }: Reserved, header: string, now: Date) {
  const { authorization } = asObject(asObject(decodeJson(header))['payload']);
  const { from, to, value, nonce, validBefore } = asObject(authorization);
  const isCounted =
    value === String(amount) && lower(to) === payTo.toLowerCase() && lower(from) === payer.toLowerCase();
  const end = new Date(Number(validBefore) * 1_000);
  const isBounded = +end <= +now + (VALID_SECONDS_MAX + CLOCK_SECONDS) * 1_000;
  if (!isCounted || !isBounded || typeof nonce !== 'string')
    throw offerRefused('the signed payment differs from the offer');
  return { nonce, validBefore: end, header };
}

async function concludePayment(
  context: PaymentContext,
  request: PurchaseRequest,
  payment: Payment,
  sent: Sent,
): Promise<PaidResponse> {
  if (sent.kind !== 'served') {
    const { error, ...verdict } = await resolveUnserved(context, payment, sent);
    recordOutcomeIfPossible(context, payment, verdict);
    throw error;
  }
  const transaction = transactionOfReceipt(payment, sent.settlement) ?? (await transactionOnChain(context, payment));
  const state = transaction === null ? 'outcome_unknown' : 'settled';
  const { body } = sent;
  recordOutcomeIfPossible(context, payment, { state, transaction, body });
  return withReceipt({ payment: { ...payment, state, transaction }, body }, request.scope, 'paid');
}

/** The transaction of a receipt, if it is for this payment. */
function transactionOfReceipt({ network, payer }: Payment, settlement: Settlement | undefined): string | null {
  if (settlement?.success !== true) return null;
  const isOurs =
    [settlement.network ?? network, lower(settlement.payer ?? payer)].join() === [network, lower(payer)].join();
  return isOurs ? settlement.transaction : null;
}

async function transactionOnChain(context: PaymentContext, payment: Payment): Promise<string | null> {
  const onChain = await authorizationOutcomeOf(context, payment);
  return onChain?.kind === 'used' ? onChain.transaction : null;
}

function withReceipt({ payment, body }: CachedResponse, scope: SpendingScope, how: 'paid' | 'cached'): PaidResponse {
  const receipt = receiptOf(payment, how);
  scope.receipts.push(receipt);
  const headers = new Headers({ 'Content-Type': 'application/json' });
  const { transaction, network, payer } = receipt;
  if (transaction !== null) {
    const settled = JSON.stringify({ success: true, transaction, network, payer });
    headers.set('PAYMENT-RESPONSE', Buffer.from(settled).toString('base64'));
  }
  return Object.assign(new Response(body, { headers }), { receipt });
}
