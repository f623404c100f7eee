import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openStore } from '../../src/store/open.ts';
import { OPERATOR } from '../../src/store/port/audit.ts';
import type { Store } from '../../src/store/store.ts';
import { connectors } from '../../src/store/sync/connectors/index.ts';
import { type SyncRequest, syncSource } from '../../src/store/sync/sync-run.ts';
import type { SyncReport } from '../../src/store/sync/sync-state.ts';
import { aCompany } from '../support/builders.ts';
import { emptyDatabase } from '../support/empty-database.ts';
import { isSecondEngine } from '../support/length.ts';
import { archiveOf, type Replay, startReplay } from '../support/replay.ts';
import {
  binding,
  CHAIN_REGISTRY,
  chains,
  PAGED,
  PROTOCOLS,
  protocol,
  replaySource,
  replayWhole,
} from '../support/sync-fixtures.ts';

let replay: Replay;
let store: Store;
let now: Date;
/** Milliseconds that a run waited for, each time. */
let pauses: number[];
beforeAll(async () => {
  replay = await startReplay();
});
afterAll(() => replay.close());
beforeEach(async () => {
  now = new Date('2026-11-21T12:00:00.000Z');
  pauses = [];
  replay.pages.clear();
  replay.asked.length = 0;
  store = await openStore(await emptyDatabase(), () => now);
});
afterEach(() => store.close());

async function sync(source: string, more: Partial<SyncRequest> = {}): Promise<SyncReport> {
  const connector = connectors.find((each) => each.source === source);
  if (connector === undefined) throw new Error(`no connector ${source}`);
  const pause = async (milliseconds: number): Promise<void> => {
    pauses.push(milliseconds);
    now = new Date(now.getTime() + milliseconds);
  };
  const usual = {
    mirror: replay.url,
    userAgent: 'web3-bi/test',
    acceptsTerms: true,
    signal: new AbortController().signal,
  };
  return syncSource({ store, connector, now: () => now, pause, ...usual, ...more });
}

const recordOf = async (type: 'companies' | 'people' | 'rounds', slug: string): Promise<Record<string, unknown>> =>
  JSON.parse((await store.records.get(type, slug))?.json ?? 'null') as Record<string, unknown>;
const all = async (): Promise<unknown[]> => {
  const found = [];
  for (const type of ['companies', 'people', 'investors', 'rounds'] as const)
    for await (const json of store.records.walk(type)) found.push(json);
  return found;
};
/** Fields of a record that say something, but for those of every record. */
const saidBy = (record: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(record).filter(
      ([name, value]) =>
        value !== null &&
        !(Array.isArray(value) && value.length === 0) &&
        !/^(id|type|created_at|updated_at|is_verified)$/.test(name),
    ),
  );
const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `chain${index}`);
const serveChains = (files: Record<string, string>): void => void replay.pages.set(CHAIN_REGISTRY, archiveOf(files));

const MADE = {
  'chain-registry': ['companies', 'alpha-chain'],
  'oss-directory': ['companies', 'example-dao'],
  'base-ecosystem': ['companies', 'example'],
  'trust-wallet': ['companies', 'example-swap'],
  eips: ['people', 'ada-example'],
  wikidata: ['companies', 'entity-1'],
  'sec-form-d': ['rounds', 'acme-sons-inc-form-d-offering-2026'],
  'defillama-protocols': ['companies', 'protocol-1'],
  'defillama-raises': ['rounds', 'acme-seed-2026'],
  coingecko: ['companies', 'example-coin'],
  devcon: ['people', 'ada-example'],
} as const;

/** A field of each source that an entry cannot be read without. */
const RENAMED: readonly (readonly [source: keyof typeof MADE, name: string])[] = [
  ['chain-registry', 'chain_name'],
  ['oss-directory', 'display_name'],
  ['base-ecosystem', 'url'],
  ['trust-wallet', 'tree'],
  ['trust-wallet', 'symbol'],
  ['eips', 'author'],
  ['wikidata', 'bindings'],
  ['wikidata', 'itemLabel'],
  ['sec-form-d', 'hits'],
  ['sec-form-d', 'entityName'],
  ['defillama-protocols', 'category'],
  ['defillama-raises', 'raises'],
  ['defillama-raises', 'date'],
  ['coingecko', 'id'],
  ['coingecko', 'categories'],
  ['devcon', 'items'],
  ['devcon', 'name'],
];

