import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RecordType } from '../../src/contract/entities/index.ts';
import { undoAndSummarize } from '../../src/store/import/undo-summary.ts';
import { openStore } from '../../src/store/open.ts';
import { OPERATOR } from '../../src/store/port/audit.ts';
import type { UndoneRecord } from '../../src/store/port/records.ts';
import type { Store } from '../../src/store/store.ts';
import { aCompany } from '../support/builders.ts';
import { engine } from '../support/databases.ts';
import { importText, ndjson } from '../support/importing.ts';

let store: Store;
let seconds = 0;
/** Each change has a time of its own. */
const clock = (): Date => {
  seconds += 1;
  return new Date(Date.UTC(2026, 10, 21) + seconds * 1_000);
};
beforeEach(async () => {
  const { url } = await engine.newDatabase();
  store = await openStore(url, clock);
});
afterEach(() => store.close());

const get = async (type: RecordType, slug: string) => {
  const kept = await store.records.get(type, slug);
  return kept && JSON.parse(kept.json);
};
const importAs = (requestId: string, type: RecordType, ...rows: object[]) =>
  importText(store, type, ndjson(...rows), { requestId });
const undo = async (requestId: string, isDryRun = false): Promise<UndoneRecord[]> => {
  const undone: UndoneRecord[] = [];
  const author = { ...OPERATOR, requestId };
  for await (const record of store.records.undoImport({ requestId, author, isDryRun })) undone.push(record);
  return undone;
};
const change = (target: string, input: object) =>
  store.records.change({ action: 'merge', type: 'companies', target, input, author: OPERATOR });
const exported = async (): Promise<string[]> => {
  const all: string[] = [];
  for await (const json of store.records.walk('companies')) {
    const { updated_at: _, ...document } = JSON.parse(json);
    all.push(JSON.stringify(document));
  }
  return all;
};

