import { setTimeout as pause } from 'node:timers/promises';
import { type ErrorCode, ServiceError } from '../../contract/errors.ts';
import type { Lease, PaidAnswer } from '../../store/port/payments.ts';
import type { PaidRequest } from '../payment-gate.ts';
import type { PaymentLookup, PaymentOutcome } from './chain.ts';
import { recordOutcome } from './outcome-on-chain.ts';
import type { PresentedPayment } from './payment.ts';
import { FACILITATOR_REASONS } from './reasons.ts';
import type { SaleDeps } from './sale-deps.ts';

/** Polling interval for a submitted settlement. */
const LANDING_POLL_MS = 250;

/** A payment in progress with its request. */
export interface PaymentJob {
  readonly order: PaidRequest;
  readonly payment: PresentedPayment;
  /** The payment as first verified, so that a modified retry does not change what is searched for. */
  readonly asked: PaymentLookup;
  readonly lease: Lease;
  /** Stops renewing the lease. */
  readonly endLease: () => void;
}

export type End =
  | { readonly kind: 'paid'; readonly purchased: PaidAnswer; readonly transaction: string }
  /** Nothing was charged, nor will be. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** The lease was lost. */
  | { readonly kind: 'lost' };

export interface Settling {
  /** The reason of a refusal; undefined if the payment can be settled. */
  verify(work: Pick<PaymentJob, 'order' | 'payment'>): Promise<string | undefined>;
  /** Submits a payment for the first time. */
  settle(work: PaymentJob, purchased: PaidAnswer): Promise<End>;
  /** Resumes a payment that may have been submitted. */
  resume(work: PaymentJob, purchased: PaidAnswer): Promise<End>;
}

/** Verification and settlement through the facilitator and the chain. Throws while the outcome is open. */
export function createSettling(parts: SaleDeps): Settling {
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
          // The new owner of the lease may be settling it.
          if (!(await journal.failed(lease, outcome.reason))) return { kind: 'lost' };
          return { kind: 'refused', reason: outcome.reason };
        case 'unknown':
          return outcome.isPending ? landed(work, purchased) : decided(work, purchased, outcome.reason);
      }
    },
    resume: async (work, purchased) => {
      const fate = await chain?.fateOf(work.asked);
      if (fate !== undefined && fate.kind !== 'unused' && fate.kind !== 'away') return ended(work, purchased, fate);
      // A nonce settles once (EIP-3009), so submitting again cannot charge twice.
      const outcome = await facilitator.settle(work.payment, work.order);
      if (outcome.kind === 'settled') return paid(work, purchased, outcome.transaction);
      // Whatever the response, the first submission may still be pending.
      if (outcome.kind === 'unknown' && outcome.isPending) return landed(work, purchased);
      return decided(work, purchased, outcome.reason);
    },
  };
  return {
    ...steps,
    settle: (work, purchased) => steps.settle(work, purchased).catch(leaveOpen),
    resume: (work, purchased) => steps.resume(work, purchased).catch(leaveOpen),
  };

  /** A facilitator without its chain reports every signature as invalid. */
  async function isSick(reason: string, payment: PresentedPayment): Promise<boolean> {
    if (reason !== FACILITATOR_REASONS.signature || (await isSigned(payment)) !== true) return false;
    return (await chain?.hasCode(payment.key.payer)) !== true;
  }

  async function paid({ order, lease, payment }: PaymentJob, purchased: PaidAnswer, transaction: string): Promise<End> {
    log.info(
      { requestId: order.requestId, payment: lease.id, payer: payment.key.payer, transaction },
      'payment settled',
    );
    metrics?.countPayment('settled');
    return (await journal.settled(lease, transaction)) ? { kind: 'paid', purchased, transaction } : { kind: 'lost' };
  }

  /** Resolves an open outcome on the chain. */
  async function decided(work: PaymentJob, purchased: PaidAnswer, reason: string): Promise<End> {
    const fate = await chain?.fateOf(work.asked);
    return ended(work, purchased, fate ?? { kind: 'away', reason });
  }

  /** Waits for a pending transaction. */
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
    if (!(await recordOutcome(journal, work.lease, fate))) return { kind: 'lost' };
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
 * Rejects with `payment_pending` for any server error after submission, such as a failed journal write: the payer may
 * have been charged, and only the same signature obtains the response without a second charge.
 */
function leaveOpen(error: unknown): never {
  if (error instanceof ServiceError && SAYS_WHAT_TO_SEND.includes(error.code)) throw error;
  throw pending('handed over, and not noted', error);
}

const SAYS_WHAT_TO_SEND: readonly ErrorCode[] = ['payment_pending', 'facilitator_unreachable'];

/** Never 402, which invites another signature and so a second charge. */
export function pending(reason: string, cause?: unknown): ServiceError {
  return new ServiceError(
    'payment_pending',
    'The outcome of this payment is not confirmed yet. Repeat the request with the same PAYMENT-SIGNATURE, and do not sign again: it is charged at most once, and the response is stored.',
    { cause: new Error(`payment: ${reason}`, { cause }) },
  );
}
