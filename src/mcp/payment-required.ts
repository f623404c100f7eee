import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server';
import { ENVELOPE, ERROR_META, PAYMENT_EXTENSION, PAYMENT_META } from '../contract/mcp.ts';
import { type PaymentRequired, PRICE_USD } from '../contract/x402.ts';

/** Payment requests of x402 over MCP, in both bindings of its transport (x402 v2, transports-v2/mcp). */

/** Interrupts a call without an accepted payment. Nothing was charged. */
export class PaymentNeeded {
  readonly required: PaymentRequired;

  constructor(required: PaymentRequired) {
    this.required = required;
  }
}

/** The payment that the client sent with a call. */
export const paymentHeaderOf = ({ mcpReq }: ServerContext): unknown => mcpReq._meta?.[PAYMENT_META.payment];

/**
 * The result that requests a payment. Its structured content satisfies our output schemas, whose fields are all
 * optional, because SDK clients validate it for errors too.
 */
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
