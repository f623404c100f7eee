import { getAddress } from 'viem';
import { toUsd } from '../../contract/usd.ts';
import type { Purchase } from '../../contract/x402.ts';
import type { PaymentRecord } from '../../store/port/payments.ts';
import { type Answer, bare } from '../call.ts';
import type { PaidRequest, PurchasesRequest } from '../payment-gate.ts';
import { paidAnswer } from './delivery.ts';
import type { SaleDeps } from './sale-deps.ts';

/** The purchases of a signed-in wallet, and their stored responses. Nothing is charged. */
export function createPurchases(parts: SaleDeps) {
  const { journal, terms, refusals, signIn } = parts;
  const wallet = { network: terms.network, token: terms.requirements.asset.toLowerCase() };

  return {
    /** The response purchased at a URL; 402 if the sign-in is invalid or nothing was purchased. */
    again: async (signed: string, order: Again): Promise<Answer> => {
      const who = await signedIn(signed, order);
      if ('refusal' in who) return terms.ask(order.resource, who.refusal);
      const bought = await journal.bought({ ...wallet, payer: who.payer, item: order.item });
      if (bought === undefined) return nothing(order, terms.ask(order.resource, NOT_BOUGHT));
      return paidAnswer(terms, { ...bought, payer: getAddress(who.payer) });
    },
    list: async (order: PurchasesRequest): Promise<Answer> => {
      if (order.signIn === undefined) return terms.askToSignIn(order.resource, 'Sign in with the wallet that paid');
      const who = await signedIn(order.signIn, order);
      if ('refusal' in who) return terms.askToSignIn(order.resource, who.refusal);
      const { limit, before } = order;
      const found = await journal.list({ ...wallet, payer: who.payer, limit, before });
      const next = found.length === limit ? (found.at(-1)?.id ?? null) : null;
      const body = { data: found.map(shown), meta: { payer: getAddress(who.payer), next } };
      const answer = { ...bare(JSON.stringify(body)), headers: { 'Cache-Control': 'private, no-store' } };
      return found.length === 0 ? nothing(order, answer) : answer;
    },
  };

  /** Counts a wallet without purchases as refused: creating one is free, and each sign-in is recorded. */
  async function nothing({ address }: Pick<PaidRequest, 'address'>, answer: Answer): Promise<Answer> {
    await refusals.note(address);
    return answer;
  }

  async function signedIn(signed: string, { resource, address }: Pick<PaidRequest, 'resource' | 'address'>) {
    // Verifying a signature is as expensive as for a payment.
    await refusals.check(address);
    const who = await signIn(signed, resource);
    if ('refusal' in who) await refusals.note(address);
    return who;
  }
}

type Again = Pick<PaidRequest, 'resource' | 'address' | 'item'>;

const NOT_BOUGHT = 'This wallet has not bought this response within a day: pay for it (not_bought)';

const shown = (record: PaymentRecord): Purchase => ({
  id: record.id,
  item: record.item,
  state: record.state,
  amount: record.amount,
  amount_usd: toUsd(BigInt(record.amount), record.network),
  network: record.network,
  pay_to: record.pay_to,
  transaction: record.transaction,
  created_at: record.created_at,
  settled_at: record.settled_at,
  delivered_at: record.delivered_at,
});
