import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStore } from '../../src/store/open.ts';
import { isLong } from '../support/length.ts';
import { type Cluster, findPostgres, startCluster } from '../support/postgres-cluster.ts';
import { type Running, startProgram } from '../support/program.ts';

const OUTAGE_SECONDS = isLong ? 10 : 4;
const CLIENTS = 4;

let cluster: Cluster;
let service: Running;
let secret: string;
beforeAll(async () => {
  // With the disk waited for, as it is where records matter.
  cluster = await startCluster(findPostgres(), []);
  const url = cluster.url('postgres');
  const store = await openStore(url);
  await store.accounts.create('acme', 'enterprise');
  ({ secret } = await store.keys.create({ account: 'acme', name: 'n', level: 'write', expires_at: null }));
  await store.close();
  const words = ['serve', '--database', url, '--data', 'none', '--port', '0'];
  service = await startProgram(words, { WEB3_BI_BURST_PER_SECOND: '0', WEB3_BI_LOG_LEVEL: 'silent' });
});
afterAll(async () => {
  await service.stop();
  await cluster.remove();
});

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

test(`PostgreSQL that stops for ${OUTAGE_SECONDS} s under load: 503 meanwhile, then everything as before, and no write is lost`, async () => {
  const acknowledged: string[] = [];
  const refused: (readonly [number, string | null])[] = [];
  let isOver = false;
  const client = async (number: number): Promise<void> => {
    for (let index = 0; !isOver; index += 1) {
      const slug = `firm-${number}-${index}`;
      const response = await fetch(`${service.url}/api/v1/companies`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ name: slug, slug }),
      });
      await response.arrayBuffer();
      if (response.status === 201) acknowledged.push(slug);
      else refused.push([response.status, response.headers.get('retry-after')]);
      const found = await fetch(`${service.url}/api/v1/search?type=companies&query=firm`, {
        headers: { Authorization: `Bearer ${secret}` },
      });
      await found.arrayBuffer();
      if (found.status !== 200) refused.push([found.status, found.headers.get('retry-after')]);
      // One refusal is like the next, and each costs as much as a write.
      await pause(response.status === 201 ? 20 : 100);
    }
  };
  const health = async () => (await fetch(`${service.url}/api/health`)).status;
  const clients = Array.from({ length: CLIENTS }, (_, number) => client(number));
  while (acknowledged.length < 20) await pause(20);
  await cluster.stop();
  await pause(1_000 * OUTAGE_SECONDS);
  expect(await health()).toBe(503);
  expect(refused.length).toBeGreaterThan(0);
  const before = acknowledged.length;
  await cluster.start();
  while (acknowledged.length < before + 20) await pause(20);
  isOver = true;
  await Promise.all(clients);
  // What it found a moment ago is kept for as long.
  while ((await health()) !== 200) await pause(20);
  // Only the response with Retry-After.
  expect([...new Set(refused.map((answer) => answer.join(' ')))]).toEqual(['503 5']);
  const store = await openStore(cluster.url('postgres'));
  const kept = new Set<string>();
  for await (const json of store.records.walk('companies')) kept.add((JSON.parse(json) as { slug: string }).slug);
  await store.close();
  expect(acknowledged.filter((slug) => !kept.has(slug))).toEqual([]);
});
