import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Express } from 'express';
import { refuseMethod } from '../service/middleware/error-handler.ts';
import { createStaticDocument, type StaticDocument, serveDocument } from '../service/static-documents.ts';
import type { Program } from './program.tsx';

const TYPES: Readonly<Record<string, string>> = {
  'pages.css': 'text/css',
  'pages.js': 'text/javascript',
  'htmx.js': 'text/javascript',
  'reference.js': 'text/javascript',
  'reference.css': 'text/css',
  'swagger-ui.js': 'text/javascript',
  'swagger-ui.css': 'text/css',
  'inter.woff2': 'font/woff2',
};
const FOR_A_YEAR = `public, max-age=${365 * 24 * 3_600}, immutable`;
const HASH_LENGTH = 12;

/** Static files of the pages, held in memory. */
export type Assets = ReturnType<typeof loadAssets>;

export function loadAssets(folder: string, base: string) {
  const files = new Map(
    Object.entries(TYPES).map(([name, type]) => [
      name,
      createStaticDocument(readFileSync(join(folder, name)), type, FOR_A_YEAR),
    ]),
  );
  return {
    files,
    /** URL of a file, with a content hash. */
    href: (name: string): string => {
      const { type, hash } = files.get(name) as StaticDocument;
      // The style sheet references the font without a hash.
      const version = type.startsWith('text/') ? `?v=${hash.slice(0, HASH_LENGTH)}` : '';
      return `${base}/assets/${name}${version}`;
    },
  };
}

export function mountAssets(app: Express, { files }: Assets): void {
  for (const [name, file] of files) app.get(`/assets/${name}`, serveDocument(file));
  app.route([...files.keys()].map((name) => `/assets/${name}`)).all(refuseMethod(['GET', 'HEAD', 'OPTIONS']));
}

export interface SiteContext {
  /** Path of the public URL, the prefix of every page. */
  readonly base: string;
  readonly assets: Assets;
  /** Whether searches are sold; only then do pages mention payment. */
  readonly isSelling: boolean;
  /** Mail address or web page of the operator. */
  readonly contact?: string | undefined;
  readonly program?: Program | undefined;
}

export const siteContextOf = ({ base, assets, isSelling, contact, program }: SiteContext): SiteContext => ({
  ...{ base, assets, isSelling, contact, program },
});
