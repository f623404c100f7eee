import type { RecordType } from '../../contract/entities/index.ts';

export interface RowError {
  readonly line: number;
  /** Field of the record; null for the whole row. */
  readonly field: string | null;
  readonly message: string;
}

export interface ImportReport {
  readonly type: RecordType;
  read: number;
  created: number;
  updated: number;
  unchanged: number;
  failed: number;
  /** The first errors; `moreErrors` counts the others. */
  readonly errors: RowError[];
  moreErrors: number;
  /** Number of errors by message. */
  readonly errorCounts: Map<string, number>;
  /** Distinct ignored column names. */
  readonly ignoredFields: Set<string>;
  /** Results of matching; undefined without it. */
  readonly matches?: MatchReport | undefined;
  isStopped: boolean;
}

/** A row that matches, or may match, an existing record, with the rule. */
interface MatchedRow {
  readonly line: number;
  readonly slug: string;
  readonly rule: string;
}

interface MatchReport {
  /** The first rows of each kind; the counts by rule are complete. */
  readonly joined: MatchedRow[];
  readonly doubtful: MatchedRow[];
  readonly counts: Readonly<Record<MatchKind, Record<string, number>>>;
}

const MATCHES_MAX = 100;

type MatchKind = 'joined' | 'doubtful';

export function addMatch({ matches }: ImportReport, kind: MatchKind, row: MatchedRow): void {
  if (matches === undefined) return;
  if (matches[kind].length < MATCHES_MAX) matches[kind].push(row);
  matches.counts[kind][row.rule] = (matches.counts[kind][row.rule] ?? 0) + 1;
}

const ERRORS_MAX = 100;
const MESSAGES_MAX = 1_000;
const IGNORED_MAX = 1_000;
/** Longer names are data in place of a header. */
const NAME_LENGTH_MAX = 60;

export function newReport(type: RecordType, isMatched: boolean): ImportReport {
  const counts = { read: 0, created: 0, updated: 0, unchanged: 0, failed: 0, moreErrors: 0 };
  return {
    type,
    ...counts,
    errors: [],
    errorCounts: new Map(),
    ignoredFields: new Set(),
    matches: isMatched ? { joined: [], doubtful: [], counts: { joined: {}, doubtful: {} } } : undefined,
    isStopped: false,
  };
}

export function addError(report: ImportReport, error: RowError): void {
  if (report.errors.length < ERRORS_MAX) report.errors.push(error);
  else report.moreErrors += 1;
  const { errorCounts } = report;
  const times = errorCounts.get(error.message);
  if (times !== undefined || errorCounts.size < MESSAGES_MAX) errorCounts.set(error.message, (times ?? 0) + 1);
}

export function addIgnored({ ignoredFields }: ImportReport, name: string): void {
  const short = name.length > NAME_LENGTH_MAX ? `${name.slice(0, NAME_LENGTH_MAX)}…` : name;
  if (ignoredFields.size < IGNORED_MAX) ignoredFields.add(short);
}
