import type { Request, Response } from 'express';
import type { VNode } from 'preact';
import type { ServiceDeps } from '../../service/deps.ts';
import { createStaticDocument, sendDocument } from '../../service/documents.ts';
import { renderPage } from '../layout.tsx';
import type { SiteContext } from '../site.ts';

/** What public pages are made of. */
export interface PublicDeps extends Omit<ServiceDeps, 'publicPages'>, SiteContext {
  /** The public address of the service, without a slash at its end. */
  readonly url: string;
  readonly publicPages: boolean;
}

/** One public page, the same for everybody who opens it. */
export interface PublicPage {
  readonly title: string;
  readonly description: string;
  readonly body: VNode;
  /** What stands in the search box above. */
  readonly searched?: string;
  /** Parameters that a search from there keeps, as an address has them. */
  readonly kept?: string;
  /** Whether search engines may list it: not what somebody typed. */
  readonly isListed?: boolean;
}

/** Kept by browsers and proxies for a minute, then asked about again. */
export const FOR_A_MINUTE = 'public, max-age=60';

/** Sends a page, compressed as the browser takes it, or 304 when the browser has it. */
export async function sendPage(
  deps: PublicDeps,
  { request, response }: { readonly request: Request; readonly response: Response },
  { title, description, body, searched = '', kept, isListed = true }: PublicPage,
): Promise<void> {
  const { base, assets, isSelling, url } = deps;
  const html = renderPage({
    base,
    assets,
    isSelling,
    title,
    description,
    ...(isListed && { canonical: url + request.path }),
    searched,
    kept,
    body,
    formToken: '',
    path: request.path,
    menu: 'public',
  });
  await sendDocument(createStaticDocument(html, 'text/html; charset=utf-8', FOR_A_MINUTE), request, response);
}
