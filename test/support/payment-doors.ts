import { ERRORS, type ErrorCode } from '../../src/contract/errors.ts';
import { LEGACY, MODERN } from './mcp-clients.ts';
import { ask } from './signing.ts';

/** A transport of the same paid search. Its responses are mapped to those of REST, so that one matrix tests all. */
export interface Door {
  readonly name: string;
  ask(url: string, header?: string): Promise<Response>;
}

const REVISION = 'io.modelcontextprotocol/protocolVersion';
const EXTENSION = 'org.x402/payment';

interface McpOptions {
  readonly version: typeof LEGACY | typeof MODERN;
  /** Whether the client reads `payment_required` results. */
  readonly hasExtension?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Calls a tool at /mcp with a payment; returns the result or error unchanged. */
export async function callPaid(
  url: string,
  { name = 'search', args = { query: 'acme' }, payment }: { name?: string; args?: object; payment?: unknown },
  { version, hasExtension = false, headers = {} }: McpOptions,
): Promise<{ result?: any; error?: any }> {
  const isModern = version === MODERN;
  const envelope = {
    [REVISION]: MODERN,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '0' },
    'io.modelcontextprotocol/clientCapabilities': hasExtension ? { extensions: { [EXTENSION]: {} } } : {},
  };
  const _meta = { ...(isModern && envelope), ...(payment !== undefined && { 'x402/payment': payment }) };
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': version,
      ...(isModern && { 'Mcp-Method': 'tools/call', 'Mcp-Name': name }),
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args, _meta } }),
  });
  return (await response.json()) as { result?: any; error?: any };
}

/** The REST response to the payment of `call`: status, and body of a refusal. */
function asResponse({ result, error }: { result?: any; error?: any }): Response {
  if (error !== undefined) return Response.json({ code: error.message }, { status: 400 });
  const required = result.paymentRequired ?? (result.isError === true ? result.structuredContent : undefined);
  if (required !== undefined) return Response.json(required, { status: 402 });
  if (result.isError !== true) return Response.json(result, { status: 200 });
  const { code } = result._meta['web3-bi/error'] as { code: ErrorCode };
  return Response.json({ code }, { status: ERRORS[code].status });
}

/** A payment as MCP clients send it: the header's JSON, or unchanged if it is not JSON. */
function paymentOf(header: string | undefined): unknown {
  if (header === undefined) return undefined;
  try {
    return JSON.parse(Buffer.from(header, 'base64').toString('utf8'));
  } catch {
    return header;
  }
}

const overMcp = (options: McpOptions) => async (url: string, header?: string) =>
  asResponse(await callPaid(url, { payment: paymentOf(header) }, options));

export const REST: Door = { name: 'REST', ask };
/** /mcp in the binding of each protocol generation. */
export const MCP = {
  toolResult: { name: `/mcp, as a tool's result (${LEGACY})`, ask: overMcp({ version: LEGACY }) },
  extension: { name: `/mcp, by the extension (${MODERN})`, ask: overMcp({ version: MODERN, hasExtension: true }) },
} satisfies Record<string, Door>;
