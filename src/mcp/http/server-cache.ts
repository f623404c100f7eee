import {
  type AuthInfo,
  classifyInboundRequest,
  type InboundLegacyRoute,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type McpServer,
  type MessageClassification,
  PerRequestHTTPServerTransport,
  type ProtocolEra,
  ProtocolErrorCode,
  type RequestId,
  SUPPORTED_PROTOCOL_VERSIONS,
  type TransportSendOptions,
} from '@modelcontextprotocol/server';
import type { Request, Response } from 'express';
import { CHALLENGE_META, ERROR_META, MODERN_REVISION } from '../../contract/mcp.ts';
import { challenge } from './protocol-errors.ts';

interface Exchange {
  readonly message: unknown;
  readonly request: Request;
  readonly response: Response;
  readonly authInfo: AuthInfo;
}

/** Long-lived servers, one per kind of access and protocol era. */
export type ServerCache = ReturnType<typeof createServerCache>;

/** Methods without lifecycle effects, each with the parameter repeated in the Mcp-Name header. */
const PLAIN_METHODS: Readonly<Record<string, string | undefined>> = {
  'tools/call': 'name',
  'tools/list': undefined,
  'prompts/get': 'name',
  'prompts/list': undefined,
  'resources/list': undefined,
  'resources/read': 'uri',
  'resources/templates/list': undefined,
  'completion/complete': undefined,
};

/** `create` makes the server of a kind of access; `kindOf` gives the kind of a caller. */
export function createServerCache<Kind extends string>(
  create: (kind: Kind) => McpServer,
  kindOf: (authInfo: AuthInfo) => Kind,
) {
  const cachedServers = new Map<string, Promise<CachedServer>>();
  const cachedServerOf = (kind: Kind, era: ProtocolEra): Promise<CachedServer> => {
    const known = cachedServers.get(kind + era) ?? createCachedServer(create(kind), era);
    cachedServers.set(kind + era, known);
    return known;
  };
  return {
    /** Serves a well-formed request of a plain method; false for anything else, which the SDK's handler serves. */
    serve: async ({ message, request, response, authInfo }: Exchange): Promise<boolean> => {
      const era = eraOf(message, request);
      if (era === undefined) return false;
      const { server, transport, hasHeaders } = await cachedServerOf(kindOf(authInfo), era);
      const rpcRequest = message as JSONRPCRequest;
      if (rpcRequest.method === 'tools/call' && hasHeaders(server, rpcRequest.params?.['name'])) return false;
      transport.deliver(rpcRequest, authInfo, response);
      return true;
    },
    close: async (): Promise<void> => {
      for (const each of cachedServers.values()) await (await each).server.close();
    },
  };
}

interface CachedServer {
  readonly server: McpServer;
  readonly transport: SharedTransport;
  readonly hasHeaders: (server: McpServer, tool: unknown) => boolean;
}

async function createCachedServer(server: McpServer, era: ProtocolEra): Promise<CachedServer> {
  const transport = new SharedTransport(era);
  await server.connect(transport);
  return { server, transport, hasHeaders: headerParameters() };
}

/** Whether tool arguments are repeated in headers, which the SDK compares. Cached per tool. */
function headerParameters(): CachedServer['hasHeaders'] {
  const known = new Map<string, boolean>();
  return (server, tool) => {
    const name = String(tool);
    const schema = known.has(name) ? undefined : server.toolInputSchemaJson(name);
    if (schema !== undefined) known.set(name, JSON.stringify(schema).includes('"x-mcp-header"'));
    return known.get(name) ?? false;
  };
}

/** The era of a request that a kept server can serve; undefined otherwise. */
function eraOf(message: unknown, { headers }: Request): ProtocolEra | undefined {
  const { method, params } = (message ?? {}) as { method?: unknown; params?: Readonly<Record<string, unknown>> };
  if (typeof method !== 'string' || !Object.hasOwn(PLAIN_METHODS, method)) return undefined;
  const { 'mcp-protocol-version': version, 'mcp-method': named, 'mcp-name': name } = headers as Headers;
  const route = classifyInboundRequest({
    httpMethod: 'POST',
    ...(version !== undefined && { protocolVersionHeader: version }),
    ...(named !== undefined && { mcpMethodHeader: named }),
    ...(name !== undefined && { mcpNameHeader: name }),
    body: message,
  });
  if (route.kind === 'legacy') return isPlainLegacy(route, headers as Headers) ? 'legacy' : undefined;
  if (route.kind !== 'modern' || route.classification.revision !== MODERN_REVISION) return undefined;
  const repeated = PLAIN_METHODS[method];
  const isNamed = repeated === undefined ? true : name !== undefined && name === params?.[repeated];
  return version === MODERN_REVISION && named === method && isNamed ? 'modern' : undefined;
}

