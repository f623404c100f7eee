import { PAYMENT_HEADERS, type PaymentReceipt, PRICE_USD } from '../../contract/x402.ts';
import type { PurchasedResponse } from '../../store/port/payments.ts';
import { type ApiResponse, bareResponse } from '../call.ts';
import type { PaymentDeps } from './payment-gate.ts';
import type { PaymentJob } from './settlement.ts';
import type { PaymentTerms } from './terms.ts';

/** The response to a settled payment. Records whether it was fully sent; until then it can be fetched again. */
export function deliver(
  parts: PaymentDeps,
  work: PaymentJob,
  { purchased, transaction }: { purchased: PurchasedResponse; transaction: string },
): ApiResponse {
  const { journal, log, metrics, terms, trackWrite } = parts;
  const { request, payment, lease, stopRenewal } = work;
  const payer = payment.authorization.from;
  return {
    ...paidResponse(terms, { purchased, transaction, payer }),
    onSent: (isWhole) => {
      stopRenewal();
      const fields = { requestId: request.requestId, payment: lease.id, payer, transaction };
      metrics?.countPayment(isWhole ? 'delivered' : 'undelivered');
      log.info({ ...fields, isDelivered: isWhole }, 'paid answer');
      const noted = isWhole ? journal.delivered(lease) : journal.release(lease);
      trackWrite(
        noted.catch((error: unknown) => log.error({ ...fields, err: error }, 'a delivery could not be recorded')),
      );
    },
  };
}

/** The purchased resource with the payment's receipt. */
export function paidResponse(
  { network, requirements }: PaymentTerms,
  { purchased, transaction, payer }: { purchased: PurchasedResponse; transaction: string; payer: string },
): ApiResponse {
  const receipt: PaymentReceipt = { success: true, transaction, network, payer };
  const price = { price_paid: requirements.amount, price_paid_usd: PRICE_USD };
  const meta = { ...(JSON.parse(purchased.meta) as object), payer, transaction, network, ...price };
  return {
    ...bareResponse(`{"data":${purchased.data},"meta":${JSON.stringify(meta)}}`),
    headers: {
      [PAYMENT_HEADERS.response]: Buffer.from(JSON.stringify(receipt)).toString('base64'),
      'Cache-Control': 'private, no-store',
    },
  };
}
