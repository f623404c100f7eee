import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openStore } from '../../src/store/open.ts';
import { OPERATOR } from '../../src/store/port/audit.ts';
import type { Claim, ClaimBatch, ClaimOutcome, ClaimSource } from '../../src/store/port/claims.ts';
import type { Store } from '../../src/store/store.ts';
import { aCompany } from '../support/builders.ts';
import { emptyDatabase } from '../support/empty-database.ts';

const DIRECTORY: ClaimSource = {
  source: 'directory',
  trust: 'curated',
  isRestricted: false,
  origin: 'github.com/example/directory',
};
const REGISTRY: ClaimSource = {
  source: 'registry',
  trust: 'registry',
  isRestricted: false,
  origin: 'register.example',
};
const AGGREGATOR: ClaimSource = {
  source: 'aggregator',
  trust: 'aggregator',
  isRestricted: true,
  origin: 'aggregator.example',
};

let store: Store;
let now: () => Date;
beforeEach(async () => {
  now = () => new Date('2026-11-21T12:00:00.000Z');
  store = await openStore(await emptyDatabase(), () => now());
});
afterEach(() => store.close());

type Fields = Claim['fields'];
interface Given extends Partial<ClaimBatch> {
  readonly record?: number | string;
  readonly key?: string;
  readonly as_of?: string;
}

async function take(
  from: ClaimSource,
  fields: Fields,
  { record = 1, key = 'acme', as_of = '2026-11-01', ...more }: Given = {},
) {
  const url = `https://${from.source}.example/${key}`;
  const claims = [{ type: 'companies' as const, key, fields, as_of, url, record }];
  const batch = { from, claims, seenAt: '2026-11-21T12:00:00.000Z', forgetBefore: null, changesMax: 99 };
  return store.claims.apply({ ...batch, isDryRun: false, ...more });
}

const recordOf = async (): Promise<Record<string, unknown>> =>
  JSON.parse((await store.records.get('companies', '1'))?.json ?? '{}') as Record<string, unknown>;
const changeOf = (taken: readonly ClaimOutcome[] | number): unknown =>
  typeof taken === 'number' ? taken : taken[0]?.change;
const fieldOf = async (name: string) =>
  (await store.claims.of('companies', '1'))?.fields.find(({ field }) => field === name);
const edit = (input: Fields) =>
  store.records.change({ action: 'merge', type: 'companies', target: '1', input, author: OPERATOR });

const SOURCES = [{ source: 'a book', as_of: '2025-01-01', fields: ['name', 'website', 'chains', 'tags'] }];
const acme = aCompany({ website: 'https://acme.example', chains: ['Base'], as_of: '2025-01-01', sources: SOURCES });

