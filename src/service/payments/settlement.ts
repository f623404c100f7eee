import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type ErrorCode, SENT, ServiceError } from '../../contract/errors.ts';
import type { Lease, Payments, PurchasedResponse } from '../../store/port/payments.ts';
import { FACILITATOR_REASONS } from '../refusal-reasons.ts';
import type { PaymentLookup, PaymentOutcome } from './chain-reader.ts';
import type { PaidRequest, PaymentDeps } from './payment-gate.ts';
import type { PresentedPayment } from './payment-header.ts';

const CONFIRMATION_POLL_MS = 250;

export interface PaymentJob {
  readonly request: PaidRequest;
  readonly payment: PresentedPayment;
  /** The payment as first verified, so that a modified retry does not change what is searched for. */
  readonly lookup: PaymentLookup;
  readonly lease: Lease;
  readonly stopRenewal: () => void;
}

export type JobResult =
  | { readonly kind: 'paid'; readonly purchased: PurchasedResponse; readonly transaction: string }
  /** Nothing was charged, nor will be. */
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'lost' };

export interface PaymentSettler {
  /** The reason of a refusal; undefined if the payment can be settled. */
  verify(work: Pick<PaymentJob, 'request' | 'payment'>): Promise<string | undefined>;
  /** Submits a payment for the first time. */
  settle(work: PaymentJob, purchased: PurchasedResponse): Promise<JobResult>;
  /** Resumes a payment that may have been submitted. */
  resume(work: PaymentJob, purchased: PurchasedResponse): Promise<JobResult>;
}

/** Verification and settlement through the facilitator and the chain. Throws while the outcome is open. */
export function createPaymentSettler(parts: PaymentDeps): PaymentSettler {
  const { journal, facilitator, chain } = parts;
  const { recordSettled, recordChainOutcome } = createOutcomeRecorder(parts);

  const steps: PaymentSettler = {
    verify: async ({ request, payment }) => {
      const result = await facilitator.verify(payment, request);
      if (result.kind === 'valid') return undefined;
      if (result.kind === 'away') throw facilitatorUnreachable(result.reason);
      if (await isFalseSignatureRefusal(parts, result.reason, payment))
        throw facilitatorUnreachable('wrong_about_signature');
      return result.reason;
    },
    settle: async (work, purchased) => {
      const { lease, request, payment } = work;
      const outcome = await facilitator.settle(payment, request);
      switch (outcome.kind) {
        case 'settled':
          return confirmSettled(work, purchased, outcome.transaction);
        case 'notSent':
          await journal.failed(lease, outcome.reason);
          throw facilitatorUnreachable(outcome.reason);
        case 'refused': {
          if (await isFalseSignatureRefusal(parts, outcome.reason, payment))
            return resolveOnChain(work, purchased, 'wrong_about_signature');
          // It was valid a moment ago: a proxy that retries, or whoever saw it, may have submitted it.
          const onChain = await chain?.outcomeOf(work.lookup);
          if (onChain?.kind === 'paid') return recordSettled(work, purchased, onChain.transaction);
          // The new owner of the lease may be settling it.
          if (!(await journal.failed(lease, outcome.reason))) return { kind: 'lost' };
          return { kind: 'refused', reason: outcome.reason };
        }
        case 'unknown':
          return outcome.isPending
            ? awaitConfirmation(work, purchased)
            : resolveOnChain(work, purchased, outcome.reason);
      }
    },
    resume: async (work, purchased) => {
      const onChain = await chain?.outcomeOf(work.lookup);
      if (onChain !== undefined && onChain.kind !== 'unused' && onChain.kind !== 'away')
        return recordChainOutcome(work, purchased, onChain);
      // A nonce settles once (EIP-3009), so submitting again cannot charge twice.
      const outcome = await facilitator.settle(work.payment, work.request);
      if (outcome.kind === 'settled') return confirmSettled(work, purchased, outcome.transaction);
      // Whatever the response, the first submission may still be pending.
      if (outcome.kind === 'unknown' && outcome.isPending) return awaitConfirmation(work, purchased);
      return resolveOnChain(work, purchased, outcome.reason);
    },
  };
  return {
    ...steps,
    settle: (work, purchased) => steps.settle(work, purchased).catch(rejectAsPending),
    resume: (work, purchased) => steps.resume(work, purchased).catch(rejectAsPending),
  };

  async function resolveOnChain(work: PaymentJob, purchased: PurchasedResponse, reason: string): Promise<JobResult> {
    const outcome = await chain?.outcomeOf(work.lookup);
    return recordChainOutcome(work, purchased, outcome ?? { kind: 'away', reason });
  }

  async function awaitConfirmation(work: PaymentJob, purchased: PurchasedResponse): Promise<JobResult> {
    const outcome = await awaitOutcome(work);
    return recordChainOutcome(work, purchased, outcome ?? { kind: 'away', reason: 'settlement_pending' });
  }

  /** A settlement that the facilitator reports. Its word is believed only while the chain cannot be read. */
  async function confirmSettled(work: PaymentJob, purchased: PurchasedResponse, stated: string): Promise<JobResult> {
    const outcome = await awaitOutcome(work, stated);
    if (outcome === undefined || outcome.kind === 'away')
      return recordSettled(work, purchased, stated, STATED_BY_FACILITATOR);
    return recordChainOutcome(work, purchased, outcome);
  }

  /** The outcome on the chain, whose node may be some blocks behind the facilitator's. Undefined without a node. */
  async function awaitOutcome({ lookup }: PaymentJob, stated?: string): Promise<PaymentOutcome | undefined> {
    const deadline = performance.now() + parts.confirmationTimeoutMs;
    let outcome = await chain?.outcomeOf(lookup, stated);
    while (outcome?.kind === 'unused' && performance.now() < deadline) {
      await pause(CONFIRMATION_POLL_MS);
      outcome = await chain?.outcomeOf(lookup);
    }
    return outcome;
  }
}

