import type { Request, Response } from 'express';
import type { VNode } from 'preact';
import type { ServiceDeps } from '../../service/deps.ts';
import { createStaticDocument, sendDocument } from '../../service/static-documents.ts';
import { type SiteContext, siteContextOf } from '../assets.ts';
import { renderPage } from '../layout.tsx';
import { queryOf, unknownParameters } from '../query.ts';

export interface PublicDeps extends Omit<ServiceDeps, 'publicPages'>, SiteContext {
  /** Public URL without a trailing slash. */
  readonly url: string;
  readonly publicPages: boolean;
}

export interface PublicPage {
  readonly title: string;
  readonly description: string;
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

/** Sends a page in an accepted encoding, or 304. */
export async function sendPage(
  deps: PublicDeps,
  { request, response }: { readonly request: Request; readonly response: Response },
  { title, description, body, searched = '', kept, status = 200, isListed = true, takes = [] }: PublicPage,
): Promise<void> {
  const html = renderPage({
    ...siteContextOf(deps),
    title,
    description,
    ...(isListed && { canonical: deps.url + request.path }),
    searched,
    kept,
    body,
    ignored: takes === 'says' ? [] : unknownParameters(queryOf(request.url), takes),
    formToken: '',
    path: request.path,
    menu: 'public',
  });
  if (status !== 200) return void response.status(status).set('Cache-Control', 'no-store').type('html').send(html);
  await sendDocument(createStaticDocument(html, 'text/html; charset=utf-8', FOR_A_MINUTE), request, response);
}