describe('claims of a source', () => {
  test('make a record, which a second time changes nothing', async () => {
    const fields = { name: 'Acme', website: 'https://acme.example', chains: ['Base'] };
    expect(changeOf(await take(DIRECTORY, fields, { record: 'acme' }))).toBe('created');
    expect(changeOf(await take(DIRECTORY, fields, { record: 'acme' }))).toBe('unchanged');
    expect(await recordOf()).toMatchObject({ ...fields, slug: 'acme', as_of: '2026-11-01' });
    expect(await store.claims.of('companies', 'acme')).toMatchInlineSnapshot(`
      {
        "as_of": "2026-11-01",
        "fields": [
          {
            "as_of": "2026-11-01",
            "conflict": false,
            "field": "name",
            "sources": [
              {
                "as_of": "2026-11-01",
                "redistributable": true,
                "seen_at": "2026-11-21T12:00:00.000Z",
                "source": "https://directory.example/acme",
                "stale": false,
                "value": "Acme",
              },
            ],
            "stale": false,
            "value": "Acme",
          },
          {
            "as_of": "2026-11-01",
            "conflict": false,
            "field": "website",
            "sources": [
              {
                "as_of": "2026-11-01",
                "redistributable": true,
                "seen_at": "2026-11-21T12:00:00.000Z",
                "source": "https://directory.example/acme",
                "stale": false,
                "value": "https://acme.example",
              },
            ],
            "stale": false,
            "value": "https://acme.example",
          },
          {
            "as_of": "2026-11-01",
            "conflict": false,
            "field": "chains",
            "sources": [
              {
                "as_of": "2026-11-01",
                "redistributable": true,
                "seen_at": "2026-11-21T12:00:00.000Z",
                "source": "https://directory.example/acme",
                "stale": false,
                "value": [
                  "Base",
                ],
              },
            ],
            "stale": false,
            "value": [
              "Base",
            ],
          },
        ],
        "id": 1,
        "name": "Acme",
        "slug": "acme",
        "stale": false,
        "type": "companies",
      }
    `);
  });

  test('fill what a record lacks and unite lists, whatever their spelling', async () => {
    await store.records.putAll([acme]);
    expect(changeOf(await take(DIRECTORY, { name: 'Acme', chains: ['base', 'Optimism'], tags: ['DeFi'] }))).toBe(
      'joined',
    );
    expect(await recordOf()).toMatchObject({ chains: ['base', 'Optimism'], tags: ['DeFi'] });
  });

  test('lose to an edit, before and after', async () => {
    await store.records.putAll([acme]);
    await edit({ website: 'https://edited.example' });
    await take(REGISTRY, { name: 'Acme', website: 'https://register.example', tags: ['DeFi'] });
    await edit({ tags: ['Lending'] });
    await take(REGISTRY, { name: 'Acme', website: 'https://other.example', tags: ['Wallet'] }, { as_of: '2026-11-20' });
    expect(await recordOf()).toMatchObject({ website: 'https://edited.example', tags: ['Lending'] });
    expect((await fieldOf('tags'))?.sources[0]).toMatchObject({ source: 'edit', value: ['Lending'] });
  });

  test('and edits stay when the shipped data set is brought up to date', async () => {
    await store.records.addShipped(() => [acme]);
    await edit({ website: 'https://edited.example' });
    await take(DIRECTORY, { name: 'Acme', chains: ['Optimism'] });
    const newer = { slug: 'acme', website: 'https://new.example', chains: ['Celo'], tags: ['Wallet'] };
    await store.records.addShipped(() => [aCompany(newer)]);
    expect(await recordOf()).toMatchObject({
      ...{ website: 'https://edited.example', chains: ['Optimism', 'Base'], tags: ['Wallet'] },
    });
  });

  test('no longer state what an edit changed, before and after it, but for what it only made longer', async () => {
    const shipped = { source: 'https://data.example', as_of: '2026-10-01' };
    await store.records.putAll([
      aCompany({ tags: ['A'], sources: [{ ...shipped, fields: ['tagline', 'tags', 'website'] }] }),
    ]);
    await take(DIRECTORY, { name: 'Acme', tagline: 'Theirs', overview: 'Same' });
    const directory = { source: 'https://directory.example/acme', as_of: '2026-11-01' };
    await edit({ tagline: 'Mine', tags: ['A', 'B'], overview: 'Same' });
    const after = [
      { ...shipped, fields: ['tags', 'website'] },
      { ...directory, fields: ['name', 'overview'] },
    ];
    expect(await recordOf()).toMatchObject({ sources: after });
    await take(DIRECTORY, { name: 'Acme', tagline: 'Newer', overview: 'Same' });
    expect(await recordOf()).toMatchObject({ tagline: 'Mine', sources: after });
    await take(DIRECTORY, { name: 'Acme', tagline: 'Mine', overview: 'Same' });
    expect(await recordOf()).toMatchObject({ sources: [after[0], { fields: ['name', 'overview', 'tagline'] }] });
    const read = { ...shipped, as_of: '2026-11-20', fields: ['website'] };
    await edit({ website: 'https://new.example', sources: [{ ...shipped, fields: ['tags', 'website'] }, read] });
    expect(await recordOf()).toMatchObject({ sources: [{ ...shipped, fields: ['tags'] }, read] });
  });

  test('lose to a record that somebody wrote without naming a source', async () => {
    await store.records.putAll([aCompany({ website: 'https://acme.example' })]);
    await take(REGISTRY, { name: 'Acme', website: 'https://register.example' });
    expect(await recordOf()).toMatchObject({ website: 'https://acme.example' });
  });

  test('take the place of what an earlier edition of the source said', async () => {
    const sources = [{ source: `${DIRECTORY.origin}@1:acme`, as_of: '2024-01-01', fields: ['name', 'website'] }];
    await store.records.putAll([aCompany({ website: 'https://old.example', sources })]);
    await take(DIRECTORY, { name: 'Acme', website: 'https://new.example' });
    expect(await recordOf()).toMatchObject({
      website: 'https://new.example',
      sources: [{ source: 'https://directory.example/acme', as_of: '2026-11-01', fields: ['name', 'website'] }],
    });
  });

  test('that differ from another trusted source are a conflict, which changes nothing', async () => {
    await store.records.putAll([acme]);
    await take(REGISTRY, { name: 'Acme', website: 'https://register.example' });
    expect(await recordOf()).toMatchObject({ website: 'https://acme.example' });
    expect(await fieldOf('website')).toMatchObject({ conflict: true });
    expect(await store.claims.conflicts(10)).toMatchInlineSnapshot(`
      [
        {
          "field": "website",
          "id": 1,
          "slug": "acme",
          "type": "companies",
          "values": [
            {
              "as_of": "2026-11-01",
              "source": "registry",
              "value": "https://register.example",
            },
            {
              "as_of": "2025-01-01",
              "source": "record",
              "value": "https://acme.example",
            },
          ],
        },
      ]
    `);
    await edit({ website: 'https://register.example' });
    expect(await store.claims.conflicts(10)).toEqual([]);
  });

  test('of less trust only say what nobody of more does', async () => {
    await store.records.putAll([acme]);
    await take(AGGREGATOR, { name: 'Acme', website: 'https://aggregator.example', twitter: 'https://x.com/acme' });
    expect(await recordOf()).toMatchObject({ website: 'https://acme.example', twitter: 'https://x.com/acme' });
    expect(await store.claims.conflicts(10)).toEqual([]);
  });

  test('that are not repeated for two runs go, and lists with them', async () => {
    await store.records.putAll([acme]);
    await take(DIRECTORY, { name: 'Acme', twitter: 'https://x.com/acme', chains: ['Optimism'] });
    await take(DIRECTORY, { name: 'Acme' }, { forgetBefore: '2026-11-21T11:00:00.000Z' });
    expect(await recordOf()).toMatchObject({ twitter: 'https://x.com/acme', chains: ['Optimism', 'Base'] });
    await take(DIRECTORY, { name: 'Acme' }, { forgetBefore: '2026-11-21T13:00:00.000Z' });
    expect(await recordOf()).toMatchObject({ twitter: null, chains: ['Base'] });
  });

  test('about a deleted record leave it deleted', async () => {
    await store.records.putAll([acme]);
    await take(DIRECTORY, { name: 'Acme', tags: ['DeFi'] });
    await store.records.change({ action: 'delete', type: 'companies', target: '1', author: OPERATOR });
    expect(changeOf(await take(DIRECTORY, { name: 'Acme', tags: ['Wallet'] }))).toBe('skipped');
    expect(await store.records.get('companies', 'acme')).toBeUndefined();
  });

  test('that no record can hold are refused, and the others kept', async () => {
    const taken = await take(DIRECTORY, { name: 'Acme', website: 'no address' }, { record: 'acme' });
    expect(taken).toMatchObject([{ change: 'refused', faults: [{ location: 'body.website' }] }]);
    expect(await store.claims.keys('directory')).toEqual(new Map());
  });

  test('are not taken beyond what may change, nor in a dry run', async () => {
    await store.records.putAll([acme]);
    await take(DIRECTORY, { name: 'Acme', tags: ['DeFi'] });
    expect(changeOf(await take(DIRECTORY, { name: 'Acme', tags: ['Wallet'] }, { changesMax: 0 }))).toBe(1);
    expect(changeOf(await take(DIRECTORY, { name: 'Acme', tags: ['Wallet'] }, { isDryRun: true }))).toBe('updated');
    expect(await recordOf()).toMatchObject({ tags: ['DeFi'] });
  });
});

