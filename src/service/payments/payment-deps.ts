import type { Payments } from '../../store/port/payments.ts';
import type { Log } from '../logging.ts';
import type { Metrics } from '../metrics.ts';
import type { RefusalLimit } from '../middleware/rate-limits.ts';
import type { ChainReader } from './chain-reader.ts';
import type { Facilitator } from './facilitator.ts';
import type { SignatureCheck } from './signature.ts';
import type { PaymentTerms } from './terms.ts';
import type { createSignIn } from './wallet-sign-in.ts';

export interface PaymentDeps {
  readonly journal: Payments;
  readonly terms: PaymentTerms;
  readonly isSigned: SignatureCheck;
  readonly facilitator: Facilitator;
  /** Without it, outcomes that the facilitator leaves open stay open. */
  readonly chain: ChainReader | undefined;
  readonly refusedPayments: RefusalLimit;
  readonly signIn: ReturnType<typeof createSignIn>;
  readonly clock: () => Date;
  readonly log: Log;
  readonly metrics: Metrics | undefined;
  /** Tracks a write after the response. Failures are logged; closing the payment gate waits for it. */
  trackWrite(work: Promise<unknown>): void;
  /** How long a request waits for a concurrent one with the same payment. */
  readonly busyTimeoutMs: number;
  /** How long to wait for a submitted settlement on the chain. */
  readonly confirmationTimeoutMs: number;
}
