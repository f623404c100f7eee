import type { ImportReport } from '../store/import/report.ts';
import { print, printJson, tell } from './output.ts';

interface Ending {
  readonly isDryRun: boolean;
  /** Whether --strict refused the file. */
  readonly isRefused: boolean;
  readonly isJson: boolean;
}

/** Tells what an import did: as one JSON document, or in words, with what went wrong on stderr. */
export function summarize(report: ImportReport, ending: Ending): void {
  // Of a refused file nothing is written, whatever the trial found.
  const { created, updated, unchanged } = ending.isRefused ? NOTHING : report;
  if (ending.isJson) {
    const { type, read, failed, errors, moreErrors, isStopped } = report;
    const rows = { type, read, created, updated, unchanged, failed, errors, moreErrors };
    const { isDryRun: dryRun, isRefused: refused } = ending;
    printJson({ ...rows, ignoredFields: [...report.ignoredFields], dryRun, refused, interrupted: isStopped });
    return;
  }
  tellFaults(report);
  print(ending.isRefused ? REFUSED : countsOf(report, ending.isDryRun));
  if (report.isStopped) tell('Interrupted. Run the same command again to complete the import.');
}

const REFUSED = 'Nothing is written, because --strict takes no bad row and no unknown field.';

function countsOf({ read, created, updated, unchanged, failed }: ImportReport, isDryRun: boolean): string {
  const begin = isDryRun ? 'Nothing is written. Of' : 'Of';
  const would = isDryRun ? 'would be ' : '';
  return `${begin} ${read} rows, ${created} ${would}created, ${updated} ${would}updated, ${unchanged} unchanged, ${failed} failed.`;
}

const NOTHING = { created: 0, updated: 0, unchanged: 0 };

function tellFaults({ type, errors, moreErrors, ignoredFields }: ImportReport): void {
  for (const { line, message } of errors) tell(`line ${line}: ${message}`);
  if (moreErrors > 0) tell(`and ${moreErrors} more errors`);
  if (ignoredFields.size === 0) return;
  tell(`Ignored, because ${type} have no such field: ${[...ignoredFields].map(harmless).join(', ')}`);
}

/** A name from a file must not steer the terminal. */
const harmless = (name: string): string => name.replace(/\p{Cc}/gu, '?');
