import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClientDocuments } from '../../src/service/oauth/client-documents.ts';
import { openBrowser } from '../support/browser.ts';
import { aCompany } from '../support/builders.ts';
import { type Console, PASSWORD, startConsole } from '../support/console.ts';
import { type MetadataHost, startMetadataHost } from '../support/metadata-host.ts';
import { Provider } from '../support/oauth-provider.ts';

let host: MetadataHost;
let service: Console;
let browser: Browser;
let context: BrowserContext;
/** Where a client waits for the person to come back, on a port that it has not registered. */
let callback: Server;
let redirectUrl: string;
let arrived: (url: URL) => void;

beforeAll(async () => {
  callback = createServer((request, response) => {
    response.end('You can close this page.');
    if (request.url?.startsWith('/callback') === true) arrived(new URL(request.url, redirectUrl));
  });
  await new Promise<void>((resolve) => callback.listen(0, '127.0.0.1', resolve));
  redirectUrl = `http://127.0.0.1:${(callback.address() as AddressInfo).port}/callback`;
  host = await startMetadataHost((_request, response) => {
    const document = {
      client_id: `${host.url}/client`,
      client_name: 'Agent',
      redirect_uris: ['http://127.0.0.1/callback'],
    };
    response.end(JSON.stringify(document));
  });
  const clientDocuments = createClientDocuments({ isAllowed: () => true, ca: host.certificate });
  service = await startConsole([aCompany({ name: 'Uniswap', slug: 'uniswap' })], { clientDocuments });
  await service.person({ email: 'ada@example.com' });
  browser = await openBrowser();
  context = await browser.newContext();
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
  await host?.close();
  await new Promise((resolve) => callback.close(resolve));
});

const newProvider = (given: Partial<ConstructorParameters<typeof Provider>[0]>): Provider =>
  new Provider({ redirectUrl, ...given });

/** A client of an SDK, by the few calls that both have. */
interface Sdk {
  connect(provider: Provider): Promise<{ finishAuth(answer: URLSearchParams): Promise<void>; call(): Promise<any> }>;
}

const SELF = { name: 'test', version: '0' };
const search = { name: 'search', arguments: { query: 'uniswap', type: 'companies' } };

const v1: Sdk = {
  connect: async (provider) => {
    const client = new ClientV1(SELF);
    const transport = new HttpV1(new URL(`${service.url}/mcp`), { authProvider: provider as never });
    await client.connect(transport as never);
    return {
      finishAuth: (answer) => transport.finishAuth(answer.get('code') ?? ''),
      call: () => client.callTool(search),
    };
  },
};
const v2 = (mode: 'auto' | undefined): Sdk => ({
  connect: async (provider) => {
    const client = new ClientV2(SELF, mode === undefined ? {} : { versionNegotiation: { mode } });
    const transport = new HttpV2(new URL(`${service.url}/mcp`), { authProvider: provider as never });
    await client.connect(transport);
    return { finishAuth: (answer) => transport.finishAuth(answer), call: () => client.callTool(search) };
  },
});

/** Goes to the page that a client asks for, signs in where that is needed, and presses a button. */
async function decide(url: URL, button: 'Allow' | 'Deny'): Promise<{ seen: string; answer: URLSearchParams }> {
  const page = await context.newPage();
  const returned = new Promise<URL>((resolve) => {
    arrived = resolve;
  });
  await page.goto(url.href);
  if (new URL(page.url()).pathname === '/account/sign-in') {
    await page.fill('#email', 'ada@example.com');
    await page.fill('#password', PASSWORD);
    await Promise.all([page.waitForURL('**/account/authorize?**'), page.click('button[type="submit"]')]);
  }
  const seen = await page.locator('main').innerText();
  await page.getByRole('button', { name: button, exact: true }).click();
  const answer = (await returned).searchParams;
  await page.close();
  return { seen, answer };
}

