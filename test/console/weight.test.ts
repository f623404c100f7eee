import { copyFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { entityOf, RECORD_TYPES } from '../../src/contract/entities/index.ts';
import { type Console, startConsole } from '../support/console.ts';
import { isLong } from '../support/length.ts';
import { PROGRAM, temporaryFolder } from '../support/program.ts';

const BYTES_MAX = 30_000;
/** Values chosen after one another, each on the heaviest page so far. */
const CHOSEN_MAX = isLong ? 6 : 3;

const folder = temporaryFolder();
let service: Console;
beforeAll(async () => {
  const file = join(folder.path, 'shipped.db');
  copyFileSync(join(dirname(PROGRAM), 'shipped.db'), file);
  service = await startConsole([], { database: `sqlite:${file}`, publicPages: true, trustedProxies: ['127.0.0.1'] });
});
afterAll(async () => {
  await service.close();
  folder.remove();
});

let read = 0;

/** Pages are limited for each address. */
async function readPage(path: string): Promise<string> {
  read += 1;
  const headers = { accept: 'text/html', 'x-forwarded-for': `10.0.${read >> 8}.${read & 255}` };
  const response = await fetch(service.url + path, { headers });
  expect(response.status, path).toBe(200);
  return response.text();
}

/** Addresses that choose the first value of each facet, or an alternative to the chosen ones. */
function choicesIn(html: string): readonly string[] {
  const facets = [...html.matchAll(/<section class="facet">.*?<\/section>/gs)];
  return facets.flatMap(([facet]) => {
    const [address] = [...facet.matchAll(/<li><a href="([^"]*)">/g)].map(([, href = '']) =>
      href.replaceAll('&amp;', '&'),
    );
    return address ?? [];
  });
}

test.each(['/', '/search', '/coverage', '/coverage/sources', '/search/aggregate'])(
  '%s is a light page',
  async (path) => {
    expect(Buffer.byteLength(await readPage(path))).toBeLessThanOrEqual(BYTES_MAX);
  },
);

test.each(['sum,count', 'sum', 'median', 'sum,count,median'])(
  'an aggregate of pairs with %s is a light page',
  async (measure) => {
    const html = await readPage(`/search/aggregate?of=rounds&group_by=year,stage&measure=${measure}`);
    expect(Buffer.byteLength(html)).toBeLessThanOrEqual(BYTES_MAX);
  },
);

test('a table of the console is a light page, whatever page of it', async () => {
  const person = await service.person();
  for (const page of [1, 2, 3, 5]) {
    const { text } = await person.get(`/account/data?type=companies&view=table&page=${page}`);
    expect(Buffer.byteLength(text), String(page)).toBeLessThanOrEqual(BYTES_MAX);
  }
});

/** The records of the shipped data with the heaviest pages. */
const RECORDS = [
  ...['companies/morpho', 'companies/uniswap', 'companies/li-fi', 'people/balaji-srinivasan', 'events/devcon-6'],
  ...['investors/blockchain-capital', 'investors/digital-currency-group', 'rounds/morpho-strategic-2024-08-01'],
];

test.each(RECORDS)('/%s is a light page', async (path) => {
  expect(Buffer.byteLength(await readPage(`/${path}`))).toBeLessThanOrEqual(BYTES_MAX);
});

const LISTS = RECORD_TYPES.flatMap((type) => ['cards', 'table'].map((view) => [type, view] as const));

test.each(LISTS)('a list of %s as %s is a light page, whatever is chosen beside it', async (type, view) => {
  let heaviest = { path: `/search?type=${type}&view=${view}`, html: '' };
  heaviest.html = await readPage(heaviest.path);
  for (let chosen = 1; chosen <= CHOSEN_MAX; chosen += 1) {
    const paths = choicesIn(heaviest.html);
    const pages = await Promise.all(paths.map(async (path) => ({ path, html: await readPage(path) })));
    for (const { path, html } of pages) expect(Buffer.byteLength(html), path).toBeLessThanOrEqual(BYTES_MAX);
    const [next] = pages.toSorted((one, other) => other.html.length - one.html.length);
    if (next === undefined) break;
    heaviest = next;
  }
});

test.each(RECORD_TYPES)('a table of %s is a light page, whatever columns are asked for', async (type) => {
  const { shape } = entityOf(type).record;
  for (const columns of [Object.keys(shape), Object.keys(shape).toReversed()]) {
    const path = `/search?type=${type}&view=table&columns=${columns}`;
    const html = await readPage(path);
    expect(Buffer.byteLength(html), path).toBeLessThanOrEqual(BYTES_MAX);
    expect(html).toContain('A table has 8 columns at most');
  }
});
