import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

/** Response of a page: its body, or a handler. */
type Answer = string | Buffer | ((response: ServerResponse, headers: IncomingHttpHeaders) => void);

/** A mirror of sources on loopback: serves fixtures with an ETag, and 304 for unchanged ones. */
export interface Replay {
  readonly url: string;
  /** Pages by prefix of host, path and query; the longest matching prefix wins. */
  readonly pages: Map<string, Answer>;
  /** Received requests, without the fixed parts of queries. */
  readonly asked: string[];
  close(): Promise<void>;
}

export async function startReplay(): Promise<Replay> {
  const pages = new Map<string, Answer>();
  const asked: string[] = [];
  const server: Server = createServer(({ url = '', headers }, response) => {
    const path = decodeURIComponent(url.slice(1));
    asked.push(path);
    const found = [...pages]
      .filter(([start]) => path.startsWith(start))
      .sort(([one], [other]) => other.length - one.length);
    const answer = found[0]?.[1];
    if (answer === undefined) response.writeHead(404).end('not in the fixtures');
    else if (typeof answer === 'function') answer(response, headers);
    else sendConditionally(response, headers, answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    pages,
    asked,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Answers with the body, or 304 if the client has it. */
export function sendConditionally(response: ServerResponse, headers: IncomingHttpHeaders, body: string | Buffer): void {
  const etag = `"${Buffer.from(body).toString('base64').slice(-24)}${body.length}"`;
  if (headers['if-none-match'] === etag) response.writeHead(304).end();
  else response.writeHead(200, { ETag: etag, 'Last-Modified': 'Fri, 20 Nov 2026 08:00:00 GMT' }).end(body);
}

const BLOCK = 512;

/** An archive like those of Git hosts: gzipped ustar below one folder. */
export function archiveOf(files: Readonly<Record<string, string>>): Buffer {
  const parts = Object.entries(files).flatMap(([path, text]) => {
    const header = Buffer.alloc(BLOCK);
    const content = Buffer.from(text);
    header.write(`example-main/${path}`, 0, 100);
    header.write(`${content.length.toString(8).padStart(11, '0')} `, 124);
    header.write(
      `${Math.floor(Date.parse('2026-11-18') / 1_000)
        .toString(8)
        .padStart(11, '0')} `,
      136,
    );
    header.write('0ustar', 156);
    return [header, content, Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK)];
  });
  return gzipSync(Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]));
}
