import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { ServiceError } from '../../contract/errors.ts';
import { type Claimed, isForged, isVerified, type PaidAnswer, type PaymentClaim } from '../../store/port/payments.ts';
import type { Answer } from '../call.ts';
import type { PaidRequest } from '../payment-gate.ts';
import { deliver } from './delivery.ts';
import { keepLease, LEASE_MS, newOwner } from './lease.ts';
import type { SaleParts } from './parts.ts';
import { type PresentedPayment, readPayment, secondsOf } from './payment.ts';
import { FACILITATOR_REASONS, refusalText } from './reasons.ts';
import { createSettling, type End, type PaymentJob, pending, type Settling } from './settling.ts';
import type { Terms } from './terms.ts';

/** How often a request looks whether another one with the same payment is done. */
const BUSY_POLL_MS = 25;

/**
 * Sells one answer for one payment, in this order: read, journal, own checks, verify and meanwhile claim the payment, make the
 * answer and journal it, settle, answer. Nothing is charged before the payment is verified and the answer is in the journal,
 * and nothing is handed out before it is paid.
 */
export function createSale(parts: SaleParts): (order: PaidRequest) => Promise<Answer> {
  const { journal, terms, metrics, refusals } = parts;
  const settling = createSettling(parts);

  return async (order) => {
    if (order.payment === undefined) return asked(order);
    const payment = readPayment(order.payment, terms);
    const known = 'reason' in payment ? undefined : await journal.find(payment.key);
    const isKnown = known !== undefined && isVerified(known);
    // A payment that may have been charged is never held up; one that is new has not cost anybody anything.
    if (!isKnown) await refusals.check(order.address);
    if ('reason' in payment) return refused(order, payment.reason);
    // The claim asks the same; here it spares the journal a write, which strangers could have as often as they like.
    if (isKnown && isForged(known, payment.signatureHash)) return refused(order, FACILITATOR_REASONS.signature);
    const checked: Checked = isKnown ? 'left open' : await ownChecks(parts, payment);
    if (typeof checked !== 'string') return refused(order, checked.reason);
    const begun: Begun = { order, payment, signature: checked };
    // Somebody may be at work on one that came before, or have done it; a verdict would be in vain.
    return claimed(known === undefined ? { ...begun, ...(await askVerdict(settling, begun)) } : begun);
  };

  async function asked({ resource, address, check }: PaidRequest): Promise<Answer> {
    if (check !== undefined) {
      // It takes work that nobody has paid for, so it is limited as refused payments are.
      await refusals.check(address);
      await refusals.note(address);
      await check();
    }
    return terms.ask(resource, 'Payment required');
  }

  async function refused({ resource, address, check }: PaidRequest, reason: string): Promise<Answer> {
    metrics?.payment('refused');
    await refusals.note(address);
    await check?.();
    return terms.ask(resource, refusalText(reason));
  }

  async function claimed(begun: Begun): Promise<Answer> {
    const deadline = performance.now() + parts.busyTimeoutMs;
    for (;;) {
      const asked = claimOf(begun.order, begun.payment, terms);
      const claim = await journal.claim(asked);
      if (claim.kind !== 'busy') return worked({ ...begun, asked }, claim);
      if (performance.now() > deadline) throw pending('Another request with this payment is under way.');
      await pause(BUSY_POLL_MS);
    }
  }

  async function worked(begun: Claiming, claim: Exclude<Claimed, { kind: 'busy' }>): Promise<Answer> {
    const { order } = begun;
    if (claim.kind === 'forged') return refused(order, FACILITATOR_REASONS.signature);
    if (claim.kind === 'spent') return refused(order, FACILITATOR_REASONS.nonce);
    if (claim.kind === 'elsewhere') throw pending('This payment was begun for another request.');
    if (claim.kind === 'conflict') {
      throw new ServiceError('payment_conflict', 'This payment identifier came before with another authorization.');
    }
    const { lease } = claim;
    const asked = claim.kind === 'pending' ? claim.record : begun.asked;
    const work: Fresh = { ...begun, asked, lease, endLease: keepLease(journal, lease) };
    try {
      if (claim.kind === 'settled') return deliver(parts, work, claim);
      const end =
        claim.kind === 'pending' ? await settling.resume(work, claim.purchased) : await fresh(parts, settling, work);
      if (end.kind === 'paid') return deliver(parts, work, end);
      work.endLease();
      // The lease went to another, which has the answer; this request has to ask for it like any other.
      return end.kind === 'lost' ? claimed(begun) : refused(order, end.reason);
    } catch (error) {
      work.endLease();
      // When the database is away the lease ends by itself; the caller is to be told the first failure.
      await journal.release(lease).catch(() => undefined);
      throw error;
    }
  }
}

