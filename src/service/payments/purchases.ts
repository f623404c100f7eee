import { getAddress } from 'viem';
import { toUsd } from '../../contract/usd.ts';
import type { Purchase } from '../../contract/x402.ts';
import type { PaymentRecord } from '../../store/port/payments.ts';
import { type Answer, bare } from '../call.ts';
import type { PaidRequest, PurchasesRequest } from '../payment-gate.ts';
import { paidAnswer } from './delivery.ts';
import type { SaleParts } from './parts.ts';

/** What a wallet that signs in is given: what it has bought, and each answer again while it is kept. Nothing is charged. */
export function createPurchases(parts: SaleParts) {
  const { journal, terms, refusals, signIn } = parts;
  const wallet = { network: terms.network, token: terms.requirements.asset.toLowerCase() };

  return {
    /** The answer that was bought at an address; 402 for a sign-in that does not count, and where nothing was bought. */
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

  /** Counts a wallet that has bought nothing as refused: anybody can make one, and each sign-in is written down. */
  async function nothing({ address }: Pick<PaidRequest, 'address'>, answer: Answer): Promise<Answer> {
    await refusals.note(address);
    return answer;
  }

  async function signedIn(signed: string, { resource, address }: Pick<PaidRequest, 'resource' | 'address'>) {
    // A signature costs as much to check as one of a payment.
    await refusals.check(address);
    const who = await signIn(signed, resource);
    if ('refusal' in who) await refusals.note(address);
    return who;
  }
}

type Again = Pick<PaidRequest, 'resource' | 'address' | 'item'>;

const NOT_BOUGHT = 'This wallet has paid for no such answer within a day: pay for it (not_bought)';

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
