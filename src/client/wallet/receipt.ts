import type { Payment, Receipt } from '../../contract/spending.ts';
import { toUsd } from '../../contract/usd.ts';

/** A payment as a person or a model is shown it; `kept` when its answer cost nothing this time. */
export function receiptOf(payment: Payment, how: 'paid' | 'kept'): Receipt {
  const { transaction, network, payer, payTo, amount, createdAt, state } = payment;
  const price = { amount: String(amount), amountUsd: toUsd(amount, network) };
  const paidAt = createdAt.toISOString();
  return { transaction, network, payer, payTo, ...price, paidAt, state, cached: how === 'kept' };
}
