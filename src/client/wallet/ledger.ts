import type {
  Authorization,
  Budgets,
  CachedResponse,
  Payment,
  PaymentState,
  Reservation,
  Spent,
} from '../../contract/spending.ts';

/** Spending ledger: one file for all processes of a user, written before money is spent. Operations are synchronous and atomic. */
export interface Ledger {
  /** The stored response of a request that was paid at or after `since`. */
  cachedResponse(request: string, since: Date): CachedResponse | undefined;
  /** Every stored response paid at or after `since`, newest first. */
  cachedResponses(since: Date): readonly CachedResponse[];
  /**
   * Leases the unfinished payment of a request, if any, until `until`; `busy` if another process holds it. A refused one
   * becomes open, because it is sent again; the returned payment has its state before.
   */
  leaseUnfinished(request: string, until: Date): Payment | 'busy' | undefined;
  /** Counts a payment against the budgets, atomically across processes. Must precede signing. */
  reserve(reservation: Reservation, budgets: Budgets, until: Date): Reserved;
  /** Stores a signature durably. False if the reservation has expired and was released. */
  sign(id: number, signed: Authorization & { readonly heldUntil: Date }): boolean;
  /** Records the outcome of a payment, and its response if there is one. */
  recordOutcome(id: number, closing: LedgerOutcome): void;
  spent(session: string): Spent;
  /** The newest payments, without those that had no effect. */
  list(limit: number): readonly Payment[];
  /** Payments of unknown outcome without an active lease. */
  unresolved(): readonly Payment[];
  close(): void;
}

type Reserved =
  | { readonly kind: 'reserved'; readonly id: number; readonly createdAt: Date }
  | { readonly kind: 'busy' }
  | { readonly kind: 'over'; readonly budget: 'session' | 'day'; readonly spent: Spent };

export interface LedgerOutcome {
  readonly state: Exclude<PaymentState, 'reserved'>;
  readonly transaction?: string | null;
  /** Body of the response, for free reuse. */
  readonly body?: string;
}
