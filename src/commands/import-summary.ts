import type { ImportReport } from '../store/import/report.ts';
import { counted, print, printable, printJson, printToStderr } from './output.ts';

interface SummaryOptions {
  readonly isDryRun: boolean;
  /** Whether --strict rejected the file. */
  readonly isRefused: boolean;
  readonly isJson: boolean;
}

/** Prints the result of an import: one JSON document, or text, with errors on stderr. */
export function summarize(report: ImportReport, ending: SummaryOptions): void {
  // Nothing of a rejected file was written, whatever the dry run counted.
  const { created, updated, unchanged } = ending.isRefused ? NONE_WRITTEN : report;
  if (ending.isJson) {
    const { type, read, failed, errors, moreErrors, isStopped } = report;
    const rows = { type, read, created, updated, unchanged, failed, errors, moreErrors };
    const { isDryRun: dryRun, isRefused: refused } = ending;
    printJson({
      ...rows,
      ...(report.matches && { matches: report.matches }),
      ignoredFields: [...report.ignoredFields],
      dryRun,
      refused,
      interrupted: isStopped,
    });
    return;
  }
  printFaults(report);
  printMatches(report);
  print(ending.isRefused ? REFUSED : countsOf(report, ending.isDryRun));
  if (report.isStopped) printToStderr('Interrupted. Run the same command again to complete the import.');
}

const REFUSED = 'Nothing is written, because --strict takes no bad row and no unknown field.';

function countsOf({ read, created, updated, unchanged, failed }: ImportReport, isDryRun: boolean): string {
  const begin = isDryRun ? 'Nothing is written. Of' : 'Of';
  const would = isDryRun ? 'would be ' : '';
  return `${begin} ${counted(read, 'rows')}, ${created} ${would}created, ${updated} ${would}updated, ${unchanged} unchanged, ${failed} failed.`;
}

const NONE_WRITTEN = { created: 0, updated: 0, unchanged: 0 };

/** How often equal errors are printed with their lines, so that they do not hide others. */
const SAME_SHOWN = 3;
const NAMES_SHOWN = 10;

function printFaults({ type, errors, moreErrors, errorCounts, ignoredFields }: ImportReport): void {
  const shown = new Map<string, number>();
  for (const { line, message } of errors) {
    const times = (shown.get(message) ?? 0) + 1;
    shown.set(message, times);
    if (times <= SAME_SHOWN) printToStderr(`line ${line}: ${message}`);
  }
  let others = errors.length + moreErrors;
  for (const message of shown.keys()) {
    const count = errorCounts.get(message) ?? 0;
    others -= count;
    if (count > SAME_SHOWN) printToStderr(`and in ${counted(count - SAME_SHOWN, 'more rows')}: ${message}`);
  }
  if (others > 0) printToStderr(`and ${counted(others, 'other errors')}`);
  if (ignoredFields.size > 0) printToStderr(ignoredLine(type, [...ignoredFields].map(printable)));
}

const MATCHES_SHOWN = 20;

function printMatches({ matches }: ImportReport): void {
  if (matches === undefined) return;
  for (const { line, slug, rule } of matches.joined.slice(0, MATCHES_SHOWN))
    printToStderr(`line ${line}: is ${slug}, by ${rule}`);
  for (const { line, slug, rule } of matches.doubtful.slice(0, MATCHES_SHOWN))
    printToStderr(`line ${line}: may be ${slug} (${rule}); imported separately`);
  const { joined, doubtful } = matches.counts;
  const byRule = Object.entries(joined).map(([rule, count]) => `${count} by ${rule}`);
  const doubts = Object.entries(doubtful).map(([rule, count]) => `${count} (${rule})`);
  if (byRule.length + doubts.length === 0) printToStderr('No row matches an existing record.');
  if (byRule.length > 0) printToStderr(`Joined to records: ${byRule.join(', ')}.`);
  if (doubts.length > 0) printToStderr(`Doubtful: ${doubts.join(', ')}; web3-bi duplicates lists what to decide.`);
}

function ignoredLine(type: string, names: readonly string[]): string {
  const more = names.length > NAMES_SHOWN ? ` and ${names.length - NAMES_SHOWN} more` : '';
  return `Ignored, because ${type} have no such field: ${names.slice(0, NAMES_SHOWN).join(', ')}${more}`;
}
