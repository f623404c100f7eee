import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aCompany, anInvestor, aPerson, aRound } from '../support/builders.ts';
import { connectTo } from '../support/mcp-server.ts';
import { startService, type TestService } from '../support/service.ts';

/** How the tools tell a model which fields only the editors of the data set state. */
const EDITORS = 'web3-bi editors@0.1.0:data/raw/editors.ndjson';

let service: TestService;
let mcp: Client;
beforeAll(async () => {
  service = await startService([
    aCompany({ name: 'Beta' }),
    anInvestor({ name: 'Giver' }),
    aRound({
      name: 'Beta A',
      company: 'Beta',
      investors: ['Giver'],
      lead_investors: ['Giver'],
      announcement: 'https://example.com/beta',
      sources: [{ source: EDITORS, as_of: '2025', fields: ['lead_investors'] }],
    }),
    aPerson({
      name: 'Ada',
      roles: [{ organization: 'Beta', title: 'CTO', as_of: '2025-01-01' }],
      sources: [{ source: EDITORS, as_of: '2025', fields: ['name', 'roles', 'tags'] }],
    }),
  ]);
  mcp = await connectTo(service);
});
afterAll(async () => {
  await mcp.close();
  await service.close();
});

const call = async (name: string, args: Record<string, unknown>) =>
  ((await mcp.callTool({ name, arguments: args })) as any).structuredContent;

const found = async (args: Record<string, unknown>) => (await call('search', args)).results[0].unsourced_fields;
const recordOf = async (args: Record<string, unknown>) => (await call('get_entity', args)).entities[0].record;

test('a search names those among the fields that it shows', async () => {
  const round = { type: 'rounds', query: 'Beta A' };
  expect(await found(round)).toEqual(['lead_investors']);
  expect(await found({ ...round, fields: ['lead_investors'] })).toEqual(['lead_investors']);
  expect(await found({ ...round, fields: ['company'] })).toBeUndefined();
  expect(await found({ query: 'Ada' })).toEqual(['roles']);
  const { csv } = await call('search', { ...round, detail: 'csv', fields: ['lead_investors'] });
  expect(csv).toMatch(/,lead_investors,unsourced_fields\n.*,Giver,lead_investors$/);
});

test('a record names them, and so do its lists', async () => {
  expect(await recordOf({ type: 'people', id: 'ada' })).toMatchObject({ unsourced_fields: ['roles'] });
  const full = await recordOf({ type: 'people', id: 'ada', detail: 'full' });
  expect(full).toMatchObject({ unsourced_fields: ['name', 'roles', 'tags'] });
  const { related } = await recordOf({ type: 'companies', id: 'beta', include: ['people', 'rounds'] });
  expect(related.people.results).toMatchObject([{ slug: 'ada', role: 'CTO', unsourced_fields: ['roles'] }]);
  expect(related.rounds.results).toMatchObject([{ slug: 'beta-a', unsourced_fields: ['lead_investors'] }]);
});
