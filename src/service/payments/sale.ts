import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { ServiceError } from '../../contract/errors.ts';
import type { Claim, Claimed, Goods } from '../../store/port/payments.ts';
import type { Answer } from '../call.ts';
import type { Order } from '../till.ts';
import { checkWords, REASONS } from './checks.ts';
import { deliver } from './delivery.ts';
import { keepLease, LEASE_MS, newOwner } from './lease.ts';
import type { SaleParts } from './parts.ts';
import { type Payment, readPayment, secondsOf } from './payment.ts';
import { createSettling, type End, pending, type Settling, type Work } from './settling.ts';
import type { Terms } from './terms.ts';

/** How often a request looks whether another one with the same payment is done. */
const BUSY_POLL_MS = 25;
/** States in which a payment's signature has been found right before. */
const VERIFIED: readonly string[] = ['settling', 'unknown', 'settled'];

/**
 * Sells one answer for one payment, in this order: read, journal, own checks, verify and meanwhile make the goods and journal
 * them, settle, answer. Nothing is charged before the payment is verified and the goods are in the journal, and nothing is
 * handed out before it is paid.
 */
export function createSale(parts: SaleParts): (order: Order) => Promise<Answer> {
  const { journal, terms, metrics, refusals } = parts;
  const settling = createSettling(parts);

  return async (order) => {
    if (order.payment === undefined) return terms.ask(order.resource, 'Payment required');
    const payment = readPayment(order.payment, terms);
    const known = 'reason' in payment ? undefined : await journal.find(payment.key);
    const isKnown = known !== undefined && VERIFIED.includes(known.state);
    // A payment that may have been charged is never held up; one that is new has not cost anybody anything.
    if (!isKnown) await refusals.check(order.address);
    if ('reason' in payment) return refused(order, payment.reason);
    // Who saw an authorization on the chain must not get what it bought without the header itself.
    if (isKnown && known.signature_hash !== payment.signatureHash) return refused(order, REASONS.signature);
    const checked: Checked = isKnown ? 'left open' : await ownChecks(parts, payment);
    return typeof checked === 'string' ? claimed(order, payment, checked) : refused(order, checked.reason);
  };

  async function refused({ resource, address }: Order, reason: string): Promise<Answer> {
    metrics?.payment('refused');
    await refusals.note(address);
    return terms.ask(resource, reason);
  }

  async function claimed(order: Order, payment: Payment, signature: Signature): Promise<Answer> {
    const deadline = performance.now() + parts.busyTimeoutMs;
    for (;;) {
      const given = claimOf(order, payment, terms);
      const claim = await journal.claim(given);
      if (claim.kind !== 'busy') return worked({ order, payment, signature, asked: given }, claim);
      if (performance.now() > deadline) throw pending('Another request with this payment is under way.');
      await pause(BUSY_POLL_MS);
    }
  }

  async function worked(begun: Begun, claim: Exclude<Claimed, { kind: 'busy' }>): Promise<Answer> {
    const { order, payment } = begun;
    if (claim.kind === 'spent') return refused(order, REASONS.nonce);
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
        claim.kind === 'pending' ? await settling.resume(work, claim.goods) : await fresh(parts, settling, work);
      if (end.kind === 'paid') return deliver(parts, work, end);
      work.endLease();
      // The lease went to another, which has the answer; this request has to ask for it like any other.
      return end.kind === 'lost' ? claimed(order, payment, begun.signature) : refused(order, end.reason);
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
type Begun = Pick<Work, 'order' | 'payment' | 'asked'> & { readonly signature: Signature };

/** Spares the facilitator what is plainly wrong. */
async function ownChecks({ terms, isSigned, chain, clock }: SaleParts, payment: Payment): Promise<Checked> {
  const reason = checkWords(payment, terms, clock());
  if (reason !== undefined) return { reason };
  const signed = await isSigned(payment);
  if (signed === true) return 'right';
  // A payer that is a contract judges signatures by rules of its own, which the facilitator asks for.
  if (signed === 'maybe' || (await chain?.hasCode(payment.key.payer)) !== false) return 'left open';
  return { reason: REASONS.signature };
}

function claimOf({ item, requestId }: Order, { key, authorization, ...payment }: Payment, terms: Terms): Claim {
  const { signatureHash: signature_hash, identifier } = payment;
  const { payTo: pay_to, amount } = terms.requirements;
  const valid_before = secondsOf(authorization.validBefore);
  const about = { pay_to, amount, valid_before, item, identifier, signature_hash, request_id: requestId };
  return { ...key, ...about, owner: newOwner(), leaseMs: LEASE_MS };
}

type Fresh = Work & Begun;

/** Works on a payment that was not handed over so far. */
async function fresh(parts: SaleParts, settling: Settling, work: Fresh): Promise<End> {
  const { order, lease } = work;
  const verifying = settling.verify(work);
  const noted = makeAndNote(parts, work);
  let goods: Goods | undefined;
  try {
    const reason = await verifying;
    if (reason !== undefined) {
      await parts.journal.withdraw(lease);
      return { kind: 'refused', reason };
    }
    goods = await noted();
    // Nobody is there to get it, so nobody pays for it; the same header can be sent again.
    if (order.isGone()) throw pending('The client has gone.');
  } catch (error) {
    // When the database is away the chain will tell that nothing was charged.
    await parts.journal.withdraw(lease).catch(() => undefined);
    throw error;
  }
  return goods === undefined ? { kind: 'lost' } : settling.settle(work, goods);
}

/**
 * Makes the goods and notes that the payment is about to be handed over; the disk is waited for while the facilitator judges.
 * What it gives settles when that is done, with nothing if somebody else has taken over.
 */
function makeAndNote({ journal }: SaleParts, { order, lease, signature }: Fresh): () => Promise<Goods | undefined> {
  const making = makeMeanwhile(order);
  const note = async (): Promise<Goods | undefined> => {
    const goods = await making;
    return (await journal.settling(lease, goods)) ? goods : undefined;
  };
  // Nobody's signature is noted as the payer's before it is known to be, or the payer's own would be held for a wrong one.
  const noting = signature === 'right' ? note() : undefined;
  // A refused payment is told as such, whatever becomes of goods that nobody gets; only then is their failure looked at.
  for (const work of [making, noting]) work?.catch(() => undefined);
  return () => noting ?? note();
}

/** Turns of the event loop until a request has left: one that connects, and one that writes. */
const SENDING_TURNS = 2;

/** Makes the goods once the facilitator has been asked: a store may keep the thread to itself until it has found them. */
async function makeMeanwhile(order: Order): Promise<Goods> {
  for (let turns = 0; turns < SENDING_TURNS; turns += 1) await turn();
  const { data, meta } = await order.make();
  return { data, meta: JSON.stringify(meta) };
}
