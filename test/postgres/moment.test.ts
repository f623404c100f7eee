import { chmodSync, cpSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStore } from '../../src/store/open.ts';
import { aCompany } from '../support/builders.ts';
import { type Cluster, execute, findPostgres, restoreCluster, startCluster } from '../support/postgres-cluster.ts';
import { temporaryFolder } from '../support/program.ts';

const folder = temporaryFolder();
const archive = join(folder.path, 'archive');
const copy = join(folder.path, 'copy');

let cluster: Cluster;
let restored: Cluster | undefined;
beforeAll(async () => {
  for (const path of [folder.path, archive]) {
    mkdirSync(path, { recursive: true });
    chmodSync(path, 0o777);
  }
  const archiving = ['archive_mode=on', `archive_command=cp %p ${archive}/%f`];
  cluster = await startCluster(findPostgres(), ['fsync=off', ...archiving]);
});
afterAll(async () => {
  await restored?.remove();
  await cluster.remove();
  folder.remove();
});

async function put(url: string, name: string): Promise<void> {
  const store = await openStore(url);
  await store.records.putAll([aCompany({ name })]);
  await store.close();
}

async function namesIn(url: string): Promise<string[]> {
  const store = await openStore(url);
  const names: string[] = [];
  for await (const json of store.records.walk('companies')) names.push((JSON.parse(json) as { name: string }).name);
  await store.close();
  return names;
}

test('a database can be put back to any moment since its copy was made, and goes on from there', async () => {
  const url = cluster.url('postgres');
  await put(url, 'In the copy');
  await cluster.stop();
  cpSync(cluster.folder, copy, { recursive: true });
  await cluster.start();
  await put(url, 'Before the moment');
  const moment = await now(url);
  await put(url, 'A mistake');
  await execute(url, 'SELECT pg_switch_wal()');
  await cluster.stop();
  expect(readdirSync(archive).length).toBeGreaterThan(0);
  restored = await restoreCluster(findPostgres(), copy, [
    `restore_command=cp ${archive}/%f %p`,
    `recovery_target_time=${moment}`,
    'recovery_target_action=promote',
  ]);
  expect(await namesIn(restored.url('postgres'))).toEqual(['In the copy', 'Before the moment']);
  await put(restored.url('postgres'), 'After all');
  expect(await namesIn(restored.url('postgres'))).toHaveLength(3);
});

async function now(url: string): Promise<string> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ at: string }>('SELECT clock_timestamp()::text AS at');
  await client.end();
  return rows[0]?.at ?? '';
}
