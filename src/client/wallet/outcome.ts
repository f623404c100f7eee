import type { Payment, PaymentState } from '../../contract/spending.ts';
import { toUsd } from '../../contract/usd.ts';
import type { AuthorizationOutcome } from './authorization-reader.ts';
import { chargedAtMost, NOT_CHARGED, PaymentError } from './errors.ts';
import type { PaymentContext } from './purchase.ts';
import type { Sent } from './send.ts';

type NotServed = Exclude<Sent, { kind: 'served' }>;

/** The outcome of a payment on the chain; undefined without an RPC that responds, and for another network. */
export async function authorizationOutcomeOf(
  { chain, rules }: PaymentContext,
  payment: Payment,
): Promise<AuthorizationOutcome | undefined> {
  if (payment.network !== rules.network) return undefined;
  try {
    return await chain?.outcomeOf(payment);
  } catch {
    return undefined;
  }
}

/** Resolves payments of unknown outcome on the chain. True if any proved to have no effect. */
export async function reconcileLedger(context: PaymentContext): Promise<boolean> {
  let hasReleased = false;
  for (const payment of context.chain === undefined ? [] : context.ledger.unresolved()) {
    const onChain = await authorizationOutcomeOf(context, payment);
    const { transaction = null } = onChain?.kind === 'used' ? onChain : {};
    const state = payment.isServed ? 'settled' : 'paid_not_served';
    if (onChain?.kind === 'used') context.ledger.recordOutcome(payment.id, { state, transaction });
    if (onChain?.kind !== 'expired') continue;
    context.ledger.recordOutcome(payment.id, { state: 'unused' });
    hasReleased = true;
  }
  return hasReleased;
}

/** The state of an unanswered payment, and the error that describes it. */
export interface UnservedOutcome {
  readonly state: Exclude<PaymentState, 'reserved' | 'settled'>;
  readonly transaction?: string | null;
  readonly error: PaymentError;
}

/** Determines the outcome from the chain if it can be read, otherwise from the service's response. */
export async function resolveUnserved(
  context: PaymentContext,
  payment: Payment,
  sent: NotServed,
): Promise<UnservedOutcome> {
  const onChain = await authorizationOutcomeOf(context, payment);
  if (onChain?.kind === 'used') return paidNotServed(payment, onChain.transaction);
  // An outcome proven earlier on the chain remains valid while the RPC is down.
  if (payment.state === 'paid_not_served') return paidNotServed(payment, payment.transaction);
  if (onChain?.kind === 'expired') return { state: 'unused', error: refused(sent, NOT_CHARGED) };
  // An earlier call may have been charged, also one that was interrupted.
  const isOpen = ['open', 'outcome_unknown'].includes(payment.state) || (sent.kind !== 'lost' && sent.mayBeCharged);
  if (sent.kind === 'refused' && (onChain !== undefined || (!isOpen && deniesCharge(sent)))) {
    const money = onChain === undefined ? NOT_CHARGED_BY_SERVICE : NOT_CHARGED_BY_CHAIN;
    return { state: 'refused', error: refused(sent, `${money} ${stillCounted(payment)}`) };
  }
  if (sent.kind === 'unavailable' && (onChain !== undefined || !isOpen)) {
    return {
      state: 'refused',
      error: unavailable(sent, onChain === undefined ? NOT_CHARGED_BY_SERVICE : NOT_CHARGED_BY_CHAIN),
    };
  }
  return { state: 'outcome_unknown', error: outcomeUnknown(payment, { onChain }) };
}

const NOT_CHARGED_BY_SERVICE = 'Nothing was charged, according to the service.';
const NOT_CHARGED_BY_CHAIN = 'Nothing was charged so far, according to the chain.';

/** Whether a refusal says that nothing was charged: not if it reports a used nonce or a transaction. */
const deniesCharge = ({ reason }: Extract<NotServed, { kind: 'refused' }>): boolean =>
  !/settlement_pending|nonce_already_used|transaction_failed/.test(reason);

const stillCounted = ({ amount, network, authorization }: Payment): string =>
  `The signature remains usable until ${authorization?.validBefore.toISOString()}, so ${toUsd(amount, network)} USD stay counted.`;

function paidNotServed(payment: Payment, transaction: string | null): UnservedOutcome {
  const where = transaction === null ? '' : ` with transaction ${transaction}`;
  const error = new PaymentError('paid_not_served', 'The service settled the payment but sent no response.', {
    money: `${toUsd(payment.amount, payment.network)} USD were charged once${where}.`,
    advice: `${SAME_SIGNATURE} Tell the person; web3-bi wallet receipts has the proof.`,
  });
  return { state: 'paid_not_served', transaction, error };
}

const SAME_SIGNATURE = 'An identical call requests the response with the same signature and is not charged again.';

/** Refusal reasons of facilitators that the caller can remedy. */
const CAUSES: readonly (readonly [RegExp, string, string])[] = [
  [
    /insufficient_(balance|funds)/,
    ': the wallet holds too little',
    'Retrying will not help: ask the person to send USDC to the wallet; web3-bi wallet shows its address.',
  ],
  [
    /valid_(before|after)/,
    ': the time of the signature is wrong',
    "Retrying will not help: ask the person to check this machine's clock with web3-bi doctor.",
  ],
];

function refused(sent: NotServed, money: string): PaymentError {
  const { reason, status } = sent.kind === 'refused' ? sent : { reason: '', status: 0 };
  if (status >= 500) {
    const advice = `Retrying is safe, after 5 seconds. ${SAME_SIGNATURE}`;
    return new PaymentError('search_failed', 'The search failed.', { money, advice });
  }
  const [, because = '', advice = REFUSED_ADVICE] = CAUSES.find(([pattern]) => pattern.test(reason)) ?? [];
  return new PaymentError('payment_refused', `The service refused the payment${because}.`, { money, advice });
}

const REFUSED_ADVICE = `${SAME_SIGNATURE} If it is refused again, ask the person to run web3-bi doctor.`;

function unavailable({ retryAfterSeconds }: Extract<NotServed, { kind: 'unavailable' }>, money: string): PaymentError {
  return new PaymentError('unavailable', 'The service could not settle the payment now.', {
    money,
    advice: `Retrying is safe, after ${Math.max(5, Math.ceil(retryAfterSeconds))} seconds: it sends the same signature, never a second one.`,
  });
}

/** The error for a payment that was sent and whose outcome is unknown. */
export function outcomeUnknown(
  payment: Payment,
  { onChain, cause }: { readonly onChain?: AuthorizationOutcome | undefined; readonly cause?: unknown },
): PaymentError {
  const known = onChain === undefined ? '' : ` ${NOT_CHARGED_BY_CHAIN}`;
  return new PaymentError('outcome_unknown', 'The payment was sent, and its outcome is not known.', {
    money: `${chargedAtMost(toUsd(payment.amount, payment.network))}${known}`,
    advice: `Retrying is safe, after 10 seconds. ${SAME_SIGNATURE}`,
    cause,
  });
}

/** The error for an expired signature whose outcome is unknown; no second payment is made yet. */
export function expiredWithUnknownOutcome(payment: Payment): PaymentError {
  if (payment.state === 'paid_not_served') return paidNotServed(payment, payment.transaction).error;
  return new PaymentError(
    'outcome_unknown',
    'An identical call was paid for a moment ago, and its outcome is unknown.',
    {
      money: `At most ${toUsd(payment.amount, payment.network)} USD were charged for it, once; nothing was charged now.`,
      advice: 'Ask for something else, or call again in 10 minutes.',
    },
  );
}