/** Pages that are read again although nothing has changed: lists, by which it is known what else to ask for. */
const LISTS: Readonly<Record<string, number>> = { 'sec-form-d': 2, coingecko: 2 };

// What a source answers is not of the engine.
describe.skipIf(isSecondEngine)('each connector', () => {
  test('has a fixture', () => {
    expect(connectors.map(({ source }) => source)).toEqual(Object.keys(MADE));
  });

  test.each(Object.entries(MADE))(
    '%s makes records, and a second run changes nothing',
    async (source, [type, slug]) => {
      const isForKnown = source === 'trust-wallet';
      if (isForKnown)
        await store.records.putAll([aCompany({ name: 'Example Swap', website: 'https://exampleswap.example' })]);
      replaySource(replay, source);
      const first = await sync(source);
      expect(first).toMatchObject({ status: 'done', message: null, refused: 0, unreadable: 0 });
      expect([first.created > 0, first.joined, first.left]).toEqual(isForKnown ? [false, 1, 1] : [true, 0, 0]);
      expect(saidBy(await recordOf(type, slug))).toMatchSnapshot();
      const before = await all();
      now = new Date('2026-11-22T12:00:00.000Z');
      expect(await sync(source)).toMatchObject({ status: 'done', created: 0, joined: 0, updated: 0 });
      expect(await sync(source, { isForced: true })).toMatchObject({
        status: 'done',
        created: 0,
        joined: 0,
        updated: 0,
      });
      expect(await all()).toEqual(before);
      const input = { name: 'Edited by a person' };
      await store.records.change({ action: 'merge', type, target: slug, input, author: OPERATOR });
      await sync(source, { isForced: true });
      expect(await recordOf(type, slug)).toMatchObject(input);
    },
  );

  test.each(Object.keys(MADE))('%s asks no host but its own, over HTTPS', async (source) => {
    replaySource(replay, source);
    await sync(source);
    const hosts = connectors.find((each) => each.source === source)?.hosts ?? [];
    expect(new Set(replay.asked.map((path) => path.split('/')[0]))).toEqual(new Set(hosts));
  });

  test.each(Object.keys(MADE))('%s says so when the source answers with a page for people', async (source) => {
    const page = (response: { end(body: string): void }): void => response.end('<html>We have moved</html>');
    for (const host of connectors.find((each) => each.source === source)?.hosts ?? []) replay.pages.set(host, page);
    const report = await sync(source);
    expect(report).toMatchObject({ status: 'failed', created: 0 });
  });
});

/** Companies that a source is about which makes none of its own. */
const knownTo = (source: string) =>
  source === 'trust-wallet'
    ? [1, 50, 101].map((id) => aCompany({ name: `Chain ${id}`, website: `https://chain${id}.example` }))
    : [];

