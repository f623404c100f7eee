import { Client } from 'pg';
import { afterEach, expect, test } from 'vitest';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import { atOnce } from '../support/at-once.ts';
import { aCompany } from '../support/builders.ts';
import { newBarePostgres, newPostgres } from '../support/databases.ts';
import { execute } from '../support/postgres-cluster.ts';

const LIMIT = 4;

let store: Store;
afterEach(() => store.close());

const searches = (count: number): Promise<readonly number[]> =>
  atOnce(count, async () => {
    const window = { offset: 0, limit: 1 };
    const { total } = await store.records.search({ types: ['companies'], text: 'acme', window });
    return total;
  });

const reads = (count: number): Promise<readonly (string | undefined)[]> =>
  atOnce(count, async () => (await store.records.get('companies', 'acme'))?.slug);

test('a process has no more connections than it may, and what waits for one is counted', async () => {
  const { url } = await newPostgres();
  store = await openStore(url, undefined, { connections: 2 });
  await store.records.putAll([aCompany({ name: 'Acme' })]);
  const answers = reads(20);
  expect(store.status().connections?.primary.waiting).toBe(18);
  expect(await answers).toEqual(Array.from({ length: 20 }, () => 'acme'));
  const { open, waiting } = store.status().connections?.primary ?? {};
  expect([open, waiting]).toEqual([2, 0]);
});

test('when the server has no more connections to give, requests wait for those of their process', async () => {
  const url = await newBarePostgres();
  const { pathname } = new URL(url);
  const role = `few${pathname.slice(1)}`;
  await execute(
    url,
    `CREATE ROLE ${role} LOGIN CONNECTION LIMIT ${LIMIT}; ALTER DATABASE ${pathname.slice(1)} OWNER TO ${role}`,
  );
  const own = Object.assign(new URL(url), { username: role }).href;
  store = await openStore(own);
  await store.records.putAll([aCompany({ name: 'Acme' })]);
  // Another process has what is left but one.
  const others = Array.from({ length: LIMIT - 1 }, () => new Client({ connectionString: own }));
  for (const other of others) await other.connect();
  try {
    expect(await searches(30)).toEqual(Array.from({ length: 30 }, () => 1));
    // One that is still asked for is refused as long as the others have theirs.
    await expect.poll(() => store.status().connections?.primary.open).toBe(1);
  } finally {
    await Promise.all(others.map((other) => other.end()));
  }
});
