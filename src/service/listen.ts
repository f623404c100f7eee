import { createServer, IncomingMessage, type RequestListener, type Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Express } from 'express';
import type { ServiceDeps } from './deps.ts';
import { readTarget } from './middleware/request-line.ts';
import { answerUnreadable, type Unreadable } from './unreadable.ts';

/** What one client may take of the server. */
interface Limits {
  /** Until the headers are here, and until the whole request is. */
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  /** Until an answer that is written whole has been fetched. */
  readonly fetchTimeoutMs: number;
  /** How long an idle connection is kept; longer than balancers keep theirs, or they use one that we are closing. */
  readonly keepAliveTimeoutMs: number;
  /** How often the time-outs of requests are looked at. */
  readonly checkEveryMs: number;
  readonly connectionsMax: number;
  /** How long requests under way may take to finish once the server closes. */
  readonly graceMs: number;
}

const LIMITS: Limits = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 20_000,
  fetchTimeoutMs: 30_000,
  keepAliveTimeoutMs: 65_000,
  checkEveryMs: 2_000,
  connectionsMax: 5_000,
  graceMs: 8_000,
};
const HEADER_BYTES_MAX = 16 * 1024;
/** Requests that wait behind another one of their connection: of one, which is then not read, and of all together. */
const PIPELINED_MAX = 1_000;
const PIPELINED_TOTAL_MAX = 20_000;

export interface ListenOptions extends Pick<ServiceDeps, 'log' | 'clock'> {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly limits?: Partial<Limits>;
}

export interface Listening {
  /** Where it listens, with the real port. */
  readonly url: string;
  /**
   * Says that it is not ready any more, and waits as long as is given for balancers to notice; then takes no more
   * requests, lets those under way finish, and ends.
   */
  close(noticeMs?: number): Promise<void>;
}

/** Makes the app of a server, once its address is known. */
export type CreateListener = (url: string, isStopping: () => boolean) => RequestListener;

/** Serves an app over HTTP. Rejects when the port cannot be had. */
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
    answerUnreadable({ ...options, error, socket, response: traffic.responseOn(socket) });
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
    // Node's own answer to a missing Host has no body; ours is JSON like everything else.
    requireHostHeader: false,
  });
  server.maxConnections = limits.connectionsMax;
  // No `maxRequestsPerSocket`: beyond it Node answers 503 to requests that a client has sent already.
  // Node's own answer to an expectation that it does not know has no body. Such a one may be passed over (RFC 9110, 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  return server;
}

/** What is open on a server. */
interface Traffic {
  readonly isStopping: boolean;
  /**
   * Serves requests of one connection one after the other, as their answers leave. So a client that pipelines holds one
   * answer and one place at a time, however many requests it has sent.
   */
  serve(listener: RequestListener): RequestListener;
  /** From now on, each answer is the last of its connection. */
  stop(): void;
  responseOn(socket: Socket): ServerResponse | undefined;
  /** Ends connections on which nothing has ever come. */
  endUnused(): void;
}

function watchTraffic(server: Server, { fetchTimeoutMs }: Limits): Traffic {
  // Not a set of all responses: what comes and goes in one lets V8 keep whatever was in it until a major collection.
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
    serve: (listener) => (request, response) => {
      const { socket } = request;
      readTarget(request);
      const responses = responsesOf.get(socket);
      // Its connection was closed while it was read.
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
        // After all others have been told that the one before has ended.
        process.nextTick(() => socket.destroyed || listener(next.req, next));
      });
      if (responses.length === 1) return listener(request, response);
      waiting += 1;
      if (responses.length > PIPELINED_MAX) socket.pause();
      if (waiting > PIPELINED_TOTAL_MAX) socket.destroy();
    },
    get isStopping() {
      return isStopping;
    },
    stop: () => {
      isStopping = true;
      for (const response of [...responsesOf.values()].flat())
        if (!response.headersSent) response.setHeader('Connection', 'close');
    },
    responseOn: (socket) => responsesOf.get(socket)?.find((response) => response.socket === socket),
    endUnused: () => {
      for (const socket of responsesOf.keys()) if (socket.bytesRead === 0) socket.destroy();
    },
  };
}

/** A client that reads its answer too slowly loses it; one whose answer the system has taken already needs no timer. */
function boundFetching(response: ServerResponse, timeoutMs: number): void {
  const { socket } = response;
  if (socket === null || socket.writableLength === 0) return;
  const timer = setTimeout(() => socket.destroy(), timeoutMs);
  response.once('close', () => clearTimeout(timer));
}

async function closeServer(server: Server, traffic: Traffic, { graceMs }: Limits): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  // Node counts a connection that has never sent anything as busy; browsers open such ones in advance.
  traffic.endUnused();
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(timer);
}

/** The classes of a server's requests and responses. */
interface Messages {
  readonly IncomingMessage: typeof IncomingMessage;
  readonly ServerResponse: typeof ServerResponse;
  /** Has an Express app take them as they are. */
  adoptBy(listener: RequestListener): void;
}

/**
 * Express gives each request and response another prototype, after which V8 has to look up every property of it anew:
 * that was half of what a whole request cost. Ours have the prototype that Express would give them from the start.
 */
function createMessages(): Messages {
  class Request extends IncomingMessage {}
  class Response extends ServerResponse {}
  return {
    IncomingMessage: Request,
    ServerResponse: Response as typeof ServerResponse,
    adoptBy: (listener) => {
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
