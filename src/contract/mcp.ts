/** Names of the MCP wire format beyond those of the SDK. */

/** First revision without `initialize`. */
export const MODERN_REVISION = '2026-07-28';

/** `_meta` keys that carry per request what earlier revisions negotiate once. */
export const ENVELOPE = {
  revision: 'io.modelcontextprotocol/protocolVersion',
  client: 'io.modelcontextprotocol/clientInfo',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
} as const;

/** `_meta` keys of a payment and its receipt, and the client capability for `payment_required` (x402, transports-v2/mcp). */
export const PAYMENT_META = { payment: 'x402/payment', receipt: 'x402/payment-response' } as const;
export const PAYMENT_EXTENSION = 'org.x402/payment';

/** `_meta` key of the WWW-Authenticate challenge in a refused result, for hosts that do not read headers (OpenAI Apps SDK). */
export const CHALLENGE_META = 'mcp/www_authenticate';

/** `_meta` key of the error code in a tool error. */
export const ERROR_META = 'web3-bi/error';
