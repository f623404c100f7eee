import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createServer } from '../../../src/mcp/server.ts';
import { aRound } from '../../support/builders.ts';
import { type PaidService, startPaidService } from '../../support/paid-service.ts';
import { temporaryFolder } from '../../support/program.ts';
import { type Sandbox, startSandbox } from '../../support/sandbox.ts';
import { ask, encoded, signed } from '../../support/signing.ts';
import { openTestWallet } from '../../support/wallets.ts';

const PRICE = 10_000n;

let sandbox: Sandbox;
let service: PaidService;
beforeAll(async () => {
  sandbox = await startSandbox();
  service = await startPaidService(sandbox);
  await service.store.records.putAll([
    aRound({ name: 'Acme Seed', stage: 'seed', amount_usd: '5.50', investors: ['Acme Capital', 'Acme Ada'] }),
  ]);
});
afterAll(async () => {
  await service.close();
  await sandbox.close();
});

const buy = async (path: string) => {
  const payment = encoded(await signed(sandbox, await sandbox.chain.newWallet(PRICE)));
  const response = await ask(service.url, payment, path);
  return { status: response.status, body: (await response.json()) as any };
};

const AGGREGATE = '/api/v1/x402/aggregate?of=rounds&group_by=stage&measure=count|sum';
const CONNECTIONS = '/api/v1/x402/connections?from=Acme%20Ada&to=Acme%20Capital&limit=1';

// Facts are kept by one engine.
describe('GET /api/v1/x402/aggregate and connections', () => {
  test('are sold at the price of a search, each with its own description', async () => {
    const descriptions = [];
    for (const path of [AGGREGATE, CONNECTIONS]) {
      const response = await ask(service.url, undefined, path);
      const { accepts, resource } = (await response.json()) as any;
      expect([response.status, accepts[0].amount]).toEqual([402, String(PRICE)]);
      expect(accepts[0].description).toBe(resource.description);
      descriptions.push(resource.description);
    }
    expect(descriptions).toEqual([
      'Counts and sums over rounds, companies, investors, people and events of Web3.',
      'How two companies, people or investors of Web3 are connected.',
    ]);
  });

  test('answer what the keyed ones do, once they are paid', async () => {
    const sums = await buy(AGGREGATE);
    expect([sums.status, sums.body.data.rows]).toEqual([200, [['seed', 1, '5.50']]]);
    expect(sums.body.meta).toMatchObject({
      query: 'group_by=stage&measure=count%7Csum&of=rounds',
      price_paid_usd: '0.01',
      transaction: expect.stringMatching(/^0x/),
    });
    const paths = await buy(CONNECTIONS);
    expect([paths.status, paths.body.data.paths[0].edges[0].record.slug]).toEqual([200, 'acme-seed']);
  });

  test.each([
    '/api/v1/x402/aggregate?of=people&group_by=stage',
    '/api/v1/x402/aggregate?of=people&group_by=event&contry=France',
    '/api/v1/x402/aggregate?of=rounds&group_by=year&measure=total',
    '/api/v1/x402/aggregate?of=rounds&group_by=year&order=stage',
    '/api/v1/x402/aggregate?of=rounds&group_by=year&from=2024-02-01&to=2023-01-01',
    '/api/v1/x402/aggregate?of=rounds&group_by=year&country=Narnia',
    '/api/v1/x402/aggregate?of=companies&group_by=tag&investor=Nobody',
    '/api/v1/x402/connections?from=Nobody&to=Acme%20Ada',
    '/api/v1/x402/connections?from=coins/acme&to=Acme%20Ada',
    '/api/v1/x402/connections?from=companies/acme&to=Acme%20Ada&kinds=friend',
    '/api/v1/x402/search?query=acme&type=rounds&from=2024-02-01&to=2023-01-01',
    '/api/v1/x402/search?query=acme&type=coins',
  ])('refuse %s before a payment is asked for', async (path) => {
    expect((await ask(service.url, undefined, path)).status).toBe(400);
    expect((await buy(path)).status).toBe(400);
  });

  test('are offered as tools that pay from the wallet, and an equal call costs nothing', async () => {
    const folder = temporaryFolder();
    const funded = await sandbox.chain.newWallet(10n * PRICE);
    const { wallet, paid } = openTestWallet({ sandbox, funded, url: service.url, folder: folder.path });
    const log = { error: () => undefined };
    const server = createServer({ client: paid.free, access: 'wallet', paid, log, version: '0.0.0' });
    const [left, right] = InMemoryTransport.createLinkedPair();
    await server.connect(left);
    const mcp = new Client({ name: 'test', version: '0' });
    await mcp.connect(right);
    const call = async (name: string, args: Record<string, unknown>) =>
      ((await mcp.callTool({ name, arguments: args })) as any).structuredContent;
    const asked = { of: 'rounds', group_by: ['stage'], measure: ['sum'] };
    expect(await call('aggregate', asked)).toMatchObject({ rows: [['seed', 5.5]], receipt: { cached: false } });
    expect(await call('aggregate', asked)).toMatchObject({ rows: [['seed', 5.5]], receipt: { cached: true } });
    const path = await call('connect', { from: 'Acme Ada', to: 'Acme Capital', limit: 1 });
    expect(path).toMatchObject({ paths: [{ hops: 1 }], receipt: { amountUsd: '0.01' } });
    expect(10n * PRICE - (await sandbox.chain.balanceOf(funded.address))).toBe(2n * PRICE);
    await mcp.close();
    await wallet.close();
    folder.remove();
  });
});
