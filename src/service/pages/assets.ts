import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Express, RequestHandler } from 'express';
import { ServiceError } from '../../contract/errors.ts';
import { refuseMethod } from '../middleware/methods.ts';

const TYPES: Readonly<Record<string, string>> = {
  'pages.css': 'text/css',
  'pages.js': 'text/javascript',
  'htmx.js': 'text/javascript',
  'uplot.js': 'text/javascript',
  'uplot.css': 'text/css',
  'inter.woff2': 'font/woff2',
};
const LIFE_SECONDS = 365 * 24 * 3_600;
const HASH_LENGTH = 12;

interface Asset {
  readonly type: string;
  readonly plain: Buffer;
  /** None of a file that is compressed in itself. */
  readonly gzip?: Buffer;
  readonly brotli?: Buffer;
}

/** The files of the pages: few and small, so they are kept in memory, compressed once. */
export interface Assets {
  /** Address of a file, which changes with its content. */
  href(name: string): string;
  readonly files: ReadonlyMap<string, Asset>;
}

export function loadAssets(folder: string, base: string): Assets {
  const files = new Map<string, Asset>();
  const addresses = new Map<string, string>();
  for (const [name, type] of Object.entries(TYPES)) {
    const plain = readFileSync(join(folder, name));
    const isText = type.startsWith('text/');
    files.set(
      name,
      isText ? { type, plain, gzip: gzipSync(plain), brotli: brotliCompressSync(plain) } : { type, plain },
    );
    const hash = createHash('sha256').update(plain).digest('base64url').slice(0, HASH_LENGTH);
    // The style sheet names the typeface, and knows no hash.
    addresses.set(name, `${base}/assets/${name}${isText ? `?v=${hash}` : ''}`);
  }
  return { files, href: (name) => addresses.get(name) ?? `${base}/assets/${name}` };
}

export function mountAssets(app: Express, { files }: Assets): void {
  app.get('/assets/:name', send(files));
  app.all('/assets/:name', refuseMethod(['GET', 'HEAD', 'OPTIONS']));
}

function send(files: Assets['files']): RequestHandler {
  return (request, response) => {
    const asset = files.get(String(request.params['name']));
    if (asset === undefined) throw new ServiceError('not_found', 'There is no such file.');
    const { type, plain, gzip, brotli } = asset;
    response.set('Cache-Control', `public, max-age=${LIFE_SECONDS}, immutable`).set('Content-Type', type);
    const encoding = gzip === undefined ? false : request.acceptsEncodings('br', 'gzip');
    response.vary('Accept-Encoding');
    if (encoding === 'br') return void response.set('Content-Encoding', 'br').end(brotli);
    if (encoding === 'gzip') return void response.set('Content-Encoding', 'gzip').end(gzip);
    response.end(plain);
  };
}
