import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import type { Request, RequestHandler, Response } from 'express';
import { cached } from '../store/cached.ts';
import { matchesEtag } from './etag.ts';

/** Higher qualities take ten times as long. */
const BROTLI = { params: { [zlib.BROTLI_PARAM_QUALITY]: 9 } };
const COMPRESS = {
  br: (plain: Buffer) => promisify(brotliCompress)(plain, BROTLI),
  gzip: (plain: Buffer) => promisify(gzip)(plain),
};
/** In order of preference. */
const ENCODINGS = ['br', 'gzip'] as const;
type Encoding = (typeof ENCODINGS)[number];

/** Content that is constant for the life of the process. All responses share the same buffer, so slow clients hold no copies. */
export interface StaticDocument {
  readonly type: string;
  readonly caching: string;
  readonly plain: Buffer;
  readonly hash: string;
  /** The encoded bytes, compressed once on first use in the thread pool. */
  encoded(encoding: Encoding): Promise<Buffer>;
}

/** Caches must revalidate before use. */
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
    encoded: (encoding) => cached(made, encoding, () => COMPRESS[encoding](plain)),
  };
}

export const serveDocument =
  (document: StaticDocument): RequestHandler =>
  (request, response) =>
    sendDocument(document, request, response);

/** Sends a document in an accepted encoding, or 304. */
export async function sendDocument(document: StaticDocument, request: Request, response: Response): Promise<void> {
  const encoding = isText(document) ? ENCODINGS.find((one) => request.acceptsEncodings(one) !== false) : undefined;
  const suffix = encoding === undefined ? '' : `-${encoding}`;
  const etag = `"${document.hash}${suffix}"`;
  response.vary('Accept-Encoding').set('ETag', etag).set('Cache-Control', document.caching);
  if (matchesEtag(request.get('if-none-match'), etag)) return void response.status(304).end();
  const bytes = encoding === undefined ? document.plain : await document.encoded(encoding);
  // Express's own methods would compute another ETag.
  response.setHeader('Content-Type', document.type);
  response.setHeader('Content-Length', bytes.length);
  if (encoding !== undefined) response.setHeader('Content-Encoding', encoding);
  response.end(bytes);
}

/** Whether compression is worthwhile. */
const isText = ({ type }: StaticDocument): boolean => /^text\/|json/.test(type);
