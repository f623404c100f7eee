import { statSync } from 'node:fs';
import { entityOf, isNamedType, type NamedType, RECORD_TYPES, type RecordType } from '../contract/entities/index.ts';
import { importColumnsOf, SAMPLE_CSV } from '../contract/import-names.ts';
import { type Difference, differenceText } from '../store/import/differences.ts';
import { type ImportRequest, importRows } from '../store/import/import.ts';
import { type Format, type ImportSource, openFile, readSource, spool } from '../store/import/import-source.ts';
import { type ImportReport, type ImportWarning, placeText, unlinkedText } from '../store/import/report.ts';
import { createRowMatcher } from '../store/import/row-matching.ts';
import { OPERATOR } from '../store/port/audit.ts';
import { FOLLOWED_ROWS } from '../store/records/records.ts';
import type { Store } from '../store/store.ts';
import { lowerPriority } from '../store/thread-priority.ts';
import { type Command, type CommandGroup, DRY_RUN_FLAG, option } from './command.ts';
import { ConfigError, UsageError } from './config.ts';
import { withStore } from './configured-store.ts';
import { FORMAT_FLAG, formatOfName } from './file-formats.ts';
import { newImportId, undoCommand } from './import-undo.ts';
import { counted, printable, printJson, printTable, printText, printToStderr, shownCount } from './output.ts';
import { createProgress } from './progress.ts';
import { INTERRUPTED, interruptible } from './stop-signal.ts';
import { didYouMean } from './suggest.ts';

const STDIN = '-';

const importFileCommand: Command = {
  usage: 'import FILE --type TYPE',
  about:
    'Add or change records from a CSV, JSON or NDJSON file; - reads stdin. Invalid rows are reported, the others imported.',
  example: 'web3-bi import companies.csv --type companies',
  moreExamples: [undoCommand.example],
  flags: {
    type: option('TYPE', 'Kind of record.', { choices: RECORD_TYPES, required: true }),
    format: { ...FORMAT_FLAG, description: 'Format of the file; by default detected from its content and name.' },
    strict: { type: 'boolean', description: 'Write nothing if a row is invalid or a field is unknown.' },
    match: {
      type: 'boolean',
      description:
        'Match rows to records by domain, account or name instead of slug; uncertain matches are listed as duplicates.',
    },
    'dry-run': DRY_RUN_FLAG,
  },
  topics: {
    'Columns or keys; usual other names are understood, such as Categories': Object.fromEntries(
      RECORD_TYPES.map((type) => [type, importColumnsOf(type).join(', ')]),
    ),
    'In CSV, a list is separated by | (a comma or semicolon is part of a value)': { 'companies.csv': SAMPLE_CSV },
  },
  createsDatabase: true,
  run: async ({ settings, flags, positionals: [file] }) => {
    if (file === undefined) throw new UsageError(`import needs a FILE, such as: ${importFileCommand.example}`);
    if (file !== STDIN) checkFile(file);
    lowerPriority();
    const isStrict = flags['strict'] === true;
    const modes = { isStrict, isDryRun: flags['dry-run'] === true, isJson: flags['json'] === true };
    const formats = { given: flags['format'] as Format | undefined, named: formatOfName(file) };
    const type = flags['type'] as RecordType;
    const matched = flags['match'] === true ? matchedType(type) : undefined;
    const spooled = file === STDIN && isStrict ? await spool(process.stdin) : undefined;
    try {
      const job = { type, matched, ...formats, path: spooled?.path ?? file, ...modes, id: newImportId(new Date()) };
      // Rows are written without the search index of this machine, which would first have to be built.
      const serving = { index: { isFollower: false, waitMs: 0 } };
      return await withStore(settings, (store) => importFile(store, job), serving);
    } finally {
      spooled?.remove();
    }
  },
};

export const command: CommandGroup = {
  about: importFileCommand.about,
  actions: { undo: undoCommand },
  otherwise: importFileCommand,
};

function checkFile(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) throw new ConfigError(`There is no file ${file}.`);
  if (found.isDirectory()) throw new ConfigError(`${file} is a folder; import takes a file.`);
}

function matchedType(type: RecordType): NamedType {
  if (isNamedType(type)) return type;
  throw new UsageError(
    '--match is for records with names of their own; a round is always matched by its company, stage and day.',
  );
}

interface ImportFile {
  readonly type: RecordType;
  readonly matched: NamedType | undefined;
  readonly given: Format | undefined;
  readonly named: Format | undefined;
  readonly path: string;
  readonly isStrict: boolean;
  readonly isDryRun: boolean;
  readonly isJson: boolean;
  /** Request of its entries in the audit log. */
  readonly id: string;
}

