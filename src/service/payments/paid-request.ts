import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { SENT, ServiceError } from '../../contract/errors.ts';
import {
  isForged,
  isVerified,
  type LeaseRequest,
  type LeaseResult,
  type PurchasedResponse,
} from '../../store/port/payments.ts';
import type { ApiResponse } from '../call.ts';
import { FACILITATOR_REASONS, refusalMessage } from '../refusal-reasons.ts';
import { deliver } from './delivery.ts';
import type { PaidRequest, PaymentDeps } from './payment-gate.ts';
import { type PresentedPayment, readPayment, secondsOf } from './payment-header.ts';
import {
  createPaymentSettler,
  type JobResult,
  LEASE_MS,
  newLeaseOwner,
  type PaymentJob,
  type PaymentSettler,
  paymentPending,
  startLeaseRenewal,
} from './settlement.ts';
import type { PaymentTerms } from './terms.ts';

/** Polling interval while another request with the same payment is in progress. */
const BUSY_POLL_MS = 25;

/**
 * Sells one response for one payment: parse, journal, own checks, verify while acquiring its lease, compute and
 * journal the response, settle, respond. Nothing is charged before the payment is verified and the response is
 * journaled, and nothing is delivered before settlement.
 */
export function createPaidRequestHandler(parts: PaymentDeps): (request: PaidRequest) => Promise<ApiResponse> {
  const { journal, terms, metrics, refusedPayments } = parts;
  const settler = createPaymentSettler(parts);

  return async (request) => {
    if (request.payment === undefined) return requirePayment(request);
    const payment = readPayment(request.payment, terms);
    const known = 'reason' in payment ? undefined : await journal.find(payment.key);
    const isKnown = known !== undefined && isVerified(known);
    // Payments that may have been charged are never limited; a new one has cost nothing.
    if (!isKnown) await refusedPayments.check(request.address);
    if ('reason' in payment) return refusePayment(request, payment.reason);
    // Acquiring the lease checks this too; checking here saves a journal write that anyone could cause.
    if (isKnown && isForged(known, payment.signatureHash)) return refusePayment(request, FACILITATOR_REASONS.signature);
    const signature: CheckResult = isKnown ? 'left open' : await checkPayment(parts, payment);
    if (typeof signature !== 'string') return refusePayment(request, signature.reason);
    const checked: CheckedPayment = { request, payment, signature };
    // For a known payment, another request may be in progress or done, so no verification is started.
    return processUnderLease(
      known === undefined ? { ...checked, ...(await startVerification(settler, checked)) } : checked,
    );
  };

  async function requirePayment({ resource, address, check }: PaidRequest): Promise<ApiResponse> {
    if (check !== undefined) {
      // This computes without payment, so it is limited like refused payments.
      await refusedPayments.take(address);
      await check();
    }
    return terms.paymentRequired(resource, 'Payment required');
  }

  async function refusePayment({ resource, address, check }: PaidRequest, reason: string): Promise<ApiResponse> {
    metrics?.countPayment('refused');
    await refusedPayments.count(address);
    await check?.();
    return terms.paymentRequired(resource, refusalMessage(reason));
  }

  async function processUnderLease(checked: CheckedPayment): Promise<ApiResponse> {
    const deadline = performance.now() + parts.busyTimeoutMs;
    for (;;) {
      const leaseRequest = leaseRequestOf(checked.request, checked.payment, terms);
      const acquired = await journal.acquire(leaseRequest);
      if (acquired.kind !== 'busy') return processLeased({ ...checked, lookup: leaseRequest }, acquired);
      if (performance.now() > deadline) throw paymentPending('Another request with this payment is in progress.');
      await pause(BUSY_POLL_MS);
    }
  }

  async function processLeased(checked: LeasablePayment, acquired: Acquired): Promise<ApiResponse> {
    const { request } = checked;
    if (acquired.kind === 'forged') return refusePayment(request, FACILITATOR_REASONS.signature);
    if (acquired.kind === 'spent') return refusePayment(request, FACILITATOR_REASONS.nonce);
    if (acquired.kind === 'elsewhere') throw paymentPending('This payment was begun for another request.');
    if (acquired.kind === 'conflict') throw new ServiceError('payment_conflict', SENT.payment_conflict);
    const { lease } = acquired;
    const lookup = acquired.kind === 'pending' ? acquired.record : checked.lookup;
    const work: NewPayment = { ...checked, lookup, lease, stopRenewal: startLeaseRenewal(journal, lease) };
    try {
      if (acquired.kind === 'settled') return deliver(parts, work, acquired);
      const end =
        acquired.kind === 'pending'
          ? await settler.resume(work, acquired.purchased)
          : await processNewPayment(parts, settler, work);
      if (end.kind === 'paid') return deliver(parts, work, end);
      work.stopRenewal();
      // The lease was lost to another request, which has the response; acquire it again.
      return end.kind === 'lost' ? processUnderLease(checked) : refusePayment(request, end.reason);
    } catch (error) {
      work.stopRenewal();
      // If the database is unavailable, the lease expires by itself; report the first error.
      await journal.release(lease).catch(() => undefined);
      throw error;
    }
  }
}