describe('a source that is dropped', () => {
  test('takes all it said with it, and what others said comes back', async () => {
    await store.records.putAll([acme]);
    const before = await recordOf();
    await take(DIRECTORY, { name: 'Acme', chains: ['Optimism'], twitter: 'https://x.com/acme' });
    await take(REGISTRY, { name: 'Other', website: 'https://other.example' }, { record: 'acme' });
    expect(await store.claims.drop('directory')).toBe(0);
    expect(await store.claims.drop('registry')).toBe(1);
    const { version: _, ...after } = { version: 0, ...(await recordOf()) } as Record<string, unknown>;
    expect({ ...after, updated_at: 0 }).toEqual({ ...before, updated_at: 0 });
    expect(await store.records.get('companies', 'other')).toBeUndefined();
    expect(await store.claims.sources()).toEqual([]);
  });

  test('leaves no date of its own where the others have none', async () => {
    await store.records.putAll([aCompany({ name: 'Acme', as_of: null, sources: [] })]);
    await take(DIRECTORY, { name: 'Acme', twitter: 'https://x.com/acme' });
    expect(await recordOf()).toMatchObject({ as_of: '2026-11-01' });
    await store.claims.drop('directory');
    expect(await recordOf()).toMatchObject({ twitter: null, as_of: null });
  });

  test('does not come back with a merge that is taken back', async () => {
    await store.records.putAll([acme, aCompany({ name: 'Acme Two', as_of: '2025-01-01', sources: SOURCES })]);
    await take(DIRECTORY, { name: 'Acme Two', twitter: 'https://x.com/acme' }, { record: 2 });
    await take(DIRECTORY, { name: 'Acme Three' }, { key: 'three', record: 'three' });
    const merged = async (other: string): Promise<number> =>
      (await store.duplicates.mergeChosen({ type: 'companies', keep: 'acme', other }, OPERATOR)).id;
    const [two, three] = [await merged('acme-two'), await merged('acme-three')];
    await store.claims.drop('directory');
    expect(await recordOf()).toMatchObject({ twitter: null });
    await store.duplicates.undo(two, OPERATOR);
    const [kept, back] = [await recordOf(), JSON.parse((await store.records.get('companies', 'acme-two'))?.json ?? '')];
    expect([kept, back]).toMatchObject([{ twitter: null }, { twitter: null, sources: SOURCES }]);
    // Nothing else ever stated the third one.
    await expect(store.duplicates.undo(three, OPERATOR)).rejects.toMatchObject({ code: 'invalid_parameter' });
  });
});

