import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server';
import { ENVELOPE, ERROR_META, PAYMENT_EXTENSION, PAYMENT_META } from '../contract/mcp.ts';
import { type PaymentRequired, PRICE_USD } from '../contract/x402.ts';

/** How x402 asks for a payment over MCP, in the two bindings of its transport (x402 v2, transports-v2/mcp). */

/** Stops a call for which there is no payment, or none that is accepted. Nothing was charged by then. */
export class PaymentNeeded {
  readonly required: PaymentRequired;

  constructor(required: PaymentRequired) {
    this.required = required;
  }
}

/** The payment of a call, as its client sent it. */
export const paymentHeaderOf = ({ mcpReq }: ServerContext): unknown => mcpReq._meta?.[PAYMENT_META.payment];

/**
 * The result that asks for a payment. Its structured content passes the output schemas of our tools, whose fields are all
 * optional: clients of the SDK check that of errors too.
 */
export function paymentResult(tool: string, required: PaymentRequired, { mcpReq }: ServerContext): CallToolResult {
  const resource = { ...required.resource, url: `mcp://tool/${tool}` };
  const { extensions: _ofHttp, ...asked } = { ...required, resource };
  const announced = (mcpReq.envelope as Readonly<Record<string, unknown>> | undefined)?.[ENVELOPE.capabilities];
  const { extensions = {} } = (announced ?? {}) as { extensions?: Readonly<Record<string, unknown>> };
  // The SDK sends a result type that it does not know as it is; it only wants an error where there is no structured content.
  if (PAYMENT_EXTENSION in extensions)
    return { resultType: 'payment_required', paymentRequired: asked, content: [], isError: true };
  const content = [JSON.stringify(asked), HINT].map((text) => ({ type: 'text' as const, text }));
  // For programs of before, which know what it is to have no access.
  const _meta = { [ERROR_META]: { code: 'unauthenticated', retryAfterSeconds: null } };
  return { content, structuredContent: asked, isError: true, _meta };
}

/** For a model whose host does not pay by itself. */
const HINT = `Nothing was charged. This call costs ${PRICE_USD} USD: a host with an x402 wallet pays and repeats it by itself. Without one, ask the person to add this server with /account behind its address, where one signs in, or for an API key, as the header "Authorization: Bearer mk_..." of this server in the settings of the host.`;
