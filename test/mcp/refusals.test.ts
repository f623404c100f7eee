import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { keyAccess } from '../../src/client/access.ts';
import { createClient } from '../../src/client/client.ts';
import type { Limits } from '../../src/contract/plans.ts';
import { createServer } from '../../src/mcp/server.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
afterEach(async () => {
  vi.useRealTimers();
  await service.close();
});

/** What a model reads when it searches once more than the first time. */
async function secondSearch(key: string): Promise<string> {
  const client = createClient(service.url, keyAccess(key));
  const server = createServer({ client, access: 'key', log: { error: () => {} }, version: '0.0.0' });
  const [left, right] = InMemoryTransport.createLinkedPair();
  await server.connect(left);
  const mcp = new Client({ name: 'test', version: '0' });
  await mcp.connect(right);
  const search = () => mcp.callTool({ name: 'search', arguments: { query: 'x' } }) as Promise<any>;
  await search();
  const { isError, content } = await search();
  await mcp.close();
  expect(isError).toBe(true);
  return content[0].text.replace(/ Request id: \S+$/, '');
}

async function limitedKey(limits: Limits): Promise<string> {
  await service.store.accounts.create('limited', 'enterprise', limits);
  return (await service.store.keys.create({ account: 'limited', name: 'x', level: 'read', expires_at: null })).secret;
}

describe('a refused search says when to come back', () => {
  test('after a burst', async () => {
    // The burst limit uses Date only; with a stopped clock, the two searches are one burst.
    vi.useFakeTimers({ toFake: ['Date'] });
    service = await startService([], { burstPerSecond: 0.5 });
    expect(await secondSearch(service.key)).toMatch(
      /^Rate limit exceeded\. \(burst_limit_exceeded\) Nothing was charged\. Retrying is safe, after 2 seconds\. Send fewer/,
    );
  });

  test('when the day is used up', async () => {
    service = await startService();
    service.setNow(new Date('2026-11-21T23:00:01.000Z'));
    expect(await secondSearch(await limitedKey({ daily: 1, monthly: null }))).toMatchInlineSnapshot(
      `"Rate limit exceeded. (daily_limit_exceeded) Nothing was charged. Do not call again for 3599 seconds, when a new UTC day begins. Continue with what you have, and tell the person that the requests of the day are used up."`,
    );
  });

  test('when the month is used up', async () => {
    service = await startService();
    expect(await secondSearch(await limitedKey({ daily: 5, monthly: 1 }))).toMatchInlineSnapshot(
      `"Rate limit exceeded. (monthly_limit_exceeded) Nothing was charged. Do not call again for 820800 seconds (228 hours), when a new UTC month begins. Continue with what you have, and tell the person that the requests of the month are used up; a larger plan has more."`,
    );
  });

  test('and that nothing helps where the key may not be used from here', async () => {
    service = await startService();
    expect(await secondSearch(await service.newKey({ allowed_cidrs: ['192.0.2.7'] }))).toMatchInlineSnapshot(
      `"This key may not be used from this address; use it from an allowed one, or take a key without a list of addresses. (address_not_allowed) Nothing was charged. Retrying will not help: ask the person to use the key from an address it allows, or for a key without such a list."`,
    );
  });
});
