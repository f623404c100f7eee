import type { Budgets } from '../../contract/spending.ts';
import type { LedgerChain } from './chain.ts';
import type { Ledger } from './ledger.ts';
import type { OfferRules } from './offer.ts';
import type { Sender } from './send.ts';
import type { Signer } from './signer.ts';

/** What a purchase is made with. */
export interface PaymentContext {
  readonly ledger: Ledger;
  readonly signer: Signer;
  /** Where the chain can be read. */
  readonly chain: LedgerChain | undefined;
  readonly rules: OfferRules;
  readonly budgets: Budgets;
  /** A price above this needs the consent of a person. */
  readonly confirmAbove: bigint | undefined;
  /** All that this process buys. */
  readonly session: string;
  readonly sender: Sender;
}

/** How long an answer that was paid is given again for nothing. */
const KEPT_MS = 3_600_000;

export const keptSince = ({ sender }: PaymentContext): Date => new Date(sender.clock().getTime() - KEPT_MS);
