import { Agent, request } from 'node:http';
import type { Received } from './openapi.ts';

export interface Plain {
  readonly method: string;
  /** Sent unchanged; browsers and fetch would normalize it. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

const agent = new Agent({ keepAlive: true });

/** Sends a request unchanged and returns the response. */
export function sendPlain(url: string, { method, path, headers, body }: Plain): Promise<Received> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
    const sent = request({ agent, hostname, port, method, path, headers: { ...headers, ...length } }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.once('error', reject);
      response.once('end', () => {
        const text = Buffer.concat(pieces).toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers as Record<string, string>, text });
      });
    });
    sent.once('error', reject);
    sent.end(body);
  });
}
