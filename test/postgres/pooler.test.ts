import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStore } from '../../src/store/open.ts';
import { newPostgres } from '../support/databases.ts';
import { runProcess } from '../support/program.ts';
import { startTransactionPooler } from '../support/transaction-pooler.ts';

let pooler: Awaited<ReturnType<typeof startTransactionPooler>>;
beforeAll(async () => {
  pooler = await startTransactionPooler((await newPostgres()).url);
});
afterAll(() => pooler.close());

const MODE = 'leads to a pooler in transaction mode';

test('a pooler in transaction mode is refused at the start, with what to do about it', async () => {
  await expect(openStore(pooler.url)).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining(MODE),
    remedy: expect.stringContaining('pool_mode = session'),
  });
});

test('doctor says so, and serve ends with one line', async () => {
  const { code, stdout } = await runProcess(['doctor', '--database', pooler.url, '--data', 'none', '--json']);
  expect([code, JSON.parse(stdout).findings.at(-1)]).toEqual([
    1,
    { check: 'database', ok: false, detail: expect.stringContaining(MODE), remedy: expect.stringContaining('session') },
  ]);
  const served = await runProcess(['serve', '--database', pooler.url, '--port', '0']);
  expect([served.code, served.stderr.split('\n').filter((line) => line !== '')]).toEqual([
    1,
    [expect.stringContaining(MODE)],
  ]);
});
