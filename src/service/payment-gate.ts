import type { PaidMeta } from '../contract/x402.ts';
import type { Answer } from './call.ts';

/** What is sold, made before it is paid. */
export interface PaidResource {
  /** JSON text. */
  readonly data: string;
  readonly meta: PaidMeta;
}

/** A request for something that is sold. */
export interface PaidRequest {
  /** Address of what is sold, as clients see it. */
  readonly resource: string;
  /** The same without the host, and in one form: a payment made for one item buys no other, on whichever host. */
  readonly item: string;
  /** The header PAYMENT-SIGNATURE, if there is one. */
  readonly payment: string | undefined;
  /** The header SIGN-IN-WITH-X, if there is one: a wallet that asks again for what it has paid for. */
  readonly signIn: string | undefined;
  readonly requestId: string;
  /** The trace that the request belongs to, for what it asks of others. */
  readonly traceparent: string | undefined;
  /** Where the request came from. */
  readonly address: string | null;
  isGone(): boolean;
  /** Throws when there is nothing to sell, so that no payment is asked for it. Left out where that takes no work to know. */
  check?(): Promise<void>;
  /** Makes the answer. When it throws, nothing is charged. */
  make(): Promise<PaidResource>;
}

/** A request of a wallet for what it has bought. */
export interface PurchasesRequest extends Pick<PaidRequest, 'resource' | 'signIn' | 'address'> {
  readonly limit: number;
  /** Only those with a smaller number, for the next page. */
  readonly before: number | undefined;
}

/** Sells answers for payments. */
export interface PaymentGate {
  /** Whether payments are made on a copy of the chain on this machine, of which no public explorer knows. */
  readonly isOnLocalChain: boolean;
  /**
   * Answers 402 with what a payment needs, or 200 with the answer once they are paid. Throws ServiceErrors that say whether
   * the same payment can be sent again.
   */
  charge(order: PaidRequest): Promise<Answer>;
  /** What the wallet that signs in has bought, the newest first; 402 with what to sign when none does. */
  purchases(order: PurchasesRequest): Promise<Answer>;
  /** Stops looking after payments whose outcome is not known, and waits until each answer that went out is noted. */
  close(): Promise<void>;
}
