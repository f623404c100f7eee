/**
 * What became of a payment. Everything but `unused` counts against the budgets, because it may have moved money:
 * reserved: counted, not yet signed; open: signed, its end not known; settled: paid and served; paid_not_served: the
 * money moved and no answer came; refused: the service said no, and could still settle until the authorization ends;
 * outcome_unknown: nobody could say; unused: proven to be without effect.
 */
export type PaymentState =
  | 'reserved'
  | 'open'
  | 'settled'
  | 'paid_not_served'
  | 'refused'
  | 'outcome_unknown'
  | 'unused';

/** What a person or a model is shown of a payment. */
export interface Receipt {
  /** Hash on the chain; null when the service gave none and the chain could not be asked. */
  readonly transaction: string | null;
  readonly network: string;
  readonly payer: string;
  readonly payTo: string;
  /** In base units of the token. */
  readonly amount: string;
  readonly amountUsd: string;
  readonly paidAt: string;
  readonly state: PaymentState;
  /** Whether the answer had been paid before and cost nothing this time. */
  readonly cached: boolean;
}

/** One line of a wallet's ledger. */
export interface Payment {
  readonly id: number;
  /** The request that it is for, such as `GET https://host/path?query`. */
  readonly request: string;
  readonly state: PaymentState;
  readonly amount: bigint;
  readonly network: string;
  readonly payTo: string;
  readonly payer: string;
  readonly createdAt: Date;
  readonly transaction: string | null;
  /** Whether its answer came. */
  readonly isServed: boolean;
  readonly authorization: Authorization | null;
}

/** A signed authorization, which can be sent again but never to more effect than once. */
export interface Authorization {
  readonly nonce: string;
  /** It has no effect from here on. */
  readonly validBefore: Date;
  /** The signed header; null when it is of no more use. */
  readonly header: string | null;
}

/** A payment that is about to be made. */
export interface Reservation {
  readonly request: string;
  readonly session: string;
  readonly amount: bigint;
  readonly network: string;
  readonly payTo: string;
  readonly payer: string;
}

/** What may be spent, in base units. */
export interface Budgets {
  readonly perCall: bigint;
  readonly perSession: bigint;
  readonly perDay: bigint;
}

/** What has been spent, in base units, counted as the budgets count. */
export interface Spent {
  readonly session: bigint;
  readonly day: bigint;
}

/** An answer that was paid, with its payment. */
export interface KeptAnswer {
  readonly payment: Payment;
  readonly body: string;
}
