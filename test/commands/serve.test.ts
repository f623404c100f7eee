import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStore } from '../../src/store/open.ts';
import { aCompany } from '../support/builders.ts';
import { type Running, runProgram, startProgram, temporaryFolder } from '../support/program.ts';
import { openRaw } from '../support/raw.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

const EMPTY = ['serve', '--port', '0', '--data', 'none'];
const serve = (environment: Record<string, string> = {}): Promise<Running> =>
  startProgram([...EMPTY, '--database', 'sqlite::memory:'], environment);

/** Opens a connection and sends half a request, so that the server has something under way. */
async function halfAsked(url: string) {
  const connection = openRaw(url);
  connection.socket.write('GET /api/health HTTP/1.1\r\nHost: x\r\n');
  // Sent later on another connection, so what came before is there when it is answered.
  await new Promise((resolve) => connection.socket.once('connect', resolve));
  await fetch(`${url}/livez`);
  return connection;
}

describe('web3-bi serve, told to stop', () => {
  const CLIENTS = 16;

  test.each(['SIGTERM', 'SIGINT'] as const)(
    '%s under load: not ready first, then all that was accepted is answered, then exit 0',
    async (signal) => {
      const url = `sqlite:${join(folder.path, `${signal}.db`)}`;
      const store = await openStore(url);
      await store.records.putAll(Array.from({ length: 200 }, (_, number) => aCompany({ name: `Company ${number}` })));
      await store.accounts.create('acme', 'enterprise');
      const { secret } = await store.keys.create({ account: 'acme', name: 'x', level: 'read', expires_at: null });
      await store.close();
      const served = await startProgram([...EMPTY, '--database', url], {
        WEB3_BI_STOP_DELAY_MS: '1500',
        WEB3_BI_BURST_PER_SECOND: '0',
      });
      const headers = { Authorization: `Bearer ${secret}` };
      const outcomes: string[] = [];
      let isReady = true;
      // Like load balancers, sends requests until the service is not ready; and as a client, none after a last response.
      const client = async () => {
        for (let isLast = false; isReady && !isLast; ) {
          const search = fetch(`${served.url}/api/v1/search?type=all&query=company&limit=50`, { headers });
          const outcome = await search.then(async (response) => {
            isLast = response.headers.get('connection') === 'close';
            return `${response.status} ${(await response.text()).length > 0}`;
          }, String);
          outcomes.push(outcome);
        }
      };
      const clients = Array.from({ length: CLIENTS }, client);
      while (outcomes.length < CLIENTS * 2) await new Promise((resolve) => setImmediate(resolve));
      served.signal(signal);
      let last: Response | undefined;
      while (isReady) {
        last = await fetch(`${served.url}/api/health`);
        await last.text();
        isReady = last.status === 200;
      }
      expect([last?.status, last?.headers.get('connection')]).toEqual([503, 'close']);
      await Promise.all(clients);
      expect(new Set(outcomes)).toEqual(new Set(['200 true']));
      expect(await served.exited).toBe(0);
    },
  );

  test('finishes a request that had begun', async () => {
    const served = await serve();
    const { socket, received } = await halfAsked(served.url);
    served.signal('SIGTERM');
    // The server has stopped listening when connections are refused.
    while (
      await fetch(`${served.url}/livez`).then(
        () => true,
        () => false,
      )
    ) {}
    socket.write('\r\n');
    expect(await received).toMatch(/^HTTP\/1\.1 503 [\s\S]+Connection: close/);
    expect(await served.exited).toBe(0);
  });

  test('ends at once at the second signal', async () => {
    const served = await serve({ WEB3_BI_STOP_DELAY_MS: '60000' });
    served.signal('SIGTERM');
    while ((await fetch(`${served.url}/readyz`)).status === 200) {}
    served.signal('SIGINT');
    expect(await served.exited).toBe('SIGINT');
  });
});