describe('a source that may not be handed on', () => {
  test('is withheld from records and answers, and taken in again', async () => {
    await store.records.putAll([acme]);
    await take(AGGREGATOR, { name: 'Acme', twitter: 'https://x.com/acme' });
    expect(await fieldOf('twitter')).toMatchObject({ sources: [{ redistributable: false }] });
    await store.claims.withhold('aggregator', true);
    expect(await recordOf()).toMatchObject({ twitter: null });
    expect(await fieldOf('twitter')).toBeUndefined();
    await store.claims.withhold('aggregator', false);
    expect(await recordOf()).toMatchObject({ twitter: 'https://x.com/acme' });
  });

  test('can be left out of one record', async () => {
    await store.records.putAll([acme]);
    await take(AGGREGATOR, { name: 'Acme', twitter: 'https://x.com/acme' });
    const json = (await store.records.get('companies', '1'))?.json ?? '';
    const without = JSON.parse((await store.claims.without('companies', json, new Set(['aggregator']))) ?? '{}');
    expect(without).toMatchObject({ twitter: null, website: 'https://acme.example', sources: SOURCES });
    await take(AGGREGATOR, { name: 'Other' }, { record: 'acme' });
  });
});

describe('a source that is withheld later', () => {
  const TWITTER = { twitter: 'https://x.com/acme' };
  const shown = async (slug: string): Promise<Record<string, unknown> | undefined> => {
    const found = await store.records.get('companies', slug);
    return found && JSON.parse(found.json);
  };

  test('does not come back with a deleted record', async () => {
    await store.records.putAll([acme]);
    await take(AGGREGATOR, { name: 'Acme', ...TWITTER });
    await take(AGGREGATOR, { name: 'Other' }, { key: 'other', record: 'other' });
    for (const target of ['acme', 'other'])
      await store.records.change({ action: 'delete', type: 'companies', target, author: OPERATOR });
    expect(await store.claims.withholdRestricted([])).toEqual(['aggregator']);
    const restore = (target: string) =>
      store.records.change({ action: 'restore', type: 'companies', target, author: OPERATOR });
    await restore('acme');
    expect(await shown('acme')).toMatchObject({ twitter: null, sources: SOURCES });
    await expect(restore('other')).rejects.toMatchObject({ code: 'not_found' });
  });

  test('does not come back with a merge that is taken back', async () => {
    await store.records.putAll([acme, aCompany({ name: 'Acme Two', as_of: '2025-01-01', sources: SOURCES })]);
    await take(AGGREGATOR, { name: 'Acme Two', ...TWITTER }, { record: 2 });
    const pair = { type: 'companies', keep: 'acme', other: 'acme-two' } as const;
    const { id } = await store.duplicates.mergeChosen(pair, OPERATOR);
    expect(await shown('acme')).toMatchObject(TWITTER);
    await store.claims.withholdRestricted([]);
    expect(await shown('acme')).toMatchObject({ twitter: null });
    await store.duplicates.undo(id, OPERATOR);
    for (const slug of ['acme', 'acme-two']) expect(await shown(slug)).toMatchObject({ twitter: null });
  });

  test('is withheld at the next start where the first was cut off', async () => {
    await store.records.putAll([acme]);
    await take(AGGREGATOR, { name: 'Acme', ...TWITTER });
    const clock = now;
    now = () => {
      throw new Error('cut off');
    };
    await expect(store.claims.withholdRestricted([])).rejects.toThrow('cut off');
    now = clock;
    await store.claims.withholdRestricted([]);
    expect(await recordOf()).toMatchObject({ twitter: null });
  });
});

