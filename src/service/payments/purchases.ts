import { getAddress } from 'viem';
import { toUsd } from '../../contract/usd.ts';
import type { Purchase } from '../../contract/x402.ts';
import type { PaymentRecord } from '../../store/port/payments.ts';
import { type Answer, bareAnswer } from '../call.ts';
import type { PaidRequest, PurchasesRequest } from '../payment-gate.ts';
import { paidAnswer } from './delivery.ts';
import type { PaymentDeps } from './payment-deps.ts';

/** The purchases of a signed-in wallet, and their stored responses. Nothing is charged. */
export function createPurchases(parts: PaymentDeps) {
  const { journal, terms, refusedPayments, signIn } = parts;
  const wallet = { network: terms.network, token: terms.requirements.asset.toLowerCase() };

  return {
    /** The response purchased at a URL; 402 if the sign-in is invalid or nothing was purchased. */
    redeliver: async (signed: string, request: RepeatRequest): Promise<Answer> => {
      const signedIn = await authenticateWallet(signed, request);
      if ('refusal' in signedIn) return terms.paymentRequired(request.resource, signedIn.refusal);
      const bought = await journal.bought({ ...wallet, payer: signedIn.payer, item: request.item });
      if (bought === undefined)
        return countWithoutPurchases(request, terms.paymentRequired(request.resource, NOT_BOUGHT));
      return paidAnswer(terms, { ...bought, payer: getAddress(signedIn.payer) });
    },
    list: async (request: PurchasesRequest): Promise<Answer> => {
      if (request.signIn === undefined)
        return terms.signInRequired(request.resource, 'Sign in with the wallet that paid');
      const signedIn = await authenticateWallet(request.signIn, request);
      if ('refusal' in signedIn) return terms.signInRequired(request.resource, signedIn.refusal);
      const { limit, before } = request;
      const found = await journal.list({ ...wallet, payer: signedIn.payer, limit, before });
      const next = found.length === limit ? (found.at(-1)?.id ?? null) : null;
      const body = { data: found.map(toPurchase), meta: { payer: getAddress(signedIn.payer), next } };
      const answer = { ...bareAnswer(JSON.stringify(body)), headers: { 'Cache-Control': 'private, no-store' } };
      return found.length === 0 ? countWithoutPurchases(request, answer) : answer;
    },
  };

  /** Counts a wallet without purchases as refused: creating one is free, and each sign-in is recorded. */
  async function countWithoutPurchases({ address }: Pick<PaidRequest, 'address'>, answer: Answer): Promise<Answer> {
    await refusedPayments.count(address);
    return answer;
  }

  async function authenticateWallet(signed: string, { resource, address }: Pick<PaidRequest, 'resource' | 'address'>) {
    // Verifying a signature is as expensive as for a payment.
    await refusedPayments.check(address);
    const signedIn = await signIn(signed, resource);
    if ('refusal' in signedIn) await refusedPayments.count(address);
    return signedIn;
  }
}

type RepeatRequest = Pick<PaidRequest, 'resource' | 'address' | 'item'>;

const NOT_BOUGHT = 'This wallet has not bought this response within a day: pay for it (not_bought)';

const toPurchase = (record: PaymentRecord): Purchase => ({
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
