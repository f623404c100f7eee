import {
  type JSONRPCMessage,
  type JSONRPCRequest,
  McpServer,
  ProtocolErrorCode,
  specTypeSchemas,
  type Transport,
} from '@modelcontextprotocol/server';
import { ENVELOPE } from '../contract/mcp.ts';

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

/** Reports invalid parameters as -32602 (Invalid params); the SDK's server reports them as -32603. */
export class CheckedServer extends McpServer {
  override async connect(transport: Transport): Promise<void> {
    await super.connect(transport);
    const send = transport.send.bind(transport);
    transport.send = (message, options) => send(withoutResult(message), options);
    const serve = transport.onmessage;
    transport.onmessage = (message: JSONRPCMessage, extra) => {
      const fault = 'method' in message && 'id' in message ? faultOf(message) : undefined;
      if (fault === undefined) serve?.(message, extra);
      else void transport.send(fault);
    };
  }
}

/** The SDK requires the fields of a tool result, which a request for payment does not have. */
function withoutResult(message: JSONRPCMessage): JSONRPCMessage {
  if (!('result' in message) || message.result['resultType'] !== 'payment_required') return message;
  const { content: _content, isError: _isError, ...result } = message.result;
  return { ...message, result };
}

function faultOf(request: JSONRPCRequest): JSONRPCMessage | undefined {
  const { id, method } = request;
  // A modern `initialize` names its revision in `_meta`; the SDK answers that the method does not exist.
  if (!isChecked(method) || (method === 'initialize' && ENVELOPE.revision in (request.params?._meta ?? {})))
    return undefined;
  const { issues } = specTypeSchemas[REQUEST_TYPES[method]]['~standard'].validate(request);
  const [issue] = issues ?? [];
  if (issue === undefined) return undefined;
  const path = (issue.path ?? []).map((step) => String(typeof step === 'object' ? step.key : step)).join('.');
  const message = `Invalid params for ${method}: ${path}: ${issue.message}`;
  return { jsonrpc: '2.0', id, error: { code: ProtocolErrorCode.InvalidParams, message } };
}

const isChecked = (method: string): method is keyof typeof REQUEST_TYPES => Object.hasOwn(REQUEST_TYPES, method);