describe.skipIf(isSecondEngine)('each connector, from whole answers', () => {
  /** All records without their times, which tell when a run was. */
  const records = async (): Promise<unknown[]> =>
    (await all()).map((json) => ({ ...(JSON.parse(String(json)) as object), created_at: null, updated_at: null }));

  test.each(Object.keys(MADE))('%s asks again only for what may have changed', async (source) => {
    await store.records.putAll(knownTo(source));
    replayWhole(replay, source);
    expect(await sync(source)).toMatchObject({ status: 'done', not_modified: 0 });
    const before = await all();
    now = new Date('2026-11-21T13:00:00.000Z');
    for (const run of ['second', 'third']) {
      const { status, read, requests, not_modified } = await sync(source);
      expect([run, status, read, requests - not_modified]).toEqual([run, 'done', 0, LISTS[source] ?? 0]);
      expect(not_modified).toBeGreaterThan(0);
    }
    if (source === 'trust-wallet') {
      // A list that is new asks only for what is: the second run did not ask for the files, and knows them still.
      const [tree = ''] = [...replay.pages.keys()].filter((start) => start.startsWith('api.github.com'));
      replay.pages.set(tree, ` ${replay.pages.get(tree)}`);
      expect(await sync(source)).toMatchObject({ status: 'done', read: 0, not_modified: 101 });
    }
    expect(await all()).toEqual(before);
  });

  test.each(Object.keys(MADE))(
    '%s that is killed at a request goes on, and ends as if it never was',
    async (source) => {
      await store.records.putAll(knownTo(source));
      replayWhole(replay, source);
      const whole = await sync(source);
      const wanted = await records();
      for (const last of new Set([1, Math.ceil(whole.requests / 2), whole.requests])) {
        await store.close();
        store = await openStore(await emptyDatabase(), () => now);
        await store.records.putAll(knownTo(source));
        let asked = 0;
        const killed = new Promise<void>((resolve) => {
          const fetch: typeof globalThis.fetch = (...given) => {
            asked += 1;
            if (asked < last) return globalThis.fetch(...given);
            resolve();
            // The sync stops here.
            return new Promise(() => {});
          };
          void sync(source, { fetch });
        });
        await killed;
        now = new Date(now.getTime() + 600_000);
        const again = await sync(source);
        expect([last, again.status, await records()]).toEqual([last, 'done', wanted]);
        if (source in PAGED && last === whole.requests)
          expect([again.isResumed, again.requests < whole.requests]).toEqual([true, true]);
      }
    },
  );

  test.each(Object.keys(MADE))('%s is asked again after each fault of an answer', async (source) => {
    replaySource(replay, source);
    const made = await sync(source);
    const wanted = await records();
    await store.close();
    store = await openStore(await emptyDatabase(), () => now);
    const tries = new Map<string, number>();
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const tried = (tries.get(String(input)) ?? 0) + 1;
      tries.set(String(input), tried);
      if (tried === 1) return new Response('wait', { status: 429, headers: { 'Retry-After': '7' } });
      if (tried === 2) return new Response('down', { status: 503 });
      if (tried === 3) return new Response(new ReadableStream({ start: (body) => body.error(new Error('cut')) }));
      return globalThis.fetch(input, init);
    };
    const faulty = await sync(source, { fetch });
    expect(faulty).toMatchObject({ status: 'done', created: made.created, requests: 4 * made.requests });
    expect(await records()).toEqual(wanted);
    expect(pauses.filter((pause) => pause === 7_000)).toHaveLength(made.requests);
  });

  test.each(RENAMED)('%s says so when the source renames %s', async (source, word) => {
    replaySource(replay, source);
    for (const [start, body] of replay.pages) replay.pages.set(start, renamed(body, word));
    const { status, message, created } = await sync(source);
    expect([status, created]).toEqual(['failed', 0]);
    expect(message).toContain('has changed');
  });
});

/** A body, or an archive, in which a word is another one of the same length. */
function renamed(body: unknown, word: string): string | Buffer {
  const replace = (bytes: Buffer): Buffer =>
    Buffer.from(bytes.toString('latin1').replaceAll(word, 'x'.repeat(word.length)), 'latin1');
  if (typeof body === 'string') return replace(Buffer.from(body)).toString();
  return gzipSync(replace(gunzipSync(body as Buffer)));
}

