import type { RecordType } from '../contract/entities/index.ts';
import type { RowInput, Upserted } from '../store/port/records.ts';
import type { Store } from '../store/store.ts';
import { shownCount } from './output.ts';
import { createStageProgress } from './progress.ts';
import { packNames, packRows, shippedEdition, shippedRows } from './shipped-data.ts';

/** Updates the shipped records, but those changed, added or deleted since; undefined if they are up to date. */
export async function updateShippedData({ records }: Pick<Store, 'records'>): Promise<string | undefined> {
  const edition = shippedEdition();
  if (edition === undefined) return undefined;
  const { rows, isKept, end } = shippedUpdate();
  const done = await records.updateShipped(rows, edition, isKept).finally(end);
  if (done === undefined) return undefined;
  const { unchanged: _, ...changes } = countChanges(done.upserted, done.dropped);
  return `Updated the shipped records of this database to version ${edition.version}: ${changesText(changes)}.`;
}

/** The shipped rows with progress, and which records an update keeps: those of the rows, and of packs. */
export function shippedUpdate() {
  const progress = createStageProgress();
  const keys = new Set<string>();
  const rows = (): Iterable<RowInput> => {
    const shipped = [...shippedRows()];
    for (const { type, input } of [...shipped, ...packNames().flatMap((name) => [...packRows(name)])])
      keys.add(`${type} ${input.slug}`);
    return countedRows(shipped, progress);
  };
  const isKept = (type: RecordType, slug: string): boolean => keys.has(`${type} ${slug}`);
  return { rows, isKept, end: progress.end };
}

export function* countedRows(
  rows: readonly RowInput[],
  { show }: ReturnType<typeof createStageProgress>,
): Iterable<RowInput> {
  for (const [index, row] of rows.entries()) {
    const done = index + 1;
    show(`${shownCount(done)} of ${shownCount(rows.length)} records`, done, rows.length);
    yield row;
  }
}

export function countChanges(upserted: readonly Upserted[], dropped?: number) {
  const counts = { created: 0, updated: 0, unchanged: 0 };
  for (const { change } of upserted) counts[change] += 1;
  return { ...counts, ...(dropped !== undefined && { dropped }) };
}

export const changesText = (changes: Readonly<Record<string, number>>): string =>
  Object.entries(changes)
    .map(([what, count]) => `${shownCount(count)} ${what}`)
    .join(', ');
