import type { Payment, Receipt } from '../../contract/spending.ts';
import { toUsd } from '../../contract/usd.ts';

/** A payment as shown to a person or a model; `cached` if the response was reused for free. */
export function receiptOf(payment: Payment, how: 'paid' | 'cached'): Receipt {
  const { transaction, network, payer, payTo, amount, createdAt, state } = payment;
  const price = { amount: String(amount), amountUsd: toUsd(amount, network) };
  const paidAt = createdAt.toISOString();
  return { transaction, network, payer, payTo, ...price, paidAt, state, cached: how === 'cached' };
}
