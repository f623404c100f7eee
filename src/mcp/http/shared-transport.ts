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
export class SharedTransport extends PerRequestHTTPServerTransport {
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
