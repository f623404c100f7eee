import type {
  Authorization,
  Budgets,
  KeptAnswer,
  Payment,
  PaymentState,
  Reservation,
  Spent,
} from '../../contract/spending.ts';

/**
 * Where a wallet writes down what it spends before it spends it: one file for all processes of a person. Its operations
 * are whole and synchronous, so that nothing comes between looking and writing.
 */
export interface Ledger {
  /** The answer that was paid for a request at this time or later. */
  kept(request: string, since: Date): KeptAnswer | undefined;
  /** Every answer that was paid at this time or later, the newest first. */
  allKept(since: Date): readonly KeptAnswer[];
  /**
   * Takes over the payment of a request whose signature may still have to be used, for as long as `until`; `busy` when
   * somebody is at it.
   */
  takeOver(request: string, until: Date): Payment | 'busy' | undefined;
  /** Counts a payment against the budgets, in one transaction for all processes. Nothing is signed before this. */
  reserve(reservation: Reservation, budgets: Budgets, until: Date): Reserved;
  /** Keeps a signature, on the disk when it returns; false when the reservation has been taken away meanwhile. */
  sign(id: number, signed: Authorization & { readonly heldUntil: Date }): boolean;
  /** Says what became of a payment, and keeps the answer where there is one. */
  close(id: number, closing: Closing): void;
  spent(session: string): Spent;
  /** The newest payments, without those that had no effect. */
  list(limit: number): readonly Payment[];
  /** Payments whose end nobody knows and at which nobody works. */
  undecided(): readonly Payment[];
  end(): void;
}

type Reserved =
  | { readonly kind: 'reserved'; readonly id: number; readonly createdAt: Date }
  | { readonly kind: 'busy' }
  | { readonly kind: 'over'; readonly budget: 'session' | 'day'; readonly spent: Spent };

export interface Closing {
  readonly state: Exclude<PaymentState, 'reserved'>;
  readonly transaction?: string | null;
  /** The body of the answer, to be given again for nothing. */
  readonly answer?: string;
}
