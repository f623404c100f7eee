import { join } from 'node:path';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { keyAccess } from '../../src/client/access.ts';
import { createClient } from '../../src/client/client.ts';
import type { AccessKind } from '../../src/mcp/define-tool.ts';
import { createServer } from '../../src/mcp/server.ts';
import type { TestService } from './service.ts';

/** The built views of tools. */
export const APPS = join(import.meta.dirname, '..', '..', 'dist', 'apps');

/** An MCP client of a server in this process, over the given service. */
export async function connectTo(service: TestService, access: AccessKind = 'key'): Promise<Client> {
  const client = createClient(service.url, access === 'key' ? keyAccess(service.key) : fetch);
  const server = createServer({ client, access, log: { error: () => {} }, version: '0.0.0', apps: APPS });
  const [left, right] = InMemoryTransport.createLinkedPair();
  await server.connect(left);
  const mcp = new Client({ name: 'test', version: '0' });
  await mcp.connect(right);
  return mcp;
}
