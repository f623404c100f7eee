import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { notSold } from '../client/wallet/errors.ts';
import { entityOf, RECORD_TYPES, type RecordType } from '../contract/entities/index.ts';
import { ENVELOPE, ERROR_META, PAYMENT_EXTENSION, PAYMENT_META } from '../contract/mcp.ts';
import type { Receipt } from '../contract/spending.ts';
import { USD_DECIMALS_MAX, USD_FORM, USD_MAX, USD_PATTERN } from '../contract/usd.ts';
import { type PaymentRequired, PRICE_USD, SOLD_TYPES } from '../contract/x402.ts';

/** Common parts of the paying tools: the price limit and the receipt. */

/** Output schema of a receipt. Reduced to the main fields, because schemas cost tokens in every conversation. */
export const shownReceipt = z.looseObject({
  transaction: z.string().nullable(),
  amountUsd: z.string(),
  cached: z.boolean(),
});

export const maxPriceUsd = z
  .union([z.number().min(0), z.string().regex(USD_PATTERN, USD_FORM)], USD_FORM)
  .optional()
  .meta({ description: 'US dollars a payment may cost; can only lower the budgets.' });

/** Normalizes the limit to a text of USD_PATTERN. */
export function maxPrice(usd: string | number | undefined): string | undefined {
  if (usd === undefined || USD_PATTERN.test(String(usd))) return usd?.toString();
  return Math.min(Number(usd), USD_MAX).toFixed(USD_DECIMALS_MAX);
}

/** Throws for fields that require a key, before anything is paid. */
export function checkSoldFields(types: readonly RecordType[] | undefined, fields: readonly string[] | undefined): void {
  const known = (types ?? SOLD_TYPES).flatMap((type) => soldFields(type));
  const isKeyed = (field: string): boolean =>
    RECORD_TYPES.some((type) => Object.hasOwn(entityOf(type).record.shape, field));
  const unsold = fields?.find((field) => !known.includes(field) && isKeyed(field));
  if (unsold === undefined) return;
  throw notSold(`the field ${unsold}`, LEAVE_OUT_ADVICE);
}

export const LEAVE_OUT_ADVICE = 'Leave it out, or ask the person for an API key (WEB3_BI_API_KEY), which has it.';

function soldFields(type: RecordType): string[] {
  const { paid } = entityOf(type);
  if (paid === null) return [];
  return ['type', ...Object.keys(paid.schema.shape).map((field) => paid.renamed[field] ?? field)];
}

export function receiptLine({ cached, amountUsd, transaction, network, payTo, paidAt }: Receipt): string {
  const proof = transaction === null ? 'the service gave no receipt' : `transaction ${transaction} on ${network}`;
  return cached
    ? `Free: paid before, ${amountUsd} USD at ${paidAt}, ${proof}.`
    : `Paid ${amountUsd} USD to ${payTo}, ${proof}.`;
}

/** `_meta` of the x402 transport of MCP: the last payment of the call, or the one being reused. */
export function receiptMeta(receipts: readonly Receipt[]): Record<string, unknown> {
  const proven = receipts.filter(({ transaction }) => transaction !== null);
  const shown = proven.filter(({ cached }) => !cached).at(-1) ?? proven.at(-1);
  if (shown === undefined) return {};
  const { transaction, network, payer } = shown;
  return { [PAYMENT_META.receipt]: { success: true, transaction, network, payer } };
}

/** Payment requests of x402 over MCP, in both bindings of its transport (x402 v2, transports-v2/mcp). */

/** Interrupts a call without an accepted payment. Nothing was charged. */
export class PaymentNeeded {
  readonly required: PaymentRequired;

  constructor(required: PaymentRequired) {
    this.required = required;
  }
}

export const paymentHeaderOf = ({ mcpReq }: ServerContext): unknown => mcpReq._meta?.[PAYMENT_META.payment];

/** The result that requests a payment. It satisfies our output schemas, because SDK clients validate it for errors too. */
export function paymentResult(tool: string, required: PaymentRequired, { mcpReq }: ServerContext): CallToolResult {
  const resource = { ...required.resource, url: `mcp://tool/${tool}` };
  const { extensions: _ofHttp, ...asked } = { ...required, resource };
  const announced = (mcpReq.envelope as Readonly<Record<string, unknown>> | undefined)?.[ENVELOPE.capabilities];
  const { extensions = {} } = (announced ?? {}) as { extensions?: Readonly<Record<string, unknown>> };
  // The SDK passes unknown result types through, and requires only structured content.
  if (PAYMENT_EXTENSION in extensions)
    return { resultType: 'payment_required', paymentRequired: asked, content: [], isError: true };
  const content = [JSON.stringify(asked), HINT].map((text) => ({ type: 'text' as const, text }));
  // For clients without x402, which handle a missing credential.
  const _meta = { [ERROR_META]: { code: 'unauthenticated', retryAfterSeconds: null } };
  return { content, structuredContent: asked, isError: true, _meta };
}

/** For models whose host does not pay automatically. */
const HINT = `Nothing was charged. This call costs ${PRICE_USD} USD: a host with an x402 wallet pays and repeats it by itself. Without one, ask the person to add this server with /account behind its address, where one signs in, or for an API key, as the header "Authorization: Bearer mk_..." of this server in the settings of the host.`;
