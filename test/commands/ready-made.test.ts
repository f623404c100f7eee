import { copyFileSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { entityOf } from '../../src/contract/entities/index.ts';
import { showThrough } from '../../src/contract/entity.ts';
import { openStore } from '../../src/store/open.ts';
import { OPERATOR } from '../../src/store/port/audit.ts';
import { openSqlite } from '../../src/store/sqlite/driver.ts';
import { PROGRAM, runProgram, temporaryFolder } from '../support/program.ts';

const READY_MADE = join(dirname(PROGRAM), 'shipped.db');
const folder = temporaryFolder();
afterAll(() => folder.remove());

const settingsOf = (file: string): Record<string, string> => {
  const database = openSqlite(file, { readonly: true });
  const rows = database.prepare<[], { name: string; value: string }>('SELECT name, value FROM settings').all();
  database.close();
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
};

const isKnown = (value: unknown): boolean => value != null && !(Array.isArray(value) && value.length === 0);

/** What a new state folder holds after its first command. */
async function firstUse(name: string, ...words: string[]): Promise<{ file: string; stdout: string }> {
  const state = join(folder.path, name);
  const { code, stdout, stderr } = await runProgram(words, { WEB3_BI_STATE_DIR: state });
  expect([code, stderr.includes('web3-bi:')]).toEqual([0, false]);
  return { file: join(state, 'web3-bi.db'), stdout };
}

/** Fields of a company that the interface specification names: section 2.2 for keys, 2.4 for payments. */
const SPECIFIED = {
  keyed: `id name slug logo overview total_employees year_founded website tags location_json.city location_json.country`,
  paid: `id name slug logo tagline overview website company_stage funding_stage total_funding_usd founded_date employee_count
    is_verified`,
};

describe('the database that the build has filled', () => {
  test('knows every field of a company that the specification names', async () => {
    const copied = join(folder.path, 'fields.db');
    copyFileSync(READY_MADE, copied);
    const store = await openStore(`sqlite:${copied}`);
    const known = { keyed: new Set<string>(), paid: new Set<string>() };
    const { paid } = entityOf('companies');
    for await (const json of store.records.walk('companies')) {
      const record = JSON.parse(json) as Record<string, unknown>;
      const place = Object.entries((record['location_json'] ?? {}) as object);
      const fields = Object.fromEntries(place.map(([name, value]) => [`location_json.${name}`, value]));
      for (const [name, value] of Object.entries({ ...record, ...fields })) if (isKnown(value)) known.keyed.add(name);
      for (const [name, value] of Object.entries(paid === null ? {} : showThrough(paid, record)))
        if (isKnown(value)) known.paid.add(name);
    }
    await store.close();
    expect(SPECIFIED.keyed.split(/\s+/).filter((field) => !known.keyed.has(field))).toEqual([]);
    expect(SPECIFIED.paid.split(/\s+/).filter((field) => !known.paid.has(field))).toEqual([]);
  });

  test('has no secret, and each copy makes its own', async () => {
    const copied = join(folder.path, 'copied.db');
    copyFileSync(READY_MADE, copied);
    expect(Object.keys(settingsOf(copied))).toEqual(['filled_at', 'shipped_edition']);
    const files = [await firstUse('one', 'key', 'list'), await firstUse('two', 'key', 'list')].map(({ file }) => file);
    const peppers = files.map((file) => settingsOf(file)['key_pepper']);
    expect(new Set(peppers).size).toBe(2);
    expect(peppers).not.toContain(undefined);
    expect(files.map((file) => statSync(file).mode & 0o777)).toEqual([0o600, 0o600]);
  });

  test('is not derived again by a first start', async () => {
    const definitionsOf = (file: string): unknown[] => {
      const database = openSqlite(file, { readonly: true });
      const rows = database.prepare('SELECT name, value FROM search_definitions').all();
      database.close();
      return rows;
    };
    const { file } = await firstUse('derived', 'key', 'list');
    expect([definitionsOf(READY_MADE), definitionsOf(file)]).toEqual([
      [{ name: 'current', value: expect.stringContaining('"companies words"') }],
      definitionsOf(READY_MADE),
    ]);
  });

  test('replaces no database', async () => {
    const empty = join(folder.path, 'empty.db');
    await runProgram(['account', 'create', 'acme', '--data', 'none', '--database', `sqlite:${empty}`]);
    const { stdout } = await runProgram(['doctor', '--database', `sqlite:${empty}`]);
    expect(stdout).toContain('holds 0 records');
  });

  test('replaces no log of a database, and holds what filling one gives', async () => {
    mkdirSync(join(folder.path, 'lost'));
    writeFileSync(join(folder.path, 'lost', 'web3-bi.db-wal'), '');
    const words = ['search', 'defi', '--json', '--limit', '50'];
    // Not by the search, whose answer has thirty seconds: a busy machine takes longer.
    const filled = await firstUse('lost', 'key', 'list');
    // It was filled, and not copied.
    expect(settingsOf(filled.file)['filled_at']).not.toBe(settingsOf(READY_MADE)['filled_at']);
    const [found, copied] = [await firstUse('lost', ...words), await firstUse('three', ...words)].map(
      ({ stdout }) => JSON.parse(stdout) as { totalResults: number; results: { slug: string }[] },
    );
    expect(copied?.totalResults).toBeGreaterThan(50);
    expect(found?.totalResults).toBe(copied?.totalResults);
    expect(found?.results.map(({ slug }) => slug)).toEqual(copied?.results.map(({ slug }) => slug));
  });

  describe('of another build', () => {
    /** A copy whose shipped records are those of an edition; aave is outdated, and former-one not shipped any more. */
    async function copyOf(name: string, edition: string): Promise<string> {
      const file = join(folder.path, `${name}.db`);
      copyFileSync(READY_MADE, file);
      const store = await openStore(`sqlite:${file}`);
      await store.records.addShipped(() => [
        { type: 'companies', input: { name: 'Aave', slug: 'aave', tagline: 'Outdated' } },
        { type: 'companies', input: { name: 'Former One', slug: 'former-one' } },
      ]);
      await store.close();
      note(file, edition);
      return file;
    }

    function note(file: string, edition: string): void {
      const database = openSqlite(file);
      database.prepare("UPDATE settings SET value = ? WHERE name = 'shipped_edition'").run(edition);
      database.close();
    }

    const get = (slug: string, file: string) =>
      runProgram(['get', `companies/${slug}`, '--json', '--database', `sqlite:${file}`]);
    const taglineOf = async (slug: string, file: string) => JSON.parse((await get(slug, file)).stdout).tagline;

    test('is updated, except for what somebody has changed, added or deleted, and says so once', async () => {
      const file = await copyOf('older', 'older 0.0.9');
      const store = await openStore(`sqlite:${file}`);
      await store.records.upsertMany([
        { type: 'companies', input: { slug: 'uniswap', tagline: 'Edited' } },
        { type: 'companies', input: { name: 'Added', tagline: 'Mine' } },
      ]);
      await store.records.change({ action: 'delete', type: 'companies', target: 'compound', author: OPERATOR });
      await store.close();
      expect((await get('aave', file)).stderr).toMatch(
        /^Updated the shipped records of this database to version \S+: 0 created, 1 updated, 1 dropped\.\n$/,
      );
      expect((await get('aave', file)).stderr).toBe('');
      expect(await taglineOf('aave', file)).not.toBe('Outdated');
      expect([await taglineOf('uniswap', file), await taglineOf('added', file)]).toEqual(['Edited', 'Mine']);
      expect([(await get('former-one', file)).code, (await get('compound', file)).code]).toEqual([1, 1]);
    });

    test('is left alone if its version is newer', async () => {
      const file = await copyOf('newer', 'other 999.0.0');
      expect([await taglineOf('aave', file), (await get('aave', file)).stderr]).toEqual(['Outdated', '']);
    });

    test('gets no shipped records if it has none', async () => {
      const file = join(folder.path, 'none.db');
      const store = await openStore(`sqlite:${file}`);
      await store.records.fillOnce(() => [], { digest: 'older', version: '0.0.9' });
      await store.close();
      expect(await get('aave', file)).toMatchObject({ code: 1, stderr: expect.not.stringContaining('Updated') });
    });
  });
});
