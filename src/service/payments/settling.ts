import { setTimeout as pause } from 'node:timers/promises';
import { type ErrorCode, ServiceError } from '../../contract/errors.ts';
import type { Lease, PaidAnswer } from '../../store/port/payments.ts';
import type { PaidRequest } from '../payment-gate.ts';
import type { PaymentLookup, PaymentOutcome } from './chain.ts';
import { noteFate } from './fate.ts';
import type { SaleParts } from './parts.ts';
import type { PresentedPayment } from './payment.ts';
import { FACILITATOR_REASONS } from './reasons.ts';

/** How often the chain is asked for a settlement that is on its way. */
const LANDING_POLL_MS = 250;

/** One payment that is worked on, and the request it came with. */
export interface PaymentJob {
  readonly order: PaidRequest;
  readonly payment: PresentedPayment;
  /** The payment as it was first checked: what a client sends again must not change what is looked for. */
  readonly asked: PaymentLookup;
  readonly lease: Lease;
  /** Stops keeping the lease. */
  readonly endLease: () => void;
}

export type End =
  | { readonly kind: 'paid'; readonly purchased: PaidAnswer; readonly transaction: string }
  /** Nothing was charged, and nothing will be. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** Somebody else has taken over. */
  | { readonly kind: 'lost' };

export interface Settling {
  /** The reason of a refusal; undefined for a payment that can be settled. */
  verify(work: Pick<PaymentJob, 'order' | 'payment'>): Promise<string | undefined>;
  /** Hands the payment over for the first time. */
  settle(work: PaymentJob, purchased: PaidAnswer): Promise<End>;
  /** Goes on with a payment that may have been handed over before. */
  resume(work: PaymentJob, purchased: PaidAnswer): Promise<End>;
}

/** The part of a sale that talks to the facilitator and the chain. Throws while the outcome is open. */
export function createSettling(parts: SaleParts): Settling {
  const { journal, isSigned, facilitator, chain, log, metrics } = parts;

  const steps: Settling = {
    verify: async ({ order, payment }) => {
      const verdict = await facilitator.verify(payment, order);
      if (verdict.kind === 'valid') return undefined;
      if (verdict.kind === 'away') throw unreachable(verdict.reason);
      if (await isSick(verdict.reason, payment)) throw unreachable('wrong_about_signature');
      return verdict.reason;
    },
    settle: async (work, purchased) => {
      const { lease, order, payment } = work;
      const outcome = await facilitator.settle(payment, order);
      switch (outcome.kind) {
        case 'settled':
          return paid(work, purchased, outcome.transaction);
        case 'notSent':
          await journal.failed(lease, outcome.reason);
          throw unreachable(outcome.reason);
        case 'refused':
          if (await isSick(outcome.reason, payment)) return decided(work, purchased, 'wrong_about_signature');
          // Who has taken over may be settling it at this moment.
          if (!(await journal.failed(lease, outcome.reason))) return { kind: 'lost' };
          return { kind: 'refused', reason: outcome.reason };
        case 'unknown':
          return outcome.isPending ? landed(work, purchased) : decided(work, purchased, outcome.reason);
      }
    },
    resume: async (work, purchased) => {
      const fate = await chain?.fateOf(work.asked);
      if (fate !== undefined && fate.kind !== 'unused' && fate.kind !== 'away') return ended(work, purchased, fate);
      // The chain lets an authorization be used once, so handing it over again cannot charge twice.
      const outcome = await facilitator.settle(work.payment, work.order);
      if (outcome.kind === 'settled') return paid(work, purchased, outcome.transaction);
      // Whatever it says, the first settlement may be on its way still.
      if (outcome.kind === 'unknown' && outcome.isPending) return landed(work, purchased);
      return decided(work, purchased, outcome.reason);
    },
  };
  return {
    ...steps,
    settle: (work, purchased) => steps.settle(work, purchased).catch(leaveOpen),
    resume: (work, purchased) => steps.resume(work, purchased).catch(leaveOpen),
  };

  /** A facilitator that has lost its chain calls every signature wrong. */
  async function isSick(reason: string, payment: PresentedPayment): Promise<boolean> {
    if (reason !== FACILITATOR_REASONS.signature || (await isSigned(payment)) !== true) return false;
    return (await chain?.hasCode(payment.key.payer)) !== true;
  }

  async function paid({ order, lease, payment }: PaymentJob, purchased: PaidAnswer, transaction: string): Promise<End> {
    log.info(
      { requestId: order.requestId, payment: lease.id, payer: payment.key.payer, transaction },
      'payment settled',
    );
    metrics?.payment('settled');
    return (await journal.settled(lease, transaction)) ? { kind: 'paid', purchased, transaction } : { kind: 'lost' };
  }

  /** Lets the chain decide what the facilitator left open. */
  async function decided(work: PaymentJob, purchased: PaidAnswer, reason: string): Promise<End> {
    const fate = await chain?.fateOf(work.asked);
    return ended(work, purchased, fate ?? { kind: 'away', reason });
  }

  /** Waits for a transaction that is on its way. */
  async function landed(work: PaymentJob, purchased: PaidAnswer): Promise<End> {
    const deadline = performance.now() + parts.landingTimeoutMs;
    let fate = await chain?.fateOf(work.asked);
    while (fate?.kind === 'unused' && performance.now() < deadline) {
      await pause(LANDING_POLL_MS);
      fate = await chain?.fateOf(work.asked);
    }
    return ended(work, purchased, fate ?? { kind: 'away', reason: 'settlement_pending' });
  }

  async function ended(work: PaymentJob, purchased: PaidAnswer, fate: PaymentOutcome): Promise<End> {
    if (fate.kind === 'paid') return paid(work, purchased, fate.transaction);
    if (!(await noteFate(journal, work.lease, fate))) return { kind: 'lost' };
    if (fate.kind === 'void') return { kind: 'refused', reason: FACILITATOR_REASONS.nonce };
    if (fate.kind === 'expired') return { kind: 'refused', reason: FACILITATOR_REASONS.validBefore };
    throw pending(fate.kind === 'away' ? fate.reason : 'not_used_yet');
  }
}

/** Nothing was used: the same header can be sent again. */
function unreachable(reason: string): ServiceError {
  return new ServiceError(
    'facilitator_unreachable',
    'The payment facilitator cannot be reached. Nothing was charged and the authorization was not used: send the same request with the same PAYMENT-SIGNATURE again.',
    { cause: new Error(`facilitator: ${reason}`) },
  );
}

/**
 * Rejects with `payment_pending` for every failure of ours after a payment was handed over, such as a journal that cannot be
 * written: the payer may have been charged, and only the same signature brings the answer without a second charge.
 */
function leaveOpen(error: unknown): never {
  if (error instanceof ServiceError && SAYS_WHAT_TO_SEND.includes(error.code)) throw error;
  throw pending('handed over, and not noted', error);
}

const SAYS_WHAT_TO_SEND: readonly ErrorCode[] = ['payment_pending', 'facilitator_unreachable'];

/** Never 402, which invites to sign again: a second signature could be a second charge. */
export function pending(reason: string, cause?: unknown): ServiceError {
  return new ServiceError(
    'payment_pending',
    'The outcome of this payment is not confirmed yet. Repeat the request with the same PAYMENT-SIGNATURE, and do not sign again: it is charged at most once, and the answer is kept.',
    { cause: new Error(`payment: ${reason}`, { cause }) },
  );
}
