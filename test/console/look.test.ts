import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClientDocuments } from '../../src/service/oauth/client-documents.ts';
import { OPERATOR } from '../../src/store/port/audit.ts';
import { axeOf, openBrowser, watchPage } from '../support/browser.ts';
import { aCompany, anEvent, anInvestor, aPerson, aRound } from '../support/builders.ts';
import { type Console, startConsole, type Visitor } from '../support/console.ts';
import { isLong } from '../support/length.ts';

/** Pictures are for people, and take a third of the time of these tests. */
const SHOTS = process.env['PICTURES'] ? join(import.meta.dirname, '..', '..', '..', 'screenshots') : undefined;
const PHONE = { width: 375, height: 740 };
const DESKTOP = { width: 1280, height: 900 };
/** Each page by day, and by night on a phone, where colours, what scrolls and what a finger must hit differ. */
const VIEWS = [
  { name: 'light', colorScheme: 'light', viewport: DESKTOP, rules: undefined },
  {
    name: 'dark',
    colorScheme: 'dark',
    viewport: PHONE,
    rules: ['scrollable-region-focusable', 'target-size', 'color-contrast'],
  },
] as const;
/** Pages with parts that are hidden on phones (menus, table heads, side columns), also in dark mode on a wide screen. */
const WIDE = ['/', '/docs', '/search?type=rounds&view=table', '/account/usage', '/account/data/companies/acme'];
const NIGHT = { name: 'wide dark', colorScheme: 'dark', viewport: DESKTOP, rules: ['color-contrast'] } as const;
/** HTML of a page, before it is compressed. */
const BYTES_MAX = 30_000;

const SIGNED_OUT = [
  '/',
  '/search?query=acme',
  '/search?query=nothingatall',
  '/search?type=companies&tag=DeFi',
  '/search?type=companies&values=tag',
  '/search?type=rounds&view=table',
  '/search?type=companies&founded_from=2020&founded_to=2010',
  '/search/aggregate?of=rounds&group_by=year&group_by=stage',
  '/search/connections',
  '/coverage',
  '/coverage/sources',
  '/investors/example-capital/portfolio',
  '/companies/acme',
  '/investors/example-capital',
  '/people/ada-example',
  '/events/examplecon-2025',
  '/rounds/acme-seed',
  '/companies/nothing',
  '/account/sign-in',
  '/docs',
  '/docs/search',
  '/docs/find?query=rounds',
  '/docs/guides',
  '/docs/guides/operations',
  '/docs/x402',
  '/docs/errors',
  '/docs/errors/daily_limit_exceeded',
];
/** Pages of the components of others, with other data: a long run looks at them, too. */
const TWINS_SIGNED_OUT = [
  '/search?type=companies&page=999',
  '/companies/acme/rounds',
  '/docs/mcp',
  '/docs/limits',
  '/docs/changes',
];
/** A client that every service knows asks for access. */
const CONSENT = `/account/authorize?${new URLSearchParams({
  response_type: 'code',
  client_id: 'claude',
  redirect_uri: 'https://claude.ai/api/mcp/auth_callback',
  code_challenge: 'x'.repeat(43),
  code_challenge_method: 'S256',
  scope: 'write',
})}`;
const SIGNED_IN = [
  CONSENT,
  '/account/authorize?client_id=nobody',
  '/account',
  '/account/keys',
  '/account/keys/new',
  '/account/keys/1',
  '/account/usage',
  '/account/requests',
  '/account/payments',
  '/account/plan',
  '/account/members',
  '/account/members/1',
  '/account/audit',
  '/account/health',
  '/account/profile',
  '/account/data?type=companies&view=table',
  '/account/data/companies/acme',
  '/account/data/companies/acme/edit',
  '/account/data/people/new',
  '/account/import',
  '/account/duplicates',
  '/account/duplicates/1',
  '/account/nothing',
];
const TWINS_SIGNED_IN = [
  '/account/requests?status=5',
  '/account/data?type=all',
  '/account/data?query=nothingatall',
  '/account/data/investors/example-capital',
  '/account/data/investors/example-capital/portfolio',
  '/account/data/rounds/acme-seed',
  '/account/data/aggregate?of=companies&group_by=tag',
];

/** What somebody sees who has made an account and nothing else. */
const FIRST_RUN = [
  '/account?done=welcome',
  '/account/keys',
  '/account/usage',
  '/account/requests',
  '/account/payments',
  '/account/plan',
  '/account/members',
  '/account/audit',
  '/account/profile',
  '/account/data?type=events&page=2',
  '/account/data/rounds/new',
  '/account/import',
  '/account/duplicates',
];