type Headers = Readonly<Record<string, string | undefined>>;

function isPlainLegacy(route: InboundLegacyRoute, { accept = '', 'mcp-protocol-version': version }: Headers): boolean {
  const { reason } = route;
  if (!accept.includes('application/json') || !accept.includes('text/event-stream')) return false;
  return reason === 'no-claim' && (version === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(version));
}

/** A pending request, with the id that its client chose. */
interface PendingRequest {
  readonly id: RequestId;
  readonly response: Response;
}

/**
 * A transport that one server shares among all requests of an era, from any number of concurrent clients; pending
 * requests get unique ids. Responses are JSON; a request whose handler sends notifications first becomes an event
 * stream. Extends the per-request transport because the SDK derives the protocol revision from that class.
 */
class SharedTransport extends PerRequestHTTPServerTransport {
  readonly #classification: MessageClassification | undefined;
  readonly #open = new Map<RequestId, PendingRequest>();
  #lastId = 0;

  constructor(era: ProtocolEra) {
    const classification = era === 'modern' ? { era, revision: MODERN_REVISION } : { era };
    super({ classification });
    // Legacy requests reach the server without a classification.
    this.#classification = era === 'modern' ? classification : undefined;
  }

  /** Passes a request to the server, which writes to `response`. A disconnect cancels the request. */
  deliver(request: JSONRPCRequest, authInfo: AuthInfo, response: Response): void {
    this.#lastId += 1;
    const id = this.#lastId;
    this.#open.set(id, { id: request.id, response });
    response.once('close', () => this.#open.delete(id) && this.#receive(cancelled(id)));
    this.#receive({ ...request, id }, authInfo);
  }

  #receive(message: JSONRPCMessage, authInfo?: AuthInfo): void {
    const classification = this.#classification;
    this.onmessage?.(message, { ...(classification && { classification }), ...(authInfo && { authInfo }) });
  }

  override async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    const isRequest = 'method' in message;
    const id = isRequest ? options?.relatedRequestId : message.id;
    const open = id === undefined ? undefined : this.#open.get(id);
    // The request is finished, or the notification belongs to none.
    if (id === undefined || open === undefined) return;
    if (isRequest) return writeEvent(open.response, message);
    this.#open.delete(id);
    respond(open.response, { ...message, id: open.id });
  }
}

const cancelled = (requestId: RequestId): JSONRPCMessage => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId },
});

function respond(response: Response, message: JSONRPCMessage): void {
  if (response.headersSent) {
    writeEvent(response, message);
    return void response.end();
  }
  const isLacking = 'error' in message && message.error.code === ProtocolErrorCode.MissingRequiredClientCapability;
  const challenged = challenge(response, refusalOf(message));
  response.statusCode = challenged?.status ?? (isLacking ? 400 : 200);
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Content-Type', 'application/json');
  const text = JSON.stringify(challenged === undefined ? message : withChallenge(message, challenged.header));
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}

/** Copies the challenge into the result, because some hosts do not read the status. */
function withChallenge(message: JSONRPCMessage, header: string): JSONRPCMessage {
  if (!('result' in message)) return message;
  const { result } = message;
  return { ...message, result: { ...result, _meta: { ...result._meta, [CHALLENGE_META]: [header] } } };
}

/** The refusal of a call: in `_meta` of a tool result, otherwise in the error's data. Payable refusals are excluded. */
function refusalOf(message: JSONRPCMessage): unknown {
  if ('error' in message) return message.error.data;
  const isRefused = 'result' in message && message.result['structuredContent'] === undefined;
  return isRefused ? message.result._meta?.[ERROR_META] : undefined;
}

function writeEvent(response: Response, message: JSONRPCMessage): void {
  if (!response.headersSent) {
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('Content-Type', 'text/event-stream');
    response.setHeader('X-Accel-Buffering', 'no');
  }
  response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
}
