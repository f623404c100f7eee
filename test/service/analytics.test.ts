import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aCompany, anEvent, anInvestor, aPerson, aRound } from '../support/builders.ts';
import { readsAfterChanges, startService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService([
    aCompany({ name: 'Acme', tags: ['DeFi', 'Wallet'], location_json: { city: null, country: 'France' } }),
    aCompany({ name: 'Base', tags: ['DeFi'] }),
    anInvestor({ name: 'Base', slug: 'base-capital', investments_count: 3 }),
    anInvestor({ name: 'Long View', investments_count: 4 }),
    aPerson({ name: 'Ada Example', roles: [{ organization: 'Acme', title: 'Chief Cook' }] }),
    aPerson({ name: 'Bob Example' }),
    anEvent({ name: 'ExampleCon', start_date: '2024-05-06', speakers: ['Ada Example', 'Bob Example'] }),
    aRound({
      name: 'Acme Seed',
      company: 'Acme',
      stage: 'seed',
      announced_date: '2023-02-01',
      amount_usd: '1000000.50',
      lead_investors: ['Long View'],
      investors: ['Long View', 'Small Fund', 'Bob Example'],
    }),
    aRound({
      name: 'Acme A',
      company: 'Acme',
      stage: 'series_a',
      announced_date: '2024-09-01',
      investors: ['Long View'],
    }),
  ]);
});
afterAll(() => service.close());

const { ask, noteChange } = readsAfterChanges(() => service);

describe('GET /api/v1/aggregate', () => {
  test('counts and sums, with money as text and records by name', async () => {
    expect((await ask('aggregate?of=rounds&group_by=year&measure=count|sum|median&order=year')).data).toEqual({
      columns: ['year', 'count', 'sum_amount_usd', 'median_amount_usd'],
      rows: [
        [2023, 1, '1000000.50', '1000000.50'],
        [2024, 1, null, null],
      ],
      groups: 2,
      covered: {
        records: 2,
        known: 1,
        unknown: 1,
        sum: '1000000.50',
        median: '1000000.50',
        from: '2023-02-01',
        to: '2024-09-01',
        known_by_row: [1, 0],
        on_record: 2,
      },
    });
    const months = async (query: string) =>
      (await ask(`aggregate?of=rounds&group_by=${query}`)).data.rows.map(([month]: [string]) => month);
    // In the order of time, unless the first rows alone are asked for: those are the largest.
    expect(await months('month&measure=sum')).toEqual(['2023-02', '2024-09']);
    expect(await months('quarter&measure=sum&top=1')).toEqual(['2023-Q1']);
    // Of two groups the largest, in the order of time.
    expect(await months('year|investor&measure=max')).toEqual([2023, 2023, 2023, 2024]);
    expect(await months('month&order=sum&measure=sum')).toEqual(['2023-02', '2024-09']);
    const longView = { type: 'investors', slug: 'long-view', name: 'Long View' };
    const bob = { type: 'people', slug: 'bob-example', name: 'Bob Example' };
    expect(await months('month&measure=sum&order=largest')).toEqual(['2023-02', '2024-09']);
    expect(await months('investor&order=smallest')).toEqual([bob, 'Small Fund', longView]);
    expect((await ask('aggregate?of=rounds&group_by=investor')).data.rows).toEqual([
      [longView, 2],
      [bob, 1],
      ['Small Fund', 1],
    ]);
    expect((await ask('aggregate?of=rounds&group_by=tag|quarter&top=1')).data).toMatchObject({
      rows: [['DeFi', '2023-Q1', 1]],
      groups: 4,
    });
    const counted = 'aggregate?of=investors&group_by=country&measure=average';
    expect((await ask(counted)).data.rows).toEqual([[null, 3.5]]);
  });

  test('takes the filters of search', async () => {
    expect((await ask('aggregate?of=companies&group_by=tag&country=france')).data).toMatchObject({
      rows: [
        ['DeFi', 1],
        ['Wallet', 1],
      ],
      covered: { records: 1 },
    });
  });

  test('shows a write at once', async () => {
    const author = {
      'Content-Type': 'application/json',
      Authorization: `Bearer ${await service.newKey({ level: 'delete' })}`,
    };
    const chains = async () => (await ask('aggregate?of=companies&group_by=chain')).data.rows;
    const companies = async () =>
      (await ask('aggregate?of=rounds&group_by=company')).data.rows.map(([{ name }]: any) => name);
    const send = async (method: string, body?: object, slug = 'base') =>
      noteChange(
        await fetch(`${service.url}/api/v1/companies/${slug}`, {
          method,
          headers: author,
          ...(body && { body: JSON.stringify(body) }),
        }),
      );
    await send('PATCH', { chains: ['Solana'] });
    expect(await chains()).toEqual([
      ['Solana', 1],
      [null, 1],
    ]);
    await send('DELETE');
    expect(await chains()).toEqual([[null, 1]]);
    await fetch(`${service.url}/api/v1/companies/base/restore`, { method: 'POST', headers: author });
    await send('PATCH', { chains: [] });
    expect(await chains()).toEqual([[null, 2]]);
    // A name is none of the facts that are grouped by.
    expect(await companies()).toEqual(['Acme']);
    await send('PATCH', { name: 'Acme Two' }, 'acme');
    expect(await companies()).toEqual(['Acme Two']);
    await send('PATCH', { name: 'Acme' }, 'acme');
  });

  test.each([
    ['of=rounds', 'query.group_by', 'group_by is required: one or two of year, quarter, month'],
    ['of=tokens&group_by=year', 'query.of', 'of must be one of companies, people, investors, events, rounds'],
    [
      'of=people&group_by=year',
      'query.group_by',
      'group_by must be of people one of organization, country, city, event',
    ],
    ['of=rounds&group_by=year|year', 'query.group_by', 'group_by must be two different groups'],
    ['of=rounds&group_by=year|stage|tag', 'query.group_by', 'group_by must be at most 2 items'],
    ['of=rounds&group_by=year&measure=mean', 'query.measure.0', 'one of count, sum, median, average, min, max'],
    ['of=people&group_by=event&measure=sum', 'query.measure', 'sums are for rounds, companies, investors'],
    ['of=rounds&group_by=year&order=stage', 'query.order', 'order must be one of count, largest, smallest, year'],
    ['of=rounds&group_by=year&from=2024-02-01&to=2023-01-01', 'query.from', 'from must not be after to'],
    ['of=rounds&group_by=year&from=2024&to=2023', 'query.from', 'from must not be after to'],
    ['of=rounds&group_by=year&from=1/2/2024', 'query.from', 'from must be a date, month, quarter or year, as'],
    [
      'of=rounds&group_by=year&top=201',
      'query.top',
      'top must be at most 200; for other groups, narrow from and to or another filter, or group by one',
    ],
    ['of=people&group_by=event&chain=Solana', 'query.chain', 'chain does not apply to people; it is for companies'],
    ['of=people&group_by=event&contry=France', 'query', 'contry: not known here'],
  ])('refuses %s', async (query, location, message) => {
    const { status, error, errors } = await ask(`aggregate?${query}`);
    expect([status, errors[0].location]).toEqual([400, location]);
    expect(error).toContain(message);
  });
});

