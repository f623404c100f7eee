import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { atOnce } from '../support/at-once.ts';
import { isLong } from '../support/length.ts';
import {
  childrenOf,
  isRunning,
  type Running,
  runProcess,
  runProgram,
  startProgram,
  temporaryFolder,
} from '../support/program.ts';

const folder = temporaryFolder();
const database = `sqlite:${join(folder.path, 'workers.db')}`;
/** Two processes, on a database that a variable names. */
const serve = (): Promise<Running> =>
  startProgram(['serve', '--workers', '2', '--data', 'none', '--port', '0', '--state-dir', folder.path], {
    WEB3_BI_DATABASE_URL: database,
    WEB3_BI_BURST_PER_SECOND: '0',
  });

/** A request that has no end by then has none. */
const ANSWER_MS = 10_000;
const DAILY = 300;

/** For tests that leave two processes behind. */
let shared: Running;
beforeAll(async () => {
  shared = await serve();
});
afterAll(async () => {
  await shared.stop();
  folder.remove();
});

const until = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 50));
};

describe('serve --workers 2', () => {
  test('has its workers use the database that a variable names', async () => {
    expect((await fetch(`${shared.url}/readyz`)).status).toBe(200);
    const files = readdirSync(folder.path);
    expect([files.includes('workers.db'), files.includes('web3-bi.db')]).toEqual([true, false]);
  });

  test('serves from two processes on one port, and counts exactly over both', async () => {
    expect(shared.ready).toEqual({ event: 'listening', url: shared.url, workers: 2 });
    expect(childrenOf(shared.pid)).toHaveLength(2);
    const at = ['--database', database, '--json'];
    await runProgram(['account', 'create', 'a', 'enterprise', '--daily', String(DAILY), ...at]);
    const made = await runProgram(['key', 'create', '--account', 'a', '--name', 'n', '--level', 'read', ...at]);
    const { key } = JSON.parse(made.stdout) as { key: string };
    // A connection belongs to one process, so each request has its own.
    const headers = { Authorization: `Bearer ${key}`, Connection: 'close' };
    const statuses = await atOnce(DAILY + 100, async () => {
      const response = await fetch(`${shared.url}/api/v1/companies`, { headers });
      await response.arrayBuffer();
      return response.status;
    });
    expect(statuses.filter((status) => status === 200)).toHaveLength(DAILY);
    expect(statuses.filter((status) => status === 429)).toHaveLength(100);
  });

  test('answers every request while a process dies, and replaces it', async () => {
    const { url, pid } = shared;
    const before = childrenOf(pid);
    const [dying = 0] = before;
    // It accepts no requests from here on; those assigned to it earlier must not hang.
    process.kill(dying, 'SIGSTOP');
    const headers = { Connection: 'close' };
    const answers = Array.from({ length: 20 }, async () =>
      fetch(`${url}/livez`, { headers, signal: AbortSignal.timeout(ANSWER_MS) }).then(
        ({ status }) => status,
        (error: Error) => error.name,
      ),
    );
    process.kill(dying, 'SIGKILL');
    expect(await Promise.all(answers)).not.toContain('TimeoutError');
    await until(() => childrenOf(pid).filter((child) => !before.includes(child)).length === 1);
    await until(async () => (await fetch(`${url}/livez`)).status === 200);
    expect((await fetch(`${url}/metrics`)).status).toBe(200);
  });

  test('shows the sum of all its processes in /metrics', async () => {
    const { url } = shared;
    const headers = { Connection: 'close' };
    // One that no other test requests.
    for (let asked = 0; asked < 40; asked += 1) await (await fetch(`${url}/api/health`, { headers })).arrayBuffer();
    const metrics = async () => (await fetch(`${url}/metrics`, { headers })).text();
    const sum = 'web3_bi_http_requests_total{method="GET",route="/api/health",status="200"} 40';
    // A request is counted when its connection has closed, which is after its answer.
    await until(async () => (await metrics()).includes(sum));
    for (const text of await atOnce(20, metrics)) {
      expect(text).toContain(sum);
      expect(text).toMatch(/^web3_bi_build_info\{version="[\d.]+",node="v[\d.]+"\} 1$/m);
    }
    expect(shared.stderr.join('')).not.toContain('Warning');
  });

  // The signals have one handler, which is asked for both in a single process (serve.test.ts).
  test.each(isLong ? (['SIGTERM', 'SIGINT'] as const) : (['SIGTERM'] as const))(
    'ends with all its processes on %s',
    async (signal) => {
      const running = await serve();
      const workers = childrenOf(running.pid);
      expect(await running.stop(signal)).toBe(0);
      expect(workers.filter(isRunning)).toEqual([]);
    },
  );

  test('ends its processes when it is killed itself', async () => {
    const running = await serve();
    const workers = childrenOf(running.pid);
    await running.stop('SIGKILL');
    await until(() => !workers.some(isRunning));
  });

  test('says once why it cannot start', async () => {
    const { port } = new URL(shared.url);
    const words = ['serve', '--database', database, '--workers', '2', '--port', port];
    const { code, stderr } = await runProcess(words);
    expect([code, stderr.match(/is in use/g)]).toEqual([1, ['is in use']]);
  });

  test('needs a database that processes can share', async () => {
    const { code, stderr } = await runProcess([
      ...['serve', '--database', 'sqlite::memory:', '--workers', '2', '--port', '0'],
    ]);
    expect([code, stderr]).toEqual([1, expect.stringContaining('name a file with --database')]);
  });
});
