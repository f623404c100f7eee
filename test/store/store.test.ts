import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { relatedLists } from '../../src/contract/relations.ts';
import { openStore } from '../../src/store/open.ts';
import { OPERATOR } from '../../src/store/port/audit.ts';
import type { Store } from '../../src/store/store.ts';
import { aCompany, anInvestor, aPerson, aRound } from '../support/builders.ts';
import { engine } from '../support/databases.ts';

const NOW = () => new Date('2026-11-21T12:00:00.000Z');
const FIRST = { offset: 0, limit: 10 };

describe(engine.name, () => {
  let url: string;
  let store: Store;
  beforeEach(async () => {
    ({ url } = await engine.newDatabase());
    store = await openStore(url, NOW);
  });
  afterEach(() => store.close());

  const get = async (type: 'companies' | 'people', slug: string) => {
    const kept = await store.records.get(type, slug);
    return kept && JSON.parse(kept.json);
  };

  describe('records', () => {
    test('are kept with every field of their shape, and found by number and slug', async () => {
      await store.records.putAll([aCompany({ tags: ['DeFi'] })]);
      expect(await get('companies', 'acme')).toMatchObject({
        type: 'companies',
        id: 1,
        slug: 'acme',
        tags: ['DeFi'],
        overview: null,
        aliases: [],
        is_verified: false,
      });
      expect((await store.records.get('companies', '1'))?.version).toBe(1);
    });

    test('of one slug are one record, whose given fields are replaced and the others stay', async () => {
      await store.records.putAll([aCompany({ slug: 'acme', tags: ['DeFi'], tagline: 'First' })]);
      await store.records.putAll([aCompany({ slug: 'acme', tagline: 'Second' })]);
      expect(await get('companies', 'acme')).toMatchObject({ id: 1, tags: ['DeFi'], tagline: 'Second' });
      expect(await store.records.get('companies', '2')).toBeUndefined();
    });

    test('of one name and no slug get slugs of their own', async () => {
      await store.records.putAll([aCompany(), aCompany(), aCompany({ name: '日本' })]);
      const found = await store.records.search({ types: ['companies'], text: '', window: FIRST });
      expect(found.results.map((json) => JSON.parse(json).slug)).toEqual(['acme', 'acme-2', 'company']);
    });

    test('are all kept or none', async () => {
      await expect(store.records.putAll([aCompany(), aCompany({ name: '' })])).rejects.toMatchObject({
        code: 'invalid_parameter',
      });
      expect((await store.records.search({ types: ['companies'], text: '', window: FIRST })).total).toBe(0);
    });

    test.each([
      [{ website: 'javascript:alert(1)' }, 'website must be an http or https address'],
      [
        { website: 'https://uniswap.org@evil.example/' },
        'website must be an address without user, spaces and invisible characters',
      ],
      [
        { website: 'https://uniswap.org/ \u202Egro.live' },
        'website must be an address without user, spaces and invisible characters',
      ],
      [
        { website: 'https://uniswap.org/a b' },
        'website must be an address without user, spaces and invisible characters',
      ],
      [{ id: 7 }, 'id: not known here'],
      [{ is_verified: true }, 'is_verified: not known here'],
      [{ year_founded: 20_000 }, 'year_founded must be at most 2200'],
      [{ slug: '123' }, 'slug must be lower-case letters, digits and single hyphens, with a letter in it'],
      [{ founders: [{}] }, 'founders.0 must be an object with name, slug or id'],
      [
        { company_stage: 'unicorn' },
        'company_stage must be one of idea, early, growth, mature, acquired, public, closed',
      ],
    ])('refuse %j', async (given, message) => {
      await expect(store.records.putAll([aCompany(given)])).rejects.toThrow(message);
    });
  });

  describe('references', () => {
    test('are linked when the named record arrives later', async () => {
      await store.records.putAll([aPerson({ roles: [{ organization: 'ACME' }] })]);
      expect((await get('people', 'ada-example')).roles[0].organization_id).toBeNull();
      await store.records.putAll([aCompany()]);
      expect((await get('people', 'ada-example')).roles[0]).toMatchObject({
        organization: 'ACME',
        organization_id: 1,
        organization_slug: 'acme',
        organization_type: 'companies',
      });
    });

    test('of a name that two records bear lead to neither', async () => {
      await store.records.putAll([
        aCompany({ slug: 'acme-one' }),
        aCompany({ slug: 'acme-two' }),
        aPerson({ roles: [{ organization: 'Acme' }] }),
      ]);
      expect((await get('people', 'ada-example')).roles[0].organization_id).toBeNull();
    });

    test.each(['a row', 'a change'])('of a name that one of two gives up by %s lead to the other', async (way) => {
      await store.records.putAll([
        aCompany({ slug: 'acme-one' }),
        aCompany({ slug: 'acme-two' }),
        aPerson({ roles: [{ organization: 'Acme' }] }),
      ]);
      const input = { name: 'Beta' };
      if (way === 'a row') await store.records.putAll([aCompany({ ...input, slug: 'acme-two' })]);
      else
        await store.records.change({ action: 'merge', type: 'companies', target: 'acme-two', input, author: OPERATOR });
      expect((await get('people', 'ada-example')).roles[0]).toMatchObject({ organization: 'Acme', organization_id: 1 });
    });

    test('by slug lead to that record whatever its name', async () => {
      await store.records.putAll([
        aCompany({ slug: 'acme-one' }),
        aCompany({ slug: 'acme-two' }),
        aPerson({ roles: [{ organization_slug: 'acme-two' }] }),
      ]);
      expect((await get('people', 'ada-example')).roles[0]).toMatchObject({ organization: 'Acme', organization_id: 2 });
    });

    test('of rounds make the funding of a company that arrives after them', async () => {
      await store.records.putAll([
        aRound({ stage: 'seed', amount_usd: '0.07' }),
        aRound({ name: 'Later', amount_usd: '10.00' }),
        aCompany(),
      ]);
      expect(await get('companies', 'acme')).toMatchObject({ total_funding_usd: '10.07', funding_stage: 'seed' });
    });

    test('of rounds of a large import make the funding of companies at its end, or when the store is next opened', async () => {
      const many = Array.from({ length: 2_000 }, (_, index) => anInvestor({ name: `Fund ${index}` }));
      await store.records.upsertMany([aCompany(), ...many, aRound({ amount_usd: '1.00' })]);
      expect(await get('companies', 'acme')).toMatchObject({ total_funding_usd: null });
      const other = await openStore(url, NOW);
      expect(await get('companies', 'acme')).toMatchObject({ total_funding_usd: '1.00' });
      await store.records.upsertMany([aRound({ name: 'Later', amount_usd: '2.00' })]);
      await store.compactIndex();
      expect(await get('companies', 'acme')).toMatchObject({ total_funding_usd: '3.00' });
      await other.close();
    });

    test('are listed from the other side, page by page', async () => {
      const people = Array.from({ length: 5 }, (_, index) =>
        aPerson({ name: `Person ${index}`, roles: [{ organization: 'Acme' }] }),
      );
      await store.records.putAll([aCompany(), ...people, anInvestor()]);
      const list = relatedLists.find((candidate) => candidate.of === 'companies' && candidate.name === 'people');
      if (list === undefined) throw new Error('no such list');
      const pages = await Promise.all([0, 2, 4].map((offset) => store.records.related(list, 1, { offset, limit: 2 })));
      expect(pages.flatMap((page) => page.results.map((json) => JSON.parse(json).name))).toEqual(
        people.map((row) => row.input.name),
      );
      expect(pages.every((page) => page.total === 5)).toBe(true);
    });
  });

  describe('fillOnce', () => {
    test('fills a new database once, also when two processes try at once', async () => {
      const other = await openStore(url, NOW);
      const filled = await Promise.all([store, other].map((each) => each.records.fillOnce(() => [aCompany()])));
      expect(filled.sort()).toEqual([false, true]);
      expect((await other.records.search({ types: ['companies'], text: '', window: FIRST })).total).toBe(1);
      await other.close();
    });
  });

  describe('the shipped data set', () => {
    const rows = () => [aCompany(), anInvestor(), aRound({ investors: ['Example Capital'], amount_usd: '5.00' })];
    const counts = async () =>
      (await store.records.search({ types: ['companies', 'investors'], text: '', window: FIRST })).totals;

    test('is dropped whole, and can be added again', async () => {
      await store.records.addShipped(rows);
      expect(await store.records.dropShipped()).toBe(3);
      expect(await counts()).toEqual({ companies: 0, investors: 0 });
      expect((await store.records.addShipped(rows)).map((kept) => kept.change)).toEqual([
        'created',
        'created',
        'created',
      ]);
      expect(await counts()).toEqual({ companies: 1, investors: 1 });
    });

    test('is dropped in parts, so that other writers have their turn, each with its entry in the audit log', async () => {
      await store.records.addShipped(() => Array.from({ length: 250 }, (_, index) => aCompany({ name: `C ${index}` })));
      // Two connections are open, so that the write does not wait for one while the parts are dropped.
      await Promise.all([get('companies', 'c-1'), get('companies', 'c-2')]);
      const ended: string[] = [];
      const [dropped] = await Promise.all([
        store.records.dropShipped().finally(() => ended.push('drop')),
        store.records.putAll([aCompany({ name: 'Between' })]).finally(() => ended.push('write')),
      ]);
      expect([dropped, ended]).toEqual([250, ['write', 'drop']]);
      const entries = await store.audit.list({ type: 'data', limit: 10 });
      const drops = entries.filter(({ action }) => action === 'data.drop').map(({ after }) => after);
      expect(drops).toEqual([{ records: 50 }, { records: 200 }]);
    });

    test('leaves a name that it had too to the record that still bears it', async () => {
      await store.records.addShipped(() => [aCompany({ slug: 'acme-one' })]);
      await store.records.putAll([aCompany({ slug: 'acme-two' }), aPerson({ roles: [{ organization: 'Acme' }] })]);
      expect((await get('people', 'ada-example')).roles[0].organization_slug).toBeNull();
      await store.records.dropShipped();
      expect((await get('people', 'ada-example')).roles[0].organization_slug).toBe('acme-two');
    });

    test('forgets what a later edition no longer states of a record, but not of one that somebody has changed', async () => {
      const edition = (facts: object) => () => [
        aCompany({ name: 'Kept', slug: 'kept', ...facts }),
        aCompany({ name: 'Edited', slug: 'edited', ...facts }),
        aRound({ company: 'Kept', slug: 'kept-seed', amount_usd: '5.00' }),
      ];
      await store.records.addShipped(edition({ website: 'https://lapsed.example', tags: ['DeFi'], founders: ['Ada'] }));
      await store.records.putAll([aCompany({ slug: 'edited', overview: 'Mine' })]);
      const [kept, , raised] = await store.records.addShipped(edition({}));
      expect([kept?.change, raised?.change]).toEqual(['updated', 'unchanged']);
      expect(await get('companies', 'kept')).toMatchObject({
        website: null,
        tags: [],
        founders: [],
        total_funding_usd: '5.00',
      });
      expect(await get('companies', 'edited')).toMatchObject({ website: 'https://lapsed.example', overview: 'Mine' });
    });

    test('leaves what somebody has changed or added, without links to what is gone', async () => {
      await store.records.addShipped(rows);
      await store.records.putAll([
        aCompany({ slug: 'acme', tagline: 'Mine' }),
        aPerson({ roles: [{ organization: 'Example Capital' }] }),
      ]);
      expect((await get('people', 'ada-example')).roles[0].organization_slug).toBe('example-capital');
      expect(await store.records.dropShipped()).toBe(2);
      expect(await get('companies', 'acme')).toMatchObject({ tagline: 'Mine', total_funding_usd: null });
      expect((await get('people', 'ada-example')).roles[0]).toMatchObject({
        organization: 'Example Capital',
        organization_slug: null,
      });
    });
  });

  test('a row that changes nothing leaves the record as it was', async () => {
    const row = aCompany({ slug: 'acme', founders: ['Ada Example'], website: 'https://acme.example' });
    const [first] = await store.records.putAll([row]);
    const before = await store.records.get('companies', 'acme');
    expect(first).toEqual({ id: 1, slug: 'acme', change: 'created' });
    expect(await store.records.putAll([row])).toEqual([{ id: 1, slug: 'acme', change: 'unchanged' }]);
    expect(await store.records.get('companies', 'acme')).toEqual(before);
  });

  test('answers in one piece while another process takes records away', async () => {
    const other = await openStore(url, NOW);
    const rows = () => Array.from({ length: 50 }, (_, index) => aCompany({ name: `Company ${index}` }));
    const texts = ['', 'company'];
    for (let round = 0; round < 5; round += 1) {
      await other.records.addShipped(rows);
      for (const text of texts) {
        for (const sort of [undefined, { field: 'name', isDescending: true } as const]) {
          const found = await store.records.search({
            types: ['companies'],
            text,
            sort,
            window: { offset: 0, limit: 100 },
          });
          expect(found.results.length).toBe(found.total);
        }
      }
      await other.records.dropShipped();
    }
    await other.close();
  });

  test('gives the same vocabulary until a record changes, also by another process', async () => {
    await store.records.putAll([aCompany({ slug: 'acme', tags: ['DeFi'] })]);
    const first = await store.records.vocabulary();
    expect(await store.records.vocabulary()).toBe(first);
    const other = await openStore(url, NOW);
    const change = { action: 'merge', type: 'companies', author: OPERATOR } as const;
    await other.records.change({ ...change, target: 'acme', input: { tags: ['NFT'] } });
    await other.close();
    const second = await store.records.vocabulary();
    expect(second.tags.map(({ value }) => value)).toEqual(['NFT']);
    await store.records.change({ ...change, action: 'delete', target: 'acme' });
    expect((await store.records.vocabulary()).coverage.companies.records).toBe(0);
  });

  test('walks every record of a type in order', async () => {
    await store.records.putAll(Array.from({ length: 1_200 }, (_, index) => aCompany({ name: `Company ${index}` })));
    const slugs: string[] = [];
    for await (const json of store.records.walk('companies')) slugs.push(JSON.parse(json).slug);
    expect(slugs).toEqual(Array.from({ length: 1_200 }, (_, index) => `company-${index}`));
  });

  describe('keys', () => {
    const aKey = { account: 'acme', name: 'test', level: 'read', expires_at: null } as const;
    beforeEach(() => store.accounts.create('acme', 'api_access'));

    test('are found by their secret only, which is kept nowhere', async () => {
      const { secret, ...key } = await store.keys.create(aKey);
      expect(secret).toMatch(/^mk_[0-9A-Za-z]{49}$/);
      expect(await store.keys.find(secret)).toEqual(key);
      expect(JSON.stringify(await store.keys.list())).not.toContain(secret.slice(8, -5));
      const changed = secret.slice(0, -1) + (secret.endsWith('a') ? 'b' : 'a');
      expect(await store.keys.find(changed)).toBeUndefined();
    });

    test('keep the time they were first revoked at', async () => {
      const { id } = await store.keys.create(aKey);
      const first = await store.keys.revoke(id);
      expect((await store.keys.revoke(id))?.revoked_at).toBe(first?.revoked_at);
      expect(await store.keys.revoke(99)).toBeUndefined();
    });

    test('need an account', async () => {
      await expect(store.keys.create({ ...aKey, account: 'nobody' })).rejects.toMatchObject({ code: 'not_found' });
    });
  });

  describe('accounts', () => {
    test('have unique names and a plan that can change', async () => {
      await store.accounts.create('acme', 'none');
      await expect(store.accounts.create('acme', 'none')).rejects.toMatchObject({ code: 'invalid_parameter' });
      expect(await store.accounts.setPlan('acme', 'enterprise')).toMatchObject({ plan: 'enterprise' });
      expect(await store.accounts.setPlan('nobody', 'enterprise')).toBeUndefined();
      expect(await store.accounts.list()).toHaveLength(1);
    });
  });

  test('keeps everything when it is closed and opened again', async () => {
    await store.records.putAll([aCompany()]);
    await store.close();
    store = await openStore(url, NOW);
    expect(await get('companies', 'acme')).toMatchObject({ name: 'Acme' });
  });
});

test('a database URL of another kind is refused', async () => {
  await expect(openStore('mysql://x')).rejects.toThrow(
    'The database URL must be sqlite:PATH, sqlite::memory: or postgres://...',
  );
});
