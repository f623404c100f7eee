import {
  isJSONRPCRequest,
  type JSONRPCMessage,
  type JSONRPCRequest,
  McpServer,
  ProtocolErrorCode,
  specTypeSchemas,
  type Transport,
} from '@modelcontextprotocol/server';
import { ENVELOPE } from '../contract/mcp.ts';

/** The type of each request that the specification gives parameters. */
const REQUEST_TYPES = {
  initialize: 'InitializeRequest',
  'tools/list': 'ListToolsRequest',
  'tools/call': 'CallToolRequest',
  'resources/list': 'ListResourcesRequest',
  'resources/templates/list': 'ListResourceTemplatesRequest',
  'resources/read': 'ReadResourceRequest',
  'prompts/list': 'ListPromptsRequest',
  'prompts/get': 'GetPromptRequest',
  'completion/complete': 'CompleteRequest',
} as const satisfies Record<string, keyof typeof specTypeSchemas>;

/** The SDK's server answers parameters of the wrong form as an error of its own (-32603); this one as the caller's (-32602). */
export class CheckedServer extends McpServer {
  override async connect(transport: Transport): Promise<void> {
    await super.connect(transport);
    const send = transport.send.bind(transport);
    transport.send = (message, options) => send(withoutResult(message), options);
    const serve = transport.onmessage;
    transport.onmessage = (message: JSONRPCMessage, extra) => {
      const fault = isJSONRPCRequest(message) ? faultOf(message) : undefined;
      if (fault === undefined) serve?.(message, extra);
      else void transport.send(fault);
    };
  }
}

/** A tool's result that asks for a payment is no result of the tool, whose parts the SDK wants all the same. */
function withoutResult(message: JSONRPCMessage): JSONRPCMessage {
  if (!('result' in message) || message.result['resultType'] !== 'payment_required') return message;
  const { content: _content, isError: _isError, ...result } = message.result;
  return { ...message, result };
}

/** The answer to a request whose parameters are not of the form that its method asks for. */
function faultOf(request: JSONRPCRequest): JSONRPCMessage | undefined {
  const { id, method } = request;
  // A request of the revision that has no initialize any more names that revision; the SDK answers that there is no such method.
  if (!isChecked(method) || (method === 'initialize' && ENVELOPE.revision in (request.params?._meta ?? {})))
    return undefined;
  const { issues } = specTypeSchemas[REQUEST_TYPES[method]]['~standard'].validate(request);
  const [issue] = issues ?? [];
  if (issue === undefined) return undefined;
  const place = (issue.path ?? []).map((step) => String(typeof step === 'object' ? step.key : step)).join('.');
  const message = `Invalid params for ${method}: ${place}: ${issue.message}`;
  return { jsonrpc: '2.0', id, error: { code: ProtocolErrorCode.InvalidParams, message } };
}

const isChecked = (method: string): method is keyof typeof REQUEST_TYPES => Object.hasOwn(REQUEST_TYPES, method);
