import { spawn } from 'node:child_process';
import { afterAll, describe, expect, test } from 'vitest';
import { LEGACY, MODERN } from '../support/mcp-clients.ts';
import { bareEnvironment, PROGRAM, runProgram, temporaryFolder } from '../support/program.ts';

const folder = temporaryFolder();
const environment = (): Record<string, string> => bareEnvironment({ WEB3_BI_STATE_DIR: folder.path });

afterAll(() => folder.remove());

/** Writes messages to the program's stdin, ends it at once, and gives what came back. */
function pipe(
  messages: readonly object[],
  more: Record<string, string> = {},
  words: readonly string[] = [],
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [PROGRAM, 'mcp', ...words], { env: { ...environment(), ...more } });
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

  test('offers the same tools at its first start as later', async () => {
    const fresh = temporaryFolder();
    const listed = async (): Promise<unknown> => {
      const asked = [...OPENING, { id: 3, method: 'tools/list' }, SEARCH];
      const { stdout } = await pipe(asked, { WEB3_BI_STATE_DIR: fresh.path });
      return stdout.split('\n').find((line) => line.includes('"id":3'));
    };
    const first = await listed();
    expect(first).toContain('"aggregate"');
    // No record of the shipped data is verified.
    expect(first).not.toContain('"verified"');
    expect(await listed()).toBe(first);
    fresh.remove();
  });

  test('has two tools in the profile for research', async () => {
    const { stdout } = await pipe([...OPENING, { id: 2, method: 'tools/list' }], {}, ['--profile', 'research']);
    const messages = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const { tools } = messages.find((message) => message.id === 2).result;
    expect(tools.map((tool: { name: string }) => tool.name)).toEqual(['search', 'fetch']);
  });

  test('tells no filter that no record of the database can satisfy', async () => {
    const own = temporaryFolder();
    const settings = { WEB3_BI_STATE_DIR: own.path, WEB3_BI_DATA: 'none' };
    const toldFilters = async (): Promise<string[]> => {
      const { stdout } = await pipe([...OPENING, { id: 2, method: 'tools/list' }], settings);
      const { tools } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '').result;
      return Object.keys(tools[0].inputSchema.properties);
    };
    const before = await toldFilters();
    await runProgram(['import', '-', '--type', 'companies'], settings, 'name,total_employees\nAcme,12\n');
    const after = await toldFilters();
    expect(before.filter((name) => !after.includes(name))).toContain('city');
    const others = ['query', 'type', 'sort', 'page', 'limit', 'detail', 'fields'];
    expect(after.filter((name) => !others.includes(name))).toEqual(['employees_min', 'employees_max']);
    own.remove();
  });

  test('refuses a message that is nested too deep, and goes on', async () => {
    const deep = JSON.parse(`${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}`);
    const [opening, ...rest] = OPENING;
    const tooDeep = { ...opening, id: 0, params: { ...opening?.params, capabilities: { experimental: { deep } } } };
    const { stdout, stderr } = await pipe([tooDeep, opening as object, ...rest, { id: 5, method: 'ping' }]);
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(stderr).toBe('');
    expect(answers).toMatchObject([
      { id: 0, error: { code: -32_600 } },
      { id: 1, result: {} },
      { id: 5, result: {} },
    ]);
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
