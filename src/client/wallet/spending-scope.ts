import type { NetworkId } from '../../contract/networks.ts';
import type { Receipt } from '../../contract/spending.ts';

/** A price that a person is asked to agree to. */
export interface Quote {
  readonly request: string;
  readonly amount: bigint;
  readonly network: NetworkId;
  readonly payTo: string;
}

/** What one call of a caller may spend and has spent. It can lower the budgets, never raise them. */
export interface SpendingScope {
  /** US dollars that one payment may cost at most, as a text of USD_PATTERN. */
  readonly maxPriceUsd?: string | undefined;
  /** Asks the person; it resolves when they agree and rejects when they do not. Absent where nobody can be asked. */
  readonly confirm?: ((quote: Quote) => Promise<void>) | undefined;
  /** What was counted against the budget of the call. */
  counted: bigint;
  /** One for each answer, also for those that had been paid before. */
  readonly receipts: Receipt[];
}

export const createSpendingScope = (given: Pick<SpendingScope, 'maxPriceUsd' | 'confirm'> = {}): SpendingScope => ({
  ...given,
  counted: 0n,
  receipts: [],
});
