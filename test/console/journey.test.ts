import { readFile } from 'node:fs/promises';
import { wrapFetchWithPaymentFromConfig } from '@x402/fetch';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { NetworkId } from '../../src/contract/networks.ts';
import type { FundedWallet } from '../../src/sandbox/chain.ts';
import { schemeOf } from '../sandbox/stock-seller.ts';
import { openBrowser, watchPage } from '../support/browser.ts';
import { engine } from '../support/databases.ts';
import { type Running, startProgram } from '../support/program.ts';

const PASSWORD = 'correct horse battery';
/** More than any page has places to stop at. */
const STOPS_MAX = 120;

let program: Running;
let browser: Browser;
let page: Page;
let trouble: readonly string[];

beforeAll(async () => {
  const database = (await engine.newDatabase()).url;
  program = await startProgram(['sandbox', '--port', '0', '--data', 'none', '--database', database]);
  browser = await openBrowser();
  const context = await browser.newContext();
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: program.url });
  page = await context.newPage();
  trouble = watchPage(page);
});
afterAll(async () => {
  await browser?.close();
  await program?.stop();
});

/** Goes to a place with the Tab key alone, as somebody does who has no mouse. */
async function reach(selector: string): Promise<void> {
  for (let stop = 0; stop < STOPS_MAX; stop += 1) {
    const isThere = await page.evaluate(`document.activeElement?.matches(${JSON.stringify(selector)}) ?? false`);
    if (isThere) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${selector} cannot be reached by keyboard on ${page.url()}`);
}

async function type(selector: string, text: string): Promise<void> {
  await reach(selector);
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type(text);
}

/** Follows a link or presses a button, and waits for the page that comes. */
async function press(selector: string): Promise<void> {
  await reach(selector);
  await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
}

const menu = (path: string): Promise<void> => press(`nav a[href="${path}"]`);

/** Loads the page again until it says something: what is logged shows within a second. */
async function untilItSays(text: string): Promise<void> {
  const reloaded = async (): Promise<string> => {
    await page.reload();
    return page.locator('main').innerText();
  };
  await expect.poll(reloaded).toContain(text);
}

/** Imports lines, which are shown before they are written. */
async function importText(lines: string, choose = async (): Promise<void> => {}): Promise<void> {
  await type('#text', lines);
  await press('main form button[type="submit"]');
  expect(await page.locator('main').innerText()).toContain('Nothing is written yet');
  await choose();
  await press('main form button[type="submit"]');
  expect(await page.locator('h1').innerText()).toBe('Imported');
}

const search = (key: string, query: string): Promise<Response> =>
  fetch(`${program.url}/api/v1/search?type=companies&query=${query}`, { headers: { Authorization: `Bearer ${key}` } });

test('from the first start to a payment, by keyboard alone', async () => {
  // First start: the link that the program printed.
  const link = /http\S+\/account\/invitation\/\S+/.exec(program.stderr.join(''))?.[0] ?? '';
  await page.goto(link);
  await type('#account', 'Acme');
  await type('#email', 'ada@example.com');
  await type('#password', PASSWORD);
  await press('button[type="submit"]');
  expect(await page.locator('h1').innerText()).toBe('Overview');

  // Out, and in again.
  await press('.sign button');
  await type('#email', 'ada@example.com');
  await type('#password', PASSWORD);
  await press('button[type="submit"]');

  // A key: made, copied, used.
  await menu('/account/keys');
  await press('a[href="/account/keys/new"]');
  await type('#name', 'research-agent');
  await press('main button[type="submit"]');
  const key = (await page.locator('#secret').innerText()).trim();
  expect(key).toMatch(/^mk_[0-9A-Za-z]{49}$/);
  await reach('[data-copy="secret"]');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.locator('[data-copy="secret"]').innerText()).toContain('Copied');
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key);
  await press('[data-saved]');
  expect(await page.content()).not.toContain(key);
  expect((await search(key, 'defi')).status).toBe(200);
  expect((await search(key, 'wallet')).status).toBe(200);

  // The usage moves.
  await menu('/account/usage');
  await untilItSays('2 of 1,000');
  await menu('/account/requests');
  await untilItSays('/api/v1/search');

  // The page of the key: rotated, then the old one revoked by its name, and refused.
  await menu('/account/keys');
  await press('tbody a');
  await press('form[action$="/rotate"] button');
  const next = (await page.locator('#secret').innerText()).trim();
  expect([(await search(key, 'a')).status, (await search(next, 'a')).status]).toEqual([200, 200]);
  await menu('/account/keys');
  await press('tbody a');
  await type('input[data-confirm]', 'research-agent');
  await press('form[action$="/revoke"] button');
  expect(await page.locator('.notice.good').innerText()).toContain('revoked');
  expect([(await search(key, 'a')).status, (await search(next, 'a')).status]).toEqual([401, 200]);

  // A file: seen first, then imported, then found.
  await menu('/account/import');
  await importText('name,tagline,website\nKeyboard Labs,Made without a mouse,https://keyboard.example\n');
  await menu('/account/data');
  await type('#query', 'keyboard labs');
  // On a busy machine, what is typed is searched for in parts, and each result replaces the one before, with the focus in it.
  await page.waitForURL(/query=keyboard(\+|%20)labs\b/);
  await expect.poll(() => page.locator('#results').innerText()).toContain('Made without a mouse');
  await reach('#results a[download]');
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
  expect(await readFile(await download.path(), 'utf8')).toContain('Keyboard Labs');
  await press('#results .record-name a');
  expect(await page.locator('h1').innerText()).toContain('Keyboard Labs');

  // Its form: a section opened, a row more of a list, in which one goes on to type, and the Enter key saves.
  await press('main a[href$="/edit"]');
  await type('#tagline', 'Made with keys alone');
  await reach('.section:nth-of-type(2) > summary');
  await page.keyboard.press('Enter');
  await press('button[name="add"][value="former_names"]');
  await page.keyboard.type('Mouse Labs');
  expect(await page.inputValue('[id="former_names.1.name"]')).toBe('Mouse Labs');
  await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
  expect(await page.locator('main').innerText()).toMatch(/Made with keys alone.*The record is saved.*Mouse Labs/s);

  // A second record of the same company, which is taken for the first unless one says otherwise: found, compared, merged, and apart again.
  await menu('/account/import');
  await importText('name,website\nKeyboard,https://keyboard.example\n', async () => {
    await reach('select[name="row.1"]');
    await page.keyboard.press('ArrowDown');
  });
  await menu('/account/duplicates');
  await press('form[action$="/scan"] button');
  expect(await page.locator('.pairs').innerText()).toContain('Keyboard Labs');
  await press('.pairs a.button');
  await press('button[name="keep"]');
  expect(await page.locator('.notice.good').innerText()).toContain(' is merged into ');
  await press('.notice.good button');
  expect(await page.locator('.notice.good').innerText()).toContain('Both records exist again.');

  // A search that is paid for, and the payment.
  const { wallet, network } = program.ready as { wallet: FundedWallet; network: NetworkId };
  const pay = wrapFetchWithPaymentFromConfig(fetch, { schemes: [{ network, client: schemeOf(wallet) }] });
  const paid = await pay(`${program.url}/api/v1/x402/search?q=keyboard&type=companies`);
  expect(paid.status).toBe(200);
  await menu('/account/payments');
  await untilItSays('settled');
  expect(await page.locator('main').innerText()).toContain('$0.01');
  // The chain is one of this machine: a public explorer does not know the transaction.
  expect(await page.locator('main td code[title^="0x"]').count()).toBe(2);
  expect(await page.locator('main a[href^="http"]').count()).toBe(0);

  expect(trouble).toEqual([]);
}, 240_000);
