import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tools } from '../../src/mcp/tools/index.ts';
import { isLong } from '../support/length.ts';
import { clients, type Place, type Session } from '../support/mcp-clients.ts';
import {
  bareEnvironment,
  PROGRAM,
  type Running,
  runProgram,
  startProgram,
  temporaryFolder,
} from '../support/program.ts';

const folder = temporaryFolder();
const state = { WEB3_BI_STATE_DIR: folder.path };
let service: Running;
let key: string;

beforeAll(async () => {
  // All clients have one key, and call faster than a key may.
  service = await startProgram(['serve', '--port', '0'], { ...state, WEB3_BI_BURST_PER_SECOND: '0' });
  const made = await runProgram(
    ['key', 'create', '--account', 'x', '--plan', 'api_access', '--name', 'x', '--json'],
    state,
  );
  key = (JSON.parse(made.stdout) as { key: string }).key;
});
afterAll(async () => {
  await service.stop();
  folder.remove();
});

const stdio = (env: Record<string, string>): Place => ({
  command: process.execPath,
  args: [PROGRAM, 'mcp'],
  env: bareEnvironment({ ...state, ...env }),
});

const ways: { way: string; place: () => Place }[] = [
  { way: 'stdio and the embedded service', place: () => stdio({}) },
  { way: 'stdio and a key', place: () => stdio({ WEB3_BI_BASE_URL: service.url, WEB3_BI_API_KEY: key }) },
  {
    way: 'HTTP and a key',
    place: () => ({ url: `${service.url}/mcp`, headers: { Authorization: `Bearer ${key}` } }),
  },
];
/** Over stdio to a service, which is the same stdio, the oldest and the newest client, unless the run is a long one. */
const clientsOf = (way: string): typeof clients =>
  isLong || way !== 'stdio and a key' ? clients : [...clients.slice(0, 1), ...clients.slice(-1)];
const cells = ways.flatMap((each) => clientsOf(each.way).map((client) => ({ ...each, ...client })));

describe.each(cells)('over $way, $client', ({ place, open, version }) => {
  let session: Session;
  beforeAll(async () => {
    session = await open(place());
  });
  afterAll(() => session.close());

  test('speaks its revision and lists tools, templates and prompts', async () => {
    expect(session.version).toBe(version);
    const { tools } = await session.listTools();
    expect(tools.map((tool) => tool.name)).toEqual(['search', 'get_entity', 'aggregate', 'connect', 'health', 'usage']);
    expect((await session.listTemplates()).resourceTemplates).toMatchObject([
      { uriTemplate: 'web3-bi://{type}/{slug}' },
    ]);
    expect((await session.listPrompts()).prompts.map((prompt: any) => prompt.name)).toEqual([
      'company_brief',
      'compare_companies',
      'investor_brief',
      'event_prep',
      'round_table',
      'warm_intro',
    ]);
  });

  test('calls every tool, with answers that its SDK finds to be of their schemas', async () => {
    await session.listTools();
    // And of the schemas that they are published from, which nothing checks while it serves.
    const isWhole = (name: string, answer: unknown) =>
      expect([name, tools.find((tool) => tool.name === name)?.output.parse(answer)]).toEqual([name, answer]);
    const found = await session.call('search', { query: 'coinbase', type: 'companies', limit: '1' });
    expect(found.structuredContent).toMatchObject({ results: [{ slug: 'coinbase' }], next: { page: 2 } });
    expect(found.content[0].text).toContain('"slug":"coinbase"');
    const entity = await session.call('get_entity', { type: 'companies', id: 'coinbase', include: ['people'] });
    expect(entity.structuredContent.entities).toMatchObject([{ status: 'exact', record: { slug: 'coinbase' } }]);
    const counted = await session.call('aggregate', { of: 'rounds', group_by: 'year', measure: ['count'], top: '1' });
    expect(counted.structuredContent).toMatchObject({ columns: ['year', 'count'], rows: [[2024, expect.any(Number)]] });
    const ends = { from: 'people/hayden-adams', to: 'Paradigm', hops_max: 1 };
    const path = await session.call('connect', ends);
    expect(path.structuredContent).toMatchObject({ paths: [{ hops: 1 }], complete: true });
    const health = await session.call('health', { detailed: true });
    expect(health.structuredContent).toMatchObject({ status: 'operational' });
    const usage = await session.call('usage', {});
    expect(usage.structuredContent).toMatchObject({ key: { level: 'read' } });
    isWhole('search', found.structuredContent);
    isWhole('get_entity', entity.structuredContent);
    isWhole('health', health.structuredContent);
    isWhole('usage', usage.structuredContent);
    isWhole('aggregate', counted.structuredContent);
    isWhole('connect', path.structuredContent);
  });

  test('is told of bad arguments in a result, and of an unknown tool by the protocol', async () => {
    const result = await session.call('search', { type: 'company' });
    expect(result).toMatchObject({ isError: true, _meta: { 'web3-bi/error': { code: 'invalid_parameter' } } });
    expect(result.content[0].text).toContain('type must be one of companies, people, investors, events, rounds, all');
    await expect(session.call('no_such_tool', {})).rejects.toMatchObject({ code: -32602 });
  });

  test('reads a resource, and is told of one that is not there', async () => {
    const { contents } = await session.read('web3-bi://companies/uniswap');
    expect(JSON.parse(contents[0].text)).toMatchObject({ notice: expect.any(String), record: { name: 'Uniswap' } });
    await expect(session.read('web3-bi://companies/no-such-company')).rejects.toMatchObject({ code: -32602 });
  });

  test('gets a prompt with its record, and completes what is typed', async () => {
    const { messages } = await session.prompt('company_brief', { company: 'uniswap' });
    expect(messages[1].content.resource).toMatchObject({ uri: 'web3-bi://companies/uniswap' });
    const ref = { type: 'ref/prompt', name: 'company_brief' };
    const typed = await session.complete({ ref, argument: { name: 'company', value: 'unis' } });
    expect(typed.completion.values).toContain('Uniswap');
  });
});
