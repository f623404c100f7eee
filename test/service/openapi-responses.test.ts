import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endpoints } from '../../src/contract/endpoints.ts';
import { ServiceError } from '../../src/contract/errors.ts';
import { type Described, type Description, type Received, readDescription } from '../support/openapi.ts';
import { openRaw } from '../support/raw.ts';
import { createRequests, endpointOf, ONE_OF_EACH, type Requests } from '../support/requests.ts';
import { startService, type TestService } from '../support/service.ts';

const SHORT = { headersTimeoutMs: 100, requestTimeoutMs: 200, checkEveryMs: 20 };

let service: TestService;
let requests: Requests;
/** Admits one request of a key in two seconds, and does not wait long for slow ones. */
let strict: TestService;
/** Its database does not respond, or fails unexpectedly. */
let away: TestService;
let failing: TestService;
let description: Description;

beforeAll(async () => {
  service = await startService(ONE_OF_EACH);
  requests = createRequests(service, await service.newKey({ level: 'delete', plan: 'enterprise' }));
  strict = await startService(ONE_OF_EACH, { burstPerSecond: 0.5, limits: SHORT });
  away = await startService(ONE_OF_EACH, { isStopping: () => true });
  const unavailable = async () => {
    throw new ServiceError('unavailable', 'The database cannot be used right now.');
  };
  Object.assign(away.store.usage, { take: unavailable, read: unavailable });
  failing = await startService(ONE_OF_EACH);
  const fail = async () => {
    throw new Error('a fault that nobody thought of');
  };
  const failures = {
    search: fail,
    list: fail,
    get: fail,
    related: fail,
    change: fail,
    aggregate: fail,
    vocabulary: fail,
  };
  Object.assign(failing.store.records, failures);
  Object.assign(failing.store.usage, { read: fail });
  Object.assign(failing.store.claims, { of: fail });
  description = readDescription(await (await service.get('/api/v1/openapi.json')).json());
});
afterAll(async () => {
  for (const each of [service, strict, away, failing]) await each.close();
});

const isKeyed = (described: Described): boolean => endpointOf(described).access !== 'nothing';
const withQuery = (path: string, query: string): string => `${path}${path.includes('?') ? '&' : '?'}${query}`;
const long = (length: number): string => 'a'.repeat(length);

/** The bytes that came on a connection, as an answer. */
function parse(bytes: string): Received {
  const [head = '', text = ''] = bytes.split('\r\n\r\n');
  const [line = '', ...lines] = head.split('\r\n');
  const headers = lines.map((each) => [
    each.slice(0, each.indexOf(':')).toLowerCase(),
    each.slice(each.indexOf(':') + 2),
  ]);
  return { status: Number(line.split(' ')[1]), headers: Object.fromEntries(headers), text };
}

async function sendBytes(url: string, bytes: string): Promise<Received> {
  const { socket, received } = openRaw(url);
  socket.write(bytes);
  return parse(await received);
}

const success = async (described: Described) =>
  requests.send(described.method, await requests.fine(endpointOf(described)));

