import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';

/** Where systems keep a Chromium. */
const KNOWN_PATHS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** As root, and without a graphics card, which would be played by the processor. */
const PLAIN = ['--no-sandbox', '--disable-gpu'];
/** No network but ours: without these, Chromium asks its maker for updates. */
const QUIET = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'];

/** A real Chromium: the one that CHROMIUM_PATH names, one of the machine's, or the one of an npm package (Linux, x64). */
async function findChromium(): Promise<string> {
  const given = process.env['CHROMIUM_PATH'];
  const known = given === undefined ? KNOWN_PATHS.find((path) => existsSync(path)) : given;
  if (known !== undefined) return known;
  if (process.platform === 'linux' && process.arch === 'x64') {
    // Its own arguments are meant for functions in a cloud: in one process, it ends with its first closed context.
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
  // Without a language of its own it takes one from the machine's locale, and C is none that scripts can use.
  const env = { ...process.env, LC_ALL: 'en_US.UTF-8' };
  return chromium.launch({ executablePath, args: [...PLAIN, ...QUIET], headless: true, env });
}

/** What must not happen on any page: a request to another host, a refusal of the policy, an error of a script. */
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
