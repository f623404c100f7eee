import { entityOf, type RecordType } from '../../contract/entities/index.ts';
import { groupBy } from '../../contract/group-by.ts';
import type { ImportUndo, Records, UndoneRecord } from '../port/records.ts';

export interface UndoSummary {
  readonly counts: Readonly<Record<UndoneRecord['change'], number>>;
  /** The first records of those that stay as they are or keep a field; of a dry run, of all that remain. */
  readonly listed: readonly UndoneRecord[];
  /** How many more there are. */
  readonly moreRecords: number;
  /** How many records of a type keep the name of a deleted one without a link. */
  readonly namedBy: Readonly<Partial<Record<RecordType, number>>>;
}

/** Undoes an import, and returns undefined if no record was changed by one with this ID. */
export async function undoAndSummarize(
  { undoImport }: Pick<Records, 'undoImport'>,
  undo: ImportUndo,
  listedMax: number,
): Promise<UndoSummary | undefined> {
  const counts = { deleted: 0, restored: 0, left: 0, gone: 0, unchanged: 0 };
  const listed: UndoneRecord[] = [];
  let moreRecords = 0;
  const naming = new Set<string>();
  const deleted: string[] = [];
  for await (const undone of undoImport(undo)) {
    const { type, slug, change, left, namedBy = [] } = undone;
    counts[change] += 1;
    if (change === 'deleted') deleted.push(`${type}/${slug}`);
    for (const record of namedBy) naming.add(record);
    if (change === 'unchanged' || change === 'gone' || !(undo.isDryRun || left.length > 0 || change === 'left'))
      continue;
    if (listed.length < listedMax) listed.push(undone);
    else moreRecords += 1;
  }
  for (const record of deleted) naming.delete(record);
  const byType = groupBy([...naming], (record) => record.split('/')[0] as RecordType);
  const namedBy = Object.fromEntries([...byType].map(([type, records]) => [type, records.length]));
  const isKnown = Object.values(counts).some((count) => count > 0);
  return isKnown ? { counts, listed, moreRecords, namedBy } : undefined;
}

/** The records that keep the name of a deleted one without a link, such as `1 round, 2 people`; empty for none. */
export const namedByText = ({ namedBy }: UndoSummary): string =>
  Object.entries(namedBy)
    .map(([type, count]) => `${count} ${count === 1 ? entityOf(type as RecordType).noun : type}`)
    .join(', ');