describe('a lease', () => {
  test('is for one holder at a time', async () => {
    expect(await store.claims.lease('sync', 'one', 60_000)).toBe(true);
    expect(await store.claims.lease('sync', 'two', 60_000)).toBe(false);
    expect(await store.claims.lease('sync', 'one', 60_000)).toBe(true);
    await store.claims.release('sync', 'one');
    expect(await store.claims.lease('sync', 'two', 60_000)).toBe(true);
  });

  test('renewed a moment later, or by a clock that is ahead, stays with its holder', async () => {
    await store.claims.lease('sync', 'one', 60_000);
    now = () => new Date('2026-11-21T11:59:58.000Z');
    expect(await store.claims.lease('sync', 'two', 60_000)).toBe(false);
  });

  test('taken before the clock was set back does not last until then', async () => {
    await store.claims.lease('sync', 'one', 60_000);
    now = () => new Date('2026-11-21T10:00:00.000Z');
    expect(await store.claims.lease('sync', 'two', 60_000)).toBe(true);
  });
});

test('records by sources older than two years are stale', async () => {
  await store.records.putAll([
    aCompany({ name: 'Old', as_of: '2024-11-20' }),
    aCompany({ name: 'New', as_of: '2024-11-21' }),
    aCompany({ name: 'Undated' }),
  ]);
  const search = async (stale: boolean) => {
    const window = { offset: 0, limit: 10 };
    const found = await store.records.search({ types: ['companies'], text: '', filters: { stale }, window });
    return { names: found.results.map((json) => (JSON.parse(json) as { name: string }).name), unknown: found.unknown };
  };
  expect(await search(true)).toEqual({ names: ['Old'], unknown: { stale: 1 } });
  expect(await search(false)).toEqual({ names: ['New'], unknown: { stale: 1 } });
});

test('records by sources older than two years come after others of the same words, until a newer source states them', async () => {
  const old = aCompany({ name: 'Old', tags: ['Bridge'], as_of: '2024-11-20' });
  const rest = ['2024-11-21', null].map((as_of) => aCompany({ name: `Of ${as_of}`, tags: ['Bridge'], as_of }));
  await store.records.putAll([old, ...rest]);
  const search = async (text: string) => {
    const found = await store.records.search({ types: ['companies'], text, window: { offset: 0, limit: 10 } });
    return found.results.map((json) => (JSON.parse(json) as { name: string }).name);
  };
  for (const text of ['bridge', '']) expect(await search(text)).toEqual(['Of 2024-11-21', 'Of null', 'Old']);
  // A link ranks it anew, and one is not enough.
  await store.records.putAll([{ type: 'rounds', input: { name: 'Old Seed', company: 'old', stage: 'seed' } }]);
  expect(await search('bridge')).toEqual(['Of 2024-11-21', 'Of null', 'Old']);
  const input = { as_of: '2026-11-01' };
  await store.records.change({ action: 'merge', type: 'companies', target: '1', input, author: OPERATOR });
  for (const text of ['bridge', '']) expect(await search(text)).toEqual(['Old', 'Of 2024-11-21', 'Of null']);
});
