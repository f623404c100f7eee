/**
 * State of a payment. All but `unused` count against the budgets, because money may have moved.
 * - reserved: counted, not yet signed
 * - open: signed and being sent, or interrupted meanwhile
 * - settled: delivered, with a transaction that the service stated or the chain has
 * - paid_not_served: settled on the chain without a response
 * - refused: rejected, or not taken, by the service; could still settle until the authorization expires
 * - outcome_unknown: the outcome could not be determined
 * - unused: proven to have no effect
 */
export type PaymentState =
  | 'reserved'
  | 'open'
  | 'settled'
  | 'paid_not_served'
  | 'refused'
  | 'outcome_unknown'
  | 'unused';

export interface Receipt {
  /** Transaction hash, as the service stated it or else as the chain has it; null if neither is known. */
  readonly transaction: string | null;
  readonly network: string;
  readonly payer: string;
  readonly payTo: string;
  /** In base units of the token. */
  readonly amount: string;
  readonly amountUsd: string;
  readonly paidAt: string;
  readonly state: PaymentState;
  /** Whether the response was paid for earlier and free this time. */
  readonly cached: boolean;
}

export interface Payment {
  readonly id: number;
  /** The request it pays for, such as `GET https://host/path?query`. */
  readonly request: string;
  readonly state: PaymentState;
  readonly amount: bigint;
  readonly network: string;
  readonly payTo: string;
  readonly payer: string;
  readonly createdAt: Date;
  readonly transaction: string | null;
  /** Whether the response arrived. */
  readonly isServed: boolean;
  readonly authorization: Authorization | null;
}

/** A signed authorization (EIP-3009). Resubmitting it is idempotent: the nonce settles at most once. */
export interface Authorization {
  readonly nonce: string;
  readonly validBefore: Date;
  /** The signed header; null once it is no longer needed. */
  readonly header: string | null;
}

export interface Reservation extends Pick<Payment, 'request' | 'amount' | 'network' | 'payTo' | 'payer'> {
  readonly session: string;
}

/** Spending limits, in base units. */
export interface Budgets {
  readonly perCall: bigint;
  readonly perSession: bigint;
  readonly perDay: bigint;
}

/** Amounts counted against the budgets, in base units. */
export interface Spent {
  readonly session: bigint;
  readonly day: bigint;
}

/** A stored response that was paid for, with its payment. */
export interface CachedResponse {
  readonly payment: Payment;
  readonly body: string;
}
