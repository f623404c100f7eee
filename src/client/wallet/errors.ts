import { type ErrorCode, ServiceError } from '../../contract/errors.ts';

interface PaymentErrorDetails {
  /** One sentence: whether money was charged. */
  readonly money?: string;
  /** What the caller can do. */
  readonly advice: string;
  readonly cause?: unknown;
}

const NOT_CHARGED = 'Nothing was charged.';

/** A payment that was not made or not answered. The message states what is known about the money, and the remedy. */
export class PaymentError extends ServiceError {
  static override readonly kind: string = 'PaymentError';

  readonly money: string;
  readonly advice: string;

  constructor(code: ErrorCode, message: string, { money = NOT_CHARGED, advice, cause }: PaymentErrorDetails) {
    super(code, message, { cause });
    this.name = 'PaymentError';
    this.money = money;
    this.advice = advice;
  }
}

/** An offer that the rules of the wallet forbid. No server can override them. */
export function offerRefused(reason: string, advice = OFFER_ADVICE): PaymentError {
  return new PaymentError('offer_refused', `The offered payment is refused: ${reason}.`, { advice });
}

const OFFER_ADVICE = 'Retrying will not help: ask the person to check the service with web3-bi doctor.';
