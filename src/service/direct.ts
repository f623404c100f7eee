import { IncomingMessage, type RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { joinVisit, type Visit } from './middleware/visit.ts';

type Fetch = typeof globalThis.fetch;

/** Who asks, as far as the service is concerned. */
export interface Caller {
  readonly authorization: string | undefined;
  readonly address: string | undefined;
  readonly requestId: string;
  readonly visit: Visit;
}

/**
 * A fetch that reaches an app in this process without a socket, whatever host the address names. All that is asked
 * in one visit counts as one request. It reads only; nobody needs more.
 */
export function createDirectFetch(app: RequestListener, caller: Caller): Fetch {
  return (input, init) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input);
    return answerOf(app, { ...caller, url: pathname + search, signal: init?.signal });
  };
}

interface Asking extends Caller {
  readonly url: string;
  readonly signal: AbortSignal | null | undefined;
}

function answerOf(app: RequestListener, asking: Asking): Promise<Response> {
  const { signal } = asking;
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const written: Buffer[] = [];
    const connection = connectionOf(asking.address, written);
    const request = requestOf(connection, asking);
    const response = new ServerResponse(request);
    const abort = (): void => {
      connection.destroy();
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', abort, { once: true });
    response.assignSocket(connection);
    response.once('finish', () => {
      signal?.removeEventListener('abort', abort);
      resolve(parse(Buffer.concat(written), response));
      // Tells the app that the answer is out, as a connection that ends does.
      connection.destroy();
    });
    joinVisit(request, asking.visit);
    app(request, response);
  });
}

/** What Node's HTTP classes need of a connection: somewhere to write, and the address of the other side. */
function connectionOf(address: string | undefined, written: Buffer[]): Socket {
  const connection = new Duplex({
    read() {},
    write(chunk: Buffer, _encoding, done) {
      written.push(chunk);
      done();
    },
  });
  return Object.assign(connection, { remoteAddress: address }) as unknown as Socket;
}

function requestOf(connection: Socket, { url, authorization, requestId }: Asking): IncomingMessage {
  const request = new IncomingMessage(connection);
  const show = authorization === undefined ? {} : { authorization };
  const headers = { host: 'direct.invalid', accept: 'application/json', 'x-request-id': requestId, ...show };
  Object.assign(request, { method: 'GET', url, httpVersion: '1.1', httpVersionMajor: 1, httpVersionMinor: 1, headers });
  request.complete = true;
  request.push(null);
  return request;
}

function parse(bytes: Buffer, { statusCode }: ServerResponse): Response {
  const end = bytes.indexOf('\r\n\r\n');
  const [, ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const headers = new Headers(
    lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]),
  );
  const text = bytes.toString('utf8', end + 4);
  // The answer is at hand whole; reading it out of a stream again takes longer than parsing it.
  const atHand = { text: async () => text, json: async () => JSON.parse(text) };
  return Object.assign(new Response(null, { status: statusCode, headers }), atHand);
}
