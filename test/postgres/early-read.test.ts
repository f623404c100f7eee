import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { aCompany } from '../support/builders.ts';
import { newPostgres } from '../support/databases.ts';
import { startService, type TestService } from '../support/service.ts';

const events = new EventTarget();
let isCountHeld = false;
let searches = 0;

/** A store that tells of searches, and whose counts end after the search of the request while they are held. */
const watched = (store: Store): Store => ({
  ...store,
  records: {
    ...store.records,
    search: async (request) => {
      searches += 1;
      const found = await store.records.search(request);
      events.dispatchEvent(new Event('search'));
      return found;
    },
  },
  usage: {
    ...store.usage,
    take: async (...given) => {
      if (isCountHeld) await once(events, 'search');
      return store.usage.take(...given);
    },
  },
});

let service: TestService;
let key: string;
beforeEach(async () => {
  isCountHeld = false;
  searches = 0;
  service = await startService([aCompany()], { database: (await newPostgres()).url, around: watched });
  await service.store.accounts.create('limited', 'enterprise', { daily: 4, monthly: null });
  key = (await service.store.keys.create({ account: 'limited', name: 'test', level: 'write', expires_at: null }))
    .secret;
});
afterEach(() => service.close());

const ask = async (query = 'acme', init: RequestInit = {}) => {
  const path = init.method === 'POST' ? 'companies' : `search?type=companies&query=${query}`;
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const response = await fetch(`${service.url}/api/v1/${path}`, { ...init, headers });
  const { data } = (await response.json()) as { data?: { totalResults: number } };
  return data?.totalResults ?? response.status;
};

test('a search of a known key is read while its request is counted', async () => {
  // The second use of a key has its first one on record.
  expect([await ask(), await ask()]).toEqual([1, 1]);
  isCountHeld = true;
  expect(await ask()).toBe(1);
  expect(searches).toBe(3);
});

test('a search is read again if the key has written since', async () => {
  expect([await ask(), await ask()]).toEqual([1, 1]);
  expect(await ask('', { method: 'POST', body: JSON.stringify({ name: 'Acme Two' }) })).toBe(201);
  isCountHeld = true;
  expect(await ask()).toBe(2);
  expect(searches).toBe(4);
});

test('a refused request is answered before it is read, except the first', async () => {
  const answers = [];
  for (let count = 0; count < 8; count += 1) answers.push(await ask());
  expect(answers).toEqual([1, 1, 1, 1, 429, 429, 429, 429]);
  expect(searches).toBe(5);
});