describe('a run', () => {
  test('joins records by the rules of identity, and reports what it did', async () => {
    await store.records.putAll([aCompany({ name: 'chain0 Chain Network', website: 'https://chain0.example' })]);
    serveChains(chains(['chain0', 'chain1']));
    expect(await sync('chain-registry')).toMatchObject({ read: 2, joined: 1, created: 1, requests: 1 });
    expect(await recordOf('companies', 'chain0-chain-network')).toMatchObject({ chains: ['Cosmos'] });
  });

  test('asks conditionally, and is done with what has not changed', async () => {
    serveChains(chains(names(3)));
    await sync('chain-registry');
    expect(await sync('chain-registry')).toMatchObject({ status: 'done', not_modified: 1, read: 0, bytes: 0 });
  });

  test('writes nothing when it is dry, and says what it would do', async () => {
    serveChains(chains(names(3)));
    expect(await sync('chain-registry', { isDryRun: true })).toMatchObject({ isDryRun: true, created: 3 });
    expect(await all()).toEqual([]);
    expect(await store.claims.sources()).toEqual([]);
  });

  test('reads no more than its limit, and the next run reads the rest', async () => {
    serveChains(chains(names(5)));
    expect(await sync('chain-registry', { limit: 2 })).toMatchObject({ read: 2, created: 2 });
    expect(await sync('chain-registry')).toMatchObject({ read: 5, created: 3, unchanged: 2 });
  });

  test('takes only what is of a day or later, and the next run the rest', async () => {
    for (const [source, day, next] of [
      ['defillama-raises', '2026-09-21', '2026-09-22'],
      ['wikidata', '2026-10-02', '2026-10-03'],
      ['eips', '2026-11-18', '2026-11-19'],
    ] as const) {
      replaySource(replay, source);
      expect([source, await sync(source, { since: next, isForced: true })]).toMatchObject([source, { created: 0 }]);
      const { created } = await sync(source, { since: day, isForced: true });
      expect([source, created > 0]).toEqual([source, true]);
      expect([source, await sync(source)]).toMatchObject([source, { created: 0, unchanged: created }]);
    }
    replaySource(replay, 'sec-form-d');
    await sync('sec-form-d', { since: '2026-10-06' });
    expect(replay.asked.filter((path) => path.includes('startdt=2026-10-06'))).not.toEqual([]);
  });

  test('is in the audit log once', async () => {
    serveChains(chains(names(3)));
    await sync('chain-registry');
    const entries = await store.audit.list({ limit: 10 });
    expect(entries).toMatchObject([
      { action: 'sync', account: 'operator', after: { source: 'chain-registry', created: 3 } },
    ]);
  });

  test('keeps what a person has edited', async () => {
    serveChains(chains(names(1)));
    await sync('chain-registry');
    const input = { website: 'https://edited.example' };
    await store.records.change({ action: 'merge', type: 'companies', target: 'chain0-chain', input, author: OPERATOR });
    serveChains(chains(names(1), { website: 'https://moved.example' }));
    await sync('chain-registry');
    expect(await recordOf('companies', 'chain0-chain')).toMatchObject(input);
  });

  test('is one at a time over a database', async () => {
    await store.claims.lease('sync', 'another', 60_000);
    expect(await sync('chain-registry')).toMatchObject({ status: 'busy', requests: 0 });
  });

  test('asks for the terms to be accepted once, where facts may not be handed on', async () => {
    replaySource(replay, 'defillama-protocols');
    const refused = await sync('defillama-protocols', { acceptsTerms: false });
    expect(refused).toMatchObject({ status: 'failed', requests: 0 });
    expect(refused.message).toContain('--accept-terms');
    expect(await sync('defillama-protocols')).toMatchObject({ status: 'done' });
    expect(await sync('defillama-protocols', { acceptsTerms: false })).toMatchObject({ status: 'done' });
  });

  test('takes an entry that comes twice once', async () => {
    replay.pages.set(PROTOCOLS, JSON.stringify([protocol(1), protocol(1, { category: 'Dexs' })]));
    expect(await sync('defillama-protocols')).toMatchObject({ read: 2, created: 1, duplicate: 1 });
    expect(await recordOf('companies', 'protocol-1')).toMatchObject({ tags: ['Lending'] });
  });

  test('takes an offering of a fund for its size, and not for a round', async () => {
    replaySource(replay, 'sec-form-d');
    expect(await sync('sec-form-d')).toMatchObject({ created: 2 });
    const { results } = await store.records.search({
      ...{ types: ['investors'], text: 'example chain fund', window: { offset: 0, limit: 5 } },
    });
    expect(results.map((json) => JSON.parse(json))).toMatchObject([
      { name: 'Example Chain Fund II, L.P.', fund_size_usd: '250000000.00', investor_type: 'venture_capital' },
    ]);
  });

  test('reads an amount that nobody knows as unknown', async () => {
    replaySource(replay, 'defillama-raises');
    await sync('defillama-raises');
    expect(await recordOf('rounds', 'other-strategic-2026')).toMatchObject({ amount_usd: null, stage: 'strategic' });
  });

  test('is dated after the one before, also when the clock was set back', async () => {
    serveChains(chains(names(1)));
    await sync('chain-registry');
    now = new Date('2020-01-01T00:00:00.000Z');
    serveChains(chains(names(1), { website: 'https://chain0-moved.example' }));
    expect(await sync('chain-registry')).toMatchObject({ status: 'done', updated: 1, absent: 0 });
    const provenance = await store.claims.of('companies', 'chain0-chain');
    const [statement] = provenance?.fields.find(({ field }) => field === 'website')?.sources ?? [];
    expect((statement?.seen_at ?? '') > '2026-11-21T12:00:00.000Z').toBe(true);
  });
});

