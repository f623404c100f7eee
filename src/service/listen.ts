import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

const REQUEST_TIMEOUT_MS = 30_000;
const HEADERS_TIMEOUT_MS = 10_000;
/** How long requests under way may take to finish once the server is told to stop. */
const GRACE_MS = 8_000;

export interface Listening {
  /** Where it listens, with the real port. */
  readonly url: string;
  /** Stops taking requests, lets those under way finish, and ends. */
  close(): Promise<void>;
}

/**
 * Serves over HTTP the app that is made for the address it listens on. Port 0 takes a free one.
 * Rejects when the port cannot be had.
 */
export async function listen(
  host: string,
  port: number,
  createListener: (url: string) => RequestListener,
): Promise<Listening> {
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS, headersTimeout: HEADERS_TIMEOUT_MS });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
  server.on('request', createListener(url));
  server.on('clientError', refuseUnreadable);
  return {
    url,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      const timer = setTimeout(() => server.closeAllConnections(), GRACE_MS);
      await closed;
      clearTimeout(timer);
    },
  };
}

/** Answers what Node could not read as HTTP, such as an address that is too long, as JSON like everything else. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable) return void socket.destroy();
  const isLong = error.code === 'HPE_HEADER_OVERFLOW';
  const message = isLong
    ? 'The address and headers are too long; shorten the query.'
    : 'The request could not be read.';
  const body = JSON.stringify({ success: false, error: message, code: 'malformed_request' });
  const status = isLong ? '431 Request Header Fields Too Large' : '400 Bad Request';
  const headers = `Content-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close`;
  socket.end(`HTTP/1.1 ${status}\r\n${headers}\r\n\r\n${body}`);
}