describe.each([
  { sdk: 'the v1 client', open: v1 },
  { sdk: 'the v2 client', open: v2(undefined) },
  { sdk: 'the v2 client that negotiates', open: v2('auto') },
])('$sdk', ({ open }) => {
  test.each([
    { how: 'by its metadata document', client: () => ({ document: `${host.url}/client` }) },
    { how: 'registered dynamically', client: () => ({}) },
    { how: 'registered before', client: () => ({ register: true }) },
  ])('signs a person in, $how', async ({ client }) => {
    const { document, register }: { document?: string; register?: boolean } = client();
    const known = { client_id: await service.store.oauth.register({ name: 'Agent', redirectUris: [redirectUrl] }) };
    const provider = newProvider(register === true ? { client: { ...known, issuer: service.url } } : { document });
    const session = await open.connect(provider);
    await expect(session.call()).rejects.toThrow();
    const { seen, answer } = await decide(provider.asked ?? new URL('about:blank'), 'Allow');
    for (const shown of ['Agent', new URL(redirectUrl).host, 'acme, as ada@example.com', 'Read', `${service.url}/mcp`])
      expect(seen).toContain(shown);
    expect(answer.get('iss')).toBe(service.url);
    await session.finishAuth(answer);
    expect((await session.call()).structuredContent.results).toMatchObject([{ slug: 'uniswap' }]);
  });
});

test('the v2 client gives no code to another authorization server than the one that it asked', async () => {
  const provider = newProvider({ document: `${host.url}/client` });
  const session = await v2(undefined).connect(provider);
  await expect(session.call()).rejects.toThrow();
  const { answer } = await decide(provider.asked ?? new URL('about:blank'), 'Allow');
  answer.set('iss', 'https://evil.example');
  await expect(session.finishAuth(answer)).rejects.toThrow(/iss/i);
  answer.delete('iss');
  await expect(session.finishAuth(answer)).rejects.toThrow(/iss/i);
});

test('a person who does not agree sends the client away', async () => {
  const provider = newProvider({ document: `${host.url}/client` });
  const session = await v2(undefined).connect(provider);
  await expect(session.call()).rejects.toThrow();
  const { answer } = await decide(provider.asked ?? new URL('about:blank'), 'Deny');
  expect(answer.get('error')).toBe('access_denied');
});

test('the page of consent shows in no frame of another site', async () => {
  const provider = newProvider({ document: `${host.url}/client` });
  const session = await v2(undefined).connect(provider);
  await expect(session.call()).rejects.toThrow();
  const page = await context.newPage();
  await page.goto(redirectUrl.replace('/callback', '/'));
  const frame = await page.evaluate(
    (source) =>
      new Promise<string>((resolve) => {
        const element = document.createElement('iframe');
        element.onload = () => {
          let shown = 'nothing';
          try {
            shown = element.contentDocument?.body.innerText ?? 'another origin';
          } catch {
            shown = 'another origin';
          }
          resolve(shown);
        };
        element.src = source;
        document.body.append(element);
      }),
    provider.asked?.href ?? '',
  );
  const shown = await Promise.all(page.frames().map((each) => each.locator('body').innerText()));
  expect(shown.join()).not.toContain('Allow');
  expect(frame).not.toContain('Allow');
  await page.close();
});

test.each([
  ['v1', v1],
  ['v2', v2(undefined)],
])('the %s client renews its tokens when they have expired', async (_sdk, open) => {
  const provider = newProvider({ document: `${host.url}/client` });
  const session = await open.connect(provider);
  await expect(session.call()).rejects.toThrow();
  const { answer } = await decide(provider.asked ?? new URL('about:blank'), 'Allow');
  await session.finishAuth(answer);
  const before = provider.tokens();
  service.setNow(new Date(Date.now() + 3_601_000));
  expect((await session.call()).structuredContent.results).toMatchObject([{ slug: 'uniswap' }]);
  service.setNow(new Date());
  expect(provider.tokens()).not.toEqual(before);
});
