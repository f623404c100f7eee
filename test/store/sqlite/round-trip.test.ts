import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RECORD_TYPES, type RecordType } from '../../../src/contract/entities/index.ts';
import { exportText } from '../../../src/store/export/export.ts';
import { FORMATS, type Format } from '../../../src/store/import/import-source.ts';
import { rowsOfFolder } from '../../../src/store/import/ndjson.ts';
import { openStore } from '../../../src/store/open.ts';
import type { Store } from '../../../src/store/store.ts';
import { aCompany, anInvestor, aRound } from '../../support/builders.ts';
import { importText } from '../../support/importing.ts';
import { isLong } from '../../support/length.ts';

const DATA = join(import.meta.dirname, '..', '..', '..', 'data');
const open: Store[] = [];
const opened = async (): Promise<Store> => {
  const store = await openStore('sqlite::memory:');
  open.push(store);
  return store;
};

/** A usual run carries every twentieth record, in the format with the most to lose; a long run the whole set, in each. */
const CARRIED: readonly Format[] = isLong ? FORMATS : ['csv'];
const STEP = isLong ? 1 : 20;

let shipped: Store;
beforeAll(async () => {
  shipped = await opened();
  await shipped.records.fillOnce(() => [...rowsOfFolder(DATA)].filter((_row, index) => index % STEP === 0));
});
afterAll(async () => {
  for (const store of open) await store.close();
});

async function exported({ records }: Store, type: RecordType, format: Format): Promise<string> {
  const pieces: string[] = [];
  for await (const piece of exportText(records, { type, format }, () => {})) pieces.push(piece);
  return pieces.join('');
}

describe('an export', () => {
  test.each(CARRIED)('as %s is exactly what an import takes, for the records of the shipped data', async (format) => {
    const copy = await opened();
    const texts = new Map<RecordType, string>();
    for (const type of RECORD_TYPES) {
      const text = await exported(shipped, type, format);
      const { updated, unchanged, failed, ignoredFields } = await importText(copy, type, text, { format });
      expect([type, updated, unchanged, failed, [...ignoredFields]]).toEqual([type, 0, 0, 0, []]);
      texts.set(type, text);
    }
    for (const type of RECORD_TYPES) expect(await exported(copy, type, format), type).toBe(texts.get(type));
  });

  test.each(FORMATS)('as %s keeps the name by which a source calls a record, when it comes back', async (format) => {
    const store = await opened();
    const portfolio = [{ name: 'XMTP (Ephemera)', slug: 'xmtp' }];
    await store.records.putAll([aCompany({ name: 'XMTP' }), anInvestor({ name: 'Acme Capital', portfolio })]);
    const text = await exported(store, 'investors', format);
    expect(await importText(store, 'investors', text, { format })).toMatchObject({ read: 1, unchanged: 1 });
  });

  test.each(FORMATS)('as %s keeps the former name of a company in its rounds, also elsewhere', async (format) => {
    const [store, copy] = [await opened(), await opened()];
    const company = { name: 'Former Labs', slug: 'present' };
    await store.records.putAll([
      aCompany({ name: 'Present', slug: 'present' }),
      aRound({ name: 'Present Seed', slug: 'present-seed', company }),
    ]);
    for (const type of ['companies', 'rounds'] as const)
      await importText(copy, type, await exported(store, type, format), { format });
    const round = await copy.records.get('rounds', 'present-seed');
    expect(JSON.parse(round?.json ?? '{}').company).toMatchObject(company);
  });
});
