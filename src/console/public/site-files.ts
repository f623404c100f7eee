import type { Express } from 'express';
import { RECORD_TYPES } from '../../contract/entities/index.ts';
import { refuseMethod } from '../../service/middleware/error-handler.ts';
import { createStaticDocument, sendDocument, serveDocument } from '../../service/static-documents.ts';
import type { RecordData } from '../data/values.tsx';
import type { PublicDeps } from './send-page.ts';

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#4338ca"/><path d="M8 20V12M13 22V10M18.5 19v-6M24 21v-9" fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round"/></svg>`;
const FOR_A_DAY = 'public, max-age=86400';
/** Below the sitemap protocol's limit of 50,000. */
const SITEMAP_MAX = 10_000;
const DOCS = ['/docs', '/docs/search', '/docs/mcp', '/docs/reference', '/docs/limits', '/docs/errors'];

export function mountSiteFiles(app: Express, deps: PublicDeps): void {
  app.get('/favicon.ico', serveDocument(createStaticDocument(ICON, 'image/svg+xml', FOR_A_DAY)));
  app.get('/robots.txt', serveDocument(createStaticDocument(robots(deps), 'text/plain; charset=utf-8', FOR_A_DAY)));
  app.get('/sitemap.xml', async (request, response) => {
    const document = createStaticDocument(await sitemap(deps), 'application/xml; charset=utf-8', FOR_A_DAY);
    await sendDocument(document, request, response);
  });
  app.all(['/favicon.ico', '/robots.txt', '/sitemap.xml'], refuseMethod(['GET', 'HEAD', 'OPTIONS']));
}

const robots = ({ url, publicPages }: PublicDeps): string =>
  [
    'User-agent: *',
    'Disallow: /account',
    'Disallow: /api/',
    'Disallow: /search?',
    ...(publicPages ? [] : ['Disallow: /sitemap.xml']),
    `Sitemap: ${url}/sitemap.xml`,
    '',
  ].join('\n');

/** The sitemap: documentation and the highest ranked records. */
async function sitemap({ url, store, publicPages }: PublicDeps): Promise<string> {
  const window = { offset: 0, limit: SITEMAP_MAX };
  const found = publicPages ? await store.records.search({ types: RECORD_TYPES, text: '', window }) : { results: [] };
  const records = found.results.map((json) => {
    const { type, slug } = JSON.parse(json) as RecordData;
    return `/${type}/${slug}`;
  });
  const addresses = ['/', ...(publicPages ? ['/coverage', '/coverage/sources'] : []), ...DOCS, ...records].map(
    (path) => `<url><loc>${url}${path}</loc></url>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${addresses.join('\n')}\n</urlset>\n`;
}