let service: Console;
let browser: Browser;
let owner: Visitor;
let invitation: string;

beforeAll(async () => {
  if (SHOTS !== undefined) {
    rmSync(SHOTS, { recursive: true, force: true });
    mkdirSync(SHOTS);
  }
  service = await startConsole(
    [
      aCompany({
        name: 'Acme',
        slug: 'acme',
        tagline: 'Wallets that people understand',
        overview: 'Acme makes wallets for people and programs.\nIt began in Lisbon.',
        website: 'https://acme.example',
        tags: ['Wallets', 'DeFi'],
        token_contracts: [{ symbol: 'ACM', chain: 'Ethereum', address: `0x${'1f'.repeat(20)}` }],
        chains: ['Ethereum', 'Base'],
        location_json: { city: 'Lisbon', country: 'Portugal' },
        year_founded: 2021,
        founders: ['Ada Example'],
        sources: [{ source: 'https://acme.example/about', as_of: '2026-10', fields: ['overview', 'tags'] }],
      }),
      aPerson({
        name: 'Ada Example',
        headline: 'Founder of Acme',
        roles: [{ organization: 'Acme', title: 'Founder' }],
      }),
      anInvestor({ name: 'Example Capital', portfolio: ['Acme', 'Not Yet Known'], portfolio_count: 9 }),
      anEvent({ name: 'ExampleCon 2025', start_date: '2025-06-01' }),
      aRound({ name: 'Acme Seed', company: 'Acme', amount_usd: '3000000.00', investors: ['Example Capital'] }),
    ],
    { selling: {}, publicPages: true, clientDocuments: createClientDocuments() },
  );
  invitation = new URL(await service.firstLink()).pathname;
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
});

/** What an account looks like that is in use. */
async function fill(): Promise<void> {
  owner = await service.person({ account: 'Acme Research', email: 'ada@acme.example' });
  const { store } = service;
  await store.records.putAll([aCompany({ name: 'Acme Labs', slug: 'acme-labs', website: 'https://app.acme.example' })]);
  await store.duplicates.scan(['companies'], OPERATOR);
  const day = 86_400_000;
  const now = Date.now();
  for (const name of ['research-agent-of-the-portfolio-comparison', 'staging', 'nightly-sync']) {
    await store.keys.create({
      account: 'Acme Research',
      name,
      level: name === 'staging' ? 'delete' : 'read',
      expires_at: null,
      created_by: 'ada@acme.example',
    });
  }
  await store.keys.rotate(3, { overlap: '24h' }, 'Acme Research');
  const statuses = [200, 200, 200, 200, 200, 304, 400, 404, 429, 500];
  const requests = Array.from({ length: 900 }, (_, index) => ({
    at: new Date(now - ((index * 7) % 30) * day - index * 1_000),
    keyId: 1 + (index % 3),
    requestId: `req_${index.toString(16).padStart(32, '0')}`,
    method: 'GET',
    route: index % 3 ? '/api/v1/search' : '/api/v1/companies/{idOrSlug}',
    status: statuses[index % statuses.length] ?? 200,
    ms: 3 + (index % 20),
    code: statuses[index % statuses.length] === 404 ? 'not_found' : null,
    address: '203.0.113.7',
  }));
  await store.requests.add(requests.sort((a, b) => a.at.getTime() - b.at.getTime()));
  const [key] = await store.keys.list('Acme Research');
  await Promise.all(Array.from({ length: 850 }, () => store.usage.take(key as never, '203.0.113.7')));
  await owner.get('/account/members');
  await owner.post('/account/members/invite', { email: 'grace@acme.example', role: 'member', level: 'write' });
}

async function signedIn(options: object, visitor = owner, url = service.url): Promise<BrowserContext> {
  const context = await browser.newContext({ userAgent: 'test browser', ...options });
  const value = visitor.cookies.get('web3-bi-session') ?? '';
  await context.addCookies([{ name: 'web3-bi-session', value, url }]);
  return context;
}

