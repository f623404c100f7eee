import {
  createServer,
  IncomingMessage,
  type RequestListener,
  type Server,
  ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Express } from 'express';
import { ERRORS, SENT, ServiceError } from '../contract/errors.ts';
import { metaOf } from './call.ts';
import type { ServiceDeps } from './deps.ts';
import { errorJson } from './middleware/error-handler.ts';
import { newRequestId } from './middleware/request-id.ts';
import { addressTooLong, isLongAddress, readForwarded, readTarget } from './middleware/request-line.ts';

/** Limits per client connection, in milliseconds. */
const LIMITS = {
  /** Until the headers have arrived, and until the whole request has. */
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 20_000,
  /** Until a fully written response has been read. */
  fetchTimeoutMs: 30_000,
  /** Keep-alive of idle connections. Longer than that of load balancers, which would otherwise reuse a closing connection. */
  keepAliveTimeoutMs: 65_000,
  checkEveryMs: 2_000,
  connectionsMax: 5_000,
  /** Grace period of requests in progress at shutdown. */
  graceMs: 8_000,
};
type Limits = Readonly<typeof LIMITS>;

const HEADER_BYTES_MAX = 16 * 1024;
/** Bounds of pipelined requests waiting: per connection, which then stops being read, and in total. */
const PIPELINED_MAX = 1_000;
const PIPELINED_TOTAL_MAX = 20_000;

export interface ListenOptions extends Pick<ServiceDeps, 'log' | 'clock'> {
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  readonly limits?: Partial<Limits>;
}

export interface Listening {
  /** URL with the actual port. */
  readonly url: string;
  /** Reports not ready, waits `noticeMs` for load balancers, accepts nothing more, and resolves when all have ended. */
  close(noticeMs?: number): Promise<void>;
}

/** Creates the app once the URL is known. */
export type CreateListener = (url: string, isStopping: () => boolean) => RequestListener;

/** Serves an app over HTTP. Rejects if the port is unavailable. */
export async function listen(options: ListenOptions, createListener: CreateListener): Promise<Listening> {
  const { host, port } = options;
  const limits = { ...LIMITS, ...options.limits };
  const messages = createMessages();
  const server = createLimitedServer(limits, messages);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
  const traffic = watchTraffic(server, limits);
  const listener = createListener(url, () => traffic.isStopping);
  messages.adoptBy(listener);
  server.on('request', traffic.serve(listener));
  server.on('clientError', (error: Unreadable, socket: Socket) => {
    rejectUnreadable({ ...options, error, socket, response: traffic.responseOn(socket) });
  });
  return {
    url,
    close: async (noticeMs = 0) => {
      traffic.stop();
      if (noticeMs > 0) await pause(noticeMs);
      await closeServer(server, traffic, limits);
    },
  };
}

function createLimitedServer(limits: Limits, { IncomingMessage, ServerResponse }: Messages): Server {
  const server = createServer({
    IncomingMessage,
    ServerResponse,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: limits.checkEveryMs,
    maxHeaderSize: HEADER_BYTES_MAX,
    // Node's 400 for a missing Host has no body; ours is JSON.
    requireHostHeader: false,
  });
  server.maxConnections = limits.connectionsMax;
  // No `maxRequestsPerSocket`: beyond it, Node answers 503 to requests already sent. Unknown Expect headers are ignored
  // (RFC 9110, 10.1.1); Node's 417 would have no body.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  return server;
}

type Traffic = ReturnType<typeof watchTraffic>;

