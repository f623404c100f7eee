import type { NetworkId } from '../../contract/networks.ts';

/** Unique key of an authorization; addresses and nonce in lower case. */
export interface PaymentKey {
  readonly network: NetworkId;
  readonly token: string;
  readonly payer: string;
  readonly nonce: string;
}

/**
 * Settlement state:
 * - open: being verified; nothing can have been charged
 * - settling: submitted to the facilitator, or about to be
 * - unknown: submitted, outcome not yet known
 * - settled: paid
 * - failed: refused or never submitted; nothing was charged
 */
export const SETTLEMENT_STATES = ['open', 'settling', 'unknown', 'settled', 'failed'] as const;
export type SettlementState = (typeof SETTLEMENT_STATES)[number];

/** Whether a payment's signature was verified, so that it may have been charged. */
export const isVerified = ({ state }: Pick<PaymentRecord, 'state'>): boolean => state !== 'open' && state !== 'failed';

/** Whether a payment has another signature than the verified one; the chain shows authorizations, but not signatures. */
export const isForged = (record: Pick<PaymentRecord, 'state' | 'signature_hash'>, signatureHash: string): boolean =>
  isVerified(record) && record.signature_hash !== signatureHash;

/** A journaled payment, without its signature. */
export interface PaymentRecord extends PaymentKey {
  readonly id: number;
  readonly state: SettlementState;
  readonly pay_to: string;
  /** In base units of the token. */
  readonly amount: string;
  /** Expiry of the authorization in Unix seconds. */
  readonly valid_before: number;
  /** The purchased resource without host; a payment buys nothing else. */
  readonly item: string;
  /** The client's payment identifier, which allows fetching the response again. */
  readonly identifier: string | null;
  readonly signature_hash: string;
  readonly transaction: string | null;
  readonly reason: string | null;
  readonly request_id: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly settled_at: string | null;
  /** When the response was fully sent; null until then. */
  readonly delivered_at: string | null;
}

/** The purchased response as JSON text, without the fields that the payment adds. */
export interface PurchasedResponse {
  readonly data: string;
  readonly meta: string;
}

/** An exclusive, time-limited right to process a payment. */
export interface Lease {
  readonly id: number;
  readonly owner: string;
}

export interface LeaseRequest extends PaymentKey, Pick<PaymentRecord, 'pay_to' | 'amount' | 'valid_before' | 'item'> {
  readonly identifier: string | null;
  readonly signature_hash: string;
  readonly request_id: string;
  readonly owner: string;
  readonly leaseMs: number;
}

export type LeaseResult =
  /** New, or failed earlier without a charge. */
  | { readonly kind: 'fresh'; readonly lease: Lease }
  /** May have been charged; the chain decides. */
  | {
      readonly kind: 'pending';
      readonly lease: Lease;
      readonly purchased: PurchasedResponse;
      readonly record: PaymentRecord;
    }
  /** Paid; deliver the response. */
  | {
      readonly kind: 'settled';
      readonly lease: Lease;
      readonly purchased: PurchasedResponse;
      readonly transaction: string;
    }
  /** May have been charged, with another signature. */
  | { readonly kind: 'forged' }
  /** Paid and delivered, or for another item. */
  | { readonly kind: 'spent' }
  /** May have been charged for another item. */
  | { readonly kind: 'elsewhere' }
  /** Another request holds the lease. */
  | { readonly kind: 'busy' }
  /** Its identifier belongs to another authorization. */
  | { readonly kind: 'conflict' };

export interface PaymentQuery extends Partial<Pick<PaymentKey, 'network' | 'token' | 'payer'>> {
  readonly state?: SettlementState | undefined;
  /** Only settled payments that are not delivered. */
  readonly isUndelivered?: true | undefined;
  /** First and last UTC day of `created_at`, such as 2026-11-21. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Cursor: only payments with smaller ids. */
  readonly before?: number | undefined;
  readonly limit: number;
}

export interface PaymentTotal {
  readonly day: string;
  readonly network: NetworkId;
  readonly token: string;
  readonly payments: number;
  /** In base units of the token. */
  readonly amount: string;
  readonly undelivered: number;
}

/** The journal of a payee's processes. Changes under a lease return whether it held; if not, nothing was changed. */
export interface Payments {
  find(key: PaymentKey): Promise<PaymentRecord | undefined>;
  /** Acquires the lease of a payment, which is created if it is new. */
  acquire(request: LeaseRequest): Promise<LeaseResult>;
  /** Acquires the lease of an interrupted payment that has none. Undefined if there no longer is one. */
  adopt(id: number, owner: string, leaseMs: number): Promise<(PaymentRecord & { readonly lease: Lease }) | undefined>;
  renew(lease: Lease, leaseMs: number): Promise<boolean>;
  /** Ends a lease without changing the payment. */
  release(lease: Lease): Promise<unknown>;
  /** Ends a lease of a payment that was not submitted, and reverts it to its state before; a new one is deleted. */
  withdraw(lease: Lease): Promise<void>;
  /** Records the imminent submission with the purchased response. Durable, because money may move afterwards. */
  settling(lease: Lease, purchased: PurchasedResponse): Promise<boolean>;
  /** Records that a payment was made; `reason` if that rests on something else than the chain. */
  settled(lease: Lease, transaction: string, reason?: string | null): Promise<boolean>;
  /** Records an unknown outcome and ends the lease. */
  unknown(lease: Lease, reason: string): Promise<boolean>;
  /** Records that nothing was charged and ends the lease. */
  failed(lease: Lease, reason: string): Promise<boolean>;
  /** Records the delivery and ends the lease. */
  delivered(lease: Lease): Promise<boolean>;
  /** Payments that may have been charged and have no active lease, longest waiting first. */
  pending(limit: number): Promise<readonly PaymentRecord[]>;
  /** Deletes abandoned payments without a charge, and responses that can no longer be fetched. */
  sweep(): Promise<void>;
  /** The wallet's last stored response for an item. */
  bought(
    wallet: Pick<PaymentRecord, 'network' | 'token' | 'payer' | 'item'>,
  ): Promise<{ readonly purchased: PurchasedResponse; readonly transaction: string } | undefined>;
  list(query: PaymentQuery): Promise<readonly PaymentRecord[]>;
  /** Payments by id, transaction, nonce or request id. */
  lookUp(text: string): Promise<readonly PaymentRecord[]>;
  totals(query: Pick<PaymentQuery, 'from' | 'to'>): Promise<readonly PaymentTotal[]>;
}
