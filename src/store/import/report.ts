import { isNamedType, type RecordType } from '../../contract/entities/index.ts';
import type { UnlinkedNames } from '../port/records.ts';
import type { Difference } from './differences.ts';
import { ADDED, LEFT_OUT, type Proposal } from './proposals.ts';
import type { RowPlace } from './read-json.ts';

export interface RowError extends RowPlace {
  /** Field of the record; null for the whole row. */
  readonly field: string | null;
  readonly message: string;
  /** The name of the row's record, and the field's text or number, if the row states them. */
  readonly name?: string;
  readonly value?: string;
}

/** A value that is stored otherwise than its author may expect. */
export interface DoubtfulValue {
  readonly field: string;
  readonly value: string;
  /** What is the matter, after the value. */
  readonly message: string;
  readonly meant?: () => string | undefined;
}

/** Takes the name of an ignored column or part, or a doubtful value. */
export type Note = (noted: string | DoubtfulValue) => unknown;

/** Doubtful values of one field with one message: the first, a few others, and how many rows have one. */
export interface ImportWarning extends RowPlace, Omit<DoubtfulValue, 'meant'> {
  readonly meant?: string;
  readonly others: string[];
  rows: number;
  /** The last row. */
  last: RowPlace;
}

export interface ImportReport {
  readonly type: RecordType;
  read: number;
  created: number;
  updated: number;
  unchanged: number;
  failed: number;
  /** Rows that were chosen not to be imported, or may be about a record and nobody chose what becomes of them. */
  leftOut: number;
  /** The first errors; `moreErrors` counts the others. */
  readonly errors: RowError[];
  moreErrors: number;
  readonly errorCounts: Map<string, number>;
  /** Names of the columns of a CSV file, once a row is read. */
  columns?: readonly string[];
  readonly ignoredFields: Set<string>;
  readonly warnings: ImportWarning[];
  /** Names in rounds that no record has, up to a bound. */
  readonly unlinked: Readonly<Record<keyof UnlinkedNames, Set<string>>>;
  /** Whether rows were compared with the records of the type, which are too many otherwise. */
  isCompared: boolean;
  /** Rows that match, or may match, a record. */
  readonly matches: MatchReport;
  /** The first changes of a dry run, as many as were asked for. */
  readonly differences: Difference[];
  moreDifferences: number;
  isStopped: boolean;
}

interface MatchReport {
  /** The first rows that are certainly, and that are possibly, about a record; the counts by rule are complete. */
  readonly joined: Proposal[];
  readonly doubtful: Proposal[];
  readonly counts: Readonly<Record<'joined' | 'doubtful', Record<string, number>>>;
  /** How many of all rows are undecided. */
  undecided: number;
}

const MATCHES_MAX = 200;

/** Whether nobody chose for a doubtful row, so that it becomes a record of its own, or as a round is left out. */
export const isUndecided = (type: RecordType, { isSure, isChosen, choice }: Omit<Proposal, 'options'>): boolean =>
  !isSure && !isChosen && choice === (isNamedType(type) ? ADDED : LEFT_OUT);

export function addMatch({ type, matches }: ImportReport, proposal: Proposal): void {
  if (isUndecided(type, proposal)) matches.undecided += 1;
  const kind = proposal.isSure ? 'joined' : 'doubtful';
  if (matches[kind].length < MATCHES_MAX) matches[kind].push(proposal);
  const rule = proposal.options[0]?.rule ?? '';
  matches.counts[kind][rule] = (matches.counts[kind][rule] ?? 0) + 1;
}

/** What is said of content without rows. */
export const NO_ROWS = 'There are no rows. The first line of CSV names its columns, and each further line is a record.';

const ERRORS_MAX = 100;
const MESSAGES_MAX = 1_000;
const IGNORED_MAX = 1_000;
/** Longer names are data in place of a header; longer values are shortened. */
const NAME_LENGTH_MAX = 60;

