import { createServer, type RequestListener } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { type Listening, listen } from '../../src/service/listen.ts';
import { createLog } from '../../src/service/logging.ts';
import { exchangeRaw, openRaw, parseRaw } from '../support/raw.ts';
import { startService, type TestService } from '../support/service.ts';

const SHORT = { headersTimeoutMs: 200, requestTimeoutMs: 300, fetchTimeoutMs: 300, checkEveryMs: 50 };
const FETCHED_SOON = { fetchTimeoutMs: SHORT.fetchTimeoutMs };
const SLOW_CLIENTS = 200;

let server: { close(): Promise<void> } | undefined;
afterEach(() => server?.close());

const start = async (listener: RequestListener, limits = {}): Promise<Listening> => {
  const log = createLog({ write: () => {} }, 'silent');
  const started = await listen({ host: '127.0.0.1', port: 0, log, clock: () => new Date(), limits }, () => listener);
  server = started;
  return started;
};

/** Sends a request again for which a busy machine left no time. */
async function fetchInTime(url: string): Promise<Response> {
  for (;;) {
    const response = await fetch(url);
    if (response.status !== 408) return response;
  }
}

/** Reads the whole request and answers. */
const patient: RequestListener = (request, response) => {
  request.resume();
  request.once('end', () => response.end('whole'));
};