const fileOf = (path: string): string => path.replace(/^\//, '').replaceAll(/[/?=&]/g, '-');

/** Sections of the reference behind the second, each with the same operations for a further type. */
const REPEATED = 'span:nth-of-type(n+3) > .opblock-tag-section';

/**
 * What breaks a rule of axe.
 * @param part selects what is looked at, where it is not everything
 */
async function violationsOf(page: Page, rules?: readonly string[], part?: string) {
  const context = { exclude: [REPEATED], ...(part !== undefined && { include: [part] }) };
  const only = rules && { runOnly: [...rules] };
  return (await axeOf(page, context, { resultTypes: ['violations'], ...only })).violations;
}

/** Whether a page is wider than the screen: a phone cannot show it. */
const isWide = (page: Page): Promise<boolean> =>
  page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth + 1');

const REFERENCE = '/docs/reference';

/** Opens a page, looks at it in every view, keeps pictures where they are wanted, and gives what is wrong. */
async function look(page: Page, path: string): Promise<string[]> {
  const found: string[] = [];
  const response = await page.goto(service.url + path, { waitUntil: 'load' });
  const html = (await response?.text()) ?? '';
  const bytes = Buffer.byteLength(html);
  if (bytes > BYTES_MAX) found.push(`${path}: ${bytes} bytes`);
  if (html.split('<h1').length !== 2 || />[^<]*undefined/i.test(html)) found.push(`${path}: not whole without scripts`);
  for (const { name, colorScheme, viewport, rules } of WIDE.includes(path) ? [...VIEWS, NIGHT] : VIEWS) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(viewport);
    if (path === REFERENCE) await page.waitForSelector('.opblock');
    // Colours that change over a moment have changed.
    await page.evaluate('Promise.allSettled(document.getAnimations().map(({ finished }) => finished))');
    if (await isWide(page)) found.push(`${path} ${name}: wider than the screen`);
    if (SHOTS !== undefined)
      await page.screenshot({ path: join(SHOTS, `${fileOf(path)}.${name}.png`), fullPage: true });
    for (const { id, nodes } of await violationsOf(page, rules))
      found.push(`${path} ${name} ${id}: ${nodes.map(({ html }) => html.slice(0, 150)).join(' | ')}`);
  }
  return found;
}

async function lookAt(context: BrowserContext, paths: readonly string[]): Promise<void> {
  const page = await context.newPage();
  const trouble = watchPage(page);
  const found: string[] = [];
  for (const path of paths) found.push(...(await look(page, path)));
  expect(found).toEqual([]);
  expect(trouble).toEqual([]);
  await context.close();
}

describe('every kind of page, by day and on a phone by night, is small and whole without scripts, has no axe violation, asks no other host and breaks no policy', () => {
  test('before anybody is signed in', async () => {
    await lookAt(await browser.newContext(), [invitation, ...SIGNED_OUT, ...(isLong ? TWINS_SIGNED_OUT : [])]);
  }, 300_000);

  test('for who is signed in', async () => {
    await fill();
    await lookAt(await signedIn({}), [...SIGNED_IN, ...(isLong ? TWINS_SIGNED_IN : [])]);
  }, 300_000);
});

