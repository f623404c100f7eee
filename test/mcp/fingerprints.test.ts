import { createHash } from 'node:crypto';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient } from '../../src/client/client.ts';
import type { AccessKind } from '../../src/mcp/define-tool.ts';
import { createServer } from '../../src/mcp/server.ts';
import { APPS } from '../support/mcp-server.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

/** The tools of an access, and their fingerprints in health. */
async function seen(access: AccessKind) {
  const client = createClient(service.url, fetch);
  const server = createServer({ client, access, log: { error: () => {} }, version: '0.0.0', apps: APPS });
  const [left, right] = InMemoryTransport.createLinkedPair();
  await server.connect(left);
  const mcp = new Client({ name: 'test', version: '0' });
  await mcp.connect(right);
  const { tools } = await mcp.listTools();
  const { structuredContent } = await mcp.callTool({ name: 'health', arguments: {} });
  await mcp.close();
  return { tools, fingerprints: (structuredContent as { tools: Record<string, string> }).tools };
}

/** A second way to the same text: the keys of every object in order. */
const sorted = (value: unknown): string =>
  JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(
          Object.keys(each)
            .sort()
            .map((key) => [key, (each as Record<string, unknown>)[key]]),
        )
      : each,
  );

const KINDS = ['key', 'embedded', 'wallet', 'payment', 'none'] as const;

test.each(KINDS)('with the access %s, health has the SHA-256 of each tool as it is listed', async (access) => {
  const { tools, fingerprints } = await seen(access);
  const expected = tools.map((tool) => [tool.name, createHash('sha256').update(sorted(tool)).digest('hex')]);
  expect(fingerprints).toEqual(Object.fromEntries(expected));
});

test('no definition changes but with intent: hosts that pinned one ask their person anew (vitest -u notes the change)', async () => {
  const all = await Promise.all(KINDS.map(async (access) => [access, (await seen(access)).fingerprints] as const));
  await expect(`${JSON.stringify(Object.fromEntries(all), null, 2)}\n`).toMatchFileSnapshot('tool-fingerprints.json');
});
