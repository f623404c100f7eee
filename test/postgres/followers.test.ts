import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { OPERATOR } from '../../src/store/port/audit.ts';
import { aRound } from '../support/builders.ts';
import { isLong } from '../support/length.ts';
import {
  answersOf,
  ask,
  createRandom,
  newFolder,
  newKey,
  newMachine,
  open,
  post,
  rebuiltAnswers,
  rowsOf,
  serve,
  totalOf,
  until,
} from '../support/machines.ts';

const MACHINES = isLong ? 4 : 2;
const KILLS = isLong ? 4 : 2;
const WRITE_EVERY_MS = 20;
/** The lock of followers that have many changes to apply. */
const HOLD = 'SELECT pg_advisory_xact_lock_shared(1999856233, 6)';
const LOCKS = `SELECT count(*) FILTER (WHERE granted) AS held, count(*) FILTER (WHERE NOT granted) AS waiting
  FROM pg_locks JOIN pg_database ON pg_database.oid = database
  WHERE locktype = 'advisory' AND objid = 6 AND datname = current_database()`;

describe(`the indexes of ${MACHINES} machines`, () => {
  test('miss no change and have none twice when their processes are killed at random', async () => {
    const { database, store } = await newMachine();
    const key = await newKey(store);
    const random = createRandom(9);
    const folders = Array.from({ length: MACHINES }, newFolder);
    const services = await Promise.all(folders.map((folder) => serve(database.url, folder)));
    const kept: string[] = [];
    let isDone = false;
    const writeThroughServices = async (): Promise<void> => {
      for (let count = 0; !isDone; count += 1, await pause(WRITE_EVERY_MS)) {
        // What a killed service was asked may be written or not; what it acknowledged is.
        const written = await post(random.pick(services), key, { name: `Written ${count}` }).catch(() => undefined);
        if (written?.status === 201) kept.push(`written-${count}`);
      }
    };
    const writeInBatches = async (): Promise<void> => {
      for (let batch = 0; !isDone; batch += 1, await pause(WRITE_EVERY_MS)) {
        await store.records.upsertMany(rowsOf(60, 60 * batch));
        const target = `firm-${60 * batch + 1}`;
        await store.records.change({ action: 'delete', type: 'companies', target, author: OPERATOR });
      }
    };
    const writing = Promise.all([writeThroughServices(), writeInBatches()]);
    for (let kill = 0; kill < KILLS; kill += 1) {
      await pause(100 + random.below(300));
      const victim = random.below(MACHINES);
      await services[victim]?.stop('SIGKILL');
      services[victim] = await serve(database.url, folders[victim] as string);
    }
    isDone = true;
    await writing;
    await Promise.all(services.map((service) => service.stop('SIGKILL')));
    const rebuilt = await rebuiltAnswers(database.url);
    for (const slug of kept) expect(await store.records.get('companies', slug)).toBeDefined();
    for (const folder of folders) {
      const opened = await open(database.url, { folder: join(folder, 'index') });
      // On a slow machine, more batches are written than an import has searchable at once.
      await expect.poll(() => answersOf(opened)).toEqual(rebuilt);
    }
  });
});

describe('an import', () => {
  test('waits while a machine has many changes to apply, and single changes do not', async () => {
    const { database, store } = await newMachine();
    const { client, locks } = await connect(database.url);
    await client.query('BEGIN');
    await client.query(HOLD);
    const importing = store.records.upsertMany(rowsOf(3));
    while ((await locks()).waiting === 0);
    await store.records.change({ action: 'create', type: 'companies', input: { name: 'Single' }, author: OPERATOR });
    expect(
      (await store.records.search({ types: ['companies'], text: '', window: { offset: 0, limit: 0 } })).total,
    ).toBe(1);
    await client.query('COMMIT');
    await importing;

    await store.records.upsertMany([aRound({ company: 'Single', amount_usd: '1000000.00' })]);
    await client.query('BEGIN');
    await client.query(HOLD);
    const ending = store.compactIndex();
    while ((await locks()).waiting === 0);
    await client.query('COMMIT');
    await ending;
  });

  test('has to wait for a service that does, which takes them in parts', async () => {
    const { database, store } = await newMachine();
    const { locks } = await connect(database.url);
    const service = await serve(database.url, newFolder());
    const key = await newKey(store);
    const found = () => totalOf(ask(service, 'search?type=companies&query=firm', key));
    await until(found, 0);
    // Asked from before the first change is there until it is held, which may be over when the last is written.
    const written = store.records.putAll(rowsOf(2_500));
    while ((await locks()).held === 0);
    await written;
    await until(found, 2_500);
    expect((await locks()).held).toBe(0);
  });
});

async function connect(url: string) {
  const client = new Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  const locks = async () => {
    const { rows } = await client.query<{ held: string; waiting: string }>(LOCKS);
    return { held: Number(rows[0]?.held), waiting: Number(rows[0]?.waiting) };
  };
  return { client, locks };
}