/** Whether the payer's own key signed; if undecided, the facilitator's verification decides. */
type Signature = 'right' | 'left open';
type CheckResult = Signature | { readonly reason: string };
interface CheckedPayment extends Pick<PaymentJob, 'request' | 'payment'> {
  readonly signature: Signature;
  /** Set if verification was started before the lease was acquired. */
  readonly verification?: Promise<RefusalReason>;
}
type RefusalReason = Awaited<ReturnType<PaymentSettler['verify']>>;
type LeasablePayment = CheckedPayment & Pick<PaymentJob, 'lookup'>;
type Acquired = Exclude<LeaseResult, { kind: 'busy' }>;
type NewPayment = CheckedPayment & PaymentJob;

/** Rejects obviously invalid new payments without calling the facilitator. */
async function checkPayment(deps: PaymentDeps, payment: PresentedPayment): Promise<CheckResult> {
  const { terms, isSigned, chain, clock } = deps;
  const reason = payment.mismatch ?? checkAuthorization(payment, terms, clock());
  if (reason !== undefined) return { reason };
  const signed = await isSigned(payment);
  if (signed === true) return 'right';
  // Contract wallets verify signatures themselves, which the facilitator calls.
  if (signed === 'maybe' || (await chain?.hasCode(payment.key.payer)) !== false) return 'left open';
  return { reason: FACILITATOR_REASONS.signature };
}

function leaseRequestOf(
  { item, requestId }: PaidRequest,
  { key, authorization, ...payment }: PresentedPayment,
  terms: PaymentTerms,
): LeaseRequest {
  const { signatureHash: signature_hash, identifier } = payment;
  const { payTo: pay_to, amount } = terms.requirements;
  const valid_before = secondsOf(authorization.validBefore);
  const about = { pay_to, amount, valid_before, item, identifier, signature_hash, request_id: requestId };
  return { ...key, ...about, owner: newLeaseOwner(), leaseMs: LEASE_MS };
}

/** Event loop turns until a request is sent: connect and write. */
const SENDING_TURNS = 2;

/** Starts verification and waits until the request is sent, because a synchronous store may then block the thread. */
async function startVerification({ verify }: PaymentSettler, checked: CheckedPayment) {
  const verification = verify(checked);
  // Handled later, or never if another request is in progress.
  verification.catch(() => undefined);
  for (let turns = 0; turns < SENDING_TURNS; turns += 1) await turn();
  return { verification };
}

/** Processes a payment that has not been submitted before. */
async function processNewPayment(parts: PaymentDeps, settler: PaymentSettler, work: NewPayment): Promise<JobResult> {
  const { request, lease } = work;
  const verification = work.verification ?? (await startVerification(settler, work)).verification;
  const journaled = computeAndJournal(parts, work);
  let purchased: PurchasedResponse | undefined;
  try {
    const reason = await verification;
    if (reason !== undefined) {
      await parts.journal.withdraw(lease);
      return { kind: 'refused', reason };
    }
    purchased = await journaled();
    // The client has disconnected, so it is not charged; it can send the same header again.
    if (request.isDisconnected()) throw paymentPending('The client has gone.');
  } catch (error) {
    // If the database is unavailable, the chain will show that nothing was charged.
    await parts.journal.withdraw(lease).catch(() => undefined);
    throw error;
  }
  return purchased === undefined ? { kind: 'lost' } : settler.settle(work, purchased);
}

/**
 * Computes the response and journals the imminent submission; the disk write overlaps with verification. The returned
 * function settles afterwards, and yields nothing if the lease was lost.
 */
function computeAndJournal(
  { journal }: PaymentDeps,
  { request, lease, signature }: NewPayment,
): () => Promise<PurchasedResponse | undefined> {
  const computing = request.compute();
  const journalResponse = async (): Promise<PurchasedResponse | undefined> => {
    const { data, meta } = await computing;
    const purchased = { data, meta: JSON.stringify(meta) };
    return (await journal.settling(lease, purchased)) ? purchased : undefined;
  };
  // A signature is recorded for the payer only after verification; otherwise a forged one would block the payer's own.
  const journaling = signature === 'right' ? journalResponse() : undefined;
  // A refusal takes precedence over a failed computation, which is examined afterwards.
  for (const work of [computing, journaling]) work?.catch(() => undefined);
  return () => journaling ?? journalResponse();
}

/** A settlement needs a block, so an authorization must be valid for this much longer. */
const REMAINING_SECONDS_MIN = 6n;

/** Compares an authorization with the terms and the time. Returns the reason of a refusal. */
function checkAuthorization({ authorization }: PresentedPayment, terms: PaymentTerms, now: Date): string | undefined {
  const { requirements } = terms;
  const { to, value, validAfter, validBefore } = authorization;
  const seconds = BigInt(Math.floor(now.getTime() / 1_000));
  if (to !== requirements.payTo) return FACILITATOR_REASONS.recipient;
  if (BigInt(value) !== BigInt(requirements.amount)) return FACILITATOR_REASONS.value;
  if (BigInt(validBefore) < seconds + REMAINING_SECONDS_MIN) return FACILITATOR_REASONS.validBefore;
  return BigInt(validAfter) > seconds ? FACILITATOR_REASONS.validAfter : undefined;
}
