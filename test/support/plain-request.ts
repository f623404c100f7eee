import { Agent, request } from 'node:http';
import type { Received } from './openapi.ts';

export interface Plain {
  readonly method: string;
  /** As it goes out: nothing of it is normalised, as a browser or fetch would do. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

const agent = new Agent({ keepAlive: true });

/** Sends a request as it is and gives what came. */
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
