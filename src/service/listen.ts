import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

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
