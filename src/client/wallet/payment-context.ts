import type { Budgets } from '../../contract/spending.ts';
import type { AuthorizationReader } from './authorization-reader.ts';
import type { Ledger } from './ledger.ts';
import type { OfferRules } from './offer.ts';
import type { Sender } from './send.ts';
import type { Signer } from './signer.ts';

/** Everything that a purchase needs. */
export interface PaymentContext {
  readonly ledger: Ledger;
  readonly signer: Signer;
  /** Absent without an RPC endpoint. */
  readonly chain: AuthorizationReader | undefined;
  readonly rules: OfferRules;
  readonly budgets: Budgets;
  /** A price above this requires consent. */
  readonly confirmAbove: bigint | undefined;
  /** Identifies this process's purchases, for the session budget. */
  readonly session: string;
  readonly sender: Sender;
}

/** How long a paid response is reused for free. */
const CACHE_MS = 3_600_000;

export const cacheStart = ({ sender }: PaymentContext): Date => new Date(sender.clock().getTime() - CACHE_MS);
