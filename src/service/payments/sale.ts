import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { ServiceError } from '../../contract/errors.ts';
import {
  isForged,
  isVerified,
  type LeaseRequest,
  type LeaseResult,
  type PaidAnswer,
} from '../../store/port/payments.ts';
import type { Answer } from '../call.ts';
import type { PaidRequest } from '../payment-gate.ts';
import { deliver } from './delivery.ts';
import { keepLease, LEASE_MS, newOwner } from './lease.ts';
import { type PresentedPayment, readPayment, secondsOf } from './payment.ts';
import { FACILITATOR_REASONS, refusalText } from './reasons.ts';
import type { SaleDeps } from './sale-deps.ts';
import { createSettling, type End, type PaymentJob, pending, type Settling } from './settling.ts';
import type { Terms } from './terms.ts';

/** Polling interval while another request with the same payment is in progress. */
const BUSY_POLL_MS = 25;

/**
 * Sells one response for one payment: parse, journal, own checks, verify while acquiring its lease, compute and
 * journal the response, settle, respond. Nothing is charged before the payment is verified and the response is
 * journaled, and nothing is delivered before settlement.
 */
export function createSale(parts: SaleDeps): (order: PaidRequest) => Promise<Answer> {
  const { journal, terms, metrics, refusals } = parts;
  const settling = createSettling(parts);

  return async (order) => {
    if (order.payment === undefined) return asked(order);
    const payment = readPayment(order.payment, terms);
    const known = 'reason' in payment ? undefined : await journal.find(payment.key);
    const isKnown = known !== undefined && isVerified(known);
    // Payments that may have been charged are never limited; a new one has cost nothing.
    if (!isKnown) await refusals.check(order.address);
    if ('reason' in payment) return refused(order, payment.reason);
    // Acquiring the lease checks this too; checking here saves a journal write that anyone could cause.
    if (isKnown && isForged(known, payment.signatureHash)) return refused(order, FACILITATOR_REASONS.signature);
    const checked: Checked = isKnown ? 'left open' : await ownChecks(parts, payment);
    if (typeof checked !== 'string') return refused(order, checked.reason);
    const begun: Begun = { order, payment, signature: checked };
    // For a known payment, another request may be in progress or done, so no verification is started.
    return leased(known === undefined ? { ...begun, ...(await askVerdict(settling, begun)) } : begun);
  };

  async function asked({ resource, address, check }: PaidRequest): Promise<Answer> {
    if (check !== undefined) {
      // This computes without payment, so it is limited like refused payments.
      await refusals.check(address);
      await refusals.note(address);
      await check();
    }
    return terms.ask(resource, 'Payment required');
  }

  async function refused({ resource, address, check }: PaidRequest, reason: string): Promise<Answer> {
    metrics?.countPayment('refused');
    await refusals.note(address);
    await check?.();
    return terms.ask(resource, refusalText(reason));
  }

  async function leased(begun: Begun): Promise<Answer> {
    const deadline = performance.now() + parts.busyTimeoutMs;
    for (;;) {
      const asked = leaseRequestOf(begun.order, begun.payment, terms);
      const acquired = await journal.acquire(asked);
      if (acquired.kind !== 'busy') return worked({ ...begun, asked }, acquired);
      if (performance.now() > deadline) throw pending('Another request with this payment is in progress.');
      await pause(BUSY_POLL_MS);
    }
  }

  async function worked(begun: Requested, acquired: Exclude<LeaseResult, { kind: 'busy' }>): Promise<Answer> {
    const { order } = begun;
    if (acquired.kind === 'forged') return refused(order, FACILITATOR_REASONS.signature);
    if (acquired.kind === 'spent') return refused(order, FACILITATOR_REASONS.nonce);
    if (acquired.kind === 'elsewhere') throw pending('This payment was begun for another request.');
    if (acquired.kind === 'conflict') {
      throw new ServiceError('payment_conflict', 'This payment identifier was used with another authorization.');
    }
    const { lease } = acquired;
    const asked = acquired.kind === 'pending' ? acquired.record : begun.asked;
    const work: Fresh = { ...begun, asked, lease, endLease: keepLease(journal, lease) };
    try {
      if (acquired.kind === 'settled') return deliver(parts, work, acquired);
      const end =
        acquired.kind === 'pending'
          ? await settling.resume(work, acquired.purchased)
          : await fresh(parts, settling, work);
      if (end.kind === 'paid') return deliver(parts, work, end);
      work.endLease();
      // The lease was lost to another request, which has the response; acquire it again.
      return end.kind === 'lost' ? leased(begun) : refused(order, end.reason);
    } catch (error) {
      work.endLease();
      // If the database is unavailable, the lease expires by itself; report the first error.
      await journal.release(lease).catch(() => undefined);
      throw error;
    }
  }
}

