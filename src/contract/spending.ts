import * as z from 'zod';

/**
 * What became of a payment. Everything but `unused` counts against the budgets, because it may have moved money:
 * reserved: counted, not yet signed; open: signed, its end not known; settled: paid and served; paid_not_served: the
 * money moved and no answer came; refused: the service said no, and could still settle until the authorization ends;
 * outcome_unknown: nobody could say; unused: proven to be without effect.
 */
const PAYMENT_STATES = [
  'reserved',
  'open',
  'settled',
  'paid_not_served',
  'refused',
  'outcome_unknown',
  'unused',
] as const;

export type PaymentState = (typeof PAYMENT_STATES)[number];

/** What a person or a model is shown of a payment. */
export const receipt = z.object({
  transaction: z.string().nullable().meta({ description: 'Hash on the chain; null when the service gave none.' }),
  network: z.string(),
  payer: z.string(),
  payTo: z.string(),
  amount: z.string().meta({ description: 'In base units of the token.' }),
  amountUsd: z.string(),
  paidAt: z.string(),
  state: z.enum(PAYMENT_STATES),
  cached: z.boolean().meta({ description: 'True when the answer had been paid before and cost nothing now.' }),
});

export type Receipt = z.output<typeof receipt>;

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