describe('a run that is cut off', () => {
  const servePages = (pages: number): void => {
    for (let page = 0; page < pages; page += 1) {
      const rows = Array.from({ length: page === pages - 1 ? 1 : 500 }, (_, row) => binding(1 + page * 500 + row));
      const body = JSON.stringify({ results: { bindings: rows } });
      replay.pages.set('query.wikidata.org/sparql', (response) => response.end('{"results":{"bindings":[]}}'));
      offsets.set(page * 500, body);
    }
    replay.pages.set('query.wikidata.org/sparql', (response) => {
      const offset = Number(/OFFSET\+(\d+)/.exec(replay.asked.at(-1) ?? '')?.[1] ?? 0);
      response.end(offsets.get(offset));
    });
  };
  const offsets = new Map<number, string>();

  test('goes on from its last page', async () => {
    servePages(3);
    const cut = new AbortController();
    const onProgress = ({ created }: { created: number }): void => {
      if (created === 600) cut.abort();
    };
    expect(await sync('wikidata', { signal: cut.signal, onProgress })).toMatchObject({
      status: 'interrupted',
      created: 600,
    });
    replay.asked.length = 0;
    const scheduled = { unlessWithinMs: 3_600_000 };
    const resumed = { status: 'done', isResumed: true, created: 401, unchanged: 100 };
    expect(await sync('wikidata', scheduled)).toMatchObject(resumed);
    expect(await sync('wikidata', scheduled)).toMatchObject({ status: 'skipped' });
    expect(replay.asked.map((path) => /OFFSET\+(\d+)/.exec(path)?.[1])).toEqual(['500', '1000']);
  });
});

