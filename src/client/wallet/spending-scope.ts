import type { NetworkId } from '../../contract/networks.ts';
import type { Payment, Receipt } from '../../contract/spending.ts';
import { toUsd } from '../../contract/usd.ts';

/** A price that requires consent. */
export interface Quote {
  readonly request: string;
  readonly amount: bigint;
  readonly network: NetworkId;
  readonly payTo: string;
}

/** Limits and spending of one tool call or command. Can lower the budgets, never raise them. */
export interface SpendingScope {
  /** Maximum US dollars of one payment, as a text of USD_PATTERN. */
  readonly maxPriceUsd?: string | undefined;
  /** Requests consent: resolves if granted, rejects if denied. Absent if there is no person to confirm. */
  readonly confirm?: ((quote: Quote) => Promise<void>) | undefined;
  /** Prices above it need consent; by default those above the wallet's threshold. */
  readonly confirmAbove?: bigint | undefined;
  /** Amount counted against the budget of the call. */
  counted: bigint;
  /** One per response, including reused ones. */
  readonly receipts: Receipt[];
}

export const createSpendingScope = (
  given: Pick<SpendingScope, 'maxPriceUsd' | 'confirm' | 'confirmAbove'> = {},
): SpendingScope => ({
  ...given,
  counted: 0n,
  receipts: [],
});

/** A payment as shown to a person or a model; `cached` if the response was reused for free. */
export function receiptOf(payment: Payment, how: 'paid' | 'cached'): Receipt {
  const { transaction, network, payer, payTo, amount, createdAt, state } = payment;
  const price = { amount: String(amount), amountUsd: toUsd(amount, network) };
  const paidAt = createdAt.toISOString();
  return { transaction, network, payer, payTo, ...price, paidAt, state, cached: how === 'cached' };
}
