import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { keyAccess } from '../../../src/client/access.ts';
import { createClient } from '../../../src/client/client.ts';
import { createServer } from '../../../src/mcp/server.ts';
import { aCompany } from '../../support/builders.ts';
import { startService } from '../../support/service.ts';

const PAIRS = 400;
const WARM = 50;

/** What a tool call adds to the REST call behind it, in one process: medians of pairs, in milliseconds. */
export async function callOverhead(): Promise<object> {
  const rows = Array.from({ length: 200 }, (_, index) =>
    aCompany({ name: `Company ${index}`, slug: `company-${index}` }),
  );
  const service = await startService(rows);
  const key = await service.newKey({ plan: 'enterprise' });
  const client = createClient(service.url, keyAccess(key));
  const server = createServer({ client, access: 'key', log: { error: () => {} }, version: '0' });
  const [left, right] = InMemoryTransport.createLinkedPair();
  await server.connect(left);
  const mcp = new Client({ name: 'bench', version: '0' });
  await mcp.connect(right);
  const rest = () => client.search({ type: 'companies', query: 'company' });
  const tool = () => mcp.callTool({ name: 'search', arguments: { type: 'companies', query: 'company' } });
  const pairs = [];
  for (let index = 0; index < PAIRS + WARM; index += 1) {
    const pair = { rest: await timeOf(rest), tool: await timeOf(tool) };
    if (index >= WARM) pairs.push(pair);
  }
  await mcp.close();
  await service.close();
  const restMs = median(pairs.map((pair) => pair.rest));
  const toolMs = median(pairs.map((pair) => pair.tool));
  return { restMs, toolMs, addedMs: median(pairs.map((pair) => pair.tool - pair.rest)) };
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

function median(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}
