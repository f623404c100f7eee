import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import type { Request, RequestHandler, Response } from 'express';

/** The best that brotli does without taking ten times as long. */
const BROTLI = { params: { [zlib.BROTLI_PARAM_QUALITY]: 9 } };
const COMPRESS = {
  br: (plain: Buffer) => promisify(brotliCompress)(plain, BROTLI),
  gzip: (plain: Buffer) => promisify(gzip)(plain),
};
/** The first that a client takes is sent. */
const ENCODINGS = ['br', 'gzip'] as const;
type Encoding = (typeof ENCODINGS)[number];

/**
 * What is the same for everybody for as long as the process runs. All answers send the same bytes, so a client that reads
 * slowly holds no copy of them.
 */
export interface StaticDocument {
  readonly type: string;
  /** How long it may be kept, as Cache-Control. */
  readonly caching: string;
  readonly plain: Buffer;
  /** Names its content. */
  readonly hash: string;
  /** Its bytes, compressed when they are first asked for, once and outside of the event loop. */
  encoded(encoding: Encoding): Promise<Buffer>;
}

/** May be kept, and must be asked about before it is used. */
const REVALIDATED = 'no-cache';

export function createStaticDocument(
  content: string | Buffer,
  type: string,
  caching: string = REVALIDATED,
): StaticDocument {
  const plain = typeof content === 'string' ? Buffer.from(content) : content;
  const made = new Map<Encoding, Promise<Buffer>>();
  return {
    type,
    caching,
    plain,
    hash: createHash('sha256').update(plain).digest('base64url'),
    encoded: (encoding) => {
      const known = made.get(encoding) ?? COMPRESS[encoding](plain);
      made.set(encoding, known);
      return known;
    },
  };
}

export const serveDocument =
  (document: StaticDocument): RequestHandler =>
  (request, response) =>
    sendDocument(document, request, response);

/** Sends a document as the client takes it, or 304 when the client has it. */
export async function sendDocument(document: StaticDocument, request: Request, response: Response): Promise<void> {
  const encoding = isText(document) ? ENCODINGS.find((one) => request.acceptsEncodings(one) !== false) : undefined;
  const suffix = encoding === undefined ? '' : `-${encoding}`;
  const etag = `"${document.hash}${suffix}"`;
  response.vary('Accept-Encoding').set('ETag', etag).set('Cache-Control', document.caching);
  if (matchesEtag(request.get('if-none-match'), etag)) return void response.status(304).end();
  const bytes = encoding === undefined ? document.plain : await document.encoded(encoding);
  // Not by Express's own ways, which would make an ETag of their own.
  response.setHeader('Content-Type', document.type);
  response.setHeader('Content-Length', bytes.length);
  if (encoding !== undefined) response.setHeader('Content-Encoding', encoding);
  response.end(bytes);
}

/** Whether compressing it makes it smaller. */
const isText = ({ type }: StaticDocument): boolean => /^text\/|json/.test(type);

/** Whether If-None-Match names a version; here a weak tag counts as well (RFC 9110, 13.1.2). */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
}
