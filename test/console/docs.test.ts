import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GUIDES } from '../../src/console/docs/guide-list.ts';
import { endpoints } from '../../src/contract/endpoints.ts';
import { ERRORS, SENT } from '../../src/contract/errors.ts';
import { FILTER_NAMES } from '../../src/contract/filters.ts';
import { type Console, startConsole } from '../support/console.ts';
import { runProgram } from '../support/program.ts';

interface Call {
  readonly method?: string;
  readonly secret?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Sent {
  readonly code: string;
  readonly meta: object;
}

let service: Console;
beforeAll(async () => {
  service = await startConsole([], { selling: {} });
});
afterAll(() => service.close());

const textOf = async (path: string): Promise<string> => (await fetch(service.url + path)).text();

describe('GET /docs', () => {
  test('the quick start shows what its call gets from the shipped data', async () => {
    const html = (await textOf('/docs')).replaceAll('&quot;', '"').replaceAll('&amp;', '&');
    expect(html).toContain('<details class="sample" open><summary>Response, 200, with the shipped data');
    const call = /"[^"]*\/api\/v1\/search\?([^"]*)"/.exec(html)?.[1] ?? '';
    const shown = JSON.parse(/id="search-response"><code>([^<]*)</.exec(html)?.[1] ?? '') as { data: unknown };
    const { query = '', ...flags } = Object.fromEntries(new URLSearchParams(call));
    const given = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value]);
    const { stdout } = await runProgram(['search', query, ...given, '--json']);
    expect(shown.data).toEqual(JSON.parse(stdout));
  });

  test('200 for every document, and for all that they link to here', async () => {
    const seen = new Set<string>();
    const waiting = ['/docs'];
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      if (seen.has(path)) continue;
      seen.add(path);
      const response = await fetch(service.url + path, { redirect: 'manual' });
      // The account asks who one is.
      expect([path, response.status]).toEqual([path, path.startsWith('/account') ? 303 : 200]);
      const text = await response.text();
      if (!path.startsWith('/docs')) continue;
      waiting.push(
        ...[...text.matchAll(/href="(\/[^"#]*)/g)].map((match) => (match[1] ?? '').replaceAll('&amp;', '&')),
      );
    }
    expect([...seen].filter((path) => path.startsWith('/docs')).length).toBe(
      9 + GUIDES.length + Object.keys(ERRORS).length,
    );
  });

  test('lists the headings of a long page, each with its place', async () => {
    const html = await textOf('/docs/search');
    const listed = [...html.matchAll(/<a href="#([\w-]+)">([^<]+)<\/a>/g)].map(([, id, text]) => [id, text]);
    expect(listed.slice(-6)).toEqual([
      ['search', 'Search'],
      ['filters', 'Filters'],
      ['aggregates', 'Aggregates'],
      ['connections', 'Connections'],
      ['records', 'Records'],
      ['writing', 'Writing'],
    ]);
    for (const [id, text] of listed.slice(-6)) expect(html).toContain(`<h2 id="${id}">${text}</h2>`);
    expect(await textOf('/docs/limits')).not.toContain('On this page');
  });

  test('lists each filter once, below what it asks about', async () => {
    const tables = (await textOf('/docs/search')).matchAll(
      /<h3>([^<]+)<\/h3><section class="table" aria-label="\1".*?<\/table>/gs,
    );
    const groups = [...tables].map(([table, group]) => [
      group,
      [...table.matchAll(/<code>(\w+)=/g)].map(([, name]) => name),
    ]);
    expect(groups.flatMap(([, names]) => names).toSorted()).toEqual(FILTER_NAMES.toSorted());
    expect(Object.fromEntries(groups)).toMatchObject({
      'Who is involved (a name, slug or id)': ['company', 'investor', 'led', 'founder', 'event', 'acquirer'],
      Others: ['employees_min', 'employees_max', 'stale', 'verified', 'sourced'],
    });
  });

  test('says that a search reads questions, and where its answer says how', async () => {
    const html = await textOf('/docs/search');
    expect(html).toMatch(
      /a topic or a whole question\..*<code>understood<\/code>.*<code>answer<\/code> has the figures of/s,
    );
  });

  test('asks for rounds with a funding stage, so that a call and its page count the same', async () => {
    const [, table = ''] = /aria-label="Examples".*?<tbody>(.*?)<\/tbody>/s.exec(await textOf('/docs/search')) ?? [];
    const texts = table.split('</td>').map((cell) => cell.replaceAll(/<[^>]*>/g, '').replaceAll('&amp;', '&'));
    const calls = texts.filter((text) => text.includes('=rounds&'));
    expect(calls.length).toBe(4);
    for (const call of calls) expect(call).toContain('&funding_stage=');
  });

  test('names no column of a phone before texts that begin with its word', async () => {
    expect(await textOf('/docs/mcp')).not.toContain('data-label="For"');
  });

  test('lists the errors in the order of their statuses', async () => {
    const rows = (await textOf('/docs/errors')).matchAll(/<span class="badge[^"]*">(\d{3})</g);
    const statuses = [...rows].map(([, status]) => Number(status));
    expect(statuses.length).toBe(Object.keys(ERRORS).length);
    expect(statuses).toEqual(statuses.toSorted((one, other) => one - other));
  });

  test('explains every error code, and errors of the API lead there', async () => {
    for (const code of Object.keys(ERRORS)) {
      const text = await textOf(`/docs/errors/${code}`);
      expect(text).toContain('Remedy');
      expect(text.includes('<h2>Example</h2>'), code).toBe(code in SENT);
      expect(text).not.toContain('next six');
    }
    const refused = await fetch(`${service.url}/api/v1/companies`);
    const { code, docs } = (await refused.json()) as { code: string; docs: string };
    expect([code, docs]).toEqual(['unauthenticated', `${service.url}/docs/errors/unauthenticated`]);
    expect((await fetch(docs)).status).toBe(200);
    const unknown = `${service.url}/docs/errors/nothing`;
    expect(await (await fetch(unknown)).json()).toMatchObject({ code: 'not_found' });
    const page = await fetch(unknown, { headers: { accept: 'text/html' } });
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect(await page.text()).toMatch(/href="\/docs\/errors"[^>]*>All errors</);
  });

  test('shows each error as the service sends it', async () => {
    const { store } = service;
    await store.accounts.create('examples', 'api_access');
    await store.accounts.create('planless', 'none');
    const made = { name: 'example', level: 'delete', allowed_cidrs: [], expires_at: null } as const;
    const keyOf = async (more: object = {}) =>
      (await store.keys.create({ account: 'examples', ...made, ...more })).secret;
    const key = await keyOf();
    const call = async (path: string, { secret = key, body, headers = {}, method }: Call = {}): Promise<Sent> => {
      const given = { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json', ...headers };
      const response = await fetch(service.url + path, {
        method: method ?? (body ? 'POST' : 'GET'),
        headers: given,
        ...(body && { body }),
      });
      return (await response.json()) as Sent;
    };
    const at = '/api/v1/companies';
    await call(at, { body: '{"name": "Acme"}', headers: { 'Idempotency-Key': 'once' } });
    const sent = [
      await call(`${at}?limit=500`),
      await call('/api/v1/connections?from=Acme'),
      await call(at, { body: '{' }),
      await call(at, { headers: { Authorization: '' } }),
      await call(at, { secret: `mk_${'x'.repeat(43)}` }),
      await call(at, { secret: await keyOf({ account: 'planless' }) }),
      await call(at, { secret: await keyOf({ allowed_cidrs: ['10.0.0.0/8'] }) }),
      await call(at, { secret: await keyOf({ level: 'read' }), body: '{"name": "Beta"}' }),
      await call(`${at}/1234567`),
      await call('/api/v1/search', { method: 'POST', body: '{}' }),
      await call(`${at}/acme`, { headers: { Accept: 'image/png' } }),
      await call(`${at}/acme/restore`, { method: 'POST' }),
      await call(`${at}/acme`, { method: 'PATCH', body: '{"city": "Rome"}', headers: { 'If-Match': '"9"' } }),
      await call(at, { body: JSON.stringify({ name: 'x'.repeat(300_000) }) }),
      await call(`${at}?query=${'x'.repeat(9000)}`),
      await call(at, { body: 'x', headers: { 'Content-Type': 'text/plain' } }),
      await call(at, { body: '{"name": "Other"}', headers: { 'Idempotency-Key': 'once' } }),
    ];
    expect(sent.map(({ code }) => code)).toEqual([
      ...['invalid_parameter', 'missing_parameter', 'malformed_request', 'unauthenticated', 'invalid_key'],
      ...['plan_required', 'address_not_allowed', 'forbidden', 'not_found', 'method_not_allowed', 'not_acceptable'],
      ...['not_deleted', 'precondition_failed', 'payload_too_large', 'uri_too_long', 'unsupported_media_type'],
      'idempotency_mismatch',
    ]);
    for (const { meta: _, ...body } of sent) {
      const html = (await textOf(`/docs/errors/${body.code}`)).replaceAll('&quot;', '"').replaceAll('&amp;', '&');
      const { meta: _meta, ...shown } = JSON.parse(/id="body"><code>([^<]*)</.exec(html)?.[1] ?? '{}') as Sent;
      expect(shown).toEqual(body);
    }
    const bare = await call('/api/v1/search?query=acme', { secret: 'mk_none' });
    for (const code of ['unauthenticated', 'invalid_key', 'key_expired', 'key_revoked']) {
      const html = (await textOf(`/docs/errors/${code}`)).replaceAll('&quot;', '"');
      expect(JSON.parse(/id="bare"><code>([^<]*)</.exec(html)?.[1] ?? '{}')).toEqual(bare);
    }
  });

  test('has every endpoint, with samples in three languages', async () => {
    const text = await textOf('/docs/reference');
    for (const { name } of endpoints) expect(text).toContain(`id="${name}"`);
    const start = await textOf('/docs');
    for (const language of ['curl', 'JavaScript', 'Python']) expect(start).toContain(language);
  });

  test('starts the program of its own machine in all that is to be copied there, and the package elsewhere', async () => {
    const program = ['node', '/home/a b/dist/main.js'];
    const own = await startConsole([], { program, publicPages: true, selling: {} });
    const at = async ({ url }: Console, path: string) =>
      (await (await fetch(url + path, { headers: { Accept: 'text/html' } })).text()).replaceAll('&quot;', '"');
    for (const path of ['/', '/docs', '/docs/mcp', '/docs/guides/hosts']) {
      const here = await at(own, path);
      expect(here, path).toMatch(/"command": "node",\s+"args": \["\/home\/a b\/dist\/main\.js", "mcp"\]/);
      expect(here, path).not.toMatch(/"npx"|npx -y|Not on npm/);
      expect(await at(service, path), path).not.toContain('/home/a b');
    }
    const hosts = await at(own, '/docs/guides/hosts');
    expect(hosts).toContain("claude mcp add web3-bi -- node '/home/a b/dist/main.js' mcp\n");
    const [inBase64 = '', inPercent = ''] = hosts.match(/(?<=;config=)[^"]+/g) ?? [];
    const started = { command: 'node', args: ['/home/a b/dist/main.js', 'mcp'] };
    expect(JSON.parse(Buffer.from(decodeURIComponent(inBase64), 'base64').toString())).toEqual(started);
    expect(JSON.parse(decodeURIComponent(inPercent))).toEqual({ type: 'stdio', ...started });
    expect(await at(own, '/docs/guides/operations')).toContain("node '/home/a b/dist/main.js' serve --workers 2\n");
    expect(await at(own, '/account/sign-in')).toContain("node '/home/a b/dist/main.js' account invite NAME");
    expect(await at(service, '/docs')).toMatch(/"command": "npx",\s+"args": \["-y", "web3-bi-mcp", "mcp"\]/);
    const operator = await own.person({ account: 'operator' });
    const { text } = await operator.get('/account/plan');
    expect(text).not.toContain('Not on npm');
    // What is read, not copied, names the command alone.
    const imported = await operator.get('/account/import');
    expect(imported.text).toContain('larger files with the command <code>web3-bi import</code>');
    expect(imported.text).not.toContain('/home/a b');
    await own.close();
  });

  test('finds guides, headings, endpoints, parameters and errors by their words', async () => {
    const find = async (query: string) => {
      const html = await textOf(`/docs/find?${new URLSearchParams({ query })}`);
      expect(Buffer.byteLength(html)).toBeLessThan(30_000);
      const found = [...html.matchAll(/<h2><a href="([^"]*)".*?<p class="muted">(.*?)<\/p>/gs)];
      return { html, links: found.map(([, href]) => href), excerpts: found.map(([, , text = '']) => text) };
    };
    expect((await find('valuation_min')).links).toContain('/docs/search#filters');
    expect((await find('Rate limits')).links[0]).toBe('/docs/guides/rest#rate-limits');
    expect((await find('plan_required')).links[0]).toBe('/docs/errors/plan_required');
    expect((await find('/api/v1/aggregate')).links).toContain('/docs/reference#aggregate');
    expect((await find('goose zed')).html).toContain('with “goose zed”');
    expect((await find('idempotency zzyzx')).html).toContain('with some words of “idempotency zzyzx”, the best first');
    const many = await find('rounds');
    expect(many.links).toHaveLength(20);
    expect(many.html).toMatch(/The best 20 of (?:2[1-9]|[3-9]\d) parts with “rounds”\./);
    // Of a question, the words of what is looked for; of these, the rarest.
    const paging = await find('How do I paginate?');
    expect(paging.links[0]).toBe('/docs/guides/rest#parameters');
    expect(paging.excerpts[0]).toContain('page: Page, from 1.');
    for (const [question, link] of [
      ['how do I get an API key', '/docs#key'],
      // A title that is what is looked for outweighs a row that has its words.
      ['claude desktop', '/docs/guides/hosts#claude-desktop-by-a-click'],
      // A question for the meaning of a word, or the word itself, whatever else has it.
      ['what counts as VC', '/docs/guides/questions#glossary'],
      ['VCs', '/docs/guides/questions#glossary'],
      ['what is a fund', '/docs/guides/questions#glossary'],
      ['what does focus mean', '/docs/guides/questions#glossary'],
      ['deal', '/docs/guides/questions#glossary'],
      ['what is a lead investor', '/docs/guides/questions#glossary'],
      ['what is unsourced', '/docs/guides/questions#glossary'],
      ['†', '/docs/guides/questions#glossary'],
      ['known funding', '/docs/guides/questions#glossary'],
      ['self host docker', '/docs/guides/operations#docker'],
      ['run it in a container', '/docs/guides/operations#docker'],
      // A title with the word itself outweighs one with a longer word, as of the error `payment_refused`.
      ['how do I pay', '/docs/x402'],
      ['pricing', '/docs/guides/wallet-and-payments#what-is-sold'],
      ['how much does it cost', '/docs/guides/wallet-and-payments#what-is-sold'],
      // What many parts have is not required beside a rarer word.
      ['import my own data', '/docs/guides/import-and-export#export-and-the-shipped-data'],
    ] as const)
      expect((await find(question)).links[0], question).toBe(link);
    // What defines a word comes first, and says what it means; no excerpt has code or the output of a command.
    const unsourced = await find('unsourced');
    expect(unsourced.links.slice(0, 2)).toEqual(['/docs/guides/questions#glossary', '/docs/guides/records']);
    expect(unsourced.excerpts[0]).toContain('unsourced, †: stated by the editors of the data set alone');
    expect(unsourced.excerpts[1]).toContain('unsourced: True when only the editors');
    expect((await find('what counts as VC')).excerpts[0]).toContain(
      'the venture arm of a corporation, or the arm of an',
    );
    for (const excerpt of unsourced.excerpts) expect(excerpt).not.toMatch(/YEAR|[{}]|&quot;:/);
    // What a program has to know of CSV, and which limits no setting changes.
    const guarded = await find('spreadsheet formula apostrophe');
    expect(guarded.links).toContain('/docs/guides/rest#filters');
    expect(guarded.excerpts.join(' ')).toContain('begins with an apostrophe, as');
    const burst = await find('WEB3_BI_BURST_PER_SECOND');
    expect(burst.links[0]).toBe('/docs/guides/settings');
    expect(burst.excerpts[0]).toContain('but not those of pages.');
    const none = await find('<zzyzx>');
    expect(none.links).toEqual([]);
    expect(none.html).toContain('Nothing has “&lt;zzyzx>”.');
    for (const { links } of [await find('backup'), await find('settings')])
      for (const link of links) {
        const [path = '', anchor] = String(link).split('#');
        if (anchor !== undefined) expect(await textOf(path), link).toContain(`id="${anchor}"`);
      }
    expect((await fetch(`${service.url}/docs/find`, { method: 'POST' })).status).toBe(405);
    expect(await textOf('/docs')).toContain('action="/docs/find"');
  });

  test('has the documents of the repository, whose links lead to each other, or to the repository', async () => {
    const list = await textOf('/docs/guides');
    const pages = new Map(
      await Promise.all(GUIDES.map(async (name) => [name, await textOf(`/docs/guides/${name}`)] as const)),
    );
    for (const [name, html] of pages) {
      expect(list).toContain(`href="/docs/guides/${name}"`);
      const main = html.slice(html.indexOf('class="guide"'));
      const links = [...main.matchAll(/<a href="([^"]+)"/g)].map(([, href = '']) => href);
      for (const href of links.filter((each) => !/^https?:/.test(each) && each !== '../errors')) {
        const [to = '', anchor] = href.split('#');
        const target = to === '' ? html : pages.get(to);
        expect(target, `${name}: ${href}`).toBeDefined();
        if (anchor !== undefined) expect(target, `${name}: ${href}`).toContain(`id="${anchor}"`);
      }
      expect(main).not.toMatch(/<!--|generated:|\]\(/);
    }
    expect((await fetch(`${service.url}/docs/guides/none`)).status).toBe(404);
    expect((await fetch(`${service.url}/docs/guides`, { method: 'POST' })).status).toBe(405);
  });

  test('holds nothing that its policy would refuse', async () => {
    const response = await fetch(`${service.url}/docs`);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|\*/);
    expect(response.headers.get('set-cookie')).toBeNull();
    expect(await response.text()).not.toMatch(/<script(?! src=)|\son\w+=|\sstyle=|<style/);
  });

  test.each(['/docs', '/docs/errors/not_found', '/docs/reference', '/assets/swagger-ui.js', '/llms.txt'])(
    '%s is compressed once, and 304 for who has it',
    async (path) => {
      const headers = { 'Accept-Encoding': 'gzip' };
      const first = await fetch(service.url + path, { headers });
      expect(first.headers.get('content-encoding')).toBe('gzip');
      const etag = first.headers.get('etag') ?? '';
      expect(etag).toMatch(/^"[\w-]+"$/);
      await first.arrayBuffer();
      expect((await fetch(service.url + path, { headers: { ...headers, 'If-None-Match': etag } })).status).toBe(304);
    },
  );

  test('405 with Allow for another method', async () => {
    const response = await fetch(`${service.url}/docs`, { method: 'POST' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });
});

test('GET /llms.txt 200 with every endpoint and where to read on', async () => {
  const response = await fetch(`${service.url}/llms.txt`);
  expect(response.headers.get('content-type')).toContain('text/plain');
  const text = await response.text();
  for (const { path, operation } of endpoints) if (operation !== 'openapi') expect(text).toContain(path);
  for (const [, url] of text.matchAll(/\]\((http[^)]+)\)/g))
    expect([url, (await fetch(url ?? '')).status]).toEqual([url, 200]);
});

describe('GET /assets', () => {
  test('200 compressed, and kept by browsers, because its address changes with it', async () => {
    const [, href = ''] = /href="(\/assets\/pages\.css[^"]*)"/.exec(await textOf('/docs')) ?? [];
    const response = await fetch(service.url + href, { headers: { 'Accept-Encoding': 'br' } });
    expect([response.status, response.headers.get('content-encoding')]).toEqual([200, 'br']);
    expect(response.headers.get('cache-control')).toContain('immutable');
    expect(await response.text()).toContain('--accent');
  });

  test.each(['/assets/nope.js', '/assets/..%2Fpackage.json'])('404 for %s', async (path) => {
    expect((await fetch(service.url + path)).status).toBe(404);
  });
});
