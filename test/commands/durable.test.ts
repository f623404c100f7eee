import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Running, runProgram, startProgram, temporaryFolder } from '../support/program.ts';

const REQUESTS = 5;
/** Node itself writes down what it asks the system for. */
const TRACE = 'trace.json';

const folder = temporaryFolder();
const database = ['--database', `sqlite:${join(folder.path, 'durable.db')}`];
const environment = { WEB3_BI_STATE_DIR: folder.path, WEB3_BI_DATA: 'none' };

interface TraceEvent {
  readonly name: string;
  /** `b` where it begins, `e` where it ends. */
  readonly ph: string;
}

let service: Running;
let key = '';
beforeAll(async () => {
  const words = ['key', 'create', '--account', 'acme', '--plan', 'api_access', '--name', 'k', '--level', 'write'];
  key = (await runProgram([...words, ...database], environment)).stdout.trim();
  const into = join(folder.path, TRACE);
  const tracing = `--trace-event-categories node.fs.async --trace-event-file-pattern ${into}`;
  service = await startProgram(['serve', '--port', '0', ...database], { ...environment, NODE_OPTIONS: tracing });
});
afterAll(() => folder.remove());

async function ask(path: string, body?: object): Promise<number> {
  const { status } = await fetch(`${service.url}/api/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return status;
}

/** How often the service has waited for the disk. */
function syncs(): number {
  const { traceEvents } = JSON.parse(readFileSync(join(folder.path, TRACE), 'utf8')) as { traceEvents: TraceEvent[] };
  return traceEvents.filter(({ name, ph }) => name === 'fdatasync' && ph === 'e').length;
}

describe('web3-bi serve, asked by one client after the other', () => {
  test('200 and 201 only after the disk has the count, and the change', async () => {
    for (let request = 0; request < REQUESTS; request += 1) expect(await ask('/companies')).toBe(200);
    for (let request = 0; request < REQUESTS; request += 1) {
      expect(await ask('/companies', { name: `Made ${request}`, slug: `made-${request}` })).toBe(201);
    }
    await service.stop();
    // A change is counted as well.
    expect(syncs()).toBeGreaterThanOrEqual(REQUESTS + 2 * REQUESTS);
  });
});