/** Whether the payer's own key signed; if undecided, the facilitator's verification decides. */
type Signature = 'right' | 'left open';
type Checked = Signature | { readonly reason: string };
interface Begun extends Pick<PaymentJob, 'order' | 'payment'> {
  readonly signature: Signature;
  /** Set if verification was started before the lease was acquired. */
  readonly verdict?: Promise<Verdict>;
}
type Verdict = Awaited<ReturnType<Settling['verify']>>;
type Requested = Begun & Pick<PaymentJob, 'asked'>;
type Fresh = Begun & PaymentJob;

/** Rejects obviously invalid payments without calling the facilitator. */
async function ownChecks({ terms, isSigned, chain, clock }: SaleDeps, payment: PresentedPayment): Promise<Checked> {
  const reason = checkWords(payment, terms, clock());
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
  terms: Terms,
): LeaseRequest {
  const { signatureHash: signature_hash, identifier } = payment;
  const { payTo: pay_to, amount } = terms.requirements;
  const valid_before = secondsOf(authorization.validBefore);
  const about = { pay_to, amount, valid_before, item, identifier, signature_hash, request_id: requestId };
  return { ...key, ...about, owner: newOwner(), leaseMs: LEASE_MS };
}

/** Event loop turns until a request is sent: connect and write. */
const SENDING_TURNS = 2;

/** Starts verification and waits until the request is sent, because a synchronous store may then block the thread. */
async function askVerdict({ verify }: Settling, begun: Begun): Promise<{ readonly verdict: Promise<Verdict> }> {
  const verdict = verify(begun);
  // Handled later, or never if another request is in progress.
  verdict.catch(() => undefined);
  for (let turns = 0; turns < SENDING_TURNS; turns += 1) await turn();
  return { verdict };
}

/** Processes a payment that has not been submitted before. */
async function fresh(parts: SaleDeps, settling: Settling, work: Fresh): Promise<End> {
  const { order, lease } = work;
  const verdict = work.verdict ?? (await askVerdict(settling, work)).verdict;
  const noted = makeAndNote(parts, work);
  let purchased: PaidAnswer | undefined;
  try {
    const reason = await verdict;
    if (reason !== undefined) {
      await parts.journal.withdraw(lease);
      return { kind: 'refused', reason };
    }
    purchased = await noted();
    // The client has disconnected, so it is not charged; it can send the same header again.
    if (order.isGone()) throw pending('The client has gone.');
  } catch (error) {
    // If the database is unavailable, the chain will show that nothing was charged.
    await parts.journal.withdraw(lease).catch(() => undefined);
    throw error;
  }
  return purchased === undefined ? { kind: 'lost' } : settling.settle(work, purchased);
}

/**
 * Computes the response and journals the imminent submission; the disk write overlaps with verification. The returned
 * function settles afterwards, and yields nothing if the lease was lost.
 */
function makeAndNote({ journal }: SaleDeps, { order, lease, signature }: Fresh): () => Promise<PaidAnswer | undefined> {
  const making = order.make();
  const note = async (): Promise<PaidAnswer | undefined> => {
    const { data, meta } = await making;
    const purchased = { data, meta: JSON.stringify(meta) };
    return (await journal.settling(lease, purchased)) ? purchased : undefined;
  };
  // A signature is recorded for the payer only after verification; otherwise a forged one would block the payer's own.
  const noting = signature === 'right' ? note() : undefined;
  // A refusal takes precedence over a failed computation, which is examined afterwards.
  for (const work of [making, noting]) work?.catch(() => undefined);
  return () => noting ?? note();
}

/** A settlement needs a block, so an authorization must be valid for this much longer. */
const REMAINING_SECONDS_MIN = 6n;

/** Compares an authorization with the terms and the time. Returns the reason of a refusal. */
function checkWords({ authorization }: PresentedPayment, { requirements }: Terms, now: Date): string | undefined {
  const { to, value, validAfter, validBefore } = authorization;
  const seconds = BigInt(Math.floor(now.getTime() / 1_000));
  if (to !== requirements.payTo) return FACILITATOR_REASONS.recipient;
  if (BigInt(value) !== BigInt(requirements.amount)) return FACILITATOR_REASONS.value;
  if (BigInt(validBefore) < seconds + REMAINING_SECONDS_MIN) return FACILITATOR_REASONS.validBefore;
  return BigInt(validAfter) > seconds ? FACILITATOR_REASONS.validAfter : undefined;
}
