import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PROGRAM, type Running, runProcess, runProgram, startProgram, temporaryFolder } from '../support/program.ts';

const canLimit = spawnSync('prlimit', ['--version']).status === 0;
/** Without a handler, this signal ends the process instead of failing the write. */
const LISTEN = '--import data:text/javascript,process.on(%22SIGXFSZ%22,()=>{})';
const READS = 3;
/** Less than the shipped data takes. */
const BYTES_MAX = 2 ** 20;
const DEVICE = '/dev/full';

const folder = temporaryFolder();
const file = join(folder.path, 'full.db');
const database = ['--database', `sqlite:${file}`];
const environment = { WEB3_BI_STATE_DIR: folder.path, WEB3_BI_DATA: 'none', NODE_OPTIONS: LISTEN };

let service: Running;
let key = '';
beforeAll(async () => {
  const words = ['key', 'create', '--account', 'acme', '--plan', 'api_access', '--name', 'k', '--level', 'write'];
  key = (await runProgram([...words, ...database], environment)).stdout.trim();
  service = await startProgram(['serve', '--port', '0', ...database], environment);
});
afterAll(async () => {
  await service.stop();
  folder.remove();
});

/** Lets no file of the service grow beyond so many bytes, or lifts that. */
function limitFiles(bytes: number | 'unlimited'): void {
  expect(spawnSync('prlimit', ['--pid', String(service.pid), `--fsize=${bytes}:`]).status).toBe(0);
}

async function ask(path: string, body?: object) {
  const response = await fetch(`${service.url}/api/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const { headers, status } = response;
  return {
    status,
    headers,
    remaining: Number(headers.get('X-RateLimit-Daily-Remaining')),
    body: (await response.json()) as any,
  };
}

describe('web3-bi serve, when its disk is full', () => {
  test.runIf(canLimit)('200 for reads, 503 for changes, and each count written when there is space again', async () => {
    expect((await ask('/companies', { name: 'Before', slug: 'before' })).status).toBe(201);
    const { remaining } = await ask('/companies/before');

    // The shorter one of its logs, so that neither can go on.
    limitFiles(statSync(`${file}-counts-wal`).size);
    for (let read = 1; read <= READS; read += 1) {
      const answer = await ask('/companies/before');
      expect([answer.status, answer.remaining]).toEqual([200, remaining - read]);
    }
    const refused = await ask('/companies', { name: 'During', slug: 'during' });
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([503, expect.stringMatching(/^\d+$/)]);
    const found = await ask('/search?type=all&query=before');
    expect([found.status, found.body.data.results]).toMatchObject([200, [{ slug: 'before' }]]);
    expect((await ask('/search?type=all&query=during')).body.data.totalResults).toBe(0);

    limitFiles('unlimited');
    expect((await ask('/companies', { name: 'After', slug: 'after' })).status).toBe(201);
    await service.stop();
    service = await startProgram(['serve', '--port', '0', ...database], environment);
    // The record was read READS times, searched for twice, and another made; the refused change was given back.
    expect((await ask('/companies/after')).remaining).toBe(remaining - READS - 2 - 1 - 1);
  });
});

test.runIf(canLimit)(
  'web3-bi wallet new leaves no part of a key on a full disk, and works when there is space',
  async () => {
    const keyFile = join(folder.path, 'new-key');
    const words = ['wallet', 'new', '--file', keyFile];
    const limited = { node: 'prlimit', program: '--fsize=0' };
    expect(await runProcess([process.execPath, PROGRAM, ...words], environment, '', limited)).toMatchObject({
      code: 1,
      stderr: `web3-bi: ${keyFile} cannot be written (EFBIG); name another with --file.\n`,
    });
    expect(existsSync(keyFile)).toBe(false);
    expect(await runProcess(words, environment)).toMatchObject({ code: 0 });
  },
);

test.runIf(canLimit)(
  'web3-bi backup says why it cannot complete its file on a full disk, and leaves nothing of it',
  async () => {
    const shipped = { ...environment, WEB3_BI_STATE_DIR: join(folder.path, 'shipped'), WEB3_BI_DATA: 'shipped' };
    expect(await runProcess(['key', 'list'], shipped)).toMatchObject({ code: 0 });
    const copy = join(folder.path, 'copy.db');
    const limited = { node: 'prlimit', program: `--fsize=${BYTES_MAX}` };
    expect(await runProcess([process.execPath, PROGRAM, 'backup', copy], shipped, '', limited)).toMatchObject({
      code: 1,
      stderr: `web3-bi: ${copy} cannot be completed (disk I/O error); free some space, or choose another file.\n`,
    });
    expect(readdirSync(folder.path).filter((name) => name.startsWith('copy.db'))).toEqual([]);
  },
);

test.runIf(existsSync(DEVICE))('output to a full disk ends a command with one line', async () => {
  const words = ['-c', `exec "$0" "$@" > ${DEVICE}`, process.execPath, PROGRAM, 'help'];
  expect(await runProcess(words, environment, '', { node: 'sh', program: '-e' })).toMatchObject({
    code: 1,
    stderr: 'web3-bi: The output cannot be written (ENOSPC); free some space, or write it to another place.\n',
  });
});
