import { createHash } from 'node:crypto';
import { copyFileSync } from 'node:fs';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { RECORD_TYPES } from '../../src/contract/entities/index.ts';
import { openEngine, openStore } from '../../src/store/open.ts';
import { OPERATOR } from '../../src/store/port/audit.ts';
import type { Member } from '../../src/store/port/members.ts';
import type { Store } from '../../src/store/store.ts';
import { COPIED_TABLES, transfer } from '../../src/store/transfer/transfer.ts';
import { aCompany, anEvent, anInvestor, aPerson, aRound } from '../support/builders.ts';
import { newPostgres, newSqlite, type TestDatabase } from '../support/databases.ts';
import { isLong } from '../support/length.ts';
import { runProcess } from '../support/program.ts';

const RECORDS = 1_200;
const KEYS = 10;
const PEOPLE = 9;
/** What is moved: each test has a copy. */
let filled: TestDatabase;
let from: TestDatabase;
let to: TestDatabase;
let secret: string;

beforeAll(async () => {
  filled = await newSqlite();
  const store = await openStore(filled.url);
  await store.records.addShipped(() => [
    aCompany({ name: 'Acme', tags: ['DeFi', 'tab\t and \\N'], overview: 'One\nline \\ two\r\n\tthree' }),
    aPerson({ name: 'Ada', roles: [{ organization: 'Acme', title: 'CEO' }] }),
    anInvestor({ portfolio: [{ name: 'Acme' }] }),
    anEvent(),
    aRound({ stage: 'seed', amount_usd: '1000000.00' }),
    ...Array.from({ length: RECORDS }, (_, index) => aCompany({ name: `Firm ${index} Ünïted` })),
  ]);
  await store.records.change({ action: 'delete', type: 'companies', target: 'firm-7-united', author: OPERATOR });
  await store.accounts.create('acme', 'api_access');
  ({ secret } = await store.keys.create({ account: 'acme', name: 'n', level: 'read', expires_at: null }));
  const key = await store.keys.find(secret);
  if (key !== undefined) await store.usage.take(key, null);
  await keepMany(store);
  await store.close();
});
beforeEach(async () => {
  from = await newSqlite();
  to = await newPostgres();
  const [source, copy] = [filled, from].map(({ url }) => url.replace('sqlite:', ''));
  for (const part of ['', '-counts']) copyFileSync(`${source}${part}`, `${copy}${part}`);
});

async function grant({ oauth }: Store, member: Member): Promise<string> {
  const verifier = 'x'.repeat(43);
  const redirectUri = 'http://127.0.0.1/callback';
  const code = await oauth.authorize({
    member,
    clientId: 'claude',
    client: { name: 'Claude', redirectUris: [redirectUri] },
    level: 'read',
    resource: 'https://bi.example.com/mcp',
    redirectUri,
    challenge: createHash('sha256').update(verifier).digest('base64url'),
    author: OPERATOR,
  });
  const shown = { code, clientId: 'claude', verifier, redirectUri, resource: undefined, author: OPERATOR };
  const tokens = await oauth.exchange(shown);
  return typeof tokens === 'string' ? tokens : tokens.accessToken;
}

let accessToken: string;
const BROWSER = { agent: 'test browser', address: null };
let token: string;

/** More rows of each table than are written one by one, with signs that lines of data must not be cut at. */
async function keepMany(store: Store): Promise<void> {
  // The last key is one that a person gave to a client.
  for (let count = 1; count < KEYS - 1; count += 1)
    await store.keys.create({ account: 'acme', name: `tab\t${count} \\ back`, level: 'read', expires_at: null });
  const invitation = { account: 'acme', role: 'owner', level: 'delete', lifeMs: 1_000_000, author: OPERATOR } as const;
  const author = { requestId: null, address: null };
  for (let count = 0; count < PEOPLE; count += 1) {
    const email = `person-${count}@example.com`;
    const invited = await store.invitations.create({ ...invitation, email });
    const person = await store.invitations.accept(invited.token, { email, hash: 'a\nb\\c', author });
    ({ token } = await store.sessions.begin(person.id, BROWSER));
    if (count === 0) accessToken = await grant(store, person);
  }
  const at = new Date();
  const request = {
    at,
    keyId: 1,
    method: 'GET',
    route: '/api/v1/search',
    status: 200,
    ms: 3,
    code: null,
    address: null,
  };
  await store.requests.add(Array.from({ length: 20 }, (_, index) => ({ ...request, requestId: `req_${index}` })));
}

