import type { ErrorRequestHandler, Express, Request, RequestHandler } from 'express';
import { ipKeyGenerator } from 'express-rate-limit';
import { RECORD_TYPES, type RecordData } from '../../contract/entities/index.ts';
import { ServiceError } from '../../contract/errors.ts';
import { PAGES_MAX, PUBLIC_PAGES_MAX } from '../../contract/plans.ts';
import { relatedLists } from '../../contract/relations.ts';
import { refuseMethod } from '../../service/middleware/error-handler.ts';
import { pageHeaders } from '../../service/middleware/security-headers.ts';
import { createStaticDocument, sendDocument, serveDocument } from '../../service/static-documents.ts';
import { siteContextOf } from '../assets.ts';
import { ButtonLink, PrimaryLink } from '../components.tsx';
import { aggregatePage } from '../data/aggregate-page.tsx';
import { connectionsPage, ENDS } from '../data/connections-page.tsx';
import { completeName } from '../data/name-completion.tsx';
import { isFormat } from '../data/record-files.ts';
import { listPage } from '../data/related-pages.tsx';
import { ErrorBody, renderPage } from '../layout.tsx';
import { answerPageErrors, nameInPath } from '../page-errors.ts';
import { createPageLimit } from '../page-limits.ts';
import { queryOf, withoutEmpty } from '../query.ts';
import { createCoveragePage } from './coverage.tsx';
import { dataSourcesPage } from './data-sources.tsx';
import { LANDING_DESCRIPTION, landingPage } from './landing.tsx';
import { missingPage, readRecord, recordPage } from './record-page.tsx';
import { searchPage } from './search-page.tsx';
import { answering, FOR_A_MINUTE, type PublicDeps } from './send-page.ts';

const OF_AN_ADDRESS = `from one address. Those who are signed in may open ${PAGES_MAX}; programs use the API, where the plan of a key sets the limit.`;

/** Mounts the public pages, which need no script, do not count against a quota, and are rate limited by address. */
export function mountPublicPages(app: Express, deps: PublicDeps): void {
  const headers = pageHeaders(deps.publicUrl);
  const limitPages = createPageLimit(PUBLIC_PAGES_MAX, OF_AN_ADDRESS);
  const limit: RequestHandler = async ({ ip = '' }, _response, next) => {
    await limitPages(ipKeyGenerator(ip));
    next();
  };
  mountSiteFiles(app, deps);
  const aboutThis = aboutJson(deps);
  app.get(
    '/',
    (request, response, next) => {
      response.vary('Accept');
      if (request.accepts(['json', 'html']) === 'html') next();
      else response.json(aboutThis);
    },
    headers,
    limit,
    answering(deps, () => landingPage(deps)),
  );
  app.route('/').all(refuseMethod(['GET', 'HEAD', 'OPTIONS']));
  if (!deps.publicPages) return;
  const paths = [
    ...['/search', '/search/aggregate', '/search/connections', '/search/names', '/coverage', '/coverage/sources'],
    ...RECORD_TYPES.map((type) => `/${type}/:slug`),
    ...relatedLists.map(({ of, name }) => `/${of}/:slug/${name}`),
  ];
  app.get(paths, headers, limit);
  for (const type of RECORD_TYPES)
    app.get(`/${type}`, (request, response) => {
      const { search } = new URL(request.originalUrl, deps.publicUrl);
      response.redirect(301, `${deps.base}/search?type=${type}${search.replace('?', '&')}`);
    });
  app.get(['/aggregate', '/connections'], (request, response) => {
    const { search } = new URL(request.originalUrl, deps.publicUrl);
    response.redirect(301, `${deps.base}/search${request.path}${search}`);
  });
  mountSearch(app, deps);
  app.get('/coverage', answering(deps, createCoveragePage(deps)));
  app.get('/coverage/sources', answering(deps, dataSourcesPage));
  mountLists(app, deps);
  mountRecords(app, deps);
  app.route(paths).all(refuseMethod(['GET', 'HEAD', 'OPTIONS']));
  const answer = answerPageErrors(deps, drawError(deps));
  const answerAsked: ErrorRequestHandler = (thrown, request, response, next) =>
    isOfFile(request) ? next(thrown) : answer(thrown, request, response, next);
  app.use(paths, answerAsked);
}

/** Whether a file is asked for, as which no program reads an HTML page. */
const isOfFile = ({ originalUrl }: Request): boolean => /\.json(\?|$)|[?&]format=\w/.test(originalUrl);

function mountSearch(app: Express, deps: PublicDeps): void {
  const { records } = deps.store;
  app.get(['/search', '/search/aggregate'], withoutEmpty(deps));
  app.get(
    '/search',
    answering(deps, ({ q, ...query }) => {
      if (q === undefined) return searchPage(deps, query);
      // The name of the query in the paid search, and in most other searches.
      return { moved: `/search?${new URLSearchParams({ query: q, ...query })}`, status: 301 };
    }),
  );
  app.get(
    '/search/aggregate',
    answering(deps, async (query) => {
      const answer = await aggregatePage(records, query);
      return 'text' in answer ? answer : { ...answer, isListed: false, takes: 'says' };
    }),
  );
  app.get(
    '/search/connections',
    answering(deps, async (query) => ({ ...(await connectionsPage(records, query)), isListed: false, takes: ENDS })),
  );
  app.get('/search/names', async (request, response) => {
    const offered = await completeName(records, queryOf(request.url)['query'] ?? '', deps.base);
    const document = createStaticDocument(JSON.stringify(offered), 'application/json', FOR_A_MINUTE);
    await sendDocument(document, request, response);
  });
}

