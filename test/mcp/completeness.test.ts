import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aCompany, anInvestor, aRound } from '../support/builders.ts';
import { connectTo } from '../support/mcp-server.ts';
import { startService, type TestService } from '../support/service.ts';

/** What the tools tell a model of how complete an answer is, and how to ask better. */
let service: TestService;
let mcp: Client;
beforeAll(async () => {
  service = await startService([
    aCompany({ name: 'Alpha', tags: ['DeFi'] }),
    aCompany({ name: 'Beta', tags: ['Wallet'] }),
    anInvestor({ name: 'Fund 0' }),
    aRound({
      name: 'Alpha Seed',
      company: 'Alpha',
      stage: 'seed',
      amount_usd: '1000000.00',
      announced_date: '2024-02-01',
    }),
    aRound({ name: 'Beta Series A', company: 'Beta', stage: 'series_a', announced_date: '2025-02-01' }),
  ]);
  mcp = await connectTo(service);
});
afterAll(async () => {
  await mcp.close();
  await service.close();
});

const call = async (name: string, args: Record<string, unknown>) => {
  const result = (await mcp.callTool({ name, arguments: args })) as any;
  return { isError: result.isError, data: result.structuredContent, text: result.content[0].text as string };
};

describe('an argument', () => {
  test.each([
    ['search', { type: 'companies', tag: 'Unicorn' }, 'all are DeFi, Wallet'],
    ['search', { type: 'rounds', funding_stage: 'IPO' }, 'all are pre_seed, angel, seed'],
    ['search', { type: 'rounds', sort: '-popularity' }, 'rounds: announced_date, amount_usd'],
    ['search', { type: 'rounds', fields: ['tags'] }, 'they have type, id, name, slug, aliases, company'],
    ['aggregate', { of: 'rounds', group_by: ['planet'] }, 'lead_investor, tag, chain, country of rounds'],
    ['aggregate', { of: 'rounds', group_by: ['year'], order: 'popularity' }, '-group last first'],
  ])('of %s that is wrong is answered with the right ones: %j', async (tool, args, expected) => {
    const { isError, text } = await call(tool, args);
    expect(isError).toBe(true);
    expect(text).toContain(expected);
    expect(text).not.toContain('/api/v1');
  });

  test('funding_stage may be called stage, as a filter and as a group, and the other way round', async () => {
    const byStage = await call('search', { type: 'companies', stage: 'seed' });
    expect(byStage.data.results.map(({ name }: any) => name)).toEqual(['Alpha']);
    const filtered = { group_by: ['funding_stage'], stage: 'series_a' };
    expect((await call('aggregate', { of: 'rounds', ...filtered })).data).toMatchObject({
      columns: ['stage', 'count'],
      rows: [['series_a', 1]],
    });
    const grouped = await call('aggregate', { of: 'companies', group_by: ['stage'] });
    expect(grouped.data.columns).toEqual(['funding_stage', 'count']);
    expect((await call('search', { type: 'rounds', stage: 'seed', funding_stage: 'seed' })).isError).toBe(true);
  });

  test('fields with one wrong name answers with the others, and says which fields there are', async () => {
    const items = ['alpha', 'beta'].map((id) => ({ type: 'companies', id }));
    const { data, text } = await call('get_entity', { items, fields: ['tags', 'employee_count'] });
    expect(data.entities.map(({ record }: any) => record.tags)).toEqual([['DeFi'], ['Wallet']]);
    expect(data.notes).toEqual([expect.stringContaining('No field employee_count: did you mean total_employees')]);
    expect(text).toContain('No field employee_count');
    expect((await call('get_entity', { items, fields: ['employee_count'] })).isError).toBe(true);
  });

  test('fields shows what is unknown as null, as full does', async () => {
    const { data } = await call('search', { type: 'rounds', fields: ['investors'], stage: 'seed' });
    expect(data.results[0].investors).toBeNull();
  });
});
