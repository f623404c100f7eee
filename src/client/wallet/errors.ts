import { type ErrorCode, ServiceError } from '../../contract/errors.ts';
import type { Receipt } from '../../contract/spending.ts';

interface PaymentErrorDetails {
  /** One sentence: whether money was charged. */
  readonly money?: string;
  readonly advice: string;
  /** Of the payment that `money` is about, if there is one. */
  readonly receipt?: Receipt;
  readonly cause?: unknown;
}

export const NOT_CHARGED = 'Nothing was charged.';

/** For a payment that may have been charged. */
export const chargedAtMost = (amountUsd: string): string => `At most ${amountUsd} USD were charged, once.`;

/** A payment that was not made or not answered. The message states what is known about the money, and the remedy. */
export class PaymentError extends ServiceError {
  static override readonly kind: string = 'PaymentError';

  readonly money: string;
  readonly advice: string;
  readonly receipt: Receipt | undefined;

  constructor(code: ErrorCode, message: string, { money = NOT_CHARGED, advice, receipt, cause }: PaymentErrorDetails) {
    super(code, message, { cause });
    this.name = 'PaymentError';
    this.money = money;
    this.advice = advice;
    this.receipt = receipt;
  }
}

/** A request for what x402 does not sell, with what to do instead. */
export const notSold = (what: string, advice: string): PaymentError =>
  new PaymentError('not_sold', `x402 does not sell ${what}.`, { advice });

/** An offer that the rules of the wallet forbid. No server can override them. */
export const offerRefused = (reason: string, advice = OFFER_ADVICE): PaymentError =>
  new PaymentError('offer_refused', `The offered payment is refused: ${reason}.`, { advice });

const OFFER_ADVICE = 'Retrying will not help: ask the person to check the service with web3-bi doctor.';
