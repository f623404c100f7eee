import type { NetworkId } from '../contract/networks.ts';
import type { PaidMeta } from '../contract/x402.ts';
import type { ApiResponse } from './call.ts';

/** The purchased resource, computed before the payment is settled. */
export interface PaidResource {
  readonly data: string;
  readonly meta: PaidMeta;
}

export interface PaidRequest {
  /** URL of the resource as clients see it. */
  readonly resource: string;
  /** Canonical form of the resource without the host. A payment is valid for one item only. */
  readonly item: string;
  readonly payment: string | undefined;
  /** The SIGN-IN-WITH-X header, if present, with which a wallet requests a past purchase again. */
  readonly signIn: string | undefined;
  readonly requestId: string;
  readonly traceparent: string | undefined;
  readonly address: string | null;
  isDisconnected(): boolean;
  /**
   * Checks before payment is requested. Absent if there is certainly something to sell.
   * @throws ServiceError if there is nothing to sell
   */
  check?(): Promise<void>;
  /** Computes the resource. If it throws, nothing is charged. */
  compute(): Promise<PaidResource>;
}

export interface PurchasesRequest extends Pick<PaidRequest, 'resource' | 'signIn' | 'address'> {
  readonly limit: number;
  /** Cursor: only purchases with smaller numbers. */
  readonly before: number | undefined;
}

export interface PaymentGate {
  /** Whether payments are made on a local chain, which no public explorer shows. */
  readonly isOnLocalChain: boolean;
  readonly network: NetworkId;
  /**
   * Responds 402 with the payment requirements, or 200 with the resource after payment.
   * @throws ServiceError that states whether the same payment can be sent again
   */
  charge(request: PaidRequest): Promise<ApiResponse>;
  /** The purchases of the signed-in wallet, newest first; 402 with a challenge without sign-in. */
  purchases(request: PurchasesRequest): Promise<ApiResponse>;
  /** Stops recovery, and resolves when all deliveries are recorded. */
  close(): Promise<void>;
}