function mountLists(app: Express, deps: PublicDeps): void {
  const { records } = deps.store;
  for (const list of relatedLists)
    app.get(
      `/${list.of}/:slug/${list.name}`,
      answering(deps, async (query, { slug = '' }) => {
        try {
          const answer = await listPage(records, { list, idOrSlug: slug, query });
          return 'text' in answer ? answer : { ...answer, isListed: false, takes: ['page', 'format'] };
        } catch (error) {
          const isMissing = error instanceof ServiceError && error.code === 'not_found';
          if (!isMissing || isFormat(query['format'])) throw error;
          const missing = await missingPage(records, list.of, slug);
          return 'moved' in missing && missing.hasLists
            ? { ...missing, moved: `${missing.moved}/${list.name}` }
            : missing;
        }
      }),
    );
}

function mountRecords(app: Express, deps: PublicDeps): void {
  for (const type of RECORD_TYPES) {
    app.get(`/${type}/:slug.json`, async (request, response) => {
      const found = await readRecord(deps, type, request.params.slug);
      await sendDocument(createStaticDocument(found.json, 'application/json', FOR_A_MINUTE), request, response);
    });
    app.get(
      `/${type}/:slug`,
      answering(deps, (_query, { slug = '' }) => recordPage(deps, type, slug)),
    );
  }
}

/** JSON response of the root path for programs. */
const aboutJson = ({ publicUrl: url, version, isSelling, contact }: PublicDeps) => ({
  name: 'web3-bi',
  version,
  description: LANDING_DESCRIPTION,
  api: `${url}/api/v1`,
  search: `${url}/api/v1/search`,
  authorization: `Bearer and an API key (mk_...), made at ${url}/account`,
  openapi: `${url}/api/v1/openapi.json`,
  health: `${url}/api/health`,
  mcp: `${url}/mcp`,
  documentation: `${url}/docs`,
  llms: `${url}/llms.txt`,
  ...(contact !== undefined && { contact }),
  ...(isSelling && { paid_search: `${url}/api/v1/x402/search` }),
});

/** Mounts the 404 page for browsers and JSON for programs. Must come after all other pages. */
export function mountNoPage(app: Express, deps: PublicDeps): void {
  const isBrowser = (request: Request): boolean => request.accepts(['json', 'html']) === 'html';
  const onlyBrowsers: RequestHandler = (request, _response, next) => next(isBrowser(request) ? undefined : 'route');
  const refuse: RequestHandler = () => {
    throw new ServiceError('not_found', 'There is no page at this address.');
  };
  const answer = answerPageErrors(deps, drawError(deps));
  const headers = pageHeaders(deps.publicUrl);
  app.get(/^\/(?!api\/)/, onlyBrowsers, headers, refuse, answer);
  // An address that cannot be decoded has no route that would answer its errors.
  const answerRest: ErrorRequestHandler = (thrown, request, response, next) => {
    const isOfPage =
      thrown instanceof URIError ? !request.path.startsWith('/api/') : /^\/docs(\/|$)/.test(request.path);
    if (!isOfPage || !isBrowser(request)) return next(thrown);
    headers(request, response, () => void answer(thrown, request, response, next));
  };
  app.use(answerRest);
}

/** The documents that have a page for each of a list. */
const DOC_LISTS = [
  ['/docs/errors', 'All errors'],
  ['/docs/guides', 'All guides'],
] as const;

function drawError(deps: PublicDeps): Parameters<typeof answerPageErrors>[1] {
  return (error) => {
    const { status, path } = error;
    const words = status === 404 && deps.publicPages ? nameInPath(path) : '';
    const list = DOC_LISTS.find(([folder]) => path.startsWith(folder));
    return renderPage({
      ...siteContextOf(deps),
      title: error.title,
      ...(deps.publicPages && { searched: words }),
      formToken: '',
      path: '/search',
      menu: 'public',
      body: (
        <ErrorBody {...error}>
          <p class="actions">
            {list !== undefined ? (
              <PrimaryLink to={list[0]}>{list[1]}</PrimaryLink>
            ) : deps.publicPages ? (
              <PrimaryLink to={words === '' ? '/search' : `/search?${new URLSearchParams({ query: words })}`}>
                {words === '' ? 'Search and browse' : `Search for “${words}”`}
              </PrimaryLink>
            ) : null}
            <ButtonLink to="/">To the start page</ButtonLink>
          </p>
        </ErrorBody>
      ),
    });
  };
}

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#4338ca"/><path d="M8 20V12M13 22V10M18.5 19v-6M24 21v-9" fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round"/></svg>`;
const FOR_A_DAY = 'public, max-age=86400';
/** Below the sitemap protocol's limit of 50,000. */
const SITEMAP_MAX = 10_000;
const DOCS = ['/docs', '/docs/search', '/docs/mcp', '/docs/reference', '/docs/limits', '/docs/errors', '/docs/guides'];

function mountSiteFiles(app: Express, deps: PublicDeps): void {
  app.get('/favicon.ico', serveDocument(createStaticDocument(ICON, 'image/svg+xml', FOR_A_DAY)));
  app.get('/robots.txt', serveDocument(createStaticDocument(robots(deps), 'text/plain; charset=utf-8', FOR_A_DAY)));
  app.get('/sitemap.xml', async (request, response) => {
    const document = createStaticDocument(await sitemap(deps), 'application/xml; charset=utf-8', FOR_A_DAY);
    await sendDocument(document, request, response);
  });
  app.route(['/favicon.ico', '/robots.txt', '/sitemap.xml']).all(refuseMethod(['GET', 'HEAD', 'OPTIONS']));
}

const robots = ({ publicUrl: url, publicPages }: PublicDeps): string =>
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
async function sitemap({ publicUrl: url, store, publicPages }: PublicDeps): Promise<string> {
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