/** Whether a payer's own key signed, or whoever verifies has to say that. */
type Signature = 'right' | 'left open';
type Checked = Signature | { readonly reason: string };
interface Begun extends Pick<PaymentJob, 'order' | 'payment'> {
  readonly signature: Signature;
  /** Where the verdict was asked for before the payment was claimed. */
  readonly verdict?: Promise<Verdict>;
}
type Verdict = Awaited<ReturnType<Settling['verify']>>;
type Claiming = Begun & Pick<PaymentJob, 'asked'>;
type Fresh = Begun & PaymentJob;

/** Spares the facilitator what is plainly wrong. */
async function ownChecks({ terms, isSigned, chain, clock }: SaleParts, payment: PresentedPayment): Promise<Checked> {
  const reason = checkWords(payment, terms, clock());
  if (reason !== undefined) return { reason };
  const signed = await isSigned(payment);
  if (signed === true) return 'right';
  // A payer that is a contract judges signatures by rules of its own, which the facilitator asks for.
  if (signed === 'maybe' || (await chain?.hasCode(payment.key.payer)) !== false) return 'left open';
  return { reason: FACILITATOR_REASONS.signature };
}

function claimOf(
  { item, requestId }: PaidRequest,
  { key, authorization, ...payment }: PresentedPayment,
  terms: Terms,
): PaymentClaim {
  const { signatureHash: signature_hash, identifier } = payment;
  const { payTo: pay_to, amount } = terms.requirements;
  const valid_before = secondsOf(authorization.validBefore);
  const about = { pay_to, amount, valid_before, item, identifier, signature_hash, request_id: requestId };
  return { ...key, ...about, owner: newOwner(), leaseMs: LEASE_MS };
}

/** Turns of the event loop until a request has left: one that connects, and one that writes. */
const SENDING_TURNS = 2;

/** Asks the facilitator, and waits until the question is on its way: a store may keep the thread to itself from then on. */
async function askVerdict({ verify }: Settling, begun: Begun): Promise<{ readonly verdict: Promise<Verdict> }> {
  const verdict = verify(begun);
  // Looked at only after what is done meanwhile, and never when another request is at work on the payment.
  verdict.catch(() => undefined);
  for (let turns = 0; turns < SENDING_TURNS; turns += 1) await turn();
  return { verdict };
}

/** Works on a payment that was not handed over so far. */
async function fresh(parts: SaleParts, settling: Settling, work: Fresh): Promise<End> {
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
    // Nobody is there to get it, so nobody pays for it; the same header can be sent again.
    if (order.isGone()) throw pending('The client has gone.');
  } catch (error) {
    // When the database is away the chain will tell that nothing was charged.
    await parts.journal.withdraw(lease).catch(() => undefined);
    throw error;
  }
  return purchased === undefined ? { kind: 'lost' } : settling.settle(work, purchased);
}

/**
 * Makes the answer and notes that the payment is about to be handed over; the disk is waited for while the facilitator judges.
 * What it gives settles when that is done, with nothing if somebody else has taken over.
 */
function makeAndNote(
  { journal }: SaleParts,
  { order, lease, signature }: Fresh,
): () => Promise<PaidAnswer | undefined> {
  const making = order.make();
  const note = async (): Promise<PaidAnswer | undefined> => {
    const { data, meta } = await making;
    const purchased = { data, meta: JSON.stringify(meta) };
    return (await journal.settling(lease, purchased)) ? purchased : undefined;
  };
  // Nobody's signature is noted as the payer's before it is known to be, or the payer's own would be held for a wrong one.
  const noting = signature === 'right' ? note() : undefined;
  // A refused payment is told as such, whatever becomes of an answer that is not delivered; only then is its failure looked at.
  for (const work of [making, noting]) work?.catch(() => undefined);
  return () => noting ?? note();
}

/** A settlement needs a block; an authorization that ends sooner could not be used. */
const REMAINING_SECONDS_MIN = 6n;

/** What an authorization says, against what was asked and the time; the reason of a refusal, or undefined. */
function checkWords({ authorization }: PresentedPayment, { requirements }: Terms, now: Date): string | undefined {
  const { to, value, validAfter, validBefore } = authorization;
  const seconds = BigInt(Math.floor(now.getTime() / 1_000));
  if (to !== requirements.payTo) return FACILITATOR_REASONS.recipient;
  if (BigInt(value) !== BigInt(requirements.amount)) return FACILITATOR_REASONS.value;
  if (BigInt(validBefore) < seconds + REMAINING_SECONDS_MIN) return FACILITATOR_REASONS.validBefore;
  return BigInt(validAfter) > seconds ? FACILITATOR_REASONS.validAfter : undefined;
}