/** Records outcomes of a payment in the journal, if its lease is still held. */
function createOutcomeRecorder({ journal, chain, log, metrics }: PaymentDeps) {
  return { recordSettled, recordChainOutcome };

  async function recordSettled(
    { request, lease, payment }: PaymentJob,
    purchased: PurchasedResponse,
    transaction: string,
    reason: string | null = null,
  ): Promise<JobResult> {
    log.info(
      { requestId: request.requestId, payment: lease.id, payer: payment.key.payer, transaction, reason },
      'payment settled',
    );
    metrics?.countPayment('settled');
    const write = (): Promise<boolean> => journal.settled(lease, transaction, reason);
    return (await (chain === undefined ? retried(write) : write()))
      ? { kind: 'paid', purchased, transaction }
      : { kind: 'lost' };
  }

  async function recordChainOutcome(
    work: PaymentJob,
    purchased: PurchasedResponse,
    outcome: PaymentOutcome,
  ): Promise<JobResult> {
    if (outcome.kind === 'paid') return recordSettled(work, purchased, outcome.transaction);
    if (!(await recordOutcome(journal, work.lease, outcome))) return { kind: 'lost' };
    if (outcome.kind === 'void') return { kind: 'refused', reason: FACILITATOR_REASONS.nonce };
    if (outcome.kind === 'expired') return { kind: 'refused', reason: FACILITATOR_REASONS.validBefore };
    throw paymentPending(outcome.kind === 'away' ? outcome.reason : 'not_used_yet');
  }
}

/** How long a settlement that cannot be recorded is held without a node. */
const RECORD_FOR_MS = 20_000;
const RECORD_AGAIN_MS = 500;

/** Outlasts a restart of the database, because without a node nobody could tell the outcome later. */
async function retried(write: () => Promise<boolean>): Promise<boolean> {
  const deadline = performance.now() + RECORD_FOR_MS;
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await pause(RECORD_AGAIN_MS);
    }
  }
}

/** Reason in the journal of a settlement that nobody has seen on the chain. */
const STATED_BY_FACILITATOR = 'stated_by_facilitator';

/** A facilitator without its chain reports every signature as invalid. */
async function isFalseSignatureRefusal(deps: PaymentDeps, reason: string, payment: PresentedPayment): Promise<boolean> {
  const { isSigned, chain } = deps;
  if (reason !== FACILITATOR_REASONS.signature || (await isSigned(payment)) !== true) return false;
  return (await chain?.hasCode(payment.key.payer)) !== true;
}

/** Nothing was used: the same header can be sent again. */
function facilitatorUnreachable(reason: string): ServiceError {
  return new ServiceError('facilitator_unreachable', SENT.facilitator_unreachable, {
    cause: new Error(`facilitator: ${reason}`),
  });
}

/**
 * Rejects with `payment_pending` for any server error after submission, such as a failed journal write: the payer may
 * have been charged, and only the same signature obtains the response without a second charge.
 */
function rejectAsPending(error: unknown): never {
  if (error instanceof ServiceError && RETRY_WITH_SAME_SIGNATURE.includes(error.code)) throw error;
  throw paymentPending('submitted, but not recorded', error);
}

const RETRY_WITH_SAME_SIGNATURE: readonly ErrorCode[] = ['payment_pending', 'facilitator_unreachable'];

/** Never 402, which invites another signature and so a second charge. */
export function paymentPending(reason: string, cause?: unknown): ServiceError {
  return new ServiceError('payment_pending', SENT.payment_pending, {
    cause: new Error(`payment: ${reason}`, { cause }),
  });
}

/** Records the state of a payment on the chain. False if the lease was lost. */
export function recordOutcome(journal: Payments, lease: Lease, outcome: PaymentOutcome): Promise<boolean> {
  switch (outcome.kind) {
    case 'paid':
      return journal.settled(lease, outcome.transaction);
    case 'void':
      return journal.failed(lease, 'authorization_void');
    case 'expired':
      return journal.failed(lease, FACILITATOR_REASONS.validBefore);
    case 'unused':
      return journal.unknown(lease, 'not_used_yet');
    case 'away':
      return journal.unknown(lease, outcome.reason);
  }
}

/** Lease duration: how long a dead process blocks its payments. */
export const LEASE_MS = 3_000;
const RENEW_EVERY_MS = 1_000;

export const newLeaseOwner = (): string => randomUUID();

/** Renews a lease periodically. Returns a function that stops renewal. */
export function startLeaseRenewal(journal: Payments, lease: Lease): () => void {
  const timer = setInterval(() => {
    // Renewal errors are harmless: every change under the lease checks that it is still valid.
    journal.renew(lease, LEASE_MS).catch(() => undefined);
  }, RENEW_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
