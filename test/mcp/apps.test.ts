import type { Client } from '@modelcontextprotocol/client';
import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Shown, showApp } from '../support/app-host.ts';
import { axeOf, openBrowser } from '../support/browser.ts';
import { aCompany, anInvestor, aRound } from '../support/builders.ts';
import { connectTo } from '../support/mcp-server.ts';
import { startService, type TestService } from '../support/service.ts';

const BYTES_MAX = 60_000;
const HEIGHT_MAX = 500;
/** More than a view has height for. */
const YEARS = Array.from({ length: 24 }, (_, index) => 2001 + index);

let service: TestService;
let mcp: Client;
let browser: Browser;

beforeAll(async () => {
  service = await startService([
    aCompany({ name: 'Acme', website: 'https://acme.example', tags: ['DeFi'], tagline: 'An exchange' }),
    anInvestor({ name: 'Example Capital' }),
    ...YEARS.map((year) =>
      aRound({
        name: `Acme ${year}`,
        announced_date: `${year}-05-01`,
        stage: year % 2 === 0 ? 'seed' : 'grant',
        amount_usd: '1000000.00',
        lead_investors: ['Example Capital'],
        investors: ['Example Capital'],
      }),
    ),
  ]);
  mcp = await connectTo(service);
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
  await mcp.close();
  await service.close();
});

/** The view of a tool, by the address that its definition gives. */
async function readView(tool: string) {
  const { tools } = await mcp.listTools();
  const { _meta } = tools.find(({ name }) => name === tool) ?? {};
  const { resourceUri } = (_meta?.['ui'] ?? {}) as { resourceUri: string };
  expect(_meta?.['ui/resourceUri']).toBe(resourceUri);
  expect(resourceUri).toMatch(/^ui:\/\//);
  const { contents } = await mcp.readResource({ uri: resourceUri });
  return contents[0] as unknown as { uri: string; mimeType: string; text: string };
}

/** A host with the real view and the real answer of a tool. */
async function show(name: string, args: Record<string, unknown>): Promise<Shown> {
  const { text: html } = await readView(name);
  const result = await mcp.callTool({ name, arguments: args });
  return showApp(browser, { html, result, callTool: (params) => mcp.callTool(params) });
}

/** Goes to an element by the tab key, as people without a mouse do, and presses Enter. */
async function enter({ page, view }: Shown, element: Locator): Promise<void> {
  for (let step = 0; step < STEPS_MAX; step += 1) {
    if ((await element.and(view.locator(':focus')).count()) > 0) return page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
  }
  throw new Error(`${element} is not reached by keyboard`);
}
const STEPS_MAX = 10;
/** The root of the view, for a script of the page. */
const VIEW = "document.querySelector('iframe').contentDocument.documentElement";

const CASES = [
  ['get_entity', { type: 'companies', id: 'acme', include: ['rounds'] }, 'Funding history'],
  ['get_entity', { type: 'investors', id: 'example-capital', include: ['rounds'] }, 'Rounds and grants by year'],
  ['aggregate', { of: 'rounds', group_by: ['year'], measure: ['count', 'sum'], top: 30 }, 'by year'],
  ['connect', { from: 'companies/acme', to: 'investors/example-capital' }, 'Directly'],
] as const;

describe('the views of tools', () => {
  test.each(CASES)('%s %j: drawn in both themes without a network, and no axe violation', async (name, args, title) => {
    const { page, view, trouble, sent, notify } = await show(name, args);
    await view.getByRole('heading', { name: title }).first().waitFor();
    const grounds = new Set<unknown>();
    for (const theme of ['light', 'dark']) {
      await notify('ui/notifications/host-context-changed', { theme });
      await view.locator(`html[data-theme=${theme}]`).waitFor();
      grounds.add(await page.evaluate(`getComputedStyle(${VIEW}.querySelector('.card')).backgroundColor`));
      // Colours are all that the second theme changes.
      const rules = theme === 'light' ? {} : { runOnly: ['color-contrast'] };
      const { violations, passes } = await axeOf(page, undefined, rules);
      expect(violations.map(({ id, nodes }) => [theme, id, nodes[0]?.html])).toEqual([]);
      // A place in a frame has two parts: axe has looked into it.
      const contrast = passes.find(({ id }) => id === 'color-contrast')?.nodes ?? [];
      expect(contrast.filter(({ target }) => target.length > 1).length).toBeGreaterThan(2);
    }
    expect(grounds.size).toBe(2);
    const heights = (await sent()).flatMap(({ method, params }) =>
      method === 'ui/notifications/size-changed' ? [Number(params['height'])] : [],
    );
    expect(heights.at(-1)).toBeGreaterThan(100);
    expect(Math.max(...heights)).toBeLessThanOrEqual(HEIGHT_MAX);
    expect(await page.evaluate(`${VIEW}.scrollWidth <= ${VIEW}.clientWidth`)).toBe(true);
    expect(trouble).toEqual([]);
    await page.close();
  });

  test('are self-contained, small and of the type of MCP Apps', async () => {
    for (const tool of ['get_entity', 'aggregate', 'connect']) {
      const { mimeType, text } = await readView(tool);
      expect(mimeType).toBe('text/html;profile=mcp-app');
      expect(Buffer.byteLength(text)).toBeLessThan(BYTES_MAX);
      expect(text).not.toMatch(/<link|@import|url\(|<script src/);
    }
  });

  test('are worked by keyboard: the rounds are asked for, the table unfolds, and the host opens addresses', async () => {
    const shown = await show('get_entity', { type: 'companies', id: 'acme' });
    const { page, view, sent } = shown;
    expect(await view.locator('svg.bars').count()).toBe(0);
    await enter(shown, view.getByRole('button', { name: 'Show the rounds' }));
    await view.locator('svg.bars').waitFor();
    await enter(shown, view.locator('summary'));
    await view.getByRole('cell', { name: 'Example Capital' }).first().waitFor();
    await enter(shown, view.getByRole('link', { name: 'acme.example' }));
    await expect.poll(sent).toContainEqual({ method: 'ui/open-link', params: { url: 'https://acme.example/' } });
    await page.close();
  });

  test('tell what connects two records, and why nothing does', async () => {
    const ends = { from: 'companies/acme', to: 'investors/example-capital' };
    const { view, page } = await show('connect', ends);
    const newest = YEARS.at(-1);
    await view.getByText(`Acme ${newest} · 1 May ${newest} · Example Capital led a round of Acme`).waitFor();
    await page.close();
    const none = await show('connect', { ...ends, kinds: ['event'] });
    await none.view.getByText('have no known connection of the kind event').waitFor();
    await none.page.close();
  });

  test('tell an error and a call that was cancelled in words, and names as text', async () => {
    const { view, notify, page } = await show('aggregate', { of: 'rounds', group_by: ['colour'] });
    await expect.poll(() => view.getByRole('alert').textContent()).toContain('group_by');
    await notify('ui/notifications/tool-cancelled', { reason: 'by a person' });
    await expect.poll(() => view.getByRole('alert').textContent()).toBe('The call was cancelled.');
    const name = '<img src=x onerror=alert(1)>';
    const record = { type: 'people', id: 1, name, slug: 'x' };
    const covered = { records: 1, known: 1, unknown: 0, from: null, to: null };
    const structuredContent = { columns: ['organization', 'count'], rows: [[record, 1]], groups: 1, covered };
    await notify('ui/notifications/tool-result', { structuredContent });
    await view.getByText(name).waitFor();
    await page.close();
  });
});
