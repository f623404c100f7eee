import type { NetworkId } from '../../contract/networks.ts';

/** What makes an authorization unique; addresses and nonce in lower case. */
export interface PaymentKey {
  readonly network: NetworkId;
  readonly token: string;
  readonly payer: string;
  readonly nonce: string;
}

/**
 * open: being looked at; nothing can have been charged. settling: handed to the facilitator, or about to be. unknown: handed
 * to it, with an outcome that is not known yet. settled: paid. failed: refused, or never handed over; nothing was charged.
 */
export const SETTLEMENT_STATES = ['open', 'settling', 'unknown', 'settled', 'failed'] as const;
export type SettlementState = (typeof SETTLEMENT_STATES)[number];

/** Whether a payment's signature has been found right: those that may have been charged. */
export const isVerified = ({ state }: Pick<PaymentRecord, 'state'>): boolean => state !== 'open' && state !== 'failed';

/** Whether it comes with another signature than the right one: who saw an authorization on the chain has no header of it. */
export const isForged = (record: Pick<PaymentRecord, 'state' | 'signature_hash'>, signatureHash: string): boolean =>
  isVerified(record) && record.signature_hash !== signatureHash;

/** A payment as the journal knows it. No signature is kept. */
export interface PaymentRecord extends PaymentKey {
  readonly id: number;
  readonly state: SettlementState;
  readonly pay_to: string;
  /** In base units of the token. */
  readonly amount: string;
  /** Until when the authorization can be used, in seconds since 1970. */
  readonly valid_before: number;
  /** What is bought, as its address without the host; a payment buys nothing else. */
  readonly item: string;
  /** The client's own identifier, when it has one: then the answer can be fetched again. */
  readonly identifier: string | null;
  readonly signature_hash: string;
  readonly transaction: string | null;
  /** Why it failed, or is not known. */
  readonly reason: string | null;
  readonly request_id: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly settled_at: string | null;
  /** When the answer went out whole; null for a paid answer that nobody has fetched. */
  readonly delivered_at: string | null;
}

/** What was bought: the answer but for what the payment adds to it, as JSON text. */
export interface PaidAnswer {
  readonly data: string;
  readonly meta: string;
}

/** The right to work on a payment, until another claims it after its time. */
export interface Lease {
  readonly id: number;
  readonly owner: string;
}

/** A request to work on a payment. */
export interface PaymentClaim extends PaymentKey, Pick<PaymentRecord, 'pay_to' | 'amount' | 'valid_before' | 'item'> {
  readonly identifier: string | null;
  readonly signature_hash: string;
  readonly request_id: string;
  readonly owner: string;
  readonly leaseMs: number;
}

export type Claimed =
  /** New, or tried before without being charged. */
  | { readonly kind: 'fresh'; readonly lease: Lease }
  /** Perhaps charged already: the chain decides. */
  | {
      readonly kind: 'pending';
      readonly lease: Lease;
      readonly purchased: PaidAnswer;
      readonly record: PaymentRecord;
    }
  /** Paid, and the answer is to be handed out. */
  | {
      readonly kind: 'settled';
      readonly lease: Lease;
      readonly purchased: PaidAnswer;
      readonly transaction: string;
    }
  /** Perhaps charged already, with another signature. */
  | { readonly kind: 'forged' }
  /** Paid, and the answer was handed out, or is for another item. */
  | { readonly kind: 'spent' }
  /** Perhaps charged already for another item. */
  | { readonly kind: 'elsewhere' }
  /** Somebody is at work on it. */
  | { readonly kind: 'busy' }
  /** Its identifier belongs to another authorization. */
  | { readonly kind: 'conflict' };

export interface PaymentQuery extends Partial<Pick<PaymentKey, 'network' | 'token' | 'payer'>> {
  readonly state?: SettlementState | undefined;
  /** Only those that are paid and whose answer nobody has fetched. */
  readonly isUndelivered?: true | undefined;
  /** First and last UTC day of `created_at`, such as 2026-11-21. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Only those with a smaller number, for the next page. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/** What was paid in one UTC day. */
export interface PaymentTotal {
  readonly day: string;
  readonly network: NetworkId;
  readonly token: string;
  readonly payments: number;
  /** In base units of the token. */
  readonly amount: string;
  readonly undelivered: number;
}

/**
 * The journal of payments, one for all processes that are paid at one address. Changes with a lease tell whether it still
 * held; when it did not, nothing was changed, and another is at work.
 */
export interface Payments {
  find(key: PaymentKey): Promise<PaymentRecord | undefined>;
  claim(claim: PaymentClaim): Promise<Claimed>;
  /** Claims a payment that may have been charged and nobody works on; undefined when that is no longer so. */
  adopt(id: number, owner: string, leaseMs: number): Promise<(PaymentRecord & { readonly lease: Lease }) | undefined>;
  /** Keeps a lease for longer. */
  renew(lease: Lease, leaseMs: number): Promise<boolean>;
  /** Ends a lease, and leaves the payment as it is. */
  release(lease: Lease): Promise<unknown>;
  /**
   * Ends a lease and takes back that the payment is looked at or about to be handed over, because it was not: it is as it
   * was before, and one that is new is forgotten.
   */
  withdraw(lease: Lease): Promise<void>;
  /** Notes that the payment is about to be handed over, with what it buys. Durable, because money may move after it. */
  settling(lease: Lease, purchased: PaidAnswer): Promise<boolean>;
  settled(lease: Lease, transaction: string): Promise<boolean>;
  /** Notes why the outcome is not known, and ends the lease. */
  unknown(lease: Lease, reason: string): Promise<boolean>;
  /** Notes that nothing was charged, and ends the lease. */
  failed(lease: Lease, reason: string): Promise<boolean>;
  /** Notes that the answer went out, and ends the lease. */
  delivered(lease: Lease): Promise<boolean>;
  /** Payments that may have been charged and nobody works on, those that waited longest first. */
  pending(limit: number): Promise<readonly PaymentRecord[]>;
  /** Forgets what was left behind before anything was charged, and answers that can no longer be fetched. */
  sweep(): Promise<void>;
  /** The last answer that a wallet has paid for at an item, while it is kept. */
  bought(
    wallet: Pick<PaymentRecord, 'network' | 'token' | 'payer' | 'item'>,
  ): Promise<{ readonly purchased: PaidAnswer; readonly transaction: string } | undefined>;
  list(query: PaymentQuery): Promise<readonly PaymentRecord[]>;
  /** Payments by number, transaction, nonce or request id. */
  lookUp(text: string): Promise<readonly PaymentRecord[]>;
  totals(query: Pick<PaymentQuery, 'from' | 'to'>): Promise<readonly PaymentTotal[]>;
}