describe('the undo of an import', () => {
  test('leaves every record as it was before, in more than one part', async () => {
    const sources = [{ source: 'https://one.example', as_of: '2026-10-01', fields: ['tagline', 'overview'] }];
    const old = { tagline: 'First', overview: 'Long', sources };
    await store.records.putAll(Array.from({ length: 150 }, (_, index) => aCompany({ name: `Old ${index}`, ...old })));
    const before = await exported();
    const rows = Array.from({ length: 300 }, (_, index) => ({
      name: index % 2 === 0 ? `Old ${index / 2}` : `New ${index}`,
      tagline: `Line ${index}`,
      aliases: [`A${index}`],
      investors: ['Example Capital'],
    }));
    expect(await importAs('one', 'companies', ...rows)).toMatchObject({ created: 150, updated: 150 });
    const tried = await undo('one', true);
    expect(tried.filter(({ change: kind }) => kind === 'deleted')).toHaveLength(150);
    expect(await get('companies', 'new-1')).toBeDefined();
    expect(await undo('one')).toEqual(tried);
    expect(await exported()).toEqual(before);
    expect((await undo('one')).every(({ change: kind }) => ['gone', 'unchanged'].includes(kind))).toBe(true);
  });

  test('leaves alone and names what was changed since, in a field or in a new record', async () => {
    await importAs('zero', 'companies', { name: 'Acme', tagline: 'First', overview: 'Long', website: 'acme.example' });
    await importAs('one', 'companies', { name: 'Acme', tagline: 'Second', overview: 'Longer' }, { name: 'Kept' });
    await change('acme', { tagline: 'Third' });
    await change('kept', { tagline: 'Mine' });
    expect(await undo('one')).toEqual([
      { type: 'companies', slug: 'kept', name: 'Kept', change: 'left', restored: [], left: [] },
      { type: 'companies', slug: 'acme', name: 'Acme', change: 'restored', restored: ['overview'], left: ['tagline'] },
    ]);
    expect(await get('companies', 'acme')).toMatchObject({ tagline: 'Third', overview: 'Long' });
    expect(await get('companies', 'kept')).toMatchObject({ tagline: 'Mine' });
  });

  test('gives fields back to the sources that stated them, whatever else was edited since', async () => {
    const named = { source: 'https://one.example', as_of: '2026-10-01' };
    const other = { source: 'https://other.example', as_of: null, fields: ['website'] };
    const sources = [{ ...named, fields: ['tagline', 'overview'] }, other];
    await store.records.putAll([aCompany({ name: 'Acme', tagline: 'First', overview: 'Long', sources })]);
    await importAs('one', 'companies', { name: 'Acme', tagline: 'Second', website: 'https://acme.example' });
    expect(await get('companies', 'acme')).toMatchObject({ sources: [{ ...named, fields: ['overview'] }] });
    await change('acme', { overview: 'Mine' });
    expect(await undo('one')).toMatchObject([{ restored: expect.arrayContaining(['tagline', 'sources']), left: [] }]);
    const restored = [{ ...named, fields: ['tagline'] }, other];
    expect(await get('companies', 'acme')).toMatchObject({ tagline: 'First', overview: 'Mine', sources: restored });
  });

  test('of several imports, the last one first, deletes what the first one made; and a record that is restored comes back', async () => {
    await importAs('one', 'companies', { name: 'Acme', tagline: 'First' });
    await importAs('two', 'companies', { name: 'Acme', tagline: 'Second' }, { slug: 'acme', tagline: 'Third' });
    expect(await undo('two')).toMatchObject([{ change: 'restored', restored: ['tagline'] }]);
    expect(await get('companies', 'acme')).toMatchObject({ tagline: 'First' });
    expect(await undo('one')).toMatchObject([{ slug: 'acme', change: 'deleted' }]);
    expect(await get('companies', 'acme')).toBeUndefined();
    await store.records.change({ action: 'restore', type: 'companies', target: 'acme', author: OPERATOR });
    expect(await get('companies', 'acme')).toMatchObject({ tagline: 'First' });
    expect((await store.audit.list({ limit: 2 })).map(({ action }) => action)).toEqual(['restore', 'import.undo']);
  });

  test('takes rounds out of the figures that follow them, and no record for a changed one that was linked', async () => {
    await importAs('one', 'companies', { name: 'Acme', total_funding_usd: 5_000_000, investors: ['Example Capital'] });
    await importAs('two', 'investors', { name: 'Example Capital' });
    const round = { company: 'Acme', stage: 'seed', announced_date: '2024-05-01', amount_usd: 3_000_000 };
    await importAs('three', 'rounds', { ...round, lead_investors: ['Example Capital'] });
    expect(await get('companies', 'acme')).toMatchObject({ known_rounds: 1, total_funding_usd: '3000000.00' });
    expect(await undo('three')).toMatchObject([{ type: 'rounds', change: 'deleted' }]);
    expect(await get('companies', 'acme')).toMatchObject({ known_rounds: null });
    expect(await undo('two')).toMatchObject([{ type: 'investors', change: 'deleted' }]);
    expect(await undo('one')).toMatchObject([{ change: 'deleted' }]);
  });

  test('says which records keep the name of a deleted one without a link', async () => {
    await importAs('one', 'companies', { name: 'Acme' }, { name: 'Other' });
    await importAs('two', 'people', { name: 'Ada', roles: ['Acme', 'Other'] }, { name: 'Bob', roles: ['Acme'] });
    await importAs('three', 'rounds', { company: 'Acme', stage: 'seed', announced_date: '2024-05-01' });
    await store.records.change({ action: 'delete', type: 'people', target: 'bob', author: OPERATOR });
    const undone = async (isDryRun: boolean) =>
      undoAndSummarize(store.records, { requestId: 'one', author: OPERATOR, isDryRun }, 0);
    const tried = await undone(true);
    expect(tried?.namedBy).toEqual({ people: 1, rounds: 1 });
    expect(await undone(false)).toEqual({ ...tried, moreRecords: 0 });
    expect(await get('people', 'ada')).toMatchObject({
      roles: [{ organization: 'Acme', organization_slug: null }, {}],
    });
    expect(await undone(false)).toMatchObject({ counts: { gone: 2 }, namedBy: {} });
  });

  test('lets sources change fields again that nobody had edited before the import', async () => {
    await store.records.putAll([aCompany({ name: 'Acme', tagline: 'First' }), aCompany({ name: 'Edited' })]);
    await change('edited', { tagline: 'Mine' });
    await importAs('one', 'companies', { name: 'Acme', tagline: 'x' }, { name: 'Edited', tagline: 'x' });
    await undo('one');
    const sourcesOf = async (slug: string) =>
      (await store.claims.of('companies', slug))?.fields.find(({ field }) => field === 'tagline')?.sources;
    expect(await sourcesOf('acme')).toBeUndefined();
    expect(await sourcesOf('edited')).toMatchObject([{ source: 'edit', value: 'Mine' }]);
  });

  test('of no import does nothing', async () => {
    await importAs('one', 'companies', { name: 'Acme' });
    expect(await undo('other')).toEqual([]);
    expect(await get('companies', 'acme')).toBeDefined();
  });
});