/** How each status is brought about. */
const PROVOKED: Record<number, (described: Described) => Promise<Received>> = {
  200: success,
  201: success,
  304: async (described) =>
    requests.send('GET', { ...(await requests.fine(endpointOf(described))), headers: { 'If-None-Match': '*' } }),
  400: async (described) => {
    const asked = await requests.fine(endpointOf(described));
    return requests.send(described.method, { ...asked, path: withQuery(asked.path, '%zz') });
  },
  401: async (described) =>
    requests.send(described.method, {
      ...(await requests.fine(endpointOf(described))),
      headers: { Authorization: 'Basic abc' },
    }),
  403: async (described) =>
    requests.send(described.method, await requests.fine(endpointOf(described)), await service.newKey({ plan: 'none' })),
  404: async (described) =>
    requests.send(described.method, {
      ...(await requests.fine(endpointOf(described))),
      path: described.path.replace('{idOrSlug}', 'nowhere'),
    }),
  406: async (described) =>
    requests.send(described.method, {
      ...(await requests.fine(endpointOf(described))),
      headers: { Accept: 'text/html' },
    }),
  408: async ({ method, path }) => sendBytes(strict.url, `${method} ${path} HTTP/1.1\r\nHost: x\r\nX-Slow: `),
  409: async (described) => {
    const { operation, type } = endpointOf(described);
    const slug = await requests.newRecord(type);
    if (operation === 'restore') return requests.send('POST', { path: `/api/v1/${type}/${slug}/restore` });
    return requests.send(described.method, {
      ...(await requests.fine(endpointOf(described))),
      body: requests.newBody(type, { slug }),
    });
  },
  412: async (described) =>
    requests.send(described.method, {
      ...(await requests.fine(endpointOf(described))),
      headers: { 'If-Match': '"r999"' },
    }),
  413: async (described) =>
    requests.send(described.method, {
      ...(await requests.fine(endpointOf(described))),
      body: JSON.stringify({ name: long(300_000) }),
    }),
  414: async (described) => {
    const asked = await requests.fine(endpointOf(described));
    return requests.send(described.method, { ...asked, path: withQuery(asked.path, `x=${long(9_000)}`) });
  },
  415: async (described) =>
    requests.send(described.method, {
      ...(await requests.fine(endpointOf(described))),
      headers: { 'Content-Type': 'text/plain' },
    }),
  422: async (described) => {
    const headers = { 'Idempotency-Key': described.path };
    await requests.send(described.method, { ...(await requests.fine(endpointOf(described))), headers });
    return requests.send(described.method, { ...(await requests.fine(endpointOf(described))), headers });
  },
  429: async (described) => {
    const secret = await strict.newKey({ level: 'delete' });
    const path = described.path.replace('{idOrSlug}', '1');
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => createRequests(strict, '').send(described.method, { path }, secret)),
    );
    return answers.find(({ status }) => status === 429) ?? (answers[0] as Received);
  },
  431: async ({ method, path }) =>
    sendBytes(service.url, `${method} ${path} HTTP/1.1\r\nHost: x\r\nX-Long: ${long(17_000)}\r\n\r\n`),
  500: async (described) => {
    const { path, body } = await requests.fine(endpointOf(described));
    return createRequests(failing, '').send(
      described.method,
      { path, body },
      await failing.newKey({ level: 'delete' }),
    );
  },
  503: async (described) => {
    const secret = await away.newKey({ level: 'delete' });
    return createRequests(away, '').send(described.method, { path: described.path.replace('{idOrSlug}', '1') }, secret);
  },
};

/** Internal details: stacks, files, SQL and its errors, and messages of unexpected faults. */
const INTERNALS = /\\n +at |node_modules|\.ts\b|\.js\b|SELECT |SQLITE|nobody thought of/;

// What is paid for is not there in a service that takes no payments; test/service/payments has it.
const described = endpoints
  .filter(({ access }) => access !== 'payment')
  .map(({ method, path }) => [method, path] as const);

describe.each(described)('%s %s', (method, path) => {
  test('answers each status of the document as it is described, and knows no other', async () => {
    const own = description.operations.find((one) => one.method === method && one.path === path) as Described;
    const answers = await Promise.all(
      own.statuses.map(async (status) => ({ status, received: await PROVOKED[status]?.(own) })),
    );
    for (const { status, received } of answers) {
      expect([status, received?.status, received?.text]).toEqual([status, status, received?.text]);
      expect([status, description.faultsOf(own, received as Received)]).toEqual([status, []]);
      expect(received?.text).not.toMatch(INTERNALS);
    }
    if (isKeyed(own)) expect(own.statuses).toEqual(expect.arrayContaining([401, 403, 429, 503]));
  });
});
