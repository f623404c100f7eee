import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startService, type TestService } from '../support/service.ts';

const docsFolder = join(import.meta.dirname, '..', '..', 'dist', 'docs');

let service: TestService;
let html: string;
beforeAll(async () => {
  service = await startService([], { docsFolder });
  html = await (await fetch(`${service.url}/docs/try`)).text();
});
afterAll(() => service.close());

const addressesIn = (text: string): string[] =>
  [...text.matchAll(/\b(?:src|href|data-openapi|action)="([^"]+)"/g)].map((match) => match[1] ?? '');

describe('GET /docs/try', () => {
  test('200 with a page that has a title and a language', async () => {
    const response = await fetch(`${service.url}/docs/try`, { redirect: 'error' });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(html).toMatch(/<html lang="en">[\s\S]*<title>web3-bi API console<\/title>/);
  });

  test('200 with a slash behind it, too', async () => {
    expect(await (await fetch(`${service.url}/docs/try/`)).text()).toBe(html);
  });

  test('200 at every address of the page, and all of them are local', async () => {
    const addresses = addressesIn(html).filter((address) => !address.startsWith('data:'));
    expect(addresses).toEqual([
      '/docs/swagger-ui.css',
      '/api/v1/openapi.json',
      '/api/v1/openapi.json',
      '/docs/swagger-ui-bundle.js',
      '/docs/start.js',
    ]);
    for (const address of addresses) {
      const response = await fetch(service.url + address);
      expect([address, response.status]).toEqual([address, 200]);
      expect(response.headers.get('content-type')).toMatch(/css|json|javascript/);
      await response.arrayBuffer();
    }
  });

  test('names no other host, in the page or its own script and styles', async () => {
    const own = await Promise.all(
      ['/docs/try', '/docs/start.js', '/docs/swagger-ui.css'].map(async (path) =>
        (await fetch(service.url + path)).text(),
      ),
    );
    // A name space of SVG is no address that is fetched.
    const foreign = own.flatMap((text) => text.match(/(?:https?:)?\/\/[a-z0-9.-]+\.[a-z]+[^\s"')]*/gi) ?? []);
    expect(foreign.filter((address) => !address.startsWith('http://www.w3.org/'))).toEqual([]);
    expect(own.join('')).not.toContain('sourceMappingURL');
  });

  test('lets a browser run only our own files', async () => {
    const policy = (await fetch(`${service.url}/docs/try`)).headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|\*/);
    // The page itself holds no script, handler or style that the policy would refuse.
    expect(html).not.toMatch(/<script(?! src=)|\son\w+=|\sstyle=|<style/);
  });

  test('stays below the path of the public address', async () => {
    const below = await startService([], { docsFolder, publicUrl: 'https://example.com/bi/' });
    const page = await (await fetch(`${below.url}/docs/try`)).text();
    const addresses = addressesIn(page).filter((address) => !address.startsWith('data:'));
    expect(addresses.filter((address) => !address.startsWith('/bi/'))).toEqual([]);
    await below.close();
  });

  test.each(['/docs/../package.json', '/docs/%2e%2e/main.js', '/docs/nope.js'])('404 for %s', async (path) => {
    const response = await fetch(service.url + path);
    expect([response.status, await response.json()]).toMatchObject([404, { code: 'not_found' }]);
  });

  test('404 where the service has no page', async () => {
    const bare = await startService();
    expect((await fetch(`${bare.url}/docs/try`)).status).toBe(404);
    await bare.close();
  });

  test('405 with Allow for another method', async () => {
    const response = await fetch(`${service.url}/docs/try`, { method: 'POST' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });
});
