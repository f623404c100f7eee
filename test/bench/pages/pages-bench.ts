import type { LoggedRequest } from '../../../src/store/port/request-log.ts';
import { startConsole, type Visitor } from '../../support/console.ts';
import { createSynthetic } from '../search/synthetic.ts';

const RECORDS = 100_000;
const REQUESTS = 1_000_000;
const BATCH = 2_000;
const LOG_BATCH = 10_000;
const RUNS = 15;
/** Of a public page, after the first. */
const PUBLIC_RUNS = 200;
const SEED = 1;
const DAY_MS = 24 * 3_600_000;

/** The page that does nothing but show who one is, which all others are compared to. */
const PLAIN = '/account/profile';
const PAGES = [
  '/account',
  '/account/keys',
  '/account/keys/1',
  '/account/usage',
  '/account/requests',
  '/account/requests?status=5',
  '/account/requests?key=2&status=4',
  '/account/audit',
  '/account/payments',
  '/account/data?type=all',
  '/account/data/companies/1',
  '/account/data/aggregate?of=companies&group_by=tag',
];
/** For everybody. One address may open 120 pages a minute, so each request comes from another one. */
const PUBLIC_PAGES = [
  '/search',
  '/search?type=companies',
  '/search?type=companies&view=table&sort=name',
  '/search/aggregate?of=companies&group_by=tag',
  '/coverage',
  '/companies/1',
  // The tags of the first record.
  '/search?type=companies&tag=TAGS&sort=-updated_at',
];

/** How long pages take with many records and a long log, and what one entry of the log costs. */
export async function pagesBench(words: readonly string[]): Promise<object> {
  const records = Number(words[0] ?? RECORDS);
  const logged = Number(words[1] ?? REQUESTS);
  const service = await startConsole([], { publicPages: true, trustedProxies: ['loopback'] });
  await service.store.accounts.create('bench', 'api_access');
  for (let key = 0; key < 5; key += 1) {
    const given = { account: 'bench', name: `key ${key}`, level: 'read', expires_at: null } as const;
    await service.store.keys.create(given);
  }
  await addRecords(service.store.records.putAll, records);
  const microsPerEntry = await addRequests((some) => service.store.requests.add(some), logged);
  // After the long writes, in which a connection would have been closed for being idle.
  const owner = await service.person({ account: 'bench' });
  const plain = await measure(owner, PLAIN);
  const pages = [];
  const slug = (JSON.parse((await service.store.records.get('companies', '1'))?.json ?? '{}') as { slug: string }).slug;
  const [tagged] = createSynthetic(SEED).documents(1);
  const tags = encodeURIComponent(tagged?.keywords.join('|') ?? '');
  const open = PUBLIC_PAGES.map((path) => path.replace('/companies/1', `/companies/${slug}`).replace('TAGS', tags));
  for (const path of [...PAGES, ...queriesOf(records)]) pages.push({ path, ...(await measure(owner, path)) });
  const publicPages = [];
  for (const path of open) publicPages.push({ path, ...(await measurePublic(service.url + path)) });
  await service.close();
  console.table(pages);
  console.table(publicPages);
  return {
    records,
    logged,
    microsPerEntry,
    plain,
    pages: pages.map((one) => ({ ...one, toPlain: one.median / plain.median })),
    publicPages: publicPages.map((one) => ({ ...one, toPlain: one.median / plain.median })),
  };
}

async function addRecords(putAll: (rows: never[]) => Promise<unknown>, count: number): Promise<void> {
  let rows = [];
  for (const { names, slug, keywords, overview } of createSynthetic(SEED).documents(count)) {
    const [name = ''] = names;
    rows.push({ type: 'companies', input: { name, slug: `${slug}-x`.toLowerCase(), tags: keywords, overview } });
    if (rows.length < BATCH) continue;
    await putAll(rows as never[]);
    rows = [];
  }
  await putAll(rows as never[]);
}

async function addRequests(add: (some: LoggedRequest[]) => Promise<void>, count: number): Promise<number> {
  const now = Date.now();
  const statuses = [200, 200, 200, 200, 200, 200, 304, 400, 404, 429];
  const startedAt = performance.now();
  for (let start = 0; start < count; start += LOG_BATCH) {
    const some = Array.from({ length: Math.min(LOG_BATCH, count - start) }, (_, offset): LoggedRequest => {
      const index = start + offset;
      return {
        at: new Date(now - 29 * DAY_MS * (1 - index / count)),
        keyId: 1 + (index % 5),
        requestId: `req_${index}`,
        method: 'GET',
        route: '/api/v1/search',
        status: index % 100_000 === 0 ? 500 : (statuses[index % 10] ?? 200),
        ms: index % 20,
        code: null,
        address: '203.0.113.7',
      };
    });
    await add(some);
  }
  return Math.round(((performance.now() - startedAt) * 1_000) / count);
}

function queriesOf(records: number): string[] {
  const { rare, common, typo } = createSynthetic(SEED).queries(1, records);
  return [rare, common, typo].map(([query = '']) => `/account/data?type=companies&query=${encodeURIComponent(query)}`);
}

async function measure(owner: Visitor, path: string): Promise<{ median: number; worst: number; bytes: number }> {
  const times = [];
  let bytes = 0;
  for (let run = 0; run < RUNS; run += 1) {
    const startedAt = performance.now();
    const { status, text } = await owner.get(path);
    if (status !== 200) throw new Error(`${path} answered ${status}`);
    times.push(performance.now() - startedAt);
    bytes = Buffer.byteLength(text);
  }
  times.sort((a, b) => a - b);
  return { median: round(times[Math.floor(RUNS / 2)] ?? 0), worst: round(times.at(-1) ?? 0), bytes };
}

const round = (value: number): number => Math.round(value * 10) / 10;

/** Milliseconds of the first request, which may compute what the others reuse, and of those after it. */
async function measurePublic(url: string) {
  const times = [];
  let bytes = 0;
  for (let run = 0; run <= PUBLIC_RUNS; run += 1) {
    const startedAt = performance.now();
    const headers = { accept: 'text/html', 'x-forwarded-for': `198.51.100.${run}` };
    const response = await fetch(url, { headers });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${url} answered ${response.status}`);
    times.push(performance.now() - startedAt);
    bytes = Buffer.byteLength(text);
  }
  const [first = 0, ...others] = times;
  others.sort((a, b) => a - b);
  const at = (share: number): number => round(others[Math.floor((PUBLIC_RUNS - 1) * share)] ?? 0);
  return { first: round(first), median: at(0.5), p99: at(0.99), bytes };
}
