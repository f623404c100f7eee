import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser, FrameLocator, Page } from 'playwright-core';
import { watchPage } from './browser.ts';

/** Content security policy of a view that requests no permissions (SEP-1865, "Restrictive Default"). */
const POLICY =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; connect-src 'none'";
const PAGE = readFileSync(fileURLToPath(new URL('app-host.html', import.meta.url)), 'utf8');
/** No server listens at this address; the browser's request routing serves the page. */
const ADDRESS = 'http://127.0.0.1/host';

/** A view of a tool in a host. */
export interface Shown {
  readonly page: Page;
  readonly view: FrameLocator;
  /** Policy violations, script errors and requests to other hosts. */
  readonly trouble: readonly string[];
  /** Messages of the view so far, requests and notifications. */
  sent(): Promise<readonly { method: string; params: Record<string, unknown> }[]>;
  /** Sends a notification to the view. */
  notify(method: string, params: object): Promise<void>;
}

interface Showing {
  readonly html: string;
  readonly result: unknown;
  /** Result of a tool call by the view; without it, the host has no tools. */
  readonly callTool?: (params: { name: string; arguments: Record<string, unknown> }) => Promise<unknown>;
}

/** Shows a view in a page that follows the specification: it sends nothing before the view is initialized. */
export async function showApp(browser: Browser, { html, result, callTool }: Showing): Promise<Shown> {
  const page = await browser.newPage({ viewport: { width: 720, height: 640 } });
  const trouble = watchPage(page);
  // A separate origin, so that axe also checks the frame.
  await page.route(ADDRESS, (route) => route.fulfill({ contentType: 'text/html', body: PAGE }));
  await page.goto(ADDRESS);
  if (callTool !== undefined) await page.exposeFunction('callTool', callTool);
  const guarded = html.replace(
    '<meta charset="utf-8">',
    `$&<meta http-equiv="Content-Security-Policy" content="${POLICY}">`,
  );
  await page.evaluate(`host.show(${JSON.stringify({ html: guarded, result })})`);
  const view = page.frameLocator('iframe');
  await view.locator('main > *').first().waitFor();
  return {
    page,
    view,
    trouble,
    sent: () => page.evaluate('host.sent'),
    notify: (method, params) => page.evaluate(`host.notify(${JSON.stringify({ method, params })})`),
  };
}
