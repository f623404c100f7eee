import { randomBytes } from 'node:crypto';
import { counted, countText } from '../contract/value-text.ts';
import { labelOf } from '../contract/vocabulary.ts';
import { namedByText, undoAndSummarize } from '../store/import/undo-summary.ts';
import { OPERATOR } from '../store/port/audit.ts';
import type { UndoneRecord } from '../store/port/records.ts';
import { type Command, DRY_RUN_FLAG } from './command.ts';
import { ConfigError, UsageError } from './config.ts';
import { withStore } from './configured-store.ts';
import { printJson, printTable, printText } from './output.ts';

/** An identifier that says when the import began. */
export const newImportId = (now: Date): string =>
  `import-${now.toISOString().slice(0, 19).replace(/\D/g, '')}-${randomBytes(3).toString('hex')}`;

/** Records that are listed in text and in JSON: of a dry run all, otherwise those with what stays. */
const SHOWN = 20;
const LISTED_MAX = 10_000;

export const undoCommand: Command = {
  usage: 'import undo ID',
  about:
    'Undo an import: records that it created are deleted, and fields that it changed are set back. What was changed since stays, and is listed.',
  example: 'web3-bi import undo import-20261127140312-3f9a2c',
  flags: { 'dry-run': DRY_RUN_FLAG },
  run: ({ settings, flags, positionals: [id] }) => {
    if (id === undefined)
      throw new UsageError('Which import? Give its ID; web3-bi audit has it in the column REQUEST of an import.');
    return withStore(settings, async ({ records }) => {
      const isDryRun = flags['dry-run'] === true;
      const undo = { requestId: id, isDryRun, author: { ...OPERATOR, requestId: id } };
      const done = await undoAndSummarize(records, undo, flags['json'] === true ? LISTED_MAX : SHOWN);
      if (done === undefined)
        throw new ConfigError('No record was changed by an import with this ID', {
          remedy: 'web3-bi audit has it in the column REQUEST',
        });
      const { counts, listed, moreRecords, namedBy } = done;
      if (flags['json'] === true)
        printJson({ import: id, dryRun: isDryRun, ...counts, records: listed, moreRecords, namedBy });
      else {
        if (listed.length > 0) printTable([HEADING, ...listed.map(cellsOf)]);
        if (moreRecords > 0)
          printText(`and ${counted(moreRecords, 'more records')}; --json has up to ${countText(LISTED_MAX)}`);
        printText(countsText(counts, isDryRun));
        const named = namedByText(done);
        if (named !== '') printText(`Records that keep the name of a deleted one, without a link: ${named}.`);
      }
    });
  },
};

function countsText(counts: Record<UndoneRecord['change'], number>, isDryRun: boolean): string {
  const [begin, would] = isDryRun ? ['Nothing is written. ', 'would be '] : ['', ''];
  const { deleted, restored, left, gone, unchanged } = counts;
  const parts: readonly (readonly [number, string])[] = [
    [deleted, `${would}deleted`],
    [restored, `${would}set back`],
    [left, 'left alone'],
    [gone, 'deleted or merged before'],
    [unchanged, 'unchanged'],
  ];
  const texts = parts.filter(([count]) => count > 0).map(([count, what]) => `${countText(count)} ${what}`);
  return `${begin}Of the records of the import, ${texts.join(', ')}.`;
}

const HEADING = ['RECORD', 'UNDO', 'FIELDS SET BACK', 'CHANGED SINCE'];

const cellsOf = ({ type, slug, change, restored, left }: UndoneRecord): string[] => [
  `${type}/${slug}`,
  change,
  restored.map(labelOf).join(', ') || '-',
  left.map(labelOf).join(', ') || (change === 'left' ? 'the record' : '-'),
];
