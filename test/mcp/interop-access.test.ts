import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isLong } from '../support/length.ts';
import { clients, type Session } from '../support/mcp-clients.ts';
import { bareEnvironment, PROGRAM, type Running, startProgram, temporaryFolder } from '../support/program.ts';

/**
 * The rest of the matrix of clients, ways and kinds of access, whose larger part is in `interop.test.ts`. Over HTTP there
 * is no wallet: it would be the service's own, and what is sold there is sold by REST.
 */
const folder = temporaryFolder();
let service: Running;
let privateKey: string;

beforeAll(async () => {
  service = await startProgram(['sandbox', '--port', '0'], { WEB3_BI_STATE_DIR: folder.path });
  ({ privateKey } = service.ready['wallet'] as { privateKey: string });
});
afterAll(async () => {
  await service?.stop();
  folder.remove();
});

/** A long run has those between them, which speak the same over this stdio in interop.test.ts. */
const oldestAndNewest = isLong ? clients : [...clients.slice(0, 1), ...clients.slice(-1)];

describe.each(oldestAndNewest)('over stdio and a wallet, $client', ({ client, open, version }) => {
  let session: Session;
  beforeAll(async () => {
    const env = bareEnvironment({
      // A state folder of its own, so that each client pays for itself.
      WEB3_BI_STATE_DIR: `${folder.path}/${client}`,
      WEB3_BI_BASE_URL: service.url,
      WEB3_BI_ACCESS: 'wallet',
      WEB3_BI_WALLET_KEY: privateKey,
    });
    session = await open({ command: process.execPath, args: [PROGRAM, 'mcp'], env });
  });
  afterAll(() => session.close());

  test('speaks its revision and lists the tools that pay', async () => {
    expect(session.version).toBe(version);
    const { tools } = await session.listTools();
    expect(tools.map((tool) => tool.name)).toEqual([
      'search',
      'get_entity',
      'aggregate',
      'connect',
      'health',
      'wallet',
    ]);
  });

  test('pays once for a search, and nothing for what it has bought', async () => {
    await session.listTools();
    const asked = { query: 'coinbase', type: 'companies', limit: '5' };
    const paid = await session.call('search', asked);
    expect(paid.structuredContent).toMatchObject({
      results: [{ slug: 'coinbase' }, {}, {}, {}, {}],
      receipt: { amountUsd: '0.01', state: 'settled', cached: false },
    });
    expect(paid.content[0].text).toMatch(/^Paid 0\.01 USD to 0x/);
    const again = await session.call('search', asked);
    expect(again.structuredContent.receipt).toMatchObject({ cached: true });
    const entity = await session.call('get_entity', { type: 'companies', id: 'coinbase' });
    expect(entity.structuredContent.entities).toMatchObject([{ status: 'exact', record: { slug: 'coinbase' } }]);
    const wallet = await session.call('wallet', {});
    expect(wallet.structuredContent.receipts.map((each: any) => each.amountUsd)).toEqual(['0.01']);
    expect((await session.call('health', {})).structuredContent).toMatchObject({ status: 'operational' });
  });

  test('is told what is not sold, before anything is paid', async () => {
    const refused = await session.call('search', { query: 'devcon', type: 'events' });
    expect(refused).toMatchObject({ isError: true, _meta: { 'web3-bi/error': { code: 'not_sold' } } });
    await expect(session.read('web3-bi://companies/coinbase')).rejects.toMatchObject({
      message: expect.stringContaining('get_entity'),
    });
    const { messages } = await session.prompt('company_brief', { company: 'coinbase' });
    expect(messages).toHaveLength(1);
  });
});

describe.each(clients)('over HTTP without a key, $client', ({ open, version }) => {
  test('speaks its revision, asks for health, and is told how to get access to the rest', async () => {
    const session = await open({ url: `${service.url}/mcp`, headers: {} });
    expect(session.version).toBe(version);
    expect((await session.listTools()).tools.map((tool) => tool.name)).toContain('search');
    expect((await session.call('health', {})).structuredContent).toMatchObject({ status: 'operational' });
    const refused = await session.call('search', { query: 'coinbase' });
    expect(refused).toMatchObject({ isError: true, _meta: { 'web3-bi/error': { code: 'unauthenticated' } } });
    await session.close();
  });

  test('is refused with a foreign token', async () => {
    const headers = { Authorization: 'Bearer eyJhbGciOiJIUzI1NiJ9.e30.x' };
    await expect(open({ url: `${service.url}/mcp`, headers })).rejects.toThrow();
  });
});