describe.skipIf(isSecondEngine)('a source that is not well', () => {
  const trouble = (status: number, headers: Record<string, string> = {}, times = 1): void => {
    let left = times;
    replay.pages.set(PROTOCOLS, (response) => {
      left -= 1;
      if (left >= 0) response.writeHead(status, headers).end('no');
      else response.end(JSON.stringify([protocol(1)]));
    });
  };

  test('is asked again after what it says with 429', async () => {
    trouble(429, { 'Retry-After': '7' });
    expect(await sync('defillama-protocols')).toMatchObject({ status: 'done', created: 1, requests: 2 });
    expect(pauses).toContain(7_000);
  });

  test('is asked again after 2 s and twice as long each time, when it says nothing', async () => {
    trouble(503, {}, 3);
    expect(await sync('defillama-protocols')).toMatchObject({ status: 'done', requests: 4 });
    expect(pauses.filter((pause) => pause >= 2_000)).toEqual([2_000, 4_000, 8_000]);
  });

  test('is left alone until the time that it names, where that is far', async () => {
    trouble(429, { 'Retry-After': '7200' });
    const report = await sync('defillama-protocols');
    expect(report).toMatchObject({ status: 'failed', requests: 1 });
    expect(report.message).toContain('2026-11-21T14:00:00');
    expect(await sync('defillama-protocols')).toMatchObject({ status: 'failed', requests: 0 });
    now = new Date('2026-11-21T14:00:01.000Z');
    expect(await sync('defillama-protocols')).toMatchObject({ status: 'done' });
  });

  test.each(['99999999999999999', 'Fri, 31 Dec 9999 23:59:59 GMT'])(
    'is left alone for a month at most, whatever it asks for: %s',
    async (wait) => {
      trouble(429, { 'Retry-After': wait });
      const report = await sync('defillama-protocols');
      expect(report).toMatchObject({ status: 'failed', requests: 1 });
      expect(report.message).toContain('2026-12-22T12:00:00');
      now = new Date('2026-12-22T12:00:01.000Z');
      expect(await sync('defillama-protocols')).toMatchObject({ status: 'done' });
    },
  );

  test('that asks for a subscription is told of in one line', async () => {
    replay.pages.set('api.llama.fi/raises', (response) => response.writeHead(402).end());
    const { message, status } = await sync('defillama-raises');
    expect({ message, status }).toEqual({
      status: 'failed',
      message: 'The source requires a paid subscription (402 from https://api.llama.fi/raises).',
    });
  });

  test.each(['ENOTFOUND', 'EAI_AGAIN'])('is asked twice where there is no network: %s', async (code) => {
    const cause = Object.assign(new Error(`getaddrinfo ${code}`), { code });
    const { status, requests, message } = await sync('defillama-protocols', {
      fetch: () => Promise.reject(new TypeError('fetch failed', { cause })),
    });
    expect([status, requests, pauses.filter((pause) => pause >= 2_000)]).toEqual(['failed', 2, [2_000]]);
    expect(message).toContain(`cannot be reached: no network, or no such host (${code})`);
  });

  test('that breaks off in its answer is asked again, and changes nothing', async () => {
    replay.pages.set(PROTOCOLS, (response) => {
      response.writeHead(200, { 'Content-Length': '1000' }).write('[{"id":');
      response.destroy();
    });
    expect(await sync('defillama-protocols')).toMatchObject({ status: 'failed', requests: 6, created: 0 });
  });

  test('that renames a field is not read', async () => {
    const renamed = [1, 2, 3].map((id) => ({ ...protocol(id), category: undefined, kind: 'Lending' }));
    replay.pages.set(PROTOCOLS, JSON.stringify(renamed));
    const { status, message } = await sync('defillama-protocols');
    expect(status).toBe('failed');
    expect(message).toContain('has changed its format: 3 of 3 entries cannot be read (category:');
  });

  test.each([
    ['size', 124, '-0000001000 '],
    ['time', 136, '0000000000x '],
  ])('that sends an archive with an invalid %s is not read', async (_field, at, digits) => {
    replaySource(replay, 'chain-registry');
    for (const [start, body] of replay.pages) {
      const archive = gunzipSync(body as Buffer);
      archive.write(digits, at);
      replay.pages.set(start, gzipSync(archive));
    }
    const { status, message, created } = await sync('chain-registry');
    expect([status, created]).toEqual(['failed', 0]);
    expect(message).toContain('responds with an invalid archive');
  });

  test('that sends an archive of zeros, small only while it is compressed, is not unpacked', async () => {
    replaySource(replay, 'chain-registry');
    // A gzip file may have several members, one after another (RFC 1952, 2.2).
    const member = gzipSync(Buffer.alloc(16 * 1024 * 1024));
    const bomb = Buffer.concat(Array.from({ length: 48 }, () => member));
    for (const start of replay.pages.keys()) replay.pages.set(start, bomb);
    const { status, message } = await sync('chain-registry');
    expect([status, message]).toEqual(['failed', 'The source sends an archive of more than 536870912 unpacked bytes.']);
  });

  test('cannot lead to another host', async () => {
    replay.pages.set(PROTOCOLS, (response) =>
      response.writeHead(302, { Location: 'https://elsewhere.example/' }).end(),
    );
    const { status, message } = await sync('defillama-protocols');
    expect([status, message]).toEqual(['failed', 'The source leads to elsewhere.example, which is not allowed.']);
    expect(replay.asked).toEqual([PROTOCOLS]);
  });

  test('is not asked more often than its month allows', async () => {
    replaySource(replay, 'coingecko');
    const connector = connectors.find(({ source }) => source === 'coingecko');
    if (connector === undefined) throw new Error('no connector');
    const thrifty = { ...connector, rate: { perSecond: 1, perMonth: 3 } };
    expect(await sync('coingecko', { connector: thrifty })).toMatchObject({ status: 'done', requests: 2 });
    const report = await sync('coingecko', { connector: thrifty, isForced: true });
    expect(report).toMatchObject({ status: 'failed', requests: 1 });
    now = new Date('2026-12-01T00:00:01.000Z');
    expect(await sync('coingecko', { connector: thrifty })).toMatchObject({ status: 'done' });
  });
});

describe('a guard', () => {
  test('stops a run that would change more than a fifth, until a person has it go on', async () => {
    serveChains(chains(names(20)));
    await sync('chain-registry');
    serveChains({ ...chains(names(20)), ...chains(names(6), { website: 'https://moved.example' }) });
    const report = await sync('chain-registry');
    expect(report).toMatchObject({ status: 'stopped', updated: 0 });
    expect(report.message).toContain('--force');
    expect(await recordOf('companies', 'chain0-chain')).toMatchObject({ website: 'https://chain0.example/' });
    expect(await sync('chain-registry', { isForced: true })).toMatchObject({ status: 'done', updated: 6 });
  });

  test('stops a run whose answer is half as large as the last', async () => {
    serveChains(chains(names(60)));
    await sync('chain-registry');
    serveChains(chains(names(4)));
    expect(await sync('chain-registry')).toMatchObject({ status: 'stopped', read: 0 });
  });

  test('stops a run that leaves out more than a twentieth, and nothing goes by being left out', async () => {
    serveChains(chains(names(20)));
    await sync('chain-registry');
    serveChains(chains(names(16)));
    expect(await sync('chain-registry')).toMatchObject({ status: 'stopped', absent: 4 });
    expect(await all()).toHaveLength(20);
  });
});