/** A strict import runs as a dry run first, so that nothing is written if a row is invalid. */
const importFile = (store: Store, job: ImportFile): Promise<number> =>
  interruptible(['SIGINT'], async (signal) => {
    const isTried = job.isDryRun || job.isStrict;
    const trial = isTried ? await runImport(store, job, { isDryRun: true, signal }) : undefined;
    const isRefused = job.isStrict && trial !== undefined && (trial.failed > 0 || trial.ignoredFields.size > 0);
    const isDryRun = trial !== undefined && (job.isDryRun || isRefused || trial.isStopped);
    const report = isDryRun ? trial : await runImport(store, job, { isDryRun: false, signal });
    const isChanged = !isDryRun && report.created + report.updated > 0;
    summarize(report, { ...job, isDryRun, isRefused, id: isChanged ? job.id : null });
    if (isChanged && store.index !== undefined && report.read > FOLLOWED_ROWS) printToStderr(INDEXED_LATER);
    if (report.isStopped) return INTERRUPTED;
    return report.failed > 0 || isRefused ? 1 : 0;
  });

const INDEXED_LATER = 'Searches of running services have these rows in some seconds, or minutes at a million records.';

type RunOptions = Pick<ImportRequest, 'isDryRun' | 'signal'>;

async function runImport(store: Store, job: ImportFile, options: RunOptions): Promise<ImportReport> {
  const { type, path, matched } = job;
  const { records, compactIndex } = store;
  const isStdin = path === STDIN;
  const stream = isStdin ? process.stdin : openFile(path);
  try {
    const source = await readSource(stream, { type, format: job.given ?? job.named }, options.signal);
    checkFormat(source, job, options.signal);
    const { show, end } = createProgress(isStdin ? undefined : statSync(path).size);
    const onBatch = ({ read }: ImportReport): void => show(source.consumedBytes(), read);
    const matcher = matched && (await createRowMatcher(store, matched));
    const differencesMax = job.isJson ? DIFFERENCES_MAX : DIFFERENCES_SHOWN;
    const author = { ...OPERATOR, requestId: job.id };
    const comparesSites = matcher === undefined;
    const request = {
      records,
      compactIndex,
      type,
      source,
      matcher,
      comparesSites,
      isLive: isStdin,
      differencesMax,
      author,
    };
    return await importRows({ ...request, ...options, onBatch }).finally(end);
  } catch (cause) {
    const { code, syscall } = cause as NodeJS.ErrnoException;
    if (syscall === undefined) throw cause;
    throw new ConfigError(`${path} cannot be read (${code}).`, { cause });
  } finally {
    stream.destroy();
  }
}

/** Throws if the file is empty, which only NDJSON may be, or the format flag contradicts the content. A wrong file name is only reported. */
function checkFormat(
  { format, isEmpty }: ImportSource,
  { given, named, path }: ImportFile,
  signal?: AbortSignal,
): void {
  const file = path === STDIN ? 'stdin' : path;
  if (isEmpty && format !== 'ndjson' && signal?.aborted !== true)
    throw new ConfigError(
      `${file} is empty. The first line of CSV names its columns, and each further line is a record.`,
    );
  if (given !== undefined && given !== format) {
    const remedy = `leave --format out, or give --format ${format}`;
    throw new ConfigError(`${file} contains ${format}, not ${given}`, { remedy });
  }
  if (named !== undefined && given === undefined && named !== format)
    printToStderr(`${path} contains ${format} despite its name, and is read as that.`);
}

interface Outcome extends Pick<ImportFile, 'matched'> {
  readonly isDryRun: boolean;
  readonly isRefused: boolean;
  readonly isJson: boolean;
  /** The import, if it changed anything. */
  readonly id: string | null;
}

/** Prints the result of an import: one JSON document, or text, with errors on stderr. */
function summarize(report: ImportReport, outcome: Outcome): void {
  // Nothing of a rejected file was written, whatever the dry run counted.
  const { created, updated, unchanged } = outcome.isRefused ? NONE_WRITTEN : report;
  if (outcome.isJson) {
    const { type, read, failed, errors, moreErrors, isStopped } = report;
    const warnings = report.warnings.map(({ last: _, ...warning }) => warning);
    const rows = { type, read, created, updated, unchanged, failed, errors, moreErrors, warnings };
    const { isDryRun: dryRun, isRefused: refused } = outcome;
    printJson({
      ...rows,
      matches: report.matches,
      ignoredFields: [...report.ignoredFields],
      ...(type === 'rounds' && {
        unlinked: { companies: [...report.unlinked.companies], investors: [...report.unlinked.investors] },
      }),
      dryRun,
      ...(dryRun && { changes: report.differences, moreChanges: report.moreDifferences }),
      refused,
      interrupted: isStopped,
      import: outcome.id,
    });
    return;
  }
  if (report.read === 0 && !report.isStopped) printToStderr(NO_ROWS);
  printFaults(report);
  report.warnings.forEach(printWarning);
  const unlinked = unlinkedText(report);
  if (unlinked !== '')
    printToStderr(`Kept as names, because no record, or several, have them: ${printable(unlinked)}.`);
  printMatches(report, outcome);
  if (outcome.isDryRun && !outcome.isRefused) printDifferences(report);
  printText(outcome.isRefused ? REFUSED : countsOf(report, outcome.isDryRun));
  if (outcome.id !== null) printText(`To undo: web3-bi import undo ${outcome.id}`);
  if (report.isStopped) printToStderr('Interrupted. Run the same command again to complete the import.');
}

