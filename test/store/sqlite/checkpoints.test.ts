import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openStore } from '../../../src/store/open.ts';
import { openSqlite } from '../../../src/store/sqlite/driver.ts';
import { aCompany } from '../../support/builders.ts';
import { temporaryFolder } from '../../support/program.ts';

const WORKER = join(import.meta.dirname, '..', '..', '..', 'dist', 'store', 'sqlite', 'checkpoint-worker.mjs');
const LEFT_BYTES = 12_000_000;
/** What a thousand pages take, and what is written while they are moved. */
const SHORT_BYTES = 5_000_000;

const folder = temporaryFolder();
const file = join(folder.path, 'test.db');
afterAll(() => folder.remove());

test('a long log that another process has left is moved beside the writes, and begins anew', async () => {
  const store = await openStore(`sqlite:${file}`, undefined, { checkpointWorker: WORKER });
  const other = openSqlite(file);
  other.pragma('wal_autocheckpoint = 0');
  other.exec(`CREATE TABLE left (data BLOB); INSERT INTO left VALUES (zeroblob(${LEFT_BYTES}))`);
  const logBytes = () => statSync(`${file}-wal`).size;
  expect(logBytes()).toBeGreaterThan(LEFT_BYTES);
  let written = 0;
  const write = async () => {
    written += 1;
    await store.records.putAll([aCompany({ slug: `company-${written}` })]);
    return logBytes();
  };
  await expect.poll(write).toBeLessThan(SHORT_BYTES);
  await store.close();
  expect(other.prepare('SELECT length(data) FROM left').pluck().get()).toBe(LEFT_BYTES);
  expect(other.prepare('SELECT count(*) FROM companies').pluck().get()).toBe(written);
  expect(other.pragma('integrity_check', { simple: true })).toBe('ok');
  other.close();
});

test('without its thread SQLite keeps the log short again', async () => {
  const store = await openStore(`sqlite:${file}`, undefined, { checkpointWorker: join(folder.path, 'none.mjs') });
  for (let round = 0; round < 300; round += 1) await store.records.putAll([aCompany({ slug: `round-${round}` })]);
  expect(statSync(`${file}-wal`).size).toBeLessThan(2 * SHORT_BYTES);
  await store.close();
});