describe('web3-bi serve', () => {
  /** For tests that only ask. */
  let shared: Running;
  beforeAll(async () => {
    shared = await serve({ WEB3_BI_CORS_ORIGINS: 'https://app.example.com' });
  });
  afterAll(() => shared.stop());

  test('logs one line a request, and nothing when it is told to be silent', async () => {
    const [told, silent] = [await serve({ WEB3_BI_HOST: '0.0.0.0' }), await serve({ WEB3_BI_LOG_LEVEL: 'silent' })];
    for (const { url } of [told, silent]) await fetch(`${url}/api/health?x=1`);
    expect([await told.stop(), await silent.stop()]).toEqual([0, 0]);
    const lines = told.stderr.join('').trimEnd().split('\n');
    // The first is for the person who starts it: the link with which the first owner comes in, at an address that opens.
    const link = /^There is no user yet\..* http:\/\/127\.0\.0\.1:\d+\/account\S+ to become the first owner/;
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 30, msg: expect.stringMatching(link) },
      { route: '/api/health', status: 200, msg: 'request' },
    ]);
    expect(silent.stderr).toEqual([]);
  });

  test('shows its metrics to loopback, to nobody, or to whom the setting names', async () => {
    expect((await fetch(`${shared.url}/metrics`)).status).toBe(200);
    for (const [allowed, status] of [
      ['none', 404],
      ['10.0.0.0/8', 404],
      ['10.0.0.0/8, 127.0.0.1', 200],
    ] as const) {
      const served = await serve({ WEB3_BI_METRICS_ALLOW: allowed });
      const response = await fetch(`${served.url}/metrics`);
      expect([allowed, response.status]).toEqual([allowed, status]);
      await served.stop();
    }
  });

  test('has its documents at /docs and the reference of its API, with every file of both', async () => {
    const pages = ['/docs', '/docs/reference'].map(async (path) => (await fetch(shared.url + path)).text());
    const page = (await Promise.all(pages)).join('');
    const addresses = [...page.matchAll(/(?:src|href)="(\/(?:assets|docs)[^"]+)"/g)].map((match) => match[1] ?? '');
    expect(addresses.length).toBeGreaterThan(6);
    for (const address of addresses) {
      const response = await fetch(shared.url + address);
      expect([address, response.status, (await response.text()).length > 0]).toEqual([address, 200, true]);
    }
  });

  test('lets the pages use the keyed API whose origins are named', async () => {
    const response = await fetch(`${shared.url}/api/v1/companies`, { headers: { Origin: 'https://app.example.com' } });
    expect(response.headers.get('access-control-allow-origin')).toBe('https://app.example.com');
  });

  test.each([
    [
      'WEB3_BI_METRICS_ALLOW',
      '127.0.0.0/33',
      'a list with commas of an address or a range, such as 192.0.2.7, 10.0.0.0/8 or 2001:db8::/32, or none',
    ],
    [
      'WEB3_BI_METRICS_ALLOW',
      'localhost',
      'a list with commas of an address or a range, such as 192.0.2.7, 10.0.0.0/8 or 2001:db8::/32, or none',
    ],
    ['WEB3_BI_CORS_ORIGINS', '*', 'origins with commas between, such as https://app.example.com'],
    [
      'WEB3_BI_CORS_ORIGINS',
      'https://app.example.com/',
      'origins with commas between, such as https://app.example.com',
    ],
    ['WEB3_BI_STOP_DELAY_MS', '1s', 'a whole number from 0 to 60000'],
    ['WEB3_BI_LOG_LEVEL', 'loud', 'one of silent, error, info'],
  ])('refuses %s=%s in one line', async (name, value, wanted) => {
    const { code, stderr } = await runProgram(['serve', '--port', '0'], { [name]: value });
    expect([code, stderr]).toEqual([1, `web3-bi: ${name} must be ${wanted}.\n`]);
  });

  test('refuses a schedule of a source that there is not', async () => {
    const { code, stdout, stderr } = await runProgram(['serve', '--port', '0'], { WEB3_BI_SYNC: 'eips=12h,epis' });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(
      /^web3-bi: WEB3_BI_SYNC names epis, which is no source\. Did you mean eips\? Sources are chain-registry, .+\.\n$/,
    );
  });
});