describe('GET /api/v1/connections', () => {
  const node = (type: string, slug: string, name: string) => ({ type, slug, name });
  const ada = node('people', 'ada-example', 'Ada Example');
  const bob = node('people', 'bob-example', 'Bob Example');
  const acme = node('companies', 'acme', 'Acme');
  const event = node('events', 'examplecon', 'ExampleCon');

  test('names the record that proves each step, the stronger kind first', async () => {
    const { data } = await ask('connections?from=Ada Example&to=people/bob-example');
    expect(data.complete).toBe(true);
    expect(data.paths[0]).toEqual({
      hops: 1,
      nodes: [ada, bob],
      edges: [{ kind: 'event', label: 'speaker, speaker', date: '2024-05-06', record: event }],
    });
    const { data: through } = await ask('connections?from=Ada Example&to=people/bob-example&kinds=role|round&limit=1');
    expect(through.paths).toEqual([
      {
        hops: 2,
        nodes: [ada, acme, bob],
        edges: [
          { kind: 'role', label: 'Chief Cook', date: null, record: ada },
          {
            kind: 'round',
            label: 'company, investor',
            date: '2023-02-01',
            record: node('rounds', 'acme-seed', 'Acme Seed'),
          },
        ],
      },
    ]);
    expect((await ask('connections?from=companies/acme&to=companies/base')).data).toEqual({
      paths: [],
      reason: 'No path: Base has no known rounds, roles or events.',
      advice: null,
      complete: true,
    });
    const { data: far } = await ask('connections?from=Ada Example&to=Long View&hops_max=1');
    expect(far).toMatchObject({ paths: [], reason: 'No path of up to 1 hop.', advice: 'hops_max 4 looks further' });
    const { data: some } = await ask('connections?from=Ada Example&to=Long View&kinds=portfolio');
    expect(some.reason).toContain('no known connection of the kind portfolio.');
  });

  test('says of a round of which no day is stated the month, and what only the editors state', async () => {
    const editors = { source: `web3-bi editors@${'ab12'.repeat(3)}:a.json`, as_of: '2026-01' };
    const page = { source: 'https://news.example/a', as_of: null, fields: ['company', 'investors'] };
    const round = { company: 'Cited', lead_investors: ['Led'], investors: ['Led', 'Joined'] };
    const own = await startService([
      aCompany({ name: 'Cited' }),
      ...['Led', 'Joined'].map((name) => anInvestor({ name })),
      aPerson({
        name: 'Cy Example',
        roles: [{ organization: 'Cited', title: 'Chief', as_of: '2026-01' }],
        sources: [{ ...editors, fields: ['roles'] }],
      }),
      aRound({
        ...{ ...round, name: 'Cited A', announced_date: '2021-03-01', month_only: ['announced_date'] },
        sources: [page, { ...editors, fields: ['lead_investors'] }],
      }),
      aRound({
        ...{ ...round, name: 'Cited B', announced_date: '2020-01-02', announcement: null },
        sources: [{ ...editors, fields: ['company', 'investors', 'lead_investors'] }],
      }),
    ]);
    const edges = async (from: string): Promise<unknown[]> => {
      const query = `from=${from}&to=companies/cited&hops_max=1&kinds=round|role`;
      const { data } = (await (await own.get(`/api/v1/connections?${query}`)).json()) as any;
      return data.paths.map(({ edges: [{ record: _, ...edge }] }: any) => edge);
    };
    expect(await edges('investors/led')).toEqual([
      { kind: 'round', label: 'lead investor, company', date: null, month: '2021-03', unsourced: 'lead' },
      { kind: 'round', label: 'lead investor, company', date: '2020-01-02', unsourced: 'all' },
    ]);
    expect(await edges('investors/joined')).toEqual([
      { kind: 'round', label: 'investor, company', date: null, month: '2021-03' },
      { kind: 'round', label: 'investor, company', date: '2020-01-02', unsourced: 'all' },
    ]);
    expect(await edges('people/cy-example')).toEqual([{ kind: 'role', label: 'Chief', date: null, unsourced: 'all' }]);
    await own.close();
  });

  test('puts what has a page before what only the editors state, of roles and founders too', async () => {
    const editors = { source: `web3-bi editors@${'ab12'.repeat(3)}:a.json`, as_of: '2026-01-01' };
    const page = { source: 'https://news.example/a', as_of: '2026-01-01' };
    const role = (organization: string) => ({ organization, title: 'Chief', as_of: '2026-01-01' });
    const people = [
      ['Ann First', editors],
      ['Zoe Last', page],
    ] as const;
    const own = await startService([
      aCompany({ name: 'One' }),
      aCompany({ name: 'Other' }),
      ...people.map(([name, source]) =>
        aPerson({ name, roles: [role('One'), role('Other')], sources: [{ ...source, fields: ['roles'] }] }),
      ),
      ...[
        ['Early', editors],
        ['Late', page],
      ].map(([name, source]) =>
        aCompany({
          ...{ name: String(name), founders: ['Ann First', 'Zoe Last'] },
          sources: [{ ...(source as typeof page), fields: ['founders'] }],
        }),
      ),
    ]);
    const through = async (ends: string): Promise<unknown[]> => {
      const { data } = (await (await own.get(`/api/v1/connections?${ends}&hops_max=2`)).json()) as any;
      return data.paths.map(({ nodes, edges }: any) => [nodes[1].name, edges[0].unsourced]);
    };
    expect(await through('from=companies/one&to=companies/other')).toEqual([
      ['Zoe Last', undefined],
      ['Ann First', 'all'],
    ]);
    const founded = (await through('from=people/ann-first&to=people/zoe-last&kinds=founder')).map(
      (each: any) => each[0],
    );
    expect(founded).toEqual(['Late', 'Early']);
    await own.close();
  });

  test('shows the newer of two rounds first, and an event or a round as an end', async () => {
    const { data } = await ask('connections?from=Acme&to=Long View&hops_max=1');
    const [newer, older] = data.paths.map(({ edges }: any) => edges[0]);
    expect([newer.date, newer.label, older.date, older.label]).toEqual([
      '2024-09-01',
      'company, investor',
      '2023-02-01',
      'company, lead investor',
    ]);
    const { data: ends } = await ask('connections?from=events/examplecon&to=rounds/acme-seed&limit=1');
    expect(ends.paths[0]).toMatchObject({
      nodes: [event, bob, { slug: 'acme-seed' }],
      edges: [{ label: 'speaker' }, {}],
    });
  });

  test.each([
    ['from=Acme', 'query.to', 'to is required'],
    ['from=Acme&to=Nobody', 'query.to', 'to must be type/slug (companies, people, investors, events, rounds)'],
    ['from=people/nobody&to=Acme', 'query.from', 'no people of this slug'],
    ['from=Base&to=Acme', 'query.from', 'from must be one of companies/base, investors/base-capital'],
    ['from=ac/me&to=Nobody', 'query.from', 'from must be type/slug (companies, people, investors, events, rounds)'],
    ['from=Acme&to=companies/acme', 'query.to', 'to must be another record than from'],
    ['from=Acme&to=Long View&kinds=rumour', 'query.kinds.0', 'one of round, role, founder, event, portfolio'],
    ['from=Acme&to=Long View&hops_max=5', 'query.hops_max', 'hops_max must be at most 4'],
  ])('refuses %s', async (query, location, message) => {
    const { status, error, errors } = await ask(`connections?${query}`);
    expect([status, errors[0].location]).toEqual([400, location]);
    expect(error).toContain(message);
  });
});
