/** What crosses the wire of MCP, as far as more than the SDK reads it. */

/** The revision without initialize. */
export const MODERN_REVISION = '2026-07-28';

/** Where a request of that revision says what older ones say once. */
export const ENVELOPE = {
  revision: 'io.modelcontextprotocol/protocolVersion',
  client: 'io.modelcontextprotocol/clientInfo',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
} as const;

/** Where a message has a payment and its receipt, and how a client says that it reads `payment_required` (x402, transports-v2/mcp). */
export const PAYMENT_META = { payment: 'x402/payment', receipt: 'x402/payment-response' } as const;
export const PAYMENT_EXTENSION = 'org.x402/payment';

/** Where a result that was refused has its WWW-Authenticate, for hosts that read no headers (OpenAI's Apps SDK). */
export const CHALLENGE_META = 'mcp/www_authenticate';

/** Where an error of a tool of ours has its code. */
export const ERROR_META = 'web3-bi/error';
