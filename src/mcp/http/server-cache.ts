import {
  type AuthInfo,
  classifyInboundRequest,
  type InboundLegacyRoute,
  type JSONRPCRequest,
  type McpServer,
  type ProtocolEra,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';
import type { Request, Response } from 'express';
import { MODERN_REVISION } from '../../contract/mcp.ts';
import { SharedTransport } from './shared-transport.ts';

/** A message received over HTTP, and its response. */
interface Exchange {
  readonly message: unknown;
  readonly request: Request;
  readonly response: Response;
  readonly authInfo: AuthInfo;
}

/** Long-lived servers, one per kind of access and protocol era. */
export interface ServerCache {
  /**
   * Serves a well-formed request of a plain method and returns true; returns false for anything else, which the SDK's
   * handler serves.
   */
  serve(exchange: Exchange): Promise<boolean>;
  close(): Promise<void>;
}

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
): ServerCache {
  const cachedServers = new Map<string, Promise<CachedServer>>();
  const cachedServerOf = (kind: Kind, era: ProtocolEra): Promise<CachedServer> => {
    const known = cachedServers.get(kind + era) ?? createCachedServer(create(kind), era);
    cachedServers.set(kind + era, known);
    return known;
  };
  return {
    serve: async ({ message, request, response, authInfo }) => {
      const era = eraOf(message, request);
      if (era === undefined) return false;
      const { server, transport, hasHeaders } = await cachedServerOf(kindOf(authInfo), era);
      const rpcRequest = message as JSONRPCRequest;
      if (rpcRequest.method === 'tools/call' && hasHeaders(server, rpcRequest.params?.['name'])) return false;
      transport.deliver(rpcRequest, authInfo, response);
      return true;
    },
    close: async () => {
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

function isPlainLegacy(
  { reason }: InboundLegacyRoute,
  { accept = '', 'mcp-protocol-version': version }: Headers,
): boolean {
  if (!accept.includes('application/json') || !accept.includes('text/event-stream')) return false;
  return reason === 'no-claim' && (version === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(version));
}
