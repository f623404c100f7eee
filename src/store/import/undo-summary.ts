import type { ImportUndo, Records, UndoneRecord } from '../port/records.ts';

export interface UndoSummary {
  readonly counts: Readonly<Record<UndoneRecord['change'], number>>;
  /** The first records of those that stay as they are or keep a field; of a dry run, of all. */
  readonly listed: readonly UndoneRecord[];
  /** How many more there are. */
  readonly moreRecords: number;
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
  for await (const undone of undoImport(undo)) {
    const { change, left } = undone;
    counts[change] += 1;
    if (change === 'unchanged' || !(undo.isDryRun || left.length > 0 || change === 'left')) continue;
    if (listed.length < listedMax) listed.push(undone);
    else moreRecords += 1;
  }
  const isKnown = Object.values(counts).some((count) => count > 0);
  return isKnown ? { counts, listed, moreRecords } : undefined;
}