const opened: Store[] = [];
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
});
async function open(url: string): Promise<Store> {
  const store = await openStore(url);
  opened.push(store);
  return store;
}

async function answersOf(store: Store): Promise<unknown> {
  const window = { offset: 0, limit: 20 };
  const texts = ['', 'acme', 'frim 12', 'united firm', 'ada ceo'];
  const found = [];
  for (const text of texts) found.push(await store.records.search({ types: RECORD_TYPES, text, window }));
  const key = await store.keys.find(secret);
  const members = [await store.members.list('acme'), await store.requests.list({ account: 'acme', limit: 5 })];
  return [found, key, key && (await store.usage.read(key)).today, await store.audit.list({ limit: 5 }), members];
}

describe('web3-bi migrate', () => {
  test('moves everything from SQLite to PostgreSQL, where it answers the same', async () => {
    const words = ['migrate', '--from', from.url, '--to', to.url];
    const { code, stdout, stderr } = await runProcess([...words, '--json']);
    expect([code, stderr]).toEqual([0, '']);
    const report = JSON.parse(stdout) as { isResumed: boolean; tables: Record<string, { rows: number }> };
    expect(report.isResumed).toBe(false);
    expect(report.tables).toMatchObject({
      companies: { rows: RECORDS + 1 },
      keys: { rows: KEYS },
      rounds: { rows: 1 },
    });
    expect(report.tables).toMatchObject({
      members: { rows: PEOPLE },
      sessions: { rows: PEOPLE },
      requests: { rows: 20 },
    });
    const target = await open(to.url);
    expect(await answersOf(target)).toEqual(await answersOf(await open(from.url)));
    expect(await target.sessions.use(token, BROWSER)).toMatchObject({ state: 'open' });
    expect(await target.keys.find(accessToken)).toMatchObject({
      name: 'Claude',
      audience: 'https://bi.example.com/mcp',
    });
    // Numbers go on behind those that were moved.
    const [made] = await target.records.putAll([aCompany({ name: 'Later' })]);
    expect(made?.id).toBe(RECORDS + 2);
    await target.accounts.create('later', 'none');
    const again = await runProcess(words);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('in use already')]);
  });

  test('refuses a target that holds records and nothing else', async () => {
    const target = await open(to.url);
    await target.records.putAll([aCompany({ name: 'Kept' })]);
    const refused = await runProcess(['migrate', '--from', from.url, '--to', to.url]);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('in use already')]);
    expect(
      (await target.records.search({ types: ['companies'], text: '', window: { offset: 0, limit: 5 } })).total,
    ).toBe(1);
  });

  // In the first table, and in a later one; a long run has more.
  test.each(isLong ? [1, 3, 8, 12] : [1, 12])('goes on where it was cut off, after %i batches', async (batches) => {
    const [source, target] = [await openEngine(from.url), await openEngine(to.url)];
    let left = batches;
    const cut = (): void => {
      left -= 1;
      if (left < 0) throw new Error('cut off');
    };
    await expect(transfer({ source, target, onProgress: cut })).rejects.toThrow('cut off');
    const report = await transfer({ source, target, onProgress: () => {} });
    await Promise.all([source.close(), target.close()]);
    expect(report.isResumed).toBe(true);
    expect(await answersOf(await open(to.url))).toEqual(await answersOf(await open(from.url)));
  });

  test('tells when the source has changed meanwhile', async () => {
    const [source, target] = [await openEngine(from.url), await openEngine(to.url)];
    let isChanged = false;
    const change = async (): Promise<void> => {
      isChanged = true;
      await from.execute("UPDATE accounts SET plan = 'enterprise'");
    };
    const moving = transfer({
      source,
      target,
      onProgress: ({ table }) => void (table === 'companies' && !isChanged && change()),
    });
    await expect(moving).rejects.toThrow('accounts differs: 1 rows');
    await Promise.all([source.close(), target.close()]);
  });

  test('knows every table of both engines', async () => {
    const moved = COPIED_TABLES.map(({ name }) => name).sort();
    const isMoved = (name: string): boolean =>
      !/search|^labels$|^label_values$|^sqlite_|^schema_version$|^record_(numbers|changes|facts)$|^quota_positions$/.test(
        name,
      );
    const sqlite = await from.tables();
    const postgres = await to.tables();
    expect(sqlite.filter(isMoved).sort()).toEqual(moved);
    expect(postgres.filter(isMoved).sort()).toEqual(moved);
  });
});
