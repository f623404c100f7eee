import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Client } from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { RECORD_TYPES } from '../../src/contract/entities/index.ts';
import { applyChanges } from '../../src/store/index-replication/apply-changes.ts';
import { originOf } from '../../src/store/index-replication/follower.ts';
import { createIndexFile, indexSchema } from '../../src/store/index-replication/index-file.ts';
import { openStore } from '../../src/store/open.ts';
import { OPERATOR } from '../../src/store/port/audit.ts';
import { openSource } from '../../src/store/postgres/change-source.ts';
import { FOLLOWED_ROWS } from '../../src/store/records/records.ts';
import { openSqlite, type Sqlite } from '../../src/store/sqlite/driver.ts';
import { aCompany, anEvent, anInvestor, aPerson, aRound } from '../support/builders.ts';
import type { TestDatabase } from '../support/databases.ts';
import { isLong } from '../support/length.ts';
import {
  answersOf,
  ask,
  createRandom,
  isReady,
  newFolder,
  newKey,
  newMachine,
  open,
  post,
  rebuiltAnswers,
  rowsOf,
  serve,
  totalOf,
  until,
} from '../support/machines.ts';
import { runProcess } from '../support/program.ts';

const window = { offset: 0, limit: 50 };
const WRITES = isLong ? 25 : 8;
const STEPS = isLong ? 150 : 75;

describe('two machines on one PostgreSQL', () => {
  test('a key finds on one what it wrote on the other, each time, and another key with X-At-Least', async () => {
    const { database, store } = await newMachine();
    const [one, other] = await Promise.all([
      serve(database.url, newFolder()),
      serve(database.url, newFolder(), { WEB3_BI_WORKERS: '2' }),
    ]);
    const [key, stranger] = [await newKey(store), await newKey(store, 'read')];
    for (let count = 1; count <= WRITES; count += 1) {
      const written = await post(one, key, { name: `Written ${count}` });
      expect(written.status).toBe(201);
      const change = written.headers.get('x-change') ?? '';
      const path = 'search?type=companies&query=written&limit=1';
      expect(await totalOf(ask(other, path, key))).toBe(count);
      expect(await totalOf(ask(other, path, stranger, { 'X-At-Least': change }))).toBe(count);
      expect(await totalOf(ask(other, 'companies?limit=1', stranger, { 'X-At-Least': change }))).toBe(count);
    }
    const refused = await ask(other, 'search?type=all', stranger, { 'X-At-Least': 'soon' });
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { errors: [{ location: 'header.X-At-Least' }] },
    ]);
    expect(await totalOf(ask(other, 'search?type=all', stranger, { 'X-At-Least': '999999' }))).toBe('503 5');
    await until(() => isReady(other), 200);
    // Each of its processes hears of a change by itself.
    const lag = async (): Promise<number> => {
      const ready = (await (await fetch(`${other.url}/readyz`)).json()) as { indexLagChanges: number };
      return ready.indexLagChanges;
    };
    await until(lag, 0);
    expect(await (await fetch(`${other.url}/metrics`)).text()).toMatch(/^web3_bi_index_lag_seconds \d/m);
  });
});

