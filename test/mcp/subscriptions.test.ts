import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { McpEndpoint } from '../../src/mcp/http/endpoint.ts';
import { openStore } from '../../src/store/open.ts';
import { OPERATOR } from '../../src/store/port/audit.ts';
import type { Store } from '../../src/store/store.ts';
import { aCompany } from '../support/builders.ts';
import { engine } from '../support/databases.ts';
import { isSecondEngine } from '../support/length.ts';
import { MODERN } from '../support/mcp-clients.ts';
import { loopbackEndpoint } from '../support/mcp-endpoint.ts';
import { bareEnvironment, PROGRAM } from '../support/program.ts';
import { startService, type TestService } from '../support/service.ts';

/** Two instances on one database: one is listened to, records are changed by the other. */
let here: TestService;
let there: Store;
let endpoint: McpEndpoint;
let address: URL;
let database: string;
const failures: unknown[] = [];
beforeAll(async () => {
  ({ url: database } = await engine.newDatabase());
  endpoint = loopbackEndpoint(
    (thrown) => void failures.push(thrown),
    (last) => here.store.audit.changedAfter(last),
    100,
  );
  here = await startService([aCompany({ name: 'Acme' }), aCompany({ name: 'Other' })], {
    database,
    mount: endpoint.mount,
  });
  there = await openStore(database);
  address = new URL(`${here.url}/mcp`);
});
afterAll(async () => {
  await endpoint.close();
  await here.close();
  await there.close();
  expect(failures).toEqual([]);
});

/** A client of the newest revision that subscribes to some records, with the notified URIs. */
async function follow(uris: string[], key?: string) {
  const client = new Client({ name: 'test', version: '0' }, { versionNegotiation: { mode: { pin: MODERN } } });
  const told: string[] = [];
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => void told.push(params.uri));
  const headers: Record<string, string> = key === undefined ? {} : { Authorization: `Bearer ${key}` };
  await client.connect(new StreamableHTTPClientTransport(address, { requestInit: { headers } }));
  const subscription = await client.listen({ resourceSubscriptions: uris });
  return { client, told, subscription, honored: subscription.honoredFilter };
}

const change = (action: 'merge' | 'delete' | 'restore', target: string, input: object = {}) =>
  there.records.change({ action, type: 'companies', target, author: OPERATOR, input });

describe('subscriptions/listen', () => {
  test('tells of every change of a record that is followed, made by another instance, and of no other', async () => {
    const acme = 'web3-bi://companies/acme';
    const { client, told, honored } = await follow([acme], here.key);
    expect(honored).toEqual({ resourceSubscriptions: [acme] });
    const changes = [
      () => change('merge', 'acme', { tagline: 'Changed' }),
      () => change('delete', 'acme'),
      () => change('restore', 'acme'),
      () => there.records.upsertMany([aCompany({ name: 'Acme', slug: 'acme', tagline: 'Imported' })], OPERATOR),
    ];
    for (const [index, make] of changes.entries()) {
      await change('merge', 'other', { tagline: `Change ${index}` });
      await make();
      await expect.poll(() => told.length).toBe(index + 1);
    }
    expect(new Set(told)).toEqual(new Set([acme]));
    const read = await client.readResource({ uri: acme });
    expect(JSON.stringify(read)).toContain('Imported');
    await client.close();
  });

  test('begins anew when everybody had left', async () => {
    const acme = 'web3-bi://companies/acme';
    const first = await follow([acme], here.key);
    await first.client.close();
    const second = await follow([acme], here.key);
    await change('merge', 'acme', { tagline: 'Once more' });
    await expect.poll(() => second.told).toEqual([acme]);
    await second.client.close();
  });

  test('ends when its key is revoked', async () => {
    const { account } = (await here.store.keys.find(here.key)) ?? { account: '' };
    const { id, secret } = await here.store.keys.create({ account, name: 'k', level: 'read', expires_at: null });
    const { client, subscription } = await follow(['web3-bi://companies/acme'], secret);
    await here.store.keys.revoke(id);
    expect(await subscription.closed).toBe('remote');
    await client.close();
  });

  test.skipIf(isSecondEngine)('is open 20 times for an account, and others still have places', async () => {
    const acme = 'web3-bi://companies/acme';
    const open = [];
    for (let count = 0; count < 20; count += 1) open.push(await follow([acme], here.key));
    await expect(follow([acme], here.key)).rejects.toThrow();
    open.push(await follow([acme], await here.newKey()));
    for (const { client } of open) await client.close();
  });

  test.skipIf(isSecondEngine)('without a key follows nothing', async () => {
    const { client, honored } = await follow(['web3-bi://companies/acme']);
    expect(honored).toEqual({});
    await client.close();
  });
});

describe('over stdio, a change of the database by another process', () => {
  const acme = 'web3-bi://companies/acme';
  const other = 'web3-bi://companies/other';

  /** A client of the program, which serves the same database, with the notified URIs. */
  async function start(options: ConstructorParameters<typeof Client>[1] = {}) {
    const client = new Client({ name: 'test', version: '0' }, options);
    const told: string[] = [];
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => void told.push(params.uri));
    const env = bareEnvironment({ WEB3_BI_DATABASE_URL: database, WEB3_BI_DATA: 'none' });
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [PROGRAM, 'mcp'], env }));
    return { client, told };
  }

  test('is told to a client of the newest revision that listens', async () => {
    const { client, told } = await start({ versionNegotiation: { mode: { pin: MODERN } } });
    const { honoredFilter } = await client.listen({ resourceSubscriptions: [acme] });
    expect(honoredFilter).toEqual({ resourceSubscriptions: [acme] });
    await change('merge', 'other', { tagline: 'Over stdio' });
    await change('merge', 'acme', { tagline: 'Over stdio' });
    await expect.poll(() => told).toEqual([acme]);
    await client.close();
  });

  test.skipIf(isSecondEngine)(
    'is told to a client of an older one that subscribes, until it does no longer',
    async () => {
      const { client, told } = await start();
      for (const uri of [acme, other]) await client.subscribeResource({ uri });
      await client.unsubscribeResource({ uri: other });
      await change('merge', 'other', { tagline: 'Over stdio, again' });
      await change('merge', 'acme', { tagline: 'Over stdio, again' });
      await expect.poll(() => told).toEqual([acme]);
      await client.close();
    },
  );
});
