import { spawn } from 'node:child_process';
import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as TransportV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bareEnvironment, PROGRAM, temporaryFolder } from '../support/program.ts';

const folder = temporaryFolder();
const environment = (): Record<string, string> => bareEnvironment({ WEB3_BI_STATE_DIR: folder.path });
const command = () => ({
  command: process.execPath,
  args: [PROGRAM, 'mcp'],
  env: environment(),
  stderr: 'pipe' as const,
});
const MODERN = '2026-07-28';
const LEGACY = '2025-11-25';

interface Session {
  readonly version: string | undefined;
  listTools(): Promise<{ tools: { name: string; outputSchema?: unknown }[] }>;
  call(name: string, args: Record<string, unknown>): Promise<any>;
  close(): Promise<void>;
}

async function openV1(): Promise<Session> {
  const client = new ClientV1({ name: 'test', version: '0' });
  await client.connect(new TransportV1(command()));
  return {
    version: LEGACY,
    listTools: () => client.listTools(),
    call: (name, args) => client.callTool({ name, arguments: args }),
    close: () => client.close(),
  };
}

const openV2 = (mode?: 'auto' | { pin: string }) => async (): Promise<Session> => {
  const client = new ClientV2(
    { name: 'test', version: '0' },
    mode === undefined ? {} : { versionNegotiation: { mode } },
  );
  await client.connect(new TransportV2(command()));
  return {
    version: client.getNegotiatedProtocolVersion(),
    listTools: () => client.listTools() as never,
    call: (name, args) => client.callTool({ name, arguments: args }),
    close: () => client.close(),
  };
};

const clients = [
  { name: 'the v1 client', open: openV1, version: LEGACY },
  { name: 'the v2 client', open: openV2(), version: LEGACY },
  { name: 'the v2 client that negotiates', open: openV2('auto'), version: MODERN },
  { name: 'the v2 client of the newest revision', open: openV2({ pin: MODERN }), version: MODERN },
];

afterAll(() => folder.remove());

describe.each(clients)('web3-bi mcp with no settings and $name', ({ open, version }) => {
  let session: Session;
  beforeAll(async () => {
    session = await open();
  });
  afterAll(() => session.close());

  test('speaks its revision and lists the tools', async () => {
    expect(session.version).toBe(version);
    const { tools } = await session.listTools();
    expect(tools.map((tool) => tool.name)).toEqual(['search', 'get_entity', 'health', 'usage']);
  });

  test('finds Coinbase first in the shipped data', async () => {
    // The clients check structuredContent against the outputSchema that they listed.
    const result = await session.call('search', { query: 'coinbase', type: 'companies' });
    expect(result.structuredContent.results[0]).toMatchObject({
      type: 'companies',
      name: 'Coinbase',
      slug: 'coinbase',
    });
    expect(result.content[0].text).toContain('"slug":"coinbase"');
  });

  test('looks a record up with its relations, and asks for health', async () => {
    const entity = await session.call('get_entity', { type: 'companies', id: 'coinbase', include: ['people'] });
    expect(entity.structuredContent.entities[0]).toMatchObject({ status: 'exact', record: { slug: 'coinbase' } });
    expect((await session.call('health', {})).structuredContent).toMatchObject({ status: 'operational' });
  });

  test('answers bad arguments with a text that says what to do', async () => {
    const result = await session.call('search', { type: 'company' });
    expect(result).toMatchObject({ isError: true });
    expect(result.content[0].text).toContain('type must be one of companies, people, investors, events, all');
  });
});

/** Writes messages to the program's stdin, ends it at once, and gives what came back. */
function pipe(
  messages: readonly object[],
  more: Record<string, string> = {},
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [PROGRAM, 'mcp'], { env: { ...environment(), ...more } });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    child.once('close', (code) => resolve({ code, stdout, stderr }));
    child.stdin.end(messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join(''));
  });
}

const OPENING = [
  {
    id: 1,
    method: 'initialize',
    params: { protocolVersion: LEGACY, capabilities: {}, clientInfo: { name: 'test', version: '0' } },
  },
  { method: 'notifications/initialized' },
];
const SEARCH = {
  id: 2,
  method: 'tools/call',
  params: { name: 'search', arguments: { query: 'coinbase', type: 'companies' } },
};

describe('web3-bi mcp', () => {
  test('answers what was asked before stdin ended, writes nothing but JSON-RPC, and ends with 0', async () => {
    const { code, stdout, stderr } = await pipe([...OPENING, SEARCH]);
    expect([code, stderr]).toEqual([0, '']);
    const messages = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(messages.every((message) => message.jsonrpc === '2.0')).toBe(true);
    expect(messages.find((message) => message.id === 2).result.structuredContent.results[0].name).toBe('Coinbase');
  });

  test('ends with 0 when stdin ends before anything was asked', async () => {
    expect(await pipe([])).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  test('answers server/discover of the newest revision', async () => {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': MODERN,
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '0' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const { stdout } = await pipe([{ id: 1, method: 'server/discover', params: { _meta } }]);
    expect(JSON.parse(stdout)).toMatchObject({
      id: 1,
      result: { supportedVersions: expect.arrayContaining([MODERN]) },
    });
  });

  test('works when two start at once on an empty folder', async () => {
    const fresh = temporaryFolder();
    const both = await Promise.all([1, 2].map(() => pipe([...OPENING, SEARCH], { WEB3_BI_STATE_DIR: fresh.path })));
    for (const { code, stdout, stderr } of both) {
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toContain('"slug":"coinbase"');
    }
    fresh.remove();
  });

  test('with a service but no key starts, lists its tools and says what to set', async () => {
    const call = { ...SEARCH, id: 3 };
    const { code, stdout } = await pipe([...OPENING, { id: 2, method: 'tools/list', params: {} }, call], {
      WEB3_BI_BASE_URL: 'http://127.0.0.1:1',
    });
    expect(code).toBe(0);
    expect(stdout).toContain('"name":"get_entity"');
    expect(stdout).toContain('set WEB3_BI_API_KEY');
  });

  test('with a folder that cannot be written tells the model without internals, and the log why', async () => {
    const { stdout, stderr } = await pipe([...OPENING, SEARCH], { WEB3_BI_STATE_DIR: '/dev/null/x' });
    expect(stdout).toContain('"isError":true');
    expect(stdout).not.toContain('/dev/null');
    expect(stderr).toContain('/dev/null');
  });
});