describe('a slow client', () => {
  test.each([
    ['headers', 'GET / HTTP/1.1\r\nHost: x\r\nX-Slow: '],
    ['a body', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nx'],
  ])('408 and closed while it still sends %s; others are served meanwhile', async (_what, beginning) => {
    const { url } = await start(patient, SHORT);
    const slow = Array.from({ length: SLOW_CLIENTS }, () => openRaw(url));
    for (const { socket } of slow) socket.write(beginning);
    const served = await Promise.all(Array.from({ length: 20 }, () => fetchInTime(url)));
    expect(served.map(({ status }) => status)).toEqual(served.map(() => 200));
    const answers = await Promise.all(slow.map(({ received }) => received));
    expect(new Set(answers.map((answer) => parseRaw(answer).status))).toEqual(new Set([408]));
    expect(parseRaw(answers[0] ?? '').body).toMatchObject({ success: false, code: 'request_timeout' });
  });

  test('closed when it sends nothing at all', async () => {
    const { url } = await start(patient, SHORT);
    expect(parseRaw(await openRaw(url).received).status).toBe(408);
  });

  test('cut off when it does not fetch its answer', async () => {
    // More than the system takes for a client that does not read.
    const size = 64 * 1024 * 1024;
    let ended: Promise<void> | undefined;
    const { url } = await start((_request, response) => {
      ended = new Promise((resolve) => response.once('close', resolve));
      response.end(Buffer.alloc(size));
    }, FETCHED_SOON);
    const { socket, received } = openRaw(url);
    socket.pause();
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    while (ended === undefined) await new Promise((resolve) => setImmediate(resolve));
    await ended;
    socket.resume();
    expect((await received).length).toBeLessThan(size);
  });

  test('is let be while it waits for an answer that takes long', async () => {
    const waiting: (() => void)[] = [];
    const { url } = await start((_request, response) => {
      waiting.push(() => void response.end('late'));
    }, SHORT);
    const asked = fetchInTime(url);
    while (waiting.length === 0) await new Promise((resolve) => setImmediate(resolve));
    // By the time a slow sender has been closed, every time-out has passed.
    await openRaw(url).received;
    for (const answer of waiting) answer();
    expect(await (await asked).text()).toBe('late');
  });
});

describe('requests that a client pipelines', () => {
  const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

  test('are served one after the other, so that at most one answer waits for its reader', async () => {
    let served = 0;
    let most = 0;
    const { url } = await start((_request, response) => {
      served += 1;
      most = Math.max(most, served);
      response.once('close', () => {
        served -= 1;
      });
      setImmediate(() => response.end('whole'));
    });
    const { socket, received } = openRaw(url);
    socket.write(`${GET.repeat(1_500)}GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect((await received).match(/whole/g)).toHaveLength(1_501);
    expect(most).toBe(1);
  });

  test('are bounded over all connections; one that goes beyond is closed, and others are served', async () => {
    let answer = (): void => {};
    const never = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const { url } = await start(({ headers }, response) => {
      if (headers['x-at-once'] === undefined) never.then(() => response.end());
      else response.end('whole');
    });
    const flooding = Array.from({ length: 15 }, () => openRaw(url));
    for (const { socket } of flooding) socket.write(GET.repeat(2_000));
    expect(await Promise.race(flooding.map(({ received }) => received))).toBe('');
    expect(await (await fetch(url, { headers: { 'x-at-once': 'yes' } })).text()).toBe('whole');
    answer();
    for (const { socket } of flooding) socket.destroy();
  });
});

describe('more connections than are allowed', () => {
  test('are closed, and those that were there go on', async () => {
    const { url } = await start(patient, { connectionsMax: 2 });
    const [first, second] = [openRaw(url), openRaw(url)];
    for (const { socket } of [first, second]) await new Promise((resolve) => socket.once('connect', resolve));
    expect(await openRaw(url).received).toBe('');
    first.socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(await first.received).toContain('whole');
    second.socket.destroy();
  });
});

describe('what cannot be read as HTTP', () => {
  let service: TestService;
  const begin = async (): Promise<TestService> => {
    service = await startService();
    server = service;
    return service;
  };
  const long = (length: number): string => 'a'.repeat(length);

  test.each([
    ['no HTTP at all', 'hello\r\n\r\n'],
    ['a method that does not exist', 'GRAB / HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a header without a name', 'GET /api/health HTTP/1.1\r\nHost: x\r\n: y\r\n\r\n'],
    ['no Host', 'GET /api/health HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['two of Host', 'GET /api/health HTTP/1.1\r\nHost: x\r\nhost: y\r\nConnection: close\r\n\r\n'],
    [
      'both Content-Length and Transfer-Encoding',
      'POST /api/health HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /livez HTTP/1.1\r\nHost: x\r\n\r\n',
    ],
    [
      'both, the other way round',
      'POST /api/health HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\nGET /livez HTTP/1.1\r\nHost: x\r\n\r\n',
    ],
    ['two lengths', 'POST /api/health HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef'],
    [
      'a transfer encoding that is none',
      'GET /api/health HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\nabc',
    ],
    [
      'a bad chunk',
      'GET /api/health HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nGET /livez HTTP/1.1\r\nHost: x\r\n\r\n',
    ],
  ])('400 for %s, as JSON, and the connection is closed', async (_what, bytes) => {
    const { url } = await begin();
    const answer = await exchangeRaw(url, bytes);
    const { status, head, body } = parseRaw(answer);
    expect([status, body]).toMatchObject([
      400,
      { success: false, code: 'malformed_request', meta: { version: 'v1', timestamp: '2026-11-21T12:00:00.000Z' } },
    ]);
    const { requestId } = (body as { meta: { requestId: string } }).meta;
    expect(head).toContain(`X-Request-Id: ${requestId}`);
    expect(head).toMatch(/\r\nConnection: close/i);
    // What came behind it is not read as a second request.
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
    expect(service.log.join('')).toContain(requestId);
  });

  test('400 for an absolute address that cannot be parsed, as JSON and without a warning of Node', async () => {
    const { url, log } = await begin();
    const warnings: string[] = [];
    const note = ({ message }: Error): void => void warnings.push(message);
    process.on('warning', note);
    for (const target of ['http://[', 'http://[::1]:x/api/health', 'https://', 'ftp://x/livez']) {
      const bytes = `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
      const { status, head, body } = parseRaw(await exchangeRaw(url, bytes));
      expect([target, status, body]).toMatchObject([target, 400, { success: false, code: 'malformed_request' }]);
      const { requestId } = (body as { meta: { requestId: string } }).meta;
      expect(head).toContain(`X-Request-Id: ${requestId}`);
      expect(log.join('')).toContain(requestId);
    }
    // Newer Nodes can parse this one, and then there is nothing at its path.
    const odd = await exchangeRaw(url, 'GET http://xn--a.example/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(parseRaw(odd)).toMatchObject({
      status: expect.toSatisfy((status) => [400, 404].includes(status)),
      body: { success: false },
    });
    process.off('warning', note);
    expect(warnings).toEqual([]);
  });

  test('200 for an absolute address that can', async () => {
    const { url } = await begin();
    const bytes = 'GET http://x.example:80/api/health?detailed=true HTTP/1.1\r\nHost: y\r\nConnection: close\r\n\r\n';
    const { status, body } = parseRaw(await exchangeRaw(url, bytes));
    expect([status, body]).toMatchObject([200, { status: 'operational', endpoints: expect.any(Array) }]);
  });

  test.each([
    ['8 KB and a bit', 8_200],
    ['more than all headers may have', 20_000],
  ])('414 for an address of %s', async (_what, length) => {
    const { url } = await begin();
    const bytes = `GET /api/health?x=${long(length)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
    const { status, body } = parseRaw(await exchangeRaw(url, bytes));
    expect([status, body]).toMatchObject([
      414,
      { success: false, code: 'uri_too_long', meta: { requestId: expect.stringMatching(/^req_/) } },
    ]);
  });

  test('200 for an address just short of 8 KB', async () => {
    const { url } = await begin();
    expect((await fetch(`${url}/api/health?x=${long(8_000)}`)).status).toBe(200);
  });

  test('431 for headers of more than 16 KB', async () => {
    const { url } = await begin();
    const bytes = `GET /api/health HTTP/1.1\r\nHost: x\r\nX-Long: ${long(17_000)}\r\n\r\n`;
    const { status, body } = parseRaw(await exchangeRaw(url, bytes));
    expect([status, body]).toMatchObject([
      431,
      { success: false, code: 'headers_too_large', meta: { requestId: expect.stringMatching(/^req_/) } },
    ]);
  });
});

describe('closing', () => {
  test('says that it stops, finishes what is under way, and answers each as the last of its connection', async () => {
    const answers: (() => void)[] = [];
    const log = createLog({ write: () => {} }, 'silent');
    let isStopping = (): boolean => false;
    const listening = await listen(
      { host: '127.0.0.1', port: 0, log, clock: () => new Date() },
      (_url, tells): RequestListener => {
        isStopping = tells;
        return (_request, response) => void answers.push(() => response.end('whole'));
      },
    );
    const underWay = openRaw(listening.url);
    underWay.socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    const half = openRaw(listening.url);
    half.socket.write('GET / HTTP/1.1\r\nHo');
    const silent = openRaw(listening.url);
    const fetched = fetch(listening.url);
    while (answers.length < 2) await new Promise((resolve) => setImmediate(resolve));
    expect(isStopping()).toBe(false);
    const closed = listening.close();
    expect(isStopping()).toBe(true);
    expect(await silent.received).toBe('');
    half.socket.write('st: x\r\n\r\n');
    while (answers.length < 3) await new Promise((resolve) => setImmediate(resolve));
    for (const answer of answers) answer();
    expect((await fetched).headers.get('connection')).toBe('close');
    expect(parseRawText(await underWay.received)).toEqual(['close', 'whole']);
    expect(parseRawText(await half.received)).toEqual(['close', 'whole']);
    await closed;
    await expect(fetch(listening.url)).rejects.toThrow();
  });

  test('ends requests that do not finish', async () => {
    const listening = await start(() => {}, { graceMs: 50 });
    server = undefined;
    const asked = openRaw(listening.url);
    asked.socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await new Promise((resolve) => asked.socket.once('connect', resolve));
    await listening.close();
    expect(await asked.received).toBe('');
  });

  test('refuses a port that is taken', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as { port: number };
    const log = createLog({ write: () => {} }, 'silent');
    await expect(listen({ host: '127.0.0.1', port, log, clock: () => new Date() }, () => patient)).rejects.toThrow(
      'EADDRINUSE',
    );
    await new Promise((resolve) => taken.close(resolve));
  });
});

function parseRawText(text: string): [string | undefined, string | undefined] {
  const [head = '', body] = text.split('\r\n\r\n');
  return [/\r\nConnection: (\S+)/i.exec(head)?.[1], body];
}
