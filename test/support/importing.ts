import { Readable } from 'node:stream';
import type { RecordType } from '../../src/contract/entities/index.ts';
import { importRows } from '../../src/store/import/import.ts';
import { type Format, readSource } from '../../src/store/import/import-source.ts';
import type { Decisions } from '../../src/store/import/proposals.ts';
import type { ImportReport } from '../../src/store/import/report.ts';
import { createRowMatcher } from '../../src/store/import/row-matching.ts';
import { OPERATOR } from '../../src/store/port/audit.ts';
import type { Store } from '../../src/store/store.ts';

/** Imports a text in small chunks, like a file of `web3-bi import`. */
export async function importText(
  store: Store,
  type: RecordType,
  text: string,
  {
    format,
    isDryRun = false,
    requestId = null,
    ...decisions
  }: { format?: Format; isDryRun?: boolean; requestId?: string | null } & Decisions = {},
): Promise<ImportReport> {
  const { signal } = new AbortController();
  const pieces = text.match(/[\s\S]{1,1000}/g) ?? [];
  const source = await readSource(Readable.from(pieces), { type, format }, signal);
  const matcher = await createRowMatcher(store, type, decisions);
  const { records, compactIndex } = store;
  const author = { ...OPERATOR, requestId };
  const way = { isDryRun, differencesMax: 3, signal, onBatch: () => {} };
  return importRows({ records, compactIndex, type, source, matcher, author, ...way });
}

/** NDJSON text. */
export const ndjson = (...rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
