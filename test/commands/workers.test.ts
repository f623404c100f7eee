import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { atOnce } from '../support/at-once.ts';
import { type Running, runProcess, runProgram, startProgram, temporaryFolder } from '../support/program.ts';

const folder = temporaryFolder();
const database = `sqlite:${join(folder.path, 'workers.db')}`;
const serve = (...more: string[]): Promise<Running> =>
  startProgram(['serve', '--database', database, '--data', 'none', '--port', '0', ...more], {
    WEB3_BI_BURST_PER_SECOND: '0',
  });

/** A request that has no end by then has none. */
const ANSWER_MS = 10_000;

let running: Running | undefined;
afterEach(async () => {
  await running?.stop();
  running = undefined;
});
afterAll(() => folder.remove());

/** Processes that a process has started. */
const childrenOf = (pid: number | undefined): number[] =>
  execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)])
    .toString()
    .split('\n')
    .map(Number)
    .filter((child) => child > 0 && isNode(child));
const isNode = (pid: number): boolean => {
  try {
    return execFileSync('ps', ['-o', 'args=', '-p', String(pid)])
      .toString()
      .includes('main.js');
  } catch {
    return false;
  }
};

const until = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20));
};

describe('serve --workers 2', () => {
  test('has its workers use the database that a variable names', async () => {
    const named = join(folder.path, 'named.db');
    running = await startProgram(
      ['serve', '--workers', '2', '--data', 'none', '--port', '0', '--state-dir', folder.path],
      {
        WEB3_BI_DATABASE_URL: `sqlite:${named}`,
      },
    );
    expect((await fetch(`${running.url}/readyz`)).status).toBe(200);
    const files = readdirSync(folder.path);
    expect([files.includes('named.db'), files.includes('web3-bi.db')]).toEqual([true, false]);
  });

  test('serves from two processes on one port, and counts exactly over both', { timeout: 120_000 }, async () => {
    running = await serve('--workers', '2');
    expect(running.ready).toEqual({ event: 'listening', url: running.url, workers: 2 });
    expect(childrenOf(running.pid)).toHaveLength(2);
    const made = await runProgram([
      'key',
      'create',
      '--database',
      database,
      '--account',
      'a',
      '--name',
      'n',
      '--level',
      'read',
      '--plan',
      'api_access',
      '--json',
    ]);
    const { key } = JSON.parse(made.stdout) as { key: string };
    // A connection belongs to one process, so each request has its own.
    const headers = { Authorization: `Bearer ${key}`, Connection: 'close' };
    const statuses = await atOnce(1_100, async () => {
      const response = await fetch(`${running?.url}/api/v1/companies`, { headers });
      await response.arrayBuffer();
      return response.status;
    });
    expect(statuses.filter((status) => status === 200)).toHaveLength(1_000);
    expect(statuses.filter((status) => status === 429)).toHaveLength(100);
  });

  test('answers every request while a process dies, and replaces it', async () => {
    running = await serve('--workers', '2');
    const { url } = running;
    const before = childrenOf(running.pid);
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
    await until(() => childrenOf(running?.pid).filter((pid) => !before.includes(pid)).length === 1);
    await until(async () => (await fetch(`${url}/livez`)).status === 200);
    expect((await fetch(`${url}/metrics`)).status).toBe(200);
  });

  test('shows the sum of all its processes in /metrics', async () => {
    running = await serve('--workers', '2');
    const { url } = running;
    const headers = { Connection: 'close' };
    for (let asked = 0; asked < 40; asked += 1) await (await fetch(`${url}/livez`, { headers })).arrayBuffer();
    const metrics = async () => (await fetch(`${url}/metrics`, { headers })).text();
    const sum = 'web3_bi_http_requests_total{method="GET",route="/livez",status="200"} 40';
    // A request is counted when its connection has closed, which is after its answer.
    await until(async () => (await metrics()).includes(sum));
    for (const text of await atOnce(20, metrics)) {
      expect(text).toContain(sum);
      expect(text).toMatch(/^web3_bi_build_info\{version="[\d.]+",node="v[\d.]+"\} 1$/m);
    }
    expect(running.stderr.join('')).not.toContain('Warning');
  });

  test.each(['SIGTERM', 'SIGINT'] as const)('ends with all its processes on %s', async (signal) => {
    running = await serve('--workers', '2');
    const workers = childrenOf(running.pid);
    expect(await running.stop(signal)).toBe(0);
    expect(workers.filter(isNode)).toEqual([]);
  });

  test('ends its processes when it is killed itself', async () => {
    running = await serve('--workers', '2');
    const workers = childrenOf(running.pid);
    await running.stop('SIGKILL');
    await until(() => workers.filter(isNode).length === 0);
  });

  test('says once why it cannot start', async () => {
    running = await serve();
    const { port } = new URL(running.url);
    const words = ['serve', '--database', database, '--workers', '2', '--port', port];
    const { code, stderr } = await runProcess(words);
    expect([code, stderr.match(/Cannot listen/g)]).toEqual([1, ['Cannot listen']]);
  });

  test('needs a database that processes can share', async () => {
    const { code, stderr } = await runProcess([
      'serve',
      '--database',
      'sqlite::memory:',
      '--workers',
      '2',
      '--port',
      '0',
    ]);
    expect([code, stderr]).toEqual([1, expect.stringContaining('name a file with --database')]);
  });
});
