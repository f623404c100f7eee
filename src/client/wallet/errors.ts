import { type ErrorCode, ServiceError } from '../../contract/errors.ts';

interface Told {
  /** One sentence about the money: whether it was charged. */
  readonly money?: string;
  /** What the caller can do. */
  readonly advice: string;
  readonly cause?: unknown;
}

const NOT_CHARGED = 'Nothing was charged.';

/** A payment that was not made, or not answered. It says of the money what is known, and what can be done. */
export class PaymentError extends ServiceError {
  static override readonly kind: string = 'PaymentError';

  readonly money: string;
  readonly advice: string;

  constructor(code: ErrorCode, message: string, { money = NOT_CHARGED, advice, cause }: Told) {
    super(code, message, { cause });
    this.name = 'PaymentError';
    this.money = money;
    this.advice = advice;
  }
}

/** An offer that our own rules refuse; a server must not be able to talk us out of them. */
export function offerRefused(reason: string, advice = OFFER_ADVICE): PaymentError {
  return new PaymentError('offer_refused', `The payment that the service asks for is refused: ${reason}.`, { advice });
}

const OFFER_ADVICE = 'Retrying will not help: ask the person to check the service with web3-bi doctor.';