export function newReport(type: RecordType): ImportReport {
  const counts = { read: 0, created: 0, updated: 0, unchanged: 0, failed: 0, leftOut: 0, moreErrors: 0 };
  return {
    type,
    ...counts,
    errors: [],
    errorCounts: new Map(),
    ignoredFields: new Set(),
    warnings: [],
    unlinked: { companies: new Set(), investors: new Set() },
    isCompared: false,
    matches: { joined: [], doubtful: [], counts: { joined: {}, doubtful: {} }, undecided: 0 },
    differences: [],
    moreDifferences: 0,
    isStopped: false,
  };
}

export function addError(
  report: ImportReport,
  error: RowError,
  stated: Readonly<Partial<Record<'name' | 'value', unknown>>> = {},
): void {
  if (report.errors.length < ERRORS_MAX) report.errors.push({ ...error, ...textsOf(stated) });
  else report.moreErrors += 1;
  const { errorCounts } = report;
  const times = errorCounts.get(error.message);
  if (times !== undefined || errorCounts.size < MESSAGES_MAX) errorCounts.set(error.message, (times ?? 0) + 1);
}

const textsOf = (stated: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(stated)
      .filter(([, value]) => typeof value === 'number' || (typeof value === 'string' && value !== ''))
      .map(([key, value]) => [key, shortened(String(value))]),
  );

export function addIgnored({ ignoredFields }: ImportReport, name: string): void {
  if (ignoredFields.size < IGNORED_MAX) ignoredFields.add(shortened(name));
}

/** How many other values a warning names. */
const OTHERS_MAX = 5;

export function addWarning({ warnings }: ImportReport, doubtful: DoubtfulValue, row: RowPlace): void {
  const { field, message, meant } = doubtful;
  const value = shortened(doubtful.value);
  const same = warnings.find((warning) => warning.field === field && warning.message === message);
  if (same === undefined) {
    const suggestion = meant?.();
    const first = { field, message, value, ...rowPlace(row), ...(suggestion && { meant: suggestion }) };
    warnings.push({ ...first, others: [], rows: 1, last: row });
    return;
  }
  const isNew = value !== same.value && !same.others.includes(value);
  if (isNew && same.others.length < OTHERS_MAX) same.others.push(value);
  if (same.last !== row) Object.assign(same, { rows: same.rows + 1, last: row });
}

export const placeText = ({ line, record }: RowPlace): string =>
  `line ${line}${record === undefined ? '' : `, record ${record}`}`;

/** The place of a row without the rest of it. */
export const rowPlace = ({ line, record }: RowPlace): RowPlace => ({ line, ...(record !== undefined && { record }) });

const UNLINKED_MAX = 10_000;
const UNLINKED_SHOWN = 5;

export function addUnlinked({ unlinked }: ImportReport, names: UnlinkedNames): void {
  for (const kind of ['companies', 'investors'] as const)
    for (const name of names[kind]) if (unlinked[kind].size < UNLINKED_MAX) unlinked[kind].add(name);
}

/** The names in rounds that no record has, such as `1 company (Acme)`; empty if none. */
export function unlinkedText({ unlinked }: ImportReport): string {
  const parts = [
    { names: [...unlinked.companies], nouns: ['company', 'companies'] },
    { names: [...unlinked.investors], nouns: ['investor', 'investors'] },
  ].filter(({ names }) => names.length > 0);
  return parts
    .map(({ names, nouns: [one, many] }) => {
      const more = names.length > UNLINKED_SHOWN ? ` and ${names.length - UNLINKED_SHOWN} more` : '';
      const least = names.length === UNLINKED_MAX ? 'at least ' : '';
      const shown = names.slice(0, UNLINKED_SHOWN).map(shortened).join(', ');
      return `${least}${names.length} ${names.length === 1 ? one : many} (${shown}${more})`;
    })
    .join(', ');
}

const shortened = (text: string): string =>
  text.length > NAME_LENGTH_MAX ? `${text.slice(0, NAME_LENGTH_MAX)}…` : text;
