import type { ServerContext } from '@modelcontextprotocol/server';
import type { Access, Received } from '../../client/access.ts';
import { accepted } from '../../client/client.ts';
import { createPayingClient, type Payer } from '../../client/paid-client.ts';
import { chargedAtMost, PaymentError } from '../../client/wallet/errors.ts';
import type { PaidResponse } from '../../client/wallet/purchase.ts';
import { ServiceError } from '../../contract/errors.ts';
import { PAYMENT_META } from '../../contract/mcp.ts';
import type { Receipt } from '../../contract/spending.ts';
import { PAYMENT_HEADERS, type PaymentRequired, PRICE_USD } from '../../contract/x402.ts';
import { PaymentNeeded, paymentHeaderOf } from '../payment-results.ts';
import type { PayingCall } from '../server.ts';

/** An in-process request with a payment, as in PAYMENT-SIGNATURE. */
export type PayingFetch = (
  url: URL,
  init: { readonly signal?: AbortSignal | undefined; readonly payment?: string | undefined; isDelivered(): boolean },
) => Promise<Received>;

interface PayingCallDeps {
  readonly baseUrl: string;
  readonly fetch: PayingFetch & Access;
  readonly context: ServerContext;
}

/** Buys one response of the paid endpoints with the payment of a call, through the same payment gate as REST. */
export function createPayingCall({ baseUrl, fetch, context }: PayingCallDeps): PayingCall {
  const sent = paymentHeaderOf(context);
  const payment = sent === undefined ? undefined : Buffer.from(JSON.stringify(sent)).toString('base64');
  let isCarried = false;
  let bought: { readonly url: string; readonly body: string; readonly receipt: Receipt } | undefined;
  const payer: Payer = {
    cachedResponses: async () => [],
    fetch: async (input, { scope, signal } = {}) => {
      const url = new URL(String(input));
      if (bought === undefined) {
        const response = await fetch(url, { signal: signal ?? undefined, payment, isDelivered: () => isCarried });
        const body = await bodyOf(response);
        bought = { url: url.href, body, receipt: receiptOf(body, sent) };
      }
      // A payment buys one response; the look-up did not find the record in it.
      if (bought.url !== url.href) throw new ServiceError('not_found', 'One payment buys one search.');
      const { body, receipt } = bought;
      if (scope?.receipts.includes(receipt) === false) scope.receipts.push(receipt);
      return Object.assign(new Response(body), { receipt }) satisfies PaidResponse;
    },
  };
  return {
    paid: createPayingClient(baseUrl, payer, fetch),
    answered: () => {
      isCarried = true;
    },
  };
}

/** The body of a paid response. Throws PaymentNeeded, or the service's error. */
async function bodyOf(response: Received): Promise<string> {
  if (response.status === 402) {
    const required = (await response.json()) as PaymentRequired;
    throw new PaymentNeeded({ ...required, error: toMcpPaymentTerms(required.error) });
  }
  if (response.ok) return response.text();
  throw mcpPaymentError(await accepted(response).catch((error: unknown) => error));
}

const META = `_meta["${PAYMENT_META.payment}"]`;
const toMcpPaymentTerms = (text: string): string => text.replaceAll(PAYMENT_HEADERS.signature, META);

/** Rewrites an error of the service for MCP, adding whether money was charged. */
function mcpPaymentError(error: unknown): unknown {
  if (!(error instanceof ServiceError)) return error;
  const { code, headers, errors, requestId } = error;
  const message = toMcpPaymentTerms(error.message);
  if (code !== 'payment_pending') return new ServiceError(code, message, { headers, errors, requestId });
  return new PaymentError(code, message, {
    money: chargedAtMost(PRICE_USD),
    advice: `Retrying is safe, after 5 seconds, with the same ${META}.`,
    cause: error,
  });
}

/** The receipt of a paid response: the service's `meta`, and the payee of the payment. */
function receiptOf(body: string, payment: unknown): Receipt {
  const { meta } = JSON.parse(body) as { readonly meta: PaidMeta };
  const { payload } = payment as { readonly payload: { readonly authorization: { readonly to: string } } };
  const { transaction, network, payer, price_paid: amount, price_paid_usd: amountUsd } = meta;
  const price = { payTo: payload.authorization.to, amount, amountUsd };
  return { transaction, network, payer, ...price, paidAt: new Date().toISOString(), state: 'settled', cached: false };
}

/** Payment fields in the `meta` of paid endpoints. */
interface PaidMeta extends Pick<Receipt, 'transaction' | 'network' | 'payer'> {
  readonly price_paid: string;
  readonly price_paid_usd: string;
}
