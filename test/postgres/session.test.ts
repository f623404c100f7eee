import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHANGE_HEADER } from '../../src/contract/changes.ts';
import { NAMED_TYPES } from '../../src/contract/entities/index.ts';
import { rowsOfFolder } from '../../src/store/import/ndjson.ts';
import type { SearchRequest } from '../../src/store/port/records.ts';
import { createRandom } from '../bench/search/random.ts';
import { newPostgres, newSqlite } from '../support/databases.ts';
import { isLong } from '../support/length.ts';
import { startService, type TestService } from '../support/service.ts';

const DATA = join(import.meta.dirname, '..', '..', 'data');
/** What the session asks for by name. */
const ASKED = /uniswap|paradigm|hayden|vitalik|aave|opensea|a16z|coinbase|devcon/i;
/** In a usual run every eighth record of the package, and those of the session. */
const ROWS = [...rowsOfFolder(DATA)].filter(
  ({ input }, index) => isLong || index % 8 === 0 || ASKED.test(String(input.name)),
);

interface Asked {
  readonly method?: string;
  readonly path: string;
  readonly body?: object;
  readonly headers?: Record<string, string>;
}

const search = (query: string): Asked => ({ path: `/api/v1/search?${query}` });
const put = (method: string, path: string, body?: object, headers?: Record<string, string>): Asked => ({
  method,
  path: `/api/v1/${path}`,
  ...(body && { body }),
  ...(headers && { headers }),
});

/** Everything a client does, in the words of the data set that comes with the package. */
const SESSION: readonly Asked[] = [
  ...[
    'uniswap',
    'unsiwap',
    'open sea',
    'a16z',
    'defi lending',
    'uni',
    'chain',
    'protocol',
    'stablecoin issuer',
    'vitalik',
    'devcon',
    'zzqqy',
    'coinbase ventures',
    'nft marketplace on ethereum',
    '%25_\'"',
    'paradim',
    'aave.com',
    'eth',
  ].flatMap((text) => [search(`type=all&query=${text}`), search(`type=companies&query=${text}&page=2&limit=5`)]),
  ...['people', 'investors', 'events'].flatMap((type) => [
    search(`type=${type}&query=`),
    search(`type=${type}&query=capital&sort=name`),
  ]),
  search('type=companies&query=&country=United States&sort=-total_funding_usd'),
  search('type=companies&query=&founded_from=2018&tag=defi&sort=year_founded'),
  search('type=companies&query=exchange&funding_min=1000000'),
  search('type=all&query=labs&sort=-updated_at'),
  search('type=events&query=&starts_after=2024-01-01&sort=start_date'),
  search('type=nothing'),
  search('type=companies&limit=51'),
  ...['companies', 'people', 'investors', 'events'].flatMap((type) => [
    put('GET', type),
    put('GET', `${type}?page=3&limit=7&sort=-name`),
    put('GET', `${type}/1`),
    put('GET', `${type}/999999`),
  ]),
  put('GET', 'companies/uniswap'),
  ...['people', 'investors', 'rounds', 'events'].map((list) => put('GET', `companies/uniswap/${list}`)),
  put('GET', 'investors/paradigm/portfolio'),
  put('POST', 'companies', { name: 'Łódź Labs', tags: ['DeFi'], founders: [{ name: 'Hayden Adams' }] }),
  put('POST', 'companies', { name: 'Łódź Labs' }),
  put('POST', 'companies', { name: 'Other', slug: 'uniswap' }),
  put('POST', 'companies', { id: 7, name: 'X' }),
  put('POST', 'companies', { name: 'Twice' }, { 'Idempotency-Key': 'k' }),
  put('POST', 'companies', { name: 'Twice' }, { 'Idempotency-Key': 'k' }),
  put('POST', 'companies', { name: 'Thrice' }, { 'Idempotency-Key': 'k' }),
  put('PATCH', 'companies/lodz-labs', { tagline: 'Lends', slug: 'lodz' }),
  put('PATCH', 'companies/lodz', { tagline: 'Later' }, { 'If-Match': '"r1"' }),
  put('GET', 'companies/lodz-labs'),
  search('type=all&query=lodz'),
  put('PUT', 'companies/lodz', { name: 'Łódź' }),
  put('DELETE', 'companies/lodz'),
  put('DELETE', 'companies/lodz'),
  put('GET', 'companies/lodz?include_deleted=true'),
  search('type=all&query=lodz'),
  put('POST', 'companies/lodz/restore'),
  put('POST', 'companies/lodz/restore'),
  put('DELETE', 'companies/uniswap'),
  search('type=people&query=hayden adams'),
  put('GET', 'people/hayden-adams'),
  put('GET', 'companies?founded_from=2018&limit=3'),
  put('GET', 'usage'),
];