describe('the index of a machine', () => {
  test('is made anew when it is deleted under a running service, which goes on', async () => {
    const { database, store, state } = await newMachine();
    await store.records.putAll(rowsOf(20));
    const service = await serve(database.url, state);
    const key = await newKey(store);
    const count = (): Promise<number | string> => totalOf(ask(service, 'search?type=companies&query=firm', key));
    await until(count, 20);
    rmSync(join(state, 'index'), { recursive: true });
    expect(await count()).toBe(20);
    expect((await post(service, key, { name: 'Firm of later' })).status).toBe(201);
    await until(count, 21);
    await until(async () => filesOf(state).length, 1);
    expect((await post(service, key, { name: 'Firm of last' })).status).toBe(201);
    await until(count, 22);
  });

  test('is made anew when it is broken, or not ours', async () => {
    const { database, store, state } = await newMachine();
    await store.records.putAll(rowsOf(20));
    const index = { folder: join(state, 'index') };
    const first = await open(database.url, index);
    const answers = await answersOf(first);
    await first.close();
    for (const content of ['no database', readFileSync(onlyFile(state)).fill(7, 5_000, 60_000)]) {
      writeFileSync(onlyFile(state), content);
      const again = await openStore(database.url, undefined, { index });
      expect(await answersOf(again)).toEqual(answers);
      await again.close();
    }
  });

  test('is followed by another process when the one that did is killed', async () => {
    const { database, store, state } = await newMachine();
    const first = await serve(database.url, state);
    const key = await newKey(store);
    const path = 'search?type=companies&query=firm';
    await until(() => totalOf(ask(first, path, key)), 0);
    const second = await serve(database.url, state);
    await store.records.putAll(rowsOf(3));
    await until(() => totalOf(ask(second, path, key)), 3);
    await first.stop('SIGKILL');
    await store.records.putAll(rowsOf(3, 3));
    await until(() => totalOf(ask(second, path, key)), 6);
  });

  test('is made anew when the log no longer has what it has seen last', async () => {
    const { database, store, state } = await newMachine();
    await store.records.putAll(rowsOf(5));
    const index = { folder: join(state, 'index') };
    for (const sql of [
      'DELETE FROM record_changes WHERE seq < (SELECT max(seq) FROM record_changes)',
      // As in a database that was restored, and written to since.
      "UPDATE record_changes SET at = at + interval '1 second'",
      'DELETE FROM record_changes',
    ]) {
      const away = await openStore(database.url, undefined, { index });
      await answersOf(away);
      await away.close();
      // No index follows these changes; only the log has them.
      await store.records.change({ action: 'create', type: 'companies', input: { name: 'Firm X' }, author: OPERATOR });
      await store.records.putAll([aCompany({ name: 'Firm Y' })]);
      await database.execute(sql);
      const back = await openStore(database.url, undefined, { index });
      expect(await answersOf(back)).toEqual(await rebuiltAnswers(database.url));
      await back.close();
    }
  });

  test('of an instance that was away has everything before the instance is ready', async () => {
    const { database, store, state } = await newMachine();
    const key = await newKey(store);
    const first = await serve(database.url, state);
    await until(() => isReady(first), 200);
    await first.stop();
    for (let batch = 0; batch < 5; batch += 1) await store.records.putAll(rowsOf(200, 200 * batch));
    const again = await serve(database.url, state);
    await until(() => isReady(again), 200);
    expect(await totalOf(ask(again, 'search?type=companies&query=firm', key))).toBe(1_000);
  });

  test('of a new machine begins from a snapshot of another one, and follows from there', async () => {
    const { database, store, state } = await newMachine();
    await store.records.putAll(rowsOf(30));
    const first = await serve(database.url, state);
    const key = await newKey(store);
    await until(() => totalOf(ask(first, 'search?type=companies&query=firm', key)), 30);
    const file = join(newFolder(), 'snapshot.db');
    const words = ['--database', database.url, '--state-dir', state];
    const copied = await runProcess(['index', 'snapshot', file, ...words]);
    expect([copied.code, copied.stdout]).toEqual([0, expect.stringContaining('is a verified copy: 30 companies')]);
    const shown = JSON.parse((await runProcess(['index', '--json', ...words])).stdout) as Record<string, unknown>;
    expect(shown).toMatchObject({ file: onlyFile(state), position: shown['newest'] });
    // What the log does not tell of is only in a copy.
    const beside = openSqlite(file);
    beside.exec("UPDATE companies SET document = replace(document, 'Firm 7', 'From a copy')");
    beside.close();
    await store.records.putAll(rowsOf(5, 30));
    const newcomer = await serve(database.url, newFolder(), { WEB3_BI_INDEX_SNAPSHOT: file });
    await until(() => isReady(newcomer), 200);
    expect(await totalOf(ask(newcomer, 'search?type=companies&query=firm', key))).toBe(35);
    expect(await (await ask(newcomer, 'companies?limit=50&sort=name', key)).text()).toContain('From a copy');
    // Another instance gives one too, to machines of its database alone.
    const third = await serve(database.url, newFolder(), { WEB3_BI_INDEX_SNAPSHOT: newcomer.url });
    await until(() => isReady(third), 200);
    expect((await (await ask(third, 'companies?limit=50&sort=name', key)).text()).includes('From a copy')).toBe(true);
    for (const headers of [{}, { Authorization: `Bearer ${key}` }, { Authorization: `Bearer ${Date.now()}.x` }])
      expect((await fetch(`${newcomer.url}/index-snapshot`, { headers })).status).toBe(404);
    const headers = { Authorization: `Bearer ${await ticketOf(database)}` };
    const statuses = [];
    for (const method of ['HEAD', 'GET']) {
      const { status, body } = await fetch(`${newcomer.url}/index-snapshot`, { method, headers });
      await body?.cancel();
      statuses.push(status);
    }
    expect(statuses).toEqual([404, 200]);
    // One that is of no use is passed over.
    writeFileSync(file, 'no index');
    const other = await serve(database.url, newFolder(), { WEB3_BI_INDEX_SNAPSHOT: file });
    await until(() => isReady(other), 200);
    expect(await (await ask(other, 'companies?limit=50&sort=name', key)).text()).not.toContain('From a copy');
  });

  test('is not built for an import, which writes without it', async () => {
    const { database, store, state } = await newMachine();
    await store.records.putAll(rowsOf(30));
    const file = join(newFolder(), 'companies.csv');
    const words = ['--type', 'companies', '--json', '--data', 'none', '--database', database.url, '--state-dir', state];
    const imported = async (from: number, count: number) => {
      const names = Array.from({ length: count }, (_, row) => `Imported ${from + row}`);
      writeFileSync(file, ['name', ...names, ''].join('\n'));
      const { code, stdout, stderr } = await runProcess(['import', file, ...words]);
      return [code, JSON.parse(stdout).created, stderr];
    };
    expect(await imported(0, 1)).toEqual([0, 1, '']);
    const [code, created, stderr] = await imported(1, FOLLOWED_ROWS + 1);
    expect([code, created]).toEqual([0, FOLLOWED_ROWS + 1]);
    expect(stderr).toContain('Searches of running services have these rows in some seconds, or minutes');
    expect(filesOf(state)).toEqual([]);
  });

  test('whose snapshot never ends lets the service stop, and ends the searches that wait', async () => {
    const { database } = await newMachine();
    let asked = 0;
    const stuck = createServer((_request, response) => {
      asked += 1;
      response.write('SQLite format 3');
    });
    onTestFinished(() => void stuck.close());
    await once(stuck.listen(0, '127.0.0.1'), 'listening');
    const peer = `http://127.0.0.1:${(stuck.address() as AddressInfo).port}`;
    const folder = newFolder();
    const store = await openStore(database.url, undefined, { index: { folder, snapshot: peer } });
    const early = store.records.search({ types: RECORD_TYPES, text: 'firm', window }).catch(({ code }) => code);
    await until(async () => asked, 1);
    await store.close();
    expect(await early).toBe('unavailable');
    expect(readdirSync(folder, { recursive: true }).filter((name) => String(name).endsWith('.db'))).toEqual([]);
  });

  test('that was followed is the one that is built anew, after any changes', async () => {
    const { database, store, state } = await newMachine();
    const random = createRandom(2026);
    const followed = await open(database.url, { folder: join(state, 'index') });
    const name = (): string => `${random.pick(['Acme', 'Firm', 'Ada', 'Capital'])} ${random.below(12)}`;
    const builders = {
      companies: () => aCompany({ name: name(), tags: [random.pick(['DeFi', 'NFT'])] }),
      people: () => aPerson({ name: name(), roles: [{ organization: name(), title: 'CEO' }] }),
      investors: () => anInvestor({ name: name(), portfolio: [{ name: name() }, { name: name() }] }),
      events: () => anEvent({ name: name() }),
      rounds: () => aRound({ name: name(), company: name(), amount_usd: '1000000.00', stage: 'seed' }),
    };
    for (let step = 0; step < STEPS; step += 1) {
      const type = random.pick(RECORD_TYPES);
      const action = random.pick(['create', 'create', 'merge', 'delete', 'restore', 'import'] as const);
      const target = String(1 + random.below(15));
      const row = builders[type]();
      const work =
        action === 'import'
          ? store.records.upsertMany([row, builders[type]()])
          : store.records.change({
              action,
              type,
              author: OPERATOR,
              ...(action === 'create' ? {} : { target }),
              ...(action === 'create' || action === 'merge' ? { input: row.input } : {}),
            });
      // What is not there cannot be changed, and what is there not be restored.
      await work.catch(() => {});
      if (step % 10 === 0) await followed.records.search({ types: RECORD_TYPES, text: name(), window });
    }
    await store.records.dropShipped();
    // As at the end of an import.
    await store.compactIndex();
    expect(await answersOf(followed)).toEqual(await rebuiltAnswers(database.url));
  });

  test('has what a key writes at once, and a large import when that has ended', async () => {
    const { database, store, state } = await newMachine();
    const source = openSource(database.url);
    onTestFinished(() => source.close());
    const schema = indexSchema();
    const index = createIndexFile(join(state, 'index.db'), await originOf(source, schema), schema);
    onTestFinished(() => index.close());
    // Without a transaction, each statement would write its pages.
    index.database.exec('BEGIN');
    const totals = () => {
      const searches = ['firm', 'written'].map((text) => ({ types: ['companies'], text, window }) as const);
      return searches.map((search) => index.runProgram(index.model.index.find(search)).total);
    };
    const imported = FOLLOWED_ROWS + 50;
    await store.records.upsertMany(rowsOf(imported));
    const { input } = aCompany({ name: 'Written' });
    await store.records.change({ action: 'create', type: 'companies', author: OPERATOR, input });
    const followed = [];
    do followed.push(await source.runner.snapshot(applyChanges(source, index)));
    while (followed.at(-1) === 'behind');
    expect(followed).toEqual(['batch']);
    expect(totals()).toEqual([0, 1]);
    while (index.runProgram(index.model.index.compact()));
    expect(totals()).toEqual([imported, 1]);
  });

  test('is built in bulk where much is left to do, also where a process was killed at it, and is the one built anew', async () => {
    const { database, store, state } = await newMachine();
    const folder = join(state, 'index');
    const openIndex = () => openStore(database.url, undefined, { index: { folder } });
    const one = await openIndex();
    await store.records.upsertMany(rowsOf(82 * 50));
    await until(async () => (await one.records.search({ types: ['companies'], text: '', window })).total, 82 * 50);
    const unbuilt = tablesOf(state);
    const firms = (from: number, count: number) =>
      Array.from({ length: count }, (_, index) => ({ name: `Firm ${from + index}` }));
    const investors = Array.from({ length: 82 }, (_, index) =>
      anInvestor({ name: `Capital ${index}`, portfolio: [...firms(50 * index, 50), ...firms(10 * index, 10)] }),
    );
    await store.records.upsertMany(investors);
    await until(async () => tablesOf(state) !== unbuilt, true);
    const rebuilt = await rebuiltAnswers(database.url);
    expect(await answersOf(one)).toEqual(rebuilt);
    await one.close();

    const killed = tablesOf(state);
    inIndex(state, (file) => {
      file.prepare("INSERT INTO search_definitions VALUES ('build', ?)").run('{"id":"killed","at":0}');
      // Many were deleted meanwhile.
      file.exec("INSERT INTO search_pending SELECT 'companies', id + 1000000, 'changed' FROM companies");
    });
    const next = await open(database.url, { folder });
    expect(await answersOf(next)).toEqual(rebuilt);
    await until(async () => tablesOf(state) !== killed, true);
    expect(await answersOf(next)).toEqual(rebuilt);
  });
});

