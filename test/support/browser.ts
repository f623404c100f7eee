import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';

/** Usual paths of Chromium. */
const KNOWN_PATHS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** Options for root, without GPU emulation. */
const PLAIN = ['--no-sandbox', '--disable-gpu'];
/** No background requests, such as for updates. */
const QUIET = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'];
/** Most scripts of a page, axe among them, end before the code of the last optimizing compiler has paid. */
const SHORT_SCRIPTS = '--js-flags=--no-turbofan';

/** A real Chromium: at CHROMIUM_PATH, installed on the machine, or from an npm package (Linux, x64). */
async function findChromium(): Promise<string> {
  const given = process.env['CHROMIUM_PATH'];
  const known = given === undefined ? KNOWN_PATHS.find((path) => existsSync(path)) : given;
  if (known !== undefined) return known;
  if (process.platform === 'linux' && process.arch === 'x64') {
    // The package's arguments are for serverless functions: in single-process mode, Chromium exits with its first closed context.
    const { default: packed } = await import('@sparticuz/chromium');
    return packed.executablePath();
  }
  throw new Error(
    `The tests of the pages need a Chromium. There is none at ${KNOWN_PATHS.join(', ')}; ` +
      'install one, or name it with CHROMIUM_PATH.',
  );
}

export async function openBrowser(): Promise<Browser> {
  const executablePath = await findChromium();
  // Sets the language, because the locale C is not a valid one for scripts.
  const env = { ...process.env, LC_ALL: 'en_US.UTF-8' };
  return chromium.launch({ executablePath, args: [...PLAIN, ...QUIET, SHORT_SCRIPTS], headless: true, env });
}

/** Collects requests to other hosts, policy violations and script errors, which no page may cause. */
export function watchPage(page: Page): readonly string[] {
  const trouble: string[] = [];
  page.on('request', (request) => {
    const { hostname, protocol } = new URL(request.url());
    if (/^https?:$/.test(protocol) && hostname !== '127.0.0.1') trouble.push(`request to ${request.url()}`);
  });
  page.on('pageerror', (error) => trouble.push(`script: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && /Content.Security.Policy|Refused/.test(message.text()))
      trouble.push(message.text());
  });
  return trouble;
}

/** Minified: every page gets it once, which takes as long as many a run. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds on a page and in its frames. */
export async function axeOf(page: Page, context: axe.ContextObject = { exclude: [] }, options: axe.RunOptions = {}) {
  for (const frame of page.frames()) if (!(await frame.evaluate('"axe" in window'))) await frame.evaluate(AXE);
  return page.evaluate<axe.AxeResults>(`axe.run(${JSON.stringify(context)}, ${JSON.stringify(options)})`);
}