test('the reference looks as every page does, and a call can be tried in it, whose parts have names and whose policy holds', async () => {
  const page = await browser.newPage();
  const trouble = watchPage(page);
  expect(await look(page, REFERENCE)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(DESKTOP);
  const operation = '#operations-service-getHealth';
  const health = page.locator(operation);
  await health.locator('.opblock-summary-control').click();
  await health.locator('.try-out__btn').click();
  await health.locator('.execute').click();
  await health.locator('.live-responses-table', { hasText: 'operational' }).waitFor();
  // The list that scripts replace has the same operations in the same order, each with the same badge.
  const texts = (selector: string) => page.locator(selector).allTextContents();
  for (const [listed, drawn] of [
    ['.endpoint .method', '.opblock-summary-method'],
    ['.endpoint code', '.opblock-summary-path'],
    ['.badge', '.opblock-summary .badge'],
  ])
    await expect.poll(() => texts(`#reference ${drawn}`)).toEqual(await texts(`#endpoints ${listed}`));
  // A button that was clicked changes its colour by and by.
  await page.waitForFunction(() => document.getAnimations().length === 0);
  const axe = await violationsOf(page, undefined, operation);
  expect(axe.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
  const field = page.getByRole('searchbox', { name: 'Find an endpoint' });
  await field.fill('sum aggregate');
  await expect
    .poll(() => texts('#reference .opblock-summary-path'))
    .toEqual(['/api/v1/aggregate', '/api/v1/x402/aggregate']);
  await field.fill('no such words');
  await page.getByText('No endpoint has these words.').waitFor();
  expect(trouble).toEqual([]);
  await page.close();
});

test('no page of a new account is wider than a phone', async () => {
  const newcomer = await service.person({ account: 'A company with a name of some length', email: 'new@acme.example' });
  const context = await signedIn({ viewport: PHONE }, newcomer);
  const page = await context.newPage();
  const wide = [];
  for (const path of FIRST_RUN) {
    await page.goto(service.url + path);
    if (await isWide(page)) wide.push(path);
  }
  expect(wide).toEqual([]);
  await context.close();
});

test('the calls in the documentation are no wider than the narrowest phone', async () => {
  const page = await browser.newPage({ viewport: { ...PHONE, width: 320 } });
  await page.goto(`${service.url}/docs/search`);
  expect(await isWide(page)).toBe(false);
  await page.close();
});

test('a slash leads to the search of the documentation, which works without scripts', async () => {
  const page = await browser.newPage({ viewport: PHONE });
  await page.goto(`${service.url}/docs/limits`);
  await page.keyboard.press('/');
  await page.keyboard.type('idempotency');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/docs/find?query=idempotency');
  await page.click('text=idempotency_mismatch');
  expect(new URL(page.url()).pathname).toBe('/docs/errors/idempotency_mismatch');
  await page.close();
});

test('the menu of a window that grows is there, and closed where it becomes narrow', async () => {
  const page = await browser.newPage({ viewport: PHONE });
  await page.goto(`${service.url}/docs/limits`);
  const item = page.getByRole('link', { name: 'Quick start' });
  expect(await item.isVisible()).toBe(false);
  for (const [size, isShown] of [
    [DESKTOP, true],
    [PHONE, false],
  ] as const) {
    await page.setViewportSize(size);
    await expect.poll(() => item.isVisible()).toBe(isShown);
  }
  await page.close();
});

test('what a chart is of is chosen in a line, as is the order of a list', async () => {
  const page = await browser.newPage({ viewport: DESKTOP });
  for (const path of ['/search/aggregate?of=rounds&group_by=year', '/search?type=rounds']) {
    await page.goto(service.url + path);
    const widths = await page.locator('.filters select').evaluateAll((all) => all.map((one) => one.clientWidth));
    expect([path, widths.length > 0, widths.filter((width) => width > 300)]).toEqual([path, true, []]);
  }
  await page.close();
});

test('names are offered while one is typed, and chosen by keyboard', async () => {
  const member = await service.person();
  const context = await signedIn({}, member);
  const page = await context.newPage();
  const trouble = watchPage(page);
  for (const [path, chosen] of [
    ['/', '/companies/acme'],
    ['/search', '/companies/acme'],
    ['/account/data', '/account/data/companies/acme'],
  ] as const) {
    await page.goto(service.url + path);
    const box = page.getByRole('combobox', { name: 'Search' });
    const options = page.locator('.offered-names').getByRole('option');
    await box.pressSequentially('acm');
    await expect.poll(() => options.first().textContent()).toBe('Acmecompany · Wallets');
    expect((await violationsOf(page)).map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
    await box.press('Escape');
    expect([await options.filter({ visible: true }).count(), await box.inputValue()]).toEqual([0, 'acm']);
    await box.press('e');
    await options.first().waitFor();
    await box.press('ArrowDown');
    expect(await box.getAttribute('aria-activedescendant')).toBe(await options.first().getAttribute('id'));
    await box.press('Enter');
    await page.waitForURL(service.url + chosen);
  }
  await page.goto(`${service.url}/search/connections`);
  await page.getByRole('combobox', { name: 'From' }).pressSequentially('exampel');
  await page.getByRole('option', { name: 'Example Capital' }).click();
  expect(await page.getByRole('combobox', { name: 'From' }).inputValue()).toBe('Example Capital');
  expect(trouble).toEqual([]);
  await context.close();
});

test('charts are whole without scripts', async () => {
  const context = await signedIn({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${service.url}/account/usage`);
  expect(await page.locator('#by-class svg.bars rect').count()).toBeGreaterThan(10);
  await page.click('#by-class summary');
  expect(await page.locator('#by-class tbody tr').count()).toBeGreaterThan(10);
  await context.close();
});

test('no table of results is wider than its card, and none cuts a text', async () => {
  const tagline = 'Crypto lending platform on Base, Ethereum, Arbitrum, Optimism and nine other chains; based in Paris';
  const place = { city: 'San Francisco', country: 'United States' };
  const parties = ['Andreessen Horowitz (a16z crypto)', 'Multicoin Capital Management'];
  const own = await startConsole(
    ['Morpho', 'A company whose name has some length']
      .flatMap((name, index) => [
        aCompany({
          name,
          tagline,
          tags: ['Prediction Market', 'Developer Tools'],
          location_json: place,
        }),
        aRound({
          name: `${name} A`,
          company: name,
          stage: 'initial_coin_offering',
          amount_usd: '17500000.00',
          announced_date: `2025-0${index + 1}-09`,
          lead_investors: parties,
          investors: parties,
        }),
        // What is not known takes room, too.
        aRound({
          name: `${name} B`,
          company: name,
          stage: null,
          amount_usd: null,
          announced_date: `2024-0${index + 3}-19`,
          announcement: 'https://spark.litprotocol.example/news',
          lead_investors: ['Andreessen Horowitz (a16z crypto)'],
          investors: parties,
        }),
      ])
      .concat(
        parties.map((name) =>
          anInvestor({ name, location_json: place, focus: ['Centralized Exchange', 'Developer Tools', 'DeFi'] }),
        ),
        aPerson({
          name: 'A person with two names and a title',
          roles: [{ organization: parties[0] ?? '', title: 'Former Chief Strategy Officer' }],
          angel_investments: 24,
          tags: ['Prediction Market'],
          location_json: place,
        }),
        anEvent({
          name: 'An event whose name is long',
          location_json: place,
          website: 'https://an.event.example/2026/en',
        }),
      ),
    { publicPages: true },
  );
  const member = await own.person();
  const context = await signedIn({}, member, own.url);
  const page = await context.newPage();
  const wide = [];
  const tables = ['companies', 'investors', 'people', 'events'].map((type) => `/search?type=${type}&view=table`);
  for (const path of [
    '/',
    '/search?type=rounds',
    '/search?query=rounds+in+2025',
    '/account/data?type=rounds',
    ...tables,
  ])
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(own.url + path);
      const tables = await page.evaluate<number[]>(
        '[...document.querySelectorAll("table.stacks")].map((table) => Math.max(table.scrollWidth, table.parentElement.scrollWidth) - table.parentElement.clientWidth)',
      );
      const cut = await page.evaluate<string[]>(
        '[...document.querySelectorAll(".lines :is(th, td, p)")].filter((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX === "hidden").map((one) => one.textContent)',
      );
      if (tables.length === 0 || tables.some((more) => more > 0)) wide.push([path, width, tables]);
      const isBeside = await page.locator('.facets aside').isVisible();
      if (path.startsWith('/account') && isBeside) wide.push([path, width, 'values that narrow it']);
      if (width === 1280 && cut.length > 0) wide.push([path, cut]);
    }
  expect(wide).toEqual([]);
  // On a phone nothing stands beside an answer, and figures of two groups scroll behind the first of them.
  await page.setViewportSize({ width: 390, height: 900 });
  const boxOf = async (selector: string) =>
    (await page.locator(selector).first().boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await page.goto(`${own.url}/search?query=largest+round+in+2025`);
  const [answer, narrow, bar] = [await boxOf('.answer'), await boxOf('.facets'), await boxOf('.bar-line')];
  expect(answer.width).toBeGreaterThan(340);
  expect([narrow.y > answer.y + answer.height, narrow.y + narrow.height <= bar.y]).toEqual([true, true]);
  await page.goto(`${own.url}/search/aggregate?of=rounds&group_by=year&group_by=company`);
  const row = 'table.crossed tbody tr';
  await page.locator('.table:has(> .crossed)').evaluate('(one) => one.scrollBy(200, 0)');
  expect((await boxOf(`${row} th`)).x).toBeLessThan(20);
  expect((await boxOf(row)).height).toBeLessThan(50);
  await context.close();
  await own.close();
});

test('the first view is less than 150 KB on the line', async () => {
  const context = await signedIn({});
  const page = await context.newPage();
  let bytes = 0;
  page.on('response', async (response) => {
    const { responseBodySize, responseHeadersSize } = await response.request().sizes();
    bytes += responseBodySize + responseHeadersSize;
  });
  await page.goto(`${service.url}/account`, { waitUntil: 'networkidle' });
  expect(bytes).toBeGreaterThan(30_000);
  expect(bytes).toBeLessThan(150_000);
  await context.close();
});