const QUESTIONS = isLong ? 2_000 : 30;
const SEED = 21;
const TYPES = [['companies'], ['people'], ['investors'], ['events'], ['rounds'], NAMED_TYPES] as const;

type Ask = (name: string, other: string) => string;
const FORMS: readonly Ask[] = [
  (name) => name,
  (name) => name.slice(0, 3 + (name.length % 4)),
  (name) => name.split(' ').reverse().join(' '),
  (name) => name.slice(0, -2) + name.slice(-1),
  (name, other) => `${name} ${other}`,
  (name) => `rounds of ${name}`,
  (name) => `who invested in ${name}`,
  (name, other) => `companies backed by ${name} but not ${other}`,
  (name) => `who founded ${name}`,
  (name) => `alternatives to ${name}`,
  (name, other) => `how are ${name} and ${other} connected`,
  (name) => `largest rounds led by ${name} since 2021`,
];

/** Questions that the names of records make, the same in each run. */
function questionsAbout(names: readonly string[]): SearchRequest[] {
  const random = createRandom(SEED);
  return Array.from({ length: QUESTIONS }, () => ({
    types: random.pick(TYPES),
    text: random.pick(FORMS)(random.pick(names), random.pick(names)),
    window: { offset: random.pick([0, 0, 10]), limit: 10 },
  }));
}

describe('one session over both engines', () => {
  let services: { sqlite: TestService; postgres: TestService };
  let keys: { sqlite: string; postgres: string };
  beforeAll(async () => {
    const sqlite = await startService([], { database: (await newSqlite()).url });
    const postgres = await startService([], { database: (await newPostgres()).url });
    services = { sqlite, postgres };
    for (const { store } of [sqlite, postgres]) await store.records.fillOnce(() => ROWS);
    const level = { level: 'delete', plan: 'enterprise' } as const;
    keys = { sqlite: await sqlite.newKey(level), postgres: await postgres.newKey(level) };
  }, 240_000);
  afterAll(async () => {
    await services.sqlite.close();
    await services.postgres.close();
  });

  const ask = async (engine: 'sqlite' | 'postgres', { method = 'GET', path, body, headers }: Asked) => {
    const response = await fetch(services[engine].url + path, {
      method,
      headers: { Authorization: `Bearer ${keys[engine]}`, 'Content-Type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    // A hint of what is nearest waits for no change; a vocabulary does.
    const position = response.headers.get(CHANGE_HEADER);
    if (position !== null) await services[engine].store.records.vocabulary(Number(position));
    // What is another in each answer.
    const text = (await response.text()).replaceAll(/"(requestId|display)":"[^"]*"/g, '"$1":""');
    const told = [...response.headers].filter(([name]) => /^(etag|location|x-ratelimit|retry|allow)/.test(name));
    return {
      asked: `${method} ${path}`,
      status: response.status,
      headers: Object.fromEntries(told),
      body: JSON.parse(text),
    };
  };

  test(`answers ${QUESTIONS} generated questions alike`, { timeout: 500_000 }, async () => {
    const names = ROWS.filter(({ type }) => type !== 'rounds').map(({ input }) => String(input.name));
    for (const question of questionsAbout(names)) {
      const found = await services.postgres.store.records.search(question);
      expect(found, question.text).toEqual(await services.sqlite.store.records.search(question));
    }
  });

  test('gives the same statuses, bodies and order', async () => {
    const [postgres, sqlite]: [unknown[], unknown[]] = [[], []];
    for (const asked of SESSION) {
      postgres.push(await ask('postgres', asked));
      sqlite.push(await ask('sqlite', asked));
    }
    expect(postgres).toEqual(sqlite);
  });
});
