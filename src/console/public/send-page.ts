import type { Request, RequestHandler, Response } from 'express';
import type { VNode } from 'preact';
import { hasKeyIn } from '../../contract/keys.ts';
import type { ServiceDeps } from '../../service/deps.ts';
import { createStaticDocument, sendDocument } from '../../service/static-documents.ts';
import { type SiteContext, siteContextOf } from '../assets.ts';
import type { Moved } from '../data/missing-record.tsx';
import type { RecordFile } from '../data/record-files.ts';
import { renderPage } from '../layout.tsx';
import { type PageQuery, queryOf, unknownParameters } from '../query.ts';

export type PublicDeps = ServiceDeps & SiteContext;

export interface PublicPage {
  readonly title: string;
  /** The title by default. */
  readonly description?: string;
  readonly body: VNode;
  readonly searched?: string;
  /** Query parameters that the search box preserves. */
  readonly kept?: string;
  /** Status, 200 by default. Browsers do not cache other pages. */
  readonly status?: number;
  /** Whether search engines may index it; not for typed searches. */
  readonly isListed?: boolean;
  /** Query parameters that the page has; the body names others if it says so itself. */
  readonly takes?: readonly string[] | 'says';
}

/** Cached for a minute, then revalidated. */
export const FOR_A_MINUTE = 'public, max-age=60';

/** What stands at an address: a page, a file, or where its record moved. */
type Answer = PublicPage | RecordFile | Moved;

/** Answers an address by its query and the parts of its path. */
export function answering(
  deps: PublicDeps,
  run: (query: PageQuery, path: Readonly<Record<string, string>>) => Answer | Promise<Answer>,
): RequestHandler<Record<string, string>> {
  return async (request, response) => {
    const answer = await run(queryOf(request.url), request.params);
    if ('moved' in answer) response.redirect(answer.status, deps.base + answer.moved);
    else if ('text' in answer) response.attachment(answer.name).type(answer.type).send(answer.text);
    else await sendPage(deps, { request, response }, answer);
  };
}

/** Sends a page in an accepted encoding, or 304. */
async function sendPage(
  deps: PublicDeps,
  { request, response }: { readonly request: Request; readonly response: Response },
  { title, description = title, body, searched = '', kept, status = 200, isListed = true, takes = [] }: PublicPage,
): Promise<void> {
  const html = renderPage({
    ...siteContextOf(deps),
    title,
    description,
    ...(isListed && { canonical: deps.publicUrl + request.path }),
    searched,
    kept,
    body,
    ignored: takes === 'says' ? [] : unknownParameters(queryOf(request.url), takes),
    formToken: '',
    path: request.path,
    menu: 'public',
  });
  if (status !== 200) return void response.status(status).set('Cache-Control', 'no-store').type('html').send(html);
  // Who typed a key by mistake does not leave it in a cache.
  const caching = hasKeyIn(request.url) ? 'no-store' : FOR_A_MINUTE;
  await sendDocument(createStaticDocument(html, 'text/html; charset=utf-8', caching), request, response);
}
