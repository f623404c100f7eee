import type { Payments } from '../../store/port/payments.ts';
import type { Log } from '../logging.ts';
import type { Metrics } from '../metrics.ts';
import type { ChainReader } from './chain.ts';
import type { Facilitator } from './facilitator.ts';
import type { Refusals } from './refusals.ts';
import type { createSignIn } from './sign-in.ts';
import type { SignatureCheck } from './signature.ts';
import type { Terms } from './terms.ts';

/** What a sale is made of. */
export interface SaleParts {
  readonly journal: Payments;
  readonly terms: Terms;
  readonly isSigned: SignatureCheck;
  readonly facilitator: Facilitator;
  /** Without it nothing can be decided that the facilitator leaves open. */
  readonly chain: ChainReader | undefined;
  readonly refusals: Refusals;
  readonly signIn: ReturnType<typeof createSignIn>;
  readonly clock: () => Date;
  readonly log: Log;
  readonly metrics: Metrics | undefined;
  /** Takes what is written after an answer has gone, and never fails; the payment gate is closed when it is done. */
  note(work: Promise<unknown>): void;
  /** How long a request waits for another one with the same payment. */
  readonly busyTimeoutMs: number;
  /** How long a settlement that went to the chain is waited for there. */
  readonly landingTimeoutMs: number;
}