/** The tables of companies for searches in the index file of a machine, which a build in bulk replaces. */
const tablesOf = (state: string): string =>
  inIndex(
    state,
    (file) =>
      file
        .prepare<[], string>(
          "SELECT group_concat(name || rootpage) FROM sqlite_schema WHERE tbl_name LIKE 'companies_search_%'",
        )
        .pluck()
        .get() ?? '',
  );

function inIndex<Result>(state: string, work: (file: Sqlite) => Result): Result {
  const file = openSqlite(onlyFile(state));
  try {
    return work(file);
  } finally {
    file.close();
  }
}

/** What a machine of the database shows for a copy, made now. */
async function ticketOf({ url }: TestDatabase): Promise<string> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query("SELECT value FROM settings WHERE name = 'key_pepper'");
  await client.end();
  const at = Date.now();
  return `${at}.${createHmac('sha256', rows[0].value).update(`index snapshot ${at}`).digest('base64url')}`;
}

/** The index files of a machine. */
function filesOf(state: string): string[] {
  const root = join(state, 'index');
  mkdirSync(root, { recursive: true });
  return readdirSync(root, { recursive: true })
    .map(String)
    .filter((file) => file.endsWith('.db'))
    .map((file) => join(root, file));
}

function onlyFile(state: string): string {
  const [file, ...others] = filesOf(state);
  expect(others).toEqual([]);
  return file ?? '';
}
