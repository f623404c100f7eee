import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

const REQUEST_TIMEOUT_MS = 30_000;
const HEADERS_TIMEOUT_MS = 10_000;
/** How long requests under way may take to finish once the server is told to stop. */
const GRACE_MS = 8_000;

export interface Listening {
  readonly host: string;
  readonly port: number;
  /** Stops taking requests, lets those under way finish, and ends. */
  close(): Promise<void>;
}

/** Serves an app over HTTP. Port 0 takes a free one. Rejects when the port cannot be had. */
export async function listen(app: RequestListener, host: string, port: number): Promise<Listening> {
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS, headersTimeout: HEADERS_TIMEOUT_MS }, app);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  return {
    host,
    port: address.port,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      const timer = setTimeout(() => server.closeAllConnections(), GRACE_MS);
      await closed;
      clearTimeout(timer);
    },
  };
}