function watchTraffic(server: Server, { fetchTimeoutMs }: Limits) {
  // Not a Set of responses: V8 would keep removed entries alive until a major collection.
  const responsesOf = new Map<Socket, ServerResponse[]>();
  let isStopping = false;
  let waiting = 0;
  server.on('connection', (socket: Socket) => {
    const responses: ServerResponse[] = [];
    responsesOf.set(socket, responses);
    socket.once('close', () => {
      responsesOf.delete(socket);
      waiting -= Math.max(0, responses.length - 1);
      responses.length = 0;
    });
  });
  return {
    /**
     * Serves pipelined requests of a connection one at a time, as their responses are sent, so that a client occupies one
     * slot however many requests it pipelines.
     */
    serve:
      (listener: RequestListener): RequestListener =>
      (request, response) => {
        const { socket } = request;
        readTarget(request);
        readForwarded(request);
        const responses = responsesOf.get(socket);
        // The connection closed while the request was being read.
        if (responses === undefined || socket.destroyed) return;
        responses.push(response);
        if (isStopping) response.setHeader('Connection', 'close');
        response.once('prefinish', () => boundFetching(response, fetchTimeoutMs));
        response.once('close', () => {
          responses.shift();
          const [next] = responses;
          if (next === undefined) return;
          waiting -= 1;
          if (responses.length === PIPELINED_MAX) socket.resume();
          // After all other `finish` listeners of the previous response.
          process.nextTick(() => socket.destroyed || listener(next.req, next));
        });
        if (responses.length === 1) return listener(request, response);
        waiting += 1;
        if (responses.length > PIPELINED_MAX) socket.pause();
        if (waiting > PIPELINED_TOTAL_MAX) socket.destroy();
      },
    get isStopping(): boolean {
      return isStopping;
    },
    /** Closes each connection after its next response. */
    stop: (): void => {
      isStopping = true;
      for (const response of [...responsesOf.values()].flat())
        if (!response.headersSent) response.setHeader('Connection', 'close');
    },
    responseOn: (socket: Socket): ServerResponse | undefined =>
      responsesOf.get(socket)?.find((response) => response.socket === socket),
    endUnused: (): void => {
      for (const socket of responsesOf.keys()) if (socket.bytesRead === 0) socket.destroy();
    },
  };
}

/** Closes connections that do not read their response in time. A response already in the kernel's buffer needs no timer. */
function boundFetching(response: ServerResponse, timeoutMs: number): void {
  const { socket } = response;
  if (socket === null || socket.writableLength === 0) return;
  const timer = setTimeout(() => socket.destroy(), timeoutMs);
  response.once('close', () => clearTimeout(timer));
}

async function closeServer(server: Server, traffic: Traffic, { graceMs }: Limits): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  // Node counts connections that never sent anything as busy; browsers open them speculatively.
  traffic.endUnused();
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(timer);
}

type Messages = ReturnType<typeof createMessages>;

/**
 * Express replaces the prototype of every request and response, after which V8 loses its inline caches; that was half
 * of the cost of a request. These classes have Express's prototypes from the start.
 */
function createMessages() {
  class Request extends IncomingMessage {}
  class Response extends ServerResponse {}
  return {
    IncomingMessage: Request,
    ServerResponse: Response as typeof ServerResponse,
    /** Makes an Express app accept them unchanged. */
    adoptBy: (listener: RequestListener): void => {
      if (!isExpress(listener)) return;
      Object.setPrototypeOf(Request.prototype, listener.request);
      Object.setPrototypeOf(Response.prototype, listener.response);
      listener.request = Request.prototype as Express['request'];
      listener.response = Response.prototype as Express['response'];
    },
  };
}

const isExpress = (listener: RequestListener): listener is RequestListener & Express =>
  'request' in listener && 'response' in listener;

/** Node's error for bytes that it could not parse as HTTP. */
interface Unreadable extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
}

interface Refusal extends Pick<ServiceDeps, 'log' | 'clock'> {
  readonly error: Unreadable;
  readonly socket: Socket;
  readonly response: ServerResponse | undefined;
}

/** Answers bytes that are not HTTP with a JSON error, and closes the connection. */
function rejectUnreadable({ error, socket, response, log, clock }: Refusal): void {
  // A response in progress cannot be revoked, and a second one would be parsed as part of it.
  if (!socket.writable || response?.headersSent === true) return void socket.destroy();
  const refusal = refusalOf(error);
  const { status } = ERRORS[refusal.code];
  const requestId = newRequestId();
  log.info({ requestId, status, code: refusal.code }, 'request refused unread');
  const body = errorJson(refusal, metaOf(requestId, clock()));
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'X-Content-Type-Options: nosniff',
    'Cache-Control: no-store',
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}

function refusalOf({ code, rawPacket }: Unreadable): ServiceError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new ServiceError('request_timeout', SENT.request_timeout);
  if (code !== 'HPE_HEADER_OVERFLOW') return new ServiceError('malformed_request', 'The request could not be read.');
  // Only the last packet is available: a URL that spans several counts as headers.
  const [line = ''] = rawPacket?.toString('latin1').split('\r\n', 1) ?? [];
  const address = /^[A-Z]+ (\S*)/.exec(line)?.[1] ?? '';
  if (isLongAddress(address)) return addressTooLong();
  return new ServiceError('headers_too_large', SENT.headers_too_large);
}
