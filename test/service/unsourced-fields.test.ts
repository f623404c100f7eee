import { afterAll, beforeAll, expect, test } from 'vitest';
import { aPerson, aRound } from '../support/builders.ts';
import { startService, type TestService } from '../support/service.ts';

/** How an answer names the fields that only the editors of the data set state. */
const EDITORS = 'web3-bi editors@0.1.0:data/raw/editors.ndjson';

let service: TestService;
beforeAll(async () => {
  service = await startService([
    aRound({
      name: 'Partly',
      company: 'Monad',
      investors: ['Fund'],
      lead_investors: ['Fund'],
      sources: [
        { source: 'https://example.com/partly', as_of: '2025-06-01', fields: ['company', 'investors'] },
        { source: EDITORS, as_of: '2025', fields: ['lead_investors', 'investors'] },
      ],
    }),
    aRound({ name: 'Sourced', company: 'Monad' }),
    aPerson({
      name: 'Ada',
      roles: [{ organization: 'Monad', title: 'CEO', as_of: '2025-01-01' }],
      sources: [{ source: EDITORS, as_of: '2025', fields: ['name', 'roles'] }],
    }),
  ]);
});
afterAll(async () => {
  await service.close();
});

const read = async (path: string): Promise<any> => ((await (await service.get(`/api/v1/${path}`)).json()) as any).data;
const partly = async (fields: string) => (await read(`search?type=rounds&query=partly&fields=${fields}`)).results[0];
const linesOf = async (path: string) => (await (await service.get(`/api/v1/${path}`)).text()).trimEnd().split('\n');

test('a record, a list and a search name them', async () => {
  expect(await read('rounds/partly')).toMatchObject({ unsourced: null, unsourced_fields: ['lead_investors'] });
  expect(await read('rounds/sourced')).toMatchObject({ unsourced_fields: [] });
  expect((await read('people')).results).toMatchObject([{ unsourced_fields: ['name', 'roles'] }]);
  const found = await read('search?type=rounds&query=partly');
  expect(found.results).toMatchObject([{ unsourced_fields: ['lead_investors'] }]);
});

test('a record of some fields names those among them', async () => {
  expect(await partly('lead_investors,unsourced')).toMatchObject({
    unsourced: null,
    unsourced_fields: ['lead_investors'],
  });
  expect(await partly('investors')).not.toHaveProperty('unsourced_fields');
  expect(await partly('unsourced_fields')).toMatchObject({ unsourced_fields: ['lead_investors'] });
  expect(await read('people/ada?fields=roles')).toMatchObject({ unsourced_fields: ['roles'] });
});

test('CSV has them in its last column, whatever the others', async () => {
  expect(await linesOf('search?type=rounds&query=partly&format=csv&fields=lead_investors,unsourced')).toEqual([
    'type,id,name,slug,lead_investors,unsourced,unsourced_fields',
    expect.stringMatching(/^rounds,\d+,Partly,partly,Fund,,lead_investors$/),
  ]);
  expect(await linesOf('people?format=csv')).toEqual([
    expect.stringMatching(/,unsourced_fields$/),
    expect.stringMatching(/,name\|roles$/),
  ]);
});

test('they follow an edit, and cannot be written', async () => {
  const headers = { Authorization: `Bearer ${await service.newKey({ level: 'write' })}` };
  const patch = (body: object) =>
    service.get('/api/v1/people/ada', {
      method: 'PATCH',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  const change = await patch({ roles: [{ organization: 'Monad', title: 'CTO' }] });
  const after = { 'X-At-Least': change.headers.get('x-change') ?? '0' };
  expect(await (await service.get('/api/v1/people/ada', { headers: after })).json()).toMatchObject({
    data: { unsourced_fields: ['name'] },
  });
  expect((await patch({ unsourced_fields: [] })).status).toBe(400);
});
