import {
  type AuthInfo,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type MessageClassification,
  PerRequestHTTPServerTransport,
  type ProtocolEra,
  ProtocolErrorCode,
  type RequestId,
  type TransportSendOptions,
} from '@modelcontextprotocol/server';
import type { Response } from 'express';
import { CHALLENGE_META, ERROR_META, MODERN_REVISION } from '../../contract/mcp.ts';
import { challenge } from './challenge.ts';

/** A request under way, under the id that its client gave it. */
interface Open {
  readonly id: RequestId;
  readonly response: Response;
}

/**
 * A transport that one server keeps for all requests of an era, from any number of clients at once: each has an id of
 * ours while it is under way. Answers are JSON; a request whose handler notifies before it answers becomes an event
 * stream. The SDK binds a server to the revision of this class's base when it connects, so that is what it extends.
 */
export class SharedTransport extends PerRequestHTTPServerTransport {
  readonly #classification: MessageClassification | undefined;
  readonly #open = new Map<RequestId, Open>();
  #lastId = 0;

  constructor(era: ProtocolEra) {
    const classification = era === 'modern' ? { era, revision: MODERN_REVISION } : { era };
    super({ classification });
    // Requests of the legacy era come to the server as from any transport of that era, without one.
    this.#classification = era === 'modern' ? classification : undefined;
  }

  /** Hands a request to the server; its answer goes to the response. A client that goes away cancels it. */
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
    // Nobody waits any more, or what is told is about no request.
    if (id === undefined || open === undefined) return;
    if (isRequest) return writeEvent(open.response, message);
    this.#open.delete(id);
    answer(open.response, { ...message, id: open.id });
  }
}

const cancelled = (requestId: RequestId): JSONRPCMessage => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId },
});

function answer(response: Response, message: JSONRPCMessage): void {
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

/** Some hosts ask their person to sign in at what a tool's result says, and not at the status. */
function withChallenge(message: JSONRPCMessage, header: string): JSONRPCMessage {
  if (!('result' in message)) return message;
  const { result } = message;
  return { ...message, result: { ...result, _meta: { ...result._meta, [CHALLENGE_META]: [header] } } };
}

/** Why a call was refused: a tool says it in `_meta`, everything else in the data of the error. What can be paid is not. */
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
