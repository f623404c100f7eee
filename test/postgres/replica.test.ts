import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import { aCompany } from '../support/builders.ts';
import { type Cluster, execute, findPostgres, startCluster, startReplica } from '../support/postgres-cluster.ts';
import { type Running, startProgram } from '../support/program.ts';

const TRIES_MAX = 500;
const LAG_MAX_SECONDS = 2;

let primary: Cluster;
let replica: Cluster;
let store: Store;
let service: Running;
beforeAll(async () => {
  primary = await startCluster(findPostgres());
  replica = await startReplica(findPostgres(), primary);
  store = await openStore(primary.url('postgres'));
  await store.records.putAll([aCompany({ name: 'Acme' })]);
  await store.accounts.create('acme', 'enterprise');
  service = await serve();
});
afterAll(async () => {
  await service.stop();
  await store.close();
  await replica.remove();
  await primary.remove();
});

const serve = (more: Record<string, string> = {}): Promise<Running> =>
  startProgram(['serve', '--database', primary.url('postgres'), '--data', 'none', '--port', '0'], {
    ...{ WEB3_BI_DATABASE_READ_URL: replica.url('postgres'), WEB3_BI_BURST_PER_SECOND: '0', ...more },
  });
const newKey = () => store.keys.create({ account: 'acme', name: 'test', level: 'write', expires_at: null });
interface Asked extends RequestInit {
  readonly of?: Running;
}
const ask = (path: string, secret: string, { of = service, ...init }: Asked = {}) =>
  fetch(of.url + path, {
    ...init,
    headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
  });
const post = (secret: string, name: string, of = service) =>
  ask('/api/v1/companies', secret, { of, method: 'POST', body: JSON.stringify({ name }) });

/** Asks again until the replica shows it. */
async function shown(path: string, secret: string, of = service): Promise<Response> {
  for (let tries = 1; ; tries += 1) {
    const response = await ask(path, secret, { of });
    if (response.status === 200 || tries === TRIES_MAX) return response;
    await response.arrayBuffer();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

test('records are read from the replica, and everything else from where it is written', async () => {
  const { id, secret } = await newKey();
  expect((await shown('/api/v1/companies/acme', secret)).status).toBe(200);
  await execute(replica.url('postgres'), 'SELECT pg_wal_replay_pause()');
  expect((await post(secret, 'Later')).status).toBe(201);
  expect((await post(secret, 'Later')).headers.get('location')).toBe('/api/v1/companies/later-2');
  expect((await ask('/api/v1/companies/later', secret)).status).toBe(404);
  // What is searched follows what is written, not the replica.
  const { data } = (await (await ask('/api/v1/search?type=companies&query=later', secret)).json()) as Searched;
  expect(data.totalResults).toBe(2);
  // Keys and counts are never behind.
  const used = async () =>
    ((await (await ask('/api/v1/usage', secret)).json()) as { data: { day: { used: number } } }).data.day.used;
  const before = await used();
  await ask('/api/v1/companies/acme', secret);
  expect((await used()) - before).toBe(1);
  await store.keys.revoke(id);
  expect((await ask('/api/v1/companies/acme', secret)).status).toBe(401);
  await execute(replica.url('postgres'), 'SELECT pg_wal_replay_resume()');
  const { secret: other } = await newKey();
  expect((await shown('/api/v1/companies/later', other)).status).toBe(200);
});

interface Searched {
  readonly data: { readonly totalResults: number };
}

test('a replica that lies too far behind is not read from: 503, until it has caught up', async () => {
  const { secret } = await newKey();
  const strict = await serve({ WEB3_BI_REPLICA_LAG_MAX_SECONDS: String(LAG_MAX_SECONDS) });
  onTestFinished(async () => void (await strict.stop()));
  const ready = async () => {
    const response = await fetch(`${strict.url}/readyz`);
    const { replicaLagSeconds } = (await response.json()) as { replicaLagSeconds: number };
    return { status: response.status, replicaLagSeconds };
  };
  const until = async (status: number) => {
    for (let tries = 1; tries < TRIES_MAX; tries += 1) {
      const said = await ready();
      if (said.status === status) return said;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return ready();
  };
  expect((await until(200)).replicaLagSeconds).toBeLessThan(LAG_MAX_SECONDS);
  await execute(replica.url('postgres'), 'SELECT pg_wal_replay_pause()');
  expect((await post(secret, 'Unseen', strict)).status).toBe(201);
  expect((await until(503)).replicaLagSeconds).toBeGreaterThan(LAG_MAX_SECONDS);
  const metrics = await (await fetch(`${strict.url}/metrics`)).text();
  expect(Number(/^web3_bi_replica_lag_seconds (\S+)$/m.exec(metrics)?.[1])).toBeGreaterThan(LAG_MAX_SECONDS);
  expect(metrics).toMatch(/^web3_bi_database_connections\{server="replica"\} [1-9]\d?$/m);
  expect(metrics).toContain('web3_bi_database_waiting{server="primary"} 0');
  expect(metrics).toMatch(/^web3_bi_store_duration_seconds_count\{operation="records.change"\} [1-9]/m);
  const read = await ask('/api/v1/companies/acme', secret, { of: strict });
  expect([read.status, read.headers.get('retry-after')]).toEqual([503, '5']);
  expect((await ask('/api/v1/search?type=companies&query=acme', secret, { of: strict })).status).toBe(200);
  expect((await post(secret, 'Written all the same', strict)).status).toBe(201);
  await execute(replica.url('postgres'), 'SELECT pg_wal_replay_resume()');
  await until(200);
  expect((await shown('/api/v1/companies/unseen', secret, strict)).status).toBe(200);
});

test('a replica that is away is said so, and writes go on', async () => {
  const { secret } = await newKey();
  await replica.stop();
  const read = await ask('/api/v1/companies/acme', secret);
  expect([read.status, read.headers.get('retry-after')]).toEqual([503, '5']);
  expect(await read.json()).toMatchObject({ success: false, code: 'unavailable' });
  for (const path of ['/api/v1/companies', '/api/v1/search?type=companies&query=acme'])
    expect([path, (await ask(path, secret)).status]).toEqual([path, 200]);
  expect((await fetch(`${service.url}/api/health`)).status).toBe(503);
  expect((await post(secret, 'Meanwhile')).status).toBe(201);
  await replica.start();
  expect((await shown('/api/v1/companies/meanwhile', secret)).status).toBe(200);
  expect((await fetch(`${service.url}/api/health`)).status).toBe(200);
});