describe('what a source leaves out', () => {
  test('of two complete runs is stale and stays, until it states it again', async () => {
    const filtered = async (stale: boolean): Promise<readonly string[]> => {
      const window = { offset: 0, limit: 5 };
      const found = await store.records.search({ types: ['companies'], text: '', filters: { stale }, window });
      return found.results.map((json) => JSON.parse(json).slug);
    };
    const slugs = ['chain0-chain', 'chain1-chain', 'chain2-chain'];
    const staleness = async (): Promise<unknown> => {
      const provenance = await store.claims.of('companies', 'chain2-chain');
      expect(await filtered(true)).toEqual(provenance?.stale ? ['chain2-chain'] : []);
      expect(await filtered(false)).toEqual(provenance?.stale ? slugs.slice(0, 2) : slugs);
      return [provenance?.stale, new Set(provenance?.fields.map(({ stale }) => stale))];
    };
    serveChains(chains(names(3)));
    await sync('chain-registry');
    serveChains(chains(names(2)));
    expect(await sync('chain-registry')).toMatchObject({ status: 'done', absent: 1 });
    expect(await staleness()).toEqual([false, new Set([false])]);
    // A run that changes nothing is none, and a part of it is not complete.
    await sync('chain-registry');
    await sync('chain-registry', { isForced: true, limit: 1 });
    expect(await staleness()).toEqual([false, new Set([false])]);
    await sync('chain-registry', { isForced: true });
    expect(await staleness()).toEqual([true, new Set([true])]);
    const left = { website: 'https://chain2.example/', unlisted_since: '2026-11-21' };
    expect(await recordOf('companies', 'chain2-chain')).toMatchObject(left);
    serveChains(chains(names(3)));
    await sync('chain-registry');
    expect(await staleness()).toEqual([false, new Set([false])]);
  });

  test('is not stale where somebody edits it or another source states it', async () => {
    await store.records.putAll([aCompany({ name: 'chain1 Chain', sources: [{ source: 'a book', fields: ['name'] }] })]);
    serveChains(chains(names(3)));
    await sync('chain-registry');
    const input = { tagline: 'A chain' };
    await store.records.change({ action: 'merge', type: 'companies', target: 'chain2-chain', input, author: OPERATOR });
    serveChains(chains(names(1)));
    for (let run = 0; run < 2; run += 1) await sync('chain-registry', { isForced: true });
    for (const slug of ['chain0-chain', 'chain1-chain', 'chain2-chain']) {
      expect([slug, await recordOf('companies', slug)]).toMatchObject([slug, { unlisted_since: null }]);
      expect([slug, (await store.claims.of('companies', slug))?.stale]).toEqual([slug, false]);
    }
  });

  test('is not missed where the source tells only what is new', async () => {
    replaySource(replay, 'sec-form-d');
    const { created } = await sync('sec-form-d');
    replay.pages.set('efts.sec.gov', JSON.stringify({ hits: { hits: [] } }));
    for (const day of ['2027-03-01', '2027-03-02', '2027-03-03']) {
      now = new Date(`${day}T12:00:00.000Z`);
      expect(await sync('sec-form-d', { isForced: day > '2027-03-02' })).toMatchObject({ status: 'done', absent: 0 });
    }
    expect(await all()).toHaveLength(created);
  });
});

describe('a database that is served', () => {
  test('has no facts that may not be handed on, and none come by a later run', async () => {
    replaySource(replay, 'defillama-protocols');
    await sync('defillama-protocols');
    expect(await store.claims.withholdRestricted([])).toEqual(['defillama-protocols']);
    expect(await all()).toEqual([]);
    expect(await sync('defillama-protocols', { isForced: true })).toMatchObject({
      status: 'done',
      withheld: 3,
      created: 0,
    });
    expect(await all()).toEqual([]);
    expect(await store.claims.withholdRestricted(['defillama-protocols'])).toEqual([]);
    expect(await sync('defillama-protocols', { isForced: true })).toMatchObject({ created: 3 });
  });
});