const NO_ROWS = 'There are no rows. The first line of CSV names its columns, and each further line is a record.';
const REFUSED = 'Nothing is written, because --strict allows no invalid row and no unknown field.';

function countsOf({ read, created, updated, unchanged, failed }: ImportReport, isDryRun: boolean): string {
  const begin = isDryRun ? 'Nothing is written. Of' : 'Of';
  const would = isDryRun ? 'would be ' : '';
  const [made, changed, same, bad] = [created, updated, unchanged, failed].map(shownCount);
  return `${begin} ${counted(read, 'rows')}, ${made} ${would}created, ${changed} ${would}updated, ${same} unchanged, ${bad} failed.`;
}

/** Changed records of a dry run that are shown, and those that JSON has. */
const DIFFERENCES_SHOWN = 20;
const DIFFERENCES_MAX = 10_000;

function printDifferences({ differences, moreDifferences: more }: ImportReport): void {
  if (differences.length === 0) return;
  printTable([['LINE', 'CHANGE', 'RECORD', 'FIELD', 'NOW', 'THEN'], ...differences.flatMap(cellsOf)]);
  if (more > 0) printText(`and ${counted(more, 'more rows')}; --json has up to ${shownCount(DIFFERENCES_MAX)} of them`);
}

function cellsOf({ line, change, record, fields }: Difference): string[][] {
  const start = [String(line), change, record];
  const made = fields.map(({ name, after }) => `${name} ${differenceText(after)}`).join('; ');
  return change === 'created'
    ? [[...start, '-', '-', made]]
    : fields.map(({ name, ...states }, index) => [
        ...(index === 0 ? start : ['', '', '']),
        ...[name, differenceText(states.before) || '-', differenceText(states.after) || '-'],
      ]);
}

const NONE_WRITTEN = { created: 0, updated: 0, unchanged: 0 };

/** How often equal errors are printed with their lines, so that they do not hide others. */
const SAME_SHOWN = 3;
const NAMES_SHOWN = 10;

function printFaults({ type, errors, moreErrors, errorCounts, ignoredFields }: ImportReport): void {
  const shown = new Map<string, number>();
  for (const { message, ...row } of errors) {
    const times = (shown.get(message) ?? 0) + 1;
    shown.set(message, times);
    if (times <= SAME_SHOWN) printToStderr(`${placeText(row)}: ${message}`);
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

function printWarning({ field, value, message, meant, others, rows, ...row }: ImportWarning): void {
  const suggestion = meant === undefined ? '' : ` Did you mean ${meant}?`;
  const also = others.length === 0 ? '' : ` Also ${others.map((other) => `"${printable(other)}"`).join(', ')}.`;
  const more = rows === 1 ? '' : ` The same in ${counted(rows - 1, 'more rows')}.`;
  printToStderr(`${placeText(row)}: ${field} "${printable(value)}" ${message}.${suggestion}${also}${more}`);
}

const MATCHES_SHOWN = 20;
const DECIDED = 'web3-bi duplicates lists what to decide';

function printMatches({ matches }: ImportReport, { matched, isDryRun }: Outcome): void {
  for (const { slug, rule, ...row } of matches.joined.slice(0, MATCHES_SHOWN))
    printToStderr(`${placeText(row)}: is ${slug}, by ${rule}`);
  const outcome = isDryRun ? 'would be imported' : 'imported';
  for (const { slug, rule, ...row } of matches.doubtful.slice(0, MATCHES_SHOWN))
    printToStderr(`${placeText(row)}: may be ${slug} (${rule}); ${outcome} separately`);
  const { joined, doubtful } = matches.counts;
  const byRule = Object.entries(joined).map(([rule, count]) => `${count} by ${rule}`);
  const doubts = Object.entries(doubtful).map(([rule, count]) => `${count} (${rule})`);
  if (byRule.length + doubts.length === 0 && matched) printToStderr('No row matches an existing record.');
  if (byRule.length > 0) printToStderr(`Joined to records: ${byRule.join(', ')}.`);
  const remedy = matched ? DECIDED : 'to change the record instead, give the row its slug';
  if (doubts.length > 0) printToStderr(`Uncertain: ${doubts.join(', ')}; ${remedy}.`);
}

function ignoredLine(type: RecordType, names: readonly string[]): string {
  const more = names.length > NAMES_SHOWN ? ` and ${names.length - NAMES_SHOWN} more` : '';
  const fields = Object.keys(entityOf(type).record.shape);
  const suggestions = names.map((name) => {
    const longer = fields.find((field) => field.endsWith(`_${name}`));
    return longer === undefined ? didYouMean(name, fields) : ` Did you mean ${longer}?`;
  });
  const meant = suggestions.find((text) => text !== '');
  return `Ignored, because ${type} have no such field or value: ${names.slice(0, NAMES_SHOWN).join(', ')}${more}${meant === undefined ? '' : `.${meant}`}`;
}
