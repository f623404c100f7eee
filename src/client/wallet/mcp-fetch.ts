import { ERRORS, type ErrorCode } from '../../contract/errors.ts';
import { ENVELOPE, ERROR_META, MODERN_REVISION, PAYMENT_EXTENSION, PAYMENT_META } from '../../contract/mcp.ts';
import { PAYMENT_HEADERS, SOLD_TYPES } from '../../contract/x402.ts';
import { type Fetch, readBounded } from '../access.ts';
import { asObject, decodeJson } from './payment-headers.ts';
import { ANSWER_BYTES_MAX } from './send.ts';

/** The tool that sells the resource of a REST path. */
const TOOLS: Readonly<Record<string, string>> = {
  '/api/v1/x402/search': 'search',
  '/api/v1/x402/aggregate': 'aggregate',
  '/api/v1/x402/connections': 'connect',
  '/api/health': 'health',
};

/** Whether a URL is an MCP endpoint, by its path. */
export const isMcpEndpoint = (address: string): boolean => /\/mcp\/*$/.test(new URL(address).pathname);

/**
 * A `fetch` for REST paths below an MCP endpoint. Each request becomes a call of the tool that sells the same resource,
 * over the MCP transport of x402, and the result is converted to the REST form. A wallet therefore pays at both with
 * the same ledger, budgets and retries. Uses the stateless protocol revision.
 */
export function mcpFetch(endpoint: string, fetch: Fetch = globalThis.fetch): Fetch {
  const base = new URL(endpoint).pathname.replace(/\/+$/, '');
  return async (input, { headers, signal, redirect } = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const name = TOOLS[url.pathname.slice(base.length)];
    if (name === undefined)
      return Response.json({ error: 'This is not sold at an MCP endpoint.', code: 'not_found' }, NONE);
    const payment = decodeJson(new Headers(headers).get(PAYMENT_HEADERS.signature));
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        'MCP-Protocol-Version': MODERN_REVISION,
        'Mcp-Method': 'tools/call',
        'Mcp-Name': name,
      },
      body: JSON.stringify(callOf(name, argumentsOf(name, url.searchParams), payment)),
      ...(signal && { signal }),
      ...(redirect && { redirect }),
    });
    if (!response.ok) return response;
    return toRestResponse(name, messageOf(await readBounded(response, ANSWER_BYTES_MAX)), response.headers);
  };
}

const NONE = { status: 404 } as const;

function argumentsOf(name: string, query: URLSearchParams): Record<string, unknown> {
  const { q, ...given } = Object.fromEntries(query);
  // Request full detail, because the whole response is stored and shown in part later.
  return name === 'search' ? { ...given, query: q, detail: 'full' } : given;
}

function callOf(name: string, args: object, payment: unknown): object {
  const _meta = {
    [ENVELOPE.revision]: MODERN_REVISION,
    [ENVELOPE.client]: { name: 'web3-bi', version: '1' },
    [ENVELOPE.capabilities]: { extensions: { [PAYMENT_EXTENSION]: {} } },
    ...(payment !== undefined && { [PAYMENT_META.payment]: payment }),
  };
  return { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args, _meta } };
}

type Json = Readonly<Record<string, unknown>>;

/** The JSON-RPC message of a body: JSON, or the last event of a stream. */
function messageOf(body: string): Json {
  const events = body.split(/\r?\n/).filter((line) => line.startsWith('data:'));
  return asObject(decodeJson(events.at(-1)?.slice('data:'.length) ?? body));
}

function toRestResponse(name: string, message: Json, given: Headers): Response {
  const headers = new Headers({ 'Content-Type': 'application/json' });
  for (const each of ['date', 'retry-after']) if (given.has(each)) headers.set(each, given.get(each) ?? '');
  const respond = (status: number, body: unknown): Response => new Response(JSON.stringify(body), { status, headers });
  const result = asObject(message['result']);
  const receipt = asObject(result['_meta'])[PAYMENT_META.receipt];
  if (receipt !== undefined)
    headers.set(PAYMENT_HEADERS.response, Buffer.from(JSON.stringify(receipt)).toString('base64'));
  const content = asObject(result['structuredContent']);
  const text = String(asObject(Array.isArray(result['content']) ? result['content'][0] : undefined)['text'] ?? '');
  const required = [result['paymentRequired'], content, decodeJson(text)].map(asObject).find(isRequired);
  if (required !== undefined) return respond(402, required);
  if (result['isError'] === true || message['result'] === undefined) return respond(...failureOf(result, text));
  return respond(200, name === 'health' ? content : bodyOf(name, content));
}

const isRequired = (value: Json): boolean => 'x402Version' in value && 'accepts' in value;

/** Converts a tool error. Without a known code, it says nothing about whether the work was done. */
function failureOf(result: Json, text: string): [status: number, body: object] {
  const { code } = asObject(asObject(result['_meta'])[ERROR_META]);
  const isKnown = typeof code === 'string' && Object.hasOwn(ERRORS, code);
  // The rest of the text is advice, which the caller adds again.
  const error = text.split(` (${String(code)}) `)[0];
  return isKnown ? [ERRORS[code as ErrorCode].status, { error, code }] : [500, { error: 'The tool failed.' }];
}

/** The REST data of a result; a search groups its records by type. */
function bodyOf(name: string, { notice: _notice, receipt: _receipt, ...content }: Json): object {
  if (name !== 'search') return { data: content, meta: {} };
  const records = (Array.isArray(content['results']) ? content['results'] : []).map(asObject);
  const lists = SOLD_TYPES.map((type) => [type, records.filter((record) => record['type'] === type)]);
  return { data: Object.fromEntries(lists), meta: { total: content['totalResults'] } };
}
