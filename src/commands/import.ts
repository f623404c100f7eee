import { statSync } from 'node:fs';
import { entityOf, isNamedType, RECORD_TYPES, type RecordType } from '../contract/entities/index.ts';
import { importColumnsOf, SAMPLE_CSV } from '../contract/import-names.ts';
import { counted, countText, joinTexts } from '../contract/value-text.ts';
import { labelOf } from '../contract/vocabulary.ts';
import { type Difference, differenceText, LOSES_SOURCE } from '../store/import/differences.ts';
import { type ImportRequest, importRows } from '../store/import/import.ts';
import { type Format, type ImportSource, openFile, readSource, spool } from '../store/import/import-source.ts';
import { ADDED, type Decisions, isJoined, LEFT_OUT, type Proposal, UNSURE_CHOICES } from '../store/import/proposals.ts';
import type { RowPlace } from '../store/import/read-json.ts';
import { type ImportReport, type ImportWarning, NO_ROWS, placeText, unlinkedText } from '../store/import/report.ts';
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
import { printable, printJson, printTable, printText, printToStderr } from './output.ts';
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
      description: 'Compare rows with the records of the type even if there are more than 200,000.',
    },
    unsure: option(
      'CHOICE',
      'What becomes of rows that may be about a record; by default, rounds are left out, and others added and listed as duplicates.',
      { choices: UNSURE_CHOICES },
    ),
    choose: option(
      'LINE=CHOICE,...',
      'What becomes of single rows that are or may be about a record: add, leave-out or join:SLUG; for a round also add:COMPANY.',
    ),
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
    const decisions = {
      comparesAll: flags['match'] === true,
      unsure: flags['unsure'] as ImportFile['decisions']['unsure'],
      choices: readChoices(flags['choose'] as string | undefined),
    };
    const spooled = file === STDIN && isStrict ? await spool(process.stdin) : undefined;
    try {
      const job = { type, decisions, ...formats, path: spooled?.path ?? file, ...modes, id: newImportId(new Date()) };
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

/** The choices by line, or by line and number of the record as in `1.7`. */
function readChoices(text: string | undefined): ReadonlyMap<string, string> {
  const parts = text === undefined ? [] : text.split(',').map((part) => part.trim().split('='));
  if (parts.some(([place = '', choice = '']) => !/^\d+(\.\d+)?$/.test(place) || choice === ''))
    throw new UsageError('--choose takes lines with choices, such as 12=add,14=leave-out,15=join:acme.');
  return new Map(parts.map(([place = '', choice = '']) => [place, choice]));
}

interface ImportFile {
  readonly type: RecordType;
  readonly decisions: Pick<Decisions, 'unsure'> & {
    readonly comparesAll: boolean;
    readonly choices: ReadonlyMap<string, string>;
  };
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
  const { type, path, decisions } = job;
  const { records, compactIndex } = store;
  const isStdin = path === STDIN;
  const stream = isStdin ? process.stdin : openFile(path);
  try {
    const source = await readSource(stream, { type, format: job.given ?? job.named }, options.signal);
    checkFormat(source, job, options.signal);
    const { show, end } = createProgress(isStdin ? undefined : statSync(path).size);
    const onBatch = ({ read }: ImportReport): void => show(source.consumedBytes(), read);
    const open = new Map(decisions.choices);
    const chosen = ({ line, record }: RowPlace): string | undefined => {
      const place = record === undefined ? String(line) : `${line}.${record}`;
      open.delete(place);
      return decisions.choices.get(place);
    };
    const matcher = await createRowMatcher(store, type, { ...decisions, chosen });
    const differencesMax = job.isJson ? DIFFERENCES_MAX : DIFFERENCES_SHOWN;
    const author = { ...OPERATOR, requestId: job.id };
    const request = { records, compactIndex, type, source, matcher, isLive: isStdin, differencesMax, author };
    const report = await importRows({ ...request, ...options, onBatch }).finally(end);
    for (const place of open.keys()) printToStderr(`line ${place}: there is nothing to choose`);
    return report;
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
    printToStderr(`${printable(path)} contains ${format} despite its name, and is read as that.`);
}

interface Outcome {
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
    const { type, read, failed, leftOut, errors, moreErrors, isStopped } = report;
    const warnings = report.warnings.map(({ last: _, ...warning }) => warning);
    const rows = { type, read, created, updated, unchanged, failed, leftOut, errors, moreErrors, warnings };
    const { isDryRun: dryRun, isRefused: refused } = outcome;
    printJson({
      ...rows,
      matches: {
        joined: report.matches.joined.map(matchOf),
        doubtful: report.matches.doubtful.map(matchOf),
        counts: report.matches.counts,
      },
      compared: report.isCompared,
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
  printMatches(report);
  if (outcome.isDryRun && !outcome.isRefused) printDifferences(report);
  printText(outcome.isRefused ? REFUSED : countsOf(report, outcome.isDryRun));
  if (outcome.id !== null) printText(`To undo: web3-bi import undo ${outcome.id}`);
  if (report.isStopped) printToStderr('Interrupted. Run the same command again to complete the import.');
}

const REFUSED = 'Nothing is written, because --strict allows no invalid row and no unknown field.';

/** A row and its likeliest record, in JSON. */
const matchOf = ({ line, record, choice, options }: Proposal) => ({
  ...{ line, ...(record !== undefined && { record }) },
  ...{ slug: options[0]?.slug, rule: options[0]?.rule, choice, options: options.map((option) => option.choice) },
});

function countsOf({ read, created, updated, unchanged, failed, leftOut }: ImportReport, isDryRun: boolean): string {
  const begin = isDryRun ? 'Nothing is written. Of' : 'Of';
  const would = isDryRun ? 'would be ' : '';
  const left = leftOut === 0 ? '' : `, ${countText(leftOut)} left out`;
  const [made, changed, same, bad] = [created, updated, unchanged, failed].map(countText);
  return `${begin} ${counted(read, 'rows')}, ${made} ${would}created, ${changed} ${would}updated, ${same} unchanged, ${bad} failed${left}.`;
}

/** Changed records of a dry run that are shown, and those that JSON has. */
const DIFFERENCES_SHOWN = 20;
const DIFFERENCES_MAX = 10_000;

function printDifferences({ differences, moreDifferences: more }: ImportReport): void {
  if (differences.length === 0) return;
  printTable([['LINE', 'CHANGE', 'RECORD', 'FIELD', 'NOW', 'THEN'], ...differences.flatMap(cellsOf)]);
  if (more > 0) printText(`and ${counted(more, 'more rows')}; --json has up to ${countText(DIFFERENCES_MAX)} of them`);
}

function cellsOf({ line, change, record, fields }: Difference): string[][] {
  const start = [String(line), change, record];
  const made = fields.map(({ name, after }) => `${labelOf(name)} ${differenceText(name, after)}`).join('; ');
  return change === 'created'
    ? [[...start, '-', '-', made]]
    : fields.map(({ name, before, after, isUncited }, index) => [
        ...(index === 0 ? start : ['', '', '']),
        ...[labelOf(name), differenceText(name, before) || '-'],
        `${differenceText(name, after) || '-'}${isUncited ? ` (${LOSES_SOURCE})` : ''}`,
      ]);
}

const NONE_WRITTEN = { created: 0, updated: 0, unchanged: 0 };

/** How often equal errors are printed with their lines, so that they do not hide others. */
const SAME_SHOWN = 3;
const NAMES_SHOWN = 10;

function printFaults({ type, errors, moreErrors, errorCounts, ignoredFields }: ImportReport): void {
  const shown = new Map<string, number>();
  for (const { message, name, value, ...row } of errors) {
    const times = (shown.get(message) ?? 0) + 1;
    shown.set(message, times);
    const stated = joinTexts(', ', value && `"${printable(value)}"`, name && name !== value && `of ${printable(name)}`);
    if (times <= SAME_SHOWN) printToStderr(`${placeText(row)}: ${printable(message)}${stated && ` (${stated})`}`);
  }
  let others = errors.length + moreErrors;
  for (const message of shown.keys()) {
    const count = errorCounts.get(message) ?? 0;
    others -= count;
    if (count > SAME_SHOWN) printToStderr(`and in ${counted(count - SAME_SHOWN, 'more rows')}: ${printable(message)}`);
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

/** What is to be decided first, then what joined a record; the counts by rule are of all rows. */
function printMatches({ type, matches, isCompared }: ImportReport): void {
  if (!isCompared) printToStderr(`Compared by slug, id and name only: there are many ${type}. --match compares more.`);
  for (const row of matches.doubtful.slice(0, MATCHES_SHOWN))
    printToStderr(`${placeText(row)}: ${printable(optionText(row))}`);
  const doubts = Object.entries(matches.counts.doubtful).map(([rule, count]) => `${count} (${rule})`);
  const more = matches.doubtful.length - MATCHES_SHOWN;
  if (more > 0) printToStderr(`and ${counted(more, 'more rows')}; --json has the first 200`);
  if (doubts.length > 0)
    printToStderr(`Uncertain: ${doubts.join(', ')}${isNamedType(type) ? DECIDED : ''}; ${CHOOSE}.`);
  for (const row of matches.joined.slice(0, MATCHES_SHOWN))
    printToStderr(`${placeText(row)}: ${printable(optionText(row))}`);
  const byRule = Object.entries(matches.counts.joined).map(([rule, count]) => `${count} by ${rule}`);
  const where = matches.joined.some(({ options: [first] }) => first?.isOfFile) ? ', or in earlier rows' : '';
  if (byRule.length > 0) printToStderr(`On record${where}: ${byRule.join(', ')}; ${CHOOSE}.`);
}

const DECIDED = '; web3-bi duplicates lists what to decide';
const CHOOSE = 'to choose otherwise, --choose LINE=CHOICE';

/** What the likeliest record of a row is, why, and what becomes of the row. */
function optionText({ options: [first], choice, isSure, isChosen }: Proposal): string {
  if (first === undefined) return '';
  const { slug, rule, detail, isOfFile } = first;
  const becomes = choice === first.choice ? (isJoined(choice) ? 'joined' : 'added to it') : (BECOMES[choice] ?? choice);
  const record = isJoined(first.choice) ? slug : `a round of ${slug}`;
  const is = isOfFile ? `${isSure ? 'repeats' : 'may repeat'} an earlier row,` : isSure ? 'is' : 'may be';
  return `${is} ${record} (${[rule, detail].filter(Boolean).join(', ')}); ${becomes}${isChosen ? ', as chosen' : ''}`;
}

const BECOMES: Readonly<Record<string, string>> = { [ADDED]: 'added apart', [LEFT_OUT]: 'left out' };

function ignoredLine(type: RecordType, names: readonly string[]): string {
  const more = names.length > NAMES_SHOWN ? ` and ${names.length - NAMES_SHOWN} more` : '';
  const fields = Object.keys(entityOf(type).record.shape);
  // A part of a field is named after it.
  const others = names.filter(
    (name) => !fields.some((field) => /^[. ]/.test(name.slice(field.length)) && name.startsWith(field)),
  );
  const suggestions = others.map((name) => {
    const longer = fields.find((field) => field.endsWith(`_${name}`));
    return longer === undefined ? didYouMean(name, fields) : ` Did you mean ${longer}?`;
  });
  const meant = suggestions.find((text) => text !== '');
  return `Ignored, because ${type} have no such field or value: ${names.slice(0, NAMES_SHOWN).join(', ')}${more}${meant === undefined ? '' : `.${meant}`}`;
}
